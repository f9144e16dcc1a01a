"""An investigation without a screen: what a conjecture says, which cells it is tested on, what breaks it."""

from __future__ import annotations

import pytest

from duelbox.core.options import Options
from duelbox.registry import find_game
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.investigation import TESTS, Conjecture, Investigation, Notes, is_middle, place_of, read_notes
from duelbox.rules_lab.laws import Who, laws_on, who_wins
from duelbox.rules_lab.map import Map
from duelbox.rules_lab.preset_maps import facts_on_maps

CIRCLE = find_game("circle-duel")
STORED = facts_on_maps(CIRCLE)


def two_trails(size: int = 12, gaps: int = 1) -> Investigation:
    """The map of own trails and jumps of two, with its cursor there."""
    return Investigation(Map.of(CIRCLE, ring(size, gaps)))


def ring(size: int, gaps: int) -> Options:
    options: Options = CIRCLE.Options(size=size, reach=2, trails="own", gaps=gaps)
    return options


def winner(cell: Options) -> Who | None:
    return who_wins(STORED[code_of(CIRCLE, cell)])


EVEN = Conjecture(when="even")


@pytest.mark.parametrize(
    ("conjecture", "says"),
    [
        (Conjecture(), "FFFFFF"),
        (EVEN, "FSFSFS"),
        (Conjecture(who="second", when="odd"), "FSFSFS"),
        (Conjecture(when="multiples of 3"), "SSFSSF"),
        (Conjecture(when="even", start=6), "  FSFS"),
        (Conjecture(who="second or draw", when="even"), "S=S=S="),
        (Conjecture(who="draw", when="odd"), " = = ="),
    ],
)
def test_a_conjecture_says_who_wins_at_each_value(conjecture: Conjecture, says: str) -> None:
    signs = {"first": "F", "second": "S", "draw": "=", None: " "}
    assert "".join(signs[conjecture.says(value)] for value in range(4, 10)) == says


def test_a_test_opens_five_closed_cells_that_the_conjecture_speaks_of() -> None:
    found = two_trails().claiming(EVEN.changed(start=8)).opening(ring(12, 1))
    cells = found.to_test()
    assert len(cells) == TESTS
    assert cells == found.to_test(), "the same ones until another is opened"
    assert all(found.value(cell) >= 8 and not found.is_open(cell) for cell in cells)
    opened = found.opening(*found.row())
    assert opened.to_test() == []


def test_a_counterexample_breaks_a_conjecture_and_no_other_cell_does() -> None:
    found = two_trails().claiming(EVEN)
    assert not any(found.breaks(cell, winner(cell)) for cell in found.row())
    always = found.claiming(Conjecture())
    broken = [always.value(cell) for cell in always.row() if always.breaks(cell, winner(cell))]
    assert broken == [*range(5, 26, 2)]
    assert always.breaks(ring(4, 1), None), "a cell where nobody always wins"
    assert not always.breaks(ring(4, 0), "second"), "a cell of another row"


def test_a_column_and_the_whole_map_have_conjectures_of_their_own() -> None:
    found = two_trails().claiming(EVEN)
    column = found.choosing(3, 1)
    assert (column.map.x.key, [column.value(cell) for cell in column.row()][:3]) == ("gaps", [0, 1, 2])
    assert column.key == found.key, "the same notes"
    whole = found.choosing(3, 2)
    assert whole.value(ring(6, 1)) == 7
    assert len(whole.cells()) > 200
    assert found.notes.conjectures.keys() == {"gaps=1"}
    assert column.notes.conjectures.keys() == {"gaps=1", "size=12"}
    assert whole.notes.conjectures.keys() == {"gaps=1", "all"}
    line = Investigation(Map.of(find_game("sequence-duel"), find_game("sequence-duel").Options()))
    assert line.lines()[3] == (["Numbers in all"], "Numbers in all"), "no column of numbers"


def test_another_conjecture_begins_its_tests_anew_and_keeps_what_is_open() -> None:
    found = two_trails().claiming(EVEN).opening(ring(7, 1), ring(8, 1), tested=True)
    assert len(found.notes.tested) == 2
    other = found.claiming(Conjecture())
    assert (other.notes.tested, other.notes.opened) == ((), found.notes.opened)


def test_the_proof_of_a_conjecture_is_found_where_one_is_known() -> None:
    shared = Investigation(Map.of(CIRCLE, CIRCLE.Options(size=12, reach=2, gaps=1)))
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
    assert found.turning(3, -1).whole
    assert not found.turning(3, 3).whole


def test_a_draw_can_be_claimed_where_a_game_can_end_in_one() -> None:
    game = find_game("number-circle")
    tug = next(preset.options for preset in game.PRESETS if preset.id == "tug-of-war")
    found = Investigation(Map.of(game, tug))
    assert [*found.lines()[0][0]] == ["first", "second", "draw", "first or draw", "second or draw"]
    assert [*two_trails().lines()[0][0]] == ["first", "second"]
    stored = facts_on_maps(game)
    law = found.claiming(Conjecture(who="second or draw", when="even", start=12))
    assert not any(law.breaks(cell, who_wins(stored[code_of(game, cell)])) for cell in law.row())


def test_the_cursor_stays_in_its_row_and_goes_round_the_rows() -> None:
    found = two_trails(size=4, gaps=0)
    assert found.moved(-1, 0).map.at == found.map.at
    assert found.moved(0, -1).map.at[1] == found.map.size[1] - 1
    assert found.moved(1, 0).here == ring(5, 0)


def test_notes_come_back_as_they_were_kept_and_senseless_ones_are_empty() -> None:
    notes = two_trails().claiming(EVEN).opening(ring(7, 1), tested=True).notes
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
    assert is_middle(4, 7)
    assert not is_middle(1, 7)
    assert not is_middle(4, 8)
