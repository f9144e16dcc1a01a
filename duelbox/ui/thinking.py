"""Computers and solvers at work in threads; what they find comes back as messages with a stamp."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING

from duelbox.core.chance import chance
from duelbox.core.session import Session
from duelbox.solve.api import Stop, Stopped
from duelbox.ui.messages import Analysed, Chosen, GaveUp
from duelbox.ui.terminal import in_background

if TYPE_CHECKING:
    from textual.screen import Screen

# A verdict that takes longer than this is not worth waiting for at the table.
SECONDS = 30.0


class Thinker:
    """At most one search at a time; a new one stops the old one."""

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
            while (left := until - monotonic()) > 0:
                stop.check()
                sleep(min(left, 0.05))
            stop.check()
        except Stopped:
            return
        self._screen.post_message(Chosen(session, stamp, choice.move, choice.why))
