"""Computers and solvers at work in threads; each answer carries the stamp of the position it is for.

Before a move a computer waits `delay` milliseconds: a setting, see `duelbox/store/settings.py`. The words, such as
"Dash is thinking …", are in `duelbox/table/prompts.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from duelbox.bots import told_why
from duelbox.core.game import AnyGame
from duelbox.core.model import Voice, other
from duelbox.core.seeds import random_seed
from duelbox.core.session import Session
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.table.coach import JUDGING, given_away
from duelbox.table.end_card import keep_mistakes
from duelbox.table.hints import analysed
from duelbox.table.lost_deal import keep_lost_deal, keep_whose_game
from duelbox.table.next_game import keep_win
from duelbox.table.programs import SAID_NOTHING, Programs, program_in

if TYPE_CHECKING:
    from duelbox.bots.api import Choice
    from duelbox.bots.program import Program
    from duelbox.learn.turning_points import JudgedMove
    from duelbox.table.state import TableState

VERDICT_SECONDS = 30.0
"""A verdict that takes longer is given up."""
MOMENT = 0.012
"""Seconds that the screen waits for an answer before it says that it is being worked out."""
ANSWERS_APART = 0.2
"""Seconds between two incomplete answers of a solver, or two sentences of a program."""
CLOCK_APART = 1.0
"""Seconds between two states of a program's clock."""


Effect = Callable[["TableState"], Awaitable[None] | None]
"""Lets a table take in what a worker found out."""


@dataclass(frozen=True, eq=False, slots=True)
class Answer:
    """Something that a worker found out about a position."""

    session: Session
    stamp: int
    effect: Effect

    async def take(self, state: TableState) -> None:
        """Let the table take it in, unless the position has changed since it was asked for."""
        if self.session is state.session and self.stamp == state.session.stamp:
            done = self.effect(state)
            if done is not None:
                await done


async def play_choice(state: TableState, choice: Choice) -> None:
    """Make the move that a computer chose."""
    table = state.table
    if table.computer_to_move and not state.held:
        made = state.session.parse(choice.move)
        remark = ""
        unseen: tuple[str, ...] = ()
        if state.frontend.settings.voice and not made.secret:
            remark = choice.remark
            unseen = choice.unseen
        table.speak(made, told_why(made, choice.why), remark, unseen)
        await state.or_say(lambda: state.take(choice.move))


async def _play_of_program(state: TableState, move: str, info: str) -> None:
    """Make the move of a program, and keep what it said last of it."""
    if state.table.computer_to_move and not state.held:
        state.table.speak(state.session.parse(move), info or SAID_NOTHING, "")
        await state.or_say(lambda: state.take(move))


def _show(state: TableState) -> None:
    """Show what a program has said, and its clock."""
    state.push()


async def _lose_by_fault(state: TableState, fault: str) -> None:
    """End the game for a program that has made a fault."""
    if state.table.computer_to_move and not state.held:
        state.table.lose_by_fault(fault)
        await state.settle()


def _look_back(state: TableState, judged: tuple[JudgedMove, ...], last: Analysis | None) -> None:
    """Show the judged moves of a finished game; `last` is the position in which somebody resigned."""
    state.judged = judged
    state.solved = last
    keep_mistakes(state)
    keep_lost_deal(state)
    keep_whose_game(state)
    keep_win(state)
    state.push()


def _tell_trap(state: TableState, trap: str) -> None:
    """Add the best trap of a lost game to its card."""
    state.best_trap = trap
    state.push()


async def _warn(state: TableState, lost: str) -> None:
    """Say what a person's last move gave away, if anything."""
    state.coach = lost
    if lost:
        await state.or_say(state.take_help)
    state.push()


