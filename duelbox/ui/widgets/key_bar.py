"""The keys that work now, as one line at the foot of the screen, for the mouse as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

WAYS_OUT = 2
"""So many at the end of the line stay where there is too little room for all."""
WAY_OUT = "escape"
"""Its key stands at the right."""
MENU = "Menu"


@dataclass(frozen=True, slots=True)
class Item:
    """A key, as the line shows it, and what pressing it does."""

    key: str
    shown: str
    label: str
    tooltip: str = ""
    spare: int = 0
    """The more, the sooner it is left out where there is no room for all."""

    @property
    def text(self) -> str:
        """The key and its label."""
        return f"{self.shown} {self.label}"


def arranged(items: tuple[Item, ...], menu: Item | None, width: int) -> tuple[tuple[Item, int], ...]:
    """Items from the left, the menu and the way out at the right, each with the column where it begins.

    First the blanks give way, then what can be spared, then others.
    """
    right = [*([menu] if menu else []), *(item for item in items if item.key == WAY_OUT)]
    room = width - 2 - sum(len(item.text) + 1 for item in right)
    shown = [item for item in items if item.key != WAY_OUT]
    gap = 2
    while shown and sum(len(item.text) + gap for item in shown) - gap > room:
        if gap > 1:
            gap -= 1
        else:
            least = max(shown, key=lambda item: item.spare)
            shown.pop(shown.index(least) if least.spare else max(0, len(shown) - 1 - WAYS_OUT))
    placed, x = [], 1
    for item in shown:
        placed.append((item, x))
        x += len(item.text) + gap
    end, wide = width - 1, sum(len(item.text) for item in right)
    apart = 2 if x + wide + 2 * (len(right) - 1) <= end else 1
    x = max(x - (gap - 1), end - wide - apart * (len(right) - 1))
    for item in right:
        placed.append((item, x))
        x += len(item.text) + apart
    return tuple(placed)


class KeyBar(Widget):
    """What Textual's Footer shows, in one widget: a click on a key presses it; what has no room is in the menu."""

    DEFAULT_CSS = """
    KeyBar { height: 1; background: $panel; color: $text-muted; pointer: pointer; }
    """

    items: reactive[tuple[Item, ...]] = reactive(())
    menu: reactive[Item | None] = reactive(None)
    over: reactive[Item | None] = reactive(None)
    """Where the mouse is."""

    def on_mount(self) -> None:
        """Follow the bindings of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[Any]) -> None:
        if not (self.is_attached and screen is self.screen) or getattr(screen, "held", False):
            return
        items: dict[str, Item] = {}
        menu = None
        label = getattr(screen, "label", None)  # screens may call a key what it does just now
        spared = getattr(screen, "SPARE", ())  # and say which ones are needed least
        for key, (_, binding, enabled, tooltip) in screen.active_bindings.items():
            shown = self.app.get_key_display(binding)
            called = label(binding.action) if label else None
            if called == "":
                continue
            called = called or binding.description
            name = (binding.id or "").rpartition(".")[2]
            spare = len(spared) - spared.index(name) if name in spared else 0
            item = Item(key, shown, called, tooltip or binding.tooltip, spare)
            if key == self.app.COMMAND_PALETTE_BINDING:
                menu = Item(key, shown, MENU, "Everything that can be done, by its name")
            elif binding.show and enabled:
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
        """Say what the key is for."""
        self.over = self._at(event.x)
        self.tooltip = (self.over.tooltip or None) if self.over else None

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self.over = None

    def on_click(self, event: events.Click) -> None:
        """Press the key."""
        event.stop()
        item = self._at(event.x)
        if item is not None:
            self.app.simulate_key(item.key)
