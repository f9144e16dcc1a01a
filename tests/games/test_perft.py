"""Counts of lines of play to depth 4: by the games, by the slow judges, and written down."""

from __future__ import annotations

import pytest

from duelbox.core.code import parse_code
from duelbox.core.game import AnyGame
from duelbox.core.model import Position
from duelbox.registry import find_game
from tests.effort import sampled
from tests.games.slow_rules import JUDGED, Judge, judge_of

# The number of lines of 1, 2, 3 and 4 moves from a position; a line that ends earlier is not counted further.
LINES = {
    "circle-duel": (10, 20, 20, 20),
    "circle-duel:size=30/1": (2, 2, 2, 2),
    "circle-duel:size=4,reach=3": (4, 12, 24, 24),
    "circle-duel:size=14,reach=2,without=3-9-10": (11, 34, 76, 124),
    "circle-duel:size=20,reach=3,gaps=5,seed=8/7": (4, 14, 40, 106),
    "circle-duel:size=15,reach=2,trails=own/4.9.5": (4, 11, 28, 46),
    "circle-duel:trails=own,size=6": (6, 30, 48, 72),
    "circle-duel:size=9,reach=3,trails=own,without=1-5/2.3": (3, 7, 15, 24),
    "number-circle": (4, 16, 28, 49),
    "number-circle:backtracking=on,sharing=off": (4, 8, 30, 80),
    "number-circle:sharing=off,shared_total=on,floor=0": (2, 3, 4, 4),
    "number-circle:target=12,backtracking=on,sharing=off,floor=0": (2, 2, 6, 10),
    "number-circle:target=20,shared_total=on/+9.+2": (2, 3, 5, 10),
    "number-circle:target=10,floor=0/+2.+2.+3.+3.-4.-4.+5.+5.-6.-6": (1, 1, 1, 1),
    "sequence-duel/10.13.7.16": (12, 121, 1114, 8536),
    "sequence-duel:size=12": (12, 110, 900, 5328),
    "sequence-duel:size=9/5": (6, 32, 100, 264),
    "sequence-duel:size=11,ring=on": (11, 88, 616, 2904),
    "sequence-duel:size=16,ring=on": (16, 208, 2496, 23584),
    "digit-chain/26": (11, 107, 1029, 9795),
    "digit-chain:zero=no-tens,gaps=20,seed=7": (70, 537, 4060, 30283),
    "digit-chain:zero=wild,gaps=50,seed=3/10": (48, 408, 3187, 23327),
    "digit-chain:without=9-91-92-93-94-95-96-97-98/19": (2, 1, 0, 0),
    "number-duel:deal=31524-51234": (25, 440, 5160, 37420),
    "number-duel:hand=3,deal=132-321": (9, 42, 81, 47),
    "number-duel:hand=4,deal=2413-3142": (16, 162, 940, 2710),
    "number-duel:victors_stay=on,deal=31524-51234/5x2.2x3": (15, 162, 1198, 5630),
    "number-duel:arrange=chosen,hand=3": (6, 36, 324, 1512),
}


def lines(game: AnyGame, state: Position, depth: int) -> int:
    """The number of lines of this depth, by the game."""
    legal = game.legal_moves(game.view(state, state.turn))
    if depth == 1 or state.turn is None:
        return len(legal)
    return sum(lines(game, game.apply(state, state.turn, move)[0], depth - 1) for move in legal)


def slow_lines(judge: Judge, depth: int) -> int:
    """The number of lines of this depth, by the slow judge."""
    texts = judge.moves()
    return len(texts) if depth == 1 else sum(slow_lines(judge.after(text), depth - 1) for text in texts)


@pytest.mark.parametrize("code", LINES)
def test_two_counts_agree_with_what_is_written(code: str) -> None:
    played = parse_code(code, find_game)
    judge = judge_of(played.game.INFO.id, played.options, played.start)
    for move in played.moves:
        judge = judge.after(played.game.format_move(move))
    depths = range(1, sampled(3, 4) + 1)
    assert tuple(slow_lines(judge, depth) for depth in depths) == LINES[code][: len(depths)]
    assert tuple(lines(played.game, played.state, depth) for depth in depths) == LINES[code][: len(depths)]


def test_every_game_is_counted_from_three_positions_or_more() -> None:
    counted = [code.partition(":")[0].partition("/")[0] for code in LINES]
    assert all(counted.count(game_id) >= 3 for game_id in JUDGED), "LINES needs more"
