"""Home: all games at one glance, and what was left unfinished."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid

from duelbox.core.errors import DuelboxError
from duelbox.registry import find_game, game_ids
from duelbox.store.summary import Summary
from duelbox.ui.screens.home_cards import MORE, CardFacts, HomeCard, cards_of
from duelbox.ui.screens.sized_screen import SizedScreen
from duelbox.ui.waiting import waiting
from duelbox.ui.widgets.lines import TopLine

IN_WORDS = {5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine"}
ASIDE = 12
"""So many columns of the top line are our name's."""


_NUMBER_KEYS = [
    Binding(str(at + 1), f"play({at})", f"Play {find_game(game_id).INFO.title}", show=False, id=f"home.{game_id}")
    for at, game_id in enumerate(game_ids()[:9])
]


class HomeScreen(SizedScreen):
    """The games as cards; Continue first where something is unfinished."""

    SPARE: ClassVar[tuple[str, ...]] = (
        *("new", "continue"),  # which have a card each
        *("history", "settings", "mistakes", "daily", "elsewhere", "puzzle"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *_NUMBER_KEYS,
        Binding("enter", "open", "Play", id="home.open"),
        Binding("right,tab", "move(1)", "Next", id="home.next", show=False),
        Binding("left,shift+tab", "move(-1)", "Before", id="home.before", show=False),
        Binding("down", "down(1)", "Down", id="home.down", show=False),
        Binding("up", "down(-1)", "Up", id="home.up", show=False),
        Binding("c", "resume", "Continue", id="home.continue"),
        Binding("f", "against('friend')", "Friend", id="home.friend", tooltip="Play with a friend at this screen"),
        Binding("k", "against('computer')", "Computer", id="home.computer", tooltip="Play against the computer"),
        Binding("n", "options", "New game", id="home.new", tooltip="Choose players and house rules"),
        Binding(
            "o",
            "app.open('elsewhere')",
            "Elsewhere",
            id="home.elsewhere",
            tooltip="Play with a friend on another machine",
        ),
        Binding("t", "lesson", "Lesson", id="home.lesson", tooltip="Learn the game on the chosen card"),
        Binding("m", "mistakes", "Mistakes", id="home.mistakes", tooltip="Mistakes you kept, which are due again"),
        Binding(MORE, "more", "More to decide", id="home.more", show=False, tooltip="Rules with more to decide"),
        Binding("p", "app.puzzle", "Puzzle", id="home.puzzle"),
        Binding("d", "app.daily", "Daily", id="home.daily", tooltip="The puzzle of the day"),
        Binding("i", "app.open('history')", "History", id="home.history"),
        Binding("s", "app.open('settings')", "Settings", id="home.settings"),
        Binding("question_mark", "help", "Help", id="home.help", key_display="?"),
        Binding("q", "app.quit", "Quit", id="home.quit"),
    ]
    DEFAULT_CSS = """
    HomeScreen {
        & #cards { grid-size: 3; grid-gutter: 0; grid-rows: 1fr; height: 1fr; }
        &.-low #cards { grid-size: 1; }
        &.-low HomeCard { border: none; padding: 0 1; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.chosen = 0
        self.waiting = 0, ""
        """How many kept mistakes are to come back by now, and what is to be said of what waits."""

    def body(self) -> ComposeResult:
        """The cards."""
        with Grid(id="cards"):
            for entry in cards_of(self.app.store, self.app.settings):
                yield HomeCard(entry)

    def action_more(self) -> None:
        """Play the chosen game by rules with more to decide."""
        card = self._card()
        if card and card.entry.better:
            self.app.ways.open_preset(find_game(card.entry.game_id), card.entry.better)

    def action_lesson(self) -> None:
        """The lesson of the game on the chosen card, or of the first game."""
        try:
            self.app.ways.open_lesson(self._game_id or game_ids()[0])
        except DuelboxError as error:
            self.app.warn(error.sentence)

    def on_mount(self) -> None:
        """Choose the first card."""
        self._choose(0)

    def on_screen_resume(self) -> None:
        """Something may be unfinished now."""
        self.call_later(self.recompose_cards)

    async def recompose_cards(self) -> None:
        """Lay the cards anew."""
        entries = await asyncio.to_thread(cards_of, self.app.store, self.app.settings)
        told = await asyncio.to_thread(waiting, self.app.store)
        if not self.query("#cards"):
            return  # the screen was left while the disk was waited for
        if told != self.waiting:
            self.waiting = told
            self._tell()
            self.refresh_bindings()
        grid = self.query_one("#cards", Grid)
        if [card.entry for card in self._cards] == entries:
            for card in self._cards:
                card.refresh()  # the signs may be others now
            return
        await grid.remove_children()
        if not grid.is_attached:
            return
        await grid.mount_all([HomeCard(entry) for entry in entries])
        self._choose(min(self.chosen, len(entries) - 1))

    def _choose(self, at: int) -> None:
        cards = self._cards
        if not cards:  # they are just being laid anew, or cleared away with the screen
            return
        self.chosen = at % len(cards)
        for number, card in enumerate(cards):
            card.chosen = number == self.chosen
        self._tell()

    @property
    def _cards(self) -> list[HomeCard]:
        """Those that are there now."""
        grid = self.query_one_optional("#cards", Grid)
        return [card for card in grid.children if isinstance(card, HomeCard)] if grid else []

    def _card(self) -> HomeCard | None:
        """The chosen one; none while the cards are laid anew."""
        return next((card for card in self._cards if card.chosen), None)

    @property
    def _game_id(self) -> str:
        """The game on the chosen card; none on the one for a new game."""
        card = self._card()
        return card.entry.game_id if card else ""

    def on_resize(self) -> None:
        """The top line says what the cards have no room for."""
        self._tell()

    def _tell(self) -> None:
        """Who the chosen game is good for, where its card has no room for it and the top line has."""
        card = self._card()
        good_for = card.entry.good_for if card else ""
        told, count = f"Good for {good_for}.", len(game_ids())
        fits = card and good_for and len(told) <= self.app.size.width - ASIDE and not card.roomy
        plain = told if fits else f"{IN_WORDS.get(count, count)} small number duels"
        self.query_one(TopLine).aside = self.waiting[1] or plain

    def action_move(self, step: int) -> None:
        """The next card, or the one before."""
        self._choose(self.chosen + step)

    def action_down(self, step: int) -> None:
        """A row down or up."""
        columns = 1 if self.has_class("-low") else 3
        at = self.chosen + step * columns
        if 0 <= at < len(self._cards):
            self._choose(at)

    async def action_open(self) -> None:
        """Play the chosen card."""
        if card := self._card():
            await self._open(card.entry)

    @on(HomeCard.Clicked)
    async def _card_clicked(self, message: HomeCard.Clicked) -> None:
        await self._open(message.entry)

    async def _open(self, entry: CardFacts) -> None:
        if entry.unfinished is not None:
            await self._resume(entry.unfinished)
        elif not entry.game_id:
            self.app.ways.open_new_game()
        else:
            self.app.ways.start(entry.game_id)

    def action_against(self, opponent: Literal["friend", "computer"]) -> None:
        """Play the game on the chosen card with a friend, or against the computer."""
        self.app.ways.start(self._game_id or game_ids()[0], opponent)

    def action_play(self, at: int) -> None:
        """Play the game of this number."""
        self.app.ways.start(game_ids()[at])

    async def action_resume(self) -> None:
        """Go on with what was left."""
        unfinished = await asyncio.to_thread(self.app.store.unfinished, 1)
        if unfinished:
            await self._resume(unfinished[0])

    async def _resume(self, summary: Summary) -> None:
        try:
            await self.app.ways.resume(summary)
        except DuelboxError as error:
            self.app.warn(error.sentence)

    async def action_mistakes(self) -> None:
        """The kept mistakes that are due."""
        await self.app.ways.open_mistakes()

    def action_options(self) -> None:
        """Choose who plays, and by which rules."""
        self.app.ways.open_new_game(game_id=self._game_id or None)

    def action_help(self) -> None:
        """The rules and the keys."""
        self.app.ways.open_help(find_game(self._game_id) if self._game_id else None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Continue is offered where there is something to go on with."""
        if action == "more":
            card = self._card()
            return card is not None and card.entry.better is not None
        if action == "resume":
            return any(card.entry.unfinished for card in self._cards)
        return bool(self.waiting[0]) if action == "mistakes" else True
