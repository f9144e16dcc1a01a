"""Matches: the starter of each round, points, and the end."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from duelbox.core.errors import GameOver
from duelbox.core.match import MAX_ROUNDS, Match, coin_flip, player_at, points_text, round_options
from duelbox.core.model import Outcome
from duelbox.core.options import MAX_SEED
from duelbox.registry import find_game


def ended(winner: int | None) -> Outcome:
    return Outcome(winner=winner, reason="It ended.")


@pytest.mark.parametrize("first", [0, 1])
def test_the_starter_alternates(first: int) -> None:
    match = Match(rounds=5, first=first)
    for number in range(5):
        assert match.player_in(0) == (first + number) % 2
        assert match.player_in(1) == 1 - match.player_in(0)
        match = match.with_round(ended(0))
    assert match.winners == tuple((first + number) % 2 for number in range(5)), "a seat is won by whoever sits there"


def test_a_win_is_a_point_and_a_draw_half() -> None:
    match = Match(rounds=4)
    for winner in (0, None, 0, None):
        assert not match.over
        match = match.with_round(ended(winner))
    assert match.over
    assert match.winners == (0, None, 0, None)
    assert (match.points(0), match.points(1), match.winner) == (3, 1, 0)
    with pytest.raises(GameOver, match="The match is over"):
        match.with_round(ended(0))


def test_an_even_match_can_be_drawn() -> None:
    match = Match(rounds=2).with_round(ended(0)).with_round(ended(0))
    assert match.winners == (0, 1)
    assert match.over
    assert match.winner is None


SEATS_OR_DRAWS = st.lists(st.sampled_from([0, 1, None]), max_size=30)


@given(rounds=st.integers(1, 20), first=st.sampled_from([0, 1]), winners=SEATS_OR_DRAWS)
def test_points_are_shared_out_one_a_round(rounds: int, first: int, winners: list[int | None]) -> None:
    match = Match(rounds=rounds, first=first)
    tally = {0: Fraction(0), 1: Fraction(0)}
    for number, seat in enumerate(winners[:rounds]):
        match = match.with_round(ended(seat))
        for player in tally:
            sits = 0 if player == (first + number) % 2 else 1
            tally[player] += Fraction(1, 2) if seat is None else int(sits == seat)
    assert {player: match.points(player) for player in (0, 1)} == tally
    assert sum(tally.values()) == len(match.winners)
    assert match.over == (len(winners) >= rounds)
    assert match.winner == (None if tally[0] == tally[1] else max(tally, key=tally.__getitem__))
    assert Match.model_validate_json(match.model_dump_json()) == match


def test_a_match_has_one_to_99_rounds() -> None:
    assert Match().rounds == 1
    assert Match(rounds=99).rounds == MAX_ROUNDS
    for rounds in (0, -1, MAX_ROUNDS + 1):
        with pytest.raises(ValidationError):
            Match(rounds=rounds)
    with pytest.raises(ValidationError):
        Match(rounds=1, winners=(0, 1))


def test_seats_change_hands_and_players_do_not() -> None:
    assert [player_at(seat, first, number) for seat in (0, 1) for first in (0, 1) for number in (0, 1)] == [
        0, 1, 1, 0, 1, 0, 0, 1
    ]  # fmt: skip


def test_a_coin_has_two_sides() -> None:
    flips = [coin_flip(seed) for seed in range(1_000)]
    assert 430 < sum(flips) < 570
    assert flips[:8] == [coin_flip(seed) for seed in range(8)]


@pytest.mark.parametrize(("game_id", "settings"), [("circle-duel", {"gaps": 3}), ("number-duel", {})])
def test_each_pair_of_rounds_draws_afresh_and_hidden_hands_are_dealt_for_each_round(
    game_id: str, settings: dict[str, int]
) -> None:
    game = find_game(game_id)
    options = game.Options(**settings, seed=41)
    assert round_options(game, options, 0) == options
    rounds = [round_options(game, options, number) for number in range(40)]
    if game.INFO.hidden:
        assert len({one.seed for one in rounds}) == 40
    else:
        assert rounds[0::2] == rounds[1::2], "the second of a pair has the draw of the first"
        assert [one.seed for one in rounds[::2]] == [*range(41, 61)]
    assert len({game.start(one).changed(options=options) for one in rounds[::2]}) > 10
    last = round_options(game, options.changed(seed=MAX_SEED), 5)
    assert 0 <= last.seed <= MAX_SEED


def test_rounds_without_chance_are_all_the_same() -> None:
    for game_id in ("circle-duel", "sequence-duel", "number-circle", "digit-chain"):
        game = find_game(game_id)
        options = game.Options()
        assert round_options(game, options, 7) is options
    game = find_game("number-duel")
    dealt = game.Options(deal=((3, 1, 5, 2, 4), (5, 1, 2, 3, 4)))
    assert round_options(game, dealt, 7) is dealt


def test_points_are_written_as_people_do() -> None:
    assert [points_text(Fraction(half, 2)) for half in range(6)] == ["0", "½", "1", "1½", "2", "2½"]
