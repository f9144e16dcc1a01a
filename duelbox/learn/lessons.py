"""Courses: some lessons a game, each one idea in a few positions with one thing to do; data beside the rules."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import Field, ValidationError

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.core.session import Session
from duelbox.learn.trial import Attempt, try_move
from duelbox.registry import BUILT_IN, fence_of, find_game, texts_beside
from duelbox.solve import analyse, can_solve, with_trap
from duelbox.solve.api import Analysis, Idea
from duelbox.solve.sentences import HINTS

FOLDER = "lessons"
LESSONS = "lesson"
"""The kind of progress that is kept of a lesson."""
TEACHER = "Teacher"
LEARNER = "Player 1"


class Step(Model):
    """One thing to do."""

    code: str
    """The position; the one to move is who learns."""
    say: str = Field(max_length=152)
    """What to do, in two lines of 76 at most."""
    accept: tuple[str, ...] = Field(min_length=1)
    """The right moves; the first is the one that is shown."""
    then: str = Field(max_length=152)
    """What a right move teaches."""
    replies: dict[str, str] = Field(default_factory=dict)
    """What the teacher answers to a right move, where that belongs to the lesson."""
    play: bool = False
    """It is played to the end, against a teacher who sets traps."""


class Lesson(Model):
    """A file of a game's `lessons`, such as `2-odd-one-out.toml`."""

    name: str
    """The name of the file, without its number."""
    idea: str
    """The name of its idea, as the game's solver has it."""
    title: str
    rule: str
    """The rule to carry away, in a sentence."""
    note: str = ""
    """Said after the rule, where the rule does not carry far."""
    preset: str
    """The id of a preset to play it in."""
    mistaken: tuple[str, ...] = ()
    """Common mistakes of learners, for their teacher: the thought, and what is true."""
    step: tuple[Step, ...] = Field(min_length=1)

    @property
    def end(self) -> str:
        """The sentence that it ends in."""
        return f"Take this along: {self.rule} {self.note}".rstrip()


Lessons = tuple[Lesson, ...]


def lessons_of(game_id: str) -> Lessons:
    """The course of a game, empty where it brings none; raises DuelboxError where it cannot be read or played."""
    if game_id in BUILT_IN:
        return _read(game_id)
    return fence_of(game_id, FOLDER).call((DuelboxError,), _read, game_id)


def found_in(lessons: Lessons, text: str) -> int:
    """The place of a lesson by its number or name; raises DuelboxError."""
    names = [str(number) for number in range(1, len(lessons) + 1)], [lesson.name for lesson in lessons]
    for known in names:
        if text.lower() in known:
            return known.index(text.lower())
    raise DuelboxError(f"There is no lesson {text!r} here. There are: {', '.join(names[1])}.")


def readable(game_id: str) -> Lessons:
    """The course of a game, empty where it brings none that can be read."""
    try:
        return lessons_of(game_id)
    except DuelboxError:
        return ()


def lesson_on(lessons: Lessons, idea: Idea) -> int | None:
    """The place of the first lesson on an idea, if there is one."""
    return next((number for number, lesson in enumerate(lessons) if lesson.idea == idea.name), None)


def key_of(game_id: str, lesson: Lesson) -> str:
    """The key that progress in a lesson is kept under."""
    return f"{game_id}/{lesson.name}"


def left_at(game_id: str, lessons: Lessons, marks: Mapping[str, Any]) -> tuple[int, int]:
    """The first lesson that is not done, and the step it was left at; the start where all are done.

    `marks` are the values kept of lessons, by their keys.
    """
    for number, lesson in enumerate(lessons):
        if not is_done(game_id, lesson, marks):
            at = _mark(game_id, lesson, marks).get("step", 0)
            return number, at if isinstance(at, int) and 0 < at < len(lesson.step) else 0
    return 0, 0


def is_done(game_id: str, lesson: Lesson, marks: Mapping[str, Any]) -> bool:
    """A lesson was taken to its end; `marks` as above."""
    return bool(_mark(game_id, lesson, marks).get("done"))


def _mark(game_id: str, lesson: Lesson, marks: Mapping[str, Any]) -> dict[str, Any]:
    value = marks.get(key_of(game_id, lesson))
    return value if isinstance(value, dict) else {}


def _read(game_id: str) -> Lessons:
    return tuple(_lesson(game_id, name, text) for name, text in texts_beside(game_id, FOLDER, ".toml").items())


