"""Digit Chain Duel in words."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.model import SEATS, Event, Voice, listed, other, player, ranges
from duelbox.core.picking import loss_reason
from duelbox.core.talk import MARKS, Answers, Tale, Talk, loser_name, winner_sentence
from duelbox.games.digit_chain.rules import NUMBERS, View


def _board(view: View) -> str:
    """The pool, a row for each first digit; an arrow points at the row of the next number."""
    pool = set(view.pool)
    rows = [
        f"{'->' if view.turn is not None and view.digit in (None, digit) else '  '}{_cell(view, digit, pool)} "
        + "".join(_cell(view, number, pool) for number in range(10 * digit, 10 * digit + 10))
        for digit in range(1, 10)
    ]
    facts = [f"{player(seat)} ({MARKS[seat]}): {listed(view.picked(seat)) or 'nothing yet'}" for seat in SEATS]
    return "\n".join([*(row.rstrip() for row in rows), "", *facts, _current(view)])


def _cell(view: View, number: int, pool: set[int]) -> str:
    owner = view.owner(number)
    if owner is not None:
        return f"{MARKS[owner]:>3}"
    return f"{number:>3}" if number in pool else "  ."


def _current(view: View) -> str:
    if view.current is None:
        return "Current Number: None"
    free = ", any number may follow" if view.digit is None else ""
    return f"Current Number: {view.current} (Last digit: {view.current % 10}{free})"


def _turn(view: View) -> str:
    pool = set(view.pool)
    gone = ranges([number for number in NUMBERS if number not in pool])
    excluding = f" excluding {gone}" if gone else ""
    return f"Available Numbers: [1-99{excluding}]\n\n{_current(view)}\n\n{player(view.mover)}'s Turn:"


def _question(view: View, answers: Answers) -> str | None:
    which = "any number from the pool" if view.digit is None else f"a number starting with {view.digit}"
    return None if answers else f"Select {which}: "


def _ending(view: View) -> str:
    starting = "" if view.digit is None else f" starting with {view.digit}"
    return (
        f"{_current(view)}\n\n{loser_name(view)}'s Turn:\nNo valid numbers{starting} are available.\n"
        f"{loser_name(view)} cannot make a move.\n{winner_sentence(view.outcome)}"
    )


def _tale(before: View, after: View, events: Sequence[Event], voice: Voice) -> Tale:
    """A pick, and the digit that the next number begins with."""
    number, seat = after.picks[-1], events[0].seat
    begins, free = voice.does(other(seat), "begins", "begin"), len(after.choices)
    how = "as they like" if after.digit is None else f"with {after.digit}"
    how = "as you like" if after.digit is None and other(seat) == voice.you else how
    effect = f": {begins} {how}; {free} {'number is' if free == 1 else 'numbers are'} free"
    return Tale(seat, f"picks {number}", f"pick {number}", "" if after.outcome else effect, loss_reason(after, voice))


TALK: Talk[View] = Talk(
    welcome=lambda view: "-- Digit Chain Duel --",
    board=_board,
    turn=_turn,
    question=_question,
    choices=lambda view: ranges(view.choices),
    after=lambda view, events: "",
    tale=_tale,
    over=loss_reason,
    ending=_ending,
)
