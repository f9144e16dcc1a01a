"""A driver for Linux and macOS that no byte, signal or lost terminal upsets.

What replaces a method of Textual cures a fault of it: tests/ui/terminal/test_textual_faults.py shows each.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import termios
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.keys import Keys
from textual.message import Message
from textual.messages import InBandWindowResize

from duelbox.ui.terminal.supervisor import lifeline
from duelbox.ui.terminal.window import GIVE_TITLE_BACK, KEEP_TITLE

if TYPE_CHECKING:
    from duelbox.ui.terminal.app import TerminalApp

_PASTE_PATIENCE: Final = 1.0  # seconds of silence after which a paste without an end is taken as ended
_TICK: Final = 0.05  # how often a lone Escape is looked at
_HANDFUL: Final = 50  # so many messages are handed to the app before anybody else has a turn
_OUTPUT: Final = 1  # not Textual's standard error, which may well be on its way to a file


class TerminalParser(XTermParser):
    """Textual's parser, which also survives what no terminal should send."""

    def __init__(self, debug: bool = False) -> None:
        self.pasting = False
        self._tail = ""
        super().__init__(debug)

    # Set by whatever looks like a size report; but the mouse counts cells, as pixels are never asked for.
    mouse_pixels = property(lambda _: False, lambda _, value: None)

    @property
    def is_waiting(self) -> bool:
        """Can silence alone change what has been typed?"""
        return self.pasting or self._timeout_time is not None

    def listen(self, data: str) -> list[Message]:
        """The messages that end in this text; no text stands for a while of silence."""
        seen = self._tail + data
        start, end = seen.rfind(BRACKETED_PASTE_START), seen.rfind(BRACKETED_PASTE_END)
        if start != end:
            self.pasting = start > end
        self._tail = seen[1 - len(BRACKETED_PASTE_START) :]
        messages = list(self.feed(data)) if data else []
        # In a paste Escape is no key: it may be the first of its end, the rest of which is held up on a slow line.
        return messages if self.pasting else messages + list(self.tick())

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
            for key in keys:  # a lone surrogate is no character, and cannot be written back
                f"{key.key}{key.character}".encode()
        except (ValueError, OverflowError):
            return [events.Key(Keys.Ignore, sequence)]
        return keys


class _Display:
    """The terminal's output, in UTF-8. A terminal that has gone is noticed on the input side, not by dying here."""

    def __init__(self) -> None:
        self._file = open(_OUTPUT, "w", encoding="utf-8", errors="replace", newline="", closefd=False)  # noqa: SIM115

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return _OUTPUT


class _Signals:
    """Calls back from the running loop when signals come, in the order in which they came.

    Through a pipe of their own: the loop's handlers share one with everything threads tell the loop, and lose signals
    when it is full of keys; and a bare handler can come in the middle of a write.
    """

    def __init__(self, callbacks: Mapping[signal.Signals, Callable[[], object]]) -> None:
        self._callbacks = callbacks
        self._waiting: deque[signal.Signals] = deque()
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(writer, False)
        asyncio.get_running_loop().add_reader(self._reader, self._tell)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in callbacks:
            self.take(number)

    def take(self, number: signal.Signals) -> None:
        """Take a signal from whoever has it now."""
        signal.signal(number, lambda *_: None)  # the number alone, in the pipe, says enough

    def goes_on(self) -> bool:
        """Whether SIGCONT has come and is about to be told."""
        self._read()
        return signal.SIGCONT in self._waiting

    def _read(self) -> None:
        with suppress(BlockingIOError):
            numbers = map(signal.Signals, os.read(self._reader, 1 << 12))
            self._waiting.extend(number for number in numbers if number in self._callbacks)
        if signal.SIGCONT in self._waiting:  # it undoes the stops before it, as it does in the kernel
            waiting = list(self._waiting)
            last = len(waiting) - 1 - waiting[::-1].index(signal.SIGCONT)
            self._waiting = deque(number for at, number in enumerate(waiting) if at > last or number != signal.SIGTSTP)

    def _tell(self) -> None:
        self._read()
        while self._waiting:
            self._callbacks[self._waiting.popleft()]()
            self._read()


