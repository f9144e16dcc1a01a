"""Every check and test, one after the other: `python -m tests.check`; the exit status is 1 if one fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parent.parent
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

# Screens, disks and programs wait a third of the time: more workers than the two cores this is meant for.
WORKERS = "3"

COSTLY = (
    *(f"tests/{name}" for name in ("ui", "store", "bench", "bots", "plain", "solve")),
    *("tests/games/test_laws.py", "tests/core/test_session_machine.py"),
    *sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("tests/games/*/test_s*.py")),
)
"""Tests that add little to what the others cover of the rules; being watched would make them take two to four times
as long."""

STEPS = {
    "style": ("-m", "ruff", "check", "."),
    "format": ("-m", "ruff", "format", "--check", "."),
    "types": ("-m", "mypy"),
    "imports": ("-c", LINT, "--no-cache"),
    "tests": ("-m", "pytest", "-n", WORKERS, *COSTLY),
    "the other tests, and what they leave out of the rules": (
        *("-m", "pytest", "-n", WORKERS, "--cov=duelbox.core", "--cov=duelbox.games"),
        *("--cov-report=term", "--cov-fail-under=98", *(f"--ignore={name}" for name in COSTLY)),
    ),
}


def main() -> int:
    """Run all of them, so that one failure hides no other."""
    failed = [name for name, arguments in STEPS.items() if not _passes(name, arguments)]
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


def _passes(name: str, arguments: tuple[str, ...]) -> bool:
    print(f"== {name}", flush=True)
    start = perf_counter()
    passed = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False).returncode == 0
    if not passed:
        print(f"== {name} failed after {perf_counter() - start:.0f} s", flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main())
