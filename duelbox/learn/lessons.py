"""Lessons of a game, each on one idea in a few positions. They are files beside the rules of the game."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import Field, ValidationError

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.game import first_preset
from duelbox.core.model import Model
from duelbox.core.session import Session
from duelbox.learn.trial import Attempt, try_move
from duelbox.registry import find_game, texts_beside
from duelbox.solve import analyse, can_solve, with_trap
from duelbox.solve.api import Analysis, Idea
from duelbox.solve.sentences import HINTS, after_move, in_first_person

FOLDER = "lessons"
LESSONS = "lesson"
"""The kind of progress that lessons are stored as."""
TEACHER = "Teacher"
LEARNER = "Player 1"


class Step(Model):
    """One task of a lesson."""

    code: str
    """The position; the player to move is the learner."""
    say: str = Field(max_length=152)
    """The task, in two lines of 76 characters at most."""
    accept: tuple[str, ...] = Field(min_length=1)
    """The right moves; the first one is shown as the answer."""
    then: str = Field(max_length=152)
    """The lesson of a right move."""
    replies: dict[str, str] = Field(default_factory=dict)
    """The teacher's answers to right moves, if they belong to the lesson."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Pairs of moves that are drawn on the board while the task is asked."""
    play: bool = False
    """The position is played to the end, against a teacher who sets traps."""


class Lesson(Model):
    """A lesson, read from a file such as `2-odd-one-out.toml`."""

    name: str
    """The name of the file, without its number."""
    idea: str
    """The name of an idea of the game's solver."""
    title: str
    before: str = ""
    """The name that the lesson had before, under which players may have progress."""
    rule: str
    """The rule to remember, in a sentence."""
    note: str = ""
    """A limit of the rule, said after it."""
    preset: str
    """The id of a preset in which the idea helps."""
    also: tuple[str, ...] = ()
    """The ids of the other presets whose course has this lesson."""
    curriculum: str = ""
    """The subject at school that the idea belongs to, for a teacher."""
    mistaken: tuple[str, ...] = ()
    """Common mistakes of learners, each with the truth, for their teacher."""
    step: tuple[Step, ...] = Field(min_length=1)

    @property
    def presets(self) -> tuple[str, ...]:
        """The ids of all presets whose course has this lesson."""
        return self.preset, *self.also

    @property
    def end(self) -> str:
        """The last sentence of the lesson."""
        return f"Take this along: {self.rule} {self.note}".rstrip()


Lessons = tuple[Lesson, ...]


def lessons_of(game_id: str) -> Lessons:
    """The lessons of a game, if it has any; raises DuelboxError if one cannot be read or played."""
    return tuple(_lesson(game_id, name, text) for name, text in texts_beside(game_id, FOLDER, ".toml").items())


def some_lessons_of(game_id: str) -> Lessons:
    """The lessons of a game; raises DuelboxError if it has none or one cannot be read or played."""
    if not (lessons := lessons_of(game_id)):
        raise DuelboxError(f"{find_game(game_id).INFO.title} has no lesson.")
    return lessons


def found_in(lessons: Lessons, text: str) -> int:
    """The index of a lesson by its number or name; raises DuelboxError."""
    for number, lesson in enumerate(lessons):
        names = {str(number + 1), lesson.name, lesson.before} - {""}
        if text.lower() in names:
            return number
    raise DuelboxError(f"There is no lesson {text!r} here. There are: {', '.join(one.name for one in lessons)}.")


def readable(game_id: str, preset: str | None = None) -> Lessons:
    """The lessons of a game, or the course of a preset; empty if there are none or one cannot be read."""
    try:
        lessons = lessons_of(game_id)
    except DuelboxError:
        return ()
    return lessons if preset is None else course_in(lessons, preset)


def course_in(lessons: Lessons, preset: str) -> Lessons:
    """The course of a preset among the lessons of its game; all lessons if the preset has no course."""
    course = tuple(lesson for lesson in lessons if preset in lesson.presets)
    return course or lessons


def lesson_on(lessons: Lessons, idea: Idea) -> int | None:
    """The index of the first lesson on an idea."""
    return next((number for number, lesson in enumerate(lessons) if lesson.idea == idea.name), None)


def key_of(game_id: str, lesson: Lesson) -> str:
    """The key under which progress in a lesson is stored."""
    return f"{game_id}/{lesson.name}"


def left_at(game_id: str, lessons: Lessons, marks: Mapping[str, Any]) -> tuple[int, int]:
    """The index of the first lesson that is not done, and the step where it was left; (0, 0) if all are done.

    `marks` are the stored values of lessons, by their keys.
    """
    for number, lesson in enumerate(lessons):
        if not is_done(game_id, lesson, marks):
            return number, _step_left(game_id, lesson, marks)
    return 0, 0


