"""A driver for Linux and macOS that survives any input, any signal and the loss of its terminal.

Each method of Textual's that is replaced here cures a fault, shown in tests/ui/terminal/test_textual_faults.py.
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
from threading import main_thread
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Final

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.keys import Keys
from textual.message import Message
from textual.messages import InBandWindowResize

from duelbox.ui.terminal.questions import Answers
from duelbox.ui.terminal.supervisor import lifeline
from duelbox.ui.terminal.window import GIVE_TITLE_BACK, KEEP_TITLE

if TYPE_CHECKING:
    from duelbox.ui.terminal.app import TerminalApp

_PASTE_PAUSE: Final = 1.0  # seconds of silence that end a paste without an end mark
_TICK: Final = 0.05  # seconds between two checks for a lone Escape
_HANDFUL: Final = 50  # messages handed to the app before other tasks run
_INTERRUPT: Final = signal.SIGUSR1  # wakes even a sleeping main thread, as `_thread.interrupt_main` does not
_OUTPUT: Final = 1  # not standard error as in Textual, which may be redirected to a file


class TerminalParser(XTermParser):
    """Textual's parser, hardened against input that no terminal should send."""

    def __init__(self, debug: bool = False) -> None:
        self.pasting = False
        self._tail = ""
        self._answers = Answers()
        super().__init__(debug)

    # Anything like a size report would set it; but the mouse counts cells, as we never ask for pixels.
    mouse_pixels = property(lambda _: False, lambda _, value: None)

    @property
    def is_waiting(self) -> bool:
        """True if the meaning of the input so far depends on a pause."""
        return self.pasting or self._answers.is_waiting or self._timeout_time is not None

    def listen(self, data: str) -> list[Message]:
        """The messages that this text completes; "" stands for a pause."""
        messages: list[Message] = []
        for part in self._answers.sort(data) if data else ():
            if isinstance(part, str):
                messages += self._keys_of(part)
            else:
                messages.append(part)
        if not data and (keys := self._answers.overdue()):
            messages += self._keys_of(keys)
            if self._timeout_time is not None:
                self._timeout_time = 0.0  # these keys have waited long enough for more
        # In a paste, Escape is not a key: it may begin the end mark, whose rest comes later on a slow line.
        return messages if self.pasting else messages + list(self.tick())

    def _keys_of(self, data: str) -> list[Message]:
        seen = self._tail + data
        start, end = seen.rfind(BRACKETED_PASTE_START), seen.rfind(BRACKETED_PASTE_END)
        if start != end:
            self.pasting = start > end
        self._tail = seen[1 - len(BRACKETED_PASTE_START) :]
        return list(self.feed(data))

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
            for key in keys:  # a lone surrogate cannot be encoded
                f"{key.key}{key.character}".encode()
        except (ValueError, OverflowError):
            return [events.Key(Keys.Ignore, sequence)]
        return keys


