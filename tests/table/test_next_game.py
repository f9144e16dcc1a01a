"""The level that is chosen for a person, and what is offered after losses."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from duelbox.core.code import format_code
from duelbox.core.game import Preset, first_preset
from duelbox.core.options import Options
from duelbox.registry import find_game
from duelbox.store.statistics import Played
from duelbox.table.next_game import Offer, level_to_play, losses_in_a_row, offer_after_losses, rules_to_try

LEVELS = ("dash", "peek", "counter")


def games(told: str) -> list[Played]:
    """The games of a text such as "dash+ dash- peek?", oldest first, as a list with the latest first.

    + is a win, - a loss, = a draw, ? a win with help.
    """
    points = {"+": 1.0, "?": 1.0, "=": 0.5, "-": 0.0}
    one_by_one = [Played("You", "x", one[:-1], points[one[-1]], helped=one[-1] == "?") for one in told.split()]
    return one_by_one[::-1]


@pytest.mark.parametrize(
    ("told", "level"),
    [
        ("", "dash"),
        ("dash+", "dash"),
        ("dash+ dash+", "peek"),
        ("dash+ dash? dash+", "dash"),
        ("dash+ dash- dash+", "dash"),
        ("dash? dash?", "dash"),
        ("dash+ dash+ peek-", "peek"),
        ("dash+ dash+ peek- peek- peek-", "peek"),
        ("peek+ dash+", "dash"),
        ("counter+ counter+", "counter"),
        ("dash+ dash+ sparring-", "peek"),
    ],
)
def test_two_wins_in_a_row_without_help_lead_to_the_next_level(told: str, level: str) -> None:
    assert LEVELS[level_to_play(games(told), LEVELS)] == level


def test_the_level_rises_by_one_at_most_and_falls_only_by_choice() -> None:
    signs = [f"{level}{sign}" for level in LEVELS for sign in "+-?"]
    for before in product(signs, repeat=3):
        last = LEVELS.index(before[-1][:-1])
        at = level_to_play(games(" ".join(before)), LEVELS)
        rises = before[-1] == before[-2] == f"{LEVELS[last]}+"
        assert at == min(last + rises, 2)


@pytest.mark.parametrize(
    ("told", "level", "lesson_left", "offer"),
    [
        ("dash-", 0, True, ""),
        ("dash- dash+", 0, True, ""),
        ("dash- dash-", 0, True, "lesson"),
        ("dash- dash-", 0, False, "seat"),
        ("peek- peek-", 1, False, "level"),
        ("peek- peek- peek-", 1, True, "lesson"),
        ("peek- peek- peek- peek-", 1, True, "level"),
        ("dash- dash- dash- dash-", 0, True, "seat"),
    ],
)
def test_two_losses_in_a_row_bring_one_offer(told: str, level: int, lesson_left: bool, offer: Offer) -> None:
    assert offer_after_losses(games(told), level, lesson_left=lesson_left) == offer


def test_a_draw_ends_a_row_of_losses() -> None:
    assert losses_in_a_row(games("dash- dash- dash= dash-")) == 1


def test_after_five_wins_in_two_trails_two_gaps_are_to_be_tried_until_they_are_won() -> None:
    game = find_game("circle-duel")
    trails = first_preset(game)
    two_gaps = game.Options(size=16, reach=2, trails="own", gaps=2)
    classic, more = game.PRESETS[0], trails.options.changed(gaps=3)

    def to_try(preset: Preset[Any], *rules: Any) -> tuple[str, Options] | None:
        codes = [{"rules": format_code(game, one, ())} for one in rules]
        return rules_to_try(game, preset, {f"match {at}": code for at, code in enumerate(codes)})

    assert to_try(trails, *[trails.options] * 4, classic.options, more) is None
    assert to_try(trails, *[trails.options] * 5, classic.options, more) == ("two gaps", two_gaps)
    assert to_try(trails, *[trails.options] * 9, two_gaps) is None
    assert to_try(classic, *[classic.options] * 9) is None
