"""Help: a panel with the rules and the keys of the screen below, and the pages of rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import find_game, game_ids, rules_text
from duelbox.table.presets import known_preset
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.markdown_page import MarkdownPage
from duelbox.ui.widgets.plot import PLAIN

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

WIDTH = 80
"""The width of the panel."""
PICTURE = 60, 9
"""The columns and rows of the picture on a page of rules."""


class Key(NamedTuple):
    """A key of a screen, its label, and True if it works now."""

    key: str
    label: str
    works: bool = True


class HelpScreen(PanelScreen):
    """Shows the rules and the signs on the left, and the keys of the screen below on the right."""

    app: DuelboxApp
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "rules", "All the rules", id="help.rules", key_display="?"),
        # Priority takes these keys from the panes, which would scroll one at a time.
        Binding("down", "scroll(1)", "Scroll", id="help.down", key_display="↑↓", show=False, priority=True),
        Binding("up", "scroll(-1)", "Scroll", id="help.up", key_display="↑↓", show=False, priority=True),
    ]
    DEFAULT_CSS = """
    HelpScreen {
        & #panel { width: 100%; max-width: 80; margin: 0 0 1 0; }
        & VerticalScroll { width: 1fr; height: 100%; }
        & Static { width: 1fr; }
    }
    """

    def __init__(self, game: AnyGame, options: Options, signs: Sequence[tuple[str, str]], keys: Iterable[Key]) -> None:
        """`keys` are those of the screen below."""
        super().__init__(f"? {game.INFO.title}")
        self.game, self._options, self._signs, self._keys = game, options, signs, tuple(keys)

    def panes(self) -> Iterator[tuple[str, Content]]:
        """The rules with the signs, and the keys."""
        preset = known_preset(self.app.settings, self.game, self._options)
        house = self._options.in_words
        rules = [Content("\n".join(self._options.sentences() or (self.game.INFO.goal,)))]
        if house:
            rules.append(Content.styled(f"{house[0].upper()}{house[1:]}.", "$text-muted"))
        signs = Content("\n").join(Content.assemble((sign, "bold"), f"  {words}") for sign, words in self._signs)
        heading = f"{self._heading}, {preset.name}" if preset else self._heading
        if preset and len(heading) > self._columns:
            heading = f"? {preset.name}"
        yield heading, Content("\n\n").join([*rules, signs])
        yield "Keys", Content("\n").join(_in_columns(self._keys, self._columns))

    @property
    def _columns(self) -> int:
        """The columns of text in a pane."""
        return min(self.app.size.width, WIDTH) // 2 - 4

    def on_mount(self) -> None:
        """Make both panes as high as the longer text."""
        self.query_one("#panel").styles.height = 2 + max(len(text.wrap(self._columns)) for _, text in self.panes())

    def action_scroll(self, lines: int) -> None:
        """Scroll both panes."""
        for pane in self.query(VerticalScroll):
            pane.scroll_relative(y=lines, animate=False)

    def action_rules(self) -> None:
        """Open the whole page of rules in place of the panel."""
        self.app.switch_screen(RulesScreen(self.game, self._options))


def is_explained(screen: Screen[Any], action: str) -> bool:
    """True if help shows an action that cannot be done now: one of this kind of table, with a reason why not."""
    from duelbox.ui.screens.table import TableScreen
    from duelbox.ui.table_keys import VERB_OF

    verb = VERB_OF.get(action)
    if verb is None or not isinstance(screen, TableScreen):
        return True
    return verb not in screen.table.absent and bool(screen.prompts.why_not(verb))


def signs_of(board: Sequence[tuple[str, str]], glyphs: Glyphs, names: Sequence[str]) -> list[tuple[str, str]]:
    """The signs of the players, of this board, and of the verdict."""
    win, draw, loss = (glyphs.verdict(verdict) for verdict in ("win", "draw", "loss"))
    verdict = (win, f"wins  {draw} draws  {loss} loses"), ("7", "over within 7 turns")
    return [*key_of(board, glyphs, names), *verdict]


def key_of(board: Sequence[tuple[str, str]], glyphs: Glyphs, names: Sequence[str]) -> list[tuple[str, str]]:
    """The signs of the players and of this board."""
    seats = (*glyphs.seats, *glyphs.hollow)
    plain = {} if glyphs.unicode else PLAIN
    own = [(sign.format(*seats).translate(plain), words.format(*seats)) for sign, words in board]
    return [*zip(glyphs.seats, names, strict=True), *own]


def _in_columns(keys: Sequence[Key], width: int) -> Iterator[Content]:
    """The keys in two columns, or in one if a label would be cut; keys with one label share a line."""
    together: dict[str, Key] = {}
    for key, label, works in keys:
        before = together.get(label, Key("", label, False))
        keys_so_far = f"{before.key} {key}".strip() if key not in before.key.split() else before.key
        together[label] = Key(keys_so_far, label, works or before.works)
    rows = [one._replace(key=_joined(one.key)) for one in together.values()]
    half = (len(rows) + 1) // 2
    one, two = _column(rows[:half]), _column(rows[half:])
    start = width - max((line.cell_length for line in two), default=0)
    if max((line.cell_length for line in one), default=0) >= start:
        yield from _column(rows)
        return
    for left, right in zip_longest(one, two, fillvalue=Content("")):
        yield Content.assemble(left, " " * (start - left.cell_length), right)


def _joined(keys: str) -> str:
    """The keys of a line; more than two single signs stand without blanks between them."""
    parts = keys.split()
    return "".join(parts) if all(len(part) == 1 for part in parts) and len(parts) > 2 else keys


def _column(rows: Sequence[Key]) -> list[Content]:
    """Lines of keys with their labels; those that do not work now are muted."""
    wide = max((len(one.key) for one in rows), default=0)
    lines = (Content.assemble((f"{one.key:>{wide}}", "bold"), f"  {one.label}") for one in rows)
    return [line if one.works else line.stylize("$text-muted") for one, line in zip(rows, lines, strict=True)]


def rules_of(game: AnyGame, options: Options, name: str, page: str, glyphs: Glyphs) -> str:
    """The rules by these options and a position from such a game, then the page of the classic rules."""
    from duelbox.ui.game_board import thumbnail_of
    from duelbox.ui.home_rows import picture_of

    rules = "\n".join(f"- {sentence}" for sentence in options.sentences())
    position = parse_code(picture_of(game, options), find_game)
    picture = thumbnail_of(game.INFO.id, position.view(0 if game.INFO.hidden else None), glyphs, *PICTURE)
    board = "\n".join(["```", *(row.rstrip() for row in picture.dump().split("\n") if row.strip()), "```"])
    classic = "## Rules" + page.partition("## Rules")[2]
    return "\n\n".join(
        (f"# {game.INFO.title}, {name}", rules, board, classic.replace("## Rules", "## The classic rules", 1))
    )


def drawn(page: str) -> str:
    """The page with box-drawing lines in its drawings instead of dashes."""
    signs = (r"\.(?=--)", "╭"), (r"(?<=--)\.", "╮"), (r"'(?=--)", "╰"), (r"(?<=--)'|(?<=\d )'", "╯"), (r"\|", "│")
    lines = []
    for line in page.split("\n"):
        if line.startswith("    "):
            for pattern, sign in signs:
                line = re.sub(pattern, sign, line)
            line = re.sub("-{2,}", lambda dashes: "─" * len(dashes[0]), line)
        lines.append(line)
    return "\n".join(lines)


class RulesScreen(BaseScreen):
    """The page of a game's rules; Left and Right turn to the other games."""

    HEADING = "Rules"
    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes these keys from the text, which never needs to scroll sideways.
        Binding("left", "turn(-1)", "Game before", id="help.before", priority=True, show=False),
        Binding("right,tab", "turn(1)", "Other games", id="help.next", priority=True, key_display="←→"),
        Binding("escape,enter,question_mark,q", "back", "Back", id="help.back"),
    ]
    DEFAULT_CSS = """
    RulesScreen {
        & VerticalScroll { margin: 1 0; align-horizontal: center; }
        & MarkdownPage { max-width: 78; padding: 0 2; }
    }
    """

    def __init__(self, game: AnyGame, options: Options | None = None) -> None:
        """`options` are house rules to put before the classic ones."""
        super().__init__()
        self.game, self._options = game, options

    def body(self) -> ComposeResult:
        """Lay out the page."""
        with VerticalScroll():
            yield MarkdownPage(self._text())

    def on_mount(self) -> None:
        """Show the game in the top line."""
        self.query_one(TopLine).place = self.game.INFO.title

    def _text(self) -> str:
        try:
            text = rules_text(self.game.INFO.id)
        except DuelboxError:
            # A guest may have no page.
            return f"# {self.game.INFO.title}\n\n{self.game.INFO.goal}\n"
        options, glyphs = self._options, self.app.glyphs
        if isinstance(options, self.game.Options) and options.rules_only() != self.game.Options():
            preset = known_preset(self.app.settings, self.game, options)
            return rules_of(self.game, options, preset.name if preset else "House rules", text, glyphs)
        return drawn(text) if glyphs.unicode else text

    def action_turn(self, step: int) -> None:
        """Turn to the rules of another game."""
        ids = game_ids()
        self.game = find_game(ids[(ids.index(self.game.INFO.id) + step) % len(ids)])
        for scroll in self.query(VerticalScroll):  # none while the screen opens or closes
            self.query_one(TopLine).place = self.game.INFO.title
            scroll.query_one(MarkdownPage).tell(self._text())
            scroll.scroll_home(animate=False)
