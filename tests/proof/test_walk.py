"""The walk in which a person proves a win: what is asked, refuted, closed and kept."""

from __future__ import annotations

import pytest

from duelbox.core.errors import MoveError
from duelbox.core.model import Seat
from duelbox.proof import walk as walks
from duelbox.proof.api import NoProof
from duelbox.proof.checker import check
from duelbox.proof.deal import deal_of
from duelbox.proof.line import read_proof
from duelbox.proof.walk import Walk
from duelbox.solve.api import Stop
from tests.proof.slow import Judge

PAIRS = "circle-duel:size=16,reach=2,gaps=4,seed=9"
SMALL = "circle-duel:reach=2,without=3-4"


def chosen(code: str, side: Seat) -> Walk:
    return walks.choose(walks.begin(code), side)


def answered(walk: Walk, most: int = 1000) -> Walk:
    """The walk after the first right move to each question, up to so many."""
    deal = deal_of(walk.code)
    for _ in range(most):
        at = walks.look(walk).at
        if at is None:
            break
        spot = deal.after(at)
        assert spot is not None
        walk = walks.answer(walk, deal.right(spot, Stop())[0])
    return walk


@pytest.mark.parametrize(
    ("code", "side"),
    [
        (SMALL, 1),
        ("circle-duel", 1),
        ("circle-duel:size=9,reach=2,trails=own", 0),
        ("sequence-duel:size=9", 0),
        ("sequence-duel:size=7,ring=on", 0),
        ("sequence-duel:size=9/5.1", 0),
    ],
)
def test_a_walk_answered_to_its_end_is_a_proof(code: str, side: Seat) -> None:
    walk = answered(chosen(code, side))
    assert check(read_proof(walks.proof_of(walk).line)).proved


def test_only_positions_where_a_move_would_lose_are_asked() -> None:
    walk = chosen(SMALL, 1)
    deal = deal_of(walk.code)
    judge = Judge(deal.game)
    while (at := walks.look(walk).at) is not None:
        spot = deal.after(at)
        assert spot is not None
        assert any(after.view.turn is None or judge.wins(after.view) for after in deal.next(spot).values())
        walk = answered(walk, 1)
    assert walk.right


def test_a_false_side_is_refuted_by_a_game_and_may_be_turned_round() -> None:
    walk = chosen(SMALL, 0)
    assert walk.side is None
    assert walk.last is not None
    spot = deal_of(SMALL).after(walk.last.line)
    assert spot is not None
    assert spot.view.outcome.winner == 1
    assert walks.choose(walk, 1).side == 1


def test_a_wrong_answer_is_refuted_and_the_question_stays() -> None:
    walk = chosen(PAIRS, 1)
    stage = walks.look(walk)
    deal = deal_of(PAIRS)
    assert stage.at is not None
    spot = deal.after(stage.at)
    assert spot is not None
    wrong = next(move for move in stage.choices if move not in deal.right(spot, Stop()))
    refuted = walks.answer(walk, wrong)
    assert refuted.last is not None
    assert refuted.last.sentence.startswith(f"{wrong} loses: Player 1 picks ")
    end = deal.after((*stage.at, *refuted.last.line))
    assert end is not None
    assert end.view.outcome.winner == 0
    assert walks.look(refuted) == stage
    assert refuted.wrong == 1


def test_an_illegal_answer_changes_nothing() -> None:
    with pytest.raises(MoveError, match="Free for you"):
        walks.answer(chosen(PAIRS, 1), "12")


def test_the_opponents_first_moves_close_in_number_order() -> None:
    walk = chosen(PAIRS, 1)
    before: tuple[str, ...] = ()
    while True:
        stage = walks.look(walk)
        assert stage.replies[: len(stage.closed)] == stage.closed
        assert len(stage.closed) >= len(before)
        before = stage.closed
        if stage.done:
            break
        walk = answered(walk, 1)
    assert before == stage.replies


def test_the_first_answers_stand_in_a_row() -> None:
    walk = walks.answer(chosen(PAIRS, 1), "2")
    assert walks.look(walk).row == ("1-2",)
    while walks.look(walk).now in ("1", "2"):
        walk = answered(walk, 1)
    assert walks.look(walk).row == ("1-2", "2-1", "3-?")


def test_pairs_close_everything_in_one_wave_and_say_what_they_saved() -> None:
    walk = answered(chosen(PAIRS, 1), 3)
    before = walks.look(walk)
    walk = walks.claim(walk, "pairs 1-2 3-5 6-7 9-10 13-14 15-16")
    stage = walks.look(walk)
    assert stage.done
    assert walk.last is not None
    assert walk.last.closed == len(stage.replies) - len(before.closed)
    assert walk.last.saved > 3
    assert check(walks.proof_of(walk)).positions == 1


def test_pairs_that_do_not_hold_are_broken_by_a_reply() -> None:
    walk = walks.claim(chosen(PAIRS, 1), "pairs 1-2")
    assert walk.last is not None
    assert not walk.last.right
    assert "the rule names no answer to" in walk.last.sentence
    assert walks.look(walk).at is not None


def test_copying_needs_no_map_typed() -> None:
    walk = chosen("sequence-duel:size=9", 0)
    walk = walks.answer(walk, "5")
    walk = walks.claim(walk, "copy")
    assert walks.look(walk).done
    assert check(walks.proof_of(walk)).positions == 2


def test_a_rule_that_holds_after_an_answer_is_taken_with_the_answer() -> None:
    walk = walks.claim(chosen("sequence-duel:size=9", 0), "copy")
    assert [step.text for step in walk.right] == ["5"]
    assert walks.look(walk).done
    assert walks.undo(walks.undo(walk)) == chosen("sequence-duel:size=9", 0)


def test_a_rule_that_would_hold_after_no_answer_is_refused_also_where_one_ends_the_game() -> None:
    walk = chosen("sequence-duel:size=7/2.4", 0)
    assert any(spot.view.turn is None for spot in deal_of(walk.code).next(deal_of(walk.code).root).values())
    with pytest.raises(NoProof, match="make your first pick"):
        walks.claim(walk, "copy")


@pytest.mark.parametrize("text", ["", "pairs", "pairs 1", "pairs 1-2 2-4", "reverse", "pairs 1-x"])
def test_a_text_that_is_no_rule_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(NoProof):
        walks.claim(chosen(PAIRS, 1), text)


def test_a_walk_is_kept_and_carried_on() -> None:
    walk = answered(chosen(PAIRS, 1), 4)
    again = Walk.model_validate_json(walk.model_dump_json())
    assert walks.look(again) == walks.look(walk)


def test_undo_takes_the_last_answer_back() -> None:
    walk = answered(chosen(PAIRS, 1), 4)
    assert walks.undo(answered(walk, 1)) == walk
    assert walks.look(walks.anew(walk)) == walks.look(chosen(PAIRS, 1))


def test_a_proof_too_long_to_check_has_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = answered(chosen(SMALL, 1))
    monkeypatch.setattr("duelbox.proof.checker.MOST_POSITIONS", 20)
    with pytest.raises(NoProof, match="There is no line of this proof: it goes on after 20 positions"):
        walks.proof_of(walk)
