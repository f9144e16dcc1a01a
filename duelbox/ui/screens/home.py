"""Home: all games at one glance, and what was left unfinished."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.game import Preset
from duelbox.registry import find_game, game_ids
from duelbox.solve.fact_cards import settled
from duelbox.store.settings import LastUsed
from duelbox.store.summary import Summary
from duelbox.ui.screens.preview import drawn
from duelbox.ui.screens.sized_screen import SizedScreen
from duelbox.ui.widgets.canvas import Words
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.minis import content, written

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

IN_WORDS = {5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine"}
MORE = "a"
"""The key for rules with more to decide than those of the chosen card."""
ASIDE = 12
"""So many columns of the top line are our name's."""


@dataclass(frozen=True, slots=True)
class CardFacts:
    """Something home offers: a game, or going on with one."""

    key: str
    title: str
    goal: str
    good_for: str = ""
    game_id: str = ""
    view: Any = None
    """The position drawn on the card."""
    unfinished: Summary | None = None
    known: str = ""
    """What is known of a game that is decided before it begins, and the key for rules with more to decide."""


NEW_GAME = CardFacts("n", "New game", "Choose the players, the rounds and the house rules.")


class HomeCard(Widget):
    """An entry: a card with a picture, or, where it is narrow, a few lines."""

    app: DuelboxApp
    ALLOW_SELECT = False
    DEFAULT_CSS = """
    HomeCard {
        width: 1fr;
        height: 1fr;
        border: round $outline;
        border-title-color: $foreground;
        border-title-background: $background;
        pointer: pointer;
        &:hover { border: round $foreground; }
        &.-chosen, &.-chosen:hover { border: heavy $foreground; }
    }
    """

    chosen: reactive[bool] = reactive(False, repaint=False)
    _framing = False
    """Whether only the frame is changing."""

    class Clicked(Message):
        """The card was clicked."""

        def __init__(self, card: HomeCard) -> None:
            super().__init__()
            self.card = card

    def __init__(self, entry: CardFacts) -> None:
        super().__init__()
        self.entry = entry
        if entry.good_for:
            self.tooltip = f"Good for {entry.good_for}."

    def watch_chosen(self) -> None:
        """A heavier frame; its key is marked, too, as in plain ASCII all frames are alike."""
        self._framing = self.is_mounted and not self.is_low
        self.set_class(self.chosen, "-chosen", update=False)
        self.app.stylesheet.apply(self)
        key = (self.entry.key, "bold reverse" if self.chosen else "$text-muted")
        self.border_title = Content.assemble(key, " ", (self.entry.title, "bold"))
        self.refresh()
        self._framing = False

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint the card, or its frame alone: half as much is sent."""
        if self._framing and not regions:
            width, height = self.outer_size
            sides = (Region(x, -1, 1, height) for x in (-1, width - 2))
            regions = (Region(-1, -1, width, 1), Region(-1, height - 2, width, 1), *sides)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @property
    def is_low(self) -> bool:
        """Whether there is only room for lines, without a frame."""
        return self.content_size.height <= 3

    @property
    def roomy(self) -> bool:
        """Whether there is room for all there is to say."""
        return self.content_size.height >= 12

    def render(self) -> Content:
        """The picture over the goal, as far as there is room; in little room, the title and the goal."""
        entry = self.entry
        width, height = self.content_size
        if self.is_low:
            sign = self.app.glyphs.up if self.chosen else " "
            head = Content.assemble((f"{sign} {entry.key} ", "$text-muted"), (entry.title, "bold"))
            told = f"{entry.goal.split('. ')[0].rstrip('.')}. {entry.known}" if entry.known else entry.goal
            return Content("\n").join([head, *_wrapped(told, width, indent=4)][:height])
        # Where there is little room, the picture says the rest.
        roomy = self.roomy
        text = _wrapped(entry.goal if roomy else entry.goal.split(". ")[0].rstrip(".") + ".", width, indent=1)[:4]
        if entry.known:
            text += _wrapped(entry.known, width, indent=1)
        if roomy and entry.good_for:
            text += [Content(""), *_wrapped(f"Good for {entry.good_for}.", width, indent=1)]
        room = max(0, height - len(text))
        blank = room > 6
        return Content("\n").join([*self._picture(width, room - blank), *[Content("")] * blank, *text])

    def _picture(self, width: int, height: int) -> list[Content]:
        entry, glyphs = self.entry, self.app.glyphs
        if entry.view is not None:
            canvas = drawn(entry.game_id, entry.view, glyphs, width, height)
        else:
            one, two = self.app.settings.names
            lines: list[Words] = [
                ((glyphs.seat(0), "seat-0"), (f" {one}", "text")),
                (("  against", "free"),),
                ((glyphs.seat(1), "seat-1"), (f" {two}", "text"), (" or", "free")),
                (("  the computer", "text"),),
            ]
            canvas = written(lines, width, height, glyphs)
        return content(canvas)

    def on_click(self, event: events.Click) -> None:
        """Open it."""
        event.stop()
        self.post_message(self.Clicked(self))


def _wrapped(text: str, width: int, *, indent: int) -> list[Content]:
    return [Content.styled(" " * indent + line, "$text-muted") for line in wrap(text, max(8, width - indent - 1))]


_NUMBER_KEYS = [
    Binding(str(at + 1), f"play({at})", f"Play {find_game(game_id).INFO.title}", show=False, id=f"home.{game_id}")
    for at, game_id in enumerate(game_ids()[:9])
]


class HomeScreen(SizedScreen):
    """The games as cards; Continue first where something is unfinished."""

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
        Binding("o", "elsewhere", "Elsewhere", id="home.elsewhere", tooltip="Play with a friend on another machine"),
        Binding("t", "lesson", "Lesson", id="home.lesson", tooltip="Learn the game on the chosen card"),
        Binding("m", "mistakes", "Mistakes", id="home.mistakes", tooltip="Mistakes you kept, which are due again"),
        Binding(MORE, "more", "More to decide", id="home.more", show=False, tooltip="Rules with more to decide"),
        Binding("p", "app.puzzle", "Puzzle", id="home.puzzle"),
        Binding("d", "app.daily", "Daily", id="home.daily", tooltip="The puzzle of the day"),
        Binding("i", "history", "History", id="home.history"),
        Binding("s", "app.settings", "Settings", id="home.settings"),
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
        self.due = 0
        """How many kept mistakes are to come back by now."""
        self.elsewhere = ""
        """The match with a friend elsewhere that was played last, in a sentence."""
        self.is_new = False
        """Whether duelbox is started for the first time here."""

    def body(self) -> ComposeResult:
        """The cards."""
        with Grid(id="cards"):
            for entry in self.entries():
                yield HomeCard(entry)

    def entries(self) -> list[CardFacts]:
        """What there is to play, the unfinished game first."""
        out = [self._game(number, game_id) for number, game_id in enumerate(game_ids()[:9], 1)]
        unfinished = self.app.store.unfinished(1)
        return [self._continue(unfinished[0]), *out] if unfinished else [*out, NEW_GAME]

    def _game(self, number: int, game_id: str) -> CardFacts:
        game = find_game(game_id)
        info = game.INFO
        try:
            state: Any = parse_code(info.picture or game_id, find_game).state
        except DuelboxError:  # a guest's picture that is no position
            state = game.start(game.Options())
        known = self._settled(game_id)
        told = f"{known[0].partition(' here')[0]}. {MORE}: {known[1].name}" if known else ""
        return CardFacts(str(number), info.title, info.goal, info.good_for, game_id, game.view(state, None), known=told)

    def _settled(self, game_id: str) -> tuple[str, Preset[Any]] | None:
        """What is known of the rules that this card would play by, where they leave nothing to decide."""
        game, last = find_game(game_id), self.app.settings.last.get(game_id, LastUsed())
        try:
            return settled(game, game.Options.from_texts(dict(last.options)))
        except DuelboxError:
            return None

    def action_more(self) -> None:
        """Play the chosen game by rules with more to decide."""
        entry = self._entry()
        known = self._settled(entry.game_id) if entry and entry.known else None
        if entry and known:
            self.app.ways.open_preset(find_game(entry.game_id), known[1])

    def _continue(self, summary: Summary) -> CardFacts:
        game = find_game(summary.game)
        names = f"{summary.players[0].name} and {summary.players[1].name}"
        moves = f"{summary.moves} move{'' if summary.moves == 1 else 's'} played"
        try:
            sessions = self.app.store.load(summary.id).sessions
        except DuelboxError:  # the file can't be read just now
            sessions = ()
        view = sessions[-1].view(None) if sessions else game.view(game.start(game.Options()), None)
        return CardFacts("c", "Continue", f"{game.INFO.title}: {names}, {moves}.", "", summary.game, view, summary)

    def action_elsewhere(self) -> None:
        """Play with a friend on another machine."""
        self.app.ways.open_elsewhere()

    def action_lesson(self) -> None:
        """The lesson of the game on the chosen card, or of the first game."""
        entry = self.query(HomeCard)[self.chosen].entry
        try:
            self.app.ways.open_lesson(entry.game_id or game_ids()[0])
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
        ways = self.app.ways
        entries, told = await asyncio.to_thread(
            lambda: (self.entries(), (len(ways.due_mistakes()), ways.is_first_start(), ways.match_elsewhere()))
        )
        if not self.query("#cards"):
            return  # the screen was left while the disk was waited for
        if told != (self.due, self.is_new, self.elsewhere):
            self.due, self.is_new, self.elsewhere = told
            self._tell()
            self.refresh_bindings()
        grid = self.query_one("#cards", Grid)
        if [card.entry for card in self.query(HomeCard)] == entries:
            for card in self.query(HomeCard):
                card.refresh()  # the signs may be others now
            return
        await grid.remove_children()
        if not grid.is_attached:
            return
        await grid.mount_all([HomeCard(entry) for entry in entries])
        self._choose(min(self.chosen, len(entries) - 1))

    def _choose(self, at: int) -> None:
        cards = list(self.query(HomeCard))
        if not cards:  # they are just being laid anew, or cleared away with the screen
            return
        self.chosen = at % len(cards)
        for number, card in enumerate(cards):
            card.chosen = number == self.chosen
        self._tell()

    def _entry(self) -> CardFacts | None:
        """The chosen one; none while the cards are laid anew."""
        return next((card.entry for card in self.query(HomeCard) if card.chosen), None)

    def on_resize(self) -> None:
        """The top line says what the cards have no room for."""
        self._tell()

    def _tell(self) -> None:
        """Who the chosen game is good for, where its card has no room for it and the top line has."""
        card = next((card for card in self.query(HomeCard) if card.chosen), None)
        good_for = card.entry.good_for if card else ""
        told, count = f"Good for {good_for}.", len(game_ids())
        fits = card and good_for and len(told) <= self.app.size.width - ASIDE and not card.roomy
        if self.is_new:
            told, fits = "New here? t: a short lesson in the chosen game", True
        if self.elsewhere:
            told, fits = f"{self.elsewhere}: press o", True
        elif self.due:
            told, fits = f"{self.due} mistake{'' if self.due == 1 else 's'} due again: press m", True
        self.query_one(TopLine).aside = told if fits else f"{IN_WORDS.get(count, count)} small number duels"

    def action_move(self, step: int) -> None:
        """The next card, or the one before."""
        self._choose(self.chosen + step)

    def action_down(self, step: int) -> None:
        """A row down or up."""
        columns = 1 if self.has_class("-low") else 3
        at = self.chosen + step * columns
        if 0 <= at < len(self.query(HomeCard)):
            self._choose(at)

    async def action_open(self) -> None:
        """Play the chosen card."""
        if entry := self._entry():
            await self._open(entry)

    @on(HomeCard.Clicked)
    async def _card_clicked(self, message: HomeCard.Clicked) -> None:
        await self._open(message.card.entry)

    async def _open(self, entry: CardFacts) -> None:
        if entry.unfinished is not None:
            await self._resume(entry.unfinished)
        elif not entry.game_id:
            self.app.ways.open_new_game()
        else:
            self.app.ways.start(entry.game_id)

    def action_against(self, opponent: Literal["friend", "computer"]) -> None:
        """Play the game on the chosen card with a friend, or against the computer."""
        entry = self._entry()
        self.app.ways.start((entry.game_id if entry else "") or game_ids()[0], opponent)

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
        entry = self._entry()
        self.app.ways.open_new_game(game_id=entry.game_id or None if entry else None)

    def action_history(self) -> None:
        """All games ever played here."""
        self.app.ways.open_history()

    def action_help(self) -> None:
        """The rules and the keys."""
        entry = self._entry()
        self.app.ways.open_help(find_game(entry.game_id) if entry and entry.game_id else None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Continue is offered where there is something to go on with."""
        if action == "more":
            return any(card.chosen and card.entry.known for card in self.query(HomeCard))
        if action == "resume":
            return any(card.entry.unfinished for card in self.query(HomeCard))
        return bool(self.due) if action == "mistakes" else True
