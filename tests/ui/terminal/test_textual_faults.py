"""Each cured fault of Textual, shown twice; if the bare test fails, it is mended upstream, and the cure may go."""

from __future__ import annotations

import asyncio
import gc
import signal
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from inspect import getsource
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
import textual.timer
from rich._wrap import divide_line
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual._compositor import ChopsUpdate
from textual._node_list import DuplicateIds
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.binding import Binding
from textual.containers import Vertical
from textual.css.query import NoMatches
from textual.drivers.linux_driver import LinuxDriver
from textual.errors import NoWidget
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import OptionList, Static

from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.terminal.driver import TerminalParser
from duelbox.ui.terminal.textual_faults import CURES
from tests.effort import SHARE
from tests.ui.person import mouse, until
from tests.ui.terminal import pty
from tests.ui.terminal.pty import Terminal
from tests.ui.terminal.sample_app import SECRET

ROOT = Path(__file__).parents[3]
Shows = Callable[[bool], Awaitable[None] | None]
Kind = type[Exception] | tuple[type[Exception], ...]
FAULTS: dict[str, tuple[Shows, Kind]] = {}


def fault(kind: Kind = AssertionError) -> Callable[[Shows], Shows]:
    """Register a function that raises this error with the fault; its argument is True for bare Textual."""

    def note(shows: Shows) -> Shows:
        FAULTS[shows.__name__] = shows, kind
        return shows

    return note


def app_class(bare: bool) -> type[App[Any]]:
    return App if bare else TerminalApp


def parser(bare: bool) -> XTermParser:
    return XTermParser() if bare else TerminalParser()


# -- Rich, timers, screens, lists


@fault(ValueError)
def a_word_has_no_room_in_no_columns(bare: bool) -> None:
    assert divide_line("unbreakable", 0) == divide_line("unbreakable", 1)


@fault()
async def a_late_timer_leaves_its_only_shot_out(bare: bool) -> None:
    asked, fired = 0, []

    def late() -> float:
        nonlocal asked
        asked += 1
        return monotonic() + (0 if asked == 1 else 3600)

    async with app_class(bare)().run_test() as pilot:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(textual.timer._time, "get_time", late)
            timer = Timer(pilot.app, 0.001, callback=lambda: fired.append(True), repeat=0)
            timer._start()
            assert timer._task
            await timer._task
    assert fired == [True]


@fault()
async def a_screen_dismissed_twice_closes_the_one_below(bare: bool) -> None:
    async with app_class(bare)().run_test() as pilot:
        below, above = Screen[None](), Screen[None]()
        await pilot.app.push_screen(below)
        await pilot.app.push_screen(above)
        above.dismiss()
        above.dismiss()
        await pilot.pause()
        assert pilot.app.screen is below


@fault()
async def a_size_of_a_moment_ago_is_laid_out(bare: bool) -> None:
    """The screen reports it to itself again, and with the size of now the two follow each other without end."""
    async with app_class(bare)().run_test(size=(80, 24)) as pilot:
        before = Size(90, 30)
        pilot.app.screen.post_message(events.Resize(before, before))
        await pilot.pause()
        assert pilot.app.screen.outer_size == pilot.app.size


@fault(IndexError)
async def a_click_on_an_option_that_is_gone(bare: bool) -> None:
    async with app_class(bare)().run_test() as pilot:
        options = OptionList("one", "two")
        await pilot.app.screen.mount(options)
        click = mouse(events.Click, 1, 1)
        click._style = Style(meta={"option": 2})
        options.post_message(click)
        await pilot.pause()
        assert options.highlighted in (0, None)


@fault()
async def what_was_drawn_once_is_kept_for_good(bare: bool) -> None:
    async with app_class(bare)().run_test() as pilot:
        drawn = []
        for _ in range(10):
            await pilot.app.push_screen(Screen[None]())
            await pilot.pause()
            drawn.append(weakref.ref(pilot.app.screen._styles_cache))
            await pilot.app.pop_screen()
            await pilot.pause()
        gc.collect()
        assert sum(one() is not None for one in drawn) < 8  # some may still be closing


@fault()
def a_style_stays_in_the_colours_it_was_drawn_in_first(bare: bool) -> None:
    (style := Style(color="#102030"))._ansi = "30"  # as if it was rendered in 16 colours before
    assert "38;2" in Strip([Segment("text", style)]).render(Console(color_system="truecolor"))


@fault()
def what_changed_is_sent_with_all_that_is_left_of_it(bare: bool) -> None:
    row = Strip([Segment("left "), Segment("middle "), Segment("right")])
    update = ChopsUpdate([{0: row}], [(0, 7, 14)], [[17]])
    sent = update.render_segments(Console(color_system=None, width=20))
    assert "right"[:2] in sent
    assert "left" not in sent


