"""The layout of a table, in play or in review: each thing has one place, by the size of the window alone."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.geometry import Region

from duelbox.table.prompts import Prompts
from duelbox.ui.game_board import board_of
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.end_card import EndCard
from duelbox.ui.widgets.lines import ClippedText, MoveLine, MoveList, Moves, OneSentence, Plate, Plates, TopLine

AT = 2
"""The row where the board begins: below the title and the players."""
AROUND = 8
"""So many rows of the smallest windows are not the board's."""
LOW, WIDE, TALL = 24, 100, 32
LARGE = (120, 40)
"""From this size on a table can be shown without pane and foot."""


def board_rows(height: int) -> int:
    """The rows of the board in a window of this height: of those beyond 24 it has four in five."""
    return min(height, LOW) - AROUND + max(0, height - LOW) * 4 // 5


def pane_columns(width: int) -> int:
    """The columns of the pane beside the board, in a window this wide."""
    return min(27 + (width - WIDE) * 9 // 20, 36 + (width - 120) * 11 // 80)


class TableLayout(BaseScreen):
    """Where everything on a table stands; those who inherit it say what there is to show."""

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
        &.-large { & #beside, & #below, & KeyBar { display: none; } }
    }
    """

    WHOLE: ClassVar[str] = "tab"
    """The key that shows a text whole."""
    SPENT: ClassVar[int] = 0
    """So many rows the board leaves to what stands below it."""

    def __init__(self, game_id: str) -> None:
        super().__init__()
        self.game_board = board_of(game_id)
        self._said, self._text = OneSentence(id="said"), ClippedText(id="text")
        self._help, self._happened = (
            ClippedText(id="help", classes="section"),
            ClippedText(id="happened", classes="section"),
        )
        self._card = EndCard()
        self._lists = MoveList(id="below"), MoveList(id="side", classes="section")
        self._field = Container(self.game_board.widget(), id="board")
        self._beside = Vertical(self._help, self._happened, self._lists[1], id="beside")
        self._happened.more = ""
        for part, title in ((self._help, "Verdict"), (self._happened, "What happened"), (self._lists[1], "Moves")):
            part.border_title = title
        self._waiting: tuple[Prompts, tuple[Plate, Plate], Moves, int | None] | None = None
        """What is to be told as soon as the board is at rest: it does not tell how a move ends before that."""

    def body(self) -> ComposeResult:
        """Players, board, what happened, the move line, the text that was asked for, and the moves."""
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
        """Show what there is."""
        self.board.tell = self._tell_moment
        self._lay_out(*self.app.size)
        self.sync()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out anew."""
        self._lay_out(*event.size)

    def on_screen_resume(self) -> None:
        """The setting for large boards may have changed."""
        if self.is_mounted and self.query(Board):
            self._lay_out(*self.app.size)

    def _lay_out(self, width: int, height: int) -> None:
        wanted = self.app.settings.large and not self.has_class("-plot")
        large = wanted and width >= LARGE[0] and height >= LARGE[1]
        self.set_class(large, "-large")
        self._field.styles.height = height - AROUND + 1 if large else board_rows(height) - self.SPENT
        self._beside.styles.width = pane_columns(width)
        self.settle()
        self.call_after_refresh(self._tell_moment)  # the card stands by the board, which has its new size then

    def settle(self) -> None:
        """Show what is true, in every part, at once."""
        self.finish_motion()
        self._tell()

    def finish_motion(self) -> None:
        """Show the end of what moves, at once."""
        self.board.finish_motion()
        self._card.finish_motion()

    def sync(self) -> None:
        """Show everything as it is now."""
        raise NotImplementedError

    def between(self) -> ComposeResult:
        """What stands between what happened and the text."""
        yield MoveLine()

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.query_one(Board)

    def show_around(
        self, top: tuple[str, str, str], plates: tuple[Plate, Plate], prompts: Prompts, moves: Moves, at: int | None
    ) -> None:
        """Show what stands round the board: the top line, the players, the moves (`at` of them made), and all words.

        What a board that moves has not shown yet is not told before.
        """
        line = self.query_one(TopLine)
        line.title, line.place, line.aside = top
        self._waiting = prompts, plates, moves, at
        self._tell_moment()

    @property
    def held(self) -> bool:
        """The words and keys beside the board are those before a move that it still shows."""
        board = self.query_one_optional(Board)  # none once the table is left
        moves = board is not None and board.motion_left > 0
        return self._waiting is not None and moves and self._waiting[0].tone != "refused"

    def _tell_moment(self) -> None:
        """Tell the moment that the board shows; all that follows from a move waits until the board is at rest."""
        if self._waiting is None or self.query_one_optional(Board) is None:
            return
        prompts = self._waiting[0]
        if not self.held:
            self._tell()
            return
        self._said.words, self._text.words = (self._line(*(self.board.caption or prompts.story[0])),), ()
        self.show_prompt(None)

    def show_prompt(self, prompts: Prompts | None) -> None:
        """Show the player to move and what keys do; nothing while a move is shown."""

    def _tell(self) -> None:
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
        above = (verdict, Content("")) if verdict else ()
        self._help.words = (
            (*above, Content(prompts.note if beside else prompts.reason)) if beside or above else self.idle(prompts)
        )
        self._help.display = not prompts.card  # its room goes to what happened, and to the moves
        self._happened.words = story
        self._show_card(prompts)
        self.refresh_bindings()

    def _show_card(self, prompts: Prompts) -> None:
        if not self.board.size:
            return
        card = self._card
        card.glyphs, card.card, card.buttons = self.app.glyphs, prompts.card, prompts.parts if prompts.card else ()
        drawing, wide, foot = self.board.drawing(), self.board.size.width, self.app.size.height - 2
        used, said = AT + len(drawing.canvas.dump().rstrip().split("\n")), AT + self.board.size.height
        ends = (said + 1, foot), (used, foot), (used, foot + 1)  # below what was said, or above the moves, or over both
        below = [Region(0, top, wide, end - top) for top, end in ends]
        middle = [drawing.middle.translate((0, AT))] if drawing.middle else []
        card.lay(middle, below)

    def _line(self, seat: int | None, told: str) -> Content:
        sign = "" if seat is None else self.app.glyphs.seats[seat]
        return Content.assemble((sign, f"$seat-{seat} bold"), " ", told) if sign else Content(told)

    def _verdict(self, prompts: Prompts) -> Content:
        sign = self.app.glyphs.verdict(prompts.rated.verdict) if prompts.rated else ""
        return Content.assemble((f"{sign} ", "bold") if sign else "", prompts.verdict)

    def idle(self, prompts: Prompts) -> tuple[Content, ...]:
        """The words in the pane while no help is shown: the keys that show it."""
        keys = {"verdict": "who wins with best play, and why", "hint": "a hint, in three steps"}
        verbs = (
            (self.app.settings.keymap.get(name, name[0]), told) for name, told in keys.items() if prompts.works(name)
        )
        return tuple(Content.assemble((key, "bold"), f"  {told}").stylize("$text-muted") for key, told in verbs)

    def action_whole(self) -> None:
        """Show the whole text that was asked for, over the board."""
        prompts = self._waiting[0] if self._waiting else None
        if prompts is None or not (prompts.note or prompts.verdict):
            return
        verdict, width = self._verdict(prompts), min(72, self.app.size.width - 8)
        lines = [line for one in (verdict, Content(prompts.note)) if one for line in one.wrap(width)]
        self.app.push_screen(PanelScreen("", lines, closes=self.WHOLE))

    @on(ClippedText.Pressed)
    def _pressed(self) -> None:
        self.action_whole()
