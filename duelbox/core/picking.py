"""Rules of the games in which players pick numbers in turn, and who cannot pick loses."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import ClassVar, Literal, TypeVar

from duelbox.core import game
from duelbox.core.errors import BadNotation, IllegalMove
from duelbox.core.model import MOST_NAMED, SEATS, Event, Outcome, Position, Seat, Voice, other, player, ranges
from duelbox.core.names import quoted
from duelbox.core.options import Options

# Not \d and int(): those accept Arabic digits and numbers of 5,000 digits.
_NUMBER = re.compile(r"\s*0{0,8}([1-9][0-9]{0,2})\s*")


def number_in(text: str, numbers: range) -> int:
    """Parse a typed number; raises BadNotation if it is no number or not one of these."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise BadNotation(f"{quoted(text)} is not a move. Type one number from {numbers[0]} to {numbers[-1]}.")
    number = int(match[1])
    if number not in numbers:
        raise BadNotation(f"There is no {number} here: the numbers are {numbers[0]} to {numbers[-1]}.")
    return number


class Pick(game.Move):
    """Pick a number."""

    number: int


class Picked(Event):
    """A number was picked."""

    kind: Literal["picked"] = "picked"
    number: int

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        return f"{player(self.seat)} picks {self.number}."


class PickingState(Position):
    """The base of views and states: the gaps, and the picks in order, Player 1's first."""

    event: ClassVar[type[Picked]] = Picked
    """The type of event that a pick makes."""

    options: Options
    gaps: tuple[int, ...] = ()
    picks: tuple[int, ...] = ()

    @property
    def numbers(self) -> range:
        """All numbers of the game, gaps included."""
        raise NotImplementedError

    @property
    def choices(self) -> tuple[int, ...]:
        """The numbers that may be picked next, ascending."""
        raise NotImplementedError

    @property
    def position_key(self) -> Hashable:
        """The numbers of each player in any order, and the last picks as far as later ones depend on them."""
        first = len(self.picks) - self.followed
        return self.turn, self.outcome, self.gaps, *map(frozenset, map(self.picked, SEATS)), self.picks[max(0, first) :]

    @property
    def followed(self) -> int:
        """The number of last picks that later ones depend on."""
        return 1

    def taken(self, number: int) -> str:
        """The sentence that refuses a number that has been picked."""
        return f"{number} is already picked."

    def why_not(self, number: int) -> tuple[str, tuple[int, ...]]:
        """The sentence that refuses a number that nobody has picked, and the numbers in the way."""
        raise NotImplementedError

    def stuck(self, loser: Seat, voice: Voice) -> str:
        """The reason why a player without a legal pick has lost."""
        raise NotImplementedError

    def picked(self, seat: Seat) -> tuple[int, ...]:
        """The numbers a player has picked, in order."""
        return self.picks[seat::2]

    def owner(self, number: int) -> Seat | None:
        """The player who has picked a number, if any."""
        if number not in self.picks:
            return None
        return 1 if self.picks.index(number) % 2 else 0


P = TypeVar("P", bound=PickingState)


def legal_moves(view: PickingState) -> Sequence[Pick]:
    """All legal picks, ascending."""
    return () if view.turn is None else [Pick(number=number) for number in view.choices]


def every_pick(state: PickingState) -> Sequence[Pick]:
    """All picks that can come up, ascending."""
    return [Pick(number=number) for number in state.numbers]


def apply(state: P, seat: Seat, move: Pick) -> tuple[P, tuple[Event, ...]]:
    """Pick a number; the game is over if the other player then cannot pick."""
    game.guard(state, seat)
    if move.number not in state.choices:
        raise _refusal(state, move.number)
    rival = other(seat)
    after = state.changed(picks=(*state.picks, move.number), turn=rival)
    if not after.choices:
        after = after.changed(turn=None, outcome=Outcome(winner=seat, reason=f"{after.stuck(rival, Voice())}."))
    return after, (state.event(seat=seat, number=move.number),)


def loss_reason(view: PickingState, voice: Voice) -> str:
    """The reason why the game is over; empty while it is not."""
    return view.stuck(1 if len(view.picks) % 2 else 0, voice) if view.outcome else ""


def _refusal(state: PickingState, number: int) -> IllegalMove:
    free, shown = f"Free for you: {ranges(state.choices)}.", "The bright ones are free."
    if len(state.choices) <= MOST_NAMED:
        shown = f"Free for you: {', '.join(map(str, state.choices))}."
    if number in state.numbers:
        why, blockers = (state.taken(number), (number,)) if number in state.picks else state.why_not(number)
    else:
        why, blockers = f"There is no {number} here: the numbers are 1 to {state.numbers[-1]}.", ()
    return IllegalMove(f"{why} {free}", blockers, f"{why} {shown}")


def format_move(move: Pick) -> str:
    """Write the number."""
    return str(move.number)


def parse_move(view: PickingState, text: str) -> Pick:
    """Parse one of the numbers."""
    return Pick(number=number_in(text, view.numbers))
