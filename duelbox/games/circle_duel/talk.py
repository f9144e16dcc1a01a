"""Number Circle Duel in words."""

from __future__ import annotations

from duelbox.core.model import SEATS, listed, player, ranges
from duelbox.core.numbers import Picked
from duelbox.core.talk import MARKS, Talk, loser, ring, verdict
from duelbox.games.circle_duel.rules import View


def _board(view: View) -> str:
    """The ring, and who picked what."""
    drawn = ring([_mark(view, number) for number in view.numbers])
    facts = [f"{player(seat)} ({MARKS[seat]}): {listed(view.picked(seat)) or 'nothing yet'}" for seat in SEATS]
    gone = [f"Gaps: {listed(view.gaps)}"] if view.gaps else []
    last = [] if view.last is None or view.own else [f"Last pick: {view.last}"]
    return "\n".join([drawn, "* may be picked now, + is free", "", *facts, *gone, *last])


def _mark(view: View, number: int) -> str:
    if number in view.gaps:
        return " "
    owner = view.owner(number)
    if owner is not None:
        return MARKS[owner]
    return "*" if view.turn is not None and number in view.choices else "+"


def _turn(view: View) -> str:
    numbers, whose = " ".join(map(str, view.choices)), f"{player(view.mover)}'s turn."
    if view.last is None:
        return f"{whose}\nAvailable numbers: {numbers}"
    return f"{whose}\n{_last(view)}\nAvailable adjacent numbers: {numbers}"


def _last(view: View) -> str:
    """The number that the next one has to be next to."""
    return f"{'Your last number' if view.own else 'Last number selected'}: {view.last}"


def _ending(view: View) -> str:
    return (
        f"{loser(view)}'s turn.\n{_last(view)}\nAvailable adjacent numbers: none\n\n"
        f"{loser(view)} has no valid move.\n{verdict(view.outcome)}"
    )


TALK: Talk[View] = Talk(
    welcome=lambda view: "Welcome to Number Circle Duel!",
    board=_board,
    turn=_turn,
    question=lambda view, answers: None if answers else "Select a number: ",
    choices=lambda view: ranges(view.choices),
    after=lambda view, events: (
        "\n" + "\n".join(f"Number {one.number} selected." for one in events if isinstance(one, Picked))
    ),
    ending=_ending,
)
