"""The layout of a table, in play or in review: title, players, board, a note, the moves."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from duelbox.ui.game_board import board_of
from duelbox.ui.screens.sized_screen import SizedScreen
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.lines import MoveLine, MoveList, Moves, Plate, Plates, TopLine


class TableLayout(SizedScreen):
    """Where everything on a table stands; those who inherit it say what there is to show."""

    DEFAULT_CSS = """
    TableLayout {
        & #middle { height: 1fr; }
        & #play { width: 1fr; }
        & #board { height: 1fr; }
        & #beside { display: none; }
        & #note { height: auto; min-height: 2; max-height: 6; padding: 0 1; }
        & Plates { margin: 1 0 0 0; }
        &.-wide {
            & #below { display: none; }
            & #note { display: none; }
            & #note.-refused { display: block; min-height: 1; }
            & #beside { display: block; width: 30%; min-width: 32; max-width: 52; height: 1fr; }
            & #beside { padding: 1 2; background: $panel; }
            & #told { height: auto; max-height: 60%; margin: 0 0 1 0; }
            & #side { height: 1fr; padding: 0; }
        }
        & #note.-ended, & #told.-ended { text-style: bold; }
        &.-low Plates { margin: 0; }
        &.-low.-wide #told { max-height: 75%; }
        &.-tall Plates { margin: 1 0; }
        &.-tall #note { margin: 1 0 0 0; }
        &.-tall MoveLine { margin: 0 0 1 0; }
    }
    """

    def __init__(self, game_id: str) -> None:
        super().__init__()
        self.game_board = board_of(game_id)
        self._told = ""
        self._notes = Static(id="note", markup=False), Static(id="told", markup=False)
        """Below and beside the board."""
        self._lists = MoveList(id="below"), MoveList(id="side")
        self._plates: tuple[Plate, Plate] | None = None
        self._prompt: tuple[str, str, tuple[tuple[str, str], ...]] = "", "", ()
        """The move line, the player to move, and what keys do."""

    def body(self) -> ComposeResult:
        """Players, board and move line, with the note and the moves below or beside them."""
        note, told = self._notes
        below, beside = self._lists
        with Horizontal(id="middle"):
            with Vertical(id="play"):
                yield Plates()
                yield Container(self.game_board.widget(), id="board")
                yield note
                yield from self.between()
                yield below
            with Vertical(id="beside"):
                yield told
                yield beside

    def on_mount(self) -> None:
        """Show what there is."""
        self.sync()

    def sync(self) -> None:
        """Show everything as it is now."""
        raise NotImplementedError

    def between(self) -> ComposeResult:
        """What stands between the note and the moves."""
        yield MoveLine()

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.query_one(Board)

    def show_around(
        self, top: tuple[str, str, str], one: Plate, two: Plate, moves: Moves, at: int | None = None
    ) -> None:
        """Show what stands round the board: the top line, the players, and the moves, `at` of them made.

        The players are shown with the note, which comes next: not before the board has shown how a move ends.
        """
        line = self.query_one(TopLine)
        line.title, line.place, line.aside = top
        self._plates = one, two
        for listed in self._lists:
            listed.glyphs, listed.moves, listed.at = self.app.glyphs, moves, at

    def show_note(self, text: str, *, refused: bool = False, ended: bool = False) -> None:
        """The sentence below or beside the board; it does not tell how a move ends before the board does.

        A refusal stands below, near what was typed; what stands beside the board stays.
        """
        self._told = text
        for note in self._notes:
            note.set_class(refused, "-refused").set_class(ended, "-ended")
        if refused:
            self._tell()
        self._rested()

    def _tell(self, said: str | None = None) -> None:
        for note in self._notes:
            if note.id == "note" or not note.has_class("-refused"):
                self._write(note, Content(self._told if said is None else said))

    def _write(self, note: Static, told: Content) -> None:
        """Show this, and lay all out anew only where it takes more lines or fewer."""
        if note.content != told:
            width, height = note.content_size
            least, most = note.styles.min_height, note.styles.max_height
            wanted = max(least.value if least else 0, told.get_height({}, width) if width else 0)
            moves = min(most.value if most else wanted, wanted) != height
            if moves and note is self._notes[0]:
                self.board.expect_size()
            note.update(told, layout=moves)

    @on(Board.Framed)
    @on(Board.Rested)
    def _rested(self) -> None:
        """Show the words of the moment that the board shows; players and prompt wait until it shows what is true."""
        rests = not self.board.unrest
        self._tell(self.board.said)
        for line in self.query(MoveLine):
            line.line, line.prompt, line.parts = self._prompt if rests else ("", "", ())
        if rests:
            plates = self.query_one(Plates)
            plates.glyphs, plates.plates = self.app.glyphs, self._plates
