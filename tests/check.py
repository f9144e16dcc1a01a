"""Every check and test: `python -m tests.check`; the exit status is 1 if one fails.

Static checks, and the tests of core and rules with their coverage, run beside all other tests. `--quick` is for use
between two changes and says what it leaves out. `--long` repeats random tests far more often, measures the coverage of
all tests, and runs them on every other Python that is here and with the oldest allowed dependencies, as `--oldest` does
alone.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.effort import LONG
from tests.environments import PROMISED, oldest_allowed, outside, pythons, scripts

ROOT = Path(__file__).parent.parent
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

PYTEST = ("-m", "pytest")
# Tests wait for screens, disks and programs a third of the time, so more workers than the usual two cores.
SPREAD = (*PYTEST, "-n", "3", "--dist", "worksteal")

REACHED = 93
"""Least coverage of duelbox in percent; programs started by tests do not count."""
CORE_REACHED = 92
"""Least coverage of core and rules by their own tests."""

GAMES = tuple(sorted(str(file.parent.relative_to(ROOT)) for file in ROOT.glob("duelbox/games/*/rules.py")))
WATCHED = (
    *("tests/core", "tests/games/test_golden.py"),
    *(f"{game.replace('duelbox', 'tests', 1)}/test_rules.py" for game in GAMES),
)
PROGRAMS = (
    *("commands/test_completion", "commands/test_process", "commands/test_windows"),
    *("house/test_readme", "house/test_taken_away", "house/test_wheel"),
)
"""Tests that mostly start a shell or duelbox as a process."""

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
    """Run all steps, even after a failure."""
    parser = ArgumentParser(prog="python -m tests.check", description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--quick", action="store_true", help="twenty seconds: style, and the tests of rules and commands"
    )
    which.add_argument("--long", action="store_true", help="everything, far more thoroughly, on every Python here")
    which.add_argument("--oldest", action="store_true", help="the tests alone, with the oldest allowed dependencies")
    args = parser.parse_args()
    # Tests start hundreds of programs: without bytecode each would compile all of duelbox again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if args.oldest:
        return 0 if _passes_on_the_oldest() else 1
    kind = "usual"
    if args.quick:
        kind = "quick"
    if args.long:
        kind = "long"
        os.environ[LONG] = "1"
    with ThreadPoolExecutor(1) as beside:
        told = beside.submit(lambda: [name for name, step in BESIDE[kind].items() if not _passes(name, step)])
        if not (ROOT / "tests" / "ui" / "__pycache__").exists():  # or else every worker compiles all of it
            subprocess.run(
                [sys.executable, *TESTS[kind], "-n", "0", "--collect-only"], cwd=ROOT, stdout=DEVNULL, check=False
            )
        tests = _passes("the tests", TESTS[kind], shown=True)
        failed = [*told.result(), *([] if tests else ["the tests"])]
    here = platform.python_version()
    others = {version: program for version, program in pythons().items() if version != here}
    if args.long:
        failed += [f"Python {version}" for version, program in others.items() if not _passes_on(version, program)]
        if not _passes_on_the_oldest():
            failed.append("the oldest dependencies")
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    if args.quick:
        print("Left out: types, imports, coverage; tests of screens, storage, solvers, computers, lines and programs.")
    print(told_of_pythons(here, [*others], everywhere=args.long))
    return 1 if failed else 0


def told_of_pythons(here: str, others: list[str], *, everywhere: bool) -> str:
    """The versions of Python that the tests ran on, those that are here as well, and those promised but not here."""
    if everywhere:
        sentences = [f"Python {', '.join([here, *others])}."]
    else:
        sentences = [f"Python {here}."]
        if others:
            sentences.append(f"Also here: {', '.join(others)}; --long runs the tests on each.")
    versions = [version.rpartition(".")[0] for version in (here, *others)]
    missing = [version for version in PROMISED if version not in versions]
    if missing:
        sentences.append(f"Not here: {', '.join(missing)}.")
    return " ".join(sentences)


def _passes_on(version: str, program: str) -> bool:
    """Run the tests on another Python, in an environment of its own."""
    return _passes_in_its_own(f"Python {version}", program, SPREAD, "-e", ".[dev]")


def _passes_on_the_oldest() -> bool:
    """Run the tests, without those for the newest Textual alone, on the oldest Python and dependencies."""
    with TemporaryDirectory() as folder:
        constraints = Path(folder) / "oldest.txt"
        constraints.write_text("\n".join(oldest_allowed()), "utf-8")
        program = next(iter(pythons().values()), sys.executable)
        tests = (*SPREAD, "-m", "not pinned")
        return _passes_in_its_own(
            "the oldest dependencies", program, tests, "-e", ".[all,test]", "-c", str(constraints)
        )


def _passes_in_its_own(name: str, program: str, tests: tuple[str, ...], *needed: str) -> bool:
    """Make an environment, install what is needed and run tests in it."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        python = str(scripts(Path(folder)) / "python")
        return (
            _passes(f"an environment for {name}", ("-m", "venv", folder), python=program)
            and _passes(f"libraries for {name}", ("-m", "pip", "install", "-q", *needed), python=python)
            and _passes(f"the tests on {name}", tests, python=python, shown=True)
        )


def _passes(name: str, arguments: tuple[str, ...], *, python: str = sys.executable, shown: bool = False) -> bool:
    """Run a step and return True if it passes; print its output at once or in one piece at its end."""
    start = perf_counter()
    output = None if shown else subprocess.PIPE
    environment = None if python == sys.executable else outside()
    ran = subprocess.run(
        [python, *arguments], cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT, check=False
    )
    print(f"\n== {name}{' failed' if ran.returncode else ''}: {perf_counter() - start:.0f} s")
    print((ran.stdout or b"").decode(errors="replace"), end="", flush=True)
    return ran.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
