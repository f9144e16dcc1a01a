"""Facts about presets: the files have the computed facts, and sentences tell them."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from duelbox.cli import main
from duelbox.registry import find_game
from duelbox.rules_lab.facts import ALL_LAYERS, MANY_DEALS, Facts, Step, facts_so_far, work_out
from duelbox.rules_lab.preset_facts import facts_of_preset, facts_on_file, settled
from duelbox.rules_lab.sentences import one_rule, sentences, summary, who_wins
from duelbox.solve import analyse
from duelbox.solve.api import Stopped
from tests.command_line import run
from tests.effort import SHARE
from tests.golden.said import Said
from tests.house_rules import SOLVED

PRESETS = [(game_id, preset.id) for game_id in SOLVED for preset in find_game(game_id).PRESETS]
QUICK = [
    *(("circle-duel", "classic"), ("number-circle", "tug-of-war"), ("sequence-duel", "classic")),
    *(("digit-chain", "classic"), ("number-duel", "winners-stay")),
]
"""Facts that take some seconds each are tried with --long; `games --verify` works out all of them."""
LONG: tuple[Step, ...] = ("changes",)


@pytest.mark.parametrize(("game_id", "preset_id"), PRESETS if SHARE == 1 else QUICK)
def test_kept_cards_are_what_is_computed(game_id: str, preset_id: str) -> None:
    game = find_game(game_id)
    preset = next(preset for preset in game.PRESETS if preset.id == preset_id)
    old = facts_on_file(game)[preset_id]
    for layer in ALL_LAYERS:
        if SHARE == 1 or layer not in LONG:
            assert old.joined(work_out(game, preset.options, layer, deals=MANY_DEALS, limit=None)) == old, layer


@pytest.mark.parametrize("game_id", SOLVED)
def test_every_preset_has_a_card(game_id: str) -> None:
    game = find_game(game_id)
    presets = {preset.id for preset in game.PRESETS}
    assert facts_on_file(game).keys() == presets, f"python -m duelbox.rules_lab.preset_facts {game_id} writes them"


def test_known_values_are_on_the_cards() -> None:
    circle, duel = facts_on_file(find_game("circle-duel")), facts_on_file(find_game("number-duel"))
    assert (circle["classic"].second, circle["classic"].choice) == (1, 0)
    assert (duel["classic"].first, duel["classic"].draw) == (float(Fraction(61, 160)), float(Fraction(3, 160)))
    assert facts_on_file(find_game("digit-chain"))["classic"].plies == 1


def test_presets_that_one_rule_wins_say_it(said: Said) -> None:
    for game in map(find_game, SOLVED):
        for preset_id, fact in facts_on_file(game).items():
            told = one_rule(fact)
            assert ("always wins" in told) == (fact.one_rule == 1 and fact.proved)
            said(f"{game.INFO.id}, {preset_id}: {told}")


PLAYED = "Between two middling players"


def told(game_id: str = "circle-duel", **known: Any) -> str:
    """Facts with these values; in the others nobody wins."""
    return summary(find_game(game_id), fact(**known))


def fact(**known: Any) -> Facts:
    return Facts(**{"deals": 1, "first": 0.0, "draw": 0.0, **known})


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        ({"plies": 10}, "second .* always .* 10 turns"),
        ({"first": 1.0, "plies": 1}, "first .* always .* first move"),
        ({"first": 1.0}, "first .* always wins"),
        ({"draw": 1.0}, "nobody .* draw"),
        ({"first": 61 / 160, "draw": 3 / 160}, "first .* 38% of games, 2% .* draws"),
        ({"deals": 20, "first": 1.0, "plies": 9}, "first .* all 20 deals .* within 9 turns"),
        ({"deals": 20}, "second .* all 20 deals"),
        ({"deals": 20, "draw": 1.0}, "all 20 deals .* draws"),
        ({"deals": 100, "first": 0.25, "draw": 0.1}, "first .* 25% of 100 deals .* 10% .* draws"),
        ({"deals": 100, "first": 0.25, "plies": 16}, "first .* 25% of 100 deals .* takes 16 turns"),
    ],
)
def test_the_card_says_who_wins_and_of_what(known: dict[str, Any], sentence: str, said: Said) -> None:
    assert re.search(sentence, told(**known))
    said(told(**known))


@pytest.mark.parametrize("game_id", SOLVED)
def test_every_preset_to_play_has_something_to_decide(game_id: str) -> None:
    cards = facts_on_file(find_game(game_id))
    for preset in find_game(game_id).PRESETS:
        changes = cards[preset.id].changes
        assert changes is not None
        assert preset.kind != "to play" or changes >= 1, preset.id


@pytest.mark.parametrize("game_id", SOLVED)
def test_presets_to_know_are_settled_as_they_say(game_id: str) -> None:
    for preset in find_game(game_id).PRESETS:
        known = facts_on_file(find_game(game_id))[preset.id]
        assert known.settled == (preset.kind == "to know")
        if known.settled:
            assert preset.key.startswith(f"the {'first' if known.first else 'second'} player")


def test_a_game_that_is_decided_says_so_and_names_one_that_is_not(said: Said) -> None:
    named = {}
    for game in map(find_game, SOLVED):
        for preset in game.PRESETS:
            if found := settled(game, preset.options):
                sentence, better = found
                named[game.INFO.id, preset.id] = re.findall("(?:first|second) player", sentence), better.id
                assert better.name in sentence
                said(sentence)
    assert named == {
        ("circle-duel", "classic"): (["second player"], "two-trails"),
        ("digit-chain", "classic"): (["first player"], "wild-zero"),
    }
    circle = find_game("circle-duel")
    assert settled(circle, circle.Options(size=12)) is None


RULE = {"rule": "answers every move with its partner"}


@pytest.mark.parametrize(
    ("game_id", "known", "sentence", "little"),
    [
        ("circle-duel", {}, r"wins\.$", False),
        ("circle-duel", {"changes": 0.2}, f"{PLAYED} .* seldom ", False),
        ("circle-duel", {"changes": 0.8}, f"{PLAYED} .* hands 0.8 times", False),
        ("circle-duel", {"changes": 1.8}, f"{PLAYED} .* hands 1.8 times", False),
        ("circle-duel", {"changes": 2.8, "first_won": 0.55}, f"{PLAYED} .* 2.8 times.* first player .* 55%", False),
        ("number-duel", {"changes": 1.8}, f"{PLAYED} .* 2 moves .* 10 points of 100", False),
        ("circle-duel", {"choice": 0.0}, "In no position", True),
        ("circle-duel", {"choice": 0.3}, r"30% of positions .* choose\.$", False),
        ("circle-duel", {"choice": 0.3, "at_once": 0.1}, "30% of positions .* 10% .* at once", False),
        ("circle-duel", {"choice": 1.0, "at_once": 0.6}, "all positions .* 60% .* at once", True),
        ("circle-duel", {"choice": 1.0, "at_once": 1.0}, "all positions .* at once", True),
        ("circle-duel", {"one_rule": 0.0}, "No single rule", False),
        ("circle-duel", {"one_rule": 1.0, "proved": True, **RULE}, "partner always wins", False),
        ("circle-duel", {"one_rule": 1.0, **RULE}, "partner wins nearly always", False),
        ("circle-duel", {"one_rule": 0.3, **RULE}, "partner wins every game tried in 30% of deals", False),
    ],
)
def test_the_card_says_kindly_how_much_there_is_to_decide(
    game_id: str, known: dict[str, Any], sentence: str, little: bool, said: Said
) -> None:
    assert re.search(sentence, told(game_id, **known))
    said(told(game_id, **known))
    assert fact(**known).decides_little == little


def test_the_lab_names_a_preset_and_says_what_is_late(said: Said) -> None:
    game = find_game("circle-duel")
    rules = game.Options(size=21, reach=2, trails="own", gaps=2)
    known = Facts(deals=100, first=0.48, draw=0.0, changes=2.2, length=13.4, one_rule=0.0)
    said(" ".join(sentences(game, rules, known)))
    assert "wins 45%" not in " ".join(sentences(game, rules, Facts(deals=20, first=0.45))), "a preset has its card"
    sample = " ".join(sentences(game, rules.changed(size=20), Facts(deals=20, first=0.45)))
    assert "wins about 45%, of 20 deals tried" in sample
    said(" ".join(sentences(game, rules.changed(size=20), Facts(length=11.6, choice=0.3, late=True))))


def test_a_sample_of_deals_is_not_called_always() -> None:
    """The first player wins all of the first 20 deals here, but loses the deal of seed 1282."""
    game = find_game("circle-duel")
    options = game.Options(size=30, gaps=10)
    known = work_out(game, options, "first").joined(work_out(game, options, "plies"))
    assert re.search(r"first .* all 20 deals .* 3 turns\.", who_wins(known))
    assert "always" not in who_wins(known)
    assert analyse(game, game.start(options.changed(seed=1282))).verdict == "loss"


def test_a_card_says_who_wins_first_and_then_all() -> None:
    game = find_game("circle-duel")
    quick, *_, whole = facts_so_far(game, game.Options(size=12), ALL_LAYERS)
    assert (quick.choice, whole.choice, quick.first) == (None, 0, whole.first)
    assert all(getattr(whole, name) is not None for name in ("plies", "changes", "length", "first_won", "one_rule"))


def test_a_preset_has_its_kept_card_and_other_rules_have_none() -> None:
    for game in map(find_game, SOLVED):
        for preset in game.PRESETS:
            assert facts_of_preset(game, preset.options) == facts_on_file(game)[preset.id]
    circle = find_game("circle-duel")
    assert facts_of_preset(circle, circle.Options(size=12)) is None


def test_no_time_for_positions_is_not_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def hurried(*_: object) -> None:
        raise Stopped

    game = find_game("circle-duel")
    monkeypatch.setattr("duelbox.rules_lab.facts.rate_moves", hurried)
    found = work_out(game, game.Options(), "choice")
    assert (found.choice, found.late, found.decides_little) == (None, True, False)


def test_a_wrong_card_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`games --verify`, with one preset of one game, for the sake of time."""
    circle = find_game("circle-duel")
    right = facts_on_file(circle)["classic"]
    cards = {"classic": right}
    circle = replace(circle, PRESETS=circle.PRESETS[:1])
    monkeypatch.setattr("duelbox.commands.games.games", lambda: (circle,))
    monkeypatch.setattr("duelbox.rules_lab.preset_facts.facts_on_file", lambda game: cards)
    assert main(["games", "--verify"]) == 0
    assert capsys.readouterr().out == "circle-duel: all facts hold.\n"
    for wrong in (right.changed(plies=11), right.changed(at_once=1.0)):
        cards["classic"] = wrong
        assert main(["games", "--verify"]) == 1
        assert re.match(r"circle-duel, classic: kept \{.*\}, computed \{.*\}\.\n", capsys.readouterr().out)


def test_facts_are_printed() -> None:
    page = run("games", "--facts")
    assert page.status == 0
    assert re.search(r"second .* always .* 10 turns\.", page.out)
