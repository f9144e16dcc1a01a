"""The name that a friend elsewhere reads: given on the command line, or else the usual one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duelbox.cli import main
from tests.plain.test_line_elsewhere import Program


@pytest.mark.parametrize("name", ["You", "bot:3", "run:x"])
@pytest.mark.parametrize("arguments", [["host", "sequence-duel"], ["join", "7843-lagoon-honey-berry"]])
def test_a_word_of_the_table_is_refused_as_a_name(
    capsys: pytest.CaptureFixture[str], arguments: list[str], name: str
) -> None:
    assert main([*arguments, "--plain", "--name", name]) == 2
    assert re.search("Everybody is You|A name cannot begin with", capsys.readouterr().err)


def test_without_a_terminal_players_are_told_how_to_give_a_name(tmp_path: Path, programs: list[Program]) -> None:
    ann = Program(tmp_path / "ann", "host", "sequence-duel", "--plain")
    programs.append(ann)
    ann.wait_for("Your friend reads Player 1 as your name. For another: duelbox host --name NAME\n")
    spoken, at = ann.wait_for(r"Your friend types: duelbox join (\S+)@(\S+)\n").groups()
    address = f"127.0.0.1{at[at.find(':') :] if ':' in at else ''}"
    bob = Program(tmp_path / "bob", "join", f"{spoken}@{address}", "--plain")
    programs.append(bob)
    bob.wait_for("Your friend reads Player 2 as your name. For another: duelbox join --name NAME\n")
    bob.wait_for("Player 1 invites you to Sequence Duel")
