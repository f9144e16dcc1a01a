"""The table: one screen for all games, by mouse, by arrow keys and by typing."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.timer import Timer

from duelbox.bots import told_why
from duelbox.core.errors import DuelboxError
from duelbox.sitting.sitting import Sitting
from duelbox.ui import motion
from duelbox.ui.messages import Analysed, Chosen, GaveUp
from duelbox.ui.moment import Moment
from duelbox.ui.screens.shown import ShownTable
from duelbox.ui.thinking import Thinker
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.lines import MoveLine

PEEK_SECONDS = 4.0
MAX_LINE = 12


class TableScreen(ShownTable):
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
        Binding("r", "rematch", "Rematch", id="table.rematch", show=False),
        Binding("e", "review", "Look back", id="table.review", tooltip="Look at the game again, move by move"),
        Binding("n", "new_game", "New", id="table.new", tooltip="New game"),
        Binding("l", "level", "Level", id="table.level", tooltip="Play another level"),
        Binding("c", "copy_code", "Copy code", id="table.code", show=False),
        Binding("g", "resign", "Give up", id="table.resign", show=False),
        Binding("plus", "speed(-1)", "Faster", id="table.faster"),
        Binding("minus", "speed(1)", "Slower", id="table.slower"),
        Binding("b", "home", "Home", id="table.home"),
        Binding("question_mark", "help", "Help", id="table.help", key_display="?"),
    ]

    def __init__(self, sitting: Sitting, said: str = "") -> None:
        super().__init__(Moment(sitting, said=said))
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

    def sync(self, before: motion.Before | None = None) -> None:
        """Draw everything, and set to thinking whoever is to; `before` is what a move has changed."""
        if self.query(Board):  # else the table was left while the disk was waited for
            self.draw(before)
            if self.app.screen is self:  # with something over the table nobody thinks
                self._think()

    # -- thinking

    def _think(self) -> None:
        """Set the computer, or the solver, to work if there is work."""
        session = self.session
        if self.sitting.computer_to_move and not self.moment.paused:
            assert session.turn is not None
            level, delay = self.sitting.who(session.turn).level, round(self.board.unrest * 1000)
            assert level is not None
            self._thinker.choose(session, level, max(self.sitting.waits(self.app.settings.delay), delay))
        elif self.moment.wants_analysis:
            self._thinker.analyse(session)
        else:
            self._thinker.stop()

    @on(Chosen)
    async def _computer_moves(self, message: Chosen) -> None:
        if message.is_for(self.session) and self.sitting.computer_to_move and not self.moment.paused:
            self.moment.why = told_why(self.session.parse(message.move), message.why)
            await self._take(message.move)

    @on(GaveUp)
    def _gave_up(self, message: GaveUp) -> None:
        if message.is_for(self.session):
            self.moment.gave_up()
            self._think()
            self.draw_line()

    @on(Analysed)
    def _analysed(self, message: Analysed) -> None:
        if message.is_for(self.session):
            self.moment.analysed(message.analysis)
            self.draw_board()
            self.draw_line()

    # -- moving

    async def _take(self, move: str) -> None:
        """Play a move, and show what it changes."""
        self.board.still()
        before = motion.Before(self.session.view(None), self.board.drawing().canvas)
        self.sitting.play(move)
        await self._moved(before)

    async def _moved(self, before: motion.Before | None = None) -> None:
        """Keep the new position safe, then draw it."""
        self.moment.move_made()
        self.board.target = None
        await self.app.game_changed(self.sitting)
        self.sync(before)

    def _draft(self, line: str, *, pointed: bool = False) -> None:
        self.moment.draft(line, pointed=pointed)
        self.draw_board()
        self.draw_line()

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
        so_far = self.moment.line if char and char in self.table.changing else self.moment.continued()
        if char and self.moment.may_move and (char in self.table.keys or self.table.begins(self.view(), so_far + char)):
            event.stop()
            self.board.target = None  # else it would seem to be chosen beside what is typed
            self._draft(self.table.typed(self.view(), so_far, char)[:MAX_LINE])
        elif active is not None and active.node is self:
            event.stop()
            if active.enabled:
                await self.run_action(active.binding.action)
        elif active is None:
            self.tell_why_not(event.key)

    def action_rub_out(self) -> None:
        """Take the last character off the line."""
        self._draft(self.moment.line[:-1])

    def action_clear(self) -> None:
        """Empty the line, and forget the refusal and what was pointed at."""
        self.board.target = None
        self._draft("")

    def action_step(self, dx: int, dy: int) -> None:
        """Move the cursor, and choose what it stands on."""
        if not self.moment.may_move:
            return
        target = self.board.step(dx, dy)
        if target is not None and self.table.arrows_pick(self.view()):
            self._draft(self._pick(target), pointed=True)

    @on(Board.Picked)
    async def _picked(self, message: Board.Picked) -> None:
        if not self.moment.may_move:
            return
        line = self._pick(message.target)
        again = line == self.moment.line and self.moment.refusal is None
        if not again:
            self._draft(line, pointed=True)
        if again or (self.app.settings.one_click and self.moment.fault() is None):
            await self.action_play()

    @on(MoveLine.Pressed)
    async def _line_pressed(self, message: MoveLine.Pressed) -> None:
        key, colon, _ = message.told.partition(": ")
        if colon and key != "Enter":
            self.app.simulate_key(key.lower())
        elif self.session.outcome is None or colon:
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
                self.draw_line()
            else:
                await self._take(moment.line)
        elif (further := self._further()) is not None:
            self._draft(further, pointed=True)
        elif moment.line:
            moment.refusal = fault
            self.draw_board()
            motion.show_refusal(self.board, self.table, self.view(), moment.look(self.app.glyphs))
            self.draw_line()
        else:
            self.say(f"{moment.asked}, or choose it with the arrows or the mouse.")

    def _further(self) -> str | None:
        """What Enter makes of a line that is no move yet: it takes what the cursor is on, or the only way on."""
        moment, target = self.moment, self.board.target
        if target and (picked := self._pick(target)) != moment.line:
            return picked
        begun = moment.begun()
        return begun[0] if len(begun) == 1 else None

    def _pick(self, target: str) -> str:
        return self.table.pick(self.view(), self.moment.line, target)

    def _pass_on(self) -> None:
        """Cover the table and hand the keyboard over."""
        from duelbox.ui.screens.curtain import CurtainScreen

        turn = self.session.turn
        assert turn is not None
        self.app.push_screen(CurtainScreen(self.sitting.who(turn).name), lambda _: self._take_over())

    def _take_over(self) -> None:
        self.moment.seat_front()
        self.sync()

    # -- the rest

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered."""
        if action == "look" and self.moment.works(action):
            return self.table.has_secret(self.view())
        return self.moment.works(action)

    def label(self, action: str) -> str | None:
        """What a key is called now, where that changes."""
        return self.moment.label(action)

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
        self.moment.verdict_on, self.moment.given_up = not self.moment.verdict_on, False
        if self.moment.fault() is not None and not self.moment.begun():
            self.moment.draft("")  # its refusal would stand before the verdict
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
        if not self.sitting.assisted:
            self.sitting.assisted = True
            await self.app.game_changed(self.sitting)

    def action_why(self) -> None:
        """Say why the computer moved as it did."""
        self.say(self.moment.why)

    async def action_undo(self) -> None:
        """Undo; at the very start, go back to the match before."""
        try:
            now = self.sitting.undo()
        except DuelboxError as error:
            self.say(error.sentence)
            return
        self.moment.paused = self.moment.paused or not self.sitting.people  # else they would move on at once
        await self._went(now, f"The game before. {self.moment.key('redo', 'y')} leads back to the new one.")

    async def action_redo(self) -> None:
        """Do again what was undone."""
        try:
            await self._went(self.sitting.redo())
        except DuelboxError as error:
            self.say(error.sentence)

    async def _went(self, now: Sitting, said: str = "") -> None:
        """This lies on the table after undo and redo: the same match, or another, with a word about that."""
        if now is not self.sitting:
            self.app.swap_table(now, said)
            return
        self.moment.why = ""
        await self._moved()

    async def action_resign(self) -> None:
        """Give up; it takes the key twice."""
        if self.moment.awaiting == "resign":
            self.sitting.resign()
            await self._moved()
        else:
            self.say("Press it again to give up.")
            self.moment.awaiting = "resign"

    async def action_rematch(self) -> None:
        """The next round, or the same match again."""
        sitting = self.sitting
        if sitting.score.over:
            self.app.swap_table(sitting.rematch())
            return
        sitting.next_round()
        self.moment.leave_front()
        await self._moved()

    async def action_review(self) -> None:
        """Look at the match again; from there the way leads back here."""
        saved = self.sitting.saved
        assert saved is not None
        try:
            await self.app.review(await asyncio.to_thread(self.app.store.find, saved.id))
        except DuelboxError as error:
            self.say(error.sentence)

    def action_new_game(self) -> None:
        """Choose who plays what."""
        self.app.open_new_game(self.sitting)

    def action_level(self) -> None:
        """Choose another level of the computer, everything else as it was."""
        self.app.open_new_game(self.sitting, row="p2" if self.sitting.people[0] == 0 else "p1")

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
        """The computers at this table wait longer, or less."""
        delay = self.sitting.change_pace(self.app.settings.delay, change)
        self.say(f"The computers wait {delay / 1000:.1f} s.")

    def action_home(self) -> None:
        """Back to the five games; this one can be continued."""
        self.app.go_home()

    def action_help(self) -> None:
        """The rules, the keys, the notation."""
        self.app.open_help(self.sitting.game)
