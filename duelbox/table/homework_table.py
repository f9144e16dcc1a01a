"""A position of homework at a table; every attempt and every help is kept, so that it goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, ClassVar

from duelbox.learn.homework import HOMEWORK, Helped, Homework, Right, ToDo
from duelbox.learn.puzzle_results import result_of, resume
from duelbox.learn.puzzles import Solving
from duelbox.table.prompts import Part
from duelbox.table.puzzle_table import remember_result
from duelbox.table.state import TableState
from duelbox.table.trial_table import TRIAL_VERBS, TrialTable
from duelbox.table.verb import Verb, Verbs

HOMEWORK_VERBS = Verbs(TRIAL_VERBS)
"""The verbs of homework."""
Remember = Callable[[str, str, dict[str, Any]], None]
FOUND = {Right: "Right at once.", Helped: "Right, with help."}


class HomeworkTable(TrialTable[Solving]):
    """A position of homework; its end leads to the next one, or to the line to hand in."""

    verbs: ClassVar[Mapping[str, Verb]] = HOMEWORK_VERBS
    NAME = "Homework"

    def __init__(self, homework: Homework, index: int, remember: Remember) -> None:
        """Begin a position, or go on with it; `remember` saves an entry of progress."""
        solving, before = Solving(homework.set.puzzles[index]), homework.results.get(index)
        self._began = monotonic()
        if before is not None:
            resume(solving, before)
            self._began -= before.seconds
        super().__init__(solving)
        self.homework = homework
        self.index = index
        self._remember = remember

    @property
    def place(self) -> str:
        """The name of the set, the number of the position, and its grade."""
        of = self.homework.set
        return f"{of.name} · {self.index + 1} of {len(of.puzzles)}  {'★' * self.trial.puzzle.grade}"

    @property
    def heading(self) -> str:
        """The name of the set, the number of the position, and its grade."""
        of = self.homework.set
        return f"{of.name}, position {self.index + 1} of {len(of.puzzles)}, grade {self.trial.puzzle.grade} of 5"

    @property
    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        return "the result" if self.trial.done else "go on"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The result in words, and a sign for each position."""
        signs = self.homework.signs
        found = FOUND.get(signs[self.index], "Right, but not at once.")
        done = len(signs) - signs.count(ToDo)
        follows = "the line to hand in" if self.homework.done else "next position"
        return f"{found} {done} of {len(signs)} done: {signs}", "Solved", ((f"Enter: {follows}", "play"),)

    def keep(self) -> None:
        """Save the result so far."""
        stored = self.homework.note(self.index, result_of(self.trial, monotonic() - self._began))
        self._remember(HOMEWORK, self.homework.key(self.index), stored)

    def advance(self, state: TableState) -> bool:
        """Go to the next move; at the end, the result counts as that of any puzzle."""
        if self.trial.go_on():
            return True
        remember_result(self.trial.puzzle, self.homework.results[self.index], self._remember)
        return False

    def leave_end(self, state: TableState) -> None:
        """Go from the result to the next position, or to the line to hand in."""
        state.frontend.open("next")


HOMEWORK_VERBS.place("skip", "n", "Next", opens="next", title="Next position", help="the next position")
