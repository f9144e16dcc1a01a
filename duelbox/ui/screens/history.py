"""History: every game kept on this machine, to look at again, to go on with, to take along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import DataTable, Static

from duelbox.core.errors import DuelboxError
from duelbox.registry import game_ids, title_of
from duelbox.store.summary import Summary
from duelbox.ui.screens.roomy import RoomyScreen, TooSmall
from duelbox.ui.widgets.keys import KeyBar
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column, Listing

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

PAGE = 200
RESULTS = (None, "won", "drawn", "lost")
COLUMNS = (
    Column("When"),
    Column("Game"),
    Column("Players", least=12),
    Column("Moves", right=True, extra=1),
    Column("Result", least=10),
)


class HistoryScreen(RoomyScreen):
    """A table of games, filtered by game, opponent and result."""

    app: DuelboxApp

    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the table takes it.
        Binding("enter", "open", "Open", id="history.open", priority=True),
        Binding("g", "by_game", "Game", id="history.game", tooltip="Filter by game"),
        Binding("o", "by_opponent", "Opponent", id="history.opponent", tooltip="Filter by opponent"),
        Binding("r", "by_result", "Result", id="history.result", tooltip="Filter by result"),
        Binding("d", "delete", "Delete", id="history.delete"),
        Binding("u", "restore", "Undelete", id="history.restore"),
        Binding("x", "export", "Export", id="history.export", tooltip="Write the game to a file"),
        Binding("t", "statistics", "Statistics", id="history.statistics"),
        Binding("escape", "back", "Back", id="history.back"),
    ]
    DEFAULT_CSS = """
    HistoryScreen {
        & #note { height: 1; padding: 0 1; color: $text-muted; }
        &.-empty Listing { height: 0; margin: 0; }
        &.-empty #note { height: 1fr; content-align: center middle; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.game: str | None = None
        self.opponent: str | None = None
        self.result: str | None = None
        self.shown: tuple[Summary, ...] = ()
        self.deleted: list[str] = []

    def compose(self) -> ComposeResult:
        """Title, table, note."""
        yield TooSmall()
        with Vertical(classes="main"):
            yield TopLine()
            yield Listing(*COLUMNS)
            yield Static(id="note", markup=False)
            yield KeyBar()

    def on_mount(self) -> None:
        """Fill the table."""
        self.query_one(Listing).focus()
        self.refill()

    def on_screen_resume(self) -> None:
        """A game may have gone on."""
        if self.is_mounted and self.query(Listing):
            self.refill()

    def refill(self) -> None:
        """Read the games anew."""
        store = self.app.store
        self.shown = store.history(self.game, self.opponent, self.result, limit=PAGE)  # type: ignore[arg-type]
        self.query_one(Listing).fill([_cells(summary) for summary in self.shown])
        self.set_class(not self.shown, "-empty")
        top = self.query_one(TopLine)
        filters = [title_of(self.game) if self.game else "", self.opponent or "", self.result or ""]
        top.title, top.place = "History", ", ".join(filter(None, filters))
        count = store.count(self.game, self.opponent, self.result)  # type: ignore[arg-type]
        top.aside = f"{count} game{'' if count == 1 else 's'}"
        none = "There are no such games." if any(filters) else "No games here yet: every game you play is kept."
        self.say("" if self.shown else none)
        self.refresh_bindings()

    def say(self, text: str) -> None:
        """A sentence below the table."""
        self.query_one("#note", Static).update(text)

    @property
    def chosen(self) -> Summary | None:
        """The game under the cursor."""
        row = self.query_one(Listing).cursor_row
        return self.shown[row] if 0 <= row < len(self.shown) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a game needs one."""
        if action in ("open", "delete", "export"):
            return bool(self.shown)
        return bool(self.deleted) if action == "restore" else True

    @on(DataTable.RowSelected)
    def _selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Look at the game; go on with it, if it is unfinished."""
        summary = self.chosen
        if summary is None:
            return
        try:
            if summary.over:
                self.app.review(summary)
            else:
                self.app.resume(summary)
        except DuelboxError as error:
            self.say(error.sentence)

    def action_by_game(self) -> None:
        """The next game's games only."""
        self.game = _next((None, *game_ids()), self.game)
        self.refill()

    def action_by_opponent(self) -> None:
        """The next opponent's games only."""
        self.opponent = _next((None, *self.app.store.opponents()), self.opponent)
        self.refill()

    def action_by_result(self) -> None:
        """The next result only."""
        self.result = _next(RESULTS, self.result)
        self.refill()

    def action_delete(self) -> None:
        """Take the game out; it can be had back."""
        if self.chosen is not None:
            self.deleted.append(self.chosen.id)
            self.app.store.delete(self.chosen.id)
            self.refill()
            self.say("Deleted. Press u to have it back.")

    def action_restore(self) -> None:
        """Bring back what was deleted last."""
        if self.deleted:
            self.app.store.restore(self.deleted.pop())
            self.refill()

    def action_export(self) -> None:
        """Write the record to a file in the working folder."""
        summary = self.chosen
        if summary is None:
            return
        path = Path(f"duelbox-{summary.game}-{summary.id[:8]}.json")
        try:
            path.write_text(self.app.store.export(summary.id), encoding="utf-8")
        except (DuelboxError, OSError) as error:
            self.say(str(error))
        else:
            self.say(f"Written to {path}.")

    def action_statistics(self) -> None:
        """How you did, game by game and opponent by opponent."""
        self.app.open_statistics()

    def action_back(self) -> None:
        """Back to where you were."""
        self.dismiss(None)


def _next(values: tuple[str | None, ...], now: str | None) -> str | None:
    at = values.index(now) if now in values else 0
    return values[(at + 1) % len(values)]


def _cells(summary: Summary) -> tuple[str, ...]:
    names = f"{summary.players[0].name} : {summary.players[1].name}"
    when = summary.last_played.astimezone().strftime("%d %b %H:%M")
    return when, title_of(summary.game), names, str(summary.moves), _result(summary)


def _result(summary: Summary) -> str:
    if not summary.over:
        return "unfinished"
    winner = summary.match.winner
    return "draw" if winner is None else f"{summary.players[winner].name} won"
