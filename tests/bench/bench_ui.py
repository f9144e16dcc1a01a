"""How fast the full screen opens and answers, next to bare Textual: `python -m tests.bench.bench_ui`.

From an install of its own, as bench_cli; through a pseudo-terminal. Every figure is a multiple of one taken in the same
run; of starts the shortest counts, of keys the middle, since other work on the machine can only make them longer. A
reach is what a figure is meant to stay within; status 1 where an app that nobody touches does not rest.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.bench_cli import installed
from tests.ui.terminal.pty import Terminal

RUNS, KEYS, IDLE_SECONDS = 12, 40, 5

HELLO = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("hello")
Hello().run()
"""
CELLS = """
from textual.app import App
from textual.containers import Grid
from textual.widgets import Static
class Cells(App):
    CSS = "Grid { grid-size: 5; } Static { border: round white; height: 1fr; } .on { border: heavy red; }"
    at = 0
    def compose(self):
        with Grid():
            yield from (Static(str(number + 1)) for number in range(20))
    def on_key(self, event):
        cells = list(self.query(Static))
        cells[self.at].remove_class("on")
        self.at = (self.at + (1 if event.key == "right" else -1)) % 20
        cells[self.at].add_class("on")
Cells().run()
"""
GAMES = ("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel")
# What to run, and a text that its first paint ends with.
APPS: dict[str, tuple[tuple[str, ...], bytes]] = {
    "bare: hello": (("-c", HELLO), b"hello"),
    "bare: 20 cells": (("-c", CELLS), b"20"),
    "home": (("-m", "duelbox"), b"Quit"),
    **{game: (("-m", "duelbox", "play", game), b"Help") for game in GAMES},
}
THINKING = "sequence-duel:size=60/1"
"""Its ratings take a long while."""
LEFT, RIGHT, QUIT = "\x1b[D", "\x1b[C", "\x11"
WORDS = b"best play"
REACH = {"start": 1.35, "key": 1.4, "bytes": 3000, "verdict": 16.0, "memory": 45.0}


def opened(args: tuple[str, ...], last: bytes, home: Path) -> Terminal:
    """The app, from nothing to its first paint."""
    env = {"DUELBOX_HOME": str(home), "HOME": str(home)}
    terminal = Terminal(str(home / "bin" / "python"), *args, env=env, cwd=home)
    terminal.until(lambda: last in terminal.raw, f"{last!r} of {args}")
    return terminal


def milliseconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - began)


def left(terminal: Terminal) -> None:
    terminal.send(QUIT)
    terminal.wait()


def starts(home: Path) -> dict[str, float]:
    """The shortest first paint of each app, taken in turn, so that all have the same weather."""
    shortest = dict.fromkeys(APPS, float("inf"))
    for _ in range(RUNS):
        for name, (args, last) in APPS.items():
            began = time.perf_counter()
            with opened(args, last, home) as terminal:
                shortest[name] = min(shortest[name], 1000 * (time.perf_counter() - began))
                terminal.settle(0.05)
                left(terminal)
    return shortest


def arrows(terminal: Terminal) -> tuple[list[float], list[int]]:
    """How long after an arrow key the first of its paint comes, and how many bytes that paint has."""
    times, sizes = [], []
    for key in (RIGHT, RIGHT, RIGHT, LEFT) * (KEYS // 4):
        before = terminal.received
        times.append(milliseconds(lambda key=key: (terminal.send(key), terminal.pump(1))))
        terminal.settle(0.05)
        sizes.append(terminal.received - before)
    return times, sizes


def verdicts(terminal: Terminal) -> float:
    """From `v` to the words of the verdict, the middle of ten after the first, which saves that there was help."""
    times = []
    for _ in range(11):
        at = len(terminal.raw)
        began = time.perf_counter()
        terminal.send("v")
        terminal.until(lambda at=at: WORDS in terminal.raw[at:])
        times.append(1000 * (time.perf_counter() - began))
        terminal.settle(0.05)
        terminal.send("v")
        terminal.settle(0.05)
    return median(times[1:])


def memory(pid: int) -> float:
    """Megabytes of this process and its children, each with its fair share of what they share."""
    if not Path("/proc/self/smaps_rollup").exists():
        return 0.0
    own = int(Path(f"/proc/{pid}/smaps_rollup").read_text().partition("\nPss:")[2].split()[0]) / 1024
    return own + sum(memory(int(child)) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def told(value: float, what: str, unit: str = "") -> str:
    return f"{value:8.2f}{unit} (reach {REACH[what]:g}: {'met' if value <= REACH[what] else 'NOT MET'})"


def report_use(name: str, home: Path, bare: float | None) -> tuple[float, bool]:
    """One app in use; how long its keys take, and whether it rests when nobody does anything."""
    args, last = APPS[name]
    with opened(args, last, home) as terminal:
        terminal.settle(0.5)
        space = memory(terminal.process.pid)
        times, sizes = arrows(terminal)
        before, end = terminal.received, time.monotonic() + IDLE_SECONDS
        terminal.until(lambda: time.monotonic() > end)
        idle = terminal.received - before
        said = f"; verdict {told(verdicts(terminal), 'verdict', ' ms')}" if name in GAMES else ""
        leaving = milliseconds(lambda: left(terminal))
    key = median(times)
    if bare is None:
        print(f"{name:15} key {key:5.1f} ms; {median(sizes):.0f} bytes; {space:.0f} MB; quitting {leaving:.0f} ms")
        return key, True
    print(
        f"{name:15} key {key:5.1f} ms {told(key / bare, 'key', ' x')}; bytes {told(median(sizes), 'bytes')};"
        f" memory {told(space, 'memory', ' MB')}; idle {idle} bytes; quitting {leaving:.0f} ms{said}",
        flush=True,
    )
    return key, idle == 0


def report_thinking(home: Path) -> None:
    """Keys while a solver rates moves, beside the same keys at rest."""
    with opened(("-m", "duelbox", "play", THINKING), b"Help", home) as terminal:
        terminal.settle(0.5)
        rest = median(arrows(terminal)[0])
        terminal.send("v")
        terminal.until(lambda: WORDS in terminal.raw)
        before, began = terminal.received, time.monotonic()
        terminal.until(lambda: time.monotonic() > began + 2)
        rate = (terminal.received - before) / 2
        busy = []
        for key in (RIGHT, LEFT) * 10:
            busy.append(milliseconds(lambda key=key: (terminal.send(key), terminal.pump(1))))
            terminal.pump(0.1)
        print(f"while {THINKING} is rated: key {median(busy):.1f} ms, at rest {rest:.1f}; {rate:.0f} bytes a second")
        left(terminal)


def main() -> None:
    with TemporaryDirectory() as folder:
        home, kept = installed(folder).parents[1], True
        print(f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
        shortest = starts(home)
        hello = shortest["bare: hello"]
        for name, least in shortest.items():
            print(f"{name:15} first paint {least:4.0f} ms {told(least / hello, 'start', ' x')}")
        bare, _ = report_use("bare: 20 cells", home, None)
        for name in ("home", *GAMES):
            kept = report_use(name, home, bare)[1] and kept
        report_thinking(home)
        print(f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
