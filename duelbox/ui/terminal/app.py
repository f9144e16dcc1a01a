"""A Textual app that restores the terminal however it ends."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import chain
from threading import Event as Flag
from types import FrameType
from typing import Any, ClassVar, Final

from rich.color import ColorSystem
from rich.console import RenderableType
from textual import constants, events
from textual._context import active_message_pump
from textual.actions import ActionParseResult
from textual.app import App, ScreenStackError
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.driver import Driver
from textual.errors import NoWidget
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import Widget
from textual.worker import WorkerFailed, get_current_worker

from duelbox.ui.terminal.crash_report import CrashReports
from duelbox.ui.terminal.questions import FEW_COLOURS, MANY_COLOURS, Answer, Questions
from duelbox.ui.terminal.textual_faults import repair
from duelbox.ui.terminal.window import GIVE_TITLE_BACK, KEEP_TITLE, has_small_cells, notice, titled

_GLANCE: Final = 0.05  # seconds between two checks if a widget is still running
_WRITING: Final = 0.002  # seconds that writing to the terminal may take
_OPENING: Final = 1.0  # most seconds that a key press waits for its screen
_LAST_MOMENT: Final = 0.4  # most seconds that quitting waits for earlier keys and clicks


class Palette(CommandPalette):
    """Textual's command palette, without its faults in very small windows."""

    def _action_command_list(self, action: str) -> None:
        with suppress(LookupError):  # paging fails while there is no room for the list
            super()._action_command_list(action)

    def _on_click(self, event: events.Click) -> None:  # type: ignore[override]
        """Leave clicks to Textual, except outside of a screen that has shrunk meanwhile."""
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:
            event.prevent_default()


