"""A question of an exam at a table: the answer is kept, nothing is told of it, and the next question follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from duelbox.exam.sitting import Sitting
from duelbox.table.prompts import Part
from duelbox.table.state import TableState
from duelbox.table.trial_table import TRIAL_VERBS, TrialTable
from duelbox.table.verb import Verb, Verbs

HELP = ("hint", "answer", "skip")
"""The verbs of other trials that tell something, or leave a question out."""
SITTING_VERBS = Verbs({name: verb for name, verb in TRIAL_VERBS.items() if name not in HELP})
"""The verbs of an exam."""


class SittingTable(TrialTable[Any]):
    """The question at hand; each question has a table of its own, as the next one may be of another game."""

    verbs: ClassVar[Mapping[str, Verb]] = SITTING_VERBS
    NAME = "Exam"
    trial: Sitting

    def __init__(self, sitting: Sitting, keep_answer: Callable[[str, str], None]) -> None:
        """`keep_answer` saves the answer to the question of an id."""
        super().__init__(sitting)
        self._keep_answer = keep_answer
        self._number = sitting.number

    @property
    def place(self) -> str:
        """The seed, and the number of the question."""
        return f"seed {self.trial.seed} · question {self._number} of {len(self.trial.questions)}"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The answer is kept, which is all that is told."""
        return "Your answer is kept.", "Answered", ()

    async def play(self, move: str) -> None:
        """Keep the answer; raises MoveError."""
        question = self.trial.answer(move)
        self._keep_answer(question, self.trial.answers[question])
        self.finish()


@SITTING_VERBS.verb("enter", "Answer")
async def play(table: SittingTable, state: TableState) -> None:
    """Answer with the move in the line, and go on to the next question."""
    if not table.over:
        await state.play_line()
    if table.over:
        state.frontend.open("next")
