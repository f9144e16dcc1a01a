"""Every check and test, one after the other: `python -m tests.check`; the exit status is 1 if one fails.

`--quick` is for between two changes and says what it leaves out. `--long` tries everything that is tried at random ten
times as often, and watches all tests while it counts the lines they run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter

from tests.effort import LONG

ROOT = Path(__file__).parent.parent
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

# Screens, disks and programs wait a third of the time: more workers than the two cores this is meant for.
WORKERS = "3"
PYTEST = ("-m", "pytest", "-n", WORKERS)

REACHED = 96
"""Of a hundred lines and branches of duelbox, so many are run; programs that tests start are not watched."""
WATCHED_REACHED = 97
"""The same of core and the rules of the games, by the tests that are watched every time."""

COSTLY = (
    *(
        f"tests/{name}"
        for name in ("ui", "store", "bench", "bots", "plain", "solve", "learn", "sitting", "relay", "serve")
    ),
    *("tests/games/test_laws.py", "tests/core/test_session_machine.py", "tests/house/test_taken_away.py"),
    *sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("tests/games/*/test_s*.py")),
)
"""Tests that add little to what the others cover of the rules; being watched would make them take two to three times
as long."""

PROGRAMS = ("commands/test_completion", "commands/test_process", "commands/test_windows", "house/test_wheel")
"""Tests that start a shell, or duelbox anew, for most of what they ask."""

RULES = sorted(f"--cov=duelbox.games.{rules.parent.name}.rules" for rules in ROOT.glob("duelbox/games/*/rules.py"))

STYLE = {
    "style": ("-m", "ruff", "check", "."),
    "format": ("-m", "ruff", "format", "--check", "."),
}
TYPES = {
    "types": ("-m", "mypy"),
    "imports": ("-c", LINT, "--no-cache"),
}
QUICK = {
    **STYLE,
    "the quick tests": (
        *PYTEST,
        *("tests/core", "tests/commands", "tests/testing", "tests/house"),
        *("tests/games/test_golden.py", "tests/games/test_perft.py", "tests/ui/test_table_state.py"),
        *sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("tests/games/*/test_rules.py")),
        *("--ignore=tests/core/test_session_machine.py", "--ignore=tests/house/test_taken_away.py"),
        *(f"--ignore=tests/{name}.py" for name in PROGRAMS),
    ),
}
USUAL = {
    **STYLE,
    **TYPES,
    "tests": (*PYTEST, *COSTLY),
    "the other tests, and what they leave out of the rules": (
        *(*PYTEST, "--cov=duelbox.core", *RULES, "--cov-report=term"),
        *(f"--cov-fail-under={WATCHED_REACHED}", *(f"--ignore={name}" for name in COSTLY)),
    ),
}
EXHAUSTIVE = {
    **STYLE,
    **TYPES,
    "all tests, and what they leave out": (
        *(*PYTEST, "--cov=duelbox", "--cov-report=term", f"--cov-fail-under={REACHED}"),
    ),
}


def main() -> int:
    """Run all of them, so that one failure hides no other."""
    parser = ArgumentParser(prog="python -m tests.check", description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--quick", action="store_true", help="half a minute: style, and the tests of rules and commands")
    which.add_argument("--long", action="store_true", help="everything, ten times as thorough")
    args = parser.parse_args()
    if args.long:
        os.environ[LONG] = "1"
    # Hundreds of times a test starts a program: without bytecode each would translate all of duelbox again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    steps = QUICK if args.quick else EXHAUSTIVE if args.long else USUAL
    failed = [name for name, arguments in steps.items() if not _passes(name, arguments)]
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    if args.quick:
        print("Left out: types, imports, coverage; tests of screens, storage, solvers, computers, lines and programs.")
    return 1 if failed else 0


def _passes(name: str, arguments: tuple[str, ...]) -> bool:
    print(f"== {name}", flush=True)
    start = perf_counter()
    passed = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False).returncode == 0
    print(f"== {name}{'' if passed else ' failed'}: {perf_counter() - start:.0f} s", flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main())
