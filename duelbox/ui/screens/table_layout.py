"""The layout of a table: the size of the window alone decides the place of each part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.geometry import Region

from duelbox.solve.argument import Part
from duelbox.table.prompts import Prompts
from duelbox.ui.game_board import board_of
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.circle import CARD
from duelbox.ui.widgets.end_card import EndCard
from duelbox.ui.widgets.lines import ClippedText, MoveLine, MoveList, Moves, OneSentence, Plate, Plates, TopLine

AT = 2
"""The first row of the board, below the title and the players."""
AROUND = 8
"""The rows of the smallest windows that the board does not get."""
LOW, WIDE, TALL = 24, 100, 32
OVER = 4
"""The rows of a ring that the card of the end may cover where its middle is too small."""


def board_rows(height: int) -> int:
    """The rows of the board in a window of this height; it gets four in five of the rows beyond 24."""
    return min(height, LOW) - AROUND + max(0, height - LOW) * 4 // 5


def large_board_rows(height: int) -> int:
    """The rows of a board shown large: three are left for the story, three for the prompt, one or two for a text."""
    return height - (7 if height >= TALL else 8)


def pane_columns(width: int) -> int:
    """The columns of the pane beside the board in a window of this width."""
    return min(27 + (width - WIDE) * 9 // 20, 36 + (width - 120) * 11 // 80)


class TableLayout(BaseScreen):
    """Lays out the parts of a table, and shows prompts in them; a subclass fills the board."""

    DEFAULT_CSS = """
    TableLayout {
        & .main { layers: base card; }
        & #middle { height: 1fr; }
        & #play { width: 1fr; }
        & #beside { display: none; }
        & #text { height: 1fr; min-height: 2; }
        & .section { border: round $outline 55%; border-title-color: $text-muted; padding: 0 1; }
        & .section { border-subtitle-color: $text-muted; }
        &.-wide {
            & #below { display: none; }
            & #beside { display: block; height: 1fr; margin: 0 0 0 1; }
            & #help { height: 2fr; max-height: 13; }
            & #happened { height: 1fr; min-height: 4; }
            & #side { height: 1fr; min-height: 4; }
        }
        &.-plot #said, &.-plot #below { display: none; }
        & #text.-ended { text-style: bold; }
        &.-tall MoveLine { margin: 1 0 0 0; }
        &.-large {
            & TopLine, & Plates, & #beside, & #below, & KeyBar { display: none; }
            & #said { height: 3; }
            & #text { min-height: 1; }
        }
        &.-large MoveLine { height: 3; margin: 0; }
    }
    """

    WHOLE: ClassVar[str] = "tab"
    """The key that shows the whole of a text that is cut."""
    LISTED: ClassVar[type[MoveList]] = MoveList
    """The list of what was played."""
    SPENT: ClassVar[int] = 0
    """The rows that the board leaves to the parts below it."""

    def __init__(self, game_id: str) -> None:
        super().__init__()
        self.game_board = board_of(game_id)
        self._said, self._text = OneSentence(id="said"), ClippedText(id="text")
        self._help, self._happened = (
            ClippedText(id="help", classes="section"),
            ClippedText(id="happened", classes="section"),
        )
        self._card = EndCard()
        self._lists = self.LISTED(id="below"), self.LISTED(id="side", classes="section")
        self._field = Container(self.game_board.widget(), id="board")
        self._beside = Vertical(self._help, self._happened, self._lists[1], id="beside")
        self._happened.more = ""
        for part, title in ((self._help, "Verdict"), (self._happened, "What happened"), (self._lists[1], "Moves")):
            part.border_title = title
        self._waiting: tuple[Prompts, tuple[Plate, Plate], Moves, int | None] | None = None
        """Prompts, plates, moves and the turn to show; they wait until the board has shown the last move."""

    def body(self) -> ComposeResult:
        """Lay out the players, the board, its story, the move line, the text and the moves."""
        with Horizontal(id="middle"):
            with Vertical(id="play"):
                yield Plates()
                yield self._field
                yield self._said
                yield from self.between()
                yield self._text
                yield self._lists[0]
            yield self._beside
        yield self._card

    def on_mount(self) -> None:
        """Lay out and show the table."""
        self.board.tell = self._show_moment
        self._lay_out(*self.app.size)
        self.sync()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out the table in the new size."""
        self._lay_out(*event.size)

    def on_screen_resume(self) -> None:
        """Lay out the table again, as the setting for large boards may have changed."""
        if self.is_mounted and self.query(Board):
            self._lay_out(*self.app.size)

    def _lay_out(self, width: int, height: int) -> None:
        large = bool(self.app.settings.large) and not self.has_class("-plot")
        self.set_class(large, "-large")
        rows = large_board_rows(height) if large else board_rows(height)
        self._field.styles.height = rows - self.SPENT
        for line in self.query(MoveLine):
            line.large = large and self.app.glyphs.unicode
        self._said.large = large and self.app.glyphs.unicode
        self._beside.styles.width = pane_columns(width)
        self.settle()
        self.call_after_refresh(self._show_moment)  # by then the board has its new size, which the card needs

    def settle(self) -> None:
        """End every motion, and show the true state in every part."""
        self.finish_motion()
        self._show_words()

    def finish_motion(self) -> None:
        """End every motion at once."""
        self.board.finish_motion()
        self._card.finish_motion()

    def sync(self) -> None:
        """Show the state as it is now."""
        raise NotImplementedError

    def between(self) -> ComposeResult:
        """The widgets between the story and the text."""
        yield MoveLine()

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.query_one(Board)

    def show_around(
        self, top: tuple[str, str, str], plates: tuple[Plate, Plate], prompts: Prompts, moves: Moves, at: int | None
    ) -> None:
        """Show the top line, the players, the moves (`at` of them made) and all words.

        The words about a move wait until the board has shown it.
        """
        line = self.query_one(TopLine)
        line.title, line.place, line.aside = top
        self._waiting = prompts, plates, moves, at
        self._show_moment()

    @property
    def held(self) -> bool:
        """True while the words and keys beside the board wait for the end of a move that it shows."""
        board = self.query_one_optional(Board)  # none after the table is left
        moves = board is not None and board.motion_left > 0
        return self._waiting is not None and moves and self._waiting[0].tone != "refused"

    def _show_moment(self) -> None:
        """Show the words for this moment of a move; the others follow when the board is at rest."""
        if self._waiting is None or self.query_one_optional(Board) is None:
            return
        prompts = self._waiting[0]
        if not self.held:
            self._show_words()
            return
        self._said.words, self._text.words = (self._line(*(self.board.caption or prompts.story[0])),), ()
        self.show_prompt(None)

    def show_prompt(self, prompts: Prompts | None) -> None:
        """Show the move line, or clear it while the board shows a move."""

    def _show_words(self) -> None:
        if self._waiting is None:
            return
        prompts, plates, moves, at = self._waiting
        for listed in self._lists:
            listed.glyphs, listed.moves, listed.at = self.app.glyphs, moves, at
        self.show_prompt(prompts)
        shown = self.query_one(Plates)
        shown.glyphs, shown.plates = self.app.glyphs, plates
        wide, verdict = self.app.size.width >= WIDE and not self.has_class("-large"), self._verdict(prompts)
        story = tuple(self._line(seat, told) for seat, told in prompts.story)
        beside = prompts.tone == "help" and wide
        line, aside = story[0] if story else Content(""), Content.styled(f" {prompts.remark}", "italic")
        fits = line.cell_length + aside.cell_length <= self._said.content_size.width
        line = Content.assemble(line, aside) if prompts.remark and fits else line
        self._said.words = (verdict,) if verdict and not wide else (line,)
        note = Content(prompts.note) if prompts.note or fits else aside
        self._text.words = () if beside or prompts.card else (note,)
        self._text.set_class(prompts.tone == "ended", "-ended")
        self._text.argued = self._help.argued = prompts.argued is not None
        above = (verdict, Content("")) if verdict else ()
        self._help.words = (
            (*above, Content(prompts.note if beside else prompts.reason)) if beside or above else self.idle(prompts)
        )
        self._help.display = not prompts.card  # the story and the moves get its room
        self._happened.words = story
        self._show_card(prompts)
        self.refresh_bindings()

    def _show_card(self, prompts: Prompts) -> None:
        if not self.board.size:
            return
        card = self._card
        card.glyphs, card.card, card.buttons = self.app.glyphs, prompts.card, prompts.parts if prompts.card else ()
        if prompts.card is None:
            card.lay((), ())
            self.board.covered = False
            return
        drawing, wide = self.board.drawing(), self.board.size.width
        top, foot = AT, self.app.size.height - 2
        if self.has_class("-large"):
            top, foot = 0, self.app.size.height
        used, said = top + len(drawing.canvas.dump().rstrip().split("\n")), top + self.board.size.height
        ends = (said + 1, foot), (used, foot), (used, foot + 1)  # below the story, or above the moves, or over both
        below = [Region(0, top, wide, end - top) for top, end in ends]
        large = [room for room in drawing.rooms if room.width >= CARD.width and room.height >= CARD.height]
        inside = [room.translate((0, top)) for room in large]
        over = []
        if drawing.track:  # a ring without room in its middle fills the board: the card stands over its lowest rows
            top = said - OVER
            over = [Region(0, top, wide, end - top) for end in (foot, foot + 1)]
        card.lay(inside, below, over)
        self.board.covered = card.inside

    def _line(self, seat: int | None, told: str) -> Content:
        sign = "" if seat is None else self.app.glyphs.seats[seat]
        return Content.assemble((sign, f"$seat-{seat} bold"), " ", told) if sign else Content(told)

    def _verdict(self, prompts: Prompts) -> Content:
        sign = self.app.glyphs.verdict(prompts.rated.verdict) if prompts.rated else ""
        return Content.assemble((f"{sign} ", "bold") if sign else "", prompts.verdict)

    def idle(self, prompts: Prompts) -> tuple[Content, ...]:
        """The words in the pane without help: the keys that ask for it."""
        keys = {"verdict": "who wins with best play, and why", "hint": "a hint, in three steps"}
        verbs = (
            (self.app.settings.keymap.get(name, name[0]), told) for name, told in keys.items() if prompts.works(name)
        )
        return tuple(Content.assemble((key, "bold"), f"  {told}").stylize("$text-muted") for key, told in verbs)

    def action_whole(self) -> None:
        """Show the verdict and the text whole, in a panel."""
        prompts = self._waiting[0] if self._waiting else None
        if prompts is None or not (prompts.note or prompts.verdict):
            return
        self.open_whole(prompts, ())

    def open_whole(self, prompts: Prompts, parts: Sequence[Part]) -> None:
        """Show the verdict and the text, and below them the parts of the argument."""
        verdict, width = self._verdict(prompts), min(72, self.app.size.width - 8)
        lines = [line for one in (verdict, Content(prompts.note)) if one for line in one.wrap(width)]
        for part in parts:
            rows = [row.wrap(width - 2) for row in map(Content, part.rows)]
            lines += [Content(""), *Content.styled(part.heading, "bold").wrap(width)]
            lines += [Content.assemble("  ", line) for row in rows for line in row]
        self.app.push_screen(PanelScreen("", lines, closes=self.WHOLE))

    @on(ClippedText.Pressed)
    def _pressed(self) -> None:
        self.action_whole()
