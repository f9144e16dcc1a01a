"""A test: questions one after the other, then the list of results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duelbox.learn.course_test import CourseTest
from duelbox.table.course_test_table import CourseTestTable
from duelbox.ui.screens.results_screen import results_of_test
from duelbox.ui.screens.task_screen import TaskScreen


class CourseTestScreen(TaskScreen[CourseTestTable], inherit_bindings=False):
    """A question of a test."""

    def __init__(self, test: CourseTest, key: str = "", marks: Mapping[str, Any] | None = None) -> None:
        """`key` is where the result is stored, and `marks` are the stored values by their keys."""
        super().__init__(CourseTestTable(test, key, marks))

    def open_results(self) -> None:
        """Show the results in place of the test."""
        self.app.switch_screen(results_of_test(self.table.trial.results))
