"""Lessons, puzzles and mistakes in lines."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.news import Moved, News
from duelbox.core.session import Session
from duelbox.plain.console import Console
from duelbox.plain.table import LineTable, listed
from duelbox.store.store import Store
from duelbox.table.prompts import Prompts
from duelbox.table.trial import TrialTable, TrialTask
from duelbox.table.verbs import VERBS, Verb


class LineTrial(LineTable[TrialTable]):
    """A lesson, a puzzle or mistakes, in lines; after an attempt it goes on by itself."""

    _laid: tuple[Session | None, int] = (None, 0)
    """The position that was last told."""
    _heading = ""
    goes_on = False
    """The task was left for the next one."""

    def __init__(self, console: Console, store: Store, task: TrialTask[Any]) -> None:
        verbs = (*(VERBS[name] for name in ("help", "rules", "board")), *task.verbs.values())
        words = {verb: verb.in_lines for verb in verbs if verb.in_lines}
        about = f"Type your move, or one of these words:\n{listed(words)}"
        super().__init__(console, task.table, words, about, task)
        self._store, self._task = store, task

    def to_the_end(self) -> bool:
        """Show the task until it ends or the player leaves; True if the next one is to follow."""
        asyncio.run(self.play())
        return self.goes_on

    def greet(self) -> None:
        """Say what this is."""
        self.say_as_is(f"{self._task.place}: {self.table.game.INFO.title}. Type help at any question.")

    async def _answer(self, line: str) -> None:
        await super()._answer(line)
        if self.table.judging is not None:
            await self.table.judging
            await self.state.settle()

    def why_not(self, verb: Verb) -> str | None:
        """The sentence that refuses a word now; None if it is allowed."""
        works = verb.id in self.own or verb.why_not(self.state) is None
        return None if works else "There is no step before this one."

    # -- the frontend of a table

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        """Save progress; a failure is told."""
        try:
            self._store.progress.add(kind, key, dict(value))
        except DuelboxError as error:
            self.say_as_is(error.sentence)

    def open(self, place: str) -> None:
        """Leave the task, perhaps for the next one."""
        self.goes_on = place == "next" or self.table.over
        self.quit()

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Tell the result of an attempt, or the end with its ways on as commands, and go on."""
        super().show(prompts, news)
        if news and not self.table.looking:
            apart, known = "\n" * self.table.over, self._task.commands
            ways = [(text.partition(": ")[2], known[verb]) for text, verb in prompts.parts if verb in known]
            commands = (f"\n{text.capitalize()}: {command} --plain" for text, command in ways)
            self.say_as_is(f"{apart}{prompts.note}{''.join(commands)}{apart}")
            self.run(self.state.do("play"))

    # -- telling

    def tell(self, one: News) -> None:
        """Tell a move that was tried, and its answer."""
        if isinstance(one, Moved):
            self.say_as_is(self.story(one.ply))

    def tell_turn(self) -> None:
        """Tell the position and the task, unless it is the same as before a wrong attempt."""
        trial, session = self._task.trial, self.state.session
        if self._laid != (laid := (trial.session, trial.session.stamp)):
            if self._heading != (heading := self._task.heading):
                self.say_as_is(f"\n{heading}")
            self._laid, self._heading = laid, heading
            self.tell_board()
            self.say_as_is(f"You are {session.names[session.turn or 0]}. {self.state.prompts.note}")