@fault()
async def a_new_size_lays_the_screen_out_twice(bare: bool) -> None:
    async with app_class(bare)().run_test() as pilot:
        text = Static("one line")
        await pilot.app.screen.mount(text)
        await pilot.pause()
        text._size_updated(Size(80, 2), Size(80, 2), Size(80, 24))
        assert not text._layout_required


@fault()
async def what_is_covered_is_drawn_with_what_covers_it(bare: bool) -> None:
    async with app_class(bare)().run_test() as pilot:
        text = Static("before")
        text.styles.width = "100%"
        await pilot.app.screen.mount(around := Counted(text))
        await pilot.pause()
        around.drawn = 0
        text.update("after")
        await pilot.pause()
        assert not around.drawn


class Counted(Vertical):
    drawn = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        self.drawn += 1
        return super().render_lines(crop)


# -- the palette


@fault(LookupError)
async def a_page_of_a_palette_without_room(bare: bool) -> None:
    async with app_class(bare)().run_test(size=(40, 4)) as pilot:
        pilot.app.action_command_palette()
        await until(pilot, lambda: any(one.option_count for one in pilot.app.screen.query(OptionList)))
        await pilot.press("pagedown", "pagedown", "pageup")
        await pilot.pause()


@fault(NoWidget)
async def a_click_beside_a_palette_that_shrank(bare: bool) -> None:
    async with app_class(bare)().run_test(size=(40, 12)) as pilot:
        pilot.app.action_command_palette()
        await pilot.pause()
        pilot.app.screen.post_message(mouse(events.Click, 60, 30))
        await pilot.pause()


@fault((DuplicateIds, IndexError))
async def a_palette_opened_while_the_last_one_closes(bare: bool) -> None:
    async with app_class(bare)().run_test() as pilot:
        for _ in range(2):
            pilot.app.action_command_palette()
            pilot.app.pop_screen()
        await pilot.pause()


# -- keys, actions, failures


@fault(AttributeError)
async def text_is_pressed_on_while_it_is_removed(bare: bool) -> None:
    async with app_class(bare)().run_test() as pilot:
        text = Static("some text to drag over")
        await pilot.app.screen.mount(text)
        await pilot.pause()
        parent = text.parent
        text._detach()  # the first step of a removal, while the widget is still drawn
        try:
            pilot.app.screen._forward_event(mouse(events.MouseDown, 2, 0, button=1))
        finally:
            text._attach(parent)


@fault(NoMatches)
async def a_key_comes_before_its_screen_is_there(bare: bool) -> None:
    class Late(Screen[None]):
        BINDINGS = [Binding("x", "mark", "Mark", priority=True)]  # noqa: RUF012

        async def on_mount(self) -> None:
            await asyncio.sleep(0.05)
            await self.mount(Static("blank", id="mark"))

        def action_mark(self) -> None:
            self.query_one("#mark", Static).update("marked")

    async with app_class(bare)().run_test() as pilot:
        pilot.app.push_screen(late := Late())
        pilot.app.post_message(events.Key("x", "x"))

        def is_over() -> bool:
            marks = late.query("#mark").results(Static)
            return pilot.app._exception is not None or any(str(one.content) == "marked" for one in marks)

        await until(pilot, is_over)


@fault(KeyError)
async def a_screen_fails_on_its_way_out(bare: bool) -> None:
    def fail() -> None:
        raise KeyError

    async with app_class(bare)().run_test() as pilot:
        await pilot.app.push_screen(leaving := Screen[None]())
        leaving.call_later(fail)
        pilot.app.pop_screen()
        await pilot.pause()


class Counting(Screen[None]):
    heard = 0

    def on_key(self) -> None:
        self.heard += 1


MANY = 5000


@asynccontextmanager
async def typed_at(bare: bool) -> AsyncIterator[Counting]:
    async with app_class(bare)().run_test() as pilot:
        await pilot.app.push_screen(screen := Counting())
        for _ in range(MANY):
            pilot.app.post_message(events.Key("a", "a"))
        yield screen


@fault()
async def quitting_waits_for_all_that_was_typed(bare: bool) -> None:
    async with typed_at(bare) as screen:
        screen.app.exit()
    assert screen.heard < MANY


@fault()
async def thousands_of_keys_let_nobody_else_have_a_turn(bare: bool) -> None:
    async with typed_at(bare) as screen:
        await asyncio.sleep(0.01)
        assert screen.heard < MANY


# -- the parser and the driver


@fault((ValueError, OverflowError))
def a_key_beyond_unicode(bare: bool) -> None:
    list(parser(bare).feed("\x1b[1114112u"))


@fault(UnicodeEncodeError)
def a_key_that_is_half_a_character(bare: bool) -> None:
    for key in parser(bare).feed("\x1b[55296u"):
        assert isinstance(key, events.Key)
        f"{key.key}{key.character}".encode()


