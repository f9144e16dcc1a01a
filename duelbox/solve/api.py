"""The contract of a solver: the analysis it gives of a position, and the flag that stops a long search."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from threading import Event as Flag
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Any, Literal

from duelbox.core.errors import DuelboxError
from duelbox.core.model import player

if TYPE_CHECKING:
    from duelbox.core.model import Seat

Verdict = Literal["win", "draw", "loss", "chance"]
Plain = str | int | float | bool | None
"""A value that fits into a cell of a table, and into JSON."""

ONE = Fraction(1)
HALF = Fraction(1, 2)
ZERO = Fraction(0)


def json_number(share: Fraction) -> int | float:
    """A fraction as a number for JSON."""
    if share.denominator == 1:
        return int(share)
    return float(share)


class Stopped(DuelboxError):
    """A search was told to stop, or its time ran out, before it had an answer."""

    def __init__(self) -> None:
        super().__init__("The search was stopped, or its time ran out, before it had an answer.")


class Stop:
    """A stop flag with a time limit; searches call `check` every few hundred steps."""

    def __init__(
        self, seconds: float | None = None, clock: Callable[[], float] = monotonic, outer: Stop | None = None
    ) -> None:
        self._flag = Flag()
        self._clock = clock
        self._outer = outer
        self._deadline: float | None = None
        if seconds is not None:
            self._deadline = clock() + seconds
        self.memory: dict[Hashable, Any] = {}
        """Results that searches under this flag share."""

    def within(self, seconds: float | None) -> Stop:
        """A flag that goes up with this one, or after so many seconds of this thread's own time."""
        return Stop(seconds, thread_time, self)

    def hurry(self, seconds: float) -> None:
        """Bring the deadline forward to so many seconds from now."""
        soon = self._clock() + seconds
        if self._deadline is None or soon < self._deadline:
            self._deadline = soon

    def stop(self) -> None:
        """Ask the search to end; any thread may call this."""
        self._flag.set()

    @contextmanager
    def in_time(self) -> Iterator[None]:
        """Swallows `Stopped` when the time is over, but not when `stop()` was called."""
        try:
            yield
        except Stopped:
            if self.asked:
                raise

    @property
    def asked(self) -> bool:
        """`stop()` was called; a search that ended without it has given up."""
        return self._flag.is_set() or (self._outer is not None and self._outer.asked)

    @property
    def late(self) -> bool:
        """The time is over."""
        own = self._deadline is not None and self._clock() > self._deadline
        return own or (self._outer is not None and self._outer.late)

    def check(self) -> None:
        """Raise `Stopped` if `stop()` was called or the time is over."""
        if self._outer is not None:
            self._outer.check()
        if self.asked or self.late:
            raise Stopped


@dataclass(frozen=True, slots=True)
class Rated:
    """The value of a legal move to its player, with best play after it."""

    move: str
    verdict: Verdict
    plies: int | None
    win: Fraction
    draw: Fraction

    @property
    def value(self) -> Fraction:
        """The chance of a win plus half the chance of a draw."""
        return self.win + self.draw / 2

    def to_dict(self) -> dict[str, Plain]:
        """The fields and the value by name, with fractions as numbers: a row of a table."""
        return {
            "move": self.move,
            "verdict": self.verdict,
            "plies": self.plies,
            "win": json_number(self.win),
            "draw": json_number(self.draw),
            "value": json_number(self.value),
        }

    def __repr__(self) -> str:
        from duelbox.solve.sentences import worth

        return f"<{self.move}: {worth(self)}>"


