"""A map of house rules on paper: empty for the class, and filled in for the teacher."""

from __future__ import annotations

import pytest

from tests.command_line import run

TABLE = ("--table", "--x", "size=5-8", "--y", "gaps=0-2")


def rows(text: str) -> list[list[str]]:
    """The cells of all tables."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]


def test_a_map_is_empty_for_the_class_and_filled_in_for_the_teacher() -> None:
    empty = run("worksheet", "circle-duel:reach=2", *TABLE, "--md")
    assert empty.status == 0
    head, _, *cells = rows(empty.out)
    assert head == ["", "5", "6", "7", "8"]
    assert cells == [[f"**{gaps}**", *["", "", "", ""]] for gaps in (0, 1, 2)]
    assert "`duelbox worksheet circle-duel:reach=2 --table --x size=5-8 --y gaps=0-2`" in empty.out
    filled = run("worksheet", "circle-duel:reach=2", *TABLE, "--md", "--answers")
    assert rows(filled.out)[:5] == rows(empty.out)
    assert ["".join(row[1:]) for row in rows(filled.out)[7:]] == ["FSFS", "SFSF", "FSFS"]


def test_a_map_of_one_rule_or_of_many_values_has_room_on_a_page() -> None:
    head, *_ = rows(run("worksheet", "sequence-duel", "--table", "--md").out)
    assert head == ["", *map(str, range(5, 25))]
    page = run("worksheet", "sequence-duel", "--table", "--answers").out
    assert page.count("<table>") == 2
    assert page.count("<td>") == 2 * 2 * 20 + 4


def test_a_single_row_is_investigated_on_paper() -> None:
    row = ("--table", "--x", "size=6-20", "--y", "gaps=1", "--md")
    empty = run("worksheet", "circle-duel:reach=2,trails=own", *row).out
    assert "The first player wins when the number is ____" in empty
    assert "Nobody has broken it: why?" in empty
    assert "first player wins when even" not in empty, "that is for the class to find"
    own = run("worksheet", "circle-duel:reach=2,trails=own", *row, "--answers").out
    assert "Numbers in all 6 to 20: the first player wins when even, the second player wins when odd." in own
    assert "No proof is known here." in own
    proved = run("worksheet", "circle-duel:reach=2", *row, "--answers").out
    assert "Join the first with the second, the third with the fourth, and so on." in proved


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--x", "size"), "Without --table, a worksheet has no axes: leave out --x."),
        (("--table", "--grade", "3"), "A map has no puzzles: leave out --grade."),
        (("--table", "--x", "colour"), "circle-duel has no house rule 'colour' to turn"),
    ],
)
def test_what_does_not_go_together_is_a_sentence(args: tuple[str, ...], says: str) -> None:
    ran = run("worksheet", "circle-duel", *args)
    assert (ran.status, ran.out) == (2, "")
    assert says in ran.err
