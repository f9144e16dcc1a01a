"""The facts that home shows, as plain values: home is drawn from them before models and games are loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbox.core.model import Seat
    from duelbox.store.settings import First


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The row of a game, and the game that Enter starts."""

    id: str
    title: str
    good_for: str
    beaten: tuple[bool, ...]
    """Levels of the computer that were beaten, the easiest first."""
    next_step: str
    record: str
    """Points won and lost; empty before the first game."""
    lesson: str
    """The next lesson; empty if the game has none."""
    units: str = ""
    """A sign for each lesson of a course that was begun: done or not."""
    goal: str = ""
    about: str = ""
    """The purpose of the preset in a sentence, or, after losses, a rule to remember."""
    preset: str = ""
    at: tuple[int, int] = (0, 0)
    """The number of the preset, from 1, and the count of presets; 0 for the player's own rules."""
    opponent: str = ""
    """The computer and its level, or a friend."""
    players: tuple[str, str] = ("", "")
    """The two players, as in the settings."""
    first: First = "player-1"
    """The player who begins."""
    starts: str = ""
    """A sentence with what Enter starts: the opponent, and who goes first."""
    level: int = 0
    """The number of the computer's level, from 1; 0 if no one computer plays a person."""
    lately: str = ""
    """Sentences on the games lost lately; empty unless two in a row were lost."""
    warned: bool = False
    """The game that Enter starts asks before a move gives it away."""
    raised: str = ""
    """The lesson that is offered before the next game, after losses; empty without one."""
    prove: str = ""
    """The deal that is offered to be proved, after wins; empty without one."""
    provable: bool = False
    """The game has proofs."""
    source: str = ""
    """The game of the player that the drawn position is from; empty for a sample."""
    offer: tuple[str, str, First] | tuple[()] = ()
    """The players and the beginner of the game that is offered after losses or wins; empty without one."""
    offer_rules: str = ""
    """The code of the house rules of that game; empty for those of the row."""
    position: str = ""
    """The code of the position that is drawn."""
    first_wins: int | None = None
    """Deals in a hundred that the first player wins with best play."""
    changes: str = ""
    """The times that the win changes hands in a game."""

    @property
    def course(self) -> str:
        """The signs of the course, then the name of the next lesson."""
        if not self.units:
            return self.lesson.removeprefix("take the ")
        return f"{self.units} {self.lesson.partition(': ')[2] or self.lesson}"


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """The unfinished match, or the last one that was played."""

    id: str
    title: str
    preset: str
    seat: Seat | None
    """The seat to move, or the winner's."""
    state: str
    opponent: str
    turn: str
    when: str
    over: bool = False
    turned: int = 0
    """The turn of the mistake that the last game turned on; 0 if it is not known."""


@dataclass(frozen=True, slots=True)
class TodayFacts:
    """The puzzles of the day, and the results of this week."""

    title: str
    grade: int
    """The grade of the hardest puzzle."""
    done: str
    """A sign for each puzzle: solved at once, solved later or with help, to do; empty before the first is solved."""
    week: tuple[bool | None, ...]
    """For each day from Monday: solved at once, solved later or with help, not done."""
    weekday: int
    best: int
    """The longest run of days."""
    ideas: tuple[str, ...] = ()
    """The ideas of the puzzles; told when all are done."""
    moves: int = 1
    """The number of moves to find in the first puzzle."""

    @property
    def over(self) -> bool:
        """All positions of the day were done."""
        return bool(self.done) and "·" not in self.done


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """All facts of home."""

    day: str
    games: tuple[GameFacts, ...]
    first: bool = False
    """True before anything was played or learned here."""
    streak: int = 0
    match: MatchFacts | None = None
    today: TodayFacts | None = None
    due: int = 0
    """The number of mistakes to practise today."""
    rest: str = ""
    """A sentence on mistakes that rest; empty until the day is done, and while others are due."""
    coming: str = ""
    """The next idea that comes back after today, and its day."""
    away: str = ""
    """A sentence about a match with a friend elsewhere."""
    latest: int = 0
    """The row of the game played last."""

    @property
    def head(self) -> str:
        """The date, and the current run of days."""
        row = "" if not self.streak else f" · {self.streak} day{'' if self.streak == 1 else 's'} in a row"
        return f"{self.day}{row}"
