"""The parts of home: two cards, the list of games and the chosen game. They need no game, no store and no solver.

Each part draws its facts at the size that the style sheet gives it; `app.tcss` has the three layouts of home.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from duelbox.ui.home_facts import GameFacts, HomeFacts
from duelbox.ui.widgets.canvas import shortened

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

ELSEWHERE = "app.open('elsewhere')"
"""The action that opens the form for a friend elsewhere."""
HISTORY = "app.open('history')"
SETTINGS = "app.open('settings')"
KEY = "$foreground bold"
"""The style of keys and chosen names."""
TEXT = "$foreground"
QUIET = "$text-muted"
GOOD = "$win"
"""The style of what was reached."""
EDGE = "$outline"
GAP = "   "
NAME = 4
"""The columns of a row: of the name of the game, of its preset, of its ladder and of its next step."""
PRESET = 23
LADDER = 38
STEP = 49
PRESET_WIDTH = 15
"""The columns of a preset's name where it stands below the name of the game."""
WIDEST = 7
"""The most rows of the list that one game takes."""
DENSE = 3
"""With at most so many rows for a game, none is left blank."""


def pressed_by(action: str, content: Content) -> Content:
    """The content; a click on it runs the action."""
    return content.stylize(Style.from_meta({"action": action}))


def spread(left: Content, right: Content, width: int) -> Content:
    """Two texts at the ends of a line; the left one is cut if both do not fit."""
    room = width - right.cell_length
    if right:
        room -= 1
    left = left.truncate(max(0, room), ellipsis=True)
    return Content.assemble(left, " " * (width - left.cell_length - right.cell_length), right)


def joined(parts: Sequence[str], room: int) -> str:
    """As many of the parts as fit, with dots between them."""
    text = ""
    for part in filter(None, parts):
        longer = f"{text} · {part}" if text else part
        if cell_len(longer) <= room:
            text = longer
    return text


