"""The base of a table at which positions play themselves, one after the other, and are told in a sentence each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from duelbox.core.errors import DuelboxError
from duelbox.core.match import Match
from duelbox.core.news import PositionChanged
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.solve.api import Stop, Stopped
from duelbox.solve.sentences import TOO_LONG
from duelbox.table.base import BaseTable
from duelbox.table.proof_frames import Frame
from duelbox.table.state import TableState
from duelbox.table.story import Line, turn_line

SHOWN = 0.2
"""Seconds that a position which plays itself is shown, at most."""
ALL_SHOWN = 3.0
"""Seconds that all such positions between two questions take, at most."""
MOST_FRAMES = 30
"""At most so many positions play themselves on the board in a row; the first ones are left out."""
JUDGING = 0.1
"""Seconds that an answer may take before the table says that it is being worked out."""
MOST_SECONDS = 30.0
"""Seconds after which a position is given up."""
TOLD = 8
"""So many sentences on what happened are kept."""

Work = Callable[[Stop], Callable[[], None]]
"""Works something out in a thread, and returns what takes the result in."""
P = TypeVar("P", bound=str)


class PlayingTable(BaseTable, Generic[P]):
    """A deal with positions after it; `phase` says what is done, and is `playing` while positions play themselves."""

    playing: P
    """The phase while positions play themselves."""

    def __init__(self, deal: Session, players: tuple[PlayerInfo, PlayerInfo], phase: P) -> None:
        self.deal = deal.copy()
        super().__init__(self.deal.copy(), players, Match(), deal.options)
        self.phase = phase
        self.frames: list[Frame] = []
        """The positions that still play themselves."""
        self.frame: Frame | None = None
        """The one that is shown."""
        self.told: list[Line] = []
        """The sentences on what happened, the latest last."""
        self.working: asyncio.Task[None] | None = None
        """The task that works out what follows an answer."""
        self.stop = Stop()
        """Ends what is worked out when the table is left."""
        self._then = phase
        self._pace = SHOWN

    def arrive(self, phase: P) -> None:
        """Go on to a phase, with its position on the board."""
        raise NotImplementedError

    def keep(self) -> None:
        """Save what was reached."""
        raise NotImplementedError

    # -- positions

    def lay(self, moves: Sequence[str]) -> None:
        """Show the position after these moves."""
        self.session = self.session_at(moves)
        self.happened.append(PositionChanged())

    def session_at(self, moves: Sequence[str]) -> Session:
        """The deal after these moves."""
        session = self.deal.copy()
        for move in moves:
            session.type(move)
        return session

    def line_of(self, moves: Sequence[str]) -> Line:
        """The sentence about the last of these moves."""
        session = self.session_at(moves)
        return turn_line(session, len(session.plies) - 1, self.voice)

    def tell(self, line: Line) -> None:
        """Add a sentence to those on what happened."""
        self.told = [*self.told, line][-TOLD:]

    # -- working things out

    async def work(self, work: Work) -> None:
        """Work something out in a thread, and wait a moment for the result, which is then taken in."""
        self.working = asyncio.create_task(self._take_in(work))
        done, _ = await asyncio.wait((self.working,), timeout=JUDGING)
        for task in done:
            task.result()

    async def _take_in(self, work: Work) -> None:
        try:
            take = await asyncio.to_thread(self._in_time, work)
        finally:
            self.working = None
        take()
        self.keep()
        self.happened.append(PositionChanged())

    def _in_time(self, work: Work) -> Callable[[], None]:
        """Work something out with a limit of time; raises DuelboxError if it takes longer."""
        stop = self.stop.within(MOST_SECONDS)
        stop.memory = self.stop.memory
        try:
            return work(stop)
        except Stopped:
            if self.stop.asked:
                return lambda: None  # the table was left
            raise DuelboxError(TOO_LONG) from None

    def show_on(self, state: TableState) -> None:
        """Let positions play themselves, now or when they are worked out."""
        if self.working is not None:
            state.frontend.run(self._show_late(state, self.working))
        else:
            self._show_now(state)

    async def _show_late(self, state: TableState, working: asyncio.Task[None]) -> None:
        try:
            await working
            self._show_now(state)
        except DuelboxError as error:
            state.say(error.sentence)
        await state.settle()

    def _show_now(self, state: TableState) -> None:
        if self.phase != self.playing:
            return
        if state.frontend.settings.animation == "none":
            self.finish_playing()
        else:
            self._next_later(state)

    # -- what plays itself

    def play_itself(self, frames: list[Frame], then: P) -> None:
        """Show these positions one after the other; then a phase follows."""
        self.frames = frames[-MOST_FRAMES:]
        self._then = then
        self._pace = min(SHOWN, ALL_SHOWN / max(1, len(self.frames)))
        if self.frames:
            self.phase = self.playing
            self._next_frame()
        else:
            self.arrive(then)

    def _next_later(self, state: TableState) -> None:
        asyncio.get_running_loop().call_later(self._pace, self._go_on, state, self.frames)

    def _go_on(self, state: TableState, frames: list[Frame]) -> None:
        """Show the next position, unless a key has ended it all."""
        if self.phase != self.playing or frames is not self.frames:
            return
        if frames:
            self._next_frame()
            self._next_later(state)
        else:
            self.arrive(self._then)
        state.heard(*self.take_news())

    def _next_frame(self) -> None:
        self.frame = self.frames.pop(0)
        self.lay(self.frame.moves)
        self.tell(self.frame.line)

    def finish_playing(self) -> None:
        """Tell all that still plays itself, and go on to what follows."""
        for frame in self.frames:
            self.tell(frame.line)
        if self.frames:
            self.lay(self.frames[-1].moves)
        self.frames = []
        self.arrive(self._then)
