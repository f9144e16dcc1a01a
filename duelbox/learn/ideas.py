"""Ideas that a player missed in games, the days on which they come back, and how well every idea is known.

A mistake is stored under the code of its position. Its idea comes back in another position, and the result of that is
stored under the game and the idea; a mistake without an idea comes back itself.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.core.record import Name
from duelbox.core.rng import Rng
from duelbox.core.session import DEFAULT_NAMES
from duelbox.learn import lessons as courses
from duelbox.learn.idea_names import new_name
from duelbox.learn.mistakes import Mistake, Mistakes
from duelbox.learn.practice import practice
from duelbox.learn.puzzles import game_of
from duelbox.registry import find_game
from duelbox.solve import analyse
from duelbox.solve.api import Stop
from duelbox.solve.sentences import after_move

MISTAKES = "mistake"
"""The kind of progress that both `Missed` and `Returned` are stored as."""
DAYS = (1, 3, 7, 21)
"""The days until an idea comes back, the first time, the second time …"""
OWN_SECONDS = 1.0
"""The longest time that a position from an own game is worked out before its lesson."""
IN_A_ROW = 2
"""An idea that was found so often in a row does not come back."""
DAY = timedelta(days=1)


Day = Annotated[date, Field(lt=date(9999, 1, 1))]
"""A day that leaves room for the days after it."""


class Missed(Model):
    """A stored mistake of a game; or a puzzle or a step of a lesson that was not found without help."""

    played: str
    names: tuple[Name, Name]
    idea: str = ""
    day: Day
    in_game: bool = True
    cause: str = ""
    """The answer that refuted the move, and what it took; empty if that is not known."""


def missed_in_learning(idea: str, day: date) -> dict[str, Any]:
    """A stored puzzle or step of this idea that was not found at once."""
    return Missed(played="", names=DEFAULT_NAMES, idea=idea, day=day, in_game=False).model_dump(mode="json")


class Returned(Model):
    """The stored result of a position that came back."""

    code: str
    found: bool
    day: Day


_STORED = TypeAdapter[Missed | Returned](Missed | Returned)


@dataclass
class Again:
    """An idea that was missed, or a mistake without an idea, and its returns."""

    key: str
    code: str
    """The code of the last mistake."""
    last: Missed
    day: date = date.min
    """The last day on which it was missed or came back."""
    due: date | None = None
    """The day on which it comes back; None once it was found twice in a row."""
    missed: int = 0
    """The number of games in which it was missed."""
    found: list[bool] = field(default_factory=list)
    """For each return: the right move was found at once."""
    since: int = 0
    """The number of returns since the last mistake."""
    seen: set[str] = field(default_factory=set)
    """The codes of positions that came back, or were missed in learning."""

    @property
    def game_id(self) -> str:
        """The game of the mistakes."""
        return game_of(self.code)

    def miss(self, code: str, missed: Missed) -> None:
        """Add a mistake; its returns begin anew."""
        self.code = code
        self.last = missed
        self.since = 0
        self.day = missed.day
        self.due = missed.day + DAYS[0] * DAY
        if missed.in_game:
            self.missed += 1
        else:
            self.seen.add(code)

    def come_back(self, one: Returned) -> None:
        """Add a return; the next one is later, or there is none if it was found again."""
        self.day = one.day
        self.found.append(one.found)
        self.seen.add(one.code)
        self.since += 1
        done = self.since >= IN_A_ROW and all(self.found[-IN_A_ROW:])
        self.due = None if done else one.day + DAYS[min(self.since, len(DAYS) - 1)] * DAY

    def position(self) -> Mistake | None:
        """A new position of the idea, or else the mistake itself; None if that is no mistake by today's solver."""
        puzzles = practice(self.game_id, idea=self.last.idea) if self.last.idea else ()
        fresh = [one.code for one in puzzles if one.code not in self.seen]
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


