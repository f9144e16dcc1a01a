"""Results: a list of questions, the chosen one in full below it. A test of a course and an exam end in one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType

from duelbox.core.code import parse_code
from duelbox.learn.course_test import Results, clock
from duelbox.registry import find_game
from duelbox.store import files
from duelbox.ui.screens.list_screen import ListScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column, Listing

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp


@dataclass(frozen=True, slots=True)
class Question:
    """A row: its cells, the question in full, and what opens it at a table, if anything does."""

    number: int
    cells: tuple[str, ...]
    text: str
    opens: Callable[[], None] | None = None


class ResultsScreen(ListScreen[Question]):
    """A list of questions; Enter opens the chosen one at a table, or leaves where there is none."""

    HEADING = "Results"
    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes Enter from the list.
        Binding("enter", "open", "Open", id="results.open", priority=True, tooltip="Look for a better move"),
        Binding("escape,q", "back", "Back", id="results.back"),
    ]
    COLUMNS = (
        Column("Question", right=True),
        Column("Idea", least=12),
        Column("Result"),
        Column("Time", right=True),
    )
    TITLES = "", "The chosen question"

    def __init__(self, title: str, summary: str, questions: Sequence[Question]) -> None:
        super().__init__()
        self._title = title
        self._summary = summary
        self._questions = questions

    def read(self) -> Sequence[Question]:
        """The questions."""
        return self._questions

    def cells(self, one: Question) -> tuple[str, ...]:
        """The cells of a row."""
        return one.cells

    def key(self, one: Question) -> int:
        """The number of the question."""
        return one.number

    def show_count(self) -> None:
        """Show the title of the list and the summary."""
        self.query_one(Listing).border_title = self._title
        self.query_one(TopLine).aside = self._summary

    def details(self, one: Question | None) -> str:
        """The question in full."""
        if one is None:
            return "Nothing to see here."
        return one.text

    def label(self, action: str) -> str | None:
        """The name of Enter where nothing can be opened."""
        if action == "open" and (self.chosen is None or self.chosen.opens is None):
            return "Back"
        return None

    def action_open(self) -> None:
        """Open the chosen question, or leave."""
        chosen = self.chosen
        if chosen is None or chosen.opens is None:
            self.dismiss(None)
        else:
            chosen.opens()


def results_of_test(results: Results) -> ResultsScreen:
    """The results of the test of a course."""
    rows = []
    for number, answer in enumerate(results.answers, 1):
        question = answer.question
        session = parse_code(question.code, find_game)
        others = len(question.right) - 1
        more = f", or {others} like it" if others else ""
        text = f"{question.code}\nTurn {len(session.plies) + 1}: {question.right[0]} is right{more}."
        cells = (str(number), question.idea, answer.result, clock(answer.seconds))
        rows.append(Question(number, cells, text))
    return ResultsScreen(results.title, results.summary, rows)


async def write_table(app: DuelboxApp, path: Path, table: Mapping[str, Any]) -> None:
    """Write a table to a file as JSON, and say so."""
    text = json.dumps(table, indent=1)
    try:
        await asyncio.to_thread(files.replace, path, f"{text}\n".encode())
    except OSError as error:
        app.warn(f"{path} cannot be written: {files.reason(error)}.")
    else:
        app.notify(f"Written to {path}.")
