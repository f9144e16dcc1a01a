"""The table: one screen for all games, by mouse, by arrow keys and by typing."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.timer import Timer

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Seat
from duelbox.core.session import Session
from duelbox.ui import motion
from duelbox.ui.messages import Analysed, Chosen
from duelbox.ui.moment import Moment
from duelbox.ui.play import Play
from duelbox.ui.screens.face import TableFace
from duelbox.ui.thinking import Thinker
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.lines import MoveLine, Plate

PEEK_SECONDS = 4.0
MAX_LINE = 12


class TableScreen(TableFace):
    """The board with its players, the move line and what can be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "Play", id="table.play"),
        Binding("left", "step(-1, 0)", "Choose", id="table.left", show=False, tooltip="Choose to the left"),
        Binding("right", "step(1, 0)", "Choose", id="table.right", show=False, tooltip="Choose to the right"),
        Binding("up", "step(0, -1)", "Choose", id="table.up", show=False, tooltip="Choose above"),
        Binding("down", "step(0, 1)", "Choose", id="table.down", show=False, tooltip="Choose below"),
        Binding("escape", "clear", "Clear the move line", id="table.clear", show=False),
        Binding("backspace", "rub_out", "Rub out", id="table.rub_out", show=False),
        # One key, since only one of the two ever works.
        Binding("space", "look", "Look", id="table.space", tooltip="Look at your own hidden numbers"),
        Binding("space", "pause", "Pause", id="table.space", tooltip="Let the computers wait"),
        Binding("h", "hint", "Hint", id="table.hint"),
        Binding("v", "verdict", "Verdict", id="table.verdict"),
        Binding("u", "undo", "Undo", id="table.undo"),
        Binding("y", "redo", "Redo", id="table.redo"),
        Binding("w", "why", "Why", id="table.why", tooltip="Why the computer moved as it did"),
        Binding("r", "rematch", "Rematch", id="table.rematch"),
        Binding("n", "new_game", "New", id="table.new", tooltip="New game"),
        Binding("l", "level", "Level", id="table.level", tooltip="Play another level"),
        Binding("c", "copy_code", "Copy code", id="table.code", show=False),
        Binding("g", "resign", "Give up", id="table.resign", show=False),
        Binding("plus", "speed(-1)", "Faster", id="table.faster"),
        Binding("minus", "speed(1)", "Slower", id="table.slower"),
        Binding("b", "home", "Home", id="table.home"),
        Binding("question_mark", "help", "Help", id="table.help", key_display="?"),
    ]

    def __init__(self, play: Play) -> None:
        super().__init__(play.game.INFO.id)
        self.moment = Moment(play)
        self._peek_timer: Timer | None = None
        self._thinker = Thinker(self)

    def on_mount(self) -> None:
        """Show the position."""
        self.sync()

    def on_screen_suspend(self) -> None:
        """Something lies over the table: stop thinking."""
        self._thinker.stop()
        for board in self.query(Board):
            board.still()

    def on_unmount(self) -> None:
        """The table is left, or the app: quitting waits for whoever is still thinking."""
        self._thinker.stop()

    def on_screen_resume(self) -> None:
        """Settings may have changed, and the computer may be to move."""
        if self.is_mounted:
            self.sync()

    # -- showing

    @property
    def play(self) -> Play:
        """The match on the table."""
        return self.moment.play

    @property
    def session(self) -> Session:
        """The game on the table."""
        return self.moment.play.session

    def view(self) -> Any:
        """What the one in front may know."""
        return self.session.view(self.moment.viewer)

    def sync(self, before: motion.Before | None = None) -> None:
        """Draw everything from the session: the only road to the widgets; `before` is what a move has changed."""
        if not self.query(Board):
            return  # the table was left while the disk was waited for
        self._sync_board()
        if before is not None:
            motion.show_move(self.board, self.table, before, self.view(), self.moment.look(self.app.glyphs))
        play, view = self.play, self.view()
        self.show_title(play.game.INFO.title, play.preset.name if play.preset else "House rules", self.moment.aside())
        self.show_players(self._plate(view, 0), self._plate(view, 1))
        self.show_moves(self.session.log())
        self._sync_line()
        self.refresh_bindings()
        self._think()

    def _sync_board(self) -> None:
        self.board.scene = self.table.scene(self.view(), self.moment.look(self.app.glyphs))

    def _plate(self, view: Any, seat: Seat) -> Plate:
        who, outcome = self.play.who(seat), self.session.outcome
        return Plate(
            name=who.name,
            score=self.table.score(view, seat),
            to_move=self.session.turn == seat,
            computer=who.level is not None,
            won=outcome is not None and outcome.winner == seat,
        )

    def _sync_line(self) -> None:
        self.moment.keys = self.app.settings.keymap
        line = self.query_one(MoveLine)
        line.line = self.moment.line
        line.prompt, line.told = self.moment.prompt()
        self.show_note(self.session.named(self.moment.note()), refused=self.moment.refusal is not None)

    def say(self, sentence: str) -> None:
        """Say something below the board, until the next move or key."""
        self.moment.say(sentence)
        self._sync_line()

    # -- thinking

    def _think(self) -> None:
        """Set the computer, or the solver, to work if there is work."""
        session = self.session
        if self.play.computer_to_move and not self.moment.paused:
            assert session.turn is not None
            level, delay = self.play.who(session.turn).level, round(self.board.unrest * 1000)
            assert level is not None
            self._thinker.choose(session, level, max(self.app.settings.delay, delay))
        elif self.moment.wants_analysis:
            self._thinker.analyse(session)
        else:
            self._thinker.stop()

    @on(Chosen)
    async def _computer_moves(self, message: Chosen) -> None:
        if message.is_for(self.session) and self.play.computer_to_move and not self.moment.paused:
            self.moment.why = message.why
            await self._take(message.move)

    @on(Analysed)
    def _analysed(self, message: Analysed) -> None:
        if message.is_for(self.session):
            self.moment.analysed(message.analysis)
            self._sync_board()
            self._sync_line()

    # -- moving

    async def _take(self, move: str) -> None:
        """Play a move, and show what it changes."""
        self.board.still()
        before = motion.Before(self.session.view(None), self.board.drawing().canvas)
        self.session.type(move)
        await self._moved(before)

    async def _moved(self, before: motion.Before | None = None) -> None:
        """The position changed: keep it safe, then draw it."""
        self.moment.move_made()
        self.board.target = None
        await self.app.game_changed(self.play)
        self.sync(before)

    def _draft(self, line: str) -> None:
        self.moment.draft(line)
        self._sync_board()
        self._sync_line()

    async def on_key(self, event: events.Key) -> None:
        """Characters of the game's moves go into the line; the rest are bindings.

        Bindings run here and now: left to the app, they would overtake, or be overtaken by, what is typed quickly.
        """
        if self.app.screen is not self:
            event.stop()
            return
        self.board.still()
        char = event.character
        active = self.active_bindings.get(event.key)
        if char and char in self.table.TYPED and self.moment.may_move:
            event.stop()
            typed = getattr(self.table, "typed", None)
            line = typed(self.view(), self.moment.line, char) if typed else self.moment.line + char
            self._draft(line[:MAX_LINE])
        elif active is not None and active.node is self:
            event.stop()
            if active.enabled:
                await self.run_action(active.binding.action)

    def action_rub_out(self) -> None:
        """Take the last character off the line."""
        self._draft(self.moment.line[:-1])

    def action_clear(self) -> None:
        """Empty the line, and forget the refusal."""
        self._draft("")

    def action_step(self, dx: int, dy: int) -> None:
        """Move the cursor, and choose what it stands on."""
        if not self.moment.may_move:
            return
        target = self.board.step(dx, dy)
        arrows_pick = getattr(self.table, "arrows_pick", None)
        if target is not None and (arrows_pick is None or arrows_pick(self.view())):
            self._draft(self._pick(target))

    @on(Board.Picked)
    async def _picked(self, message: Board.Picked) -> None:
        if not self.moment.may_move:
            return
        line = self._pick(message.target)
        again = line == self.moment.line and self.moment.refusal is None
        self._draft(line)
        if again or (self.app.settings.one_click and self.moment.fault() is None):
            await self.action_play()

    @on(MoveLine.Pressed)
    async def _line_pressed(self) -> None:
        await self.action_play()

    async def action_play(self) -> None:
        """Play the line; after the game, go on to the next one."""
        if self.session.outcome is not None:
            await self.action_rematch()
        elif self.moment.awaiting == "pass":
            self._pass_on()
        elif self.moment.may_move:
            await self._play_line()

    async def _play_line(self) -> None:
        moment, fault = self.moment, self.moment.fault()
        if fault is None:
            if self.app.settings.confirm and moment.awaiting != "play":
                moment.awaiting = "play"
                self._sync_line()
            else:
                await self._take(moment.line)
        elif self.board.target and (picked := self._pick(self.board.target)) != moment.line:
            self._draft(picked)
        elif moment.line:
            moment.refusal = fault
            self._sync_board()
            motion.show_refusal(self.board, self.table, self.view(), moment.look(self.app.glyphs))
            self._sync_line()

    def _pick(self, target: str) -> str:
        return self.table.pick(self.view(), self.moment.line, target)

    def _pass_on(self) -> None:
        """Cover the table and hand the keyboard over."""
        from duelbox.ui.screens.curtain import CurtainScreen

        turn = self.session.turn
        assert turn is not None
        name = self.play.who(turn).name
        self.app.push_screen(CurtainScreen(name), lambda _: self._take_over())

    def _take_over(self) -> None:
        self.moment.seat_front()
        self.sync()

    # -- the rest

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered."""
        return self.moment.works(action)

    def action_pause(self) -> None:
        """Let the computers wait, or go on."""
        self.moment.paused = not self.moment.paused
        self._thinker.stop()
        self.sync()

    def action_look(self) -> None:
        """Look at your own hidden numbers for a moment."""
        self.moment.peek = not self.moment.peek
        if self._peek_timer is not None:
            self._peek_timer.stop()
        if self.moment.peek:
            self._peek_timer = self.set_timer(PEEK_SECONDS, self._hide)
        self.sync()

    def _hide(self) -> None:
        self.moment.peek = False
        self.sync()

    async def action_verdict(self) -> None:
        """Show or hide the verdict layer."""
        self.moment.verdict_on = not self.moment.verdict_on
        self.moment.say("")
        if self.moment.verdict_on:
            await self._assist()
        self.sync()

    async def action_hint(self) -> None:
        """The next hint: where to look, which idea, the move."""
        await self._assist()
        self.moment.next_hint()
        self.sync()

    async def _assist(self) -> None:
        if not self.play.assisted:
            self.play.assisted = True
            await self.app.game_changed(self.play)

    def action_why(self) -> None:
        """Say why the computer moved as it did."""
        self.say(self.moment.why)

    async def action_undo(self) -> None:
        """Take back; at the very start, go back to the game before."""
        play = self.play
        try:
            play.undo()
        except DuelboxError as error:
            if play.previous is not None and not self.session.plies:
                self.app.swap_table(play.previous)
                return
            self.say(error.sentence)
            return
        await self._moved()

    async def action_redo(self) -> None:
        """Play again what was taken back."""
        try:
            self.play.redo()
        except DuelboxError as error:
            self.say(error.sentence)
            return
        await self._moved()

    async def action_resign(self) -> None:
        """Give up; it takes the key twice."""
        if self.moment.awaiting == "resign":
            self.session.resign()
            await self._moved()
        else:
            self.say("Press it again to give up.")
            self.moment.awaiting = "resign"

    async def action_rematch(self) -> None:
        """The next round, or the same match again."""
        play = self.play
        if play.score.over:
            self.app.swap_table(play.rematch())
            return
        play.next_round()
        self.moment.seat_front()
        await self._moved()

    def action_new_game(self) -> None:
        """Choose who plays what."""
        self.app.open_new_game(self.play)

    def action_level(self) -> None:
        """Choose another level of the computer, everything else as it was."""
        self.app.open_new_game(self.play, row="p2" if self.play.people[0] == 0 else "p1")

    def action_copy_code(self) -> None:
        """Put the position code on the clipboard, and show it."""
        try:
            code = self.session.public_code()
        except DuelboxError as error:
            self.say(error.sentence)
        else:
            self.app.copy_to_clipboard(code)
            self.say(f"Copied {code}")

    def action_speed(self, change: int) -> None:
        """The computers wait longer, or less."""
        self.app.change_speed(change)
        self.say(f"The computers wait {self.app.settings.delay / 1000:.1f} s.")

    def action_home(self) -> None:
        """Back to the five games; this one can be continued."""
        self.app.go_home()

    def action_help(self) -> None:
        """The rules, the keys, the notation."""
        self.app.open_help(self.play.game)