def _step_left(game_id: str, lesson: Lesson, marks: Mapping[str, Any]) -> int:
    """The index of the step at which a lesson goes on: where it was left, or the first that is not solved."""
    step = _mark(game_id, lesson, marks).get("step", 0)
    if isinstance(step, int) and 0 < step < len(lesson.step):
        return step
    solved = solved_steps(game_id, lesson, marks)
    return next((at for at in range(len(lesson.step)) if at not in solved), 0)


def steps_done(game_id: str, lesson: Lesson, marks: Mapping[str, Any]) -> int:
    """The number of steps of a lesson that the learner solved; `marks` as in `left_at`."""
    return len(solved_steps(game_id, lesson, marks))


def solved_steps(game_id: str, lesson: Lesson, marks: Mapping[str, Any]) -> frozenset[int]:
    """The indices of the steps that the learner solved without being shown the answer; `marks` as in `left_at`."""
    mark = _mark(game_id, lesson, marks)
    everything = range(len(lesson.step))
    if mark.get("done"):
        return frozenset(everything)
    solved = mark.get("solved")
    if isinstance(solved, list):
        return frozenset(at for at in everything if at in solved)
    step = mark.get("step", 0)  # a mark from the time when a step that was shown counted as done
    return frozenset(everything[:step]) if isinstance(step, int) and 0 <= step <= len(everything) else frozenset()


def is_done(game_id: str, lesson: Lesson, marks: Mapping[str, Any]) -> bool:
    """All steps of the lesson were solved; `marks` as in `left_at`."""
    return bool(_mark(game_id, lesson, marks).get("done"))


def _mark(game_id: str, lesson: Lesson, marks: Mapping[str, Any]) -> dict[str, Any]:
    value = marks.get(key_of(game_id, lesson))
    if value is None and lesson.before:
        value = marks.get(f"{game_id}/{lesson.before}")
    return value if isinstance(value, dict) else {}


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
    known = [preset.id for preset in find_game(game_id).PRESETS]
    for preset in lesson.presets:
        if preset not in known:
            raise DuelboxError(f"{wrong}: {game_id} has no preset {preset!r}.")
    for number, step in enumerate(lesson.step, 1):
        try:
            _check(game_id, step)
        except DuelboxError as error:
            raise DuelboxError(f"{wrong}: step {number}: {error.sentence}") from error
    return lesson


