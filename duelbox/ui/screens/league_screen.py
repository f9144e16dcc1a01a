"""The table of a league, which fills while its games are played; the game being played can be watched."""

from __future__ import annotations

from threading import Event as Flag
from time import monotonic
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from duelbox.core.session import Session
from duelbox.exam.league import League, Score
from duelbox.table.league_table import LeagueTable
from duelbox.ui.screens.running_screen import BETWEEN, RunningScreen
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column

PAUSE = 1.5
"""Seconds that the end of a watched game is shown."""


class LeagueScreen(RunningScreen[Score]):
    """The players by their points; Enter watches the game being played."""

    HEADING = "League"
    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes Enter from the list.
        Binding("enter", "open", "Watch", id="league.open", priority=True, tooltip="Watch the game being played"),
        Binding("x", "export", "Export", id="league.export", tooltip="Write table and games to a file, as JSON"),
        Binding("c", "copy", "Copy", id="league.copy", tooltip="Copy the table as text"),
        Binding("escape,q", "back", "Back", id="league.back"),
    ]
    COLUMNS = (
        Column("Player", least=8),
        Column("Points", right=True),
        Column("Games", right=True),
        Column("Won", right=True, extra=1),
        Column("Drawn", right=True, extra=3),
        Column("Lost", right=True, extra=2),
        Column("Faults", right=True, extra=4),
    )
    TITLES = "A win is 1 point, a draw 1/2", ""

    class Progress(Message):
        """A turn was made, or a game has ended."""

        def __init__(self, session: Session, *, ended: bool) -> None:
            super().__init__()
            self.session = session
            self.ended = ended

    def __init__(self, league: League) -> None:
        super().__init__(league)
        self.league = league
        self.watcher: LeagueGameScreen | None = None
        """The screen on which the game being played is watched."""

    # -- playing

    def work(self) -> None:
        """Play the games; runs in a thread."""
        told = 0.0
        for ended in self.league.play():
            self.stop.check()
            watched = self.watcher is not None
            if watched or ended or monotonic() - told > BETWEEN:
                told = monotonic()
                self.post_message(self.Progress(self.league.session.copy(), ended=ended))
            if watched:
                self._wait(ended=ended)

    def _wait(self, *, ended: bool) -> None:
        """Let the watcher see the turn, or the end of a game."""
        seconds = self.app.settings.delay / 1000
        if ended:
            seconds = max(seconds, min(PAUSE, 4 * seconds))
        until = monotonic() + seconds
        while self.watcher is not None and monotonic() < until:
            self.stop.check()
            Flag().wait(min(BETWEEN, max(0.0, until - monotonic())))

    @on(Progress)
    async def _progress(self, message: Progress) -> None:
        if self.watcher is not None:
            self.watcher.follow(message.session)
        elif message.ended:
            await self.refill()
        self._show_place()

    @property
    def whole(self) -> bool:
        """All games are played."""
        done, of = self.league.done_games
        return done == of

    @property
    def file_name(self) -> str:
        """The name of the file into which the table is exported."""
        return f"duelbox-league-{self.league.seed}.json"

    def _show_place(self) -> None:
        done, of = self.league.done_games
        place = f"{done} of {of} games"
        if not self.whole:
            place = f"game {done + 1} of {of}"
        self.query_one(TopLine).aside = place
        if not self.whole:
            one, two = self.league.session.names
            self.query_one("#chosen", Static).border_subtitle = f"{one} against {two}"
        else:
            self.query_one("#chosen", Static).border_subtitle = ""

    # -- the list

    def read(self) -> tuple[Score, ...]:
        """The table."""
        return self.league.rows

    def key(self, one: Score) -> int:
        """The number of the player."""
        return one.number

    def cells(self, one: Score) -> tuple[str, ...]:
        """The name, the points, and the games by their end."""
        counts = (one.games, one.won, one.drawn, one.lost, one.faults)
        return (one.name, f"{one.points:g}", *map(str, counts))

    def show_count(self) -> None:
        """Say which game is played, or how many were."""
        self._show_place()

    def details(self, one: Score | None) -> str:
        """The points of a player against each other one, and the house rules."""
        if one is None:
            return ""
        chosen = self.query_one("#chosen", Static)
        chosen.border_title = one.name
        names = self.league.names
        theirs = {row.number: row.against[one.number] for row in self.shown if row.number != one.number}
        pairs = [f"{names[at]} {points:g} : {theirs.get(at, 0):g}" for at, points in one.against.items()]
        lines = [f"Against {', '.join(pairs)}.", f"House rules: {self.league.rules}, seed {self.league.seed}."]
        faults = [game.fault for game in self.league.played if game.fault and game.lost_by(one.number)]
        lines += list(dict.fromkeys(faults))[:2]
        return "\n".join(lines)

    # -- actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer a game to watch while games are played, and files once all are."""
        if action == "open":
            return not self.whole
        if action in ("export", "copy"):
            return self.whole
        return True

    def action_open(self) -> None:
        """Watch the game being played."""
        if not self.whole:
            self.watcher = LeagueGameScreen(self, self.league.session.copy())
            self.app.push_screen(self.watcher)


class LeagueGameScreen(TaskScreen[LeagueTable], inherit_bindings=False):
    """The game being played; a game of another kind opens in its place."""

    def __init__(self, league: LeagueScreen, session: Session) -> None:
        done, of = league.league.done_games
        super().__init__(LeagueTable(session, min(done + 1, of), of))
        self._league = league

    def follow(self, session: Session) -> None:
        """Show the game as it is now."""
        if session.game.INFO.id != self.table.game.INFO.id or session.options != self.table.options:
            following = LeagueGameScreen(self._league, session)
            self._league.watcher = following
            self.app.switch_screen(following)
            return
        done, of = self._league.league.done_games
        self.table.place = f"game {min(done + 1, of)} of {of}"
        self.table.follow(session)
        self.state.heard(*self.table.take_news())

    def open_leave(self) -> None:
        """Return to the table."""
        self._league.watcher = None
        self.dismiss(None)
