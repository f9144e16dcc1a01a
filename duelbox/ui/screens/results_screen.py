"""The results of a test: each question with its result and its time."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from duelbox.core.code import parse_code
from duelbox.learn.course_test import Answer, Results, clock
from duelbox.registry import find_game
from duelbox.ui.screens.list_screen import ListScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column, Listing


class ResultsScreen(ListScreen[tuple[int, Answer]]):
    """A list of questions; the chosen one is shown with its answer."""

    HEADING = "Results"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "back", "Back", id="results.back", priority=True),
    ]
    COLUMNS = (
        Column("Question", right=True),
        Column("Idea", least=12),
        Column("Result"),
        Column("Time", right=True),
    )

    TITLES = "", "The chosen question"

    def __init__(self, results: Results) -> None:
        super().__init__()
        self._results = results

    def read(self) -> list[tuple[int, Answer]]:
        """The answers with their numbers."""
        return list(enumerate(self._results.answers, 1))

    def cells(self, one: tuple[int, Answer]) -> tuple[str, ...]:
        """The number, the idea, the result and the time."""
        number, answer = one
        return str(number), answer.question.idea, answer.result, clock(answer.seconds)

    def key(self, one: tuple[int, Answer]) -> int:
        """The number of the question."""
        return one[0]

    def show_count(self) -> None:
        """Say how many were right, and how long it took."""
        self.query_one(Listing).border_title = self._results.title
        self.query_one(TopLine).aside = self._results.summary

    def details(self, one: tuple[int, Answer] | None) -> str:
        """The position, and its answer."""
        if one is None:
            return ""
        _, answer = one
        question = answer.question
        session = parse_code(question.code, find_game)
        right = question.right[0]
        others = len(question.right) - 1
        more = f", or {others} like it" if others else ""
        return f"{question.code}\nTurn {len(session.plies) + 1}: {right} is right{more}."
