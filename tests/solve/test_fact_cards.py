"""Fact cards: kept as they are computed, and said in sentences."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from duelbox.cli import main
from duelbox.core.game import AnyGame
from duelbox.learn.cards import turns_in
from duelbox.registry import find_game
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.solve.fact_cards import Facts, card_of, facts, fairness, kept, settled
from tests.command_line import run
from tests.effort import SHARE
from tests.golden.said import Said
from tests.house_rules import SOLVED

PRESETS = [(game_id, preset.id) for game_id in SOLVED for preset in find_game(game_id).PRESETS]
QUICK = [
    *(("circle-duel", "classic"), ("number-circle", "tug-of-war"), ("sequence-duel", "classic")),
    *(("digit-chain", "classic"), ("number-duel", "winners-stay")),
]
"""The others take some seconds each: tried with --long; `games --verify` works all of them out, too."""


@pytest.mark.parametrize(("game_id", "preset_id"), PRESETS if SHARE == 1 else QUICK)
def test_kept_cards_are_what_is_computed(game_id: str, preset_id: str) -> None:
    game = find_game(game_id)
    preset = next(preset for preset in game.PRESETS if preset.id == preset_id)
    assert kept(game)[preset_id].changed(changes=None, lost_chances=None, first_won=None) == facts(game, preset.options)


@pytest.mark.parametrize("game_id", SOLVED)
def test_every_preset_has_a_card(game_id: str) -> None:
    game = find_game(game_id)
    presets = {preset.id for preset in game.PRESETS}
    assert kept(game).keys() == presets, f"python -m duelbox.learn.cards {game_id} writes them"


def test_known_values_are_on_the_cards() -> None:
    circle, duel = kept(find_game("circle-duel")), kept(find_game("number-duel"))
    assert (circle["classic"].second, circle["classic"].matters) == (1, 0)
    assert (duel["classic"].first, duel["classic"].draw) == (Fraction(61, 160), Fraction(3, 160))
    assert kept(find_game("digit-chain"))["classic"].plies == 1


PLAYED = "Between Peek and Counter"


def card(**known: Any) -> Facts:
    """A card on which nobody wins, and nothing matters, but for what is known."""
    shares = {"first": Fraction(known.pop("first", 0)), "draw": Fraction(known.pop("draw", 0))}
    known = {name: Fraction(one) if isinstance(one, str) else one for name, one in known.items()}
    return Facts(**{"deals": 1, "plies": None, "positions": 0, "matters": 0, "at_once": 0, **shares, **known})


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        ({"plies": 10}, "second .* always .* 10 turns"),
        ({"first": 1, "plies": 1}, "first .* always .* first move"),
        ({"first": 1}, "first .* always wins"),
        ({"draw": 1}, "nobody .* draw"),
        (
            {"first": Fraction(61, 160), "draw": Fraction(3, 160)},
            "first .* 38% of games, 2% .* draws",
        ),
        (
            {"deals": 20, "first": 1, "plies": 9},
            "first .* all 20 deals .* within 9 turns",
        ),
        ({"deals": 20}, "second .* all 20 deals"),
        ({"deals": 20, "draw": 1}, "all 20 deals .* draws"),
        (
            {"deals": 100, "first": Fraction(1, 4), "draw": Fraction(1, 10)},
            "first .* 25% of 100 deals .* 10% .* draws",
        ),
        (
            {"deals": 100, "first": Fraction(1, 4), "plies": 16},
            "first .* 25% of 100 deals .* takes 16 turns",
        ),
    ],
)
def test_the_card_says_who_wins_and_of_what(known: dict[str, object], sentence: str, said: Said) -> None:
    told = card(**known).sentence
    assert re.search(sentence, told)
    said(told)


@pytest.mark.parametrize("game_id", SOLVED)
def test_every_preset_to_play_has_something_to_decide(game_id: str) -> None:
    cards = kept(find_game(game_id))
    for preset in find_game(game_id).PRESETS:
        turns = cards[preset.id].lost_chances if game_id == "number-duel" else cards[preset.id].changes
        assert turns is not None
        assert preset.kind != "to play" or turns >= Fraction(6, 10), preset.id


@pytest.mark.parametrize("game_id", SOLVED)
def test_presets_to_know_are_settled_as_they_say(game_id: str) -> None:
    for preset in find_game(game_id).PRESETS:
        card = kept(find_game(game_id))[preset.id]
        assert card.settled == (preset.kind == "to know")
        if card.settled:
            assert preset.key.startswith(f"the {'first' if card.first else 'second'} player")


@pytest.mark.skipif(SHARE > 1, reason="tried by --long")
@pytest.mark.parametrize("preset_id", ["tug-of-war", "classic"])
def test_how_often_the_win_changes_hands_is_counted(preset_id: str) -> None:
    game = find_game("number-circle")
    options = next(preset.options for preset in game.PRESETS if preset.id == preset_id)
    assert (kept(game)[preset_id].changes, kept(game)[preset_id].first_won) == turns_in(game, options)


def test_a_game_that_is_decided_says_so_and_names_one_that_is_not(said: Said) -> None:
    told = {}
    for game in map(find_game, SOLVED):
        for preset in game.PRESETS:
            if found := settled(game, preset.options):
                sentence, better = found
                told[game.INFO.id, preset.id] = re.findall("(?:first|second) player", sentence), better.id
                assert better.name in sentence
                said(sentence)
    assert told == {
        ("circle-duel", "classic"): (["second player"], "two-trails"),
        ("digit-chain", "classic"): (["first player"], "wild-zero"),
    }
    circle = find_game("circle-duel")
    assert settled(circle, circle.Options(size=12)) is None


@pytest.mark.parametrize(
    ("known", "sentence", "little"),
    [
        ({}, r"wins\.$", False),
        ({"changes": "1/5"}, f"{PLAYED} .* seldom ", False),
        ({"changes": "4/5"}, f"{PLAYED} .* once", False),
        ({"changes": "9/5"}, f"{PLAYED} .* twice", False),
        ({"changes": "14/5"}, f"{PLAYED} .* 3 times", False),
        ({"changes": "14/5", "first_won": "11/20"}, f"{PLAYED} .* 3 times.* first player .* 55%", False),
        (
            {"lost_chances": "9/5"},
            f"{PLAYED} .* 2 moves .* 10 points of 100",
            False,
        ),
        ({"positions": 40}, "none of 40 positions", True),
        (
            {"positions": 10, "matters": 3},
            r"30% of 10 positions .* choose\.$",
            False,
        ),
        (
            {"positions": 10, "matters": 3, "at_once": 1},
            "30% of 10 positions .* 10% .* at once",
            False,
        ),
        (
            {"positions": 10, "matters": 10, "at_once": 6},
            "all 10 positions .* 60% .* at once",
            True,
        ),
        (
            {"positions": 10, "matters": 10, "at_once": 10},
            "all 10 positions .* at once, .* nothing else",
            True,
        ),
    ],
)
def test_the_card_says_kindly_how_much_there_is_to_decide(
    known: dict[str, Any], sentence: str, little: bool, said: Said
) -> None:
    told = card(**known)
    assert re.search(sentence, told.sentence)
    said(told.sentence)
    assert told.decides_little == little


def test_a_sample_of_deals_is_not_called_always() -> None:
    """Here all of the first 20 deals are won for the first player, and the deal of seed 1282 is lost."""
    game = find_game("circle-duel")
    options = game.Options(size=30, gaps=10)
    *_, whole = fairness(game, options, Stop())
    assert re.search(r"first .* all 20 deals .* 3 turns\.", whole.sentence)
    assert "always" not in whole.sentence
    assert analyse(game, game.start(options.changed(seed=1282))).verdict == "loss"


def test_fairness_says_who_wins_first_and_then_all() -> None:
    game = find_game("circle-duel")
    quick, whole = fairness(game, game.Options(size=12), Stop())
    assert (quick.positions, whole.positions) == (0, 40)
    assert whole.sentence.startswith(quick.sentence.rstrip("."))


def test_a_preset_has_its_kept_card_and_other_rules_have_none() -> None:
    for game in map(find_game, SOLVED):
        for preset in game.PRESETS:
            assert card_of(game, preset.options) == kept(game)[preset.id]
    circle = find_game("circle-duel")
    assert card_of(circle, circle.Options(size=12)) is None


def test_no_time_for_positions_is_not_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    game, left = find_game("circle-duel"), iter([True])

    def hurried(game: AnyGame, view: Any, stop: Stop) -> Analysis:
        if next(left, False):
            return analyse(game, view, stop)
        raise Stopped

    assert facts(game, game.Options(), positions=5).decides_little
    monkeypatch.setattr("duelbox.solve.fact_cards.analyse", hurried)
    told = facts(game, game.Options(), positions=5)
    assert (told.positions, told.decides_little) == (0, False)
    assert re.search(r"second .* always .* 10 turns\.$", told.sentence)


def test_a_wrong_card_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`games --verify`, with one preset of one game, for the sake of time."""
    circle = find_game("circle-duel")
    right = kept(circle)["classic"]
    cards = {"classic": right}
    circle = replace(circle, PRESETS=circle.PRESETS[:1])
    monkeypatch.setattr("duelbox.commands.games.games", lambda: (circle,))
    monkeypatch.setattr("duelbox.learn.cards.kept", lambda game: cards)
    monkeypatch.setattr("duelbox.learn.cards.turns_in", lambda game, options: (right.changes, right.first_won))
    assert main(["games", "--verify"]) == 0
    assert capsys.readouterr().out == "circle-duel: all facts hold.\n"
    for wrong in (right.changed(plies=11), right.changed(at_once=1)):
        cards["classic"] = wrong
        assert main(["games", "--verify"]) == 1
        told = f"circle-duel, classic: kept {wrong.model_dump_json()}, computed {right.model_dump_json()}.\n"
        assert capsys.readouterr().out == told


def test_facts_are_printed() -> None:
    page = run("games", "--facts")
    assert page.status == 0
    assert re.search(r"second .* always .* 10 turns\.", page.out)
