"""The base of tables at which right moves are looked for: lessons, puzzles and mistakes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Generic, TypeVar

from duelbox.core.match import Match
from duelbox.core.model import player
from duelbox.core.news import Moved, News, PositionChanged
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Ply, Session
from duelbox.learn.course_test import CourseTest
from duelbox.learn.lessons import Course
from duelbox.learn.mistakes import Mistakes
from duelbox.learn.puzzles import Solving
from duelbox.learn.trial import Attempt
from duelbox.solve import why_no_verdict
from duelbox.solve.api import Analysis, Mark
from duelbox.solve.sentences import HINTS
from duelbox.store.settings import Settings
from duelbox.table.base import BaseTable
from duelbox.table.hints import next_hint
from duelbox.table.players import names_for_reader
from duelbox.table.prompts import WORKING, Part, Prompts, Tone, match_prompts, saying, story
from duelbox.table.refusals import Refusals, unless
from duelbox.table.state import TableState
from duelbox.table.verb import Verb, Verbs

TAKEN_BACK = 8.0
"""Seconds after which a wrong attempt is taken back by itself."""
LINE = 56
"""The characters of a line in the smallest window."""
JUDGING = 0.1
"""Seconds that an attempt may take before the table says that it is being worked out."""

Trial = Course | CourseTest | Solving | Mistakes
"""Positions at which the right move is looked for, one after the other: each has a `session`, the task in a sentence
(`asked`), the `right` moves, the `analysis` that hints are made of, and takes an `attempt`."""
T = TypeVar("T", bound=Trial)

TRIAL_VERBS = Verbs()
"""The verbs of all trials; each kind has more."""


class TrialTable(BaseTable, Generic[T]):
    """Positions at which a right move is looked for: a wrong attempt is answered and taken back, a right one leads on.

    The trial judges each move.
    """

    verbs: ClassVar[Mapping[str, Verb]] = TRIAL_VERBS
    NAME: ClassVar[str]
    """The kind of trial, as the player reads it."""

    def __init__(self, trial: T) -> None:
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

    # -- the words that differ between lessons, puzzles and mistakes

    def title(self, settings: Settings) -> str:
        """The kind of trial."""
        return self.NAME

    @property
    def heading(self) -> str:
        """The place in the trial in plain words, as a line above the position."""
        return self.place.replace(" · ", ", ")

    @property
    def commands(self) -> Mapping[str, str]:
        """The commands that do the same as verbs at the end."""
        return {}

    @property
    def place(self) -> str:
        """The place in the trial, at the end of the top line."""
        raise NotImplementedError

    @property
    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        raise NotImplementedError

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The note at the end, the prompt and its parts."""
        raise NotImplementedError

    def advance(self, state: TableState) -> bool:
        """Go to the next position; False at the end."""
        return self.trial.go_on()

    def keep(self) -> None:
        """Save unfinished work, after an attempt or help; most trials are saved at their end alone."""

    def leave_end(self, state: TableState) -> None:
        """Go on from the end."""
        state.frontend.open("leave")

    def labels(self) -> Mapping[str, str]:
        """The names of keys that change: Enter goes on after an attempt."""
        return {"play": "Go on"} if self.attempt is not None or self.over else {}

    # -- the position

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

    @property
    def forced(self) -> str:
        """Empty: also the only move is to be found."""
        return ""

    @property
    def to_be_judged(self) -> bool:
        """False: the trial judges each move."""
        return False

    def rings(self, change: News) -> bool:
        """No bell: an answer follows at once."""
        return False

    async def play(self, move: str) -> None:
        """Let the trial judge a move in a thread, and wait a moment for the result; raises MoveError."""
        self.judging = asyncio.create_task(self._judge(move))
        judged, _ = await asyncio.wait((self.judging,), timeout=JUDGING)
        for task in judged:
            task.result()

    async def _judge(self, move: str) -> None:
        try:
            self.attempt = await asyncio.to_thread(self.trial.attempt, move)
        finally:
            self.judging = None
        self.keep()
        known = len(self.session.plies)
        self.session = self.attempt.played
        self._tell(self.session.plies[known:])

    def _tell(self, plies: tuple[Ply, ...]) -> None:
        """Report these turns as news; without any, that the position has changed."""
        self.happened += [Moved(ply.seat, ply) for ply in plies] or [PositionChanged()]

    def lay(self) -> None:
        """Show the trial's position, for another attempt or after the answer to a right one."""
        before = self.session
        at_hand = self.trial.session
        if at_hand.turn is not None:
            at_hand.names = names_for_reader(at_hand.names, at_hand.turn)
        self.session = at_hand.copy()
        self.attempt = None
        self.over = False
        self.players = people_in(self.session)
        # the seeker stays while a right move is shown, which may end the game
        self.sitters = () if self.session.turn is None else (self.session.turn,)
        follows = before.options == self.session.options and self.session.moves[: len(before.moves)] == before.moves
        self._tell(self.session.plies[len(before.plies) :] if follows else ())

    def go_on(self, state: TableState) -> None:
        """Show the next position, or the end."""
        if self.advance(state):
            self.lay()
        else:
            self.finish()

    def finish(self) -> None:
        """Show the end."""
        self.over = True
        self.happened.append(PositionChanged())

    def show_result_late(self, state: TableState) -> None:
        """Show the result of an attempt when it is judged, as that takes long; a wrong one is taken back later."""
        if self.judging is not None:
            state.frontend.run(self._show_late(state, self.judging))

    async def _show_late(self, state: TableState, judging: asyncio.Task[None]) -> None:
        await judging
        state.heard(*self.take_news())
        self.take_back_later(state)

    def take_back_later(self, state: TableState) -> None:
        """Take a wrong attempt back after a while."""
        attempt = self.attempt
        if attempt is not None and not attempt.right:
            asyncio.get_running_loop().call_later(TAKEN_BACK, self._take_back, state, attempt)

    def _take_back(self, state: TableState, attempt: Attempt) -> None:
        if self.attempt is attempt:  # the player has not gone on meanwhile
            self.lay()
            state.heard(*self.take_news())

    # -- prompts

    def why_not_typed(self, state: TableState) -> str:
        """Empty: no words are needed for a character that cannot be typed now."""
        return ""

    def _asked(self) -> str:
        """The question of the trial; the player who sits here is "you"."""
        you, asked = self.voice.you, self.trial.asked
        if you is not None:
            for name in (player(you), self.session.names[you]):
                asked = asked.replace(f"{name} to move and", "Your move:")
                asked = asked.replace(f"{name} played", "You played")
        return self.session.named(asked)

    def spoken(self, text: str) -> str:
        """A text as the other side says it, or with its name."""
        return self.session.named(text)

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The question, the result of an attempt, or the end; after an attempt any unused key goes on."""
        if self.looking:
            shown = match_prompts(state, refusals)
            said = self.spoken(saying(state))
            if said:  # the task stays to be read, in the place of the last turn
                shown = replace(shown, story=((None, brief(self._asked())), *shown.story))
            return replace(shown, note=said or self._asked(), aside=self.place, labels=self.labels())
        if self.over:
            note, prompt, parts = self.end()
            shown = Prompts(prompt, parts, state.said or note, refusals, tone="ended", any_key="play")
        elif self.attempt is None:
            shown = Prompts("", (), WORKING, refusals)
        else:
            shown = self._result(state, refusals, self.attempt)
        return replace(shown, aside=self.place, labels=self.labels(), story=story(state))

    def _result(self, state: TableState, refusals: Refusals, attempt: Attempt) -> Prompts:
        """The result of an attempt, and how to go on."""
        prompt = "Right"
        enter = self.way_on
        note = f"{attempt.move} is right. {attempt.sentence}"
        tone: Tone = ""
        if not attempt.right:
            prompt = "Not yet"
            enter = "try again"
            note = f"{attempt.sentence} {self._asked()}"
            tone = "refused"
        parts = ((f"Enter: {enter}", "play"),)
        note = state.said or note.strip()
        return Prompts(prompt, parts, note, refusals, line=attempt.move, tone=tone, any_key="play")


def brief(task: str) -> str:
    """A task in one line: all of it, or as many of its last sentences as fit; the house rules are left out first."""
    if len(task) > LINE:
        task = task.partition(" House rules: ")[0]
    sentences = task.replace("? ", "?\n").replace(". ", ".\n").split("\n")
    while len(sentences) > 1 and len(" ".join(sentences)) > LINE:
        del sentences[0]
    return " ".join(sentences)


def people_in(session: Session) -> tuple[PlayerInfo, PlayerInfo]:
    """Two people with the names in a session."""
    one, two = session.names
    return PlayerInfo(name=one), PlayerInfo(name=two)


def while_looking(table: TrialTable[Any], state: TableState) -> str | None:
    """Refuses a verb unless a move is looked for."""
    return unless(table.looking)


def at_the_end(table: TrialTable[Any], state: TableState) -> str | None:
    """Refuses a verb until all is done."""
    return unless(table.over)


@TRIAL_VERBS.verb("enter", "Play")
async def play(table: TrialTable[Any], state: TableState) -> None:
    """Try the move in the line; after an attempt, go on; at the end, leave."""
    attempt = table.attempt
    if table.over:
        table.leave_end(state)
    elif table.looking:
        await state.play_line()
        if table.judging is None:
            table.take_back_later(state)
        else:
            table.show_result_late(state)
    elif attempt is not None and attempt.right:
        table.go_on(state)
    elif attempt is not None:
        table.lay()


@TRIAL_VERBS.verb("h", "Hint", while_looking, help="a question; then an idea; then the move")
def hint(table: TrialTable[Any], state: TableState) -> None:
    """Give the next of three hints; after a wrong attempt they continue."""
    trial = table.trial
    state.hint_step = trial.hint_step
    if state.hint_step < HINTS:
        trial.hinted()
        table.keep()
    if trial.analysis is None:
        state.say(why_no_verdict(table.game.INFO.id))
    else:
        next_hint(state)


@TRIAL_VERBS.verb("a", "Answer", while_looking, help="the move")
def answer(table: TrialTable[Any], state: TableState) -> None:
    """Put a right move into the line."""
    move = table.trial.right[0]
    table.trial.answered()
    table.keep()
    state.set_line(move, pointed=True)
    state.say(f"Play {move}.")


@TRIAL_VERBS.verb("n", "Next", while_looking)
def skip(table: TrialTable[Any], state: TableState) -> None:
    """Skip this position."""
    table.go_on(state)


TRIAL_VERBS.place("help", "question_mark", "Rules", display="?", help="this list")
TRIAL_VERBS.place("leave", "escape,q", "Leave", display="esc", word="quit", help="leave")
TRIAL_VERBS.place("rules", help="the rules of the game")
TRIAL_VERBS.place("board", help="the position")
