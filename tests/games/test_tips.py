"""What the pages of rules tell and advise, computed."""

from __future__ import annotations

import re

import pytest

from duelbox.core.code import parse_code
from duelbox.registry import BUILT_IN, find_game, rules_text
from duelbox.solve import analyse
from duelbox.solve.api import Analysis


def solved(code: str) -> Analysis:
    session = parse_code(code, find_game)
    return analyse(session.game, session.view(session.turn))


def tips(game_id: str) -> list[str]:
    page = rules_text(game_id)
    return re.findall(r"^- ", page.partition("## Tips")[2].partition("## House rules")[0], re.MULTILINE)


@pytest.mark.parametrize("game_id", sorted({*BUILT_IN} - {"number-circle"}))
def test_pages_give_tips_beside_what_is_good_to_know(game_id: str) -> None:
    page = rules_text(game_id)
    assert page.index("## Good to know") < page.index("## Tips") < page.index("## House rules")
    assert len(tips(game_id)) >= 4


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
    # The example of the game goes on where it was said to end.
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
