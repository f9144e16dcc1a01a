"""A person sits an exam: one question after the other, each answer kept at once, nothing told before the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from duelbox.core.model import player
from duelbox.core.session import Session
from duelbox.exam.paper import Paper, PaperQuestion
from duelbox.solve.api import Analysis

SITTING = "exam"
"""The kind of progress that an answer is, under the id of its question."""
POSITIONS = 20
"""The positions that a person is asked, unless they want more."""


class Sitting:
    """The questions of a paper with a person's answers so far; at the table it is the question at hand."""

    right: Sequence[str] = ()
    """Empty: nothing is told of the right moves."""
    analysis: Analysis | None = None
    hint_step = 0

    def __init__(self, seed: int, positions: int, kept: Mapping[str, Any]) -> None:
        """`kept` are answers by the ids of their questions, those to other papers among them."""
        self.seed = seed
        self.questions = Paper(seed, positions).questions
        self.answers: dict[str, str] = {}
        """The moves by the ids of their questions."""
        for question in self.questions:
            answer = kept.get(question.id)
            if isinstance(answer, str) and answer in question.values:
                self.answers[question.id] = answer

    @property
    def done(self) -> bool:
        """All questions are answered."""
        return len(self.answers) == len(self.questions)

    @property
    def number(self) -> int:
        """The number of the question at hand, from 1."""
        for number, question in enumerate(self.questions, 1):
            if question.id not in self.answers:
                return number
        return len(self.questions)

    @property
    def question(self) -> PaperQuestion:
        """The question at hand: the first one without an answer, or the last of all."""
        return self.questions[self.number - 1]

    @property
    def session(self) -> Session:
        """The position of the question at hand."""
        return self.question.session

    @property
    def asked(self) -> str:
        """The task."""
        task = f"{player(self.question.session.state.mover)} to move and do as well as you can."
        rules = self.session.options.in_words
        if rules:
            task = f"{task} House rules: {rules}."
        return task

    def answer(self, move: str) -> str:
        """Take the answer to the question at hand, and return the id of that question; raises MoveError."""
        question = self.question
        self.answers[question.id] = question.game.format_move(question.session.parse(move))
        return question.id