Kind = Literal["region", "pairs", "mirror", "route", "border", "beats"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a reason that is drawn on the board.

    - region: two moves to compare (`moves`), of which one is better, and their numbers (`numbers`). It belongs to the
      first hint, all other kinds to the second.
    - pairs: moves and their answers (`pairs`): the opponent's moves after the best move, or in a lost position the
      moves of the player to move. Where they are partners for the rest of the game, `numbers` lists all of them.
    - mirror: pairs in which the answers mirror the moves; `numbers` is the axis, one number or two opposite ones.
    - route: the moves to the target (`moves`), and the total after each (`numbers`).
    - border: numbers that a move closes to the opponent or makes safe (`numbers`).
    - beats: an attack (`moves`), the numbers it may meet (`pairs`, the attacker first), and those it beats (`numbers`).
    """

    kind: Kind
    numbers: tuple[int, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Idea:
    """A named thought that decides positions of a game; lessons, hints, puzzles and reviews refer to it."""

    name: str
    sentence: str
    """The idea in one sentence, true wherever it is named."""
    question: str
    """The first hint: a question that gives no move away."""


@dataclass(frozen=True, slots=True)
class Instead:
    """A wrong move, an answer to it that keeps the win, and what that answer takes."""

    move: str
    reply: str
    """Empty where chance answers."""
    takes: str
    """A clause that names the opponent as Player 1 or 2: "Player 2 claims 14 and has 6 to 5"."""
    counted: bool = True
    """The clause tells what can be counted on the board."""

    @property
    def sentence(self) -> str:
        """The refutation as a sentence."""
        return f"After {self.move} {self.takes}."

    @property
    def effect(self) -> str:
        """The refutation of a move that was played."""
        return f"{self.takes[0].upper()}{self.takes[1:]}."


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a verdict, with the idea behind it.

    It calls the player to move "you" and the opponent "Player 1" or "Player 2", which gives way to the name.
    """

    sentence: str
    idea: Idea | None = None
    thought: str = ""
    """The idea in this position, without the move."""
    advised: str = ""
    """The move that the sentence recommends, if any."""
    shown: tuple[Mark, ...] = ()
    instead: Instead | None = None
    """The most tempting wrong move, if any move is wrong."""


@dataclass(frozen=True, slots=True)
class Trap:
    """A move in a lost position, with the number of answers to it and the number of those that still win."""

    move: str
    right: int
    answers: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """The exact verdict of a position for the player to move, with a reason in one or two sentences.

    `plies` counts the moves to the end with best play (this one included; a winner hurries, a loser holds out) and is
    None where it is not computed. `moves` are best first; while `complete` is False more of them are still to come.
    The other fields are empty until it is complete: `idea` is the idea behind the reason, if it has a name; `thought`
    is this idea in this position, without the move; `advised` is the move that the reason recommends, which wins as
    surely as the first one, but may take longer; `shown` is its drawing on the board; `instead` is the most tempting
    wrong move; `trap` is the best trap of a lost position, if one was looked for.
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
    instead: Instead | None = None
    trap: Trap | None = None

    def mark(self, *kinds: Kind) -> Mark | None:
        """The first mark of these kinds."""
        return next((mark for mark in self.shown if mark.kind in kinds), None)

    @property
    def value(self) -> Fraction:
        """The chance of a win plus half the chance of a draw."""
        return self.win + self.draw / 2

    @property
    def advice(self) -> str:
        """The move to play: the best move that is easiest to explain, or in a lost position the best trap."""
        if self.trap is not None:
            return self.trap.move
        return self.advised or self.moves[0].move

    def to_dict(self) -> dict[str, Plain | list[dict[str, Plain]]]:
        """The verdict, the reason and the rows of the moves, for JSON; the turn is 0 or 1, as in `turn`."""
        idea = None
        if self.idea is not None:
            idea = self.idea.name
        return {
            "turn": self.turn,
            "verdict": self.verdict,
            "plies": self.plies,
            "win": json_number(self.win),
            "draw": json_number(self.draw),
            "value": json_number(self.value),
            "complete": self.complete,
            "idea": idea,
            "reason": self.reason,
            "moves": [move.to_dict() for move in self.moves],
        }

    def __repr__(self) -> str:
        from duelbox.solve.sentences import worth

        return f"<Analysis for {player(self.turn)}: {worth(self)}, {len(self.moves)} moves rated>"

    def _repr_html_(self) -> str:
        """The verdict, the reason and a table of the moves, for a notebook."""
        from duelbox.solve.notebook import page_of

        return page_of(self)


@dataclass(frozen=True)
class Solver:
    """The solver of a game; its `solve` module offers it as `SOLVE`."""

    stream: Callable[[Any, Stop], Iterator[Analysis]]
    """Yields analyses of a view that is not over: first its verdict and reason, then again with each further move
    rated."""
    essence: Callable[[Any], Hashable] = lambda view: view.model_dump_json()
    """A key of a view that is not over; positions that differ only by symmetry, colour or history have the same key."""
    alike: Callable[[Any, str], Hashable] = lambda view, move: move
    """A key of a move in a view; moves that nobody can tell apart by their value have the same key."""
    refuted: Callable[[Any, str, Stop], Instead | None] | None = None
    """The answer to a wrong move in a view, and what it takes; in a game of chance, what the move does."""
    wide: Callable[[Any], bool] = lambda view: False
    """The position has too many moves to work out all answers to all of them at the table."""
    ideas: tuple[Idea, ...] = ()
    """The ideas of the game, in the order in which they are learnt."""
    wins: Callable[[Any, Stop], bool] | None = None
    """Tells if the player to move wins, for a game without chance and draws whose verdict is known much sooner than
    its reason."""
    partners: Callable[[Any], tuple[Mapping[str, str], bool]] = lambda view: ({}, False)
    """The partners of moves for the rest of the game, and True if answering every move with its partner is proved to
    win."""
