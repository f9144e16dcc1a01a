"""Home: the match to go on with, the puzzles of the day, the games, and the chosen game large."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from duelbox.core.errors import DuelboxError
from duelbox.ui.home_facts import GameFacts, HomeFacts
from duelbox.ui.home_kept import KeptHome, ThumbnailKey
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.home_picture import ELSEWHERE, RAISED, WIDE, Picture, is_low, paint
from duelbox.ui.screens.too_small import MIN_HEIGHT, MIN_WIDTH
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.board import STYLES
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.lines import TopLine

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

hidden = partial(Binding, show=False)
"""A binding that the line of keys leaves out."""
ALL_STYLES = STYLES | {name + RAISED: f"{style} on $panel" for name, style in STYLES.items()}
IN_WORDS = {5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine"}


class HomePicture(Widget):
    """Draws the facts of home; a click does what the key at that place does."""

    app: DuelboxApp
    DEFAULT_CSS = "HomePicture { width: 1fr; height: 1fr; }"

    facts: HomeFacts | None = None
    chosen = 0
    said = ""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Picture | None = None
        self.thumbnails: dict[ThumbnailKey, Canvas] = {}

    def draw(self) -> Picture:
        """Draw the picture at the size of the widget."""
        if self.facts is None or not (self.size.width >= MIN_WIDTH and self.size.height >= MIN_HEIGHT - 2):
            return Picture(Canvas(*self.size), ())
        self.app.home_size = self.size
        return paint(self.facts, self.chosen, self.said, *self.size, self.app.glyphs, self._thumbnail)

    def _thumbnail(self, game_id: str, code: str, width: int, height: int) -> Canvas:
        """The small picture of a position; it is drawn only once."""
        if (known := self.thumbnails.get((game_id, code, width, height, self.app.glyphs.name))) is not None:
            return known
        from duelbox.ui.home_known import thumbnails_in

        return thumbnails_in(self.thumbnails, self.app.glyphs)(game_id, code, width, height)

    def redraw(self) -> None:
        """Draw the picture again, and send only the changed regions to the terminal."""
        before, self._shown = self._shown, self.draw()
        self._shown.canvas.refresh(self, before.canvas if before else None)

    def render(self) -> Content:
        """The picture as text."""
        if self._shown is None or self._shown.canvas.size != self.size:
            self._shown = self.draw()
        canvas = self._shown.canvas
        lines = (((text, ALL_STYLES[name]) for text, name in canvas.row(y)) for y in range(canvas.height))
        return Content("\n").join(Content.assemble(*line) for line in lines)

    def notify_style_update(self) -> None:
        """Draw again, as the theme or the signs may have changed."""
        self._shown = None
        super().notify_style_update()

    def action_at(self, event: events.MouseEvent) -> str:
        """The action of a click at this place, or an empty string."""
        return self._shown.action_at(int(event.x), int(event.y)) if self._shown else ""

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show a pointer where a click does something."""
        self.styles.pointer = "pointer" if self.action_at(event) else "default"

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the place."""
        event.stop()
        if action := self.action_at(event):
            await self.screen.run_action(action)


class HomeScreen(BaseScreen):
    """The first screen: a row for each game, and the chosen game large."""

    SPARE: ClassVar[tuple[str, ...]] = ("open", "settings", "history", "quit", "new", "mistakes", "puzzle")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Play", id="home.open"),
        hidden("down", "move(1)", "Row", id="home.down"),
        hidden("up", "move(-1)", "Row", id="home.up"),
        hidden("right", "preset(1)", "Preset", id="home.preset"),
        hidden("left", "preset(-1)", "Preset", id="home.preset-before"),
        hidden("l", "level", "Level", id="home.level", tooltip="The level of the computer"),
        hidden("x", "offered", "Offered", id="home.offered", tooltip="The game that the row offers after losses"),
        hidden("c", "resume", "Continue", id="home.continue"),
        hidden("f", "friend", "Friend", id="home.friend", tooltip="Play with a friend at this screen"),
        hidden("o", ELSEWHERE, "Elsewhere", id="home.elsewhere", tooltip="Play with a friend on another machine"),
        hidden("t", "lesson", "Lesson", id="home.lesson", tooltip="Learn the chosen game"),
        hidden("d", "app.daily", "Today", id="home.daily", tooltip="The puzzle of the day"),
        Binding("p", "puzzle", "Puzzle", id="home.puzzle"),
        Binding("m", "mistakes", "Mistakes", id="home.mistakes", tooltip="Mistakes that are due again"),
        Binding("n", "options", "New game", id="home.new", tooltip="Choose players and house rules"),
        Binding("i", "app.open('history')", "History", id="home.history"),
        Binding("s", "app.open('settings')", "Settings", id="home.settings"),
        Binding("question_mark", "help", "Help", id="home.help", key_display="?"),
        Binding("q", "app.quit", "Quit", id="home.quit"),
    ]

    def __init__(self, kept: KeptHome | None = None) -> None:
        super().__init__()
        self.picture = HomePicture()
        self._kept = kept
        """The facts saved at the last exit, with which home opens at once."""
        self._fresh = False
        """The facts were just gathered; the next resume does not gather them again."""

    def body(self) -> ComposeResult:
        """The picture."""
        yield self.picture

    def on_mount(self) -> None:
        """Gather the facts, and choose the game played last."""
        if self._kept is None:
            from duelbox.ui.home_known import facts_of

            facts = facts_of(self.app.store, self.app.settings, date.today())
        else:
            facts, self.picture.thumbnails = self._kept.facts, dict(self._kept.thumbnails)
        self.picture.chosen, self._fresh = facts.latest, True
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
        assert self.picture.facts is not None
        return self.picture.facts

    @facts.setter
    def facts(self, facts: HomeFacts) -> None:
        self.picture.facts = facts
        plays = {
            str(at): [Binding(str(at), f"play({at - 1})", f"Play {game.title}", show=False, id=f"home.{game.id}")]
            for at, game in enumerate(facts.games, 1)
        }
        bound = self._bindings.key_to_bindings
        self._bindings.key_to_bindings = {**plays, **{key: one for key, one in bound.items() if not key.isdigit()}}
        self.picture.chosen = min(self.picture.chosen, len(facts.games) - 1)
        self.show()

    @property
    def row(self) -> GameFacts:
        """The facts of the chosen game."""
        return self.facts.games[self.picture.chosen]

    def show(self, said: str = "") -> None:
        """Draw home again, with a sentence."""
        self.picture.said = said
        top, count = self.query_one_optional(TopLine), len(self.facts.games)
        if top is None:
            return  # home is closing
        top.aside = self.facts.head
        wide = self.facts.first or self.app.size.width >= WIDE
        top.place = f"{IN_WORDS.get(count, count)} small number duels for two" if wide else ""
        self.picture.redraw()
        self.refresh_bindings()

    def on_resize(self) -> None:
        """Draw home at its new size."""
        if self.picture.facts is not None:
            self.show(self.picture.said)

    # -- choosing

    def action_move(self, step: int) -> None:
        """Choose the next row, or the one before."""
        self.picture.chosen = (self.picture.chosen + step) % len(self.facts.games)
        self.show()

    def action_choose(self, at: int) -> None:
        """Choose this row, or play it if it is chosen already."""
        if at == self.picture.chosen:
            self.action_open()
        else:
            self.picture.chosen = at
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
        games[self.picture.chosen] = with_choices(self.row, self.app.settings, played)
        self.facts = replace(self.facts, games=tuple(games))

    # -- starting

    def action_open(self) -> None:
        """Play the chosen game as its row says."""
        self.app.navigation.start(self.row.id, self.row.players, self.row.first, warned=self.row.warned)

    def action_offered(self) -> None:
        """Play the game that is offered after losses: a lower level, or the other seat."""
        if self.row.offer:
            one, two, first = self.row.offer
            self.app.navigation.start(self.row.id, (one, two), first)

    def action_play(self, at: int) -> None:
        """Choose the game of this row, and play it."""
        self.picture.chosen = at
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

    def action_lesson(self) -> None:
        """Open the lessons of the chosen game."""
        try:
            self.app.navigation.open_lesson(self.row.id)
        except DuelboxError as error:
            self.app.warn(error.sentence)

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
        await self.app.navigation.open_mistakes()

    def action_options(self) -> None:
        """Open the form for a new game."""
        self.app.navigation.open_new_game(game_id=self.row.id)

    def action_help(self) -> None:
        """Open help with the rules of the chosen game."""
        from duelbox.registry import find_game

        self.app.navigation.open_help(find_game(self.row.id))

    def label(self, action: str) -> str | None:
        """The name of a key: short, with the number of mistakes due, and empty for keys that the picture shows."""
        if action.startswith("play("):
            return "Play game"
        if is_low(*self.picture.size) and action in ("open", "app.open('history')", "app.open('settings')"):
            return ""
        due = self.picture.facts.due if self.picture.facts else 0
        return {"puzzle": "Puzzles", "options": "New", "mistakes": f"Mistakes {due}" if due else ""}.get(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer continuing only if a match is unfinished."""
        facts = self.picture.facts
        if action == "offered":
            return facts is not None and bool(self.row.offer)
        if action == "resume":
            return facts is not None and facts.match is not None and not facts.match.over
        return True
