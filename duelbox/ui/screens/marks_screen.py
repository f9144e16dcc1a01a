"""The table of an exam: the players by what they give away; it fills while they sit the paper."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from duelbox.exam.marks import Graded, Marks, in_100
from duelbox.exam.paper import MOST_QUESTIONS, PaperQuestion
from duelbox.exam.results import SHORT, YOU, first_fault, mistakes, position, reason
from duelbox.exam.room import ME, PAPER, AtWork, Room
from duelbox.exam.sitting import POSITIONS
from duelbox.learn.mistakes import Mistake, Mistakes
from duelbox.registry import title_of
from duelbox.solve import analyse
from duelbox.ui import screens
from duelbox.ui.screens.results_screen import Question, ResultsScreen
from duelbox.ui.screens.running_screen import BETWEEN, RunningScreen
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column, Listing

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

BAR = 8
"""The cells of the longest bar."""
MOST_MISTAKES = 10
"""The most mistakes that follow each other at a table."""
WIDE = 100
"""The columns from which the games are named in full."""
HALVES = 4
"""So many times the positions halve the intervals."""


class MissedScreen(ResultsScreen):
    """The mistakes of a player in an exam, the dearest first."""

    HEADING = "Mistakes"
    COLUMNS = (
        Column("Position"),
        Column("Game", least=10),
        Column("Played", least=5),
        Column("In 100", right=True),
    )


class MarksScreen(RunningScreen[Marks]):
    """All players of an exam; the chosen one is compared with the others, and Enter opens its mistakes."""

    HEADING = "Exam"
    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes Enter from the list.
        Binding("enter", "open", "Mistakes", id="exam.open", priority=True, tooltip="The mistakes of this player"),
        Binding("plus", "more", "More", id="exam.more", key_display="+", tooltip="More positions"),
        Binding("x", "export", "Export", id="exam.export", tooltip="Write the table to a file, as JSON"),
        Binding("c", "copy", "Copy", id="exam.copy", tooltip="Copy the table as text"),
        Binding("escape,q", "back", "Back", id="exam.back"),
    ]
    COLUMNS = (
        Column("Player", least=8),
        Column("In 100", right=True),
        Column("", extra=9),
        Column("+-", right=True),
        Column("Right", right=True),
        *(Column(short, right=True, extra=extra) for extra, short in enumerate(SHORT.values(), 2)),
    )
    TITLES = "Given away in 100 positions", ""

    class Progress(Message):
        """A player has answered, or is done."""

        def __init__(self, at: AtWork, *, more_rows: bool) -> None:
            super().__init__()
            self.at = at
            self.more_rows = more_rows

    def __init__(self, room: Room, positions: int, more: Callable[[DuelboxApp, int], None] | None = None) -> None:
        """`more` lets a person answer more positions, if one sits in the room."""
        super().__init__(room)
        self._room = room
        self._positions = positions
        self._more = more
        self._reasons: dict[tuple[str, str], str] = {}
        """The reasons of the dearest mistakes, by the questions and the moves."""
        self._found_own = False
        """The cursor was put on the first player who is no anchor."""

    # -- the paper is sat

    def work(self) -> None:
        """Let all players sit the paper; runs in a thread."""
        told = 0.0
        shown = 0
        for at in self._room.sit(self._positions):
            self.stop.check()  # first let pressed keys be drawn
            rows = len(self._room.results.rows)
            if rows > shown or monotonic() - told > BETWEEN:
                told = monotonic()
                self.post_message(self.Progress(at, more_rows=rows > shown))
                shown = rows

    @on(Progress)
    async def _progress(self, message: Progress) -> None:
        if self.whole:
            return
        at = message.at
        who = at.name
        if who == PAPER:
            who = "Making the paper"
        self.query_one(TopLine).aside = f"{who}: {at.done} of {at.of}"
        if message.more_rows:
            await self.refill()

    def show_count(self) -> None:
        """Say which paper it is, once all are done, with the cursor on the first player who is no anchor."""
        if not self.whole:
            return
        positions = f"{self._positions} positions"
        if self._positions == 1:
            positions = "1 position"
        self.query_one(TopLine).aside = f"seed {self._room.seed} · {positions}"
        own = {player.name for player in self._room.results.players}
        rows = [at for at, row in enumerate(self.shown) if row.name in own]
        if not self._found_own and rows:
            self._found_own = True
            self.query_one(Listing).move_cursor(row=rows[0])

    @property
    def whole(self) -> bool:
        """All players are done with all positions."""
        return self._room.whole(self._positions)

    @property
    def file_name(self) -> str:
        """The name of the file into which the table is exported."""
        return f"duelbox-exam-{self._room.seed}-{self._positions}.json"

    # -- the list

    def read(self) -> tuple[Marks, ...]:
        """The players who are done, the best first, and the reasons of their dearest mistakes."""
        rows = self._room.results.rows
        for row in rows:
            found = mistakes(row)
            if found and _place_of(*found[0]) not in self._reasons:
                self._reasons[_place_of(*found[0])] = reason(*found[0])
        return rows

    @property
    def _longest(self) -> float:
        """The regret of the longest bar."""
        return max((row.regret for row in self.shown), default=0) or 1.0

    def key(self, one: Marks) -> str:
        """The player's name."""
        return one.name

    def cells(self, one: Marks) -> tuple[str, ...]:
        """The name, what is given away as a figure and as a bar, and by game."""
        games = one.by_game()
        plain = self.app.settings.plain
        own = one.name in {player.name for player in self._room.results.players}
        block = "▒"
        if own:
            block = "█"
        if plain:
            block = "="
        if plain and own:
            block = "#"
        right = f"{100 * one.none:.0f}%"
        return (
            one.name,
            f"{100 * one.regret:.0f}",
            block * round(BAR * one.regret / self._longest),
            f"{100 * one.interval:.0f}",
            right,
            *(f"{100 * games[game]:.0f}" if game in games else "" for game in SHORT),
        )

    def details(self, one: Marks | None) -> str | Content:
        """The comparisons of a player, its weakest game, its dearest mistake and its reason."""
        if one is None:
            return "The players sit the paper …"
        results = self._room.results
        right = round(one.none * len(one.graded))
        chosen = self.query_one("#chosen", Static)
        chosen.border_title = Content(f"{one.name}: {right} right · {len(one.graded) - right} not")
        chosen.border_subtitle = Content(f"{one.illegal} illegal")
        lines = [" ".join(results.comparisons(one)), results.weakest(one)]
        lines.append(first_fault(one))
        found = mistakes(one)
        if found:
            question, graded = found[0]
            lines.append(f"Dearest: {graded.sentence} {self._reasons.get(_place_of(question, graded), '')}".rstrip())
            lines.append(position(question))
        if self.size.width >= WIDE:
            lines.append("")
            lines += [f"{title_of(game)}: {100 * regret:.0f} in 100" for game, regret in one.by_game().items()]
            return Content("\n".join(lines))
        return Content("\n".join(filter(None, lines)))

    def label(self, action: str) -> str | None:
        """The number of mistakes, and of positions that + adds."""
        if action == "open" and self.chosen is not None:
            return in_words(len(mistakes(self.chosen)))
        if action == "more":
            return f"{self._added} more"
        return None

    def draw(self) -> None:
        """Show the chosen player, and the number of its mistakes among the keys."""
        super().draw()
        self.refresh_bindings()

    # -- actions

    @property
    def _added(self) -> int:
        """The positions that + adds: some for a person, else so many that the intervals are halved."""
        added = (HALVES - 1) * self._positions
        if ME in self._room.players:
            added = POSITIONS
        return min(added, MOST_QUESTIONS - self._positions)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer mistakes of those who made some, and more positions once all players are done."""
        if action == "open":
            return self.chosen is not None and bool(mistakes(self.chosen))
        if action == "more":
            return self.whole and self._added > 0
        if action in ("export", "copy"):
            return self.whole
        return True

    def action_more(self) -> None:
        """Let all players sit more positions; a person answers them first."""
        positions = self._positions + self._added
        if self._more is not None:
            self._more(self.app, positions)
            return
        self._positions = positions
        self.refresh_bindings()
        self.begin()

    def action_open(self) -> None:
        """List the mistakes of the chosen player, the dearest first."""
        chosen = self.chosen
        found = [] if chosen is None else mistakes(chosen)
        if chosen is None or not found:
            return
        rows = []
        for number, (question, graded) in enumerate(found):
            cells = (
                question.id,
                title_of(question.game.INFO.id),
                graded.move or "illegal",
                f"{float(100 * graded.regret):.0f}",
            )
            opens = partial(self._open_mistakes, chosen, number)
            rows.append(Question(number, cells, f"{graded.sentence}\n{position(question)}", opens))
        lost = in_100(sum((graded.regret for _, graded in found), start=found[0][1].regret * 0) / len(chosen.graded))
        title = f"{chosen.name}: {in_words(len(found))}, {lost} given away"
        self.app.push_screen(MissedScreen(title, f"seed {self._room.seed}", rows))

    def _open_mistakes(self, player: Marks, first: int) -> None:
        """Open the positions of mistakes at a table: this one, then the next dearest ones in its game."""
        _, *others = found = mistakes(player)[first:]
        game = found[0][0].game
        chosen = [found[0], *(one for one in others if one[0].game is game)][:MOST_MISTAKES]
        by = player.name
        if player.name == YOU:
            by = ""

        def positions() -> list[Mistake]:
            opened = []
            for question, graded in chosen:
                session = question.session.copy()
                analysis = analyse(game, session.view(session.turn))
                opened.append(Mistake(session, analysis, graded.move, by=by))
            return opened

        async def open_it() -> None:
            trial = Mistakes(await in_background(positions))
            self.app.push_screen(screens.mistakes_screen.MistakesScreen(trial))

        self.app.run_worker(open_it())


def _place_of(question: PaperQuestion, graded: Graded) -> tuple[str, str]:
    return question.id, graded.move


def in_words(mistakes: int) -> str:
    """A number of mistakes in words."""
    if mistakes == 1:
        return "1 mistake"
    return f"{mistakes} mistakes"
