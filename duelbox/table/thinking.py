"""Computers and solvers at work in threads; each answer carries the stamp of the position it is for.

Before a move a computer waits `delay` milliseconds: a setting, see `duelbox/store/settings.py`. The words, such as
"Dash is thinking …", are in `duelbox/table/prompts.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Literal

from duelbox.bots import told_why
from duelbox.core.seeds import random_seed
from duelbox.core.session import Session
from duelbox.registry import GuestFault
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.table.end_card import keep_mistakes
from duelbox.table.hints import analysed

if TYPE_CHECKING:
    from duelbox.learn.turning_points import JudgedMove
    from duelbox.table.state import TableState

SECONDS = 30.0
"""A verdict that takes longer is given up."""
MOMENT = 0.012
"""Seconds that the screen waits for an answer before it says that it is being worked out."""
BETWEEN = 0.2
"""Seconds between two incomplete answers of a solver."""


@dataclass(eq=False)
class Answer:
    """Something that a worker found out about a position."""

    session: Session
    stamp: int

    async def take(self, state: TableState) -> None:
        """Let the table take it in, unless the position has changed since it was asked for."""
        if self.session is state.session and self.stamp == state.session.stamp:
            await self._take(state)

    async def _take(self, state: TableState) -> None:
        raise NotImplementedError


@dataclass(eq=False)
class Analysed(Answer):
    """An analysis of the solver, perhaps not yet complete; None if it has given up."""

    analysis: Analysis | None

    async def _take(self, state: TableState) -> None:
        analysed(state, self.analysis)
        state.push()


@dataclass(eq=False)
class Chosen(Answer):
    """The move that a computer chose."""

    move: str
    why: str
    remark: str = ""

    async def _take(self, state: TableState) -> None:
        table, number = state.table, len(state.session.plies) + 1
        if table.computer_to_move and not state.paused:
            made = state.session.parse(self.move)
            table.reasons[number] = made, told_why(made, self.why)
            table.remarked(number, made, self.remark if state.frontend.settings.voice and not made.secret else "")
            await state.or_say(lambda: state.take(self.move))


@dataclass(eq=False)
class MovesJudged(Answer):
    """The judged moves of a finished game."""

    judged: tuple[JudgedMove, ...]
    last: Analysis | None = None
    """The analysis of the position in which somebody resigned."""

    async def _take(self, state: TableState) -> None:
        state.judged, state.solved = self.judged, self.last
        keep_mistakes(state)
        state.push()


@dataclass(eq=False)
class Coached(Answer):
    """The worth that a person's last move gave away; empty if none."""

    lost: Literal["", "win", "draw"]

    async def _take(self, state: TableState) -> None:
        state.coach = self.lost
        if self.lost:
            await state.or_say(state.ask_help)
        state.push()


class RoundDue(Answer):
    """The next round of a match between computers is due."""

    async def _take(self, state: TableState) -> None:
        if state.table.runs_on and not state.paused:
            await state.do("rematch")