class TerminalApp(App[int]):
    """A Textual app hardened against signals, crashes and odd input."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", "Suspend", id="app.suspend", show=False, system=True),
    ]

    # In Textual 8.2.8, pressing the mouse on text that is being removed is an AttributeError.
    ALLOW_SELECT: ClassVar[bool] = False

    crash_reports = CrashReports()
    """Writes the crash reports."""
    _last_words = ""
    _hurried = False
    _questions: Questions | None = None
    screens_at_exit: tuple[Screen[Any], ...] = ()
    """The open screens at the time the app was told to end."""
    window_focused: bool | None = None
    """True if the window has the focus; None if the terminal never reported it."""
    cells_are_small = False
    """Filled signs look alike in the cells of this terminal."""
    _title = ""
    """The title shown in the window; empty for the window's own."""

    @cached_property
    def at_rest(self) -> Flag:
        """A flag that is set while no key press or click waits to be drawn."""
        flag = Flag()
        flag.set()
        return flag

    @cached_property
    def _promised_colours(self) -> ColorSystem | None:
        """The colours that the environment promises."""
        return self.console._color_system

    def get_driver_class(self) -> type[Driver]:
        """Our driver instead of Textual's on Linux and macOS; elsewhere Textual's choice."""
        chosen = super().get_driver_class()
        if sys.platform == "win32" or chosen.__name__ != "LinuxDriver":
            return chosen
        from duelbox.ui.terminal.driver import TerminalDriver

        return TerminalDriver

    def action_command_palette(self) -> None:
        """Open the command palette."""
        if self.use_command_palette and not isinstance(self.screen, CommandPalette):
            self.push_screen(Palette())  # without Textual's id, as the palette before may still be closing

    async def on_event(self, event: events.Event) -> None:
        """Handle an event; keys and clicks wait until the screen that is opening can take them."""
        if isinstance(event, events.InputEvent):
            self.note_input(event)
            await asyncio.sleep(0)  # let other tasks run between thousands of pasted keys
            await self._wait_for_screen()
            if self._exit or not self.screen_stack:
                return
            if isinstance(event, events.Key) and event.is_forwarded and self._typed_ahead(event):
                return
        await super().on_event(event)

    def _typed_ahead(self, event: events.Key) -> bool:
        """Give an input a letter that was typed before its screen was there, and went to the screen before."""
        from textual.widgets import Input

        entry = self.focused
        if not (isinstance(entry, Input) and event.is_printable):  # an input keeps its own letters
            return False
        entry.post_message(events.Key(event.key, event.character))
        return True

    def note_input(self, message: Message) -> None:
        """Clear `at_rest` for a key press or click; moving the mouse does not count."""
        if isinstance(message, events.InputEvent) and not isinstance(message, events.MouseMove):
            self.at_rest.clear()

    def on_app_focus(self) -> None:
        """Show the title for a user who looks at this window."""
        self.window_focused = True
        self._write_title(self._title)

    def show_title(self) -> None:
        """Show the title that the open screens ask for, unless another window is looked at.

        With none, the window has its own title.
        """
        asked = (getattr(screen, "window_title", "") for screen in reversed(self.screen_stack))
        title = next(filter(None, asked), "")
        if title == self._title:
            return
        self._title = title
        if self.window_focused is not False:
            self._write_title(title)

    def _write_title(self, title: str) -> None:
        self.write_to_terminal(titled(title) if title else GIVE_TITLE_BACK + KEEP_TITLE)

    def on_app_blur(self) -> None:
        """Show in the title if the screen waits for the user, who looks at another window."""
        self.window_focused = False
        if waits_for := getattr(self.screen, "waits_for", ""):
            self.write_to_terminal(titled(f"● {waits_for}"))

    def call_user(self, how: str, words: str, *, unasked: bool = False) -> None:
        """Call a user who looks at another window, by the title and by bell or desktop notice (`how`).

        `unasked` rings also if the terminal never reported which window has the focus.
        """
        if self.window_focused is False:
            self.write_to_terminal(titled(f"● {words}") + (notice(f"duelbox: {words}") if how == "desktop" else ""))
        if how == "bell" and (self.window_focused is False or (unasked and self.window_focused is None)):
            self.bell()

    def write_to_terminal(self, sequence: str) -> None:
        """Send a control sequence to the terminal."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def ask_terminal(self, signs: str) -> None:
        """Ask for the width of each sign and for colours; `take_answers` gets the answers, if any come."""
        self.call_after_refresh(self._ask_terminal, signs)

    def _ask_terminal(self, signs: str) -> None:
        understands = sys.platform != "win32" and not self.is_headless  # by our driver
        if understands and self.screen_stack:
            self._questions = Questions(signs, self.screen._compositor.render_strips())
            self.write_to_terminal(self._questions.sequence(self.console))

    def note_cells(self) -> bool:
        """Note how small the cells are; True if that is new."""
        before = self.cells_are_small
        self.cells_are_small = not self.is_headless and has_small_cells()
        return before != self.cells_are_small

    def on_resize(self) -> None:
        """Draw with other signs where another font makes them alike, or different again."""
        if self.note_cells():
            self.draw_anew()

    def on_answer(self, answer: Answer) -> None:
        """Take an answer of the terminal."""
        questions = self._questions
        if questions is not None and questions.take(answer):
            self.run_worker(self.take_answers(questions.widths, questions.colours), exit_on_error=False)

    async def take_answers(self, widths: tuple[int, ...], colours: int) -> None:
        """Take the widths in cells of the signs asked after, empty if unknown, and the colours there are."""

    def begin_with(self, theme: Theme) -> None:
        """Have this theme before the app runs; for one that is set later Textual parses all style sheets again."""
        self.set_reactive(App.theme, theme.name)
        self.stylesheet.set_variables(self.get_css_variables())
        classes = {f"-theme-{theme.name}": True, "-dark-mode": theme.dark, "-light-mode": not theme.dark}
        self.update_classes(classes, update=False)
        self._refresh_truecolor_filter(self.ansi_theme)

    def use_colours(self, colours: int) -> bool:
        """Draw with so many colours, or with as many as the environment promises; True if that is a change."""
        promised, before = self._promised_colours, self.console._color_system
        if promised is None or constants.COLOR_SYSTEM != "auto":
            return False  # no colours, or as many as the user chose
        answered = ColorSystem.STANDARD
        if colours > MANY_COLOURS:
            answered = ColorSystem.TRUECOLOR
        elif colours > FEW_COLOURS:
            answered = ColorSystem.EIGHT_BIT
        self.console._color_system = max(promised, answered)
        return self.console._color_system != before

    def draw_anew(self) -> None:
        """Draw all open screens with the signs that they would choose now."""
        for screen in self.screen_stack:
            for widget in screen.walk_children(Widget, with_self=True):
                widget.refresh(layout=True)
        for event in (events.ScreenSuspend(), events.ScreenResume()):  # after these a screen shows changed settings
            self.screen.post_message(event)

    def post_display_hook(self) -> None:
        """Set `at_rest` when the writing thread has had time to send the picture."""
        asyncio.get_running_loop().call_later(_WRITING, self.at_rest.set)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action, unless its widget has left the screen meanwhile."""
        if self._is_leaving(default_namespace):
            return False
        return await super().run_action(action, default_namespace, namespaces)

    async def _wait_for_screen(self) -> None:
        with suppress(TimeoutError, ScreenStackError):
            if not self.screen.is_mounted:
                async with asyncio.timeout(_OPENING):
                    await self.screen._mounted_event.wait()

    async def action_quit(self) -> None:
        """Quit after earlier keys and clicks have had their effect."""
        self._leaving = asyncio.create_task(self._settle_and_exit())

    async def _settle_and_exit(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_MOMENT):
                await self._settle()
        self._leave_now()

    def quits(self, key: str) -> bool:
        """True if this key quits on every screen."""
        bindings = chain.from_iterable(self._bindings.key_to_bindings.values())
        quits = (one for one in bindings if one.action == "quit" and one.priority)
        return any(key in self._keymap.get(one.id or "", one.key).split(",") for one in quits)

    def quit_soon(self) -> None:
        """Quit soon, even if many keys are queued before the key to quit."""
        if not self._hurried:
            self._hurried = True
            asyncio.get_running_loop().call_later(_LAST_MOMENT, self._leave_now)

    def _leave_now(self) -> None:
        if not self._exit and self._exception is None:
            self.exit()

    def exit(self, result: int | None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """Leave without handling queued keys: Textual would read its queues to the end first."""
        self.screens_at_exit = tuple(self.screen_stack)
        for pump in (self, *self._registry):
            _forget_input(pump)
        super().exit(result, return_code, message)

    async def _settle(self) -> None:
        """Wait until no widget has work left: each has answered twice with no message queued in between."""
        calm = 0
        while calm < 2:
            pumps = [pump for pump in (self, *self._registry) if pump.is_running]
            calm = 0 if any(pump.message_queue_size for pump in pumps) else calm + 1
            await asyncio.gather(*map(_answer, pumps))

    async def _on_load(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._note)
        loop.set_task_factory(self._task_of)

    def _task_of(self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(self._without_exit(work), loop=loop, **options)
        task.add_done_callback(lambda _: work.close())  # a task that is cancelled at once never begins its work
        return task

    async def _without_exit(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do the work of a task; an exit or interrupt raised in it, which would end the event loop, is handled."""
        try:
            return await work
        except (SystemExit, KeyboardInterrupt) as error:
            self._handle_exception(error)

    async def _process_messages_loop(self) -> None:
        """Take messages until the app ends, going on after an error that it survives."""
        while not (self._closed or self._exception):
            await self._without_exit(super()._process_messages_loop())

    def _note(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """File a report of an error outside of the app; printing it would show values of variables."""
        if isinstance(error := context.get("exception"), Exception):
            self.crash_reports.file(error)

    def survives(self, error: BaseException) -> bool:
        """Take care of an error after which the app goes on; False if it has to end."""
        return False

    def may_interrupt(self, frame: FrameType | None) -> bool:
        """True if Ctrl+C may interrupt the code that runs in this frame."""
        return False

    def _handle_exception(self, error: BaseException) -> None:
        """End the app with one sentence on the restored terminal and a report in a file, unless it survives."""
        cause = error
        pump = active_message_pump.get(None)
        if isinstance(error, WorkerFailed):
            cause, pump = error.error, get_current_worker().node
        if self._is_leaving(pump):
            if not isinstance(cause, NoMatches):  # a screen that closes before it is built has no widgets
                self.crash_reports.file(cause)
            return
        if self.survives(cause):
            return
        if self._exception is None:
            self._exception = error  # type: ignore[assignment]
            self._exception_event.set()
            self._last_words = self.crash_reports.file(cause)
        self._return_code = 1
        self._close_messages_no_wait()

    def _is_leaving(self, pump: MessagePump | None) -> bool:
        """True for a closing screen or a part of one, whose failures do not matter."""
        if not isinstance(pump, Widget):
            return False
        *parts, root = pump.ancestors_with_self
        if self._exit or root is not self or any(part._pruning or part._closing for part in parts):
            return True
        return not any(pump.screen in stack for stack in self._screen_stacks.values())

    def _print_error_renderables(self) -> None:
        # Without Rich, which would wrap the sentence, to one column in the worst case.
        if self._last_words and sys.stderr is not None:
            sys.stderr.write(f"{self._last_words}\n")
            self._last_words = ""
        super()._print_error_renderables()


class _NoMessage(Message, no_dispatch=True):
    """A message that no handler takes; it fills a place in a queue."""


def _forget_input(pump: MessagePump) -> None:
    """Replace input events in a queue by no-ops: a reader may have been woken and expects an item."""
    waiting: deque[Message | None] = pump._message_queue.values
    for at, message in enumerate(waiting):
        if isinstance(message, events.InputEvent):
            waiting[at] = _NoMessage()


async def _answer(pump: MessagePump) -> None:
    """Wait until a widget has handled its messages so far, or has stopped."""
    answer = asyncio.Event()
    if pump.call_later(answer.set):
        while pump.is_running and not answer.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_GLANCE):
                    await answer.wait()


repair()
