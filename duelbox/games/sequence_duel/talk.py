"""Sequence Duel in words."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.model import SEATS, Event, Seat, listed, other, player, ranges
from duelbox.core.talk import MARKS, Answers, Talk, verdict
from duelbox.games.sequence_duel.rules import Claimed, View

_ROW = 20
_KEY = ". free for both, o only for Player 1, x only for Player 2, - for nobody"


def welcome(view: View) -> str:
    """The name of the game, and the line."""
    ends = "\nThe line is a ring: its two ends are next to each other." if view.options.ring else ""
    return f"Welcome to Sequence Duel!\n\nNumbers Available: {_bracketed(view.numbers)}{ends}"


def board(view: View) -> str:
    """The line in rows of twenty, and who claimed what."""
    mine, theirs = set(view.open_to(0)), set(view.open_to(1))
    rows: list[str] = []
    for first in range(0, len(view.numbers), _ROW):
        row = view.numbers[first : first + _ROW]
        rows.append("".join(f"{number:>3}" for number in row))
        rows.append("".join(f"{_mark(view, number, number in mine, number in theirs):>3}" for number in row))
    facts = [f"{player(seat)} ({MARKS[seat]}) has claimed {_claims(view, seat)}" for seat in SEATS]
    ends = [f"Next to each other: {view.options.size} and 1"] if view.options.ring else []
    return "\n".join([*rows, _KEY, "", *facts, *ends])


def _mark(view: View, number: int, mine: bool, theirs: bool) -> str:
    owner = view.owner(number)
    if owner is not None:
        return MARKS[owner]
    return "." if mine and theirs else "o" if mine else "x" if theirs else "-"


def _claims(view: View, seat: Seat) -> str:
    return listed(view.claimed(seat)) or "nothing yet"


def turn(view: View) -> str:
    """What is unclaimed, what the rival keeps, and what is one's own."""
    assert view.turn is not None
    rival = other(view.turn)
    if not view.claims:
        every = ",".join(map(str, view.numbers))
        claims = "".join(f"{player(seat)}'s Claimed Numbers: []\n" for seat in SEATS)
        return f"Numbers Available: [{every}]\n{claims}"
    unclaimed = [number for number in view.numbers if view.owner(number) is None]
    theirs = sorted(view.claimed(rival))
    note = f"{listed(theirs)} {'are' if len(theirs) > 1 else 'is'} claimed by {player(rival)}"
    kept = [number for number in unclaimed if view.blockers(number, view.turn)]
    return (
        f"Numbers Available: {_bracketed(unclaimed)} (Note: {note})\n"
        f"Numbers adjacent to {player(rival)}'s numbers (cannot be selected): {_bracketed(kept)}\n"
        f"{player(view.turn)}'s Claimed Numbers: {_bracketed(sorted(view.claimed(view.turn)))}\n"
    )


def _bracketed(numbers: Sequence[int]) -> str:
    return f"[{ranges(numbers).replace(', ', ',')}]"


def question(view: View, answers: Answers) -> str | None:
    """One number."""
    assert view.turn is not None
    return None if answers else f"{player(view.turn)}, select a number: "


def choices(view: View) -> str:
    """The numbers that may be claimed."""
    assert view.turn is not None
    return ranges(view.open_to(view.turn))


def after(view: View, events: Sequence[Event]) -> str:
    """The number claimed."""
    claims = (f"You have claimed number {event.number}." for event in events if isinstance(event, Claimed))
    return "\n" + "\n".join(claims)


def ending(view: View) -> str:
    """Who is stuck."""
    assert view.outcome is not None
    assert view.outcome.winner is not None
    return f"{player(other(view.outcome.winner))}, you have no valid moves left.\n{verdict(view.outcome)}"


TALK = Talk(welcome, board, turn, question, choices, after, ending)
