"""The figures about presets for people, and the player who looks one move ahead."""

from __future__ import annotations

from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.core.game import preset_of
from duelbox.core.rng import Rng
from duelbox.registry import find_game
from duelbox.rules_lab.facts import MANY_DEALS, Facts
from duelbox.rules_lab.people import for_people, points, right_picks
from duelbox.rules_lab.players import looks_ahead
from duelbox.rules_lab.preset_facts import facts_on_file
from duelbox.rules_lab.sentences import for_people as for_sentences
from duelbox.rules_lab.sentences import summary
from duelbox.solve import analyse
from tests.effort import SHARE, sampled
from tests.house_rules import SOLVED

QUICK = ("pairs", "two-trails", "tug-of-war", "tug-to-fifteen")
"""Presets whose figures are worked out in two seconds at most; with `--long` those of all presets are."""
PRESETS = [(game_id, preset.id) for game_id in SOLVED for preset in find_game(game_id).PRESETS]


@pytest.mark.parametrize(("game_id", "preset_id"), PRESETS)
def test_every_preset_keeps_three_figures_for_people(game_id: str, preset_id: str) -> None:
    game = find_game(game_id)
    preset, card = next(one for one in game.PRESETS if one.id == preset_id), facts_on_file(game)[preset_id]
    assert card.ahead_first is not None
    assert card.ahead_second is not None
    assert 0 <= card.ahead_first <= 1
    assert 0 <= card.ahead_second <= 1
    assert (card.right_picks is None) == (preset_id == "own-order"), "there the first moves are secret"
    if SHARE == 1 or preset_id in QUICK:
        assert card.joined(for_people(game, preset.options, deals=MANY_DEALS)) == card


def test_in_two_trails_a_fifth_of_the_first_picks_is_right_in_every_draw() -> None:
    """One gap in an even ring: all draws are one board, turned."""
    game = find_game("circle-duel")
    preset = next(one for one in game.PRESETS if one.id == "two-trails")
    shares = {right_picks(game, preset.options.changed(seed=seed), 1) for seed in range(1, 1 + sampled(3, 30))}
    assert shares == {0.2}
    assert facts_on_file(game)["two-trails"].right_picks == pytest.approx(0.2)
    assert facts_on_file(game)["two-trails"].first == 1


def test_right_first_picks_are_those_after_which_the_opponent_loses() -> None:
    for code in ("sequence-duel:size=9", "circle-duel:size=7", "number-circle:shared_total=on,floor=0,target=11"):
        played = parse_code(code, find_game)
        game, state = played.game, played.state
        after = [game.apply(state, 0, move)[0] for move in game.legal_moves(state)]
        lost = [analyse(game, one).verdict == "loss" for one in after]
        assert right_picks(game, state.options, 5) == pytest.approx(sum(lost) / len(lost))


@pytest.mark.parametrize(
    ("code", "moves"),
    [
        ("digit-chain/26", {"60"}),  # nothing begins with 0
        ("number-circle:target=13,sharing=off,shared_total=on,floor=0/+9.-2.+3.-1", {"+4"}),
        ("number-circle:target=13,sharing=off,shared_total=on,floor=0/+9.+2.-8", {"-3"}),  # after +3, +7 hits
    ],
)
def test_one_move_ahead_a_win_and_a_loss_at_once_are_seen(code: str, moves: set[str]) -> None:
    played = parse_code(code, find_game)
    state: Any = played.state
    seen = {
        played.game.format_move(looks_ahead(played.game, state, state.turn, Rng(seed)))
        for seed in range(sampled(5, 40))
    }
    assert seen == moves


def test_the_same_game_is_played_again_and_points_are_those_of_the_seat() -> None:
    game = find_game("circle-duel")
    options = preset_of(game, game.Options()).options
    assert [points(game, options, 0, number) for number in range(1, 6)] == [0.0] * 5, "the second always wins here"
    assert [points(game, options, 1, number) for number in range(1, 6)] == [1.0] * 5
    trails = game.Options(size=16, reach=2, trails="own", gaps=1)
    again = [[points(game, trails, 1, number) for number in range(1, 9)] for _ in range(2)]
    assert again[0] == again[1]
    assert {*again[0]} == {0.0, 1.0}


@pytest.mark.parametrize(("game_id", "preset_id"), PRESETS)
def test_a_person_who_has_not_chosen_sits_second_where_that_wins_a_tenth_more_often(
    game_id: str, preset_id: str
) -> None:
    game = find_game(game_id)
    preset, facts = next(one for one in game.PRESETS if one.id == preset_id), facts_on_file(game)[preset_id]
    assert facts.ahead_first is not None
    assert facts.ahead_second is not None
    assert (preset.seat == 2) == (facts.ahead_second - facts.ahead_first >= 0.1)


def test_a_card_says_its_figures_for_people() -> None:
    circle = find_game("circle-duel")
    known = Facts(deals=1, first=1.0, draw=0.0, right_picks=0.2, ahead_first=0.445, ahead_second=0.54)
    assert summary(circle, known).endswith(
        "20% of first moves are right. Looking one move ahead scores against Dash: 44% going first, 54% second."
    )
    assert for_sentences(circle, Facts(deals=1, first=1.0, draw=0.0)) == ""
