"""The test at the end of a course: positions to solve one after the other, and the results as a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Literal

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import player
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.learn.lessons import FOLDER, LEARNER, TEACHER
from duelbox.learn.puzzles import DEEDS
from duelbox.learn.trial import Attempt, try_move
from duelbox.registry import find_game, texts_beside
from duelbox.solve import analyse
from duelbox.solve.api import Analysis
from duelbox.solve.sentences import HINTS, after_move

QUESTIONS = 8
"""The questions of a test of a course."""
NEEDED = 6
"""So many right at once make a course known."""

Result = Literal["at once", "with help", "wrong"]


@dataclass(frozen=True, slots=True)
class Question:
    """A position with the moves that are right in it, the first one as the answer."""

    code: str
    right: tuple[str, ...]
    idea: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a question."""

    question: Question
    result: Result
    seconds: int


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a test."""

    title: str
    answers: tuple[Answer, ...]
    needed: int
    """The number of right answers at once that passes."""

    def count(self, result: Result) -> int:
        """The number of answers with this result."""
        return sum(answer.result == result for answer in self.answers)

    @property
    def passed(self) -> bool:
        """Enough answers were right at once."""
        return self.count("at once") >= self.needed

    @property
    def seconds(self) -> int:
        """The time of all answers."""
        return sum(answer.seconds for answer in self.answers)

    @property
    def summary(self) -> str:
        """The counts and the time, in a sentence."""
        counts = [f"{self.count('at once')} of {len(self.answers)} right at once"]
        helped = self.count("with help")
        wrong = self.count("wrong")
        if helped:
            counts.append(f"{helped} with help")
        if wrong:
            counts.append(f"{wrong} wrong")
        return f"{', '.join(counts)}, in {clock(self.seconds)}."

    def rows(self) -> list[tuple[str, str, str, str]]:
        """For each answer its number, idea, result and time."""
        return [
            (str(number), answer.question.idea, answer.result, clock(answer.seconds))
            for number, answer in enumerate(self.answers, 1)
        ]


def clock(seconds: int) -> str:
    """Minutes and seconds, such as 1:05."""
    return f"{seconds // 60}:{seconds % 60:02}"


class CourseTest:
    """A test being taken: the question at hand, and the answers so far."""

    def __init__(
        self,
        title: str,
        questions: Sequence[Question],
        needed: int = NEEDED,
        name: str = LEARNER,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.title = title
        self.questions = tuple(questions)
        self.needed = needed
        self.name = name
        self.answers: list[Answer] = []
        self._now = now
        self._open()

    def _open(self) -> None:
        self.session = _session(self.question, self.name)
        self.right = self.question.right
        self.hint_step = 0
        self.analysis: Analysis | None = None
        """The analysis of the position, once a hint or an attempt needed it."""
        self._began = self._now()
        self._result: Result = "at once"
        self._solved = False

    @property
    def question(self) -> Question:
        """The question at hand."""
        return self.questions[len(self.answers)]

    @property
    def results(self) -> Results:
        """The results so far."""
        return Results(self.title, tuple(self.answers), self.needed)

    @property
    def asked(self) -> str:
        """The task."""
        deed = DEEDS["chance" if self.session.game.INFO.hidden else "win"]
        return f"{player(self.session.turn or 0)} to move and {deed}."

    @property
    def last(self) -> bool:
        """No question follows."""
        return len(self.answers) + 1 >= len(self.questions)

    def attempt(self, text: str) -> Attempt:
        """Try a move; raises MoveError. A wrong one makes the answer wrong, and another may be tried."""
        analysis = self._work_out()
        attempt = try_move(self.session, self.right, text, analysis)
        if not attempt.right:
            self._result = "wrong"
            return attempt
        self._solved = True
        return replace(attempt, sentence=self.session.named(after_move(analysis.reason)))

    def hinted(self) -> None:
        """Count a hint: the answer is one with help."""
        self.hint_step = min(self.hint_step + 1, HINTS)
        if self._result == "at once":
            self._result = "with help"
        self._work_out()

    def answered(self) -> None:
        """Take note that the answer was shown: it counts as wrong."""
        self._result = "wrong"

    def go_on(self) -> bool:
        """Keep the result, a skipped question as a wrong one, and go to the next question; False after the last."""
        result = self._result if self._solved else "wrong"
        self.answers.append(Answer(self.question, result, round(self._now() - self._began)))
        if len(self.answers) == len(self.questions):
            return False
        self._open()
        return True

    def _work_out(self) -> Analysis:
        if self.analysis is None:
            self.analysis = analyse(self.session.game, self.session.view(self.session.turn))
        return self.analysis


def _session(question: Question, name: str) -> Session:
    session = parse_code(question.code, find_game)
    session.names = (TEACHER, name) if session.turn else (name, TEACHER)
    return session


# -- the test of a course


def questions_of(game_id: str, preset: str) -> tuple[Question, ...]:
    """All questions for the course of a preset; empty if it has no test."""
    lines = [line for text in texts_beside(game_id, FOLDER, ".txt").values() for line in text.splitlines()]
    return tuple(_question(line) for line in lines if line.partition(" ")[0] == preset)


def _question(line: str) -> Question:
    """Read a line: the preset, the code, the right moves, and after "#" the idea."""
    position, _, idea = line.partition(" # ")
    _, code, *right = position.split()
    return Question(code, tuple(right), idea)


def key_of_test(game_id: str, preset: str) -> str:
    """The key under which the result of a test is stored, beside the lessons."""
    return f"{game_id}/test:{preset}"


def is_known(game_id: str, preset: str, marks: Mapping[str, Any]) -> bool:
    """The test of the course was passed; `marks` are the stored values of lessons, by their keys."""
    mark = marks.get(key_of_test(game_id, preset))
    return isinstance(mark, dict) and bool(mark.get("known"))


def has_test_left(game_id: str, preset: str, marks: Mapping[str, Any]) -> bool:
    """The course of the preset ends in a test that was not passed yet; `marks` as in `is_known`."""
    return bool(questions_of(game_id, preset)) and not is_known(game_id, preset, marks)


def course_test(game_id: str, preset: str, marks: Mapping[str, Any], name: str = LEARNER) -> CourseTest:
    """The test of a course, with other questions each time; raises DuelboxError if the preset has none."""
    questions = questions_of(game_id, preset)
    title = next(one.name for one in find_game(game_id).PRESETS if one.id == preset)
    if not questions:
        raise DuelboxError(f"The course of {title} has no test.")
    mark = marks.get(key_of_test(game_id, preset))
    taken = mark.get("taken", 0) if isinstance(mark, dict) else 0
    drawn = Rng(taken if isinstance(taken, int) else 0).sample(range(len(questions)), min(QUESTIONS, len(questions)))
    return CourseTest(title, [questions[at] for at in drawn], NEEDED, name)


def mark_of(results: Results, marks: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The value to store of a test under its key; a course that is known stays known."""
    before = marks.get(key)
    old = before if isinstance(before, dict) else {}
    taken = old.get("taken", 0)
    return {
        "right": results.count("at once"),
        "of": len(results.answers),
        "seconds": results.seconds,
        "known": results.passed or bool(old.get("known")),
        "taken": taken + 1 if isinstance(taken, int) else 1,
    }