async def _next_round(state: TableState) -> None:
    """Begin the next round of a match between computers."""
    if state.table.runs_on and not state.held:
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
        self._tell = tell
        self._start = start
        self._new_stop = stop
        self._stop: Stop | None = None
        self._work: tuple[object, Session, int] | None = None
        self._answered = asyncio.Event()

    def stop(self) -> None:
        """Stop the worker."""
        if self._stop is not None:
            self._stop.stop()
        self._stop = None
        self._work = None
        self._answered.set()

    def _begin(self, session: Session, work: Callable[..., Iterable[Effect]], *known: Any) -> None:
        """Start this work on the position in a thread, unless it is already running."""
        stamp = session.stamp
        request = work, session, stamp
        if self._work == request:
            return
        self.stop()
        # a verdict may be given up, but a computer has to move, however long it takes
        stop = self._new_stop(VERDICT_SECONDS if work in (_analyse, _judge_moves) else None)
        loop = asyncio.get_running_loop()
        answered = asyncio.Event()
        self._work = request
        self._stop = stop
        self._answered = answered

        def answer() -> None:
            with suppress(Stopped):
                for effect in work(stop, *known):
                    self._tell(Answer(session, stamp, effect))
                    loop.call_soon_threadsafe(answered.set)

        self._start(answer)

    def set_to_work(self, state: TableState, delay: int) -> None:
        """Start the worker that the table needs now, and stop any other; computers wait `delay` milliseconds."""
        table, session = state.table, state.session
        if state.held and not table.people:
            self.stop()
        elif state.coach == JUDGING:
            self._begin(session, _coach, session.copy())
        elif state.coach:
            self.stop()
        elif table.computer_to_move:
            assert session.turn is not None
            program = program_in(table, session.turn)
            if program is not None:
                tell = partial(self._tell_meanwhile, session, session.stamp)
                self._begin(session, _ask, table.programs, program, session.copy(), delay, tell)
            else:
                level = table.who(session.turn).level
                self._begin(session, _choose, session.game, session.view(session.turn), level, delay)
        elif table.runs_on:
            self._begin(session, _wait, delay)
        elif state.wants_analysis:
            self._begin(session, _analyse, session.game, session.view(session.turn))
        elif state.wants_judged:
            self._begin(session, _judge_moves, session.copy(), table.voice)
        else:
            self.stop()

    def _tell_meanwhile(self, session: Session, stamp: int, effect: Effect) -> None:
        """Tell an effect while the work goes on."""
        self._tell(Answer(session, stamp, effect))

    async def a_moment(self, seconds: float = MOMENT) -> None:
        """Wait a moment for a quick answer, so that it is shown at once."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._answered.wait()


def _wait(stop: Stop, delay: int) -> Iterator[Effect]:
    """Wait before the next round of a match between computers."""
    _pass_time(monotonic() + delay / 1000, stop)
    yield _next_round


def _analyse(stop: Stop, game: AnyGame, view: Any) -> Iterator[Effect]:
    """Work out the verdict of the position for the player to move."""
    from duelbox.solve import explained

    sent = float("-inf")
    last = None
    given_up = False
    try:
        for last in explained(game, view, stop):
            if last.complete or monotonic() - sent >= ANSWERS_APART:
                yield partial(analysed, analysis=last)
                sent = monotonic()
                last = None
    except Stopped:
        given_up = not stop.asked
    if last is not None:
        yield partial(analysed, analysis=last)
    if given_up:
        yield partial(analysed, analysis=None)


def _judge_moves(stop: Stop, played: Session, voice: Voice) -> Iterator[Effect]:
    """Judge the moves of a finished game; then find the best trap that its only person here had, if they lost."""
    from duelbox.learn.turning_points import best_trap, turning_points
    from duelbox.solve import analyse

    judged: tuple[JudgedMove, ...] = ()
    last = None
    with stop.in_time():
        judged = turning_points(played, stop=stop)
    if played.plies[-1].by == "resignation" and played.state.turn is not None:
        with stop.in_time():
            last = analyse(played.game, played.game.view(played.state, played.state.turn), stop)
    yield partial(_look_back, judged=judged, last=last)
    if voice.you is not None and played.outcome is not None and played.outcome.winner == other(voice.you):
        trap = best_trap(played, judged, voice, stop)
        if trap:
            yield partial(_tell_trap, trap=trap)


def _coach(stop: Stop, played: Session) -> Iterator[Effect]:
    yield partial(_warn, lost=given_away(played, stop))


def _choose(stop: Stop, game: AnyGame, view: Any, level: str, delay: int) -> Iterator[Effect]:
    from duelbox.bots import choose

    until = monotonic() + delay / 1000
    choice = choose(game, view, level, seed=random_seed(), stop=stop)
    _pass_time(until, stop)
    yield partial(play_choice, choice=choice)


def _ask(
    stop: Stop,
    programs: Programs,
    program: Program,
    played: Session,
    delay: int,
    tell: Callable[[Effect], None],
) -> Iterator[Effect]:
    """Ask a program for its move, and show what it says and its clock meanwhile; it ends if the work is stopped."""
    from duelbox.bots.program import ProgramFault

    until = monotonic() + delay / 1000
    shown = "", monotonic()

    def look() -> None:
        nonlocal shown
        stop.check()
        now = monotonic()
        since = now - shown[1]
        if since >= CLOCK_APART or (since >= ANSWERS_APART and program.info != shown[0]):
            shown = program.info, now
            tell(_show)

    try:
        move = program.ask(played, look)
    except ProgramFault as error:
        programs.keep_errors()
        _pass_time(until, stop)
        yield partial(_lose_by_fault, fault=error.fault)
        return
    _pass_time(until, stop)
    yield partial(_play_of_program, move=move, info=program.info)


def _pass_time(until: float, stop: Stop) -> None:
    """Wait until this time; raises Stopped."""
    while (left := until - monotonic()) > 0:
        stop.check()
        sleep(min(left, 0.05))
    stop.check()