def _lesson(game_id: str, file: str, text: str) -> Lesson:
    wrong = f"The lesson {file} of {game_id} cannot be read"
    try:
        lesson = Lesson.model_validate_json(json.dumps({**tomllib.loads(text), "name": file.partition("-")[2] or file}))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DuelboxError(f"{wrong}: {place}: {first['msg']}.") from error
    except ValueError as error:
        raise DuelboxError(f"{wrong}: {error}.") from error
    if lesson.preset not in [preset.id for preset in find_game(game_id).PRESETS]:
        raise DuelboxError(f"{wrong}: {game_id} has no preset {lesson.preset!r}.")
    for number, step in enumerate(lesson.step, 1):
        try:
            _check(game_id, step)
        except DuelboxError as error:
            raise DuelboxError(f"{wrong}: step {number}: {error.sentence}") from error
    return lesson


def _check(game_id: str, step: Step) -> None:
    """Refuse a step that cannot be played."""
    session = _session(step)
    if session.game.INFO.id != game_id:
        raise DuelboxError(f"its position is of {session.game.INFO.id}.")
    for move in step.accept:
        played = session.copy()
        played.type(move)
        if move in step.replies:
            played.type(step.replies[move])


def _session(step: Step, name: str = LEARNER) -> Session:
    session = parse_code(step.code, find_game)
    session.names = (TEACHER, name) if session.turn else (name, TEACHER)
    return session


class Course:
    """The lessons of a game being taken: which lesson, which step, and the position. Nothing in here is a game."""

    def __init__(self, lessons: Lessons, number: int = 0, at: int = 0, name: str = LEARNER) -> None:
        self.lessons, self.name = lessons, name
        self.open(number, at)

    def open(self, number: int, at: int = 0) -> None:
        """Begin a lesson, at one of its steps."""
        self.number = number
        self.at = max(0, min(at, len(self.lesson.step) - 1))
        self.done = False
        self.begin()

    @property
    def lesson(self) -> Lesson:
        """The lesson at hand."""
        return self.lessons[self.number]

    @property
    def following(self) -> Lesson | None:
        """The lesson after it."""
        return self.lessons[self.number + 1] if self.number + 1 < len(self.lessons) else None

    @property
    def step(self) -> Step:
        """The step at hand."""
        return self.lesson.step[self.at]

    def begin(self) -> None:
        """Lay the position of the step."""
        self._lay(_session(self.step, self.name), self.step.accept, self.step.say)

    def _lay(self, session: Session, right: tuple[str, ...], asked: str) -> None:
        self.session, self.right, self.asked = session, right, asked
        self._ahead: tuple[Session, tuple[str, ...]] | None = None
        """The position after a right move and the right moves there, where the step is played to the end."""
        self.hint_step = 0
        self.analysis: Analysis | None = None
        """The analysis of the position, once a hint was asked for or a move tried."""

    def attempt(self, text: str) -> Attempt:
        """Try a move; raises MoveError. The position stays as it is."""
        self._work_out()
        found = try_move(self.session, self.right, text, self.analysis)
        if not found.right:
            return found
        played, first = found.played, self.asked == self.step.say
        reply = self.step.replies.get(found.move) if first else None
        if reply and played.turn is not None:
            played.type(reply)
        while self.step.play and played.turn not in (None, self.session.turn):  # twice where the learner has to pass
            played.type(_try(played))
        self._ahead = (played, _best(played)) if self.step.play and played.turn is not None else None
        known = self.analysis.reason if self.analysis and self.analysis.advice == found.move else ""
        told = "You win." if played.outcome else known
        return replace(found, sentence=self.step.then if first else played.named(told))

    def answered(self) -> None:
        """The answer was asked for, which is as good as finding it."""

    def hinted(self) -> None:
        """A hint was asked for."""
        self.hint_step = min(self.hint_step + 1, HINTS)
        self._work_out()

    def _work_out(self) -> None:
        if self.analysis is None and can_solve(self.session.game.INFO.id):
            self.analysis = analyse(self.session.game, self.session.view(self.session.turn))

    @property
    def goes_on(self) -> bool:
        """The right move that was tried leads to another position of the same step."""
        return self._ahead is not None

    def skip(self) -> bool:
        """To the next step without this one; False at the end of the lesson."""
        self._ahead = None
        return self.go_on()

    def go_on(self) -> bool:
        """To the next position, or the next step; False at the end of the lesson."""
        if self._ahead is not None:
            self._lay(*self._ahead, "Play it to the end. What now?")
            return True
        if self.at + 1 == len(self.lesson.step):
            self.done = True
            return False
        self.at += 1
        self.begin()
        return True

    def go_back(self) -> None:
        """To the step before, if there is one."""
        self.at = max(0, self.at - 1)
        self.begin()


def _best(session: Session) -> tuple[str, ...]:
    """The moves worth most, the advised one first."""
    found = analyse(session.game, session.view(session.turn))
    best = [one.move for one in found.moves if one.value == found.moves[0].value]
    return tuple(sorted(best, key=lambda move: move != found.advice))


def _try(session: Session) -> str:
    """The best try of whoever is lost: after it most answers are wrong."""
    game, view = session.game, session.view(session.turn)
    return with_trap(game, view, analyse(game, view)).advice
