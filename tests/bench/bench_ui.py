"""The speed of the full screen next to bare Textual: `python -m tests.bench.bench_ui`.

It uses an install of its own like bench_cli, and a pseudo-terminal. Each figure is a multiple of one from the same run:
the shortest of starts, the median of keys, since other work can only make them longer. Keys are pressed in all apps in
turn, under the same load, and also measured in CPU time, which depends less on it. Each figure has a limit; status 1 if
an untouched app does not rest.

The bare app of 20 cells does the least that a table does with a key: it moves a class from one cell to another, in 1.8
kB. A table also changes its move line, and often a sentence below the board.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.bench_cli import installed
from tests.ui.terminal.pty import Terminal

RUNS, KEYS, IDLE_SECONDS, THINKERS = 12, 60, 5, 4

HELLO = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("hello")
Hello().run()
"""
MODEL = """
from pydantic import BaseModel
class Model(BaseModel):
    number: int
"""
"""The games are pydantic models, so loading pydantic is the least they cost."""
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
# The program, and the last text of its first paint.
APPS: dict[str, tuple[tuple[str, ...], bytes]] = {
    "bare: hello": (("-c", HELLO), b"hello"),
    "bare: a model": (("-c", MODEL + HELLO), b"hello"),
    "bare: 20 cells": (("-c", CELLS), b"20"),
    "home": (("-m", "duelbox"), b"Quit"),
    **{game: (("-m", "duelbox", "play", game), b"Help") for game in GAMES},
}
THINKING = "sequence-duel:size=60/1"
"""A position whose moves take long to rate."""
MAPPED = "circle-duel:size=12,reach=2"
"""A game with a quick map of rules; with own trails, turned on by `+`, the map takes long."""
LEFT, RIGHT, QUIT, MAP = "\x1b[D", "\x1b[C", "\x11", "\x1bOR"
WORDS = b"best play"
REACH = {"start": 1.6, "key": 1.4, "bytes": 3000, "verdict": 16.0, "memory": 45.0, "map": 1.5}


def opened(args: tuple[str, ...], last: bytes, home: Path) -> Terminal:
    """Time an app until its first paint."""
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
    """The shortest first paint of each app; all run in turn, under the same load."""
    shortest = dict.fromkeys(APPS, float("inf"))
    for _ in range(RUNS):
        for name, (args, last) in APPS.items():
            began = time.perf_counter()
            with opened(args, last, home) as terminal:
                shortest[name] = min(shortest[name], 1000 * (time.perf_counter() - began))
                terminal.settle(0.05)
                left(terminal)
    return shortest


