"""The cards of home: what each offers, and how it is drawn in the room there is."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Self

from textual import events
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
from duelbox.store.settings import Settings
from duelbox.store.store import Store
from duelbox.store.summary import Summary
from duelbox.table.opening import options_of_last
from duelbox.ui.game_board import small_picture
from duelbox.ui.widgets.canvas import Words
from duelbox.ui.widgets.minis import content, written

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

MORE = "a"
"""The key for rules with more to decide than those of the chosen card."""


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
    """A sentence on a game that is decided before it begins, with the key for rules with more to decide."""
    better: Preset[Any] | None = None
    """Those rules."""


NEW_GAME = CardFacts("n", "New game", "Choose the players, the rounds and the house rules.")


def cards_of(store: Store, settings: Settings) -> list[CardFacts]:
    """All there is to play, the unfinished game first."""
    games = [_game(settings, number, game_id) for number, game_id in enumerate(game_ids()[:9], 1)]
    unfinished = store.unfinished(1)
    return [_unfinished(store, unfinished[0]), *games] if unfinished else [*games, NEW_GAME]


def _game(settings: Settings, number: int, game_id: str) -> CardFacts:
    game = find_game(game_id)
    info = game.INFO
    try:
        state: Any = parse_code(info.picture or game_id, find_game).state
    except DuelboxError:  # a guest's picture that is no position
        state = game.start(game.Options())
    told, better = settled(game, options_of_last(game, settings.last_of(game_id))) or ("", None)
    known = f"{told.partition(' here')[0]}. {MORE}: {better.name}" if better else ""
    view = game.view(state, None)
    return CardFacts(str(number), info.title, info.goal, info.good_for, game_id, view, known=known, better=better)


def _unfinished(store: Store, summary: Summary) -> CardFacts:
    game = find_game(summary.game)
    names = f"{summary.players[0].name} and {summary.players[1].name}"
    moves = f"{summary.moves} move{'' if summary.moves == 1 else 's'} played"
    try:
        sessions = store.load(summary.id).sessions
    except DuelboxError:  # the file can't be read just now
        sessions = ()
    view = sessions[-1].view(None) if sessions else game.view(game.start(game.Options()), None)
    return CardFacts("c", "Continue", f"{game.INFO.title}: {names}, {moves}.", "", summary.game, view, summary)


class HomeCard(Widget):
    """An entry: a card with a picture, or, where it is narrow, a few lines."""

    app: DuelboxApp
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

    @dataclass(eq=False)
    class Clicked(Message):
        """The card was clicked."""

        entry: CardFacts

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
        """Paint the card, or its frame alone: half as much is sent, and what it says need not be drawn anew."""
        if not self._framing or regions:
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        width, height = self.outer_size
        sides = (Region(x, -1, 1, height) for x in (-1, width - 2))
        drawn = not self._dirty_regions
        super().refresh(Region(-1, -1, width, 1), Region(-1, height - 2, width, 1), *sides, layout=layout)
        if drawn:
            self._dirty_regions.clear()
        return self

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
            canvas = small_picture(entry.game_id, entry.view, glyphs, width, height)
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
        self.post_message(self.Clicked(self.entry))


def _wrapped(text: str, width: int, *, indent: int) -> list[Content]:
    return [Content.styled(" " * indent + line, "$text-muted") for line in wrap(text, max(8, width - indent - 1))]
