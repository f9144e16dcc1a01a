"""An app that leaves the terminal as it found it, whatever ends it."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from threading import Event as Flag
from typing import Any, ClassVar, Final

from rich.console import RenderableType
from textual import events
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
from textual.widget import Widget
from textual.worker import WorkerFailed, get_current_worker

from duelbox.ui.terminal.crash_report import CrashReports
from duelbox.ui.terminal.textual_faults import repair
from duelbox.ui.terminal.window import GIVE_TITLE_BACK, KEEP_TITLE, notice, titled

_GLANCE: Final = 0.05  # seconds between two looks whether a widget still lives
_WRITING: Final = 0.002  # seconds that writing to the terminal may take
_PATIENCE: Final = 1.0  # seconds that a key waits for its screen
_LAST_MOMENT: Final = 0.4  # seconds that quitting leaves to what was typed and clicked before


class Palette(CommandPalette):
    """Textual's command palette, in no hurry and in any space."""

    def _action_command_list(self, action: str) -> None:
        with suppress(LookupError):  # a page has no length while there is no room for the list
            super()._action_command_list(action)

    def _on_click(self, event: events.Click) -> None:  # type: ignore[override]
        """Leave clicks to Textual, but not where the screen has shrunk away from under them."""
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:
            event.prevent_default()


