"""Home: the match to go on with, the puzzles of the day, the games, and the chosen game large."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.geometry import Size

from duelbox.core.errors import DuelboxError
from duelbox.ui.home_facts import GameFacts, HomeFacts
from duelbox.ui.home_kept import KeptHome
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.home_cards import MatchCard, TodayCard
from duelbox.ui.screens.home_game import ChosenGame, Preview
from duelbox.ui.screens.home_parts import ELSEWHERE, HISTORY, SETTINGS, TEXT, GameList, Said
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import TopLine

hidden = partial(Binding, show=False)
"""A binding that the line of keys leaves out."""
IN_WORDS = {5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine"}
SHORT = 8
"""The longest title of a lesson that stands in the line of keys."""
LINES = "-lines"
"""The class of the layout with lines alone."""
CARDS = "-cards"
"""The class of the layout with cards above the games, and the chosen game below."""
COLUMNS = "-columns"
"""The class of the layout with cards and games at the left, and the chosen game at the right."""


def layout_for(size: Size) -> str:
    """The layout in a window of this size."""
    if size.width < 80 or size.height < 24:
        return LINES
    if size.width >= 100 and size.height >= 30:
        return COLUMNS
    return CARDS


class HomeScreen(BaseScreen):
    """The first screen: a row for each game, and the chosen game large."""

    VERTICAL_BREAKPOINTS = [*BaseScreen.VERTICAL_BREAKPOINTS, (36, "-high")]  # noqa: RUF012
    SPARE: ClassVar[tuple[str, ...]] = ("prove", "open", "settings", "history", "quit", "new", "mistakes", "puzzle")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Play", id="home.open"),
        hidden("down", "move(1)", "Row", id="home.down"),
        hidden("up", "move(-1)", "Row", id="home.up"),
        hidden("right", "preset(1)", "Preset", id="home.preset"),
        hidden("left", "preset(-1)", "Preset", id="home.preset-before"),
        hidden("l", "level", "Level", id="home.level", tooltip="The level of the computer"),
        Binding("k", "prove", "Prove", id="home.prove", tooltip="Prove who wins, whatever comes"),
        hidden("x", "offered", "Offered", id="home.offered", tooltip="The game that the row offers"),
        hidden("c", "resume", "Continue", id="home.continue"),
        hidden("f", "friend", "Friend", id="home.friend", tooltip="Play with a friend at this screen"),
        hidden("o", ELSEWHERE, "Elsewhere", id="home.elsewhere", tooltip="Play with a friend on another machine"),
        Binding("t", "lesson", "Lesson", id="home.lesson", tooltip="Learn the chosen game"),
        hidden("d", "app.daily", "Today", id="home.daily", tooltip="The puzzle of the day"),
        Binding("e", "last", "Review", id="home.last", tooltip="Look at the last game again"),
        Binding("p", "puzzle", "Puzzle", id="home.puzzle"),
        Binding("m", "mistakes", "Mistakes", id="home.mistakes", tooltip="Mistakes that are due again"),
        Binding("n", "options", "New game", id="home.new", tooltip="Choose players and house rules"),
        Binding("i", HISTORY, "History", id="home.history"),
        Binding("s", SETTINGS, "Settings", id="home.settings"),
        Binding("question_mark", "help", "Help", id="home.help", key_display="?"),
        Binding("q", "app.quit", "Quit", id="home.quit"),
    ]

    def __init__(self, kept: KeptHome | None = None) -> None:
        super().__init__()
        self.match_card = MatchCard()
        self.today_card = TodayCard()
        self.games = GameList()
        self.said = Said()
        self.chosen_game = ChosenGame(id="chosen")
        self.known: HomeFacts | None = None
        """The facts shown; None until they are gathered."""
        self._kept = kept
        """The facts saved at the last exit, with which home opens at once."""
        self._fresh = False
        """The facts were just gathered; the next resume does not gather them again."""

    def body(self) -> ComposeResult:
        """The cards, the games, and the chosen game."""
        self._lay_out(self.app.size)
        with Container(id="home"):
            with Container(id="left"):
                with Container(id="cards"):
                    yield self.match_card
                    yield self.today_card
                with Container(id="games"):
                    yield self.said
                    yield self.games
            yield self.chosen_game

    def on_mount(self) -> None:
        """Gather the facts, and choose the game played last."""
        self.query_one("#games").border_title = Content.styled("Play", TEXT)
        if self._kept is None:
            from duelbox.ui.home_known import facts_of

            facts = facts_of(self.app.store, self.app.settings, date.today())
        else:
            facts = self._kept.facts
            self.query_one(Preview).thumbnails.update(self._kept.thumbnails)
        self._fresh = True
        self.games.chosen = facts.latest
        self.facts = facts

    async def on_screen_resume(self) -> None:
        """Gather the facts again, as another screen may have changed them."""
        if self._fresh:
            self._fresh = False
            return
        await self.find_anew()

    async def find_anew(self) -> None:
        """Gather the facts again in a thread, show them, and save them for the next start."""
        from duelbox.ui.home_known import facts_of

        facts = await in_background(lambda: facts_of(self.app.store, self.app.settings, date.today()))
        if self.is_attached:
            self.facts = facts
        await in_background(self.app.keep_home)

    @property
    def facts(self) -> HomeFacts:
        """The facts shown."""
        assert self.known is not None
        return self.known

    @facts.setter
    def facts(self, facts: HomeFacts) -> None:
        self.known = facts
        bound = self._bindings.key_to_bindings
        for at, game in enumerate(facts.games, 1):
            play = Binding(str(at), f"play({at - 1})", f"Play {game.title}", show=False, id=f"home.{game.id}")
            bound[str(at)] = [play]
        self.games.chosen = min(self.games.chosen, len(facts.games) - 1)
        self.show()

    @property
    def row(self) -> GameFacts:
        """The facts of the chosen game."""
        return self.facts.games[self.games.chosen]

    def show(self, said: str = "") -> None:
        """Draw what has changed of home, and say a sentence."""
        top = self.query_one_optional(TopLine)
        if top is None:
            return  # home is closing
        facts = self.facts
        self.match_card.facts = facts
        self.today_card.facts = facts
        self.games.facts = facts
        self.match_card.lesson = self.row.lesson
        self.said.said = said
        self.said.away = facts.away
        self.said.rest = facts.rest
        self.chosen_game.show(self.row, first=facts.first)
        top.aside = facts.head
        top.place = ""
        if facts.first or self.has_class(COLUMNS):
            count = len(facts.games)
            top.place = f"{IN_WORDS.get(count, count)} short number games for two"
        self.refresh_bindings()

    def _lay_out(self, size: Size) -> None:
        """Choose the layout for this size."""
        for layout in (LINES, CARDS, COLUMNS):
            self.set_class(layout == layout_for(size), layout)

    def on_resize(self, event: events.Resize) -> None:
        """Lay home out at its new size."""
        self._lay_out(event.size)
        if self.known is not None:
            self.show(self.said.said)

    # -- choosing

    def action_move(self, step: int) -> None:
        """Choose the next row, or the one before."""
        self.games.chosen = (self.games.chosen + step) % len(self.facts.games)
        self.show()

    def action_choose(self, at: int) -> None:
        """Choose this row."""
        self.games.chosen = at
        self.show()

    def action_preset(self, step: int) -> None:
        """Choose the next preset of the chosen game, or the one before, from now on."""
        from duelbox.registry import find_game
        from duelbox.table.presets import own_presets

        game = find_game(self.row.id)
        number, count = self.row.at
        at = (number - 1 + step) % count if number else (0 if step > 0 else count - 1)
        self._choose(options=(*game.PRESETS, *own_presets(self.app.settings, game))[at].options.texts())

    def action_level(self) -> None:
        """Choose the next level of the computer from now on; after the last level comes the sparring partner."""
        from duelbox.bots import SPARRING, levels_of
        from duelbox.store.settings import PERSON

        known = [level.id for level in levels_of(self.row.id)]
        if not known:
            self.show(f"{self.row.title} has no computer players.")
            return
        ladder, players = [*known, SPARRING.id], self.row.players
        seat = next((seat for seat, who in enumerate(players) if who in ladder), 1)
        level = ladder[(ladder.index(players[seat]) + 1) % len(ladder)] if players[seat] in ladder else ladder[0]
        players = (level, PERSON) if seat == 0 else (PERSON, level)
        self._choose(players=players, first=self.row.first, chosen=True)

    def _choose(self, **choices: object) -> None:
        """Save a choice for the chosen game in the settings."""
        from duelbox.registry import find_game
        from duelbox.table.new_game import last_choices
        from duelbox.ui.home_rows import played_here, with_choices

        settings, game_id = self.app.settings, self.row.id
        last = last_choices(settings, find_game(game_id)).changed(**choices)
        self.app.change_settings(last={**settings.last, game_id: last})
        games = list(self.facts.games)
        played = played_here(self.app.store.latest_played(), game_id, self.app.settings)
        games[self.games.chosen] = with_choices(self.row, self.app.settings, played)
        self.facts = replace(self.facts, games=tuple(games))

    # -- starting

    def action_open(self) -> None:
        """Play the chosen game as its row says."""
        self.app.navigation.start(self.row.id, self.row.players, self.row.first, warned=self.row.warned)

    def action_offered(self) -> None:
        """Play the game that is offered: a lower level or the other seat after losses, other rules after wins."""
        if self.row.offer:
            one, two, first = self.row.offer
            self.app.navigation.start(self.row.id, (one, two), first, rules=self.row.offer_rules)

    def action_play(self, at: int) -> None:
        """Choose the game of this row, and play it."""
        self.games.chosen = at
        self.show()
        self.action_open()

    def action_friend(self) -> None:
        """Play the chosen game with a friend at this screen."""
        from duelbox.store.settings import PERSON

        self.app.navigation.start(self.row.id, (PERSON, PERSON), "player-1")

    async def action_resume(self) -> None:
        """Go on with the unfinished match."""
        match = self.facts.match
        if match is not None and not match.over:
            try:
                await self.app.navigation.resume(await asyncio.to_thread(self.app.store.find, match.id))
            except DuelboxError as error:
                self.app.warn(error.sentence)

    async def action_last(self) -> None:
        """Look at the last game again."""
        match = self.facts.match
        if match is not None:
            try:
                await self.app.navigation.review(await asyncio.to_thread(self.app.store.find, match.id))
            except DuelboxError as error:
                self.app.warn(error.sentence)

    def action_lesson(self) -> None:
        """Open the course of the chosen preset."""
        from duelbox.ui.home_rows import preset_id

        try:
            self.app.navigation.open_lesson(self.row.id, preset=preset_id(self.row))
        except DuelboxError as error:
            self.app.warn(error.sentence)

    def action_prove(self) -> None:
        """Open the proof that the row offers: the one that was left, or the next of the ladder."""
        from duelbox.ui.proofs import open_next_rung

        try:
            open_next_rung(self.app, self.row.id)
        except DuelboxError as error:
            self.show(error.sentence)

    def action_puzzle(self) -> None:
        """Open a puzzle of any game, unless the chosen game is a guest without puzzles."""
        from duelbox.learn.practice import practice
        from duelbox.registry import BUILT_IN, title_of

        if self.row.id not in BUILT_IN and not practice(self.row.id):
            self.show(f"{title_of(self.row.id)} has no puzzles yet; the other games have some.")
        else:
            self.app.action_puzzle()

    async def action_mistakes(self) -> None:
        """Open the mistakes that are due again."""
        await self.app.navigation.open_mistakes(self.facts.rest)

    def action_options(self) -> None:
        """Open the form for a new game."""
        self.app.navigation.open_new_game(game_id=self.row.id)

    def action_help(self) -> None:
        """Open help with the rules of the chosen game."""
        from duelbox.registry import find_game

        self.app.navigation.open_help(find_game(self.row.id))

    def label(self, action: str) -> str | None:
        """The name of a key: short, with the number of mistakes due, and empty for keys that stand elsewhere."""
        if action.startswith("play("):
            return "Play game"
        if self.has_class(LINES) and action in ("open", HISTORY, SETTINGS):
            return ""
        if action == "lesson":
            return self._lesson_label() if self.known else ""
        if action == "last":
            return "Review" if self._may_review else ""
        if action == "prove":
            return "Prove" if self._may_prove else ""
        due = self.known.due if self.known else 0
        return {"puzzle": "Puzzles", "options": "New", "mistakes": f"Mistakes {due}" if due else ""}.get(action)

    def _lesson_label(self) -> str:
        """The lesson before the next game, at the first start and after losses; empty at other times."""
        title = self.row.raised.partition(":")[0]
        if title and len(title) <= SHORT:
            return title
        return "Lesson" if title or self.facts.first else ""

    @property
    def _may_prove(self) -> bool:
        """The game has proofs, and the player is no newcomer."""
        return self.known is not None and self.row.provable and not self.known.first

    @property
    def _may_review(self) -> bool:
        """The last game is over, and stands on its card."""
        return self.known is not None and self.known.match is not None and self.known.match.over

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer continuing only if a match is unfinished."""
        facts = self.known
        if action == "offered":
            return facts is not None and bool(self.row.offer)
        if action == "last":
            return self._may_review
        if action == "resume":
            return facts is not None and facts.match is not None and not facts.match.over
        return True
