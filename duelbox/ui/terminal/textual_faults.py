"""Faults of Textual 8.2.8 and Rich 15 that end, paralyse or slow an app down and can only be cured in their own code.

tests/ui/terminal/test_textual_faults.py shows each of them, bare and cured: when one is gone, the test says so, and its
cure can go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import rich._wrap
from rich.cells import chop_cells
from rich.console import Console
from rich.control import Control
from textual import events
from textual._compositor import ChopsUpdate, Compositor
from textual._styles_cache import StylesCache
from textual.await_complete import AwaitComplete
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import OptionList

_start = Timer._start
_dismiss = Screen.dismiss
_click = OptionList._on_click
_resize = Widget._size_updated


def _fold(text: str, width: int) -> list[str]:
    """Break a long word, also where there are no columns at all: a ValueError in Rich since 14.3."""
    return chop_cells(text, max(1, width))


def _start_surely(timer: Timer) -> None:
    """Start a timer so that a single shot is never left out.

    A timer that finds itself late skips; with only one shot nothing is left then. On a busy machine that happens to
    the 8 ms after which a new size takes effect, and from then on no size does.
    """
    if timer._repeat == 0:
        timer._skip = False
    _start(timer)


def _dismiss_once(screen: Screen[Any], result: Any = None) -> AwaitComplete:
    """Close a screen; one that is told so twice, by a click and a key at once, would close the one below, too."""
    return _dismiss(screen, result) if screen.is_active else AwaitComplete()


async def _click_what_is_there(options: OptionList, event: events.Click) -> None:
    """Choose an option by a click, unless the list has become shorter since it was drawn: an IndexError."""
    number = event.style.meta.get("option")
    if number is None or number < options.option_count:
        await _click(options, event)


def _resize_once(widget: Widget, size: Size, virtual: Size, container: Size, layout: bool = True) -> bool:
    """Tell a widget its new size; one that cannot scroll has the screen laid out a second time, to be drawn at all."""
    styles = widget.styles
    if widget.is_scrollable and not styles.overflow_x == styles.overflow_y == "hidden":
        return _resize(widget, size, virtual, container, layout)
    changed = _resize(widget, size, virtual, container, False)
    if changed:
        widget._set_dirty()
        widget.screen._compositor.update_widgets({widget})
    return changed


_render_all = Compositor._render_chops


def _render_what_is_seen(compositor: Compositor, crop: Region, is_rendered_line: Callable[[int], bool]) -> Any:
    """Ask each widget, from front to back, for the lines that are to be drawn and still have a hole where it is.

    Textual asks for all lines of all, and most of them are containers of which nothing is to be seen.
    """
    cuts = compositor.cuts
    chops: list[dict[int, Strip | None]] = [dict.fromkeys(row[:-1]) for row in cuts]
    for widget, (region, clip) in compositor.visible_widgets.items():
        left, top, width, height = region.intersection(clip)
        if not crop.overlaps(Region(left, top, width, height)):
            continue
        holes: dict[int, list[int]] = {}
        for y in filter(is_rendered_line, range(top, top + height)):
            edges = [cut for cut in cuts[y] if left <= cut <= left + width]
            if any(chops[y][cut] is None for cut in edges[:-1]):
                holes[y] = edges
        if holes:
            first, last = min(holes), max(holes)
            strips = widget.render_lines(Region(left - region.x, first - region.y, width, last - first + 1))
            for y, edges in holes.items():
                parts = strips[y - first].divide([cut - left for cut in edges[1:]])
                for cut, part in zip(edges, parts, strict=False):
                    if chops[y][cut] is None:
                        chops[y][cut] = part
    return chops


_whole_rows = ChopsUpdate.render_segments


def _changed_parts(update: ChopsUpdate, console: Console) -> str:
    """Send what has changed of a row, where Textual sends all that is left of it, too; a style is named but once."""
    sent: list[str] = []
    for y, first, end in update.spans:
        for stop, (start, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            left, right = max(first, start), min(end, stop)
            if strip is not None and left < right:
                part = strip.crop(left - start, right - start).simplify()
                sent += (Control.move_to(left, y).segment.text, part.render(console))
    return "".join(sent)


_inner_outer: Any = StylesCache.get_inner_outer
"""Remembers its answers with the cache that asked, and so keeps 1,024 of these and all that dead widgets have drawn:
80 MB after 1,500 moves. Asked through the class it gives the same colours and keeps nobody."""

CURES: Final[tuple[tuple[Any, str, Any, Any], ...]] = (
    (rich._wrap, "chop_cells", chop_cells, _fold),
    (Timer, "_start", _start, _start_surely),
    (Screen, "dismiss", _dismiss, _dismiss_once),
    (OptionList, "_on_click", _click, _click_what_is_there),
    (Widget, "_size_updated", _resize, _resize_once),
    (Compositor, "_render_chops", _render_all, _render_what_is_seen),
    (ChopsUpdate, "render_segments", _whole_rows, _changed_parts),
    (StylesCache, "get_inner_outer", _inner_outer, classmethod(_inner_outer)),
)
"""Where, what, as it was, and as it is to be."""


def repair() -> None:
    """Mend them; once is enough, more does no harm."""
    for owner, name, _, cured in CURES:
        setattr(owner, name, cured)
