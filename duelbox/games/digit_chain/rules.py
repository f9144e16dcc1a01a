"""Digit Chain Duel: each number begins with the last digit of the one before; who cannot move loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from duelbox.core import game, options
from duelbox.core.errors import IllegalMove
from duelbox.core.model import Event, Outcome, Position, Seat, other, player, ranges
from duelbox.core.notation import number_in
from duelbox.core.numbers import Move, Picked, format_move
from duelbox.core.rng import Rng

INFO = game.GameInfo(
    id="digit-chain",
    title="Digit Chain Duel",
    goal="Begin your number with the last digit of the last one. If you cannot, you lose.",
    good_for="quick eyes, and spotting pairs",
    picture="digit-chain/26.61.19.94.42",
)
NUMBERS = range(1, 100)
_ALL = tuple(NUMBERS)
_NO_TENS = tuple(number for number in NUMBERS if number % 10)


class Options(options.Options):
    """House rules of Digit Chain Duel."""

    zero: Literal["dead-end", "no-tens", "wild"] = Field(
        default="dead-end",
        title="After a 0",
        description="After a number ending in 0: nothing follows, there are none, or anything follows",
    )
    gaps: int = Field(
        default=0,
        title="Number of gaps",
        ge=0,
        le=60,
        description="How many numbers are removed before the first turn",
    )
    seed: int = Field(default=0, ge=0, le=options.MAX_SEED, description="The number that decides every random draw")
    without: options.Numbers = Field(
        default=(),
        description="Which numbers are removed",
        examples=["numbers joined by -, such as 3-7-9"],
    )

    @model_validator(mode="after")
    def _fit(self) -> Self:
        options.check_without(self.without, self.full_pool, 60, self.gaps, self.seed)
        return self

    @property
    def full_pool(self) -> tuple[int, ...]:
        """The numbers there are before any are removed."""
        return _NO_TENS if self.zero == "no-tens" else _ALL

    @property
    def draws(self) -> bool:
        """Gaps are drawn."""
        return self.gaps > 0


def first_digit(number: int) -> int:
    """The digit a number begins with."""
    return number // 10 or number


class State(Position):
    """The pool: the gaps, and the picks in order, Player 1's first."""

    options: Options
    gaps: tuple[int, ...] = ()
    picks: tuple[int, ...] = ()

    @property
    def pool(self) -> tuple[int, ...]:
        """The numbers still to be had, ascending."""
        gone = {*self.gaps, *self.picks}
        return tuple(n for n in self.options.full_pool if n not in gone)

    @property
    def current(self) -> int | None:
        """The last number picked."""
        return self.picks[-1] if self.picks else None

    @property
    def digit(self) -> int | None:
        """The digit the next number must begin with; None where any number will do."""
        current = self.current
        if current is None or (current % 10 == 0 and self.options.zero == "wild"):
            return None
        return current % 10

    def picked(self, seat: Seat) -> tuple[int, ...]:
        """What a player has picked, in order."""
        return self.picks[seat::2]

    @property
    def choices(self) -> tuple[int, ...]:
        """What may be picked next."""
        digit = self.digit
        return tuple(n for n in self.pool if digit is None or first_digit(n) == digit)


View = State


EVENTS = (Picked,)
PRESETS = (
    game.Preset("Classic", "The numbers 1 to 99; nothing begins with 0.", Options()),
    game.Preset("Long Chain", "No tens, and twenty gaps.", Options(zero="no-tens", gaps=20)),
    game.Preset("Wild Zero", "After a 0, any number goes; fifty gaps.", Options(zero="wild", gaps=50)),
)


def start(options: Options) -> State:
    """The pool, with its gaps drawn or named."""
    gaps = tuple(sorted(options.without)) or Rng(options.seed).sample(options.full_pool, options.gaps)
    return State(turn=0, options=options, gaps=gaps)


def legal_moves(view: View) -> Sequence[Move]:
    """Every number that may be picked, ascending."""
    if view.turn is None:
        return ()
    return [Move(number=number) for number in view.choices]


def apply(state: State, seat: Seat, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Pick a number."""
    game.guard(state, seat)
    _check(state, move.number)
    rival = other(seat)
    after = state.changed(picks=(*state.picks, move.number), turn=rival)
    if not after.choices:
        after = after.changed(turn=None, outcome=Outcome(winner=seat, reason=_dead_end(after, rival)))
    return after, (Picked(seat=seat, number=move.number),)


def _dead_end(state: State, loser: Seat) -> str:
    if state.digit is None:
        return f"{player(loser)} cannot move: the pool is empty."
    left = "no number begins with 0" if state.digit == 0 else f"no number beginning with {state.digit} is left"
    return f"{player(loser)} cannot move: {left}."


def _check(state: State, number: int) -> None:
    choices = state.choices
    if number in choices:
        return
    free = f" Free for you: {ranges(choices)}."
    if number not in NUMBERS:
        raise IllegalMove(f"There is no {number} here: the numbers are 1 to 99.{free}")
    if number in state.picks:
        raise IllegalMove(f"{number} is already picked.{free}", (number,))
    if number not in state.pool:
        raise IllegalMove(f"{number} is not in the pool of this game.{free}", (number,))
    current = state.picks[-1]
    raise IllegalMove(
        f"{number} begins with {first_digit(number)}, but {current} ends in {current % 10}.{free}", (current,)
    )


def parse_move(view: View, text: str) -> Move:
    """A number from 1 to 99."""
    return Move(number=number_in(text, NUMBERS))


def goal(view: View) -> str:
    """What a 0 means, where it is not the end."""
    wild = view.options.zero == "wild"
    return (
        "Begin your number with the last digit of the last one; after a 0, with any. If you cannot, you lose."
        if wild
        else INFO.goal
    )


GAME = game.Game(
    INFO, PRESETS, EVENTS, Options, State, View, start, legal_moves, apply, format_move, parse_move, goal=goal
)
