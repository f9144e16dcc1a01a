"""Sequence Duel in words."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.model import SEATS, Event, Voice, listed, other, player, ranges, some
from duelbox.core.picking import loss_reason
from duelbox.core.talk import MARKS, Tale, Talk, loser_name, winner_sentence
from duelbox.games.sequence_duel.rules import Claimed, View

_ROW = 20
_KEY = ". free for both, o Player 1 only, x Player 2 only, - nobody"


def _welcome(view: View) -> str:
    ends = "\nThe line is a ring: its two ends are next to each other." if view.options.ring else ""
    return f"Welcome to Sequence Duel!\n\nNumbers Available: {_bracketed(view.numbers)}{ends}"


def _board(view: View) -> str:
    """The line in rows of twenty, and the claims of each player."""
    mine, theirs = set(view.open_to(0)), set(view.open_to(1))
    rows: list[str] = []
    for first in range(0, len(view.numbers), _ROW):
        row = view.numbers[first : first + _ROW]
        rows.append("".join(f"{number:>3}" for number in row))
        rows.append("".join(f"{_mark(view, number, number in mine, number in theirs):>3}" for number in row))
    facts = [
        f"{player(seat)} ({MARKS[seat]}) has claimed {listed(view.picked(seat)) or 'nothing yet'}" for seat in SEATS
    ]
    ends = [f"Next to each other: {view.options.size} and 1"] if view.options.ring else []
    return "\n".join([*rows, _KEY, "", *facts, *ends])


def _mark(view: View, number: int, mine: bool, theirs: bool) -> str:
    owner = view.owner(number)
    if owner is not None:
        return MARKS[owner]
    return "." if mine and theirs else "o" if mine else "x" if theirs else "-"


def _turn(view: View) -> str:
    """The unclaimed numbers, those that the rival closes, and the mover's own."""
    if not view.picks:
        every = ",".join(map(str, view.numbers))
        claims = "".join(f"{player(seat)}'s Claimed Numbers: []\n" for seat in SEATS)
        return f"Numbers Available: [{every}]\n{claims}"
    rival = player(view.rival)
    unclaimed = [number for number in view.numbers if view.owner(number) is None]
    theirs = sorted(view.picked(view.rival))
    closed = [number for number in unclaimed if view.blockers(number, view.mover)]
    return (
        f"Numbers Available: {_bracketed(unclaimed)} "
        f"(Note: {listed(theirs)} {'are' if len(theirs) > 1 else 'is'} claimed by {rival})\n"
        f"Numbers adjacent to {rival}'s numbers (cannot be selected): {_bracketed(closed)}\n"
        f"{player(view.mover)}'s Claimed Numbers: {_bracketed(sorted(view.picked(view.mover)))}\n"
    )


def _bracketed(numbers: Sequence[int]) -> str:
    return f"[{ranges(numbers).replace(', ', ',')}]"


def _after(view: View, events: Sequence[Event]) -> str:
    return "\n" + "\n".join(f"You have claimed number {one.number}." for one in events if isinstance(one, Claimed))


def _tale(before: View, after: View, events: Sequence[Event], voice: Voice) -> Tale:
    """A claim, the numbers that it makes safe, and those that it closes."""
    number, seat = after.picks[-1], events[0].seat
    rival = other(seat)
    safe = sorted({*after.safe(seat)} - {*before.safe(seat)})
    closed = sorted({*before.open_to(rival)} - {*after.open_to(rival), *safe, number})
    whose = "" if seat == voice.you else f" for {voice.whom(seat)}"
    parts = [f"{some(safe)} {_are(safe)} safe{whose}"] if safe else []
    parts += [f"{some(closed)} {_are(closed)} closed to {voice.whom(rival)}"] if closed else []
    effect = f": {', '.join(parts)}" if parts else ", which was safe already" if number in before.safe(seat) else ""
    return Tale(seat, f"claims {number}", f"claim {number}", "" if after.outcome else effect, loss_reason(after, voice))


def _are(numbers: Sequence[int]) -> str:
    return "is" if len(numbers) == 1 else "are"


TALK: Talk[View] = Talk(
    welcome=_welcome,
    board=_board,
    turn=_turn,
    question=lambda view, answers: None if answers else f"{player(view.mover)}, select a number: ",
    choices=lambda view: ranges(view.open_to(view.mover)),
    after=_after,
    tale=_tale,
    over=loss_reason,
    ending=lambda view: f"{loser_name(view)}, you have no valid moves left.\n{winner_sentence(view.outcome)}",
)
