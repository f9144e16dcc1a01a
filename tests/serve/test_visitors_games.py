"""The folder of a visitor who has played is told from that of one who only looked, by the first line that does."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbox.serve import visitors
from duelbox.store.journal import Line
from duelbox.store.store import Store


def test_a_visitor_who_only_looked_has_no_games(tmp_path: Path) -> None:
    assert not visitors._has_games(tmp_path)
    with Store.open(tmp_path) as store:
        store.progress.add("start", "first", 1)
    assert not visitors._has_games(tmp_path)
    with Store.open(tmp_path) as store:
        store.progress.add("lesson", "circle-duel/1", 5)
    assert visitors._has_games(tmp_path)


def test_a_line_that_cannot_be_read_counts_as_a_game(tmp_path: Path) -> None:
    with Store.open(tmp_path):
        pass
    with (tmp_path / "history.jsonl").open("ab") as file:
        file.write(b"damaged\n")
    assert visitors._has_games(tmp_path)


def test_a_long_history_is_read_up_to_its_first_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path) as store:
        for number in range(3, 9):
            store.import_text(f"circle-duel/{number}")
    read: list[Line] = []
    telling = visitors._tells_of_play

    def counted(line: Line) -> bool:
        read.append(line)
        return telling(line)

    monkeypatch.setattr(visitors, "_tells_of_play", counted)
    assert visitors._has_games(tmp_path)
    assert len(read) == 2, "the header and a game"