class Workers:
    """Runs one worker at a time; a new one stops the old one."""

    def __init__(
        self,
        tell: Callable[[Answer], object],
        start: Callable[[Callable[[], None]], object],
        stop: Callable[[float | None], Stop] = Stop,
    ) -> None:
        """`start` runs work in a thread, from which `tell` is called with each answer; `stop` makes its stop flag."""
        self._tell, self._start, self._new_stop = tell, start, stop
        self._stop: Stop | None = None
        self._work: tuple[str, Session, int] | None = None
        self._answered = asyncio.Event()

    def stop(self) -> None:
        """Stop the worker."""
        if self._stop is not None:
            self._stop.stop()
        self._stop = self._work = None
        self._answered.set()

    def _begin(self, kind: str, session: Session, work: Callable[[Stop], Iterable[Answer]]) -> None:
        """Start this work in a thread, unless it is already running."""
        request = (kind, session, session.stamp)
        if self._work == request:
            return
        self.stop()
        # a verdict may be given up, but a computer has to move, however long it takes
        stop = self._new_stop(SECONDS if kind in ("analyse", "look back") else None)
        loop = asyncio.get_running_loop()
        self._work, self._stop, self._answered = request, stop, (answered := asyncio.Event())

        def answer() -> None:
            with suppress(Stopped):
                for one in work(stop):
                    self._tell(one)
                    loop.call_soon_threadsafe(answered.set)

        self._start(answer)

    def set_to_work(self, state: TableState, delay: int) -> None:
        """Start the worker that the table needs now, and stop any other; computers wait `delay` milliseconds."""
        table, session = state.table, state.session
        if state.paused and not table.people:
            self.stop()
        elif state.coach == "judging":
            self._begin("coach", session, partial(_coach, session, session.stamp, session.copy()))
        elif state.coach:
            self.stop()
        elif table.computer_to_move:
            assert session.turn is not None
            view, level = session.view(session.turn), table.who(session.turn).level
            assert level is not None
            self._begin("choose", session, partial(_choose, session, session.stamp, view, level, delay))
        elif table.runs_on:
            self._begin("wait", session, partial(_wait, session, session.stamp, delay))
        elif state.wants_analysis:
            self._begin("analyse", session, partial(_analyse, session, session.stamp, session.view(session.turn)))
        elif state.wants_judged:
            self._begin("look back", session, partial(_judge_moves, session, session.stamp, session.copy()))
        else:
            self.stop()

    async def a_moment(self, seconds: float = MOMENT) -> None:
        """Wait a moment for a quick answer, so that it is shown at once."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._answered.wait()


def _wait(session: Session, stamp: int, delay: int, stop: Stop) -> Iterator[Answer]:
    """Wait before the next round of a match between computers."""
    _pass_time(monotonic() + delay / 1000, stop)
    yield RoundDue(session, stamp)


def _analyse(session: Session, stamp: int, view: Any, stop: Stop) -> Iterator[Answer]:
    """Work out the verdict of the position for the player to move."""
    from duelbox.solve import explained

    sent, last, given_up = float("-inf"), None, False
    try:
        for last in explained(session.game, view, stop):
            if last.complete or monotonic() - sent >= BETWEEN:
                yield Analysed(session, stamp, last)
                sent, last = monotonic(), None
    except Stopped:
        given_up = not stop.asked
    except GuestFault:
        yield Analysed(session, stamp, None)
        raise
    if last is not None:
        yield Analysed(session, stamp, last)
    if given_up:
        yield Analysed(session, stamp, None)


def _judge_moves(session: Session, stamp: int, played: Session, stop: Stop) -> Iterator[Answer]:
    from duelbox.learn.turning_points import turning_points
    from duelbox.solve import analyse

    judged, last = turning_points(played, stop=stop), None
    if played.plies[-1].by == "resignation" and played.state.turn is not None:
        with stop.in_time():
            last = analyse(played.game, played.game.view(played.state, played.state.turn), stop)
    yield MovesJudged(session, stamp, judged, last)


def _coach(session: Session, stamp: int, played: Session, stop: Stop) -> Iterator[Answer]:
    from duelbox.table.coach import given_away

    yield Coached(session, stamp, given_away(played, stop))


def _choose(session: Session, stamp: int, view: Any, level: str, delay: int, stop: Stop) -> Iterator[Answer]:
    from duelbox.bots import choose

    until = monotonic() + delay / 1000
    choice = choose(session.game, view, level, seed=random_seed(), stop=stop)
    _pass_time(until, stop)
    yield Chosen(session, stamp, choice.move, choice.why, choice.remark)


def _pass_time(until: float, stop: Stop) -> None:
    """Wait until this time; raises Stopped."""
    while (left := until - monotonic()) > 0:
        stop.check()
        sleep(min(left, 0.05))
    stop.check()
