"""The table: one screen for all games, for mouse, arrow keys and typing; it shows a `TableState`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from textual import events, on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Seat, other
from duelbox.core.names import printable
from duelbox.core.news import Moved, News
from duelbox.core.session import Session
from duelbox.store.settings import Settings
from duelbox.table.base import BaseTable
from duelbox.table.coach import MOVES_KIND, clock
from duelbox.table.frontend import Frontend
from duelbox.table.local import LocalTable
from duelbox.table.move_line import MAX_LINE
from duelbox.table.prompts import Prompts
from duelbox.table.rounds import rounds_table
from duelbox.table.state import TableState
from duelbox.table.thinking import Answer, Workers
from duelbox.table.verbs import VERBS
from duelbox.ui import motion, screens
from duelbox.ui.game_board import Look, worths_of
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.hint_marks import hint_marks
from duelbox.ui.screens.argument_panel import open_argument
from duelbox.ui.screens.table_layout import TableLayout
from duelbox.ui.table_keys import ARROWS, RUB_OUT, VERB_OF, bindings_of
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.board import Board, Scene
from duelbox.ui.widgets.lines import MoveLine, Plate, Plates
from duelbox.ui.yielding_stop import YieldingStop


@dataclass(eq=False)
class WorkerAnswered(Message):
    """A computer or a solver has answered."""

    answer: Answer


CALL = "your move"
"""The message to a player who looks at another window."""


S = TypeVar("S", bound=BaseTable)


class TableScreen(TableLayout, Frontend, Generic[S]):
    """The board, its players and the move line; the verbs of the table say what the keys do."""

    SPARE: ClassVar[tuple[str, ...]] = ("faster", "slower", "level", "redo", "new", "rounds", "why", "review", "space")
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of([VERBS["play"]]),
        *ARROWS,
        RUB_OUT,
        *bindings_of(verb for verb in VERBS.values() if verb.id != "play"),
    ]

    def __init__(self, table: S, said: str = "") -> None:
        super().__init__(table.game.INFO.id)
        self.table = table
        """The match on the table, or what else is done there."""
        self.state = TableState(table, self.game_board, self, said=said)
        self._prompts: Prompts | None = None
        """The prompts that were shown last."""
        self._seen: tuple[Session | None, int, Any] = (None, 0, None)
        """The round drawn last, its number of changes, and the view that was drawn."""
        self._refused: object = None
        """The refusal that was shown last."""
        self.thinking = Workers(
            lambda answer: self.post_message(WorkerAnswered(answer)),
            lambda work: self.run_worker(in_background(work)),
            lambda seconds: YieldingStop(seconds, self.app.at_rest),
        )

    def on_mount(self) -> None:
        """Start the clock if there is one."""
        if clock(self.state):
            self.set_interval(1, self.show_plates)

    @property
    def session(self) -> Session:
        """The game on the table."""
        return self.state.session

    @property
    def prompts(self) -> Prompts:
        """The prompts that are shown."""
        if self._prompts is None:
            self._prompts = self.state.prompts
        return self._prompts

    def on_screen_suspend(self) -> None:
        """Stop thinking while another screen covers the table."""
        self.thinking.stop()
        for board in self.query(Board):
            board.finish_motion()

    async def on_unmount(self) -> None:
        """Stop thinking: quitting would wait for it."""
        self.thinking.stop()
        self.table.programs.leave()

    def on_screen_resume(self) -> None:
        """Show changed settings, and let the computer move if it is its turn."""
        if self.is_mounted:
            self.sync()

    def sync(self) -> None:
        """Show the state as it is now."""
        self.state.push()

    @property
    def waits_for(self) -> str:
        """The title of the window while a computer or a friend elsewhere waits for the player; else empty."""
        return CALL if self.state.may_move and len(self.table.people) == 1 else ""

    @property
    def window_title(self) -> str:
        """The player whose turn it is, and the game; empty when the game is over."""
        turn = self.state.session.turn
        if turn is None:
            return ""
        whose = self.table.voice.whose(turn)
        return printable(f"{whose[0].upper()}{whose[1:]} turn - {self.table.game.INFO.title}")

    # -- what the table's state calls

    @property
    def target(self) -> str | None:
        """The part of the board under the cursor."""
        return self.board.target

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.app.settings

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Show the state in all widgets, and let computers and solvers work; nothing else changes the widgets."""
        if self.query_one_optional(Board) is None:
            return  # the table was left meanwhile
        state, board = self.state, self.board
        self._prompts = prompts
        if any(map(self.table.rings, news)):
            self.call_player()
        before = self._before() if any(isinstance(change, Moved) for change in news) else None
        if news:
            board.target = None
        view, look = state.view(), self.look()
        board.scene = self.scene(view, look)
        if before is not None:
            motion.show_move(board, self.game_board, before, view, look)
        elif state.refusal is not None and state.refusal is not self._refused:
            motion.show_refusal(board, self.game_board, view, look)
        self._refused = state.refusal
        session, table = self.session, self.table
        if self._seen[:2] != (session, session.stamp):
            self._seen = session, session.stamp, session.view(state.viewer)
        left = table.left_seat
        plates = self.plate(view, left), self.plate(view, other(left))
        self.show_around(self.top(), plates, prompts, table.log(), table.at)
        self._set_to_work()
        self.app.show_title()

    def look(self) -> Look:
        """The facts that the board needs besides the view."""
        return look_of(self.state, self.app.glyphs)

    def scene(self, view: Any, look: Look) -> Scene:
        """The scene on the board."""
        return self.game_board.scene(view, look)

    def show_plates(self) -> None:
        """Show the players again, with the time on the clock."""
        view, left = self.state.view(), self.table.left_seat
        for plates in self.query(Plates):
            plates.plates = self.plate(view, left), self.plate(view, other(left))

    def _before(self) -> motion.Before | None:
        """The board before the last move, or None if more than this move has changed."""
        board, (session, stamp, view) = self.board, self._seen
        self.finish_motion()
        if session is not self.session or stamp + 1 != session.stamp or session.cut_short:
            return None
        return motion.Before(view, board.drawing().canvas)

    def call_player(self) -> None:
        """Call the player, who may look at another window."""
        self.app.call_user(self.settings.notice, CALL, unasked=False)

    def lay(self, table: LocalTable, said: str) -> None:
        """Open another match in place of this one, with a sentence about it."""
        self.app.navigation.swap_table(table, said)

    def copy(self, text: str) -> None:
        """Copy a text."""
        self.app.copy_to_clipboard(text)

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        """Save a note on a lesson, a puzzle or a mistake, or the count of the player's moves."""
        if kind != MOVES_KIND:
            self.app.note_progress(kind, key, dict(value))
            return

        def count() -> None:
            with suppress(DuelboxError):  # the count matters less than a warning
                self.app.store.progress.add(kind, key, dict(value))

        self.run_worker(count, thread=True)

    async def think(self) -> None:
        """Let the solver work, and wait a moment for a quick answer."""
        self._set_to_work()
        self.app.at_rest.set()
        await self.thinking.a_moment()
        self.app.at_rest.clear()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in the background."""
        self.run_worker(work)

    def _set_to_work(self) -> None:
        if self.app.screen is self:  # nobody thinks while another screen covers the table
            pace = self.table.waits(self.settings.delay)
            self.thinking.set_to_work(self.state, pace + round(self.board.motion_left * 1000))

    # -- the lines round the board

    def top(self) -> tuple[str, str, str]:
        """The three parts of the top line: the game, its rules, and the state of the match."""
        aside = self.prompts.aside
        if self.app.settings.plain:
            aside = aside.replace("½", ".5")
        return self.table.game.INFO.title, self.table.title(self.app.settings), aside

    def plate(self, view: Any, seat: Seat) -> Plate:
        """The line about a player beside the board."""
        table, outcome, to_move = self.table, self.session.outcome, self.session.turn == seat
        name = name_of(self.state, seat)
        if table.is_program(seat):
            name = f"{name} · program"
        return Plate(
            seat=seat,
            name=name,
            score=" · ".join(filter(None, (clock(self.state) if to_move else "", self.game_board.score(view, seat)))),
            to_move=to_move,
            won=outcome is not None and outcome.winner == seat,
            away=table.away(seat),
        )

    def show_prompt(self, prompts: Prompts | None) -> None:
        """Show the move line, or clear it while the board shows a move."""
        line = self.query_one_optional(MoveLine)
        if line is None:
            return
        line.line, line.typing = (prompts.line, self.state.may_move) if prompts else ("", False)
        line.prompt, line.parts = (prompts.prompt, prompts.parts) if prompts and not prompts.card else ("", ())
        line.cursor = "_" if self.app.settings.plain else "▏"

    def say(self, sentence: str) -> None:
        """Show a sentence below the board until the next move or key."""
        self.state.say(sentence)
        self.sync()

    # -- moving

    @on(WorkerAnswered)
    async def _found(self, message: WorkerAnswered) -> None:
        await message.answer.take(self.state)

    async def on_key(self, event: events.Key) -> None:
        """Type characters of moves into the line, and run the bindings of other keys.

        Bindings run at once: if the app ran them, keys typed quickly could change their order.
        """
        if self.app.screen is not self:
            event.stop()
            return
        self.finish_motion()
        active, bindings = self.active_binding(event.key), self._bindings.key_to_bindings.get(event.key, [])
        here = [one for one in bindings if VERB_OF.get(one.action) not in self.table.absent]
        char = (event.character or "") if event.is_printable else ""
        if char and self.state.type(char, is_key=active is not None or (char not in "+- " and bool(here))):
            event.stop()
            self.board.target = None  # so that nothing else looks chosen
            self.sync()
        elif active is not None and active.node is self:
            event.stop()
            if active.enabled:
                await self.run_action(active.binding.action)
        elif active is None and self.prompts.any_key:
            event.stop()
            again = self.prompts.tone == "refused"  # this key takes back a wrong try and begins the next one
            await self.state.do(self.prompts.any_key)
            if again and char and char in self.game_board.keys and self.state.type(char, is_key=False):
                self.sync()
        elif active is None:
            told = (self.prompts.why_not(VERB_OF.get(one.action, "")) for one in here)
            why = next(filter(None, told), "")
            if char and not here:
                why = self.table.why_not_typed(self.state)
            if why:
                self.say(why)

    def paste(self, text: str) -> None:
        """Type a pasted text into the move line."""
        for char in text[:MAX_LINE]:
            self.state.type(char, is_key=False)
        self.sync()
        why = self.table.why_not_typed(self.state)
        if why:
            self.say(why)

    def action_erase(self) -> None:
        """Delete the last character of the line."""
        self.state.set_line(self.state.line[:-1])
        self.sync()

    async def action_step(self, dx: int, dy: int) -> None:
        """Move the cursor on the board, and choose the part under it."""
        if not self.state.may_move:
            return
        target = self.board.step(dx, dy)
        if target is not None and self.game_board.arrows_pick(self.state.view()):
            self.state.set_line(self.state.pick(target), pointed=True)
            self.sync()

    @on(Board.Picked)
    async def _picked(self, message: Board.Picked) -> None:
        if not self.state.may_move:
            again = self.prompts.tone == "refused"
            if self.prompts.any_key:
                await self.state.do(self.prompts.any_key)
            if not again or not self.state.may_move:
                return
        self.board.target = message.target  # showing a move may have removed it
        line = self.state.pick(message.target)
        again = line == self.state.line and self.state.refusal is None
        if not again:
            self.state.set_line(line, pointed=True)
        if again or (self.app.settings.one_click and self.state.parsed.fault is None):
            await self.state.do("play")
        else:
            self.sync()

    @on(MoveLine.Pressed)
    async def _line_pressed(self, message: MoveLine.Pressed) -> None:
        verb = message.action or ("play" if self.session.outcome is None else self.prompts.any_key)
        if verb:
            await self.state.do(verb)

    # -- keys

    async def action_do(self, verb: str) -> None:
        """Do the verb of this name."""
        if verb == "home":
            self.board.target = None
        await self.state.do(verb)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only the keys that work now."""
        if action == "step":
            return self.state.may_move
        return self.prompts.works(str(parameters[0])) if action == "do" else True

    def label(self, action: str) -> str | None:
        """The name of a key now, if it differs from the usual one."""
        return self.prompts.labels.get(VERB_OF.get(action, ""))

    # -- screens beside the table

    def action_whole(self) -> None:
        """Show the text whole, with the argument for a verdict or a last hint."""
        if not open_argument(self, self.state.prompts):
            super().action_whole()

    def open_handover(self) -> None:
        """Pass the screen on to the player to move."""
        turn = self.session.turn
        assert turn is not None

        def lift(_: object) -> None:
            self.state.seat_front()
            self.sync()

        self.app.push_screen(screens.handover.HandoverScreen(self.table.who(turn).name), lift)

    def open_home(self) -> None:
        """Leave for home."""
        self.app.navigation.go_home()

    def open_help(self) -> None:
        """Open help on the game and the keys."""
        self.app.navigation.open_help(self.table.game)

    def open_rounds(self) -> None:
        """Open the rounds of the match, as a table."""
        head, *rows = rounds_table(self.table.rounds)
        lines = (Content.styled(head, "bold"), *map(Content, rows))
        self.app.push_screen(screens.panel_screen.PanelScreen("Rounds", lines, "j"))

    async def open_review(self) -> None:
        """Open the review of the match over the table."""
        await self.keep()  # a game that came as a code may not be saved yet
        saved_as = self.table.saved_as
        if saved_as is None:
            self.state.say("There is no move to look at.")
            return
        await self.app.navigation.review(await asyncio.to_thread(self.app.store.find, saved_as))


def name_of(state: TableState, seat: Seat) -> str:
    """The name of a player at this table: "You" for the only person here."""
    return "You" if seat == state.table.voice.you else state.session.names[seat]


def look_of(state: TableState, glyphs: Glyphs) -> Look:
    """The facts that the board needs besides the view."""
    session, may_know = state.session, state.may_know
    plies, analysis = session.plies, state.analysis
    log = state.table.log()
    played = log[len(plies)][1] if len(plies) < len(log) else ""
    return Look(
        seat=state.viewer,
        you=state.table.voice.you,
        names=(name_of(state, 0), name_of(state, 1)),
        line=state.line,
        last=log[len(plies) - 1][1] if plies else "",
        events=plies[-1].events if plies else (),
        worths=worths_of(analysis, played) if analysis and state.verdict_on and may_know else {},
        hint=hint_marks(analysis, state.hint_step) if analysis and may_know else state.table.shown,
        blockers=state.refusal.blockers if state.refusal else (),
        waits=bool(state.table.people) and session.turn not in (None, *state.table.people),
        peek=state.peek or state.hand_lies_open,
        legend=state.tells_signs,
        glyphs=glyphs,
    )
