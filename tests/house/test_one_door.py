"""House rule of the code: files are opened, written, renamed and removed in `store/files.py`, and nowhere else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "duelbox"
DOOR = "store/files.py"
METHODS = frozenset(
    {"read_text", "read_bytes", "write_text", "write_bytes", "unlink", "rename", "touch", "hardlink_to"}
)
"""Methods of a path that read, write or remove its file."""
FUNCTIONS = frozenset({"open", "remove", "unlink", "rename", "replace", "truncate", "link", "symlink", "mkfifo"})
"""Functions of `os` that do so."""
MODES = frozenset("rwxabt+")

ELSEWHERE = {
    "bots/leftovers.py": "what the system tells of a process",
    "cli.py": "the null device, in place of a closed output",
    "games/number_duel/solve/odds.py": "package data",
    "games/sequence_duel/solve/ceiling_table.py": "package data",
    "games/sequence_duel/solve/claim_table.py": "package data",
    "proof/ladder.py": "package data, the ladder of theorems",
    "rules_lab/cache.py": "the sources of a game, to know them again",
    "rules_lab/preset_facts.py": "package data, written by its author",
    "rules_lab/preset_maps.py": "package data, written by its author",
    "registry.py": "package data",
    "commands/games.py": "a new package, in a folder that the player names",
    "commands/shared.py": "pages of help: package data",
    "friends/join_code.py": "package data",
    "friends/missing_library.py": "package data",
    "learn/puzzles.py": "package data",
    "learn/worksheet.py": "package data",
    "relay/sqlite.py": "the file of a relay, which its operator names",
    "relay/limited_socket.py": "the null device, which keeps a descriptor free",
    "serve/prefork.py": "the standard streams of a forked process",
    "serve/web.py": "package data",
    "startup.py": "metadata of packages",
    "ui/terminal/crash_report.py": "the report of a crash: what keeps a terminal whole knows nothing of duelbox",
    "ui/terminal/driver.py": "the terminal",
}
"""Modules that open something else than a file of a player."""


def openings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The calls that open, read, write, rename or remove a file."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "open":
            yield node.lineno, "open"
        if not isinstance(called, ast.Attribute):
            continue
        owner = ""
        if isinstance(called.value, ast.Name):
            owner = called.value.id
        if owner == "files":
            continue
        of_path = called.attr in METHODS or (called.attr == "open" and any(map(is_mode, node.args)))
        if of_path or (owner == "os" and called.attr in FUNCTIONS):
            yield node.lineno, ast.unparse(called)


def is_mode(argument: ast.expr) -> bool:
    """The argument is a mode of a file, such as "rb"."""
    return isinstance(argument, ast.Constant) and isinstance(argument.value, str) and set(argument.value) <= MODES


def found() -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for line, call in openings(ast.parse(path.read_text("utf-8"))):
            places.setdefault(name, []).append(f"{line}: {call}")
    return places


def test_files_have_one_door() -> None:
    places = found()
    assert {name: calls for name, calls in places.items() if name not in (DOOR, *ELSEWHERE)} == {}
    assert set(ELSEWHERE) <= set(places), "an exception that is not needed any more"


@pytest.mark.parametrize(
    "code",
    [
        "open('x')",
        "path.open('rb')",
        "os.open(p, 0)",
        "p.read_text()",
        "p.write_bytes(b'')",
        "p.unlink()",
        "p.rename(q)",
    ],
)
def test_the_rule_sees_every_way_to_a_file(code: str) -> None:
    assert list(openings(ast.parse(code)))
    assert not list(openings(ast.parse("Store.open(home); self.open('history'); text.replace('a', 'b')")))
