"""Number Circle Duel in words."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.model import SEATS, Event, listed, other, player, ranges
from duelbox.core.numbers import Picked
from duelbox.core.talk import MARKS, Answers, Talk, ring, verdict
from duelbox.games.circle_duel.rules import View


def welcome(view: View) -> str:
    """The name of the game."""
    return "Welcome to Number Circle Duel!"


def board(view: View) -> str:
    """The ring, and who picked what."""
    drawn = ring([_mark(view, number) for number in view.numbers])
    facts = [f"{player(seat)} ({MARKS[seat]}): {listed(view.picked(seat)) or 'nothing yet'}" for seat in SEATS]
    gone = [f"Gaps: {listed(view.gaps)}"] if view.gaps else []
    last = [] if view.last is None or view.own else [f"Last pick: {view.last}"]
    return "\n".join([drawn, "* may be picked now, + is free", "", *facts, *gone, *last])


def _mark(view: View, number: int) -> str:
    if number in view.gaps:
        return " "
    if number in view.picks:
        return MARKS[view.picks.index(number) % 2]
    return "*" if view.turn is not None and number in view.choices else "+"


def turn(view: View) -> str:
    """The last number, and what may follow it."""
    assert view.turn is not None
    numbers = " ".join(map(str, view.choices))
    whose = f"{player(view.turn)}'s turn."
    if view.last is None:
        return f"{whose}\nAvailable numbers: {numbers}"
    return f"{whose}\n{_last(view)}\nAvailable adjacent numbers: {numbers}"


def _last(view: View) -> str:
    """The number that the next one has to be next to."""
    return f"{'Your last number' if view.own else 'Last number selected'}: {view.last}"


def question(view: View, answers: Answers) -> str | None:
    """One number."""
    return None if answers else "Select a number: "


def choices(view: View) -> str:
    """The numbers that may be picked."""
    return ranges(view.choices)


def after(view: View, events: Sequence[Event]) -> str:
    """The number selected."""
    return "\n" + "\n".join(f"Number {event.number} selected." for event in events if isinstance(event, Picked))


def ending(view: View) -> str:
    """Who is stuck, and after which number."""
    assert view.outcome is not None
    assert view.outcome.winner is not None
    loser = player(other(view.outcome.winner))
    return (
        f"{loser}'s turn.\n{_last(view)}\nAvailable adjacent numbers: none\n\n"
        f"{loser} has no valid move.\n{verdict(view.outcome)}"
    )


TALK = Talk(welcome, board, turn, question, choices, after, ending)
