"""A test at a table: questions one after the other, and the results at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from duelbox.learn.course_test import CourseTest, mark_of
from duelbox.learn.lessons import LESSONS
from duelbox.table.prompts import Part
from duelbox.table.state import TableState
from duelbox.table.trial_table import TRIAL_VERBS, TrialTable, while_looking
from duelbox.table.verb import Verb, Verbs

COURSE_TEST_VERBS = Verbs(TRIAL_VERBS)
"""The verbs of tests."""

_SIGNS = {"at once": "■", "with help": "□", "wrong": "·"}


class CourseTestTable(TrialTable[CourseTest]):
    """A test; its result is stored under a key when the last question is answered."""

    verbs: ClassVar[Mapping[str, Verb]] = COURSE_TEST_VERBS
    NAME = "Test"

    def __init__(self, test: CourseTest, key: str = "", marks: Mapping[str, Any] | None = None) -> None:
        """`key` is where the result is stored, if it is, and `marks` are the stored values by their keys."""
        super().__init__(test)
        self._key = key
        self._marks = marks or {}

    @property
    def place(self) -> str:
        """The title, the number of the question, and a sign for each answer so far."""
        test = self.trial
        signs = "".join(_SIGNS[answer.result] for answer in test.answers)
        number = min(len(test.answers) + 1, len(test.questions))
        return f"{test.title} · question {number} of {len(test.questions)} {signs}".rstrip()

    @property
    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        return "the results" if self.trial.last else "next question"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The results in a sentence, and the course as known or not."""
        results = self.trial.results
        known = f"{results.needed} are needed: this course is not known yet."
        if results.passed:
            known = "You know this course."
        return f"{results.summary} {known}", "Done", (("Enter: the list", "play"),)

    def advance(self, state: TableState) -> bool:
        """Go to the next question; after the last, store the results."""
        if self.trial.go_on():
            return True
        if self._key:
            state.frontend.remember(LESSONS, self._key, mark_of(self.trial.results, self._marks, self._key))
        return False

    def leave_end(self, state: TableState) -> None:
        """Show the results as a list."""
        state.frontend.open("results")


@COURSE_TEST_VERBS.verb("n", "Skip", while_looking, title="The next question", help="the next question")
def skip(table: CourseTestTable, state: TableState) -> None:
    """Leave this question out: it counts as wrong."""
    table.go_on(state)
