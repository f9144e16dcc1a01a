"""The widths of signs are kept by terminal, and nothing in the file can stop a start."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbox.store import terminals
from duelbox.store.terminals import NAME, keep_widths, known_widths

XTERM = {"TERM": "xterm"}
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
    keep_widths(folder, (2, 1), XTERM)
    keep_widths(folder, (1, 1), OTHERS[0])
    started_again(monkeypatch)
    assert known_widths(folder, XTERM) == (2, 1)
    assert [known_widths(folder, other) for other in OTHERS] == [(1, 1), None, None]
    keep_widths(folder, (1, 1), XTERM)
    started_again(monkeypatch)
    assert known_widths(folder, XTERM) == (1, 1)


def test_another_ssh_session_is_the_same_terminal(tmp_path: Path) -> None:
    keep_widths(tmp_path, (2, 2), OTHERS[1])
    assert known_widths(tmp_path, {**OTHERS[1], "SSH_CONNECTION": "10.0.0.9 77 10.0.0.2 22"}) == (2, 2)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"xterm": 3}', '{"xterm": [1]}', '{"xterm": ["1", 1]}'])
def test_a_damaged_file_says_nothing_and_is_replaced(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).write_text(content)
    assert known_widths(tmp_path, XTERM) is None
    keep_widths(tmp_path, (1, 1), XTERM)
    started_again(monkeypatch)
    assert known_widths(tmp_path, XTERM) == (1, 1)


def test_an_answer_holds_until_the_end_even_if_it_cannot_be_kept(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("no folder")
    keep_widths(folder, (2, 1), XTERM)
    assert known_widths(folder, XTERM) == (2, 1)