class TerminalApp(App[int]):
    """A Textual app hardened against signals, crashes and odd input."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", "Suspend", id="app.suspend", show=False, system=True),
    ]

    # Pressing on text that is just being removed is an AttributeError in Textual 8.2.8.
    ALLOW_SELECT: ClassVar[bool] = False

    crash_reports = CrashReports()
    """Whose crashes are reported, and where."""
    _last_words = ""
    _hurried = False
    screens_at_exit: tuple[Screen[Any], ...] = ()
    """The screens when the app was told to end."""
    window_focused: bool | None = None
    """The window has the focus; None where the terminal has never told."""

    @cached_property
    def at_rest(self) -> Flag:
        """Up while nothing typed or clicked waits to be drawn."""
        flag = Flag()
        flag.set()
        return flag

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice; the driver for Linux and macOS in our own form."""
        chosen = super().get_driver_class()
        if sys.platform == "win32" or chosen.__name__ != "LinuxDriver":
            return chosen
        from duelbox.ui.terminal.driver import TerminalDriver

        return TerminalDriver

    def action_command_palette(self) -> None:
        """Open the command palette."""
        if self.use_command_palette and not isinstance(self.screen, CommandPalette):
            self.push_screen(Palette())  # without Textual's id: the one before may not have gone yet

    async def on_event(self, event: events.Event) -> None:
        """Handle an event; a key typed ahead of a screen waits until the screen is there to know what it means."""
        if isinstance(event, events.InputEvent):
            self.note_input(event)
            await asyncio.sleep(0)  # else thousands of keys are taken one after the other, and nobody else has a turn
            await self._wait_for_screen()
            if self._exit or not self.screen_stack:  # nobody is left to mean it for
                return
        await super().on_event(event)

    def note_input(self, message: Message) -> None:
        """Something was typed or clicked; a mouse that only moves asks for nothing."""
        if isinstance(message, events.InputEvent) and not isinstance(message, events.MouseMove):
            self.at_rest.clear()

    def on_app_focus(self) -> None:
        """The window is looked at again, and has its own title."""
        self.window_focused = True
        self.write_to_terminal(GIVE_TITLE_BACK + KEEP_TITLE)

    def on_app_blur(self) -> None:
        """The user looks at another window; the title says if the screen waits for them."""
        self.window_focused = False
        if waits_for := getattr(self.screen, "waits_for", ""):
            self.write_to_terminal(titled(f"● {waits_for}"))

    def call_user(self, how: str, words: str, *, unasked: bool = False) -> None:
        """Call a user who looks at another window, by title and by bell or desktop notice.

        `unasked`: ring, too, where the terminal never told which window is looked at.
        """
        if self.window_focused is False:
            self.write_to_terminal(titled(f"● {words}") + (notice(f"duelbox: {words}") if how == "desktop" else ""))
        if how == "bell" and (self.window_focused is False or (unasked and self.window_focused is None)):
            self.bell()

    def write_to_terminal(self, sequence: str) -> None:
        """Send something to the terminal that is no picture."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def post_display_hook(self) -> None:
        """What was typed or clicked can be seen as soon as the thread that writes has had its turn."""
        asyncio.get_running_loop().call_later(_WRITING, self.at_rest.set)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action, unless what it belongs to has left the screen since it was asked for."""
        if self._is_leaving(default_namespace):
            return False
        return await super().run_action(action, default_namespace, namespaces)

    async def _wait_for_screen(self) -> None:
        with suppress(TimeoutError, ScreenStackError):
            if not self.screen.is_mounted:
                async with asyncio.timeout(_PATIENCE):
                    await self.screen._mounted_event.wait()

    async def action_quit(self) -> None:
        """Quit, after what was typed and clicked before has had its effect."""
        self._leaving = asyncio.create_task(self._settle_and_exit())

    async def _settle_and_exit(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_MOMENT):
                await self._settle()
        self._leave_now()

    def quits(self, key: str) -> bool:
        """Whether this key quits, wherever it is pressed."""
        quits = (one for found in self._bindings.key_to_bindings.values() for one in found if one.action == "quit")
        return any(one.priority and key in self._keymap.get(one.id or "", one.key).split(",") for one in quits)

    def quit_soon(self) -> None:
        """The way out was pressed, perhaps behind much else: that has a moment to be taken in, no more."""
        if not self._hurried:
            self._hurried = True
            asyncio.get_running_loop().call_later(_LAST_MOMENT, self._leave_now)

    def _leave_now(self) -> None:
        if not self._exit and self._exception is None:
            self.exit()

    def exit(self, result: int | None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """Leave ahead of all that is still queued: Textual's queues are read to their end before they close."""
        self.screens_at_exit = tuple(self.screen_stack)
        for pump in (self, *self._registry):
            _forget_input(pump)
        super().exit(result, return_code, message)

    async def _settle(self) -> None:
        """Wait until no widget has anything left to do: each has answered twice with nothing queued in between."""
        calm = 0
        while calm < 2:
            pumps = [pump for pump in (self, *self._registry) if pump.is_running]
            calm = 0 if any(pump.message_queue_size for pump in pumps) else calm + 1
            await asyncio.gather(*map(_answer, pumps))

    async def _on_load(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._note)

    def _note(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Report what went wrong beside the app; it says what it holds, so it must not be printed."""
        if isinstance(error := context.get("exception"), Exception):
            self.crash_reports.file(error)

    def _handle_exception(self, error: Exception) -> None:
        """End the app with one sentence on the restored screen, and a report in a file."""
        cause: BaseException = error
        pump = active_message_pump.get(None)
        if isinstance(error, WorkerFailed):
            cause, pump = error.error, get_current_worker().node
        if self._is_leaving(pump):
            if not isinstance(cause, NoMatches):  # a screen that leaves before it is built has no parts
                self.crash_reports.file(cause)
            return
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
            self._last_words = self.crash_reports.file(cause)
        self._return_code = 1
        self._close_messages_no_wait()

    def _is_leaving(self, pump: MessagePump | None) -> bool:
        """Is this a screen that is being closed, or a part of one? Then nobody misses what it fails to do."""
        if not isinstance(pump, Widget):
            return False
        *parts, root = pump.ancestors_with_self
        if self._exit or root is not self or any(part._pruning or part._closing for part in parts):
            return True
        return not any(pump.screen in stack for stack in self._screen_stacks.values())

    def _print_error_renderables(self) -> None:
        # Plainly: Rich would break the sentence to a width of its own, one column in the worst case.
        if self._last_words and sys.stderr is not None:
            sys.stderr.write(f"{self._last_words}\n")
            self._last_words = ""
        super()._print_error_renderables()


class _NoMessage(Message, no_dispatch=True):
    """Says nothing to anybody."""


def _forget_input(pump: MessagePump) -> None:
    """Replace keys and mouse in a queue; it must not become empty, for whom it has just woken."""
    waiting: deque[Message | None] = pump._message_queue.values
    for at, message in enumerate(waiting):
        if isinstance(message, events.InputEvent):
            waiting[at] = _NoMessage()


async def _answer(pump: MessagePump) -> None:
    """Wait until a widget has done what it was told before; one that fails meanwhile never will."""
    answer = asyncio.Event()
    if pump.call_later(answer.set):
        while pump.is_running and not answer.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_GLANCE):
                    await answer.wait()


repair()
