"""Help: the rules of the game at hand, the keys, the notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Markdown

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.plain.talk import rules_text
from duelbox.registry import find_game, game_ids
from duelbox.ui.screens.roomy import RoomyScreen, TooSmall
from duelbox.ui.widgets.keys import KeyBar
from duelbox.ui.widgets.lines import TopLine

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

KEYS = """
## Keys and mouse

| key | what it does |
|---|---|
| digits, and + - x | type the move |
| arrows | choose on the board |
| Enter | play the move |
| click | choose; a second click plays |
| Escape | clear the move line |
| h | a hint, in three steps |
| v | the verdict of every move |
| u, y | take back, play again |
| w | why the computer moved so |
| space | look at your hidden numbers; pause two computers |
| c | copy the position code |
| g, twice | give up |
| n | new game, players, house rules |
| s | settings |
| b | home |
| Ctrl+P | everything by name |
| Ctrl+Q | quit; every game is kept |
"""


class HelpScreen(RoomyScreen):
    """The rules, then the keys; left and right turn to the other games."""

    app: DuelboxApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,question_mark", "back", "Back", id="help.back"),
        # The text scrolls with these keys, too, but never has to.
        Binding("left", "turn(-1)", "Game before", id="help.before", priority=True),
        Binding("right", "turn(1)", "Next game", id="help.next", priority=True),
    ]
    DEFAULT_CSS = """
    HelpScreen {
        & VerticalScroll { margin: 1 0; align-horizontal: center; }
        & Markdown { max-width: 78; padding: 0 2; margin: 0; background: $background; }
        & MarkdownH1 { content-align: left middle; color: $foreground; text-style: bold; margin: 0 0 1 0; }
        & MarkdownH2 { color: $foreground; text-style: bold; margin: 1 0; }
        & MarkdownBullet { color: $text-muted; }
        & MarkdownFence { background: $panel; margin: 0; & > Label { padding: 0 2; } }
    }
    """

    def __init__(self, game: AnyGame | None) -> None:
        super().__init__()
        self.game = game or find_game(game_ids()[0])

    def compose(self) -> ComposeResult:
        """Title and text."""
        yield TooSmall()
        with Vertical(classes="main"):
            top = TopLine()
            top.title = "Help"
            yield top
            with VerticalScroll():
                yield Markdown(self._text(), open_links=False)
            yield KeyBar()

    def _text(self) -> str:
        try:
            rules = rules_text(self.game.INFO.id)
        except DuelboxError:
            # A guest need not bring a page.
            rules = f"# {self.game.INFO.title}\n\n{self.game.INFO.goal}\n"
        return rules + KEYS

    async def action_turn(self, step: int) -> None:
        """The rules of another game."""
        ids = game_ids()
        self.game = find_game(ids[(ids.index(self.game.INFO.id) + step) % len(ids)])
        for scroll in self.query(VerticalScroll):  # none while the screen opens or closes
            await scroll.query_one(Markdown).update(self._text())
            scroll.scroll_home(animate=False)

    def action_back(self) -> None:
        """Back to where you were."""
        self.dismiss(None)
