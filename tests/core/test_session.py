"""Undo and redo as a person sees them: back to their own last choice, past a computer's answers."""

from __future__ import annotations

import pytest

from duelbox.core.code import parse_code
from duelbox.core.errors import CannotUndo
from duelbox.core.session import Session
from duelbox.registry import find_game

FIRST, SECOND = (0,), (1,)


def told(session: Session) -> list[str]:
    return [move for _, move in session.log()]


@pytest.mark.parametrize(
    ("people", "moves", "left"),
    [
        (FIRST, "4.5", ""),
        (FIRST, "4.5.6", "4.5"),
        (FIRST, "4.5.6.7", "4.5"),
        (SECOND, "4.5", "4"),
        (SECOND, "4.5.6", "4"),
        (SECOND, "4.5.6.7.8", "4.5.6"),
        ((0, 1), "4.5.6", "4.5"),
    ],
)
def test_undo_goes_back_to_a_persons_choice_and_redo_forth(people: tuple[int, ...], moves: str, left: str) -> None:
    session = parse_code(f"circle-duel/{moves}", find_game)
    session.undo(people)
    assert told(session) == (left.split(".") if left else [])
    assert session.turn in people
    session.redo(people)
    assert told(session)[: len(moves.split("."))] == moves.split(".")


def test_undo_after_the_end_goes_back_to_a_persons_choice() -> None:
    for people, left in ((FIRST, ["1", "2"]), (SECOND, ["1", "2", "3"])):
        session = parse_code("circle-duel:size=4/1.2.3.4", find_game)
        assert session.outcome is not None
        session.undo(people)
        assert told(session) == left


def test_there_is_no_way_back_before_a_persons_first_choice() -> None:
    session = parse_code("circle-duel/4.5", find_game)
    session.undo(SECOND)
    with pytest.raises(CannotUndo, match="no move yet"):
        session.undo(SECOND)
    assert told(session) == ["4"]


def test_a_secret_order_is_taken_back_with_that_of_the_computer_but_not_once_numbers_met() -> None:
    session = parse_code("number-duel:hand=3,arrange=chosen/132.213", find_game)
    session.undo(FIRST)
    assert session.plies == ()
    session.redo(FIRST)
    assert len(session.plies) == 2
    session.type("3x1")
    with pytest.raises(CannotUndo, match="revealed"):
        session.undo(FIRST)
    assert len(session.plies) == 3


def test_a_draw_agreed_on_is_told_of_whose_turn_it_was() -> None:
    """A code, a record and the log of both sides agree, whichever player offered the draw."""
    for offers in (0, 1, None):
        session = parse_code("number-circle/+2", find_game)
        session.cut("agreement", offers)
        assert session.log()[-1] == (1, "draw agreed")
