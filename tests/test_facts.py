"""Fact cards: kept as they are computed, and said in sentences."""

from __future__ import annotations

from fractions import Fraction

import pytest

from duelbox.registry import find_game
from duelbox.solve.api import Stop
from duelbox.solve.cards import kept
from duelbox.solve.facts import Facts, facts, fairness
from tests.house_rules import SOLVED
from tests.running import run


@pytest.mark.parametrize("game_id", ["circle-duel", "number-circle"])
def test_kept_cards_are_what_is_computed(game_id: str) -> None:
    game = find_game(game_id)
    assert kept(game) == {preset.id: facts(game, preset.options) for preset in game.PRESETS}


@pytest.mark.parametrize("game_id", SOLVED)
def test_every_preset_has_a_card(game_id: str) -> None:
    game = find_game(game_id)
    presets = {preset.id for preset in game.PRESETS}
    assert kept(game).keys() == presets, f"python -m duelbox.solve.cards {game_id} writes them"


def test_known_values_are_on_the_cards() -> None:
    circle, duel = kept(find_game("circle-duel")), kept(find_game("number-duel"))
    assert (circle["classic"].second, circle["classic"].matters) == (1, 0)
    assert (duel["classic"].first, duel["classic"].draw) == (Fraction(61, 160), Fraction(3, 160))
    assert kept(find_game("digit-chain"))["classic"].plies == 1


def test_the_card_is_said_kindly() -> None:
    card = Facts(deals=1, first=Fraction(0), draw=Fraction(0), plies=10, positions=200, matters=0)
    assert card.sentence == (
        "With best play the second player always wins, in at most 10 moves. "
        "In none of 200 positions on the way does a choice matter."
    )
    half = Facts(deals=100, first=Fraction(1, 2), draw=Fraction(0), plies=None, positions=10, matters=3)
    assert half.sentence == (
        "With best play the first player wins 50 % of 100 deals. "
        "In 30 % of positions on the way it matters what you choose."
    )


def test_fairness_says_who_wins_first_and_then_all() -> None:
    game = find_game("circle-duel")
    quick, whole = fairness(game, game.Options(), Stop())
    assert whole.startswith(quick.rstrip("."))
    assert whole.endswith("F2 plays by rules that leave more to decide.")


def test_facts_are_printed() -> None:
    page = run("games", "--facts")
    assert page.status == 0
    assert "With best play the second player always wins, in at most 10 moves." in page.out
