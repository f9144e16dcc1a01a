"""History: every game kept on this machine, to look at again, to go on with, to take along."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Static

from duelbox.core.errors import DuelboxError
from duelbox.registry import game_ids, title_of
from duelbox.store.summary import Summary
from duelbox.ui.screens.sized_screen import SizedScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column, Listing

PAGE = 200
RESULTS = ("won", "drawn", "lost", "unfinished")
COLUMNS = (
    Column("When"),
    Column("Game"),
    Column("Players", least=12),
    Column("Moves", right=True, extra=1),
    Column("Result", least=10),
)


class HistoryScreen(SizedScreen):
    """A table of games, filtered by game, opponent and result."""

    HEADING = "History"
    SPARE: ClassVar[tuple[str, ...]] = ("export", "result", "opponent", "game", "statistics", "delete")
    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the table takes it.
        Binding("enter", "open", "Open", id="history.open", priority=True),
        Binding("g", "filter('game')", "Game", id="history.game", tooltip="Filter by game"),
        Binding("o", "filter('opponent')", "Opponent", id="history.opponent", tooltip="Filter by opponent"),
        Binding("r", "filter('result')", "Result", id="history.result", tooltip="Filter by result"),
        Binding("d", "delete", "Delete", id="history.delete"),
        Binding("u", "restore", "Undelete", id="history.restore"),
        Binding("x", "export", "Export", id="history.export", tooltip="Write the game to a file"),
        Binding("t", "app.open('statistics')", "Statistics", id="history.statistics"),
        Binding("escape", "back", "Back", id="history.back"),
    ]
    DEFAULT_CSS = """
    HistoryScreen {
        & #note { height: auto; min-height: 1; max-height: 4; padding: 0 1; color: $text-muted; }
        &.-empty Listing { height: 0; margin: 0; }
        &.-empty #note { height: 1fr; max-height: 100%; content-align: center middle; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.filters: dict[str, str | None] = {"game": None, "opponent": None, "result": None}
        self.shown: tuple[Summary, ...] = ()
        self.deleted: list[str] = []
        self._asked = 0
        self._count = 0

    def body(self) -> ComposeResult:
        """Table, note."""
        yield Listing(*COLUMNS)
        yield Static(id="note", markup=False)

    async def on_mount(self) -> None:
        """Fill the table."""
        self.query_one(Listing).focus()
        await self.refill()

    async def on_screen_resume(self) -> None:
        """A game may have gone on."""
        if self.is_mounted and self.query(Listing):
            await self.refill()

    async def refill(self) -> None:
        """Read the games anew."""
        self._asked += 1
        asked = self._asked
        self.say("")  # now, not over what is said while the disk is waited for
        shown, count = await asyncio.to_thread(self._read, max(PAGE, len(self.shown)))
        if asked == self._asked and self.query(Listing):  # else something else is asked by now, or nothing any more
            self.shown, self._count = shown, count
            self._sync()

    def _read(self, limit: int, offset: int = 0) -> tuple[tuple[Summary, ...], int]:
        store, which = self.app.store, self.filters
        return store.history(**which, limit=limit, offset=offset), store.count(**which)  # type: ignore[arg-type]

    @on(Listing.Ending)
    async def _go_on(self) -> None:
        """Read the next page, where there is one and the end of the last is near."""
        asked, listing = self._asked, self.query_one(Listing)
        if len(self.shown) >= self._count or not listing.is_ending:
            return
        page, _ = await asyncio.to_thread(self._read, PAGE, len(self.shown))
        if asked == self._asked and self.query(Listing):
            there = {summary.id for summary in self.shown}  # another terminal may have pushed some down
            fresh = tuple(summary for summary in page if summary.id not in there)
            self.shown += fresh
            listing.extend([_cells(summary) for summary in fresh])

    def _sync(self) -> None:
        self.query_one(Listing).fill([_cells(summary) for summary in self.shown])
        self.set_class(not self.shown, "-empty")
        top = self.query_one(TopLine)
        filters = [title_of(one) if by == "game" else one for by, one in self.filters.items() if one]
        top.place = ", ".join(filters)
        top.aside = f"{self._count} game{'' if self._count == 1 else 's'}"
        none = "No saved game is like that." if filters else "No games here yet: every game you play is saved."
        if not self.shown:
            self.say(self.app.store.trouble or none)
        self.refresh_bindings()

    def say(self, text: str) -> None:
        """A sentence below the table."""
        for note in self.query("#note").results(Static):  # unless the screen was left while the disk was waited for
            note.update(text)

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
    async def _selected(self) -> None:
        await self.action_open()

    async def action_open(self) -> None:
        """Look at the game; go on with it, if it is unfinished."""
        summary = self.chosen
        if summary is None:
            return
        try:
            if summary.over:
                await self.app.ways.review(summary)
            else:
                await self.app.ways.resume(summary)
        except DuelboxError as error:
            self.say(error.sentence)

    async def action_filter(self, by: str) -> None:
        """The games of the next game, opponent or result only; after the last one, all."""
        opponents = await asyncio.to_thread(self.app.store.opponents) if by == "opponent" else ()
        values = (None, *{"game": game_ids(), "opponent": opponents, "result": RESULTS}[by])
        at = values.index(self.filters[by]) if self.filters[by] in values else 0
        self.filters[by] = values[(at + 1) % len(values)]
        await self.refill()

    async def action_delete(self) -> None:
        """Delete the game; it can be restored."""
        chosen = self.chosen
        if chosen is not None and await self._change(self.app.store.delete, chosen.id):
            self.deleted.append(chosen.id)
            await self.refill()
            self.say("Deleted. Press u to undo that.")

    async def action_restore(self) -> None:
        """Bring back what was deleted last."""
        if self.deleted and await self._change(self.app.store.restore, self.deleted[-1]):
            self.deleted.pop()
            await self.refill()

    async def _change(self, change: Callable[[str], None], match_id: str) -> bool:
        """Change a game; where that can't be done, say why."""
        try:
            await asyncio.to_thread(change, match_id)
        except DuelboxError as error:
            self.say(error.sentence)
            return False
        return True

    async def action_export(self) -> None:
        """Write the record to a file in the working folder."""
        summary = self.chosen
        if summary is None:
            return
        path = Path(f"duelbox-{summary.game}-{summary.id[:8]}.json")
        try:
            record = await asyncio.to_thread(self.app.store.export, summary.id)
            path.write_text(record, encoding="utf-8")
        except (DuelboxError, OSError) as error:
            self.say(str(error))
        else:
            self.say(f"Written to {path}.")


def _cells(summary: Summary) -> tuple[str, ...]:
    names = f"{summary.players[0].name} : {summary.players[1].name}"
    when = summary.last_played.astimezone().strftime("%d %b %H:%M")
    winner = summary.match.winner
    result = "draw" if winner is None else f"{summary.players[winner].name} won"
    return when, title_of(summary.game), names, str(summary.moves), result if summary.over else "unfinished"
