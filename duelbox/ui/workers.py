"""Computers and solvers at work in threads; what they find comes back as messages with a stamp."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from duelbox.core.chance import chance
from duelbox.core.session import Session
from duelbox.solve.api import Stop, Stopped
from duelbox.ui.messages import Analysed, Chosen, GaveUp, RoundDue
from duelbox.ui.terminal import in_background

if TYPE_CHECKING:
    from textual.screen import Screen

    from duelbox.ui.table_state import TableState

# A verdict that takes longer than this is not worth waiting for at the table.
SECONDS = 30.0


class Workers:
    """At most one at a time; a new one stops the old one."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._stop: Stop | None = None
        self._work: tuple[str, Session, int] | None = None

    def stop(self) -> None:
        """End whatever is being thought about."""
        if self._stop is not None:
            self._stop.stop()
        self._stop = self._work = None

    def _begin(self, kind: str, session: Session) -> Stop | None:
        """A fresh stop flag, or None where this very work is under way."""
        work = (kind, session, session.stamp)
        if self._work == work:
            return None
        self.stop()
        self._work = work
        # A verdict may fail to come; a computer has to move, however long that takes.
        self._stop = Stop(SECONDS if kind == "analyse" else None)
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
            stamp, view = session.stamp, session.view(session.turn)
            self._screen.run_worker(in_background(lambda: self._analyse(session, stamp, view, stop)))

    def _analyse(self, session: Session, stamp: int, view: object, stop: Stop) -> None:
        from duelbox.solve import stream

        try:
            for analysis in stream(session.game, view, stop):
                self._screen.post_message(Analysed(session, stamp, analysis))
        except Stopped:
            if not stop.asked:
                self._screen.post_message(GaveUp(session, stamp))

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
