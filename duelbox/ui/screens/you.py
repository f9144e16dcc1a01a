"""You: the ideas of all games, the weakest first, each with its lesson and puzzles, and your results in its game."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from textual.binding import Binding, BindingType

from duelbox.bots import levels_of
from duelbox.core.errors import DuelboxError
from duelbox.core.model import listed
from duelbox.learn.ideas import day_called
from duelbox.learn.progress import Known, known_ideas
from duelbox.registry import title_of
from duelbox.solve import solver_of
from duelbox.store.statistics import Tally
from duelbox.ui.home_rows import is_mine
from duelbox.ui.screens.list_screen import ListScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column

BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "_.-=+*#@"


class YouScreen(ListScreen[Known]):
    """A list of ideas; the chosen one is explained, with the results in its game."""

    HEADING = "You"
    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes Enter from the list.
        Binding("enter", "open", "Lesson", id="you.lesson", priority=True, tooltip="The lesson on this idea"),
        Binding("p", "puzzles", "Puzzles", id="you.puzzles", tooltip="Ten puzzles of this idea"),
        Binding("tab", "next_list", "History", id="you.history", priority=True),
        Binding("escape,q", "back", "Back", id="you.back"),
    ]
    COLUMNS = (
        Column("Idea", least=12),
        Column("Game", least=8),
        Column("Lesson", extra=1),
        Column("Seen", right=True),
        Column("Missed", right=True),
        Column("Back", extra=2),
    )
    TITLES = "Ideas, the weakest first", "The chosen idea"

    def __init__(self) -> None:
        super().__init__()
        self._results: tuple[Tally, ...] = ()
        """Your results in all games, as far as the disk tells."""
        self._why_none = ""
        """The reason why no ideas could be read."""

    def read(self) -> list[Known]:
        """Read the ideas; none if the disk cannot be read."""
        settings = self.app.settings
        self._results = tuple(one for one in self.app.store.statistics() if is_mine(one, settings))
        self._why_none = ""
        try:
            return known_ideas(self.app.store.progress.dated)
        except DuelboxError as error:
            self._why_none = error.sentence
            return []

    def cells(self, one: Known) -> tuple[str, ...]:
        """The idea, the game, its lesson, and how often it was found and missed."""
        lesson = f"{one.unit}: {'done' if one.lesson_done else f'{one.steps} of {one.of_steps}'}"
        seen = f"{one.solved} of {one.tried}" if one.tried else ""
        back = f"{one.due.day} {one.due:%b}" if one.due else ""
        return one.idea, title_of(one.game), lesson if one.unit else "", seen, str(one.missed or ""), back

    def show_count(self) -> None:
        """Say how many of the ideas the player has met."""
        self.query_one(TopLine).aside = f"{sum(one.begun for one in self.shown)} of {len(self.shown)} ideas met"

    def key(self, one: Known) -> tuple[str, str]:
        """The game and the name of the idea."""
        return one.game, one.idea

    def details(self, one: Known | None) -> str:
        """The idea, the question to ask oneself, how often it was found and missed, and its next day."""
        if one is None:
            return self._why_none
        idea = next(idea for idea in solver_of(one.game).ideas if idea.name == one.idea)
        seen = f"Seen at once {one.solved} of {one.tried} times. " if one.tried else ""
        missed = f"Missed in {one.missed} game{'' if one.missed == 1 else 's'}." if one.missed else ""
        lines = [idea.sentence, f"Ask yourself: {idea.question}", f"{seen}{missed}".rstrip()]
        if one.due and one.due <= date.today():
            lines.append("Comes back today: m on home.")
        elif one.due:
            lines.append(f"It rests until {day_called(one.due, date.today())}.")
        lines.append(self._results_in(one.game))
        return "\n".join(filter(None, lines))

    def _results_in(self, game_id: str) -> str:
        """Your games won, the computers you have beaten, and the share of points over time; empty before a game."""
        tallies = [one for one in self._results if one.game == game_id]
        played = sum(one.played for one in tallies)
        if not played:
            return ""
        won = sum(one.won for one in tallies)
        beaten = {level for one in tallies for level in one.beaten}
        names = [level.name for level in levels_of(game_id) if level.id in beaten]
        longest = max(tallies, key=lambda one: one.played)
        bars = ASCII_BARS if self.app.settings.plain else BARS
        shares = "".join(bars[min(len(bars) - 1, int(share * len(bars)))] for share in longest.shares)
        ladder = f", and have beaten {listed(names)}" if names else ""
        return f"{title_of(game_id)}: you won {won} of {played} games{ladder}. {shares}"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the lesson only if the idea has one."""
        return action != "open" or (self.chosen is not None and bool(self.chosen.unit))

    def action_open(self) -> None:
        """Open the lesson on the chosen idea."""
        if self.chosen and self.chosen.unit:
            self.app.navigation.open_lesson(self.chosen.game, self.chosen.unit - 1)

    def action_puzzles(self) -> None:
        """Open ten puzzles of the chosen idea."""
        if self.chosen:
            self.app.navigation.open_puzzles_of(self.chosen.game, self.chosen.idea)
