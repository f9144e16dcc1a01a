"""The claims and questions in the pages of rules, computed."""

from __future__ import annotations

import re

import pytest

from duelbox.core.code import parse_code
from duelbox.core.session import Session
from duelbox.registry import BUILT_IN, find_game, rules_text
from duelbox.solve import analyse
from duelbox.solve.api import Analysis


def solved(code: str) -> Analysis:
    session = parse_code(code, find_game)
    return analyse(session.game, session.view(session.turn))


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_pages_are_short_with_a_picture_and_three_questions(game_id: str) -> None:
    page = rules_text(game_id)
    before, _, after = page.partition("## Explore")
    questions = re.findall(r"^- .*\?", after.partition("## House rules")[0], re.MULTILINE)
    assert len(questions) == 3
    assert "\n    " in before, "a picture"
    told = [line for line in before.splitlines() if not line.startswith("    ")]
    assert len(" ".join(told).split()) <= 200
    code = re.search(r"^A position in one line: `(.*)`$", page, re.MULTILINE)
    assert code
    parse_code(code[1], find_game)


def test_what_the_questions_lead_to() -> None:
    assert solved("circle-duel:size=9").verdict == "win"
    assert solved("number-circle/+2.+9").moves[0].move == "+3"
    assert solved("sequence-duel:size=13,ring=on").verdict == "win"
    assert solved("sequence-duel:size=12,ring=on").verdict == "loss"


def test_only_the_first_two_picks_of_the_classic_ring_are_choices_and_they_change_nothing() -> None:
    assert {move.verdict for move in solved("circle-duel").moves} == {"loss"}
    assert {move.verdict for move in solved("circle-duel/4").moves} == {"win"}
    assert len(solved("circle-duel/4.5").moves) == 1


@pytest.mark.parametrize(("code", "left_over"), [("circle-duel:size=11", "1"), ("circle-duel:without=10", "9")])
def test_a_number_left_over_by_the_pairs_wins(code: str, left_over: str) -> None:
    assert next(move for move in solved(code).moves if move.move == left_over).verdict == "win"


def test_no_digit_is_rare_at_the_start_and_a_number_and_its_reverse_cancel() -> None:
    for zero, count in (("dead-end", 11), ("no-tens", 10)):
        session = parse_code(f"digit-chain:zero={zero}", find_game)
        starts = [session.game.format_move(move)[0] for move in session.legal_moves()]
        assert {digit: starts.count(digit) for digit in starts} == dict.fromkeys("123456789", count)
    assert solved("digit-chain:zero=no-tens").verdict == "loss"
    assert solved("digit-chain:zero=no-tens,without=12-21").verdict == "loss"
    assert solved("digit-chain:zero=no-tens,without=12").verdict == "win"
    # The example continues where it was said to end.
    assert len(solved("digit-chain/26.61.19.94.42.28.83.37.75.54").moves) == 10


def test_best_play_opens_with_a_2_and_positions_move_up() -> None:
    assert solved("number-duel").moves[0].move.startswith("2x")
    positions = {move.move[2:] for move in solved("number-duel:deal=31245-54321/3x2").moves}
    assert positions == {"1", "2", "3", "4"}


def test_claiming_2_makes_1_safe_and_with_as_many_safe_numbers_the_player_to_move_loses() -> None:
    session = parse_code("sequence-duel/2.10", find_game)
    assert session.view(None).open_to(0)[0] == 1
    assert session.view(None).open_to(1)[:2] == (4, 5)
    assert solved("sequence-duel:size=6/2.5.3").verdict == "loss"


def test_the_moves_on_the_page_of_number_circle_win_whatever_is_answered() -> None:
    def loses_nowhere(session: Session, mine: tuple[str, ...]) -> bool:
        session.type(mine[0])
        if session.outcome is not None:
            return session.outcome.winner == 0
        later = [session.copy() for _ in session.legal_moves()]
        for one, move in zip(later, session.legal_moves(), strict=True):
            one.play(move)
        return all(one.outcome is None and loses_nowhere(one, mine[1:]) for one in later)

    (moves,) = re.findall(r"always win: ([-+0-9 ]+)\.", rules_text("number-circle"))
    assert loses_nowhere(parse_code("number-circle", find_game), tuple(moves.split()))
