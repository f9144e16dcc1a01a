"""What a solver says of a position, and how a long search is stopped: no game and no Textual in here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from threading import Event as Flag
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Any, Literal

from duelbox.core.errors import DuelboxError

if TYPE_CHECKING:
    from duelbox.core.model import Seat

Verdict = Literal["win", "draw", "loss", "chance"]

ONE = Fraction(1)
HALF = Fraction(1, 2)
ZERO = Fraction(0)


class Stopped(DuelboxError):
    """A search was told to stop, or its time ran out, before it had an answer."""

    def __init__(self) -> None:
        super().__init__("The search was told to stop, or its time ran out, before it had an answer.")


class Stop:
    """A stop flag and a time budget in one; searches call `check` every few hundred steps."""

    def __init__(
        self, seconds: float | None = None, clock: Callable[[], float] = monotonic, outer: Stop | None = None
    ) -> None:
        self._flag, self._clock, self._outer = Flag(), clock, outer
        self._deadline = None if seconds is None else clock() + seconds
        self.kept: dict[Hashable, Any] = {}
        """What searches under this very flag keep for each other."""

    def within(self, seconds: float) -> Stop:
        """This one, with so much of this thread's own time, whatever else the machine is busy with."""
        return Stop(seconds, thread_time, self)

    def hurry(self, seconds: float) -> None:
        """Leave no more time than this from now on."""
        soon = self._clock() + seconds
        self._deadline = soon if self._deadline is None else min(self._deadline, soon)

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


Kind = Literal["region", "pairs", "mirror", "route", "border", "beats"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to draw on the board of what a reason says.

    - region: the moves to compare (`moves`), and the player's numbers in them (`numbers`): one move is best, no two are
      worth the same as it. For the first hint; all others are for the second.
    - pairs: what may be played, each with what answers it (`pairs`, both as moves): by the opponent after the best
      move, or in a lost position by the player to move. Where they are partners for the rest of the game, `numbers` are
      all of them.
    - mirror: the same where the answers mirror the claims; `numbers` is the axis, one number or two opposite ones.
    - route: the moves to the target (`moves`), and the total after each (`numbers`).
    - border: numbers that a move closes to the opponent or makes safe (`numbers`).
    - beats: an attack (`moves`), what it may meet (`pairs`, the attacker first), and what it beats of that (`numbers`).
    """

    kind: Kind
    numbers: tuple[int, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Idea:
    """A thought with a name that decides positions of a game; lessons, hints, puzzles and reviews share it."""

    name: str
    sentence: str
    """The idea in one sentence, true wherever it is named."""
    question: str
    """The first hint: it sends the player to look, and gives no move away."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The words for a verdict, with the idea behind them."""

    sentence: str
    idea: Idea | None = None
    thought: str = ""
    """The idea in this position, without the move."""
    advised: str = ""
    """The move that the sentence recommends, if any."""
    shown: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Trap:
    """A try in a lost position: of the answers to this move, so many still win."""

    move: str
    right: int
    answers: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """The exact verdict of a position for the player to move, with a reason in one or two sentences.

    `plies` counts the moves to the end with best play (this one included; a winner hurries, a loser holds out) and is
    None where it is not computed. `moves` are best first; while `complete` is False more of them are still to come.
    What follows is empty until it is complete: `idea`, the idea behind the reason, if it has a name; `thought`, the
    same idea in this position, without the move; `advised`, the move the reason recommends, which wins as surely as
    the first one, but may take longer; `shown`, the drawing of it on the board, see `Mark`; and of a lost position
    the best `trap`, if one was looked for.
    """

    turn: Seat
    verdict: Verdict
    plies: int | None
    win: Fraction
    draw: Fraction
    moves: tuple[Rated, ...]
    reason: str
    complete: bool = True
    idea: Idea | None = None
    thought: str = ""
    advised: str = ""
    shown: tuple[Mark, ...] = ()
    trap: Trap | None = None

    def mark(self, *kinds: Kind) -> Mark | None:
        """The first thing of these kinds to draw."""
        return next((mark for mark in self.shown if mark.kind in kinds), None)

    @property
    def value(self) -> Fraction:
        """Chance of a win plus half the chance of a draw."""
        return self.win + self.draw / 2

    @property
    def advice(self) -> str:
        """The move to play: of the best ones the easiest to explain, or in a lost position the best trap."""
        return self.trap.move if self.trap else self.advised or self.moves[0].move


@dataclass(frozen=True)
class Solver:
    """What a game's `solve` module offers as `SOLVE`."""

    stream: Callable[[Any, Stop], Iterator[Analysis]]
    """For a view that is not over: its verdict and reason as soon as they are known, then again with each further move
    rated."""
    essence: Callable[[Any], Hashable] = lambda view: view.model_dump_json()
    """What a view that is not over comes to: equal for positions that differ in symmetry, colour or history alone."""
    alike: Callable[[Any, str], Hashable] = lambda view, move: move
    """What tells a move in a view from others: equal for moves of which nobody can know which is better."""
    deed: Callable[[Any, str], str] = lambda view, move: ""
    """What a move in a view does, as a clause, where chance decides."""
    wide: Callable[[Any], bool] = lambda view: False
    """The position is too wide for all answers to all moves to be worked out at the table."""
    ideas: tuple[Idea, ...] = ()
    """The ideas of the game, in the order in which they are learnt."""
    wins: Callable[[Any, Stop], bool] | None = None
    """The player to move wins: the verdict without a reason, for a game without chance and draws, where that is much
    sooner known."""
    partners: Callable[[Any], tuple[Mapping[str, str], bool]] = lambda view: ({}, False)
    """The partners of moves for the rest of the game, as far as a view has any; and True where answering every move
    with its partner is proved to win."""
