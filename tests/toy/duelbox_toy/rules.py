"""Toy Heap: take counters from the heap; the player who takes the last one wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from duelbox.core import game, options
from duelbox.core.errors import IllegalMove
from duelbox.core.model import Event, Outcome, Position, Seat, other, player
from duelbox.core.picking import number_in

INFO = game.GameInfo(
    id="toy-heap", title="Toy Heap", goal="Take counters. Who takes the last one wins.", good_for="counting"
)


class Options(options.Options):
    """House rules of Toy Heap."""

    heap: int = Field(default=12, ge=1, le=30, description="How many counters there are")
    most: int = Field(default=3, ge=2, le=4, description="How many may be taken at once")


class Move(game.Move):
    """Take some counters."""

    number: int


class State(Position):
    """The counters that are left."""

    options: Options
    left: int


View = State


class Taken(Event):
    """Counters were taken."""

    kind: Literal["taken"] = "taken"
    number: int

    @property
    def sentence(self) -> str:
        """The event in a sentence."""
        return f"{player(self.seat)} takes {self.number}."


EVENTS = (Taken,)
PRESETS = (
    game.Preset("Classic", "Twelve counters.", Options()),
    game.Preset("Big Heap", "Thirty counters, up to four at once.", Options(heap=30, most=4)),
)


def start(options: Options) -> State:
    """A whole heap."""
    return State(turn=0, options=options, left=options.heap)


def legal_moves(view: View) -> Sequence[Move]:
    """Every number of counters that may be taken."""
    if view.turn is None:
        return ()
    return [Move(number=number) for number in range(1, min(view.options.most, view.left) + 1)]


def apply(state: State, seat: Seat, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Take counters."""
    game.guard(state, seat)
    most = min(state.options.most, state.left)
    if not 1 <= move.number <= most:
        raise IllegalMove(f"You cannot take {move.number}. Free for you: 1 to {most}.", (move.number,))
    after = state.changed(left=state.left - move.number, turn=other(seat))
    if not after.left:
        after = after.changed(turn=None, outcome=Outcome(winner=seat, reason=f"{player(seat)} took the last counter."))
    return after, (Taken(seat=seat, number=move.number),)


def format_move(move: Move) -> str:
    """The number."""
    return str(move.number)


def parse_move(view: View, text: str) -> Move:
    """A number of counters."""
    return Move(number=number_in(text, range(1, view.options.heap + 1)))


GAME = game.Game(INFO, PRESETS, EVENTS, Options, State, View, start, legal_moves, apply, format_move, parse_move)
