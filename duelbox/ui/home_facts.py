"""All that home says, as plain values that can be kept and drawn again before anything else is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbox.core.model import Seat


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game: what its row says, and what Enter starts."""

    id: str
    title: str
    good_for: str
    beaten: tuple[bool, ...]
    """For each level, the easiest first."""
    next_step: str
    record: str
    """Points won and lost; empty where nothing was played."""
    lesson: str
    """The lesson at hand; empty where the game brings none."""
    units: str = ""
    """A sign for each lesson of a course that was begun: done, or to do."""
    goal: str = ""
    about: str = ""
    """What the house rules are for, in a sentence."""
    preset: str = ""
    at: tuple[int, int] = (0, 0)
    """Which of how many presets it is; 0 for rules of one's own."""
    opponent: str = ""
    """The computer with its level, or a friend."""
    players: tuple[str, str] = ("", "")
    """The two seats, as the settings have them."""
    position: str = ""
    """The code of the position to draw."""
    first_wins: int | None = None
    """How many of a hundred deals the first player wins with best play."""
    changes: str = ""
    """How often the win changes hands in a game."""

    @property
    def course(self) -> str:
        """The lesson at hand, after the signs that count its number."""
        return f"{self.units} {self.lesson.partition(': ')[2] or self.lesson}" if self.units else self.lesson


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A match: the one to go on with, or the last one."""

    id: str
    title: str
    preset: str
    seat: Seat | None
    """Who is to move, or has won."""
    state: str
    opponent: str
    turn: str
    when: str
    over: bool = False


@dataclass(frozen=True, slots=True)
class TodayFacts:
    """The puzzles of the day, and how the days of this week went."""

    title: str
    grade: int
    """That of the hardest."""
    done: str
    """A sign for each: at once, later or with help, to do; empty while all are to do."""
    week: tuple[bool | None, ...]
    """From Monday: found at once, found with help or later, or not done."""
    weekday: int
    best: int
    """The most days in a row."""


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """All that home says."""

    day: str
    games: tuple[GameFacts, ...]
    first: bool = False
    """Nothing was played or learned here yet."""
    streak: int = 0
    match: MatchFacts | None = None
    today: TodayFacts | None = None
    due: int = 0
    """How many mistakes are to come back."""
    away: str = ""
    """What waits in a match with a friend elsewhere."""
    latest: int = 0
    """The row of the game that was played last."""

    @property
    def head(self) -> str:
        """The day, and the days in a row."""
        row = "" if not self.streak else f" · {self.streak} day{'' if self.streak == 1 else 's'} in a row"
        return f"{self.day}{row}"
