"""The base of tasks with right moves to find at a table: lessons, puzzles and mistakes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from duelbox.core.match import Match
from duelbox.core.model import player
from duelbox.core.news import Moved, News, PositionChanged
from duelbox.learn.lessons import Course
from duelbox.learn.mistakes import Mistakes
from duelbox.learn.puzzles import Solving
from duelbox.learn.trial import Attempt
from duelbox.solve import why_no_verdict
from duelbox.solve.api import Analysis, Mark
from duelbox.solve.sentences import HINTS
from duelbox.table.base import BaseTable
from duelbox.table.hints import next_hint
from duelbox.table.prompts import WORKING, Part, Prompts, Refusals, Tone, saying, story
from duelbox.table.state import TableState
from duelbox.table.task import VerbTask, people_in, verb

TAKEN_BACK = 8.0
"""Seconds after which a wrong attempt is taken back by itself."""
JUDGING = 0.1
"""Seconds that an attempt may take before the table says that it is being worked out."""

Trial = Course | Solving | Mistakes
"""Positions at which the right move is looked for, one after the other: each has a `session`, the task in a sentence
(`asked`), the `right` moves, the `analysis` that hints are made of, and takes an `attempt`."""
T = TypeVar("T", bound=Trial)


class TrialTable(BaseTable):
    """A position at which a right move is looked for; the trial judges each move."""

    def __init__(self, trial: Trial) -> None:
        session = trial.session
        super().__init__(session, people_in(session), Match(), session.options)
        self.trial = trial
        self.attempt: Attempt | None = None
        """The last attempt, while its result is shown."""
        self.judging: asyncio.Task[None] | None = None
        """The task that judges an attempt."""
        self.over = False
        """All is done, and the end is shown."""
        self.lay()
        self.happened.clear()

    @property
    def looking(self) -> bool:
        """A move is looked for: no attempt is judged or shown, and it is not the end."""
        return self.attempt is None and self.judging is None and not self.over

    @property
    def my_turn(self) -> bool:
        """A move may be tried."""
        return self.looking

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position, which hints are made of."""
        return self.trial.analysis if self.looking else None

    @property
    def shown(self) -> tuple[Mark, ...]:
        """The drawing of what a right move is good for, while its result is shown."""
        return self.attempt.shown if self.attempt else ()

    def rings(self, one: News) -> bool:
        """No bell: an answer follows at once."""
        return False

    async def play(self, move: str) -> None:
        """Let the trial judge a move in a thread, and wait a moment for the result; raises MoveError."""
        self.judging = asyncio.create_task(self._judge(move))
        judged, _ = await asyncio.wait((self.judging,), timeout=JUDGING)
        for one in judged:
            one.result()

    async def _judge(self, move: str) -> None:
        try:
            self.attempt = await asyncio.to_thread(self.trial.attempt, move)
        finally:
            self.judging = None
        new = self.attempt.played.plies[len(self.session.plies) :]
        self.session = self.attempt.played
        self.happened += [Moved(ply.seat, ply) for ply in new] or [PositionChanged()]

    def lay(self) -> None:
        """Show the trial's position, for another attempt or after the answer to a right one."""
        before, self.session = self.session, self.trial.session.copy()
        self.attempt, self.over = None, False
        self.players = people_in(self.session)
        # the seeker stays while a right move is shown, which may end the game
        self.sitters = () if self.session.turn is None else (self.session.turn,)
        known = len(before.plies)
        follows = before.options == self.session.options and self.session.moves[: len(before.moves)] == before.moves
        answers = self.session.plies[known:] if follows else ()
        self.happened += [Moved(ply.seat, ply) for ply in answers] or [PositionChanged()]

    def end(self) -> None:
        """Show the end."""
        self.over = True
        self.happened.append(PositionChanged())


def looking(task: TrialTask[Any]) -> bool:
    """A move is looked for."""
    return task.table.looking


def at_end(task: TrialTask[Any]) -> bool:
    """All is done."""
    return task.table.over


