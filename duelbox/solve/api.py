"""What a solver says of a position, and how a long search is stopped: no game and no Textual in here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from threading import Event as Flag
from time import monotonic, thread_time
from typing import Any, Literal

Verdict = Literal["win", "draw", "loss", "chance"]

ONE = Fraction(1)
HALF = Fraction(1, 2)
NONE = Fraction(0)


class Stopped(Exception):
    """A search was told to stop, or its time ran out, before it had an answer."""


class Stop:
    """A stop flag and a time budget in one; searches call `check` every few hundred steps."""

    def __init__(
        self, seconds: float | None = None, clock: Callable[[], float] = monotonic, outer: Stop | None = None
    ) -> None:
        self._flag, self._clock, self._outer = Flag(), clock, outer
        self._deadline = None if seconds is None else clock() + seconds

    def within(self, seconds: float) -> Stop:
        """This one, with so much of this thread's own time, whatever else the machine is busy with."""
        return Stop(seconds, thread_time, self)

    def stop(self) -> None:
        """Ask the search to end; safe from any thread."""
        self._flag.set()

    @contextmanager
    def in_time(self) -> Iterator[None]:
        """Leaves undone what there is no time for; who asked it to end is still heard."""
        try:
            yield
        except Stopped:
            if self.asked:
                raise

    @property
    def asked(self) -> bool:
        """Whether the search was asked to end; if it ended before that, it gave up."""
        return self._flag.is_set() or (self._outer is not None and self._outer.asked)

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return self._deadline is not None and self._clock() > self._deadline

    def check(self) -> None:
        """Raise `Stopped` when the flag is up or the time is over."""
        if self._outer is not None:
            self._outer.check()
        if self._flag.is_set() or self.late:
            raise Stopped


@dataclass(frozen=True, slots=True)
class Rated:
    """One legal move, and what it is worth to the player who makes it, with best play after it."""

    move: str
    verdict: Verdict
    plies: int | None
    win: Fraction
    draw: Fraction

    @property
    def value(self) -> Fraction:
        """Chance of a win plus half the chance of a draw."""
        return self.win + self.draw / 2


@dataclass(frozen=True, slots=True)
class Analysis:
    """The exact verdict of a position for the player to move, with a reason in one sentence.

    `plies` counts the moves to the end with best play (this one included; a winner hurries, a loser holds out) and is
    None where it is not computed. `moves` are best first, and among equals the one that the reason recommends; while
    `complete` is False more of them are still to come. The `idea` is what the reason builds on, without the move; it is
    empty where the reason recommends none, or is not complete yet.
    """

    turn: int
    verdict: Verdict
    plies: int | None
    win: Fraction
    draw: Fraction
    moves: tuple[Rated, ...]
    reason: str
    complete: bool = True
    idea: str = ""

    @property
    def value(self) -> Fraction:
        """Chance of a win plus half the chance of a draw."""
        return self.win + self.draw / 2


@dataclass(frozen=True)
class Solver:
    """What a game's `solve` module offers as `SOLVE`."""

    stream: Callable[[Any, Stop], Iterator[Analysis]]
    """For a view that is not over: its verdict and reason as soon as they are known, then again with each further move
    rated."""
