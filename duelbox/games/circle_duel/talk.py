"""Number Circle Duel in words."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.model import SEATS, Event, Voice, listed, other, player, ranges, some
from duelbox.core.picking import Picked, loss_reason
from duelbox.core.talk import MARKS, Tale, Talk, loser_name, ring, winner_sentence
from duelbox.games.circle_duel.rules import View


def _board(view: View) -> str:
    """The ring, and the picks of each player."""
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
    """A line with the number that the next pick must be next to."""
    return f"{'Your last number' if view.own else 'Last number selected'}: {view.last}"


def _ending(view: View) -> str:
    return (
        f"{loser_name(view)}'s turn.\n{_last(view)}\nAvailable adjacent numbers: none\n\n"
        f"{loser_name(view)} has no valid move.\n{winner_sentence(view.outcome)}"
    )


def _tale(before: View, after: View, events: Sequence[Event], voice: Voice) -> Tale:
    """A pick, and the numbers that may follow it."""
    number, seat = after.picks[-1], events[0].seat
    ways = [near for near in after.neighbours(number) if near in after.free]
    effect = ""
    if not (after.outcome or after.own):
        effect = f": {voice.does(other(seat), 'goes', 'go')} on with {listed(ways, 'or')}"
    elif not after.outcome:
        effect = f", which leads on to {some(ways)}" if ways else ", which leads nowhere"
    more = loss_reason(after, voice)
    if after.own and not after.outcome and before.picks and number in before.neighbours(before.picks[-1]):
        more = f"{voice.does(other(seat), 'keeps', 'keep')} {some(after.choices)}"
    return Tale(seat, f"picks {number}", f"pick {number}", effect, more)


TALK: Talk[View] = Talk(
    welcome=lambda view: "Welcome to Number Circle Duel!",
    board=_board,
    turn=_turn,
    question=lambda view, answers: None if answers else "Select a number: ",
    choices=lambda view: ranges(view.choices),
    after=lambda view, events: (
        "\n" + "\n".join(f"Number {one.number} selected." for one in events if isinstance(one, Picked))
    ),
    tale=_tale,
    over=loss_reason,
    ending=_ending,
)
