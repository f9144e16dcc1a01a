"""A board alone, for a look: python -m duelbox.ui.widgets [CODE] [--size WxH] [--theme …] [--ascii] [--text]."""

from __future__ import annotations

import argparse

from textual import events
from textual.app import App, ComposeResult

from duelbox.core.code import parse_code
from duelbox.core.errors import CodeError, MoveError
from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids
from duelbox.ui.game_board import board_of, look_at
from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.themes import THEMES
from duelbox.ui.widgets.board import Board


class BoardApp(App[None]):
    """One board; arrows move the cursor, clicks and Enter play."""

    CSS = "Screen { layout: vertical; }"
    BINDINGS = [("q", "quit", "Quit")]  # noqa: RUF012 - as Textual has it

    def __init__(self, session: Session, theme: str, glyphs: Glyphs, line: str = "", peek: bool = False) -> None:
        super().__init__()
        self.session, self.glyphs, self.line, self.peek = session, glyphs, line, peek
        self.table = board_of(session.game.INFO.id)
        for one in THEMES.values():
            self.register_theme(one)
        self.theme = THEMES[theme].name

    def compose(self) -> ComposeResult:
        """The board."""
        yield self.table.widget()

    def on_mount(self) -> None:
        """Show the position."""
        self._sync()

    def _sync(self) -> None:
        view, look = look_at(self.session, self.line, self.glyphs, self.peek)
        self.query_one(Board).scene = self.table.scene(view, look)

    def on_board_picked(self, event: Board.Picked) -> None:
        """Lay it into the move line; play it when it was there already."""
        view, _ = look_at(self.session)
        line = self.table.pick(view, self.line, event.target)
        if line == self.line:
            self._play()
        else:
            self.line = line
            self._sync()

    def on_key(self, event: events.Key) -> None:
        """Arrows, Enter and space."""
        steps = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
        board = self.query_one(Board)
        if event.key in steps:
            board.step(*steps[event.key])
        elif event.key == "enter" and board.target is not None:
            board.post_message(Board.Picked(board, board.target))
        elif event.key == "space":
            self.peek = not self.peek
            self._sync()

    def _play(self) -> None:
        if self.session.turn is None:
            return
        try:
            self.session.type(self.line)
        except MoveError as error:
            self.notify(error.sentence, markup=False)
            return
        self.line = ""
        self._sync()


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m duelbox.ui.widgets", description="Show a board alone.")
    parser.add_argument("code", nargs="?", default=game_ids()[0])
    parser.add_argument("--size", default="80x14", help="of --text, in cells")
    parser.add_argument("--theme", choices=THEMES, default="dark")
    parser.add_argument("--ascii", action="store_true")
    parser.add_argument("--peek", action="store_true")
    parser.add_argument("--line", default="")
    parser.add_argument("--target", help="where the cursor is")
    parser.add_argument("--text", action="store_true", help="print the characters")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    try:
        session = parse_code(arguments.code, find_game)
    except CodeError as error:
        parser.error(error.sentence)
    glyphs = ASCII if arguments.ascii else UNICODE
    if arguments.text:
        view, look = look_at(session, arguments.line, glyphs, arguments.peek)
        table = board_of(session.game.INFO.id)
        drawing = table.widget().paint(table.scene(view, look), width, height, arguments.target)
        print(drawing.canvas.dump())  # noqa: T201
        return
    BoardApp(session, arguments.theme, glyphs, arguments.line, arguments.peek).run()


if __name__ == "__main__":
    main()