def _read(key: str, value: Any) -> tuple[str, Missed | Returned]:
    """A stored mistake or return with its key, both under the present name of its idea; raises ValidationError."""
    mark = _STORED.validate_json(json.dumps(value))
    if isinstance(mark, Missed):
        return key, mark.changed(idea=new_name(game_of(key), mark.idea))
    game_id, slash, idea = key.partition("/")
    return f"{game_id}{slash}{new_name(game_id, idea)}", mark


def missed_ideas(marks: Iterable[tuple[str, Any]]) -> dict[str, Again]:
    """The ideas that were missed, from all marks of the kind `MISTAKES`; unreadable ones are left out."""
    stored: list[tuple[str, Missed | Returned]] = []
    for key, value in marks:
        with suppress(ValidationError):
            stored.append(_read(key, value))
    missed: dict[str, Again] = {}
    counted = set[tuple[str, date]]()
    for key, one in sorted(stored, key=lambda item: item[1].day):  # imported marks may be older than the last ones
        if isinstance(one, Returned):
            if key in missed:
                missed[key].come_back(one)
        elif (key, one.day) not in counted:  # after an undo, a game may end a second time
            counted.add((key, one.day))
            idea_key = f"{game_of(key)}/{one.idea}" if one.idea else key
            missed.setdefault(idea_key, Again(idea_key, key, one)).miss(key, one)
    return missed


def returning(ideas: Iterable[Again], day: date) -> Iterator[tuple[Mistakes, tuple[Again, ...]]]:
    """The positions to look at on this day, with the ideas that come back in them: first of the game that has most."""
    due = [one for one in ideas if one.due is not None and one.due <= day]
    for game_id, _ in Counter(one.game_id for one in due).most_common():
        if found := [(position, one) for one in due if one.game_id == game_id and (position := one.position())]:
            mistakes, kept = zip(*found, strict=True)
            yield Mistakes(mistakes), kept


def lost_lately(marks: Sequence[tuple[str, Any]], game_id: str) -> list[tuple[str, Missed]]:
    """The last mistake of each game of this kind with its code, the latest game first."""
    latest: list[tuple[str, Missed]] = []
    for code, value in reversed(marks):
        if game_of(code) != game_id:
            continue
        try:
            _, one = _read(code, value)
        except ValidationError:
            continue
        same_game = latest and latest[-1][0].startswith(code) and latest[-1][1].day == one.day
        if isinstance(one, Missed) and one.in_game and not same_game:
            latest.append((code, one))
    return latest


def own_step(code: str, missed: Missed) -> courses.Step | None:
    """A step of a lesson with the position that was lost; None if it cannot be worked out in time."""
    try:
        session = parse_code(code, find_game)
        analysis = analyse(session.game, session.view(session.turn), Stop(OWN_SECONDS))
    except DuelboxError:
        return None
    best = [one.move for one in analysis.moves if one.value == analysis.moves[0].value]
    if missed.played in best:
        return None
    right = sorted(best, key=lambda move: move != analysis.advice)
    say = f"From your own game: you played {missed.played} here. What is better?"
    return courses.Step(code=code, say=say, accept=tuple(right), then=after_move(analysis.reason)[:152])


def day_called(day: date, today: date) -> str:
    """A day to come as people call it: "tomorrow", "Wednesday", "3 December"."""
    if day == today + DAY:
        return "tomorrow"
    if day < today + 7 * DAY:
        return f"{day:%A}"
    return f"{day.day} {day:%B}"


def resting(ideas: Iterable[Again], day: date) -> str:
    """A sentence on the mistakes that rest after this day, and when the first of them come back; empty if none rest."""
    due = sorted(one.due for one in ideas if one.due is not None and one.due > day)
    if not due:
        return ""
    first = due[0]
    when = day_called(first, day)
    count = due.count(first)
    return f"1 mistake rests until {when}." if count == 1 else f"{count} mistakes rest until {when}."
