"""Help: the rules of the game at hand, the keys, the notation."""

from __future__ import annotations

from collections.abc import Iterable
from string import punctuation
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.registry import find_game, game_ids, rules_text
from duelbox.ui.keymap import checked_keymap, settable
from duelbox.ui.screens.panel import keys_together
from duelbox.ui.screens.sized_screen import SizedScreen
from duelbox.ui.widgets.page import Page

BEFORE = (
    ("digits, and + - x", "type the move"),
    ("arrows", "choose on the board"),
    ("Enter", "play the move"),
    ("click", "choose; a second click plays"),
    ("Escape", "clear the move line"),
)
"""What always has the same keys."""
SIGNS = (
    "Signs of the verdict: {win} wins, {draw} draws, {loss} loses; a double frame is best. A figure below says in how "
    "many turns, counting both players. Where there is chance, 62% says how often a move wins, a draw counting half."
)
AFTER = (
    ("+ -", "two computers: faster, slower"),
    ("s", "settings"),
    ("Ctrl+P", "everything by name"),
    ("Ctrl+Z", "back to the shell for a while"),
    ("Ctrl+Q", "quit; every game is saved"),
)


def _here(keys: Iterable[tuple[str, str]]) -> str:
    """The keys of the screen that `?` was pressed on, as a paragraph of Markdown; those that do the same together."""
    shown = keys_together(keys)
    told = (f"**{_literally(' '.join(named))}** {_literally(title)}" for title, named in shown.items())
    return f"Keys here: {' · '.join(told)}\n\n" if shown else ""


def _literally(text: str) -> str:
    """The text with nothing in it that means something to Markdown."""
    return "".join(f"\\{char}" if char in punctuation else char for char in text)


class HelpScreen(SizedScreen):
    """The keys of the screen below, the rules, the keys of the table; left and right turn to the other games."""

    HEADING = "Help"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,question_mark", "back", "Back", id="help.back"),
        # The text scrolls with these keys, too, but never has to.
        Binding("left", "turn(-1)", "Game before", id="help.before", priority=True),
        Binding("right", "turn(1)", "Next game", id="help.next", priority=True),
    ]
    DEFAULT_CSS = """
    HelpScreen {
        & VerticalScroll { margin: 1 0; align-horizontal: center; }
        & Page { max-width: 78; padding: 0 2; }
    }
    """

    def __init__(self, game: AnyGame | None, keys: Iterable[tuple[str, str]] = ()) -> None:
        """`keys` are those that work on the screen below, and what each does."""
        super().__init__()
        self._above = _here(keys)
        self.game = game or find_game(game_ids()[0])

    def body(self) -> ComposeResult:
        """The text."""
        with VerticalScroll():
            yield Page(self._text())

    def _text(self) -> str:
        try:
            rules = rules_text(self.game.INFO.id)
        except DuelboxError:
            # A guest need not bring a page.
            rules = f"# {self.game.INFO.title}\n\n{self.game.INFO.goal}\n"
        return self._above + rules + self._keys()

    def _keys(self) -> str:
        """The keys of the table as they are now, as a page of Markdown."""
        app, rows = self.app, [*BEFORE]
        keymap, _ = checked_keymap(app.settings.keymap)
        for name, verb in settable().items():
            key = keymap.get(f"table.{name}")
            binding = Binding(key or verb.key, "", key_display=None if key else verb.display)
            rows.append((app.get_key_display(binding), verb.about))
        lines = (f"| {_literally(key)} | {words} |" for key, words in (*rows, *AFTER))
        win, draw, loss = (_literally(app.glyphs.verdict(verdict)) for verdict in ("win", "draw", "loss"))
        signs = SIGNS.format(win=win, draw=draw, loss=loss)
        head = ("", "## Keys and mouse at the table", "", "| key | what it does |", "|---|---|")
        return "\n".join((*head, *lines, "", signs, ""))

    def action_turn(self, step: int) -> None:
        """The rules of another game."""
        ids = game_ids()
        self.game = find_game(ids[(ids.index(self.game.INFO.id) + step) % len(ids)])
        for scroll in self.query(VerticalScroll):  # none while the screen opens or closes
            scroll.query_one(Page).tell(self._text())
            scroll.scroll_home(animate=False)
