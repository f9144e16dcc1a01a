"""A computer that slipped says so when its opponent has found the answer."""

from __future__ import annotations

import pytest

from duelbox.core.record import PlayerInfo
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game


def slipped(answer: str) -> LocalTable:
    """A table at which the computer has slipped with 1, which 3 refutes, and Ann has answered."""
    table = LocalTable(
        read_new_game("circle-duel:size=12,reach=2"), (PlayerInfo(name="Peek", level="peek"), PlayerInfo(name="Ann"))
    )
    table.speak(table.session.parse("1"), "It looked good to me.", "A remark.", ("3",))
    table.play("1")
    table.play(answer)
    return table


@pytest.mark.parametrize(("answer", "remark"), [("3", "I did not see your 3."), ("2", "")])
def test_a_computer_says_that_its_slip_was_found_even_shortly_after_a_remark(answer: str, remark: str) -> None:
    table = slipped(answer)
    table.speak(table.session.parse("4"), "Because.", "Another remark.")
    table.play("4")
    assert table.remark == remark


def test_an_answer_that_was_undone_is_not_spoken_of() -> None:
    table = slipped("3")
    table.undo()
    table.play("2")
    assert table.remarks.used_slip(table.session) == ""
