"""Lessons: a few steps a game, each one sentence, a position, and one thing to do. They are data beside the rules."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass

from pydantic import Field, ValidationError

from duelbox.core.code import Played, parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.core.session import Session
from duelbox.registry import find_game, text_beside
from duelbox.solve import analyse, can_solve
from duelbox.solve.sentences import percent

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
        played = parse_code(step.code, find_game)
        if played.game.INFO.id != game_id:
            raise DuelboxError(f"its position is of {played.game.INFO.id}.")
        for move in step.accept:
            session = _session(played)
            session.type(move)
            if move in step.replies:
                session.type(step.replies[move])
    except DuelboxError as error:
        raise DuelboxError(f"The lesson of {game_id} cannot be read: step {number}: {error.sentence}") from error


def _session(played: Played, name: str = LEARNER) -> Session:
    learner = played.states[-1].turn
    session = Session(played.game, played.options, (TEACHER, name) if learner else (name, TEACHER))
    for move in played.moves:
        session.play(move)
    return session


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a try."""

    right: bool
    sentence: str
    played: Session
    """The position after the try and its answer; a wrong try is taken back from there."""


class Course:
    """A lesson being taken: which step, and its position. Nothing in here is a game."""

    def __init__(self, lesson: Lesson, at: int = 0, name: str = LEARNER) -> None:
        self.lesson = lesson
        self.name = name
        self.at = max(0, min(at, len(lesson.step) - 1))
        self.done = False
        self.begin()

    @property
    def step(self) -> Step:
        """The step at hand."""
        return self.lesson.step[self.at]

    def begin(self) -> None:
        """Lay the position of the step."""
        self.session = self._laid()

    def _laid(self) -> Session:
        return _session(parse_code(self.step.code, find_game), self.name)

    def attempt(self, text: str) -> Tried:
        """Try a move; raises MoveError. The position of the step stays as it is."""
        move = self.session.parse(text)
        shown = self._laid()
        shown.play(move)
        name = self.session.game.format_move(move)
        if name not in self.step.accept:
            return Tried(False, self._refuted(name, shown), shown)
        if (reply := self.step.replies.get(name)) and shown.turn is not None:
            shown.type(reply)
        return Tried(True, self.step.then, shown)

    def _refuted(self, name: str, shown: Session) -> str:
        """Play the best answer to a wrong try, and say why the try is wrong."""
        learner = self.session.turn
        if not can_solve(shown.game.INFO.id):
            return f"{name} is not the move. Try another one."
        mine = {one.move: one for one in analyse(self.session.game, self.session.view(learner)).moves}
        best = mine[self.step.accept[0]]
        if best.verdict == "chance" or mine[name].verdict == "chance":
            worth = f"{percent(mine[name].value)} of a win, {self.step.accept[0]} is worth {percent(best.value)}"
            return f"{name} is worth {worth}. Try another move."
        if mine[name].verdict == best.verdict:
            return f"{name} is not wrong, but another move is quicker. Try again."
        answer = ""
        if shown.turn not in (None, learner):
            answer = analyse(shown.game, shown.view(shown.turn)).moves[0].move
            shown.type(answer)
            answer = f"{TEACHER} answers {answer}. "
        why = shown.outcome.reason if shown.outcome else analyse(shown.game, shown.view(shown.turn)).reason
        return shown.named(f"{answer}{why}")

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
