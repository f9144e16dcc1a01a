"""Digit Chain Duel in words."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.model import SEATS, Event, listed, other, player, ranges
from duelbox.core.talk import MARKS, Answers, Talk, verdict
from duelbox.games.digit_chain.rules import NUMBERS, View


def welcome(view: View) -> str:
    """The name of the game."""
    return "-- Digit Chain Duel --"


def board(view: View) -> str:
    """The pool in a row for each first digit; the row to be answered has an arrow."""
    pool = set(view.pool)
    rows = [
        f"{'->' if _asked(view, digit) else '  '}{_cell(view, digit, pool)} "
        + "".join(_cell(view, number, pool) for number in range(10 * digit, 10 * digit + 10))
        for digit in range(1, 10)
    ]
    facts = [f"{player(seat)} ({MARKS[seat]}): {listed(view.picked(seat)) or 'nothing yet'}" for seat in SEATS]
    return "\n".join([*(row.rstrip() for row in rows), "", *facts, _current(view)])


def _asked(view: View, digit: int) -> bool:
    return view.turn is not None and view.digit in (None, digit)


def _cell(view: View, number: int, pool: set[int]) -> str:
    if number in view.picks:
        return f"{MARKS[view.picks.index(number) % 2]:>3}"
    return f"{number:>3}" if number in pool else "  ."


def _current(view: View) -> str:
    if view.current is None:
        return "Current Number: None"
    free = ", any number may follow" if view.digit is None else ""
    return f"Current Number: {view.current} (Last digit: {view.current % 10}{free})"


def turn(view: View) -> str:
    """The pool, the current number, and whose turn it is."""
    assert view.turn is not None
    pool = set(view.pool)
    gone = ranges([number for number in NUMBERS if number not in pool])
    excluding = f" excluding {gone}" if gone else ""
    return f"Available Numbers: [1-99{excluding}]\n\n{_current(view)}\n\n{player(view.turn)}'s Turn:"


def question(view: View, answers: Answers) -> str | None:
    """One number."""
    if answers:
        return None
    if view.digit is None:
        return "Select any number from the pool: "
    return f"Select a number starting with {view.digit}: "


def choices(view: View) -> str:
    """The numbers that may be picked."""
    return ranges(view.choices)


def after(view: View, events: Sequence[Event]) -> str:
    """Nothing: the next turn begins with the current number."""
    return ""


def ending(view: View) -> str:
    """The digit that nothing begins with, who is stuck, and who won."""
    assert view.outcome is not None
    assert view.outcome.winner is not None
    loser = player(other(view.outcome.winner))
    starting = "" if view.digit is None else f" starting with {view.digit}"
    return (
        f"{_current(view)}\n\n{loser}'s Turn:\nNo valid numbers{starting} are available.\n"
        f"{loser} cannot make a move.\n{verdict(view.outcome)}"
    )


TALK = Talk(welcome, board, turn, question, choices, after, ending)
