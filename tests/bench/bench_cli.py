"""The speed of the commands: `python -m tests.bench.bench_cli`; status 1 if a limit is passed.

It installs duelbox into a new environment like a player, as a development install slows the start of every Python. The
shortest run counts, since other work can only make a run longer; starts are multiples of `python -c pass`.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.core.fuzz import random_code

HOME = Path(__file__).parent.parent.parent
RUNS = 15
CODES = 4_000
SECONDS = 4.0

# The least cost of a model: duelbox, too, skips pydantic's search for plugins.
MODEL = """
from duelbox import startup
startup.skip_plugin_search()
import pydantic
class A(pydantic.BaseModel): x: int
"""

# Each command with its limit as a multiple of an empty Python; None without a limit.
STARTS: dict[str, tuple[tuple[str, ...], float | None]] = {
    "duelbox --version": (("-m", "duelbox", "--version"), 6),
    "one pydantic model": (("-c", MODEL), None),
    "duelbox show circle-duel": (("-m", "duelbox", "show", "circle-duel"), 16),
    "duelbox show number-duel --json": (("-m", "duelbox", "show", "number-duel", "--json"), None),
    "duelbox games": (("-m", "duelbox", "games"), None),
    "duelbox rules circle-duel": (("-m", "duelbox", "rules", "circle-duel"), None),
    "duelbox play circle-duel --plain": (("-m", "duelbox", "play", "circle-duel", "--plain"), None),
}


def installed(folder: str) -> Path:
    """The Python of a new environment with nothing but duelbox."""
    venv.create(folder, with_pip=True)
    python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(HOME)], stderr=subprocess.DEVNULL, check=True)
    return python


def seconds(python: Path, *args: str, typed: bytes = b"") -> float:
    began = perf_counter()
    subprocess.run([python, *args], input=typed, stdout=subprocess.DEVNULL, cwd=python.parent, check=True)
    return perf_counter() - began


def starts(python: Path) -> bool:
    """Time all commands in turn, many times, so that a busy moment slows all of them."""
    commands = {"python -c pass": ("-c", "pass")} | {name: args for name, (args, _) in STARTS.items()}
    shortest = dict.fromkeys(commands, float("inf"))
    for _ in range(RUNS):
        for name, args in commands.items():
            shortest[name] = min(shortest[name], seconds(python, *args))
    empty = shortest["python -c pass"]
    good = True
    for name, least in shortest.items():
        limit = STARTS[name][1] if name in STARTS else None
        good = good and (limit is None or least / empty <= limit)
        promise = f"  at most {limit:g} x" if limit else ""
        print(f"{name:40} {1_000 * least:8.1f} ms {least / empty:6.1f} x{promise}")
    return good


def answers(python: Path) -> bool:
    """Time all codes in one process."""
    rng = Random(2_024)
    typed = "\n".join(random_code(rng) for _ in range(CODES)).encode()
    times = sorted(seconds(python, "-m", "duelbox", "show", "-", "--json", typed=typed) for _ in range(5))
    spread = f"median {times[2]:.2f} s, longest {times[-1]:.2f} s"
    print(f"duelbox show - --json, {CODES} codes: {times[0]:.2f} s, {spread}  under {SECONDS:g} s")
    return times[0] < SECONDS


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        plain = installed(folder)
        good = [starts(plain), answers(plain)]
    sys.exit(0 if all(good) else 1)
