"""The level that is chosen for a person, and what is offered after losses."""

from __future__ import annotations

from itertools import product

import pytest

from duelbox.store.statistics import Played
from duelbox.table.next_game import Offer, level_to_play, losses_in_a_row, offer_after_losses

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
