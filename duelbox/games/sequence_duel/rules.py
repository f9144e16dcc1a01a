"""Sequence Duel: claim numbers on a line, never next to a number of your opponent's; if you cannot, you lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from duelbox.core import game, options
from duelbox.core.errors import IllegalMove
from duelbox.core.model import Event, Outcome, Position, Seat, other, player, ranges
from duelbox.core.notation import number_in
from duelbox.core.numbers import Move, format_move

INFO = game.GameInfo(
    id="sequence-duel",
    title="Sequence Duel",
    goal="Claim a number that is not next to your opponent's. If you cannot, you lose.",
    good_for="claiming space, and counting moves",
    picture="sequence-duel/10.13.7.16",
)


class Options(options.Options):
    """House rules of Sequence Duel."""

    size: int = Field(default=20, title="Numbers in all", ge=5, le=60, description="How many numbers stand on the line")
    ring: bool = Field(default=False, title="Ends meet", description="The two ends are next to each other")


class State(Position):
    """The line: claims in the order they were made, Player 1's first."""

    options: Options
    claims: tuple[int, ...] = ()

    @property
    def numbers(self) -> range:
        """Every number on the line."""
        return range(1, self.options.size + 1)

    def owner(self, number: int) -> Seat | None:
        """Who has claimed a number."""
        if number not in self.claims:
            return None
        return 1 if self.claims.index(number) % 2 else 0

    def claimed(self, seat: Seat) -> tuple[int, ...]:
        """What a player has claimed, in order."""
        return self.claims[seat::2]

    def neighbours(self, number: int) -> tuple[int, ...]:
        """The numbers next to this one."""
        size = self.options.size
        if self.options.ring:
            return ((number - 2) % size + 1, number % size + 1)
        return tuple(near for near in (number - 1, number + 1) if 1 <= near <= size)

    def open_to(self, seat: Seat) -> tuple[int, ...]:
        """What a player could claim if it were their turn."""
        shut = {near for number in self.claimed(other(seat)) for near in self.neighbours(number)}
        shut.update(self.claims)
        return tuple(number for number in self.numbers if number not in shut)

    def blockers(self, number: int, seat: Seat) -> tuple[int, ...]:
        """The opponent's numbers that keep a player from this one."""
        theirs = self.claimed(other(seat))
        return tuple(near for near in self.neighbours(number) if near in theirs)


View = State


class Claimed(Event):
    """A number was claimed."""

    kind: Literal["claimed"] = "claimed"
    number: int

    @property
    def sentence(self) -> str:
        """What happened, in a sentence."""
        return f"{player(self.seat)} claims {self.number}."


PRESETS = (
    game.Preset("Classic", "The numbers 1 to 20 on a line.", Options()),
    game.Preset("Long Line", "Thirty numbers: room for a plan.", Options(size=30)),
    game.Preset("Ring", "Twenty-seven numbers in a ring: no ends.", Options(size=27, ring=True)),
)


def start(options: Options) -> State:
    """An empty line."""
    return State(turn=0, options=options)


def legal_moves(view: View) -> Sequence[Move]:
    """Every number the player to move may claim, ascending."""
    return () if view.turn is None else [Move(number=number) for number in view.open_to(view.turn)]


def apply(state: State, seat: Seat, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Claim a number."""
    game.guard(state, seat)
    _check(state, seat, move.number)
    rival = other(seat)
    after = state.changed(claims=(*state.claims, move.number), turn=rival)
    if not after.open_to(rival):
        reason = f"{player(rival)} has no number left to claim."
        after = after.changed(turn=None, outcome=Outcome(winner=seat, reason=reason))
    return after, (Claimed(seat=seat, number=move.number),)


def _check(state: State, seat: Seat, number: int) -> None:
    open_numbers = state.open_to(seat)
    if number in open_numbers:
        return
    free = f" Free for you: {ranges(open_numbers)}."
    if number not in state.numbers:
        raise IllegalMove(f"There is no {number} here: the numbers are 1 to {state.options.size}.{free}")
    owner = state.owner(number)
    if owner is not None:
        whose = "you" if owner == seat else player(owner)
        raise IllegalMove(f"{number} is already claimed by {whose}.{free}", (number,))
    blockers = state.blockers(number, seat)
    names = " and ".join(map(str, blockers))
    raise IllegalMove(f"{number} is next to {player(other(seat))}'s {names}.{free}", blockers)


def parse_move(view: View, text: str) -> Move:
    """A number on the line."""
    return Move(number=number_in(text, view.numbers))


GAME = game.Game(INFO, PRESETS, (Claimed,), Options, State, View, start, legal_moves, apply, format_move, parse_move)
