"""A player's ideas: which were missed in games, when each comes back, and how far all of them are known.

A mistake is kept under the code of its position. Its idea comes back with another position, and what became of that is
kept under the game and the idea; a mistake without an idea comes back itself.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from pydantic import TypeAdapter, ValidationError

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.core.record import Name
from duelbox.core.rng import Rng
from duelbox.learn import lessons as courses
from duelbox.learn.lessons import LESSONS, key_of
from duelbox.learn.mistakes import Mistake
from duelbox.learn.practice import practice
from duelbox.learn.puzzle_results import PUZZLES, first_results, results_of
from duelbox.learn.puzzles import DAILY, EXERCISES, PRACTICE, game_of, puzzles_in
from duelbox.registry import find_game, game_ids
from duelbox.solve import analyse, can_solve, solver_of

MISTAKES = "mistake"
"""The kind of progress that missed ideas and returns are stored as."""
DAYS = (1, 3, 7, 21)  # an idea comes back after so many days, each time later
IN_A_ROW = 2  # found so often in a row, it comes back no more
DAY = timedelta(days=1)


class Missed(Model):
    """A mistake of a game, kept under the code of its position."""

    played: str
    names: tuple[Name, Name]
    idea: str = ""
    day: date


class Returned(Model):
    """A position that came back."""

    code: str
    found: bool
    day: date


_KEPT = TypeAdapter[Missed | Returned](Missed | Returned)


@dataclass
class Again:
    """An idea that was missed, or a mistake without one, and how it went since."""

    key: str
    code: str
    """The position of the last mistake."""
    last: Missed
    due: date | None = None
    """The day from which it is to come back; None once it was found twice in a row."""
    missed: int = 0
    found: list[bool] = field(default_factory=list)
    """For each position that came back whether it was found at once."""
    since: int = 0
    """The number of returns since the last mistake."""
    seen: set[str] = field(default_factory=set)
    """The positions that came back."""

    @property
    def game_id(self) -> str:
        """The game of the mistakes."""
        return game_of(self.code)

    def miss(self, code: str, missed: Missed) -> None:
        """Another mistake: it comes back from the beginning."""
        self.code, self.last, self.since, self.due = code, missed, 0, missed.day + DAYS[0] * DAY
        self.missed += 1

    def come_back(self, one: Returned) -> None:
        """A position came back: the next comes later, or none if it was found again."""
        self.found.append(one.found)
        self.seen.add(one.code)
        self.since += 1
        done = self.since >= IN_A_ROW and all(self.found[-IN_A_ROW:])
        self.due = None if done else one.day + DAYS[min(self.since, len(DAYS) - 1)] * DAY

    def position(self) -> Mistake | None:
        """A position of the idea that did not come back yet; the mistake itself where there is none, if it is one."""
        found = [one.code for one in practice(self.game_id, idea=self.last.idea)] if self.last.idea else []
        fresh = [code for code in found if code not in self.seen]
        code = Rng(len(self.seen)).choice(fresh) if fresh else self.code
        try:
            session = parse_code(code, find_game)
        except DuelboxError:
            return None
        if session.turn is None:
            return None
        session.names = self.last.names
        analysis = analyse(session.game, session.view(session.turn))
        if fresh:
            return Mistake(session, analysis, "")
        mistake = Mistake(session, analysis, self.last.played)
        known = any(one.move == mistake.played for one in analysis.moves)
        return mistake if known and mistake.lost else None


def missed_ideas(marks: Iterable[tuple[str, Any]]) -> dict[str, Again]:
    """The ideas that were missed, from all marks of the kind in their order; what cannot be read is left out."""
    known: list[tuple[str, Missed | Returned]] = []
    for key, value in marks:
        with suppress(ValidationError, OverflowError, ValueError, KeyError, TypeError):
            known.append((key, _KEPT.validate_json(json.dumps(_current(value)))))
    found: dict[str, Again] = {}
    counted = set[tuple[str, date]]()
    for key, one in sorted(known, key=lambda item: item[1].day):  # those of another machine may have come in later
        if isinstance(one, Returned):
            if key in found:
                found[key].come_back(one)
        elif (key, one.day) not in counted:  # a game that was undone and played again may end a second time
            counted.add((key, one.day))
            home = f"{game_of(key)}/{one.idea}" if one.idea else key
            found.setdefault(home, Again(home, key, one)).miss(key, one)
    return found


def _current(value: Any) -> Any:
    """A mark as it is written now; mistakes were kept by hand once, each with the day it was due."""
    if "due" not in value:
        return value
    before = date.fromisoformat(value["due"]) - DAYS[0] * DAY
    return {"played": value["played"], "names": value["names"], "day": before.isoformat()}


# -- how far each is known


@dataclass(frozen=True, slots=True)
class Known:
    """A measure of how well an idea of a game is known: its unit, its puzzles, and the mistakes it was behind."""

    game: str
    idea: str
    unit: int | None
    """The number of its lesson, if there is one."""
    steps: int
    """The steps of the lesson that are done."""
    of_steps: int
    solved: int
    tried: int
    """Positions of it: puzzles, and what came back."""
    missed: int
    due: date | None

    @property
    def begun(self) -> bool:
        """There is something to judge it by."""
        return bool(self.tried or self.missed)

    @property
    def share(self) -> Fraction:
        """The share of times it was seen, with a doubt that grows smaller with every time."""
        return Fraction(self.solved + 1, self.tried + self.missed + 2)

    def as_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return asdict(self) | {"due": self.due and self.due.isoformat()}


def known_ideas(marks: Callable[[str], Iterable[tuple[str, Any]]]) -> list[Known]:
    """All ideas of all games: the weakest first, those that nothing is known of at the end, in the order of courses.

    `marks` gives all marks of a kind in their order.
    """
    lessons, missed = dict(marks(LESSONS)), missed_ideas(marks(MISTAKES))
    ideas = {one.code: (one.game_id, one.idea) for name in (DAILY, PRACTICE, EXERCISES) for one in puzzles_in(name)}
    done: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for code, attempt in first_results(results_of(marks(PUZZLES))).items():
        done[ideas.get(code, ("", ""))].append(attempt.solved)
    rows = []
    for game_id in game_ids():
        course = courses.readable(game_id)
        for idea in solver_of(game_id).ideas if can_solve(game_id) else ():
            again = missed.get(f"{game_id}/{idea.name}")
            all_tried = [*done[game_id, idea.name], *(again.found if again else ())]
            number = courses.lesson_on(course, idea)
            lesson = None if number is None else course[number]
            mark = lessons.get(key_of(game_id, lesson)) if lesson else None
            value = mark if isinstance(mark, dict) else {}
            count = len(lesson.step) if lesson else 0
            step = count if value.get("done") else value.get("step", 0)
            rows.append(
                Known(
                    game_id,
                    idea.name,
                    None if number is None else number + 1,
                    step if isinstance(step, int) and 0 <= step <= count else 0,
                    count,
                    sum(all_tried),
                    len(all_tried),
                    again.missed if again else 0,
                    again.due if again else None,
                )
            )
    return sorted(rows, key=lambda one: (not one.begun, one.share if one.begun else 0))
