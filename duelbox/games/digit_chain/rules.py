"""Digit Chain Duel: each number begins with the last digit of the one before; the player who cannot pick loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from duelbox.core import game, options
from duelbox.core.model import Seat, Voice, in_words
from duelbox.core.picking import Pick, Picked, PickingState, apply, every_pick, format_move, legal_moves, parse_move
from duelbox.core.rng import Rng

INFO = game.GameInfo(
    id="digit-chain",
    title="Digit Chain Duel",
    goal="Begin your number with the last digit of the last one. If you cannot, you lose.",
    good_for="quick eyes, and spotting pairs",
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
    gaps: options.Gaps = Field(default=0, le=60)
    seed: options.Seed = 0
    without: options.Without = ()

    @model_validator(mode="after")
    def _fit(self) -> Self:
        options.check_without(self.without, self.full_pool, 60, self.gaps, self.seed)
        return self

    @property
    def full_pool(self) -> tuple[int, ...]:
        """The numbers of the game before gaps are taken out."""
        return _NO_TENS if self.zero == "no-tens" else _ALL

    def phrases(self) -> tuple[str, ...]:
        """The house rules as phrases."""
        zero = {"dead-end": "", "no-tens": "no tens", "wild": "any number after a 0"}[self.zero]
        gaps = f"{in_words(self.gaps)} gap{'s' if self.gaps > 1 else ''}" if self.gaps else ""
        return tuple(filter(None, (zero, gaps)))

    def sentences(self) -> tuple[str, ...]:
        """The rules, a sentence each."""
        zero = {
            "dead-end": "No number begins with 0. A number that ends in 0 wins at once.",
            "no-tens": "The tens, 10 to 90, are not in the pool.",
            "wild": "After a number that ends in 0, any number may follow.",
        }
        gone = ("Nobody can pick a gap.",) if self.gaps or self.without else ()
        first = "Begin your number with the last digit of the last one, whoever picked it."
        return (first, zero[self.zero], *gone, "If you cannot, you lose.")


def first_digit(number: int) -> int:
    """The first digit of a number."""
    return number // 10 or number


class State(PickingState):
    """The pool and its picks."""

    options: Options

    @property
    def numbers(self) -> range:
        """Every number from 1 to 99."""
        return NUMBERS

    @property
    def pool(self) -> tuple[int, ...]:
        """The numbers that can still be picked, ascending."""
        gone = {*self.gaps, *self.picks}
        return tuple(n for n in self.options.full_pool if n not in gone)

    @property
    def current(self) -> int | None:
        """The last pick, if any."""
        return self.picks[-1] if self.picks else None

    @property
    def digit(self) -> int | None:
        """The digit that the next number must begin with; None if any number may be picked."""
        current = self.current
        if current is None or (current % 10 == 0 and self.options.zero == "wild"):
            return None
        return current % 10

    @property
    def choices(self) -> tuple[int, ...]:
        """The numbers that may be picked next."""
        digit = self.digit
        return tuple(n for n in self.pool if digit is None or first_digit(n) == digit)

    def why_not(self, number: int) -> tuple[str, tuple[int, ...]]:
        """The sentence that refuses a number that nobody has picked, and the numbers in the way."""
        if number not in self.pool:
            return f"{number} is not in the pool of this game.", (number,)
        last = self.picks[-1]
        return f"{number} begins with {first_digit(number)}, but {last} ends in {last % 10}.", (last,)

    def stuck(self, loser: Seat, voice: Voice) -> str:
        """The reason why a player has lost."""
        beginning = "begins with 0" if self.digit == 0 else f"beginning with {self.digit} is left"
        why = "the pool is empty" if self.digit is None else f"no number {beginning}"
        return f"{voice.whom(loser)} cannot move: {why}"


View = State
PRESETS = (
    game.Preset(
        "Classic",
        "The numbers 1 to 99; nothing begins with 0.",
        Options(),
        "to know",
        "the first player wins at once with a 0",
        picture="digit-chain/26.61.19.94.42",
    ),
    game.Preset(
        "Long Chain",
        "No tens, and twenty gaps.",
        Options(zero="no-tens", gaps=20),
        "to learn",
        "reverse",
        picture="digit-chain:zero=no-tens,gaps=20,seed=8/43.32.22.24",
    ),
    game.Preset(
        "Wild Zero",
        "After a 0, any number goes; forty-six gaps.",
        Options(zero="wild", gaps=46),
        first=True,
        picture="digit-chain:zero=wild,gaps=46,seed=8/82.29.97.75",
    ),
    game.Preset(
        "Full Pool",
        "After a 0, any number goes; five gaps.",
        Options(zero="wild", gaps=5),
        picture="digit-chain:zero=wild,gaps=5,seed=8/77.76.60.3",
    ),
)


def start(options: Options) -> State:
    """The pool with its gaps, drawn or named."""
    gaps = tuple(sorted(options.without)) or Rng(options.seed).sample(options.full_pool, options.gaps)
    return State(turn=0, options=options, gaps=gaps)


def goal(view: View) -> str:
    """The aim; with a wild 0, it says what follows a 0."""
    if view.options.zero != "wild":
        return INFO.goal
    begin = "Begin your number with the last digit of the last one."
    return f"{begin} After a 0, any number may follow. If you cannot, you lose."


def every_move(options: Options) -> Sequence[Pick]:
    """Every number, gaps included."""
    return every_pick(start(options))


GAME = game.Game(
    INFO,
    PRESETS,
    (Picked,),
    Options,
    State,
    View,
    start,
    legal_moves,
    apply,
    format_move,
    parse_move,
    goal=goal,
    every_move=every_move,
)