class TrialTask(VerbTask, Generic[T]):
    """A task with right moves to find: a wrong attempt is answered and taken back, a right one leads on."""

    def __init__(self, trial: T) -> None:
        self.trial = trial
        self.table = TrialTable(trial)

    # -- differences between lessons, puzzles and mistakes

    @property
    def heading(self) -> str:
        """The place in the task in plain words, as a line above the position."""
        return self.aside().replace(" · ", ", ")

    @property
    def commands(self) -> Mapping[str, str]:
        """The commands that do the same as verbs at the end."""
        return {}

    def aside(self) -> str:
        """The end of the top line."""
        raise NotImplementedError

    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        raise NotImplementedError

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The note at the end, the prompt and its parts."""
        raise NotImplementedError

    def advance(self, state: TableState) -> bool:
        """Go to the next position; False at the end."""
        return self.trial.go_on()

    def labels(self) -> Mapping[str, str]:
        """The names of keys that change: Enter goes on after an attempt."""
        return {"play": "Go on"} if self.table.attempt is not None or self.table.over else {}

    # -- prompts

    def _asked(self, state: TableState) -> str:
        """The question of the task; the player who sits here is "you"."""
        you, asked = state.table.voice.you, self.trial.asked
        if you is not None:
            asked = asked.replace(f"{player(you)} to move and", "Your move:")
            asked = asked.replace(f"{player(you)} played", "You played")
        return state.session.named(asked)

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The question, the result of an attempt, or the end; after an attempt any unused key goes on."""
        attempt, aside, labels, lines = self.table.attempt, self.aside(), self.labels(), story(state)
        if self.table.over:
            note, prompt, parts = self.end()
            note = state.said or note
            return Prompts(prompt, parts, note, refusals, aside, labels, tone="ended", story=lines, any_key="play")
        if self.table.judging is not None:
            return Prompts("", (), WORKING, refusals, aside, labels, story=lines)
        if attempt is None:
            note = state.session.named(saying(state)) or self._asked(state)
            return replace(super().prompts(state, refusals), note=note, aside=aside, labels=labels)
        if attempt.right:
            prompt, enter, note = "Right", self.way_on(), f"{attempt.move} is right. {attempt.sentence}"
        else:
            prompt, enter, note = "Not yet", "try again", f"{attempt.sentence} {self._asked(state)}"
        note = state.said or note.strip()
        tone: Tone = "" if attempt.right else "refused"
        parts = ((f"Enter: {enter}", "play"),)
        return Prompts(prompt, parts, note, refusals, aside, labels, attempt.move, tone, lines, any_key="play")

    # -- verbs

    @verb("enter", "Play")
    async def play(self, state: TableState) -> None:
        """Try the move in the line; after an attempt, go on; at the end, leave."""
        table = self.table
        if table.over:
            self.leave_end(state)
        elif table.looking:
            await state.play_line()
            if table.judging is None:
                self._take_back_later(state)
            else:
                state.frontend.run(self._show_late(state, table.judging))
        elif table.attempt is not None and table.attempt.right:
            self.go_on(state)
        elif table.attempt is not None:
            table.lay()

    async def _show_late(self, state: TableState, judging: asyncio.Task[None]) -> None:
        """Show the result of an attempt that took long to judge."""
        await judging
        state.heard(*self.table.take_news())
        self._take_back_later(state)

    def _take_back_later(self, state: TableState) -> None:
        """Take a wrong attempt back after a while."""
        if (attempt := self.table.attempt) is not None and not attempt.right:
            asyncio.get_running_loop().call_later(TAKEN_BACK, self._take_back, state, attempt)

    def _take_back(self, state: TableState, attempt: Attempt) -> None:
        if self.table.attempt is attempt:  # the player has not gone on meanwhile
            self.table.lay()
            state.heard(*self.table.take_news())

    def go_on(self, state: TableState) -> None:
        """Show the next position, or the end."""
        if self.advance(state):
            self.table.lay()
        else:
            self.table.end()

    def leave_end(self, state: TableState) -> None:
        """Go on from the end."""
        self.leave(state)

    @verb("h", "Hint", when=looking, in_lines="a question; then an idea; then the move")
    def hint(self, state: TableState) -> None:
        """Give the next of three hints; after a wrong attempt they continue."""
        state.hint_step = self.trial.hint_step
        if state.hint_step < HINTS:
            self.trial.hinted()
        if self.trial.analysis is None:
            state.say(why_no_verdict(self.table.game.INFO.id))
        else:
            next_hint(state)

    @verb("a", "Answer", when=looking, in_lines="the move")
    def answer(self, state: TableState) -> None:
        """Put a right move into the line."""
        move = self.trial.right[0]
        self.trial.answered()
        state.set_line(move, pointed=True)
        state.say(f"Play {move}.")

    @verb("n", "Next", when=looking)
    def next(self, state: TableState) -> None:
        """Skip this position."""
        self.go_on(state)

    @verb("question_mark", "Rules", display="?")
    def help(self, state: TableState) -> None:
        """Open the rules of the game."""
        state.frontend.open("help")

    @verb("escape,q", "Leave", display="esc", alias="quit", in_lines="leave")
    def leave(self, state: TableState) -> None:
        """Return to the place that opened this task."""
        state.frontend.open("leave")
