"""The table: one screen for all games, by mouse, by arrow keys and by typing."""

from __future__ import annotations

from time import monotonic
from typing import Any, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType

from duelbox.bots import told_why
from duelbox.core.game import preset_of
from duelbox.core.match import points_text
from duelbox.core.model import Seat
from duelbox.core.session import Session
from duelbox.sitting.sitting import Sitting
from duelbox.ui import motion
from duelbox.ui.cues import why_not
from duelbox.ui.game_board import counted
from duelbox.ui.screens.table_commands import TableCommands
from duelbox.ui.screens.table_layout import TableLayout
from duelbox.ui.table_state import TableState, typed_in_vain
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.lines import MoveLine, Plate
from duelbox.ui.workers import Analysed, Chosen, RoundDue, Turned, Workers

FOR_FRIENDS = ("agree", "decline", "speak", "claim")
"""The actions whose keys mean nothing where nobody sits elsewhere."""


class TableScreen(TableLayout):
    """The board with its players and the move line; what its other keys do is in `TableCommands`."""

    SPARE: ClassVar[tuple[str, ...]] = ("faster", "slower", "level", "redo", "new", "rounds", "why", "review", "space")

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "do('play')", "Play", id="table.play"),
        Binding("left", "step(-1, 0)", "Choose", id="table.left", show=False, tooltip="Choose to the left"),
        Binding("right", "step(1, 0)", "Choose", id="table.right", show=False, tooltip="Choose to the right"),
        Binding("up", "step(0, -1)", "Choose", id="table.up", show=False, tooltip="Choose above"),
        Binding("down", "step(0, 1)", "Choose", id="table.down", show=False, tooltip="Choose below"),
        Binding("escape", "erase(True)", "Clear the move line", id="table.clear", show=False),
        Binding("backspace", "erase(False)", "Rub out", id="table.rub_out", show=False),
        # One key, since only one of the two ever works.
        Binding("space", "do('look')", "Look", id="table.space", tooltip="Look at your own hidden numbers"),
        Binding("space", "do('pause')", "Pause", id="table.space", tooltip="Let the computers wait"),
        Binding("h", "do('hint')", "Hint", id="table.hint"),
        Binding("v", "do('verdict')", "Verdict", id="table.verdict"),
        Binding("u", "do('undo')", "Undo", id="table.undo"),
        Binding("y", "do('redo')", "Redo", id="table.redo"),
        Binding("w", "do('why')", "Why", id="table.why", tooltip="Why the computer moved as it did"),
        Binding("r", "do('rematch')", "Rematch", id="table.rematch", show=False),
        Binding("e", "do('review')", "Review", id="table.review", tooltip="Look at the game again, move by move"),
        Binding("t", "do('rounds')", "Rounds", id="table.rounds", tooltip="The rounds of the match"),
        Binding("n", "do('new_game')", "New", id="table.new", tooltip="New game"),
        Binding("l", "do('level')", "Level", id="table.level", tooltip="Play another level"),
        Binding("o", "do('more')", "More to decide", id="table.more", show=False, tooltip="Rules with more to decide"),
        Binding("x", "do('harder')", "Next level", id="table.harder", show=False, tooltip="Play the next level"),
        Binding("a", "do('agree')", "Agree", id="table.agree", tooltip="Agree to what you are asked"),
        Binding("d", "do('decline')", "Decline", id="table.decline", tooltip="Decline what you are asked"),
        Binding("m", "do('speak')", "Say", id="table.speak", tooltip="Say something to a friend elsewhere"),
        Binding("c", "do('copy_code')", "Copy code", id="table.code", show=False),
        Binding("g", "do('resign')", "Resign", id="table.resign", show=False),
        Binding("equals_sign", "do('draw')", "Offer a draw", id="table.draw", key_display="=", show=False),
        Binding("k", "do('claim')", "Claim", id="table.claim", tooltip="Claim the game from who is away for too long"),
        Binding("plus", "do('faster')", "Faster", id="table.faster"),
        Binding("minus", "do('slower')", "Slower", id="table.slower"),
        Binding("b", "do('home')", "Home", id="table.home"),
        Binding("question_mark", "do('help')", "Help", id="table.help", key_display="?"),
    ]

    def __init__(self, sitting: Sitting, said: str = "") -> None:
        super().__init__(sitting.game.INFO.id)
        self.state = TableState(sitting, said=said)
        self.commands = TableCommands(self)
        self._workers = Workers(self)

    @property
    def sitting(self) -> Sitting:
        """The match on the table."""
        return self.state.sitting

    @property
    def session(self) -> Session:
        """The game on the table."""
        return self.state.sitting.session

    def on_screen_suspend(self) -> None:
        """Something lies over the table: stop thinking."""
        self._workers.stop()
        for board in self.query(Board):
            board.still()

    async def on_unmount(self) -> None:
        """The table is left, or the app: quitting waits for whoever is still thinking."""
        self._workers.stop()

    def on_screen_resume(self) -> None:
        """Settings may have changed, and the computer may be to move."""
        if self.is_mounted:
            self.sync()

    # -- showing

    def sync(self, before: motion.Before | None = None) -> None:
        """Draw everything, and set to work whoever is to; `before` is what a move has changed."""
        if self.query_one_optional(Board) is None:
            return  # the table was left while the disk was waited for
        self._draw(before)
        self._set_to_work()

    async def sync_soon(self) -> None:
        """Draw everything, with what the solver knows at once."""
        self._set_to_work()
        await self._workers.a_moment()
        self.sync()

    def _set_to_work(self) -> None:
        if self.app.screen is self:  # with something over the table nobody thinks
            pace = self.sitting.waits(self.app.settings.delay)
            self._workers.set_to_work(self.state, max(pace, round(self.board.unrest * 1000)))

    def _draw(self, before: motion.Before | None) -> None:
        """Draw everything from the state: the only road to the widgets."""
        self.state.open_hand = self.app.settings.open_hand
        self._draw_board()
        view = self.state.view()
        if before is not None:
            motion.show_move(self.board, self.game_board, before, view, self.state.look(self.app.glyphs))
        self.show(self.top(), self.plate(view, 0), self.plate(view, 1), self.session.log())
        self.draw_line()
        self.refresh_bindings()

    def top(self) -> tuple[str, str, str]:
        """What is played, by which rules, and how the match stands."""
        game, preset = self.sitting.game, preset_of(self.sitting.game, self.sitting.options)
        return game.INFO.title, preset.name if preset else "House rules", self.state.cues.aside

    def plate(self, view: Any, seat: Seat) -> Plate:
        """What the table shows of a player."""
        who, match, outcome, won = self.sitting.who(seat), self.sitting.match, self.session.outcome, ""
        if match.rounds > 1:  # then the points of the match, too
            won = f"{points_text(self.sitting.score.points(match.player_in(seat)))} pt"
            won = won.replace("½", ".5") if self.app.settings.ascii else won
        return Plate(
            name=who.name,
            score="  ".join(filter(None, (self.game_board.score(view, seat), won))),
            to_move=self.session.turn == seat,
            computer=who.level is not None,
            won=outcome is not None and outcome.winner == seat,
        )

    def _draw_board(self) -> None:
        self.board.scene = self.game_board.scene(self.state.view(), self.state.look(self.app.glyphs))

    def draw_line(self) -> None:
        """Draw the move line, and what is said."""
        state = self.state
        self.commands.note_offer()
        state.keys = self.app.settings.keymap
        line = self.query_one(MoveLine)
        line.line, line.prompt, line.parts = state.line, state.cues.prompt, state.cues.parts
        over = self.session.outcome is not None
        note = self.session.named(state.cues.note)
        if state.cues.rated is not None:
            note = f"{counted(state.cues.rated, self.app.glyphs)} {note}".lstrip()
        self.show_note(note, refused=state.refusal is not None, ended=over and not state.said)

    def say(self, sentence: str) -> None:
        """Say something below the board, until the next move or key."""
        self.state.say(sentence)
        self.draw_line()

    # -- answers of workers

    @on(Chosen)
    async def _computer_moves(self, message: Chosen) -> None:
        if message.is_for(self.session) and self.sitting.computer_to_move and not self.state.paused:
            self.sitting.why = told_why(self.session.parse(message.move), message.why)
            await self.take(message.move)

    @on(RoundDue)
    async def _round_is_due(self, message: RoundDue) -> None:
        if message.is_for(self.session) and self.sitting.goes_on and not self.state.paused:
            await self.commands.do("rematch")

    @on(Analysed)
    def _worked_out(self, message: Analysed) -> None:
        if message.is_for(self.session):
            self.state.analysed(message.analysis)
            if message.analysis is None:
                self.sync()
            else:
                self.show_line()

    @on(Turned)
    def _turned(self, message: Turned) -> None:
        if message.is_for(self.session):
            self.state.turned = message.line
            self.draw_line()

    # -- moving

    async def take(self, move: str) -> None:
        """Play a move, and show what it changes."""
        self.board.still()
        before = motion.Before(self.session.view(None), self.board.drawing().canvas)
        self.sitting.play(move)
        await self.changed(before)

    async def changed(self, before: motion.Before | None = None) -> None:
        """Keep the new position safe, then draw it."""
        self.state.move_made()
        self.board.target = None
        await self.app.game_changed(self.sitting)
        self.sync(before)
        self.state.ended = monotonic() if self.session.outcome is not None else 0.0

    def show_line(self) -> None:
        """Draw the board and the move line."""
        self._draw_board()
        self.draw_line()

    async def on_key(self, event: events.Key) -> None:
        """Characters of the game's moves go into the line; the rest are bindings.

        Bindings run here and now: left to the app, they would overtake, or be overtaken by, what is typed quickly.
        """
        if self.app.screen is not self:
            event.stop()
            return
        self.board.still()
        active, bound = self.active_bindings.get(event.key), self._bindings.key_to_bindings.get(event.key, [])
        if not self.sitting.elsewhere:
            bound = [one for one in bound if action_id(one.action) not in FOR_FRIENDS]
        char = (event.character or "") if event.is_printable else ""
        if char and self.state.type(char, is_key=active is not None or (char not in "+- " and bool(bound))):
            event.stop()
            self.board.target = None  # else it would seem to be chosen beside what is typed
            self.show_line()
        elif active is not None and active.node is self:
            event.stop()
            if active.enabled:
                await self.run_action(active.binding.action)
        elif active is None:
            told = [why_not(self.state, action_id(one.action)) for one in bound]
            why = next(filter(None, told), "") or ("" if bound or not char else typed_in_vain(self.state))
            if why:
                self.say(why)

    def action_erase(self, whole: bool) -> None:
        """Take the last character off the line; or empty it, and forget the refusal and what was pointed at."""
        if whole:
            self.board.target = None
        self.state.draft("" if whole else self.state.line[:-1])
        self.show_line()

    def action_step(self, dx: int, dy: int) -> None:
        """Move the cursor, and choose what it stands on."""
        if not self.state.may_move:
            return
        target = self.board.step(dx, dy)
        if target is not None and self.game_board.arrows_pick(self.state.view()):
            self.state.draft(self.state.pick(target), pointed=True)
            self.show_line()

    @on(Board.Picked)
    async def _picked(self, message: Board.Picked) -> None:
        if not self.state.may_move:
            return
        line = self.state.pick(message.target)
        again = line == self.state.line and self.state.refusal is None
        if not again:
            self.state.draft(line, pointed=True)
            self.show_line()
        if again or (self.app.settings.one_click and self.state.reading.fault is None):
            await self.commands.do("play")

    @on(MoveLine.Pressed)
    async def _line_pressed(self, message: MoveLine.Pressed) -> None:
        if message.action or self.session.outcome is None:
            await self.commands.do(message.action or "play")

    # -- keys

    async def action_do(self, action: str) -> None:
        """Take an action of the table, by its id."""
        await self.commands.do(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered."""
        if action == "step":
            return self.state.may_move
        return self.state.cues.works(str(parameters[0])) if action == "do" else True

    def label(self, action: str) -> str | None:
        """What a key is called now, where that changes."""
        return self.state.cues.labels.get(action_id(action))


def action_id(action: str) -> str:
    """The id in an action as a binding has it: `undo` in `do('undo')`."""
    return action.removeprefix("do('").removesuffix("')")
