"""The answers of a terminal are kept by its name, and nothing in the file can stop a start."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbox.store import terminals
from duelbox.store.terminals import FINE_COLOURS, NAME, Terminal, keep_terminal, known_terminal

XTERM = {"TERM": "xterm"}
WIDE, NARROW = Terminal((2, 1), FINE_COLOURS), Terminal((1, 1))
OTHERS = (
    {"TERM": "xterm", "TERM_PROGRAM": "vscode"},
    {"TERM": "xterm", "SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"},
    {"TERM": "screen"},
)


@pytest.fixture(autouse=True)
def _process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "_answered", {})


def started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "_answered", {})


def test_an_answer_holds_for_the_next_start_in_this_terminal_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "new"
    keep_terminal(folder, WIDE, XTERM)
    keep_terminal(folder, NARROW, OTHERS[0])
    started_again(monkeypatch)
    assert known_terminal(folder, XTERM) == WIDE
    assert [known_terminal(folder, other) for other in OTHERS] == [NARROW, None, None]
    keep_terminal(folder, NARROW, XTERM)
    started_again(monkeypatch)
    assert known_terminal(folder, XTERM) == NARROW


def test_another_ssh_session_is_the_same_terminal(tmp_path: Path) -> None:
    keep_terminal(tmp_path, WIDE, OTHERS[1])
    assert known_terminal(tmp_path, {**OTHERS[1], "SSH_CONNECTION": "10.0.0.9 77 10.0.0.2 22"}) == WIDE


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"xterm": 3}', '{"xterm": [1]}', '{"xterm": ["1", 1, 16]}', '{"xterm": [1, 1, 17]}']
)
def test_a_damaged_file_says_nothing_and_is_replaced(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).write_text(content)
    assert known_terminal(tmp_path, XTERM) is None
    keep_terminal(tmp_path, NARROW, XTERM)
    started_again(monkeypatch)
    assert known_terminal(tmp_path, XTERM) == NARROW


def test_an_answer_holds_until_the_end_even_if_it_cannot_be_kept(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("no folder")
    keep_terminal(folder, WIDE, XTERM)
    assert known_terminal(folder, XTERM) == WIDE