class TerminalDriver(LinuxDriver):
    """Textual's driver, except for what it lets go wrong."""

    _app: TerminalApp

    def __init__(
        self, app: TerminalApp, *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = _Display()  # type: ignore[assignment]
        self._size = size or self._get_terminal_size()
        self._wake_reader, self._wake_writer = os.pipe()
        self._resting = False
        self._heard: deque[Message] = deque()
        ending = {number: partial(self._leave, number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        jobs = {signal.SIGTSTP: self._stop, signal.SIGCONT: self._continue, signal.SIGWINCH: self._tell_size}
        self._signals = _Signals({**jobs, **ending})
        if (line := lifeline()) is not None:
            self._loop.add_reader(line, self._cut_off, line)

    @property
    def can_suspend(self) -> bool:
        """Could somebody wake this program again? No shell, where its group leads the session: over ssh, say."""
        return os.getpgrp() != os.getsid(0)

    def _get_terminal_size(self) -> tuple[int, int]:
        # The terminal knows; COLUMNS and LINES of the environment are from another time or another terminal.
        try:
            width, height = os.get_terminal_size(_OUTPUT)
        except OSError:
            width = height = 0
        return width or 80, height or 24

    def _query_in_band_window_resize(self) -> None:
        """Do not ask for sizes and mouse positions in pixels: Textual 8.2.8 leaves the latter on for the shell."""

    def write(self, data: str) -> None:
        """Write to the terminal; while the app is stopped there is nobody to write to."""
        if self._writer_thread is not None:
            super().write(data)

    def close(self) -> None:
        """End the writing thread, and drop what the terminal sent before it heard that nobody listens."""
        super().close()
        self._writer_thread = None
        with suppress(termios.error):
            termios.tcflush(self.fileno, termios.TCIFLUSH)

    def start_application_mode(self) -> None:
        """Take the terminal, and tell its size whenever that changes."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.write(KEEP_TITLE)
        if self._writer_thread is not None:
            # Textual's handler can be interrupted by itself after it has read the size, and tell the older size last.
            self._signals.take(signal.SIGWINCH)
            self._tell_size()

    def _tell_size(self) -> None:
        if self._writer_thread is not None:
            size = Size(*self._get_terminal_size())
            told = self._app._post_message(events.Resize(size, size))
            # As Textual tells the first size: by a shorter way, a later size would come before it and be forgotten.
            asyncio.run_coroutine_threadsafe(told, self._loop)

    def _leave(self, number: signal.Signals) -> None:
        """End the app as if by this signal: the terminal restored, status 128 + n."""
        self._app.exit(return_code=128 + number)

    def _cut_off(self, line: int) -> None:
        """Go: whoever watched this process was killed, and the shell has taken the terminal back."""
        self._loop.remove_reader(line)
        # From here on this is a background process; touching the terminal's settings must not stop it.
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        self._leave(signal.SIGHUP)

    def stop_application_mode(self) -> None:
        """Give the terminal back; where it has one screen only, without the picture: a hidden hand may be on it."""
        self.write(f"{GIVE_TITLE_BACK}\x1b[m\x1b[2J\x1b[H")
        super().stop_application_mode()

    def disable_input(self) -> None:
        """Stop reading, at once."""
        if self._key_thread is not None and self._key_thread.is_alive():
            os.write(self._wake_writer, b"\0")
        super().disable_input()

    def _rest(self) -> None:
        if self._auto_restart and self._app._running and self._writer_thread is not None:
            self.suspend_application_mode()
            self._resting = self._must_signal_resume = True

    def _stop(self) -> None:
        """Give the terminal back, then stop, as Ctrl+Z does everywhere, unless it is to go on by then."""
        self._rest()
        if not self._signals.goes_on():
            os.kill(os.getpid(), signal.SIGSTOP)

    def _continue(self) -> None:
        """Take the terminal again; after a stop that nobody announced, first give it back properly."""
        self._rest()
        if self._resting:
            self.resume_application_mode()
            self._resting = self._writer_thread is None  # in the background it stays without a terminal
            self._app.refresh(layout=True)

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:
            self._loop.call_soon_threadsafe(self._app._handle_exception, error)

    def run_input_thread(self) -> None:
        """Read the keyboard and the mouse until told to stop, sleeping while there is nothing to do."""
        decode = getincrementaldecoder("utf-8")("replace").decode
        parser = TerminalParser(self._debug)
        heard = monotonic()
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self._wake_reader, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in selector.select(_TICK if parser.is_waiting else None)}
                if self._wake_reader in ready:
                    os.read(self._wake_reader, 1)
                    return
                text = ""
                if self.fileno in ready:
                    if not (data := self._read()):
                        self._loop.call_soon_threadsafe(self._leave, signal.SIGHUP)
                        selector.unregister(self.fileno)
                        continue
                    text, heard = decode(data), monotonic()
                elif parser.pasting and monotonic() - heard > _PASTE_PATIENCE:
                    text = BRACKETED_PASTE_END
                for message in parser.listen(text):
                    self.process_message(message)
                self._loop.call_soon_threadsafe(self._hand_over)

    def send_message(self, message: Message) -> None:
        """Collect a message for the app: with a task for each, as Textual has it, a long paste keeps the loop busy."""
        self._heard.append(message)
        self._app.note_input(message)
        if isinstance(message, events.Key) and self._app.quits(message.key):
            self._loop.call_soon_threadsafe(self._app.quit_soon)

    def _hand_over(self) -> None:
        for _ in range(min(_HANDFUL, len(self._heard))):
            self._app.post_message(self._heard.popleft())
        if self._heard:
            self._loop.call_soon(self._hand_over)

    def _read(self) -> bytes:
        """The next bytes; none when the terminal has gone."""
        try:
            return os.read(self.fileno, 1 << 14)
        except OSError:
            return b""

    def process_message(self, message: Message) -> None:
        """Pass a message on, unless it tells a size: the kernel does that, and cannot be made to say 99999."""
        if not isinstance(message, events.Resize | InBandWindowResize):
            super().process_message(message)
