"""An investigation without a screen: what a conjecture says, which cells it is tested on, what breaks it."""

from __future__ import annotations

import pytest

from duelbox.core.options import Options
from duelbox.lab.best_rules import code_of
from duelbox.lab.investigation import (
    TESTS,
    Cell,
    Conjecture,
    Investigation,
    Notes,
    place_in_words,
    place_of,
    read_notes,
)
from duelbox.lab.laws import Who, laws_on, who_wins
from duelbox.lab.map import Map
from duelbox.lab.preset_maps import facts_on_maps
from duelbox.registry import find_game

CIRCLE = find_game("circle-duel")
STORED = facts_on_maps(CIRCLE)


def two_trails(size: int = 12, gaps: int = 1) -> Investigation:
    """The map of own trails and jumps of two, with its cursor there."""
    return Investigation(Map.of(CIRCLE, CIRCLE.Options(size=size, reach=2, trails="own", gaps=gaps)), Notes())


def winner(found: Investigation, cell: Cell) -> Who | None:
    options = found.map.setting(*cell)
    assert isinstance(options, Options)
    return who_wins(STORED[code_of(CIRCLE, options)])


EVEN = Conjecture(when="even")


@pytest.mark.parametrize(
    ("conjecture", "says"),
    [
        (Conjecture(), "FFFFFF"),
        (EVEN, "FSFSFS"),
        (Conjecture(who="second", when="odd"), "FSFSFS"),
        (Conjecture(when="multiples of 3"), "SSFSSF"),
        (Conjecture(when="even", start=6), "  FSFS"),
    ],
)
def test_a_conjecture_says_who_wins_at_each_value(conjecture: Conjecture, says: str) -> None:
    signs = {"first": "F", "second": "S", None: " "}
    assert "".join(signs[conjecture.says(value)] for value in range(4, 10)) == says  # type: ignore[index]


def test_a_test_opens_five_closed_cells_that_the_conjecture_speaks_of() -> None:
    found = two_trails().claiming(EVEN.changed(start=8)).opening((8, 1))
    cells = found.to_test()
    assert len(cells) == TESTS
    assert cells == found.to_test(), "the same ones until another is opened"
    assert all(found.value(cell) >= 8 and not found.is_open(cell) for cell in cells)
    opened = found.opening(*found.line())
    assert opened.to_test() == []


def test_a_counterexample_breaks_a_conjecture_and_no_other_cell_does() -> None:
    found = two_trails().claiming(EVEN)
    assert not any(found.breaks(cell, winner(found, cell)) for cell in found.line())
    always = found.claiming(Conjecture())
    broken = [always.value(cell) for cell in always.line() if always.breaks(cell, winner(always, cell))]
    assert broken == [*range(5, 26, 2)]
    assert always.breaks((0, 1), None), "a cell where nobody always wins"
    assert not always.breaks((0, 0), "second"), "a cell of another row"


def test_a_column_and_the_whole_map_have_conjectures_of_their_own() -> None:
    found = two_trails().claiming(EVEN)
    column = found.at(found.map, "this column")
    assert column.conjecture is None
    assert (column.label, [column.value(cell) for cell in column.line()][:3]) == ("Number of gaps", [0, 1, 2])
    whole = found.at(found.map, "all").claiming(EVEN)
    assert whole.label == "Numbers in all and number of gaps together"
    assert whole.value((2, 1)) == 7
    assert len(whole.cells()) > 200
    assert found.notes.conjectures.keys() == {"/1"}
    assert whole.notes.conjectures.keys() == {"/1", "all"}


def test_another_conjecture_begins_its_tests_anew_and_keeps_what_is_open() -> None:
    found = two_trails().claiming(EVEN).opening((3, 1), (4, 1), tested=True)
    assert len(found.notes.tested) == 2
    other = found.claiming(Conjecture())
    assert (other.notes.tested, other.notes.opened) == ((), found.notes.opened)


def test_the_proof_of_a_conjecture_is_found_where_one_is_known() -> None:
    shared = Investigation(Map.of(CIRCLE, CIRCLE.Options(size=12, reach=2, gaps=1)), Notes())
    assert shared.claiming(EVEN).proof()
    assert shared.claiming(Conjecture(who="second", when="odd")).proof(), "the same in other words"
    assert shared.claiming(Conjecture(when="odd")).proof() is None
    assert two_trails().claiming(EVEN).proof() is None


def test_true_conjectures_that_can_be_written_are_the_laws_of_rows() -> None:
    found = two_trails()
    laws = {law.fixed["gaps"]: law for law in laws_on(found.map, lambda one: STORED.get(code_of(CIRCLE, one)))}
    assert laws[1].pattern == EVEN.pattern(range(4, 26))


def test_lines_of_the_conjecture_turn_to_their_next_value_and_come_round() -> None:
    found = two_trails().turning(0, 1)
    assert found.conjecture == Conjecture(who="second")
    assert found.turning(1, -1).conjecture == Conjecture(who="second", when="multiples of 5")
    assert found.turning(2, 1).conjecture == Conjecture(who="second", start=4)
    assert found.turning(2, 1).turning(2, -1).conjecture == found.conjecture
    assert found.turning(3, -1).scope == "all"
    assert found.turning(3, 3).scope == "this row"


def test_the_cursor_stays_in_its_row_and_goes_round_the_rows() -> None:
    found = two_trails(size=4, gaps=0)
    assert found.moved(-1, 0).map.at == found.map.at
    assert found.moved(0, -1).map.at[1] == found.map.size[1] - 1
    assert found.at(found.map, "this column").moved(0, 1).map.at == (1, 0)


def test_notes_come_back_as_they_were_kept_and_senseless_ones_are_empty() -> None:
    notes = two_trails().claiming(EVEN).opening((3, 1), tested=True).notes
    assert read_notes(notes.model_dump(mode="json")) == notes
    for value in ({"opened": 3}, "x", None, [], {"conjectures": {"a": {"when": "never"}}}):
        assert read_notes(value) == Notes()


@pytest.mark.parametrize(
    ("move", "moves", "place"),
    [
        ("5", "1 2 3 4 5 6 7 8 9", (5, 9)),
        ("2", "1 2 3 5 6 7 8", (6, 7)),
        ("8", "1 2 3 5 6 7 8", (4, 7)),
        ("1", "1 2 5 8", (1, 4)),
        ("a1", "a1 b2", None),
        ("9", "1 2", None),
    ],
)
def test_the_place_of_a_first_pick_is_counted_from_the_gap(move: str, moves: str, place: tuple[int, int]) -> None:
    assert place_of(move, moves.split()) == place


def test_the_middle_has_a_name() -> None:
    assert place_in_words(4, 7) == "number 4 of 7: the middle"
    assert place_in_words(1, 7) == "number 1 of 7"