class Part(Widget):
    """A part of home; a click on it runs the action that belongs to the place."""

    app: DuelboxApp
    ALLOW_SELECT = False
    auto_links: reactive[bool] = reactive(False, repaint=False)  # no text in it is a link

    action = ""
    """The action of places without one of their own."""
    over: reactive[str] = reactive("", repaint=False, init=False)
    """The action under the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn: list[Content] = []
        """The lines as drawn last."""
        self._ready: list[Content] | None = None
        """The lines to draw next, if they are worked out already."""
        self._ready_for = Size()
        """The size that they are for."""

    def lines(self, width: int, height: int) -> list[Content]:
        """The lines to draw in so much room."""
        raise NotImplementedError

    def _lines_now(self) -> list[Content]:
        """The lines to draw at the present size."""
        width, height = self.content_size
        if width <= 0 or height <= 0:
            return []
        return self.lines(width, height)[:height]

    def render(self) -> Content:
        """The lines."""
        if self._ready is None or self._ready_for != self.content_size:
            self._ready = self._lines_now()
        self._drawn = self._ready
        self._ready = None
        return Content("\n").join(self._drawn)

    def redraw(self) -> None:
        """Draw the lines that have changed, and no others: a key should send few bytes."""
        before, after = self._drawn, self._lines_now()
        if len(before) != len(after):
            self.refresh()
            return
        width = self.content_size.width
        rows = [y for y, line in enumerate(after) if not line.is_same(before[y])]
        if rows:
            self._ready = after
            self._ready_for = self.content_size
            self.refresh(*(Region(0, y, width, 1) for y in rows))

    def notify_style_update(self) -> None:
        """Draw again, as the signs may have changed with the theme."""
        super().notify_style_update()
        self._ready = None
        self.refresh()

    def _action_at(self, event: events.MouseEvent) -> str:
        """The action of the place under the mouse, or an empty string."""
        action: str = event.style.meta.get("action", self.action)
        return action

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Note the action under the mouse."""
        self.over = self._action_at(event)

    def on_leave(self) -> None:
        """Note that the mouse has left."""
        self.over = ""

    def watch_over(self, over: str) -> None:
        """Show a pointer, and underline what can be pressed."""
        self.styles.pointer = "pointer" if over else "default"
        self.redraw()

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the place."""
        event.stop()
        action = self._action_at(event)
        if action:
            await self.screen.run_action(action)


class GameList(Part):
    """The games, each in a row of its own, or in several if there is room; the chosen one stands on raised ground."""

    facts: reactive[HomeFacts | None] = reactive(None, repaint=False, init=False)
    chosen: reactive[int] = reactive(0, repaint=False, init=False)

    def watch_facts(self, before: HomeFacts | None, after: HomeFacts | None) -> None:
        """Draw what has changed, and ask for another height if there are more games, or fewer."""
        if before is None or after is None or len(before.games) != len(after.games):
            self.refresh(layout=True)
        self.redraw()

    def watch_chosen(self) -> None:
        """Draw what has changed."""
        self.redraw()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A row for each game."""
        return len(self.facts.games) if self.facts else 0

    def lines(self, width: int, height: int) -> list[Content]:
        """The rows of all games."""
        if self.facts is None:
            return []
        each = max(1, min(WIDEST, height // len(self.facts.games)))
        lines: list[Content] = []
        for at, game in enumerate(self.facts.games):
            rows = self._row(at, game, width, each)
            rows += [Content("")] * (each - len(rows))
            lines += rows
        return lines

    def _row(self, at: int, game: GameFacts, width: int, room: int) -> list[Content]:
        """The lines of a game, at most as many as there is room for."""
        assert self.facts is not None
        if width < LADDER or room > 1:
            lines = self._tall_row(at, game, width)[: room if room <= DENSE else room - 1]
        else:
            lines = [self._line(at, game, width)]
        if at == self.chosen:
            lines = [line.stylize("on $panel") for line in lines]
        return [pressed_by(f"choose({at})", line) for line in lines]

    def _titled(self, at: int, game: GameFacts, width: int) -> Content:
        """The number and the name of a game."""
        style, pointer = TEXT, " "
        if at == self.chosen:
            style, pointer = KEY, self.app.glyphs.pointer
        if self.over == f"choose({at})":
            style += " underline"
        name = shortened(game.title, width - NAME)
        line = Content.assemble((f"{pointer} {at + 1} ", KEY), (name, style))
        return line.pad_right(width - line.cell_length)

    def _line(self, at: int, game: GameFacts, width: int) -> Content:
        """The game in one line."""
        assert self.facts is not None
        preset = Content.styled(shortened(game.preset, LADDER - PRESET - 1), QUIET)
        preset = preset.pad_right(LADDER - PRESET - preset.cell_length)
        head = Content.assemble(self._titled(at, game, PRESET - 1), " ", preset)
        room = width - LADDER
        if self.facts.first:
            return spread(Content.assemble(head, self._purpose(at, game, room)), Content(""), width)
        record = Content.styled(self._score(game), TEXT)
        if width <= STEP + len(" learn room"):
            return spread(Content.assemble(head, ladder(game)), record, width)
        levels = ladder(game)
        levels = levels.pad_right(STEP - LADDER - levels.cell_length)
        step_room = width - STEP - record.cell_length - 2
        step = Content.styled(shortened(short_step(game.next_step, step_room), step_room), QUIET)
        return spread(Content.assemble(head, levels, step), record, width)

    def _tall_row(self, at: int, game: GameFacts, width: int) -> list[Content]:
        """The game in several lines."""
        assert self.facts is not None
        record = Content.styled(self._score(game), TEXT)
        name = self._titled(at, game, width - record.cell_length - 2)
        lines = [Content.assemble(name, "  ", record)]
        room = width - NAME
        if self.facts.first:
            below = [Content.styled(game.preset, QUIET), self._purpose(at, game, room)]
        else:
            preset = shortened(game.preset, PRESET_WIDTH - 1)
            levels = Content.assemble((f"{preset:<{PRESET_WIDTH}}", QUIET), ladder(game))
            below = [levels, Content.styled(game.next_step, QUIET), Content.styled(game.good_for, QUIET)]
        for line in below:
            cut = line.truncate(room, ellipsis=True)
            lines.append(cut.pad_left(NAME).pad_right(room - cut.cell_length))
        return lines

    def _purpose(self, at: int, game: GameFacts, room: int) -> Content:
        """Before the first game: what the game is good for, and of the chosen one the first lesson."""
        if at == self.chosen and game.lesson:
            told = f"t  {game.next_step}"
            if len(told) > room:
                told = "t  lesson 1"
            return Content.styled(told, TEXT)
        told = game.good_for
        if len(told) > room:
            told = told.partition(",")[0]
        return Content.styled(told, QUIET)

    def _score(self, game: GameFacts) -> str:
        """Points won and lost; plain ASCII has no half."""
        return game.record if self.app.glyphs.unicode else game.record.replace("½", ".5")


def ladder(game: GameFacts) -> Content:
    """A sign for each level, filled if it was beaten."""
    gap = " " if len(game.beaten) <= 5 else ""
    signs = []
    for beaten in game.beaten:
        signs.append(Content.styled("■", GOOD) if beaten else Content.styled("□", QUIET))
    return Content(gap).join(signs)


def short_step(step: str, room: int) -> str:
    """The next step; a lesson that has no room is named by its title, or after losses without it."""
    number, _, title = step.partition(": ")
    if len(step) <= room:
        return step
    if number == "first":
        return "first: t, its lesson"
    if number.startswith("lesson") and len(f"learn {title}") <= room:
        return f"learn {title}"
    if number.startswith("lesson"):
        return title
    return step


class Said(Part):
    """The sentence said last, or else the news of a match elsewhere, or else a sentence on mistakes that rest."""

    said: reactive[str] = reactive("", repaint=False, init=False)
    away: reactive[str] = reactive("", repaint=False, init=False)
    rest: reactive[str] = reactive("", repaint=False, init=False)

    def watch_said(self) -> None:
        """Draw what has changed."""
        self.redraw()

    def watch_away(self) -> None:
        """Draw what has changed."""
        self.redraw()

    def watch_rest(self) -> None:
        """Draw what has changed."""
        self.redraw()

    def lines(self, width: int, height: int) -> list[Content]:
        """The sentence, with the key that it is about."""
        if self.said:
            line = Content(self.said)
        elif self.away:
            line = pressed_by(ELSEWHERE, Content.assemble(("o ", KEY), self.away))
        elif self.rest:
            words = Content.assemble((f"{self.rest} ", QUIET), ("m", KEY), (" Have them now", QUIET))
            line = pressed_by("mistakes", words)
        else:
            line = Content("")
        return [line.truncate(width, ellipsis=True)]
