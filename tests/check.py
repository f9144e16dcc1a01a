"""Every check and test: `python -m tests.check`; the exit status is 1 if one fails.

What looks at the code without running it, and the tests of the core and of the rules, which are watched for the lines
they run, come along beside all other tests. `--quick` is for between two changes and says what it leaves out. `--long`
tries everything that is tried at random far more often, and watches all tests while it counts the lines they run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import DEVNULL
from time import perf_counter

from tests.effort import LONG

ROOT = Path(__file__).parent.parent
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

PYTEST = ("-m", "pytest")
# Screens, disks and programs wait a third of the time: more workers than the two cores this is meant for.
SPREAD = (*PYTEST, "-n", "3", "--dist", "worksteal")

REACHED = 93
"""Of a hundred lines and branches of duelbox, so many are run; programs that tests start are not watched."""
CORE_REACHED = 92
"""The same of the core and the rules, by their own tests."""

GAMES = tuple(sorted(str(file.parent.relative_to(ROOT)) for file in ROOT.glob("duelbox/games/*/rules.py")))
WATCHED = (
    *("tests/core", "tests/games/test_golden.py"),
    *(f"{game.replace('duelbox', 'tests', 1)}/test_rules.py" for game in GAMES),
)
PROGRAMS = (
    *("commands/test_completion", "commands/test_process", "commands/test_windows"),
    *("house/test_readme", "house/test_taken_away", "house/test_wheel"),
)
"""Tests that start a shell, or duelbox anew, for most of what they ask."""

STYLE = {
    "style": ("-m", "ruff", "check", "."),
    "format": ("-m", "ruff", "format", "--check", "."),
}
TYPES = {
    "types": ("-m", "mypy"),
    "imports": ("-c", LINT, "--no-cache"),
}
Steps = dict[str, tuple[str, ...]]
BESIDE: dict[str, Steps] = {
    "quick": STYLE,
    "usual": {
        **STYLE,
        **TYPES,
        "the core and the rules, and what their tests leave out": (
            *(*PYTEST, *WATCHED, "--cov=duelbox.core", *(f"--cov={game.replace('/', '.')}.rules" for game in GAMES)),
            *("--cov-report=term", f"--cov-fail-under={CORE_REACHED}"),
        ),
    },
    "long": {**STYLE, **TYPES},
}
TESTS = {
    "quick": (
        *(*SPREAD, *WATCHED, "tests/commands", "tests/testing", "tests/house"),
        *("tests/games/test_perft.py", "tests/ui/test_table_state.py"),
        *(f"--ignore=tests/{name}.py" for name in (*PROGRAMS, "core/test_session_machine")),
    ),
    "usual": (*SPREAD, *(f"--ignore={path}" for path in WATCHED)),
    "long": (*SPREAD, "--cov=duelbox", "--cov-report=term", f"--cov-fail-under={REACHED}"),
}


def main() -> int:
    """Run all of them, so that one failure hides no other."""
    parser = ArgumentParser(prog="python -m tests.check", description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--quick", action="store_true", help="twenty seconds: style, and the tests of rules and commands"
    )
    which.add_argument("--long", action="store_true", help="everything, far more thoroughly")
    args = parser.parse_args()
    kind = "quick" if args.quick else "long" if args.long else "usual"
    if args.long:
        os.environ[LONG] = "1"
    # Hundreds of times a test starts a program: without bytecode each would translate all of duelbox again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with ThreadPoolExecutor(1) as beside:
        told = beside.submit(lambda: [name for name, step in BESIDE[kind].items() if not _passes(name, step)])
        if not (ROOT / "tests" / "ui" / "__pycache__").exists():  # else every worker translates all of it by itself
            subprocess.run(
                [sys.executable, *TESTS[kind], "-n", "0", "--collect-only"], cwd=ROOT, stdout=DEVNULL, check=False
            )
        tests = _passes("the tests", TESTS[kind], shown=True)
        failed = [*told.result(), *([] if tests else ["the tests"])]
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    if args.quick:
        print("Left out: types, imports, coverage; tests of screens, storage, solvers, computers, lines and programs.")
    return 1 if failed else 0


def _passes(name: str, arguments: tuple[str, ...], *, shown: bool = False) -> bool:
    """Whether a step passes; what it says is told at once, or in one piece at its end."""
    start = perf_counter()
    output = None if shown else subprocess.PIPE
    ran = subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, check=False)
    print(f"\n== {name}{' failed' if ran.returncode else ''}: {perf_counter() - start:.0f} s")
    print((ran.stdout or b"").decode(errors="replace"), end="", flush=True)
    return ran.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
