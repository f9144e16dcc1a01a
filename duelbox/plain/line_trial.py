"""Lessons, puzzles and mistakes in lines."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.names import columns
from duelbox.core.news import Moved, News
from duelbox.core.session import Session
from duelbox.plain.console import Console
from duelbox.plain.line_table import LineTable, listed, words_of
from duelbox.store.store import Store
from duelbox.table.players import YOU
from duelbox.table.prompts import Prompts
from duelbox.table.trial_table import TrialTable
from duelbox.table.verb import Verb

_FIRST = ("help", "rules", "board")
"""The words that stand first in the help."""


class LineTrial(LineTable[TrialTable[Any]]):
    """A lesson, a puzzle or mistakes, in lines; after an attempt it goes on by itself."""

    _laid: tuple[Session | None, int] = (None, 0)
    """The position that was last told."""
    _heading = ""
    goes_on = False
    """The table was left for the next one."""
    to_test = False
    """The table was left for the test of its course."""

    def __init__(self, console: Console, store: Store, table: TrialTable[Any]) -> None:
        words = sorted(words_of(table.verbs), key=lambda verb: verb.id not in _FIRST)
        about = f"Type your move, or one of these words:\n{listed(words)}"
        super().__init__(console, table, about)
        self._store = store

    def to_the_end(self) -> bool:
        """Show the table until it ends or the player leaves; True if the next one is to follow."""
        asyncio.run(self.play())
        return self.goes_on

    def greet(self) -> None:
        """Say what this is."""
        self.say_as_is(f"{self.table.NAME}: {self.table.game.INFO.title}. Type help at any question.")

    async def _answer(self, line: str) -> None:
        await super()._answer(line)
        if self.table.judging is not None:
            await self.table.judging
            await self.state.settle()

    def why_not(self, verb: Verb) -> str | None:
        """The sentence that refuses a word now; None if it is allowed."""
        works = verb.refuse(self.state) is None
        return None if works else "There is no step before this one."

    # -- the frontend of a table

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        """Save progress; a failure is told."""
        try:
            self._store.progress.add(kind, key, dict(value))
        except DuelboxError as error:
            self.say_as_is(error.sentence)

    def open_leave(self) -> None:
        """Leave, at the end perhaps for another one."""
        self.goes_on = self.table.over
        self.quit()

    def open_next(self) -> None:
        """Leave for the next one."""
        self.goes_on = True
        self.quit()

    def open_test(self) -> None:
        """Leave for the test of the course."""
        self.to_test = True
        self.quit()

    def open_results(self) -> None:
        """Tell the results of a test as a list, and leave."""
        rows = [("Question", "Idea", "Result", "Time"), *self.table.trial.results.rows()]
        self.say_as_is("\n".join(columns(rows)))
        self.quit()

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Tell the result of an attempt, or the end with its ways on as commands, and go on."""
        super().show(prompts, news)
        if not news or self.table.looking:
            return
        if self.table.over:
            self.say_as_is(f"\n{prompts.note}{self._ways_on(prompts)}\n")
        else:
            self.say_as_is(prompts.note)
        self.run(self.state.do("play"))

    def _ways_on(self, prompts: Prompts) -> str:
        """The ways on from the end, as commands, each in a line."""
        known = self.table.commands
        ways = [(text.partition(": ")[2], known[verb]) for text, verb in prompts.parts if verb in known]
        return "".join(f"\n{text.capitalize()}: {command} --plain" for text, command in ways)

    # -- telling

    def tell(self, change: News) -> None:
        """Tell a move that was tried, and its answer."""
        if isinstance(change, Moved):
            self.say_as_is(self.story(change.ply))

    def tell_turn(self) -> None:
        """Tell the position and the task, unless it is the same as before a wrong attempt."""
        trial, session = self.table.trial, self.state.session
        laid = trial.session, trial.session.stamp
        if self._laid == laid:
            return
        heading = self.table.heading
        if self._heading != heading:
            self.say_as_is(f"\n{heading}")
        self._laid = laid
        self._heading = heading
        self.tell_board()
        name = session.names[session.turn or 0]
        note = self.state.prompts.note
        if name != YOU:
            note = f"You are {name}. {note}"
        self.say_as_is(note)
