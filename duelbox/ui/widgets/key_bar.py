"""The line at the foot of the screen: the keys that work now; a click on one presses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

_KEPT = 2
"""Keys at the end of the line that stay when others are left out."""
WAY_OUT = "escape"
"""This key stands at the right end."""
MENU = "Menu"


@dataclass(frozen=True, slots=True)
class Item:
    """A key with its label."""

    key: str
    shown: str
    label: str
    tooltip: str = ""
    spare: int = 0
    """Items with a higher number are left out first when there is too little room."""

    @property
    def text(self) -> str:
        """The key and its label."""
        return f"{self.shown} {self.label}"


def arranged(items: tuple[Item, ...], menu: Item | None, width: int) -> tuple[tuple[Item, int], ...]:
    """The items that fit, each with its column: keys from the left, the menu and the way out at the right.

    In little room, first the blanks between them shrink, then items with a `spare` number are left out, then others.
    """
    right = [*([menu] if menu else []), *(item for item in items if item.key == WAY_OUT)]
    shown = [item for item in items if item.key != WAY_OUT]
    gap, end = 2, width - 1
    while shown and _width(shown, gap) - gap > end - 1 - _width(right, 1):
        if gap > 1:
            gap -= 1
        else:
            least = max(shown, key=lambda item: item.spare)
            shown.pop(shown.index(least) if least.spare else max(0, len(shown) - 1 - _KEPT))
    behind = 1 + _width(shown, gap)
    right_gap = 2 if behind + _width(right, 2) - 2 <= end else 1
    start = max(behind - (gap - 1), end - _width(right, right_gap) + right_gap)
    return (*_placed(shown, 1, gap), *_placed(right, start, right_gap))


def _width(items: Sequence[Item], gap: int) -> int:
    """The columns of items with a gap behind each."""
    return sum(len(item.text) + gap for item in items)


def _placed(items: Sequence[Item], x: int, gap: int) -> Iterator[tuple[Item, int]]:
    """Items from a column on, each with its own column."""
    for at, item in enumerate(items):
        yield item, x + _width(items[:at], gap)


class KeyBar(Widget):
    """Shows the keys like Textual's Footer, in a single widget; keys that do not fit are in the menu."""

    DEFAULT_CSS = """
    KeyBar { height: 1; background: $panel; color: $text-muted; pointer: pointer; }
    """

    auto_links: reactive[bool] = reactive(False, repaint=False)  # no text in it is a link
    items: reactive[tuple[Item, ...]] = reactive(())
    menu: reactive[Item | None] = reactive(None)
    over: reactive[Item | None] = reactive(None)
    """The item under the mouse."""

    def on_mount(self) -> None:
        """Follow the bindings of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[Any]) -> None:
        if not (self.is_attached and screen is self.screen) or getattr(screen, "held", False):
            return
        items: dict[str, Item] = {}
        menu = None
        label = getattr(screen, "label", None)  # a screen may rename a key after what it does now
        spared = getattr(screen, "SPARE", ())  # and name the keys to leave out first
        for key, (_, binding, enabled, tooltip) in screen.active_bindings.items():
            is_menu = key == self.app.COMMAND_PALETTE_BINDING
            if not is_menu and not (binding.show and enabled):
                continue
            called = label(binding.action) if label else None
            if called == "":
                continue
            shown = self.app.get_key_display(binding)
            called = called or binding.description
            name = (binding.id or "").rpartition(".")[2]
            spare = len(spared) - spared.index(name) if name in spared else 0
            item = Item(key, shown, called, tooltip or binding.tooltip, spare)
            if is_menu:
                menu = Item(key, shown, MENU, "Everything that can be done, by its name")
            else:
                items.setdefault(binding.action, item)
        self.items, self.menu = tuple(items.values()), menu

    def render(self) -> Content:
        """The line."""
        line = Content("")
        for item, x in arranged(self.items, self.menu, self.size.width):
            blank = " " * (x - line.cell_length)
            underline = " underline" if item is self.over else ""
            line = Content.assemble(
                line, blank, (item.shown, f"$foreground bold{underline}"), (f" {item.label}", underline.strip())
            )
        return line

    def _at(self, x: int) -> Item | None:
        placed = arranged(self.items, self.menu, self.size.width)
        return next((item for item, start in placed if start <= x < start + len(item.text)), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show a tooltip for the key under the mouse."""
        self.over = self._at(event.x)
        self.tooltip = (self.over.tooltip or None) if self.over else None

    def on_leave(self) -> None:
        """Remove the underline."""
        self.over = None

    def on_click(self, event: events.Click) -> None:
        """Press the clicked key."""
        event.stop()
        item = self._at(event.x)
        if item is not None:
            self.app.simulate_key(item.key)