class _Display:
    """The terminal's output in UTF-8. A lost terminal is noticed by the input, so errors are ignored here."""

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
    """Calls callbacks from the event loop for signals, in the order they came.

    It has a pipe of its own: asyncio's handlers share one with calls from threads, and lose signals when it is full;
    and a plain signal handler could interrupt a write.
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
        """Replace the handler of a signal."""
        signal.signal(number, lambda *_: None)  # the pipe gets the number

    def goes_on(self) -> bool:
        """True if SIGCONT has come and waits for its callback."""
        self._read()
        return signal.SIGCONT in self._waiting

    def _read(self) -> None:
        with suppress(BlockingIOError):
            numbers = map(signal.Signals, os.read(self._reader, 1 << 12))
            self._waiting.extend(number for number in numbers if number in self._callbacks)
        if signal.SIGCONT in self._waiting:  # it cancels earlier stops, as in the kernel
            waiting = list(self._waiting)
            last = len(waiting) - 1 - waiting[::-1].index(signal.SIGCONT)
            self._waiting = deque(number for at, number in enumerate(waiting) if at > last or number != signal.SIGTSTP)

    def _tell(self) -> None:
        self._read()
        while self._waiting:
            self._callbacks[self._waiting.popleft()]()
            self._read()


class TerminalDriver(LinuxDriver):
    """Textual's driver without its faults."""

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
        signal.signal(_INTERRUPT, self._interrupt)
        jobs = {signal.SIGTSTP: self._stop, signal.SIGCONT: self._continue, signal.SIGWINCH: self._tell_size}
        self._signals = _Signals({**jobs, **ending})
        if (line := lifeline()) is not None:
            self._loop.add_reader(line, self._cut_off, line)

    @property
    def can_suspend(self) -> bool:
        """False if no shell could continue this program, as when it is the login program of an ssh session."""
        return os.getpgrp() != os.getsid(0)

    def _get_terminal_size(self) -> tuple[int, int]:
        # From the terminal: COLUMNS and LINES of the environment may be out of date.
        try:
            width, height = os.get_terminal_size(_OUTPUT)
        except OSError:
            return 80, 24
        return width or 80, height or 24

    def _query_in_band_window_resize(self) -> None:
        """Ask for nothing in pixels: Textual 8.2.8 would leave mouse positions in pixels on for the shell."""

    def write(self, data: str) -> None:
        """Write to the terminal, unless the app is stopped."""
        if self._writer_thread is not None:
            super().write(data)

    def close(self) -> None:
        """End the writing thread, and drop unread input."""
        super().close()
        self._writer_thread = None
        with suppress(termios.error):
            termios.tcflush(self.fileno, termios.TCIFLUSH)

    def start_application_mode(self) -> None:
        """Take the terminal, and report its size from now on."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.write(KEEP_TITLE)
        if self._writer_thread is not None:
            # Textual's handler can be interrupted by itself after reading the size, and then report the old size last.
            self._signals.take(signal.SIGWINCH)
            self._tell_size()

    def _tell_size(self) -> None:
        if self._writer_thread is not None:
            size = Size(*self._get_terminal_size())
            posting = self._app._post_message(events.Resize(size, size))
            # The way Textual reports the first size; by a shorter way a later size could arrive before it.
            asyncio.run_coroutine_threadsafe(posting, self._loop)

    def _leave(self, number: signal.Signals) -> None:
        """End the app with the status of this signal, 128 + n, and the terminal restored."""
        self._app.exit(return_code=128 + number)

    def _cut_off(self, line: int) -> None:
        """End the app: its supervisor was killed, and the shell has taken the terminal back."""
        self._loop.remove_reader(line)
        # This is a background process now, which changing the terminal's settings would stop.
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        self._leave(signal.SIGHUP)

    def stop_application_mode(self) -> None:
        """Give the terminal back, cleared: on terminals with one screen, hidden numbers could stay in sight."""
        self.write(f"{GIVE_TITLE_BACK}\x1b[m\x1b[2J\x1b[H")
        super().stop_application_mode()

    def disable_input(self) -> None:
        """Stop reading now."""
        if self._key_thread is not None and self._key_thread.is_alive():
            os.write(self._wake_writer, b"\0")
        super().disable_input()

    def _rest(self) -> None:
        if self._auto_restart and self._app._running and self._writer_thread is not None:
            self.suspend_application_mode()
            self._resting = True
            self._must_signal_resume = True

    def _stop(self) -> None:
        """Give the terminal back and stop the process, unless SIGCONT has come by then."""
        self._rest()
        if not self._signals.goes_on():
            os.kill(os.getpid(), signal.SIGSTOP)

    def _continue(self) -> None:
        """Take the terminal again; after a stop without warning, first give it back properly."""
        self._rest()
        if self._resting:
            self.resume_application_mode()
            self._resting = self._writer_thread is None  # in the background it gets no terminal
            self._app.refresh(layout=True)

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:
            self._loop.call_soon_threadsafe(self._app._handle_exception, error)

    def run_input_thread(self) -> None:
        """Read the keyboard and the mouse until told to stop; sleeps without input."""
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
                elif parser.pasting and monotonic() - heard > _PASTE_PAUSE:
                    text = BRACKETED_PASTE_END
                for message in parser.listen(text):
                    self.process_message(message)
                self._loop.call_soon_threadsafe(self._hand_over)

    def send_message(self, message: Message) -> None:
        """Queue a message for the app; Textual starts a task for each, which blocks the loop during a long paste."""
        self._heard.append(message)
        self._app.note_input(message)
        if isinstance(message, events.Key) and self._app.quits(message.key):
            self._loop.call_soon_threadsafe(self._app.quit_soon)

        if isinstance(message, events.Key) and message.key == "ctrl+c":
            signal.pthread_kill(main_thread().ident or 0, _INTERRUPT)

    def _interrupt(self, _: int, frame: FrameType | None) -> None:
        """Interrupt what runs in the main thread, if that may be: code that never returns would block the app."""
        if self._app.may_interrupt(frame):
            raise KeyboardInterrupt

    def _hand_over(self) -> None:
        for _ in range(min(_HANDFUL, len(self._heard))):
            self._app.post_message(self._heard.popleft())
        if self._heard:
            self._loop.call_soon(self._hand_over)

    def _read(self) -> bytes:
        """The next bytes; b"" if the terminal is lost."""
        try:
            return os.read(self.fileno, 1 << 14)
        except OSError:
            return b""

    def process_message(self, message: Message) -> None:
        """Pass a message on, except sizes: these come from the kernel, which no input can make say 99999."""
        if not isinstance(message, events.Resize | InBandWindowResize):
            super().process_message(message)
