"""A position at which the right move is looked for: lessons, puzzles and mistakes, on the table's own board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.timer import Timer

from duelbox.core.match import Match
from duelbox.core.model import Seat
from duelbox.core.record import Who
from duelbox.core.session import Session
from duelbox.learn.tries import Tried
from duelbox.table.cues import Part
from duelbox.table.state import TableState
from duelbox.ui import motion
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.lines import MoveLine, Plate

if TYPE_CHECKING:
    from duelbox.learn.lessons import Course
    from duelbox.learn.mistakes import Mistakes
    from duelbox.learn.puzzles import Solving

TAKEN_BACK = 8.0
"""A wrong try is taken back by itself after so many seconds."""
OTHER = "oracle"
"""Who sits on the other side is no person, so that hands may lie open."""

T = TypeVar("T", bound="Course | Mistakes | Solving")


class TryScreen(TableScreen, Generic[T], inherit_bindings=False):
    """The table with a task on it: a wrong try is answered and taken back, a right one leads on."""

    TITLE_PLACE: ClassVar[str] = ""
    LEFT_ALONE: ClassVar[tuple[str, ...]] = ("escape", "question_mark", "ctrl+q", "ctrl+p", "p")
    """Keys that do what they do while a try is shown, too."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", "Play", id="try.play"),
        Binding("left", "step(-1, 0)", "Choose", show=False),
        Binding("right", "step(1, 0)", "Choose", show=False),
        Binding("up", "step(0, -1)", "Choose", show=False),
        Binding("down", "step(0, 1)", "Choose", show=False),
        Binding("backspace", "erase(False)", "Rub out", show=False),
        Binding("h", "help_on", "Hint", id="try.hint"),
        Binding("a", "answer", "Answer", id="try.answer"),
        Binding("n", "skip", "Next", id="try.next"),
        Binding("question_mark", "do('help')", "Rules", id="try.help", key_display="?"),
        Binding("escape", "leave", "Leave", id="try.leave"),
    ]

    def __init__(self, trial: T) -> None:
        super().__init__(_sitting(trial.session))
        self.trial = trial
        self.tried: Tried | None = None
        """What became of the last try, while it is shown."""
        self.over = False
        self._timer: Timer | None = None

    # -- showing

    def lay(self) -> None:
        """Lay the position of the task, and wait for a try."""
        self._forget()
        self.state = TableState(_sitting(self.trial.session))
        self.board.target = None
        self.sync()

    def _forget(self) -> None:
        self.tried = None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def sync(self, before: motion.Before | None = None) -> None:
        """Draw everything; while a try is shown, nobody thinks."""
        if self.tried is None:
            super().sync(before)
        elif self.query(Board):
            self._workers.stop()
            self._draw(before)

    def top(self) -> tuple[str, str, str]:
        """What is played, what there is to do, and how far it is done."""
        return self.session.game.INFO.title, self.TITLE_PLACE, self.aside()

    def plate(self, view: Any, seat: Seat) -> Plate:
        """What is shown of a player; nobody here is a computer."""
        return replace(super().plate(view, seat), computer=False)

    def aside(self) -> str:
        """The end of the top line."""
        raise NotImplementedError

    def draw_line(self) -> None:
        """Draw the move line, and below the board the task, or what became of the try, or how it ended."""
        state, line = self.state, self.query_one(MoveLine)
        if self.over:
            line.line = ""
            note, line.prompt, line.parts = self.end()
            self.show_note(note, ended=True)
            return
        if self.tried is None:
            quiet = not (state.said or state.refusal or state.line)
            super().draw_line()
            if quiet:
                self.show_note(state.sitting.session.named(self.trial.asked))
            return
        line.line = self.tried.move
        line.prompt = "Right" if self.tried.right else "Not yet"
        line.parts = ((self.way_on() if self.tried.right else "Enter: try again", "go_on"),)
        head = f"{self.tried.move} is right. " if self.tried.right else ""
        self.show_note(f"{head}{self.tried.sentence}", refused=not self.tried.right)

    def way_on(self) -> str:
        """The prompt for Enter after a right move."""
        raise NotImplementedError

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """When all is done: the note, the prompt and its parts."""
        raise NotImplementedError

    # -- trying

    async def take(self, move: str) -> None:
        """Try the move: show it and its answer, which stay until the next key, and are then taken back."""
        self.board.still()
        before = motion.Before(self.session.view(None), self.board.drawing().canvas)
        seat = self.session.turn  # a right move may be played on, and even end the game
        self.tried = self.trial.attempt(move)
        self.state = TableState(_sitting(self.tried.played, seat))
        self.board.target = None
        if not self.tried.right:
            self._timer = self.set_timer(TAKEN_BACK, self.lay)
        self.sync(before)

    async def on_key(self, event: events.Key) -> None:
        """While a try is shown, any key that does nothing else goes on; the table takes the other keys."""
        if self.tried is not None and self.app.screen is self and event.key not in self.LEFT_ALONE:
            event.prevent_default().stop()
            await self.action_go_on()

    @on(Board.Picked)
    async def _picked(self, message: Board.Picked) -> None:
        if self.tried is not None:
            message.prevent_default()
            await self.action_go_on()

    @on(MoveLine.Pressed)
    async def _line_pressed(self, message: MoveLine.Pressed) -> None:
        message.prevent_default()
        await self.action_go_on()

    async def action_go_on(self) -> None:
        """Try the move in the line; after a try, go on."""
        if self.tried is None:
            await self.commands.do("play")
        elif self.tried.right:
            self.found()
        else:
            self.lay()

    def found(self) -> None:
        """A right move was seen: on to the next position; at the end, leave."""
        if self.over:
            self.action_leave()
        else:
            self.proceed()

    def proceed(self) -> None:
        """On to the next position, or to the end."""
        if self.goes_on():
            self.lay()
            return
        self.over = True
        self.tried = self.tried or Tried(True, "", "", self.trial.session.copy())
        self.draw_line()
        self.refresh_bindings()

    def goes_on(self) -> bool:
        """Keep what was done, and go to the next position; False at the end."""
        raise NotImplementedError

    # -- keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Help is there while a move is looked for."""
        if action in ("help_on", "answer", "skip"):
            return self.tried is None
        return True if action == "do" else super().check_action(action, parameters)

    def label(self, action: str) -> str | None:
        """Enter goes on after a try."""
        return None if self.tried is None or action != "go_on" else "Go on"

    async def action_help_on(self) -> None:
        """A hint, where there are any beside the answer."""
        raise NotImplementedError

    def action_answer(self) -> None:
        """Lay a right move into the line."""
        move = self.trial.right[0]
        self.state.draft(move, pointed=True)
        self.show_line()
        self.say(f"Play {move}.")

    def action_skip(self) -> None:
        """Leave this task for the next."""
        raise NotImplementedError

    def action_leave(self) -> None:
        """Back to where this was opened."""
        self._forget()
        self.dismiss(None)


def _sitting(session: Session, looking: int | None = None) -> Sitting:
    """The session on a table that is saved nowhere; the one to move, or this one, is the person."""
    seat = session.turn if looking is None else looking
    assert seat is not None
    names = session.names
    one, two = (Who(name=name, level=None if at == seat else OTHER) for at, name in enumerate(names))
    return Sitting(session, (one, two), Match(), session.options)
