"""The chosen game on home: its position, its goal, the button that starts it, and its keys."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.reactive import reactive

from duelbox.ui.home_facts import GameFacts
from duelbox.ui.home_kept import Rows, ThumbnailKey
from duelbox.ui.screens.home_parts import (
    EDGE,
    ELSEWHERE,
    GAP,
    HISTORY,
    KEY,
    QUIET,
    SETTINGS,
    TEXT,
    Part,
    joined,
    pressed_by,
)
from duelbox.ui.widgets.board import STYLES
from duelbox.ui.widgets.canvas import shortened


class GamePart(Part):
    """A part that draws the chosen game."""

    game: reactive[GameFacts | None] = reactive(None, repaint=False, init=False)

    def watch_game(self) -> None:
        """Draw what has changed."""
        self.redraw()

    def draw(self, game: GameFacts, width: int, height: int) -> list[Content]:
        """The lines that this part draws of a game."""
        raise NotImplementedError

    def lines(self, width: int, height: int) -> list[Content]:
        """The lines of the chosen game."""
        if self.game is None:
            return []
        return self.draw(self.game, width, height)


class Preview(GamePart):
    """A small picture of a position."""

    def __init__(self) -> None:
        super().__init__()
        self.thumbnails: dict[ThumbnailKey, Rows] = {}
        """The pictures drawn so far."""

    def on_resize(self) -> None:
        """Note the size, for the pictures that are kept for the next start."""
        self.app.preview_size = self.content_size

    def draw(self, game: GameFacts, width: int, height: int) -> list[Content]:
        """The rows of the picture; none of a guest that fails."""
        if not game.position:
            return []
        key = (game.id, game.position, width, height, self.app.glyphs.name)
        if key not in self.thumbnails:
            from duelbox.ui.home_known import thumbnail

            self.thumbnails[key] = thumbnail(game.id, game.position, width, height, self.app.glyphs)
        rows = self.thumbnails[key]
        return [Content.assemble(*((text, STYLES[style]) for text, style in row)) for row in rows]


class Goal(GamePart):
    """The goal, or sentences on the games lost lately; below it the purpose of the preset."""

    def draw(self, game: GameFacts, width: int, height: int) -> list[Content]:
        """The sentences; the purpose only if all of it has room."""
        goal = wrap(game.lately or game.goal, width)
        about = wrap(game.about, width)
        lines = [Content.styled(line, TEXT) for line in goal]
        if len(goal) + len(about) < height:
            lines.append(Content(""))
        if len(goal) + len(about) <= height:
            lines += [Content.styled(line, QUIET) for line in about]
        return lines


Way = tuple[str, str, str]
"""A key, its label and its action."""


class PlayButton(GamePart):
    """The button that starts the game, or after losses the lesson; beside it only a line of words starts a game."""

    def _action_at(self, event: events.MouseEvent) -> str:
        """The action of the frame of the button and of all within it, or of its words if it has no frame."""
        self.action = ""
        if self.game is not None and not self.screen.has_class("-lines"):
            self.action = self.started_by(self.game)[2]
        return super()._action_at(event)

    def started_by(self, game: GameFacts) -> Way:
        """The key of the button, its words and its action: the game, its lesson after losses, a proof after wins."""
        if game.raised:
            return "t", game.raised, "lesson"
        if game.prove:
            return "k", game.prove, "prove"
        return self.app.glyphs.enter, game.starts, "open"

    def draw(self, game: GameFacts, width: int, height: int) -> list[Content]:
        """The key, and what it starts."""
        key, label, action = self.started_by(game)
        if len(f"{key} {label}") > width:
            label = label.removeprefix("Play ").partition(":")[0]
        if self.screen.has_class("-lines"):
            return [pressed_by(action, Content.styled(f" {key} {label} ", f"{KEY} reverse"))]
        return [Content.assemble((key, KEY), (f" {label}", TEXT)).truncate(width, ellipsis=True)]


class Ways(GamePart):
    """The other keys for the game; a click on one does what the key does."""

    def draw(self, game: GameFacts, width: int, height: int) -> list[Content]:
        """The keys in lines; in many rows also who wins with best play."""
        if self.screen.has_class("-columns"):
            ways = self._in_full(game)
        elif self.screen.has_class("-lines"):
            ways = self._in_lines(game)
        else:
            ways = self._beside(game)
        lines = [self._line(line, width) for line in ways]
        if self.screen.has_class("-columns") and game.first_wins is not None:
            lines += [Content(""), self._fairness(game, width)]
        return lines

    def _next_game(self, game: GameFacts) -> Way:
        """The key for the next game, where the lesson has the button."""
        enter = self.app.glyphs.enter
        if game.warned:
            name = game.opponent.partition(" ")[0]
            return enter, f"{name}, warned before a slip", "open"
        return enter, game.starts, "open"

    def _beside(self, game: GameFacts) -> list[list[Way]]:
        """Two lines of keys, beside the position."""
        friend = ("f", "friend", "friend")
        level = ("l", "level", "level")
        rules = ("← →", "rules", "preset(1)")
        if game.raised or game.prove:
            return [[self._next_game(game)], [friend, level, rules]]
        lesson = [("t", game.course, "lesson")] if game.lesson else []
        return [[friend, ("o", "elsewhere", ELSEWHERE), level], [*lesson, rules]]

    def _in_lines(self, game: GameFacts) -> list[list[Way]]:
        """Two lines of keys, with those that have no room in the last line of the window."""
        friends = [("f", "friend", "friend"), ("o", "elsewhere", ELSEWHERE)]
        level = ("l", "level", "level")
        rules = ("← →", "rules", "preset(1)")
        lists = [("i", "history", HISTORY), ("s", "settings", SETTINGS)]
        if game.raised or game.prove:
            return [[self._next_game(game), level, rules], [*friends, *lists]]
        lesson = [("t", "lesson", "lesson")] if game.lesson else []
        return [[*friends, level, rules], [*lesson, *lists]]

    def _in_full(self, game: GameFacts) -> list[list[Way]]:
        """The lines of keys, with longer labels."""
        number, count = game.at
        rules = f"house rules, {number} of {count}"
        if not number:
            rules = f"house rules, your own, {count} others"
        above = [("t", game.course, "lesson")] if game.lesson else []
        if game.raised or game.prove:
            above = [self._next_game(game)]
        return [
            above,
            [("f", "friend at this screen", "friend"), ("o", "friend elsewhere", ELSEWHERE)],
            [("l", "level", "level"), ("← →", rules, "preset(1)")],
        ]

    def _line(self, ways: Sequence[Way], width: int) -> Content:
        """Keys side by side; the longest label is cut if they do not fit."""
        labels = [label for _, label, _ in ways]
        gap = len(GAP)
        taken = sum(len(key) + 1 + cell_len(label) + gap for key, label, _ in ways) - gap
        if taken > width and len(ways) > 1:
            taken -= len(ways) - 1
            gap -= 1
        if taken > width:
            longest = max(labels, key=cell_len)
            labels[labels.index(longest)] = shortened(longest, max(1, cell_len(longest) - (taken - width)))
        pieces = []
        for (key, _, action), label in zip(ways, labels, strict=True):
            underline = " underline" if action == self.over else ""
            piece = Content.assemble((key, KEY + underline), (f" {label}", QUIET + underline))
            pieces.append(pressed_by(action, piece))
        return Content(" " * gap).join(pieces)

    def _fairness(self, game: GameFacts, width: int) -> Content:
        """The share of games that the first player wins with best play, as a bar and in words."""
        share = game.first_wins or 0
        filled = round(share / 5)
        if share == 0:
            wins = "second always"
        elif share == 100:
            wins = "first always"
        else:
            wins = f"first {share}%"
        block = "▄" if self.app.glyphs.unicode else "="
        words = joined([wins, game.changes], width - 33)
        return Content.assemble(
            ("Best play  ", QUIET), (block * filled, "$seat-0 bold"), ("·" * (20 - filled), QUIET), (f" {words}", QUIET)
        )


class GameTitle(GamePart):
    """The upper edge of the chosen game: its name and its preset, at the end the score and the level."""

    first = False
    """True before anything was played or learned here: then there is no score."""

    def draw(self, game: GameFacts, width: int, height: int) -> list[Content]:
        """The edge; the score only if it has room."""
        title = Content.assemble((game.title, KEY), (f" · {game.preset}", TEXT))
        title = title.truncate(max(0, width - 6), ellipsis=True)
        level = f"level {game.level} of {len(game.beaten)}" if game.level else ""
        aside = game.source or joined([game.record, level], width)
        if self.first:
            aside = ""
        between = width - title.cell_length - cell_len(aside) - 8
        if not aside or between < 1:
            return [Content.assemble(("╭─ ", EDGE), title, (f" {'─' * (width - title.cell_length - 5)}╮", EDGE))]
        return [Content.assemble(("╭─ ", EDGE), title, (f" {'─' * between} ", EDGE), (aside, QUIET), (" ─╮", EDGE))]


class ChosenGame(Container):
    """The chosen game: its position, its goal, the button that starts it, and its keys."""

    def compose(self) -> ComposeResult:
        """Lay out the position, and the words beside or below it."""
        yield GameTitle()
        with Container(id="frame"):
            yield Preview()
            with Container(id="words"):
                yield Goal()
                yield PlayButton()
                yield Ways()

    def show(self, game: GameFacts, *, first: bool) -> None:
        """Draw this game; `first` is True before anything was played or learned here."""
        self.query_one(GameTitle).first = first
        for part in self.query(GamePart):
            part.game = game