@dataclass
class Presses:
    """The cost of some keys: milliseconds until the paint begins, CPU milliseconds, and bytes."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def press(self, terminal: Terminal, key: str) -> None:
        """Press a key and wait until the app stops writing."""
        before, spent = terminal.received, cpu(terminal.process.pid)
        self.wall.append(milliseconds(lambda: (terminal.send(key), terminal.pump(1))))
        terminal.settle(0.05)
        self.cpu.append(cpu(terminal.process.pid) - spent)
        self.sizes.append(terminal.received - before)


def cpu(pid: int) -> float:
    """CPU milliseconds of a process and its children; 0 if the kernel does not report them."""
    total = 0.0
    for task in Path(f"/proc/{pid}/task").glob("*"):
        total += int((task / "schedstat").read_text().split()[0]) / 1e6
        total += sum(cpu(int(child)) for child in (task / "children").read_text().split())
    return total


def arrows(home: Path) -> dict[str, Presses]:
    """Time arrow keys in each app."""
    names = [name for name, (_, last) in APPS.items() if last != b"hello"]
    presses = {name: Presses() for name in names}
    with ExitStack() as stack:
        terminals = {name: stack.enter_context(opened(*APPS[name], home)) for name in names}
        for terminal in terminals.values():
            terminal.settle(0.5)
        for key in (RIGHT, RIGHT, RIGHT, LEFT) * (KEYS // 4):
            for name, terminal in terminals.items():
                presses[name].press(terminal, key)
        for terminal in terminals.values():
            left(terminal)
    return presses


def verdicts(terminal: Terminal) -> tuple[float, float]:
    """Milliseconds from `v` to the verdict: the first, computed one, and the median of ten more."""
    times = []
    for _ in range(11):
        at = len(terminal.raw)
        began = time.perf_counter()
        terminal.send("v")
        terminal.until(lambda at=at: WORDS in terminal.raw[at:])
        times.append(1000 * (time.perf_counter() - began))
        terminal.settle(0.2 if len(times) == 1 else 0.05)
        terminal.send("v")
        terminal.settle(0.05)
    return times[0], median(times[1:])


def memory(pid: int) -> float:
    """Megabytes of a process and its children; shared memory is divided among its users."""
    if not Path("/proc/self/smaps_rollup").exists():
        return 0.0
    own = int(Path(f"/proc/{pid}/smaps_rollup").read_text().partition("\nPss:")[2].split()[0]) / 1024
    return own + sum(memory(int(child)) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def told(value: float, what: str, unit: str = "") -> str:
    return f"{value:8.2f}{unit} (reach {REACH[what]:g}: {'met' if value <= REACH[what] else 'NOT MET'})"


def report_keys(name: str, presses: Presses, bare: Presses) -> None:
    """A row: the keys of one app next to those of the bare app."""
    key, spent = median(presses.wall), median(presses.cpu)
    than_bare = f"CPU {spent:.1f} ms, {spent / median(bare.cpu):.2f} x" if median(bare.cpu) else ""
    print(
        f"{name:15} key {key:5.1f} ms {told(key / median(bare.wall), 'key', ' x')}; {than_bare};"
        f" bytes {told(median(presses.sizes), 'bytes')}"
    )


def report_use(name: str, home: Path) -> bool:
    """Measure memory and the CPU time at rest of one app."""
    args, last = APPS[name]
    with opened(args, last, home) as terminal:
        terminal.settle(0.5)
        space = memory(terminal.process.pid)
        terminal.send(RIGHT)
        terminal.settle()
        before, end = terminal.received, time.monotonic() + IDLE_SECONDS
        terminal.until(lambda: time.monotonic() > end)
        idle, said = terminal.received - before, ""
        if name in GAMES:
            first, later = verdicts(terminal)
            said = f"; verdict {told(later, 'verdict', ' ms')}, the first {first:.1f}"
        leaving = milliseconds(lambda: left(terminal))
    print(
        f"{name:15} memory {told(space, 'memory', ' MB')}; idle {idle} bytes; quitting {leaving:.0f} ms{said}",
        flush=True,
    )
    return idle == 0


def report_map(home: Path) -> None:
    """Time arrow keys on a map of house rules while its cells are computed, and when all are known."""
    rest, busy = list[float](), list[float]()
    for _ in range(THINKERS):
        with opened(("-m", "duelbox", "play", MAPPED), b"Help", home) as terminal:
            for key, shown in (("n", "House rules"), (MAP, "first in all"), (RIGHT, "size=13"), (LEFT, "size=12")):
                terminal.send(key)
                terminal.see(shown)
                terminal.settle(5 if key == LEFT else 0.2)  # until every cell is known
            for times in (rest, busy):
                for key, shown in ((RIGHT, "size=13"), (LEFT, "size=12")) * 5:
                    times.append(milliseconds(lambda key=key, shown=shown: (terminal.send(key), terminal.see(shown))))
                    end = time.monotonic() + 0.1
                    terminal.until(lambda end=end: time.monotonic() > end)
                terminal.send("+")
            left(terminal)
    ratio = told(median(busy) / median(rest), "map", " x")
    print(f"while a map is worked out: key {median(busy):.1f} ms, at rest {median(rest):.1f}; {ratio}")


def report_thinking(home: Path) -> None:
    """Time keys while a solver rates moves, and at rest."""
    rest, busy, sent = Presses(), [], []
    for _ in range(THINKERS):
        with opened(("-m", "duelbox", "play", THINKING), b"Help", home) as terminal:
            terminal.settle(0.5)
            for key in (RIGHT, LEFT) * 5:
                rest.press(terminal, key)
            terminal.send("v")
            terminal.until(lambda terminal=terminal: WORDS in terminal.raw)
            before, end = terminal.received, time.monotonic() + 1
            terminal.until(lambda end=end: time.monotonic() > end)
            sent.append(terminal.received - before)
            for key in (RIGHT, LEFT) * 5:
                busy.append(milliseconds(lambda terminal=terminal, key=key: (terminal.send(key), terminal.pump(1))))
                end = time.monotonic() + 0.1
                terminal.until(lambda end=end: time.monotonic() > end)
            left(terminal)
    print(
        f"while {THINKING} is rated: key {median(busy):.1f} ms, longest {max(busy):.1f};"
        f" at rest {median(rest.wall):.1f}, longest {max(rest.wall):.1f}; {median(sent):.0f} bytes a second"
    )


def main() -> None:
    with TemporaryDirectory() as folder:
        home, kept = installed(folder).parents[1], True
        print(f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
        shortest = starts(home)
        hello = shortest["bare: hello"]
        for name, least in shortest.items():
            print(f"{name:15} first paint {least:4.0f} ms {told(least / hello, 'start', ' x')}")
        presses = arrows(home)
        for name in presses:
            report_keys(name, presses[name], presses["bare: 20 cells"])
        for name in APPS:
            kept = report_use(name, home) and kept
        report_thinking(home)
        report_map(home)
        print(f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
