"""Lessons: a few steps a game, each one sentence, a position, and one thing to do. They are data beside the rules."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace

from pydantic import Field, ValidationError

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.core.session import Session
from duelbox.learn.tries import Tried, tried
from duelbox.registry import BUILT_IN, fence_of, find_game, text_beside

FILE = "lesson.toml"
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


class Lesson(Model):
    """What a game's `lesson.toml` holds."""

    title: str
    rule: str
    """The rule of thumb to carry away, in a sentence."""
    step: tuple[Step, ...] = Field(min_length=1)


def lesson_of(game_id: str) -> Lesson | None:
    """The lesson a game brings, if any; raises DuelboxError where it cannot be read or played."""
    if game_id in BUILT_IN:
        return _read(game_id)
    return fence_of(game_id, "lesson").call((DuelboxError,), _read, game_id)


def _read(game_id: str) -> Lesson | None:
    text = text_beside(game_id, FILE)
    if text is None:
        return None
    try:
        lesson = Lesson.model_validate_json(json.dumps(tomllib.loads(text)))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DuelboxError(f"The lesson of {game_id} cannot be read: {place}: {first['msg']}.") from error
    except ValueError as error:
        raise DuelboxError(f"The lesson of {game_id} cannot be read: {error}.") from error
    for number, step in enumerate(lesson.step, 1):
        _check(game_id, number, step)
    return lesson


def _check(game_id: str, number: int, step: Step) -> None:
    """Refuse a step that cannot be played."""
    try:
        session = _session(step)
        if session.game.INFO.id != game_id:
            raise DuelboxError(f"its position is of {session.game.INFO.id}.")
        for move in step.accept:
            played = session.copy()
            played.type(move)
            if move in step.replies:
                played.type(step.replies[move])
    except DuelboxError as error:
        raise DuelboxError(f"The lesson of {game_id} cannot be read: step {number}: {error.sentence}") from error


def _session(step: Step, name: str = LEARNER) -> Session:
    session = parse_code(step.code, find_game)
    session.names = (TEACHER, name) if session.turn else (name, TEACHER)
    return session


class Course:
    """A lesson being taken: which step, and its position. Nothing in here is a game."""

    def __init__(self, lesson: Lesson, at: int = 0, name: str = LEARNER) -> None:
        self.lesson = lesson
        self.name = name
        self.at = max(0, min(at, len(lesson.step) - 1))
        self.done = False
        self.begin()

    analysis = None
    """A lesson has no hints: the answer is all the help there is."""

    @property
    def step(self) -> Step:
        """The step at hand."""
        return self.lesson.step[self.at]

    @property
    def right(self) -> tuple[str, ...]:
        """The right moves of the step."""
        return self.step.accept

    @property
    def asked(self) -> str:
        """What the step asks for."""
        return self.step.say

    def begin(self) -> None:
        """Lay the position of the step."""
        self.session = _session(self.step, self.name)

    def attempt(self, text: str) -> Tried:
        """Try a move; raises MoveError. The position of the step stays as it is."""
        found = tried(self.session, self.step.accept, text)
        if not found.right:
            return replace(found, sentence=f"{found.sentence} Try another move.")
        if (reply := self.step.replies.get(found.move)) and found.played.turn is not None:
            found.played.type(reply)
        return replace(found, sentence=self.step.then)

    def answered(self) -> None:
        """The answer was asked for, which is as good as finding it."""

    def go_on(self) -> bool:
        """To the next step; False at the end of the lesson."""
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
