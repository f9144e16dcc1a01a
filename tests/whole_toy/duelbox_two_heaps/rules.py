"""Two Heaps: take counters from one heap; who takes the last one wins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from duelbox.core import game, options
from duelbox.core.errors import BadNotation, IllegalMove
from duelbox.core.model import Event, Outcome, Position, Seat, other, player

INFO = game.GameInfo(
    id="two-heaps",
    title="Two Heaps",
    goal="Take counters from one heap. Who takes the last one wins.",
    good_for="balance",
    picture="two-heaps/a2",
)


class Options(options.Options):
    """House rules of Two Heaps."""

    first: int = Field(default=5, ge=1, le=9, description="How many counters lie on heap a")
    second: int = Field(default=7, ge=1, le=9, description="How many counters lie on heap b")


class Move(game.Move):
    """Take counters from a heap."""

    heap: Literal["a", "b"]
    number: int


class State(Position):
    """The counters that are left."""

    options: Options
    a: int
    b: int


View = State


class Taken(Event):
    """Counters were taken."""

    kind: Literal["taken"] = "taken"
    heap: Literal["a", "b"]
    number: int

    @property
    def sentence(self) -> str:
        """What happened, in a sentence."""
        return f"{player(self.seat)} takes {self.number} from heap {self.heap}."


PRESETS = (
    game.Preset("Classic", "Five counters and seven.", Options()),
    game.Preset("Even Heaps", "Six counters on each heap.", Options(first=6, second=6)),
)


def start(options: Options) -> State:
    """Two whole heaps."""
    return State(turn=0, options=options, a=options.first, b=options.second)


def legal_moves(view: View) -> Sequence[Move]:
    """Every number of counters of each heap."""
    if view.turn is None:
        return ()
    heaps: tuple[Literal["a", "b"], ...] = ("a", "b")
    return [Move(heap=heap, number=number) for heap in heaps for number in range(1, getattr(view, heap) + 1)]


def apply(state: State, seat: Seat, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Take counters."""
    game.guard(state, seat)
    left: int = getattr(state, move.heap)
    if not 1 <= move.number <= left:
        raise IllegalMove(f"Heap {move.heap} has {left}: you cannot take {move.number}.", (move.number,))
    after = state.changed(**{move.heap: left - move.number}, turn=other(seat))
    if not after.a + after.b:
        after = after.changed(turn=None, outcome=Outcome(winner=seat, reason=f"{player(seat)} took the last counter."))
    return after, (Taken(seat=seat, heap=move.heap, number=move.number),)


def format_move(move: Move) -> str:
    """The heap and the number."""
    return f"{move.heap}{move.number}"


def parse_move(view: View, text: str) -> Move:
    """A heap and a number."""
    found = re.fullmatch("([ab])0*([0-9]{1,2})", text.strip().lower())
    if not found:
        raise BadNotation(f"{text[:24]!a} is not a move. Type a heap and a number, such as a3.")
    return Move.model_validate({"heap": found[1], "number": int(found[2])})


GAME = game.Game(INFO, PRESETS, (Taken,), Options, State, View, start, legal_moves, apply, format_move, parse_move)
