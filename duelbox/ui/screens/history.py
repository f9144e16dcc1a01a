"""History: the saved games, to go on with or to review, with a preview of the chosen one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Seat, Voice
from duelbox.core.session import Session
from duelbox.friends.waiting import waiting_elsewhere
from duelbox.learn.turning_points import JudgedMove, stream
from duelbox.registry import game_ids, title_of
from duelbox.solve import can_solve
from duelbox.solve.api import Stop, Stopped
from duelbox.store import files
from duelbox.store.summary import Summary
from duelbox.store.unconfirmed import Result, changed_results, unconfirmed
from duelbox.table.presets import known_preset
from duelbox.table.review_table import ReviewTable
from duelbox.table.story import ending
from duelbox.ui.game_board import thumbnail_of
from duelbox.ui.screens.list_screen import ListScreen
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import TopLine, TurnClicked
from duelbox.ui.widgets.listing import Column, Listing
from duelbox.ui.widgets.plot import Plot, curve_of
from duelbox.ui.widgets.thumbnails import content_of

if TYPE_CHECKING:
    from duelbox.friends.unfinished import Away
    from duelbox.ui.app import DuelboxApp

PAGE = 200
MOST_WAITING = 3
"""At most this many matches that wait are named."""
PLOT_SECONDS = 3.0
"""The time limit for judging the moves of the chosen game for its plot."""
RESULTS = ("won", "drawn", "lost", "unfinished")
FIND = "/ find: a game, an opponent, won, drawn, lost or unfinished"


class GamePreview(Widget):
    """The chosen game: its players, rules and result, and its board if there is room."""

    app: DuelboxApp
    _shown: tuple[Summary, Session | None] | None = None
    unconfirmed_by = ""
    """The friend who has not confirmed the result yet."""

    def show(self, summary: Summary, session: Session | None, unconfirmed_by: str) -> None:
        """Show a game; `session` is its last round, once that is read."""
        self._shown = summary, session
        self.unconfirmed_by = unconfirmed_by
        if isinstance(frame := self.parent, Widget):
            frame.border_title, frame.border_subtitle = Content(title_of(summary.game)), Content(_when(summary))
        self.refresh()

    def render(self) -> Content:
        """Lines about the game, and above them the board without its secrets."""
        if self._shown is None:
            return Content("")
        (summary, session), glyphs = self._shown, self.app.glyphs
        alone = _is_alone(summary)
        names = ["You" if alone and who.level is None else who.name for who in summary.players]
        one, two = (f"{glyphs.seats[at != summary.first]} {name}" for at, name in enumerate(names))
        result = _result(summary)
        if self.unconfirmed_by:
            result += f", not confirmed by {self.unconfirmed_by} yet"
        lines = [Content.assemble((f"{one} : {two}", "bold"), f"   {result}")]
        rounds = f"{summary.rounds} rounds, " if summary.rounds > 1 else ""
        helped = ", with help" if any(one.assisted for one in summary.finished) else ""
        turns = f"{rounds}{summary.moves} turn{'' if summary.moves == 1 else 's'}{helped}"
        if session is None:
            return Content("\n").join([*lines, Content(turns)])
        preset = known_preset(self.app.settings, session.game, session.options)
        house = session.options.in_words
        lines.append(Content(f"{preset.name if preset else 'House rules'}{f': {house}' if house else ''}"))
        me = summary.players[summary.me].name
        you: Seat | None = (1 if session.names[1] == me else 0) if alone else None
        end = ending(session, Voice(session.names, you)) if session.outcome else ""
        lines.append(Content(f"{turns}. {end}"))
        width, height = self.content_size
        if height > 2 * len(lines):
            board = thumbnail_of(summary.game, session.view(None), glyphs, width, height - len(lines) - 3)
            lines = [*content_of(board), Content(""), *lines]
        return Content("\n").join(lines)


class HistoryScreen(ListScreen[Summary]):
    """A list of games, with a line to filter it and a preview of the chosen game."""

    HEADING = "History"
    SPARE: ClassVar[tuple[str, ...]] = ("code", "export", "delete", "you")
    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes Enter from the list.
        Binding("enter", "open", "Open", id="history.open", priority=True),
        Binding("slash", "find", "Find", id="history.find", key_display="/", tooltip="Find a game"),
        Binding("delete", "delete", "Delete", id="history.delete", key_display="Del"),
        Binding("u", "restore", "Undelete", id="history.restore"),
        Binding("x", "export", "Export", id="history.export", tooltip="Write the game to a file"),
        Binding("c", "copy", "Copy", tooltip="Copy the code", id="history.code"),
        Binding("tab", "next_list", "You", id="history.you", priority=True),
        Binding("escape,q", "back", "Back", id="history.back"),
    ]
    COLUMNS = (
        Column(""),
        Column("Game", least=8),
        Column("Opponent", least=8),
        Column("Turns", right=True, extra=1),
        Column("When"),
    )
    TITLES = "Games", ""
    DEFAULT_CSS = """
    HistoryScreen {
        & Input { height: 1; border: none; padding: 0 1; }
        & Input:focus { border: none; }
        & #chosen { height: 5; }
        & GamePreview { height: 1fr; }
        & Plot { display: none; padding: 0; }
        & #note { height: auto; min-height: 1; max-height: 4; padding: 0 1; color: $text-muted; }
        &.-wide Listing { width: 64; }
        &.-wide Plot { display: block; }
        &.-empty #panes { display: none; }
        &.-empty #note { height: 1fr; max-height: 100%; content-align: center middle; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.filters: dict[str, str | None] = {"game": None, "opponent": None, "result": None}
        self.deleted: list[str] = []
        """The ids of the games deleted here, which can be restored."""
        self._count = 0
        """The number of games that pass the filters."""
        self._waiting: tuple[Away, ...] = ()
        """The matches with friends elsewhere that wait."""
        self._unconfirmed: Mapping[str, str] = {}
        """The friends who have not confirmed a result yet, by the ids of the games."""
        self._changed: Sequence[Result] = ()
        """The results that do not count after all."""
        self._judging = Stop()
        """Stops judging moves for the plot."""

    def body(self) -> ComposeResult:
        """Lay out the line to filter by, the list, the chosen game and a note."""
        yield Input(placeholder=FIND)
        yield from super().body()
        yield Static(id="note", markup=False)

    def beside(self) -> Vertical:
        """The preview of the chosen game, and the plot of its last round."""
        return Vertical(GamePreview(), Plot(), id="chosen")

    async def refill(self) -> None:
        """Read the games again."""
        self.say("")  # before reading, so that no later sentence is wiped out
        await super().refill()

    def read(self) -> tuple[Summary, ...]:
        """Count the games, and read the first ones."""
        self._count = self.app.store.count(**self.filters)  # type: ignore[arg-type]
        self._waiting = waiting_elsewhere(self.app.store)
        self._unconfirmed, self._changed = unconfirmed(self.app.store), changed_results(self.app.store)
        return self._page(max(PAGE, len(self.shown)))

    def _page(self, limit: int, offset: int = 0) -> tuple[Summary, ...]:
        return self.app.store.history(**self.filters, limit=limit, offset=offset)  # type: ignore[arg-type]

    def cells(self, one: Summary) -> tuple[str, ...]:
        """The sign of the winner, the game, the opponent, the number of turns, the time."""
        winner, me = one.match.winner, one.players[one.me]
        sign = "…" if not one.over else "=" if winner is None else self.app.glyphs.seats[winner != one.first]
        opponent = one.players[1 - one.me].name
        players = opponent if _is_alone(one) else f"{me.name} : {opponent}"
        return sign, title_of(one.game), players, str(one.moves), _when(one)

    @on(Listing.Ending)
    async def _go_on(self) -> None:
        """Read the next page as soon as the end of the list is near."""
        reading, listing = self._reading, self.query_one(Listing)
        if len(self.shown) >= self._count or not listing.is_ending:
            return
        page = await asyncio.to_thread(self._page, PAGE, len(self.shown))
        if reading == self._reading and self.query(Listing):
            there = {summary.id for summary in self.shown}  # another terminal may have pushed some down
            fresh = tuple(summary for summary in page if summary.id not in there)
            self.shown += fresh
            listing.extend([self.cells(summary) for summary in fresh])

    def show_count(self) -> None:
        """Say which games are listed, and how many."""
        top = self.query_one(TopLine)
        filters = [title_of(one) if by == "game" else one for by, one in self.filters.items() if one]
        top.place = ", ".join(filters)
        top.aside = f"{self._count} game{'' if self._count == 1 else 's'}"
        none = "No saved game fits that." if filters else "No games here yet: every game you play is saved."
        lines = []
        if not self.shown:
            lines.append(self.app.store.told.trouble or none)
        if not filters:
            lines += filter(None, [self.app.store.told.damage])
            lines += [f"Elsewhere: {one.title} {one.sentence}." for one in self._waiting[:MOST_WAITING]]
            lines += [f"{one.at}  {one.note}" for one in self._changed[:1]]
        if lines:
            self.say("\n".join(lines))

    def say(self, text: str) -> None:
        """Show a sentence below the list."""
        for note in self.query("#note").results(Static):  # none if the screen was left meanwhile
            note.update(text)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer actions on a game only if one is listed, and restoring only after deleting."""
        if action in ("open", "delete", "export", "copy"):
            return bool(self.shown)
        return bool(self.deleted) if action == "restore" else True

    def draw(self) -> None:
        """Show the chosen game: first its row, then its record once that is read."""
        chosen = self.chosen
        if chosen is not None:
            self.query_one(GamePreview).show(chosen, None, self._unconfirmed.get(chosen.id, ""))
            self.query_one(Plot).visible = False
            self._judging.stop()
            self.run_worker(self._load(chosen))

    async def _load(self, chosen: Summary) -> None:
        try:
            opened = await asyncio.to_thread(self.app.store.load, chosen.id)
        except DuelboxError:
            return  # it was deleted elsewhere
        if self.chosen == chosen and opened.sessions:
            self.query_one(GamePreview).show(chosen, opened.sessions[-1], self._unconfirmed.get(chosen.id, ""))
            if chosen.over and opened.record and self.has_class("-wide") and can_solve(chosen.game):
                await self._plot(ReviewTable(opened.record, opened.sessions, opened.error))

    async def _plot(self, table: ReviewTable) -> None:
        """Judge the moves of the last round within a time limit, and plot who was ahead."""
        table.show(0, len(table.played) - 1)
        self._judging = stop = Stop(PLOT_SECONDS)
        judged: list[JudgedMove] = []

        def judge() -> None:
            with suppress(Stopped):
                judged.extend(stream(table.played[-1], stop))

        await in_background(judge)
        if not stop.asked and self.is_mounted:
            plot = self.query_one(Plot)
            plot.glyphs, plot.visible = self.app.glyphs, True
            plot.curve = curve_of(judged, len(table.played[-1].moves), table.hidden, table.seat)

    def on_unmount(self) -> None:
        """Stop judging for the plot."""
        self._judging.stop()

    @on(TurnClicked)
    async def _turn_clicked(self) -> None:
        await self.action_open()

    async def action_open(self) -> None:
        """Review the chosen game, or go on with it if it is unfinished."""
        summary = self.chosen
        if summary is not None:
            with self._refusals_shown():
                await (self.app.navigation.review if summary.over else self.app.navigation.resume)(summary)

    @contextmanager
    def _refusals_shown(self) -> Iterator[None]:
        """Show a refusal of the store or the disk below the list."""
        try:
            yield
        except (DuelboxError, OSError, ValueError) as error:
            self.say(str(error))

    def action_find(self) -> None:
        """Move to the line to filter by."""
        self.query_one(Input).focus()

    @on(Input.Changed)
    async def _find(self, message: Input.Changed) -> None:
        """Filter the games: each word names a game, an opponent or a result."""
        opponents = await asyncio.to_thread(self.app.store.opponents)
        self.filters = {"game": None, "opponent": None, "result": None}
        names = {"result": RESULTS, "game": game_ids(), "opponent": opponents}
        for word in message.value.lower().split():
            likely = ((by, _like(word, one), one) for by, ones in names.items() for one in ones)
            by, likeness, one = max(likely, key=lambda match: match[1])
            self.filters[by if likeness else "opponent"] = one if likeness else word
        await self.refill()

    def on_key(self, event: events.Key) -> None:
        """Let the arrows and Escape lead from the line to filter by back to the list."""
        line = self.query_one(Input)
        if line.has_focus and event.key in ("up", "down", "escape"):
            event.stop()
            event.prevent_default()
            if event.key == "escape":
                line.value = ""
            self.query_one(Listing).focus()

    async def action_copy(self) -> None:
        """Copy the code of the chosen game's last round."""
        if self.chosen is not None:
            with self._refusals_shown():
                *_, code = await asyncio.to_thread(self.app.store.codes, self.chosen.id)
                self.app.copy_to_clipboard(code)
                self.say(f"Copied {code}")

    async def action_delete(self) -> None:
        """Delete the chosen game, which can be restored."""
        chosen = self.chosen
        if chosen is not None:
            with self._refusals_shown():
                await asyncio.to_thread(self.app.store.delete, chosen.id)
                self.deleted.append(chosen.id)
                await self.refill()
                self.say("Deleted. Press u to undo that.")

    async def action_restore(self) -> None:
        """Restore the game that was deleted last."""
        if self.deleted:
            with self._refusals_shown():
                await asyncio.to_thread(self.app.store.restore, self.deleted[-1])
                self.deleted.pop()
                await self.refill()

    async def action_export(self) -> None:
        """Write the record of the chosen game to a file in the working folder."""
        summary = self.chosen
        if summary is not None:
            path = Path(f"duelbox-{summary.game}-{summary.id[:8]}.json")
            with self._refusals_shown():
                record = await asyncio.to_thread(self.app.store.export, summary.id)
                files.replace(path, record.encode())
                self.say(f"Written to {path}.")


def _like(word: str, name: str) -> int:
    """The likeness of a word to the name of a game, an opponent or a result; 0 for none."""
    words = [name.lower(), *title_of(name).lower().split()] if name in game_ids() else [name.lower()]
    return 3 if word in words else 2 if any(one.startswith(word) for one in words) else word in " ".join(words)


def _is_alone(summary: Summary) -> bool:
    """True if exactly one person played."""
    return [who.level is None for who in summary.players].count(True) == 1


def _when(summary: Summary) -> str:
    return summary.last_played.astimezone().strftime("%d %b %H:%M")


def _result(summary: Summary) -> str:
    """The result in words."""
    winner = summary.match.winner
    if not summary.over:
        return "unfinished: Enter goes on with it"
    if winner is None:
        return "a draw"
    return "you won" if _is_alone(summary) and winner == summary.me else f"{summary.players[winner].name} won"
