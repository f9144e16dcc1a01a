"""Ten screens with the oldest supported Textual; `python -m tests.check --oldest` tries all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.effort import LONG

ROOT = Path(__file__).parents[2]
NEEDED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
(OLDEST,) = (found[1] for one in NEEDED if (found := re.match(r"textual>=([\d.]+)", one)))
NAMED = "from importlib.metadata import version as v; import pytest, sys; print('textual', v('textual'))"
TESTS = f"{NAMED}; sys.exit(pytest.main(sys.argv[1:]))"
TEN = ("Home", "NewGame", "Settings", "Help", "History", "Review", "Lesson", "Puzzle", "Calendar", "Rules")


@pytest.fixture(scope="module")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with this version of Textual alone; its dependencies are installed here."""
    folder = tmp_path_factory.mktemp("textual")
    fetch = (sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--retries", "1")
    ran = subprocess.run(
        [*fetch, "--timeout", "20", "--target", folder, f"textual=={OLDEST}"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if ran.returncode:
        pytest.skip(f"textual {OLDEST} cannot be fetched: {ran.stderr.strip().splitlines()[-1]}")
    return folder


def passes(oldest: Path, *tests: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    ran = subprocess.run(
        [sys.executable, "-c", TESTS, "-q", *tests],
        cwd=ROOT,
        env={**kept, "PYTHONPATH": str(oldest)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.startswith(f"textual {OLDEST}")
    assert ran.returncode == 0, ran.stdout[-4000:]


def test_ten_screens_open_on_the_oldest(oldest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LONG, raising=False)
    passes(oldest, "tests/ui/test_ascii.py", "-k", f"plain and ({' or '.join(TEN)})")
