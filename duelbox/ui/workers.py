"""Computers and solvers at work in threads; what they find comes back as messages with a stamp."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from duelbox.core.chance import chance
from duelbox.core.session import Session
from duelbox.solve.api import Stop, Stopped
from duelbox.ui.messages import Analysed, Answer, Chosen, GaveUp, RoundDue, Turned
from duelbox.ui.terminal import in_background

if TYPE_CHECKING:
    from textual.screen import Screen

    from duelbox.ui.table_state import TableState

# A verdict that takes longer than this is not worth waiting for at the table.
SECONDS = 30.0
MOMENT = 0.012
"""So long the screen waits for an answer before it says that it is being worked out."""
BETWEEN = 0.2
"""Seconds between two answers of a solver that go on rating moves."""


class Workers:
    """At most one at a time; a new one stops the old one."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._stop: Stop | None = None
        self._work: tuple[str, Session, int] | None = None
        self._answered = asyncio.Event()

    def stop(self) -> None:
        """End whatever is being thought about."""
        if self._stop is not None:
            self._stop.stop()
        self._stop = self._work = None
        self._answered.set()

    def _begin(self, kind: str, session: Session) -> Stop | None:
        """A fresh stop flag, or None where this very work is under way."""
        work = (kind, session, session.stamp)
        if self._work == work:
            return None
        self.stop()
        self._work = work
        # A verdict may fail to come; a computer has to move, however long that takes.
        self._stop = Stop(SECONDS if kind in ("analyse", "look back") else None)
        return self._stop

    def set_to_work(self, state: TableState, delay: int) -> None:
        """Let whoever has something to do begin, and nobody else; computers wait `delay` milliseconds."""
        sitting, session = state.sitting, state.sitting.session
        if state.paused and not sitting.people:
            self.stop()
        elif sitting.computer_to_move:
            assert session.turn is not None
            level = sitting.who(session.turn).level
            assert level is not None
            self.choose(session, level, delay)
        elif sitting.goes_on:
            self.wait(session, delay)
        elif state.wants_analysis:
            self.analyse(session)
        elif state.wants_turned:
            self.look_back(session)
        else:
            self.stop()

    def wait(self, session: Session, delay: int) -> None:
        """Wait until the next round of a match between computers."""
        stop = self._begin("wait", session)
        if stop is not None:
            stamp = session.stamp
            self._screen.run_worker(in_background(lambda: self._wait(session, stamp, delay, stop)))

    def _wait(self, session: Session, stamp: int, delay: int, stop: Stop) -> None:
        with suppress(Stopped):
            _pass_time(monotonic() + delay / 1000, stop)
            self._screen.post_message(RoundDue(session, stamp))

    def analyse(self, session: Session) -> None:
        """Work out the verdict of the position, for the player to move."""
        stop = self._begin("analyse", session)
        if stop is not None:
            stamp, view, self._answered = session.stamp, session.view(session.turn), asyncio.Event()
            loop, answered = asyncio.get_running_loop(), self._answered

            def tell(answer: Answer) -> None:
                self._screen.post_message(answer)
                loop.call_soon_threadsafe(answered.set)

            self._screen.run_worker(in_background(lambda: self._analyse(session, stamp, view, stop, tell)))

    async def a_moment(self) -> None:
        """Wait for a quick answer, so that it is drawn with the question."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MOMENT):
                await self._answered.wait()

    def _analyse(self, session: Session, stamp: int, view: object, stop: Stop, tell: Callable[[Answer], None]) -> None:
        from duelbox.solve import stream

        told, last = float("-inf"), None
        try:
            for last in stream(session.game, view, stop):
                if last.complete or monotonic() - told >= BETWEEN:
                    tell(Analysed(session, stamp, last))
                    told, last = monotonic(), None
            given_up = False
        except Stopped:
            given_up = not stop.asked
        if last is not None:
            tell(Analysed(session, stamp, last))
        if given_up:
            tell(GaveUp(session, stamp))

    def look_back(self, session: Session) -> None:
        """Work out where the game turned."""
        stop = self._begin("look back", session)
        if stop is not None:
            stamp, played = session.stamp, session.copy()
            self._screen.run_worker(in_background(lambda: self._look_back(session, stamp, played, stop)))

    def _look_back(self, session: Session, stamp: int, played: Session, stop: Stop) -> None:
        from duelbox.learn.turning import summary, turning_points

        with suppress(Stopped):
            self._screen.post_message(Turned(session, stamp, summary(turning_points(played, stop=stop))))

    def choose(self, session: Session, level: str, delay: int) -> None:
        """Let the computer choose its move; it takes at least `delay` milliseconds."""
        stop = self._begin("choose", session)
        if stop is not None:
            stamp, view = session.stamp, session.view(session.turn)
            self._screen.run_worker(in_background(lambda: self._choose(session, stamp, view, level, delay, stop)))

    def _choose(self, session: Session, stamp: int, view: object, level: str, delay: int, stop: Stop) -> None:
        from duelbox.bots import choose

        until = monotonic() + delay / 1000
        try:
            choice = choose(session.game, view, level, seed=chance(), stop=stop)
            _pass_time(until, stop)
        except Stopped:
            return
        self._screen.post_message(Chosen(session, stamp, choice.move, choice.why))


def _pass_time(until: float, stop: Stop) -> None:
    """Wait until then; raises Stopped."""
    while (left := until - monotonic()) > 0:
        stop.check()
        sleep(min(left, 0.05))
    stop.check()
