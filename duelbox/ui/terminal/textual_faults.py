"""Cures for faults of Textual 8 and Rich 15 that crash, block or slow an app and can only be cured in their code.

A probe checks the installed Textual for each fault; without the fault nothing is replaced, so that other versions keep
their own code. tests/ui/terminal/test_textual_faults.py shows each fault with and without its cure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Final

import rich._wrap
from rich.cells import chop_cells
from rich.color import ColorSystem
from rich.console import Console
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
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

_run = Timer._run
_dismiss = Screen.dismiss
_click = OptionList._on_click
_resize = Widget._size_updated
_resize_screen = Screen._screen_resized


def _fold(text: str, width: int) -> list[str]:
    """Break a long word; with a width of 0 this is a ValueError in Rich since 14.3."""
    return chop_cells(text, max(1, width))


async def _run_surely(timer: Timer) -> None:
    """Run a timer so that a single shot is never skipped.

    A late timer skips its shot, even its only one. On a busy machine this happens to the 8 ms timer of a new size, and
    then no later size takes effect either.
    """
    if timer._repeat == 0:
        timer._skip = False
    await _run(timer)


def _dismiss_once(screen: Screen[Any], result: Any = None) -> AwaitComplete:
    """Close a screen once; closed twice, by a click and a key at once, it would close the screen below, too."""
    return _dismiss(screen, result) if screen.is_active else AwaitComplete()


async def _click_what_is_there(options: OptionList, event: events.Click) -> None:
    """Choose an option by a click, unless the list has shrunk since it was drawn, which is an IndexError."""
    number = event.style.meta.get("option")
    if number is None or number < options.option_count:
        await _click(options, event)


def _resize_once(widget: Widget, size: Size, virtual: Size, container: Size, layout: bool = True) -> bool:
    """Set the size of a widget; for one that cannot scroll, Textual would lay out the whole screen once more."""
    styles = widget.styles
    if widget.is_scrollable and not styles.overflow_x == styles.overflow_y == "hidden":
        return _resize(widget, size, virtual, container, layout)
    changed = _resize(widget, size, virtual, container, False)
    if changed:
        widget._set_dirty()
        widget.screen._compositor.update_widgets({widget})
    return changed


def _resize_to_the_last(screen: Screen[Any], _: Size) -> None:
    """Lay a screen out at the size that the terminal has now.

    A screen reports each new size to itself. Of two sizes on their way, on a busy machine, each would bring back the
    other, without end.
    """
    _resize_screen(screen, screen.app.size)


_render_all = Compositor._render_chops


def _render_what_is_seen(compositor: Compositor, crop: Region, is_rendered_line: Callable[[int], bool]) -> Any:
    """Render, from front to back, only those lines of each widget that are not covered.

    Textual renders all lines of all widgets, most of which are covered containers.
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
    """Send only the changed cells of a row and the changed parts of a style; Textual sends the rest of the row."""
    sent, now = list[str](), ""
    for y, first, end in update.spans:
        for stop, (start, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            left, right = max(first, start), min(end, stop)
            if strip is not None and left < right:
                sent.append(Control.move_to(left, y).segment.text)
                for text, style, _ in strip.crop(left - start, right - start):
                    turn = _turned(now, then := _codes(style, console), blank=text.isspace())
                    sent += (turn, text)
                    now = then if turn else now
    return "".join((*sent, _turned(now, "")))


def _codes(style: Style | None, console: Console) -> str:
    """The terminal's codes of a style."""
    return "" if style is None else Strip.render_ansi(style, console._color_system or ColorSystem.TRUECOLOR)


_COLOUR = r"(?:{0}8;2;\d+;\d+;\d+|{0}8;5;\d+|{0}[0-79]|{1}[0-7])?"
_SGR = re.compile(rf"((?:(?:[1-9]|21|5[1-3])(?:;|$))*)({_COLOUR.format(3, 9)});?({_COLOUR.format(4, 10)})")
"""The codes of a style in three parts: attributes, text colour, background colour."""
_ONLY_ON_SIGNS = frozenset("1238;")
"""Bold, dim, italic and hidden do not show on blanks."""


@lru_cache(1 << 12)
def _turned(now: str, then: str, *, blank: bool = False) -> str:
    """The fewest codes that turn one style into another; the text colour of blanks does not matter."""
    if now == then:
        return ""
    one = _SGR.fullmatch(now)
    two = _SGR.fullmatch(then)
    codes = ["0", then] if then else ["0"]
    whole = f"\x1b[{';'.join(codes)}m"
    if one is None or two is None:
        return whole
    if blank and one[3] == two[3] and _ONLY_ON_SIGNS.issuperset(f"{one[1]}{two[1]}"):
        return ""
    if one[1] != two[1]:
        return whole
    if any(before and not after for before, after in zip(one.groups(), two.groups(), strict=True)):
        return whole
    new = [after for before, after in zip(one.groups(), two.groups(), strict=True) if before != after]
    return f"\x1b[{';'.join(new)}m"


_inner_outer: Any = vars(StylesCache)["get_inner_outer"]
"""An lru_cache of a method, which keeps 1,024 StylesCaches with all that their dead widgets drew: 80 MB after 1,500
moves. As a class method it gives the same colours and keeps none of them."""


_render_style: Any = vars(Strip)["render_style"]


def _render_in_these_colours(strips: type[Strip], style: Style, text: str, color_system: ColorSystem) -> str:
    """Render a style in the colours asked for; Textual keeps those in which it was rendered first."""
    style._ansi = strips.render_ansi(style, color_system)
    drawn: str = _render_style.__func__(strips, style, text, color_system)
    return drawn


# -- probes of a method: True if it has the fault; with stand-ins instead of an app


def _at_once(work: Coroutine[Any, Any, Any]) -> bool:
    """Run a coroutine until it waits; True if it has ended."""
    try:
        work.send(None)
    except StopIteration:
        return True
    work.close()
    return False


def _cannot_fold(chop: Any) -> bool:
    try:
        chop("word", 0)
    except ValueError:
        return True
    return False


def _skips_its_only_shot(run: Any) -> bool:
    ticks: list[int] = []

    class Late(Timer):
        async def _tick(self, *, next_timer: float, count: int) -> None:
            ticks.append(count)

    nobody: Any = _dismiss
    return _at_once(run(Late(nobody, -1e18, repeat=0))) and not ticks


def _closes_the_one_below(dismiss: Any) -> bool:
    popped: list[str] = []
    app = SimpleNamespace(pop_screen=lambda: SimpleNamespace(set_pre_await_callback=id))
    gone = SimpleNamespace(_result_callbacks=[popped.append], is_active=False, app=app)
    dismiss(gone, "closed")
    return bool(popped)


def _clicks_on_nothing(click: Any) -> bool:
    event = SimpleNamespace(style=SimpleNamespace(meta={"option": 0}))
    try:
        return not _at_once(click(SimpleNamespace(_options=[], option_count=0), event))
    except IndexError:
        return True


def _lays_out_twice(_: Any) -> bool:
    return bool(vars(Widget)["virtual_size"]._layout)


def _takes_an_old_size(resize: Any) -> bool:
    taken: list[Size] = []
    app = SimpleNamespace(size=Size(60, 20))
    resize(SimpleNamespace(stack_updates=1, is_attached=True, app=app, _refresh_layout=taken.append), Size(80, 24))
    return taken == [Size(80, 24)]


def _draws_what_is_covered(render: Any) -> bool:
    drawn: list[str] = []
    place = Region(0, 0, 4, 1)

    class Drawn(str):
        def render_lines(self, crop: Region) -> list[Strip]:
            drawn.append(self)
            return [Strip([Segment("text")])]

    screen: Any = SimpleNamespace(cuts=[[0, 4]])
    screen.visible_widgets = {Drawn(name): (place, place) for name in ("front", "back")}
    screen._get_renders = lambda crop=None: Compositor._get_renders(screen, crop)
    render(screen, place, lambda y: True)
    return "back" in drawn


def _sends_the_rest_of_the_row(render: Any) -> bool:
    row = Strip([Segment("left "), Segment("middle "), Segment("right")])
    return "left" in render(ChopsUpdate([{0: row}], [(0, 7, 14)], [[17]]), SimpleNamespace(_color_system=None))


def _keeps_who_asked(colours: Any) -> bool:
    return hasattr(colours, "cache_info")


def _keeps_the_first_colours(render: Any) -> bool:
    style = Style(color="#102030")
    style._ansi = "30"  # as if it was rendered in 16 colours before
    return "38;2" not in render.__func__(Strip, style, "text", ColorSystem.TRUECOLOR)


CURES: Final[tuple[tuple[Any, str, Any, Any, Callable[[Any], bool]], ...]] = (
    (rich._wrap, "chop_cells", chop_cells, _fold, _cannot_fold),
    (Timer, "_run", _run, _run_surely, _skips_its_only_shot),
    (Screen, "dismiss", _dismiss, _dismiss_once, _closes_the_one_below),
    (OptionList, "_on_click", _click, _click_what_is_there, _clicks_on_nothing),
    (Widget, "_size_updated", _resize, _resize_once, _lays_out_twice),
    (Screen, "_screen_resized", _resize_screen, _resize_to_the_last, _takes_an_old_size),
    (Compositor, "_render_chops", _render_all, _render_what_is_seen, _draws_what_is_covered),
    (ChopsUpdate, "render_segments", _whole_rows, _changed_parts, _sends_the_rest_of_the_row),
    (StylesCache, "get_inner_outer", _inner_outer, classmethod(_inner_outer), _keeps_who_asked),
    (Strip, "render_style", _render_style, classmethod(_render_in_these_colours), _keeps_the_first_colours),
)
"""Owner, name, original, cure and probe."""


def is_shown(probe: Callable[[Any], bool], original: Any) -> bool:
    """True if the probe finds the fault; False if it fails because this Textual is built differently."""
    try:
        return probe(original)
    except Exception:
        return False


def repair() -> None:
    """Replace each method whose fault is found; may be called again."""
    for owner, name, original, cured, probe in CURES:
        if is_shown(probe, original):
            setattr(owner, name, cured)
