"""Number Circle Duel: pick numbers on a ring, each next to the last one; the player who cannot pick loses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, Self

from pydantic import Field, model_validator

from duelbox.core import game, options
from duelbox.core.model import Seat, Voice, in_words, listed
from duelbox.core.picking import Pick, Picked, PickingState, apply, every_pick, format_move, legal_moves, parse_move
from duelbox.core.rng import Rng

INFO = game.GameInfo(
    id="circle-duel",
    title="Number Circle Duel",
    goal="Pick a number next to the last one. If you cannot, you lose.",
    good_for="first games, and spotting pairs",
)


MOST_FREE = {1: 30, 2: 24, 3: 16}
"""By the longest step: with own trails at most this many free numbers, so that they are rated within a second."""


class Options(options.Options):
    """House rules of Number Circle Duel."""

    size: int = Field(default=10, title="Numbers in all", ge=4, le=30, description="How many numbers stand on the ring")
    reach: int = Field(
        default=1, title="Longest step", ge=1, le=3, description="How many steps away still counts as next to"
    )
    trails: Literal["shared", "own"] = Field(
        default="shared", title="Trails", description="Whether you follow the last pick, or your own last pick"
    )
    gaps: options.Gaps = Field(default=0, le=15)
    seed: options.Seed = 0
    without: options.Without = ()

    @model_validator(mode="after")
    def _fit(self) -> Self:
        half = self.size // 2
        if self.gaps > half:
            raise options.misfit(f"gaps takes at most half the ring: 0 to {half} of {self.size} numbers.", "gaps")
        free, most = self.size - max(self.gaps, len(self.without)), MOST_FREE[self.reach]
        if self.trails == "own" and free > most:
            raise options.misfit(
                f"trails=own with reach={self.reach} takes at most {most} free numbers, and {free} would be free.",
                "trails",
            )
        options.check_without(self.without, range(1, self.size + 1), half, self.gaps, self.seed)
        return self

    def phrases(self) -> tuple[str, ...]:
        """The house rules as phrases."""
        phrases = {
            f"{self.size} in the ring": self.size != 10,
            f"jumps of up to {in_words(self.reach)}": self.reach > 1,
            "a trail for each of you": self.trails == "own",
            f"{in_words(self.gaps)} gap{'s' if self.gaps > 1 else ''}": self.gaps,
        }
        return options.that_hold(phrases)

    def sentences(self) -> tuple[str, ...]:
        """The rules, a sentence each."""
        near = "next to" if self.reach == 1 else f"at most {self.reach} steps from"
        whose = "your own last one" if self.trails == "own" else "the last one, whoever picked it"
        sentences = {
            f"Pick a number {near} {whose}.": True,
            "Your first pick is free.": self.trails == "own",
            "Gaps are steps, too.": self.gaps or self.without,
            "If you cannot, you lose.": True,
        }
        return options.that_hold(sentences)


class State(PickingState):
    """The ring and its picks."""

    options: Options

    @property
    def numbers(self) -> range:
        """All places of the ring, gaps included."""
        return range(1, self.options.size + 1)

    @property
    def own(self) -> bool:
        """True if each player follows their own last pick."""
        return self.options.trails == "own"

    @property
    def last(self) -> int | None:
        """The number that the next pick must be next to; None if any free number may be picked."""
        return self.picks[-self.followed] if len(self.picks) >= self.followed else None

    @property
    def followed(self) -> int:
        """One pick on a shared trail; the last of each player on own trails."""
        return 2 if self.own else 1

    @property
    def free(self) -> tuple[int, ...]:
        """The numbers that nobody has picked, gaps left out."""
        return tuple(n for n in self.numbers if n not in self.gaps and n not in self.picks)

    def neighbours(self, number: int) -> tuple[int, ...]:
        """The places next to a number, ascending, free or not."""
        return _neighbours(number, self.options.size, self.options.reach)

    @property
    def choices(self) -> tuple[int, ...]:
        """The numbers that may be picked next."""
        if self.last is None:
            return self.free
        return tuple(n for n in self.neighbours(self.last) if n not in self.gaps and n not in self.picks)

    def why_not(self, number: int) -> tuple[str, tuple[int, ...]]:
        """The sentence that refuses a number that nobody has picked, and the numbers in the way."""
        if number in self.gaps:
            return f"{number} is a gap: it was removed before the first turn.", (number,)
        assert self.last is not None
        whose, near = "your" if self.own else "the", listed(self.neighbours(self.last))
        return f"{number} is not next to {whose} last number, {self.last}: only {near} are.", (self.last,)

    def stuck(self, loser: Seat, voice: Voice) -> str:
        """The reason why a player has lost."""
        if self.options.reach > 1:
            near = f"no number within {self.options.reach} steps of {self.last} is left"
        else:
            near = f"nothing next to {self.last} is left"
        return f"{voice.whom(loser)} cannot move: {near}"


@cache
def _neighbours(number: int, size: int, reach: int) -> tuple[int, ...]:
    near = {(number - 1 + step) % size + 1 for step in range(-reach, reach + 1)}
    return tuple(sorted(near - {number}))


View = State
PRESETS = (
    game.Preset(
        "Classic",
        "The numbers 1 to 10 in a ring.",
        Options(),
        "to know",
        "the second player always wins",
        seat=2,
        picture="circle-duel/4.5.6",
    ),
    game.Preset(
        "Two Trails",
        "Sixteen places, one a gap: one board, turned by the draw. Jumps of up to two, a trail for each of you.",
        Options(size=16, reach=2, trails="own", gaps=1),
        first=True,
        then=("two gaps", Options(size=16, reach=2, trails="own", gaps=2)),
        picture="circle-duel:size=16,reach=2,trails=own,gaps=1,seed=12/5.12.6.11",
    ),
    game.Preset(
        "Long Trails",
        "21 places, two gaps; jumps of up to two, each on your own trail.",
        Options(size=21, reach=2, trails="own", gaps=2),
        seat=2,
        picture="circle-duel:size=21,reach=2,trails=own,gaps=2,seed=14/2.9.1.10",
    ),
    game.Preset(
        "Leap",
        "17 places, two gaps; jumps of up to three, each on your own trail.",
        Options(size=17, reach=3, trails="own", gaps=2),
        picture="circle-duel:size=17,reach=3,trails=own,gaps=2,seed=8/9.17.7.15",
    ),
    game.Preset(
        "Pairs",
        "16 places, four gaps; jumps of up to two, on one trail for both.",
        Options(size=16, reach=2, gaps=4),
        "to learn",
        "partners",
        seat=2,
        picture="circle-duel:size=16,reach=2,gaps=4,seed=9/6.5.3.1",
    ),
)


def start(options: Options) -> State:
    """The ring with its gaps, drawn or named."""
    numbers = range(1, options.size + 1)
    gaps = tuple(sorted(options.without)) or Rng(options.seed).sample(numbers, options.gaps)
    return State(turn=0, options=options, gaps=gaps)


def goal(view: View) -> str:
    """The aim, with the length of a step and the trail to follow."""
    if not view.own and view.options.reach == 1:
        return INFO.goal
    near = f"at most {view.options.reach} steps from" if view.options.reach > 1 else "next to"
    return f"Pick a number {near} {'your own last one' if view.own else 'the last one'}. If you cannot, you lose."


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
