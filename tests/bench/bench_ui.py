"""How fast the full screen opens and answers, next to a bare Textual app: `python -m tests.bench.bench_ui`.

Through a pseudo-terminal, start to first paint as a multiple of `python -c pass` in the same run; the shortest of the
runs counts, since other work on the machine can only make a run longer. Status 1 where a promise is broken.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[2]
RUNS = 15
KEYS = 40
IDLE_SECONDS = 5
PROMISED = 30  # times `python -c pass` until Home, and until a table, can be seen

BARE = """
from textual.app import App
from textual.widgets import Footer, Input
class Bare(App):
    def compose(self):
        yield Input("ready")
        yield Footer()
    def on_mount(self):
        self.query_one(Input).cursor_blink = False
Bare().run()
"""
# What to run, and a text that its first paint ends with.
APPS: dict[str, tuple[tuple[str, ...], bytes]] = {
    "a bare Textual app": (("-c", BARE), b"palette"),
    "Home": (("-m", "duelbox"), b"Quit"),
    **{
        game: (("-m", "duelbox", "play", game), b"Help")
        for game in ("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel")
    },
}
# Typed after "1" was typed and rubbed out forty times.
MOVES = {
    "circle-duel": "6\r",
    "number-circle": "+2\r",
    "sequence-duel": "6\r",
    "digit-chain": "66\r",
    "number-duel": "1x1\r",
}


def opened(name: str, home: Path) -> Terminal:
    """The app, from nothing to its first paint."""
    args, last = APPS[name]
    env = {"DUELBOX_HOME": str(home), "HOME": str(home), "PYTHONPATH": str(ROOT)}
    terminal = Terminal.python(*args, env=env, cwd=home)
    terminal.until(lambda: last in terminal.raw, f"{last!r} of {name}")
    return terminal


def milliseconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - began)


def nothing() -> None:
    with Terminal.python("-c", "pass") as terminal:
        terminal.process.wait()


def starts(home: Path) -> dict[str, list[float]]:
    """First paints, the apps in turn, so that all have the same weather."""
    times: dict[str, list[float]] = {name: [] for name in ("pass", *APPS)}
    for _ in range(RUNS):
        times["pass"].append(milliseconds(nothing))
        for name in APPS:
            began = time.perf_counter()
            with opened(name, home) as terminal:
                times[name].append(1000 * (time.perf_counter() - began))
                terminal.settle(0.05)
                terminal.send("\x11")
                terminal.wait()
    return times


def answers(terminal: Terminal) -> tuple[list[float], list[int]]:
    """How long after a key the first of its paint comes, and how many bytes that paint has."""
    times, sizes = [], []
    for key in ("1", "\x7f") * (KEYS // 2):
        before = terminal.received
        times.append(milliseconds(lambda key=key: (terminal.send(key), terminal.pump(1))))  # type: ignore[misc]
        terminal.settle(0.05)
        sizes.append(terminal.received - before)
    return times, sizes


def memory(pid: int) -> tuple[float, float]:
    """Megabytes of this process and of its children, each with its fair share of what they share."""
    if not Path("/proc/self/smaps_rollup").exists():
        return 0.0, 0.0
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    own = int(rollup.partition("\nPss:")[2].split()[0]) / 1024
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own, sum(sum(memory(int(child))) for child in children)


def report_starts(times: dict[str, list[float]]) -> bool:
    yard = min(times["pass"])
    kept = True
    print(f"{'first paint':20} {'min':>7} {'median':>8}")
    for name, all_of_it in times.items():
        ratio = min(all_of_it) / yard
        kept = kept and (name in ("pass", "a bare Textual app") or ratio <= PROMISED)
        print(f"{name:20} {min(all_of_it):4.0f} ms {median(all_of_it):5.0f} ms {ratio:6.1f} x python -c pass")
    return kept


def report_use(name: str, home: Path) -> bool:
    with opened(name, home) as terminal:
        terminal.settle(1)
        times, sizes = answers(terminal)
        before = terminal.received
        terminal.send(MOVES.get(name, ""))
        terminal.settle(0.5)  # a reveal rests for a while before it goes on
        move = terminal.received - before
        before, end = terminal.received, time.monotonic() + IDLE_SECONDS
        terminal.until(lambda: time.monotonic() > end)
        idle = terminal.received - before
        own, children = memory(terminal.process.pid)
        terminal.send("\x11")
        leaving = milliseconds(terminal.wait)
    print(
        f"{name:20} {median(times):5.1f} {max(times):5.1f} ms {median(sizes):7.0f} {move:7} {idle:6}"
        f" {own + children:5.0f} MB {min(own, children):5.0f} MB {leaving:5.0f} ms"
    )
    return idle == 0


def main() -> None:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        kept = report_starts(starts(home))
        print(
            f"\n{'':20} {'key to paint':>14} {'':7} {'bytes':^7} {'idle':>6} {'memory':>8} {'guard':>8} {'quitting':>8}"
        )
        print(f"{'':20} {'median':>5} {'max':>5} {'a key':>9} {'a move':>7} {'bytes':>6}")
        for name in APPS:
            kept = report_use(name, home) and kept
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
