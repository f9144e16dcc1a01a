"""Expected texts of tests, kept in files of their own, so that rewording a text changes no test.

A test passes a text to the fixture `said`; `python -m tests.golden.make` writes all these files anew. The file of a
module has the name of each test and its texts in order, each line behind `> `.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "said"
WRITES = "DUELBOX_TESTS_WRITE_GOLDENS"
"""The environment variable that makes tests write their texts instead of comparing them."""
_writing = bool(os.environ.get(WRITES))
_written: dict[Path, dict[str, list[str]]] = {}

Kept = dict[str, list[str]]


class Said:
    """The texts of one test; each call compares one."""

    def __init__(self, module: str, test: str) -> None:
        self._path, self._test, self._count = path_of(module), test, 0

    def __call__(self, text: str) -> None:
        """Compare the next text of the test."""
        shown = _plain(text.removesuffix("\n"))
        self._count += 1
        if _writing:
            kept = _written.setdefault(self._path, {})
            kept.setdefault(self._test, []).append(shown)
            self._path.write_text(_page(kept), encoding="utf-8")
            return
        texts = _kept(self._path).get(self._test, [])
        assert len(texts) >= self._count, f"to keep it: python -m tests.golden.make\n{shown}"
        assert shown == texts[self._count - 1], "if this is meant: python -m tests.golden.make"

    def end(self) -> None:
        """Check at the end of the test that no expected text is left."""
        assert _writing or self._count == len(_kept(self._path).get(self._test, [])), "it said more before"


def path_of(module: str) -> Path:
    """The file of a module, given by name or path."""
    name = module.removesuffix(".py").replace("/", ".")
    return FOLDER / f"{name.removeprefix('tests.')}.txt"


@cache
def _kept(path: Path) -> Kept:
    return read(path) if path.exists() else {}


def read(path: Path) -> Kept:
    """The texts in a file, by the names of tests."""
    kept: Kept = {}
    texts: list[str] = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip("\n").split("\n")
        if not lines[0].startswith(">"):
            texts = kept.setdefault(lines.pop(0), [])
        texts.append("\n".join(line[2:] for line in lines))
    return kept


def _page(kept: Kept) -> str:
    return "\n".join(f"{test}\n" + "\n".join(map(_quoted, texts)) for test, texts in sorted(kept.items()))


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" if line else ">\n" for line in text.split("\n"))


def _plain(text: str) -> str:
    """The text with control characters and lone surrogates written as numbers."""
    return re.sub(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]", lambda found: f"\\x{ord(found[0]):02x}", text)


def modules() -> list[str]:
    """The test files that use the fixture."""
    tests = (ROOT / "tests").rglob("test_*.py")
    return sorted(str(path.relative_to(ROOT)) for path in tests if "said: Said" in path.read_text(encoding="utf-8"))


def write_said() -> None:
    """Write the expected texts of all tests anew."""
    FOLDER.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *modules()]
    subprocess.run(command, cwd=ROOT, env={**os.environ, WRITES: "1"}, check=True)
    for path in {*FOLDER.glob("*.txt")} - {path_of(module) for module in modules()}:
        path.unlink()
