"""The table: one screen for all games, by mouse, by arrow keys and by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Footer, Static

from duelbox.core.errors import BadNotation, DuelboxError, MoveError
from duelbox.core.match import points_text
from duelbox.core.model import SEATS, Seat
from duelbox.solve.api import Analysis
from duelbox.ui import verdict
from duelbox.ui.messages import Analysed, Chosen
from duelbox.ui.play import Play
from duelbox.ui.screens.roomy import RoomyScreen, TooSmall
from duelbox.ui.tables.base import Look, table_of
from duelbox.ui.thinking import Thinker
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.lines import MoveLine, MoveList, Plate, Plates, TopLine

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

PEEK_SECONDS = 4.0


class TableScreen(RoomyScreen):
    """The board with its players, the move line and what can be done."""

    app: DuelboxApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "Play", id="table.play", priority=True),
        Binding("left", "step(-1, 0)", "Choose", id="table.left", show=False),
        Binding("right", "step(1, 0)", "Choose", id="table.right", show=False),
        Binding("up", "step(0, -1)", "Choose", id="table.up", show=False),
        Binding("down", "step(0, 1)", "Choose", id="table.down", show=False),
        Binding("escape", "clear", "Clear the move line", id="table.clear", show=False),
        Binding("backspace", "rub_out", "Rub out", id="table.rub_out", show=False),
        Binding("space", "space", "Look", id="table.space"),
        Binding("h", "hint", "Hint", id="table.hint"),
        Binding("v", "verdict", "Verdict", id="table.verdict"),
        Binding("u", "undo", "Undo", id="table.undo"),
        Binding("y", "redo", "Redo", id="table.redo"),
        Binding("w", "why", "Why", id="table.why", tooltip="Why the computer moved as it did"),
        Binding("r", "rematch", "Rematch", id="table.rematch"),
        Binding("n", "new_game", "New", id="table.new", tooltip="New game"),
        Binding("c", "copy_code", "Copy code", id="table.code", show=False),
        Binding("g", "resign", "Give up", id="table.resign", show=False),
        Binding("plus", "speed(-1)", "Faster", id="table.faster"),
        Binding("minus", "speed(1)", "Slower", id="table.slower"),
        Binding("b", "home", "Home", id="table.home"),
        Binding("question_mark", "help", "Help", id="table.help", key_display="?"),
    ]

    DEFAULT_CSS = """
    TableScreen {
        & #middle { height: 1fr; }
        & #side { display: none; }
        & #note { height: 2; padding: 0 1; }
        & Plates { margin: 1 0 0 0; }
        & MoveList { margin: 0; }
        &.-wide #below { display: none; }
        &.-wide #side { display: block; width: 24; height: 1fr; margin: 2 0 0 0; }
        &.-low Plates { margin: 0; }
        &.-tall Plates { margin: 1 0; }
        &.-tall #note { margin: 1 0 0 0; }
    }
    """

    def __init__(self, play: Play) -> None:
        super().__init__()
        self.playing = play
        self.table = table_of(play.game.INFO.id)
        self.line = ""
        self.refusal: MoveError | None = None
        self.said = ""
        """A sentence for this moment: a hint, why the computer moved, that something was copied."""
        self.verdict_on = False
        self.analysis: Analysis | None = None
        self.hint_step = 0
        self.peek = False
        self.front: Seat | None = None
        """Between two people with secrets: who sits in front of the screen; None while it changes hands."""
        self.awaiting = ""
        """A key that must come twice: what it is waiting for."""
        self.paused = False
        self.why = ""
        self._peek_timer: Timer | None = None
        self._thinker = Thinker(self)
        self._seat_front()

    def compose(self) -> ComposeResult:
        """Top line, players, board, note, move line, moves, footer."""
        yield TooSmall()
        with Vertical(classes="main"):
            yield TopLine()
            yield Plates()
            with Horizontal(id="middle"):
                yield Container(self.table.board(), id="board")
                yield MoveList(id="side")
            yield Static(id="note", markup=False)
            yield MoveLine()
            yield MoveList(id="below")
            yield Footer()

    def on_mount(self) -> None:
        """Show the position."""
        self.sync()

    def on_screen_suspend(self) -> None:
        """Something lies over the table: stop thinking."""
        self._thinker.stop()

    def on_screen_resume(self) -> None:
        """Settings may have changed, and the computer may be to move."""
        if self.is_mounted:
            self.sync()

    # -- showing

    @property
    def session(self) -> Any:
        """The game on the table."""
        return self.playing.session

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.query_one(Board)

    @property
    def viewer(self) -> Seat | None:
        """Whose view is drawn."""
        return self.front if self.playing.needs_curtain else self.playing.viewer

    @property
    def may_move(self) -> bool:
        """Whether a person in front of the screen is to move."""
        turn = self.session.turn
        if turn is None or self.playing.is_computer(turn):
            return False
        return not self.playing.needs_curtain or self.front == turn

    def look(self) -> Look:
        """What the board should know beside the view."""
        log = self.session.log()
        marks = verdict.marks(self.analysis) if self.verdict_on and self.analysis else {}
        return Look(
            seat=self.viewer,
            names=self.session.names,
            line=self.line,
            last=log[-1][1] if log else "",
            marks=marks,
            blockers=self.refusal.blockers if self.refusal else (),
            peek=self.peek,
            glyphs=self.app.glyphs,
        )

    def sync(self) -> None:
        """Draw everything from the session: the only road to the widgets."""
        view = self.session.view(self.viewer)
        self.board.scene = self.table.scene(view, self.look())
        self._sync_lines(view)
        self.refresh_bindings()
        self._think()

    def _sync_lines(self, view: Any) -> None:
        play, session = self.playing, self.session
        top = self.query_one(TopLine)
        top.title, top.place = play.game.INFO.title, play.preset.name if play.preset else "House rules"
        top.aside = self._aside()
        plates = self.query_one(Plates)
        plates.glyphs = self.app.glyphs
        one, two = (self._plate(view, seat) for seat in SEATS)
        plates.plates = (one, two)
        for moves in self.query(MoveList):
            moves.glyphs = self.app.glyphs
            moves.moves = session.log()
        self._sync_line()

    def _plate(self, view: Any, seat: Seat) -> Plate:
        who, outcome = self.playing.who(seat), self.session.outcome
        return Plate(
            name=who.name,
            score=self.table.score(view, seat),
            to_move=self.session.turn == seat,
            computer=who.level is not None,
            won=outcome is not None and outcome.winner == seat,
        )

    def _aside(self) -> str:
        play = self.playing
        parts = ["assisted"] if play.assisted else []
        if play.match.rounds > 1:
            score = play.score
            number = min(len(play.match.winners) + 1, play.match.rounds)
            parts.append(f"Round {number} of {play.match.rounds}")
            seats = [play.match.player_in(seat) for seat in SEATS]
            parts.append(" : ".join(points_text(score.points(player)) for player in seats))
        return "   ".join(parts)

    def _sync_line(self) -> None:
        line = self.query_one(MoveLine)
        line.line = self.line
        line.prompt, line.told = self._prompt()
        note = self.query_one("#note", Static)
        text = self._note()
        note.update(self.session.named(text))
        note.set_class(self.refusal is not None, "-refused")

    def _prompt(self) -> tuple[str, str]:
        play, session = self.playing, self.session
        if session.outcome is not None:
            more = not play.score.over
            return "Game over", f"Enter deals round {len(play.score.winners) + 1}" if more else "Enter plays a rematch"
        if self.awaiting == "pass":
            return session.named(f"Pass to Player {session.turn + 1}"), "Enter covers the table"
        name = play.who(session.turn).name
        if play.computer_to_move:
            return f"{name} {'pauses' if self.paused else 'is thinking'}", "Space goes on" if self.paused else ""
        told = ""
        if self.awaiting == "play":
            told = "Enter again plays it"
        elif self.line and self.refusal is None:
            told = self._enter()
        elif not self.line:
            told = "Type it, choose with the arrows, or click"
        return ("Your move" if len(play.people) == 1 else f"{name}, your move"), told

    def _enter(self) -> str:
        """What Enter will do with the line as it stands."""
        try:
            seen = self.session.check(self.line)
        except BadNotation:
            return "…"
        except MoveError as error:
            return self.session.named(error.sentence)
        if self.playing.game.INFO.hidden:
            return f"Enter plays {self.line}"
        return f"Enter: {self.session.named(seen[0].sentence)}"

    def _note(self) -> str:
        outcome = self.session.outcome
        if self.refusal is not None:
            return str(self.refusal)
        if self.said:
            return self.said
        if outcome is not None:
            head = "A draw." if outcome.winner is None else f"Player {outcome.winner + 1} wins."
            return f"{head} {outcome.reason}{self._match_note()}"
        if self.verdict_on and self.viewer_may_know:
            if self.analysis is None:
                return "Working it out …"
            return f"{verdict.verdict_sentence(self.analysis)} {self.analysis.reason}"
        plies = self.session.plies
        passed = [event.sentence for event in (plies[-1].events[1:] if plies else ())]
        struck = [event.sentence for event in (plies[-1].events if plies and self.playing.game.INFO.hidden else ())]
        goal: str = self.playing.game.INFO.goal
        return " ".join(struck or passed or [goal])

    def _match_note(self) -> str:
        score = self.playing.score
        if score.rounds == 1 or not score.over:
            return ""
        if score.winner is None:
            return " The match is drawn."
        return f" {self.playing.players[score.winner].name} wins the match."

    @property
    def viewer_may_know(self) -> bool:
        """Whether a verdict may be shown: for the one in front, about their own move."""
        turn = self.session.turn
        return turn is not None and (not self.playing.game.INFO.hidden or self.viewer == turn)

    # -- thinking

    def _think(self) -> None:
        """Set the computer, or the solver, to work if there is work."""
        session = self.session
        if session.turn is None:
            self._thinker.stop()
        elif self.playing.computer_to_move:
            if not self.paused:
                level = self.playing.who(session.turn).level
                assert level is not None
                self._thinker.choose(session, level, self.app.settings.delay)
        elif (self.verdict_on or self.hint_step) and self.analysis is None and self.viewer_may_know:
            self._thinker.analyse(session)

    @on(Chosen)
    async def _computer_moves(self, message: Chosen) -> None:
        if message.is_for(self.session) and self.playing.computer_to_move and not self.paused:
            self.why = message.why
            self.session.type(message.move)
            await self._moved()

    @on(Analysed)
    def _analysed(self, message: Analysed) -> None:
        if message.is_for(self.session):
            self.analysis = message.analysis
            if self.hint_step and message.analysis.complete:
                self.said = verdict.hint(message.analysis, self.hint_step)
            view = self.session.view(self.viewer)
            self.board.scene = self.table.scene(view, self.look())
            self._sync_line()

    # -- moving

    async def _moved(self) -> None:
        """The position changed: forget what belonged to the old one, keep the game safe, draw."""
        self.line, self.refusal, self.said = "", None, ""
        self.analysis, self.hint_step, self.peek, self.awaiting = None, 0, False, ""
        self.board.target = None
        await self.app.game_changed(self.playing)
        if self.playing.needs_curtain and self.session.turn not in (None, self.front):
            self.front, self.awaiting = None, "pass"
        self.sync()

    def _seat_front(self) -> None:
        if self.playing.needs_curtain:
            self.front = self.session.turn

    def _draft(self, line: str) -> None:
        self.line, self.refusal, self.said, self.awaiting = line, None, "", ""
        view = self.session.view(self.viewer)
        self.board.scene = self.table.scene(view, self.look())
        self._sync_line()

    def on_key(self, event: events.Key) -> None:
        """Characters of the game's moves go into the line; the rest are bindings."""
        char = event.character
        if char and char in self.table.TYPED and self.may_move:
            event.stop()
            event.prevent_default()
            if len(self.line) < 12:
                self._draft(self.line + char)

    def action_rub_out(self) -> None:
        """Take the last character off the line."""
        self._draft(self.line[:-1])

    def action_clear(self) -> None:
        """Empty the line, and forget the refusal."""
        self._draft("")

    def action_step(self, dx: int, dy: int) -> None:
        """Move the cursor, and choose what it stands on."""
        if not self.may_move:
            return
        target = self.board.step(dx, dy)
        view = self.session.view(self.viewer)
        if target is not None and self._arrows_pick(view):
            self._draft(self.table.pick(view, self.line, target))

    def _arrows_pick(self, view: Any) -> bool:
        picks = getattr(self.table, "arrows_pick", None)
        return picks is None or bool(picks(view))

    @on(Board.Picked)
    async def _picked(self, message: Board.Picked) -> None:
        if not self.may_move:
            return
        view = self.session.view(self.viewer)
        line = self.table.pick(view, self.line, message.target)
        again = line == self.line and self.refusal is None
        self._draft(line)
        if again or (self.app.settings.one_click and self._playable(line)):
            await self.action_play()

    def _playable(self, line: str) -> bool:
        try:
            self.session.check(line)
        except MoveError:
            return False
        return True

    @on(MoveLine.Pressed)
    async def _line_pressed(self) -> None:
        await self.action_play()

    async def action_play(self) -> None:
        """Play the line; after the game, go on to the next one."""
        if self.session.outcome is not None:
            await self.action_rematch()
        elif self.awaiting == "pass":
            self._pass_on()
        elif self.may_move:
            await self._play_line()

    async def _play_line(self) -> None:
        view = self.session.view(self.viewer)
        target = self.board.target
        if not self._playable(self.line) and target is not None:
            picked = self.table.pick(view, self.line, target)
            if picked != self.line:
                self._draft(picked)
                return
        if not self.line:
            return
        try:
            if self.app.settings.confirm and self.awaiting != "play" and self._playable(self.line):
                self.awaiting = "play"
                self._sync_line()
                return
            self.session.type(self.line)
        except MoveError as error:
            self.refusal = error
            self.board.scene = self.table.scene(view, self.look())
            self._sync_line()
            return
        await self._moved()

    def _pass_on(self) -> None:
        """Cover the table and hand the keyboard over."""
        from duelbox.ui.screens.curtain import CurtainScreen

        turn = self.session.turn
        assert turn is not None
        name = self.playing.who(turn).name
        self.app.push_screen(CurtainScreen(name), lambda _: self._take_over(turn))

    def _take_over(self, seat: Seat) -> None:
        self.front, self.awaiting = seat, ""
        self.sync()

    # -- the rest

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered."""
        play, session = self.playing, self.session
        over = session.outcome is not None
        rules: dict[str, bool] = {
            "play": over or self.awaiting == "pass" or self.may_move,
            "step": self.may_move,
            "space": (play.game.INFO.hidden and self.viewer is not None and not over) or not play.people,
            "hint": self.may_move and self.viewer_may_know,
            "verdict": not over and self.viewer_may_know and bool(play.people),
            "undo": self.awaiting != "pass" and (play.why_no_undo() is None or play.previous is not None),
            "redo": session.can_redo,
            "why": bool(self.why),
            "rematch": over,
            "resign": self.may_move,
            "speed": not play.people,
            "copy_code": not play.game.INFO.hidden or over,
        }
        return rules.get(action, True)

    def action_space(self) -> None:
        """Look at your own hidden numbers for a moment; or, watching computers, pause."""
        if not self.playing.people:
            self.paused = not self.paused
            self._thinker.stop()
            self.sync()
            return
        self.peek = not self.peek
        if self._peek_timer is not None:
            self._peek_timer.stop()
        if self.peek:
            self._peek_timer = self.set_timer(PEEK_SECONDS, self._hide)
        self.sync()

    def _hide(self) -> None:
        self.peek = False
        self.sync()

    async def action_verdict(self) -> None:
        """Show or hide the verdict layer."""
        self.verdict_on = not self.verdict_on
        self.said = ""
        if self.verdict_on:
            await self._assist()
        self.sync()

    async def action_hint(self) -> None:
        """The next hint: where to look, which idea, the move."""
        await self._assist()
        self.hint_step = min(self.hint_step + 1, verdict.HINTS)
        if self.analysis is not None and self.analysis.complete:
            self.said = verdict.hint(self.analysis, self.hint_step)
        else:
            self.said = "Working it out …"
        self.sync()

    async def _assist(self) -> None:
        if not self.playing.assisted:
            self.playing.assisted = True
            await self.app.game_changed(self.playing)

    def action_why(self) -> None:
        """Say why the computer moved as it did."""
        self.said = self.why
        self._sync_line()

    async def action_undo(self) -> None:
        """Take back; at the very start, go back to the game before."""
        play = self.playing
        try:
            play.undo()
        except DuelboxError as error:
            if play.previous is not None and not self.session.plies:
                self.app.swap_table(play.previous)
                return
            self.said = error.sentence
            self._sync_line()
            return
        await self._moved()

    async def action_redo(self) -> None:
        """Play again what was taken back."""
        try:
            self.playing.redo()
        except DuelboxError as error:
            self.said = error.sentence
            self._sync_line()
            return
        await self._moved()

    async def action_resign(self) -> None:
        """Give up; it takes the key twice."""
        if self.awaiting != "resign":
            self.awaiting, self.said = "resign", "Press g again to give up."
            self._sync_line()
            return
        self.session.resign()
        await self._moved()

    async def action_rematch(self) -> None:
        """The next round, or the same match again."""
        play = self.playing
        if play.score.over:
            self.app.swap_table(play.rematch())
            return
        play.next_round()
        self._seat_front()
        await self._moved()

    def action_new_game(self) -> None:
        """Choose who plays what."""
        self.app.open_new_game(self.playing)

    def action_copy_code(self) -> None:
        """Put the position code on the clipboard, and show it."""
        try:
            code = self.session.public_code()
        except DuelboxError as error:
            self.said = error.sentence
        else:
            self.app.copy_to_clipboard(code)
            self.said = f"Copied {code}"
        self._sync_line()

    def action_speed(self, change: int) -> None:
        """The computers wait longer, or less."""
        self.app.change_speed(change)
        self.said = f"The computers wait {self.app.settings.delay / 1000:.1f} s."
        self._sync_line()

    def action_home(self) -> None:
        """Back to the five games; this one can be continued."""
        self.app.go_home()

    def action_help(self) -> None:
        """The rules, the keys, the notation."""
        self.app.open_help(self.playing.game)
