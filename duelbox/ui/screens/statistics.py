"""Statistics: the results of each player in each game against each opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from duelbox.bots import levels_of
from duelbox.core.model import listed
from duelbox.core.session import DEFAULT_NAMES
from duelbox.registry import title_of
from duelbox.store.statistics import Tally, Way
from duelbox.table.players import YOU
from duelbox.ui.screens.list_screen import ListScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column

BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "_.-=+*#@"


class StatisticsScreen(ListScreen[Tally]):
    """A list of results; the chosen row also shows the computers beaten and the share of points over time."""

    HEADING = "Statistics"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "assisted", "With or without help", id="statistics.assisted"),
        Binding("p", "puzzles", "Puzzles", id="statistics.puzzles", tooltip="Puzzles solved, by game and grade"),
        Binding("tab", "next_list", "Progress", id="statistics.progress", priority=True),
        Binding("escape,q", "back", "Back", id="statistics.back"),
    ]
    COLUMNS = (
        Column("Player", least=8),
        Column("Game"),
        Column("Opponent", least=8),
        Column("Played", right=True),
        Column("Won", right=True),
        Column("Drawn", right=True, extra=1),
        Column("Lost", right=True),
        Column("Streak", right=True, extra=2),
        Column("Best", right=True, extra=3),
        Column("With help", right=True, extra=4),
    )
    TITLES = "Results", "The chosen row"
    DEFAULT_CSS = "StatisticsScreen.-wide { & Listing { width: 1fr; } & #chosen { width: 40; } }"

    def __init__(self) -> None:
        super().__init__()
        self.assisted: bool | None = None
        """Count only games with help, or only those without; None counts all."""
        self.left_out = 0
        """The number of games between computers, which are not counted."""

    def read(self) -> tuple[Tally, ...]:
        """Count the results."""
        self.left_out = self.app.store.left_out()
        return self.app.store.statistics(assisted=self.assisted)

    def cells(self, one: Tally) -> tuple[str, ...]:
        """The players, the game and the results."""
        counts = map(str, (one.played, one.won, one.drawn, one.lost))
        streak = f"{abs(one.streak)} {'won' if one.streak > 0 else 'lost'}" if one.streak else "none"
        names = (_called(one), title_of(one.game), one.opponent)
        return *names, *counts, streak, str(one.best), str(one.assisted)

    def show_count(self) -> None:
        """Say which games are counted."""
        words = {None: "all games", True: "games with help only", False: "games without help only"}
        self.query_one(TopLine).aside = words[self.assisted]

    def details(self, one: Tally | None) -> str:
        """The computers beaten, the share of points over time, and the number of games left out."""
        games = "1 game" if self.left_out == 1 else f"{self.left_out} games"
        left_out = f"Left out: {games} between computers." if self.left_out else ""
        if one is None:
            return self.app.store.trouble or " ".join(filter(None, ("No finished games here yet.", left_out)))
        bars = ASCII_BARS if self.app.settings.plain else BARS
        line = "".join(bars[min(len(bars) - 1, int(share * len(bars)))] for share in one.shares)
        return "\n".join(filter(None, (_ladder(one), f"Share of points over time, oldest first: {line}", left_out)))

    async def action_assisted(self) -> None:
        """Count all games, only those without help, or only those with help, in turn."""
        order: tuple[bool | None, ...] = (None, False, True)
        self.assisted = order[(order.index(self.assisted) + 1) % len(order)]
        await self.refill()

    def action_puzzles(self) -> None:
        """Open the count of solved puzzles."""
        from duelbox.ui.screens.calendar import puzzle_tallies

        self.app.push_screen(puzzle_tallies(self.app.store))


def _called(tally: Tally) -> str:
    """The player by name; "You" if a person without a name played a computer."""
    if tally.level is not None and tally.player in DEFAULT_NAMES:
        return YOU
    return tally.player


def _ladder(tally: Tally) -> str:
    """The computers that the player has beaten, as which player and with or without help, and those still to beat."""
    levels = levels_of(tally.game)
    done = [f"{level.name} {_seats(tally.beaten[level.id])}" for level in levels if level.id in tally.beaten]
    left = [level.name for level in levels if level.id not in tally.beaten]
    called = _called(tally)
    has = "have" if called == YOU else "has"
    won = f"{called} {has} beaten {'; '.join(done)}." if done else ""
    return f"{won} Not beaten yet: {', '.join(left)}.".strip() if left else won


def _seats(ways: Sequence[Way]) -> str:
    """The seats from which a computer was beaten; "with help" where it was never beaten without."""
    alone = [second for assisted, second in ways if not assisted]
    helped = [second for assisted, second in ways if assisted and second not in alone]
    parts = [
        f"as {listed([('first', 'second')[second] for second in sorted(which)])} player{words}"
        for words, which in (("", alone), (" with help", helped))
        if which
    ]
    return ", ".join(parts)