@fault(ZeroDivisionError)
def a_claimed_size_makes_the_mouse_count_pixels(bare: bool) -> None:
    one = parser(bare)
    heard = [message for text in ("\x1b[48;24;80;0;0t", "\x1b[<0;7;5M") for message in one.feed(text)]
    assert [(m.x, m.y) for m in heard if isinstance(m, events.MouseDown)] == [(6, 4)]


# -- the driver, in a terminal


def an_ending_signal_leaves_the_modes_on(terminal: Terminal) -> None:
    terminal.kill(signal.SIGTERM)
    terminal.wait()
    assert terminal.left_on == set()


def going_on_without_a_stop_takes_the_terminal_twice(terminal: Terminal) -> None:
    def has_quit() -> bool:
        terminal.send("\x11")  # input is dropped while the app takes the terminal
        terminal.pump(0.3)
        return terminal.process.poll() is not None

    terminal.kill(signal.SIGCONT)
    terminal.until(has_quit, "its end")
    assert terminal.wait() == 0
    assert terminal.left_on == set()


def a_byte_that_is_not_utf_8_ends_it(terminal: Terminal) -> None:
    terminal.send(b"caf\xe9 \xff\xfe")
    quits(terminal)
    assert b"Traceback" not in terminal.raw


def a_paste_without_an_end_swallows_all_keys(terminal: Terminal) -> None:
    def quits_after_a_pause() -> bool:
        sleep(1.5)
        terminal.send("\x11")
        terminal.pump(0.3)
        return terminal.process.poll() is not None

    terminal.send("\x1b[200~pasted\r")
    terminal.until(quits_after_a_pause)
    assert terminal.wait() == 0


def a_terminal_that_tells_sizes_is_left_counting_pixels(terminal: Terminal) -> None:
    terminal.send("\x1b[?2048;2$y")
    terminal.settle()
    quits(terminal)


def the_environment_says_another_size_than_the_terminal(terminal: Terminal) -> None:
    assert terminal.screen.lines[2].rstrip().endswith("▎")  # the right edge of the input field


def a_crash_prints_what_variables_hold(terminal: Terminal) -> None:
    terminal.send("\x1b[15~")
    terminal.wait()
    assert SECRET not in terminal.raw.decode()


def quits(terminal: Terminal) -> None:
    terminal.send("\x11")
    assert terminal.wait() == 0
    assert terminal.left_on == set()


IN_A_TERMINAL = (
    an_ending_signal_leaves_the_modes_on,
    going_on_without_a_stop_takes_the_terminal_twice,
    a_byte_that_is_not_utf_8_ends_it,
    a_paste_without_an_end_swallows_all_keys,
    a_terminal_that_tells_sizes_is_left_counting_pixels,
    the_environment_says_another_size_than_the_terminal,
    a_crash_prints_what_variables_hold,
)


def shown(shows: Callable[[Terminal], None], bare: bool, folder: Path) -> None:
    env = {"PYTHONPATH": str(ROOT), "HOME": str(folder), "COLUMNS": "300", "LINES": "20"}
    with Terminal.python("-m", "tests.ui.terminal.sample_app", *["bare"] * bare, env=env, cwd=folder) as terminal:
        terminal.see("nothing yet")
        terminal.settle()
        shows(terminal)


@pytest.mark.pinned
@pytest.mark.skipif(SHARE > 1, reason="only another Textual could lack it: python -m tests.check --long")
@pytest.mark.parametrize("shows", IN_A_TERMINAL, ids=lambda shows: shows.__name__)
def test_the_fault_of_the_driver_is_there(
    shows: Callable[[Terminal], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pty, "TIME_LIMIT", 3.0)
    with pytest.raises(AssertionError):
        shown(shows, True, tmp_path)


@pytest.mark.parametrize("shows", IN_A_TERMINAL, ids=lambda shows: shows.__name__)
def test_the_fault_of_the_driver_is_cured(shows: Callable[[Terminal], None], tmp_path: Path) -> None:
    shown(shows, False, tmp_path)


def test_textual_tells_sizes_from_a_bare_handler() -> None:
    """The handler can interrupt itself and report the older size last; checked here by its source alone."""
    assert "signal.signal(signal.SIGWINCH, on_terminal_resize)" in getsource(LinuxDriver.start_application_mode)


async def shown_by(shows: Shows, bare: bool) -> None:
    if (waits := shows(bare)) is not None:
        await waits


@pytest.mark.pinned
@pytest.mark.parametrize("name", FAULTS)
async def test_the_fault_is_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, attribute, original, *_ in CURES:
        monkeypatch.setattr(owner, attribute, original)
    shows, kind = FAULTS[name]
    with pytest.raises(kind):
        await shown_by(shows, True)


@pytest.mark.parametrize("name", FAULTS)
async def test_the_fault_is_cured(name: str) -> None:
    await shown_by(FAULTS[name][0], False)
