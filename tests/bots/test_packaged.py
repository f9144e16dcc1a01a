"""Bots of packages: they play as programs of their own, by an entry point."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import duelbox
from duelbox.bots.packaged import GROUP, command_for, packaged_bots
from duelbox.bots.program import Program, ProgramFault

SOURCE = """
def mine(seen):
    print("this is no answer")
    if seen.game == "sequence-duel":
        return seen.table().legal_moves()[0]
    if seen.game == "digit-chain":
        return "999"
    return seen.legal[-1]
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a bot, installed for this test and for the processes it starts."""
    (tmp_path / "my_bots.py").write_text(SOURCE)
    info = tmp_path / "my_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: my-bots\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nmine = my_bots:mine\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    packaged_bots.cache_clear()
    yield tmp_path
    packaged_bots.cache_clear()


def test_a_bot_of_a_package_plays_by_texts_or_models_and_a_wrong_answer_is_a_fault(package: Path) -> None:
    assert packaged_bots() == {"mine": command_for("mine")}
    with Program(packaged_bots()["mine"]) as player:
        assert player.ask(duelbox.Table("circle-duel/4.5.6")) == "7"
        assert player.ask(duelbox.Table("number-duel:deal=31524-42513")) == "5x5"
        assert player.ask(duelbox.Table("sequence-duel/10.13")) == "1"
        with pytest.raises(ProgramFault, match="played '999'"):
            player.ask(duelbox.Table("digit-chain"))
        assert "this is no answer" in player.errors