def _check(game_id: str, step: Step) -> None:
    """Raise DuelboxError if a step cannot be played."""
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
    """The lessons of a game being taken: the current lesson, step and position."""

    def __init__(
        self,
        lessons: Lessons,
        number: int = 0,
        at: int = 0,
        name: str = LEARNER,
        own: Step | None = None,
        *,
        preset: str = "",
        marks: Mapping[str, Any] | None = None,
    ) -> None:
        """`own` is a step from a game of the learner, which comes before the first one; `marks` as in `left_at`."""
        self.lessons = lessons
        self.name = name
        self.preset = preset or lessons[number].preset
        """The preset that the course is about."""
        self._marks = marks or {}
        self.open(number, at, own)

    def open(self, number: int, at: int = 0, own: Step | None = None) -> None:
        """Begin a lesson at one of its steps, or before it at a step from a game of the learner."""
        self.number = number
        game_id = parse_code(self.lesson.step[0].code, find_game).game.INFO.id
        self.solved = set(solved_steps(game_id, self.lesson, self._marks))
        """The indices of the steps of this lesson that the learner solved."""
        self.own = own
        """The step from a game of the learner, while it is at hand."""
        self.at = max(0, min(at, len(self.lesson.step) - 1))
        self.begin()

    @property
    def lesson(self) -> Lesson:
        """The current lesson."""
        return self.lessons[self.number]

    @property
    def following(self) -> Lesson | None:
        """The next lesson."""
        return self.lessons[self.number + 1] if self.number + 1 < len(self.lessons) else None

    @property
    def step(self) -> Step:
        """The current step."""
        return self.own or self.lesson.step[self.at]

    def all_done(self, marks: Mapping[str, Any]) -> bool:
        """All lessons of the course are done; `marks` as in `left_at`."""
        game_id = self.session.game.INFO.id
        return all(is_done(game_id, lesson, marks) for lesson in self.lessons)

    @property
    def missing(self) -> tuple[int, ...]:
        """The indices of the steps of this lesson that are still to be solved."""
        return tuple(at for at in range(len(self.lesson.step)) if at not in self.solved)

    def begin(self) -> None:
        """Set up the position of the step."""
        self.shown = False
        """The learner was shown an answer in this step."""
        self._lay(_session(self.step, self.name), self.step.accept, self.step.say)

    def _lay(self, session: Session, right: tuple[str, ...], asked: str) -> None:
        self.session, self.right, self.asked = session, right, asked
        self._ahead: tuple[Session, tuple[str, ...]] | None = None
        """In a step that is played to the end: the position after a right move, and its right moves."""
        self.hint_step = 0
        self._refutations: set[str] = set()
        """The sentences on wrong attempts in this position."""
        self.analysis: Analysis | None = None
        """The analysis of the position, once a hint or an attempt needed it."""

    def attempt(self, text: str) -> Attempt:
        """Try a move on a copy of the position; raises MoveError."""
        self._work_out()
        attempt = try_move(self.session, self.right, text, self.analysis)
        if not attempt.right:
            return self._refused(attempt)
        played, first = attempt.played.copy(), self.asked == self.step.say
        reply = self.step.replies.get(attempt.move) if first else None
        if reply and played.turn is not None:
            played.type(reply)
        while self.step.play and played.turn not in (None, self.session.turn):  # twice if the learner has to pass
            game, view = played.game, played.view(played.turn)
            played.type(with_trap(game, view, analyse(game, view)).advice)
        self._ahead = (played, _best(played)) if self.step.play and played.turn is not None else None
        if self._ahead is None:  # else the sentence is about the position before the answer
            attempt = replace(attempt, played=played)
        reason = self.analysis.reason if self.analysis and self.analysis.advice == attempt.move else ""
        sentence = self.step.then if first else played.named("You win." if played.outcome else after_move(reason))
        return replace(attempt, sentence=in_first_person(sentence, TEACHER))

    def _refused(self, attempt: Attempt) -> Attempt:
        """A wrong attempt as the teacher speaks of it; the rule, where another was refuted in the same way."""
        sentence = in_first_person(attempt.sentence, TEACHER)
        if sentence in self._refutations:
            return replace(attempt, sentence=f"{sentence} {self.lesson.rule}")
        self._refutations.add(sentence)
        return replace(attempt, sentence=sentence)

    def answered(self) -> None:
        """Take note that the answer was shown: this step was seen, not solved."""
        self.shown = True

    def hinted(self) -> None:
        """Count a hint."""
        self.hint_step = min(self.hint_step + 1, HINTS)
        self.shown = self.shown or self.hint_step == HINTS  # the last hint is the move
        self._work_out()

    def _work_out(self) -> None:
        if self.analysis is None and can_solve(self.session.game.INFO.id):
            self.analysis = analyse(self.session.game, self.session.view(self.session.turn))

    @property
    def goes_on(self) -> bool:
        """The step goes on after the right move that was tried."""
        return self._ahead is not None

    def skip(self) -> bool:
        """Leave this step for the next one; False at the end of the lesson."""
        self._ahead = None
        return self.go_on()

    def finish_step(self) -> None:
        """Count the step as solved, unless it goes on or its answer was shown."""
        if self._ahead is None and self.own is None and not self.shown:
            self.solved.add(self.at)

    def go_on(self) -> bool:
        """Go to the next position or step; False at the end of the lesson."""
        if self._ahead is not None:
            self._lay(*self._ahead, "Play it to the end. What now?")
            return True
        if self.own is not None:
            self.own = None
            self.begin()
            return True
        if self.at + 1 == len(self.lesson.step):
            return False
        self.at += 1
        self.begin()
        return True

    def go_back(self) -> None:
        """Go to the step before, if there is one."""
        self.take_again(max(0, self.at - 1))

    def take_again(self, at: int) -> None:
        """Go to this step of the lesson."""
        self.own = None
        self.at = at
        self.begin()


def course_of(
    game_id: str,
    marks: Mapping[str, Any],
    number: int | None = None,
    name: str = LEARNER,
    own: Step | None = None,
    preset: str | None = None,
) -> Course:
    """The course of a preset from this lesson on, or from where it was left; `marks` as in `left_at`.

    `number` is an index among all lessons of the game; one that is not about the preset is taken in its own course.
    Without a preset it is that for a new player. `own` is a step from a game of the learner, which comes first. Raises
    DuelboxError as `some_lessons_of` does.
    """
    lessons = some_lessons_of(game_id)
    about = preset or first_preset(find_game(game_id)).id
    if number is not None and about not in lessons[number].presets:
        about = lessons[number].preset
    if not any(about in lesson.presets for lesson in lessons):
        about = lessons[0].preset
    course = course_in(lessons, about)
    if number is None:
        left, at = left_at(game_id, course, marks)
    else:
        left, at = course.index(lessons[number]), 0
    return Course(course, left, at, name, own, preset=about, marks=marks)


def _best(session: Session) -> tuple[str, ...]:
    """The best moves, the advised one first."""
    analysis = analyse(session.game, session.view(session.turn))
    best = [one.move for one in analysis.moves if one.value == analysis.moves[0].value]
    return tuple(sorted(best, key=lambda move: move != analysis.advice))
