"""Rules of thumb that lessons end in, as players: what they score against level 3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.core.model import other
from duelbox.core.rng import Rng
from duelbox.games.number_circle.rules import neighbours, result
from duelbox.registry import find_game
from tests.bots.scenes import LONGEST, level_of, share_of_points
from tests.effort import sampled

FAR = 6
"""So many moves ahead somebody counts who takes the shortest way."""


def pairs(view: Any, rng: Rng) -> str:
    """Pair the free numbers going round from the last pick; pick one that stays single."""
    size, reach = view.options.size, view.options.reach

    def paired(free: Iterable[int], start: int) -> int:
        left, count = sorted(free, key=lambda number: (number - start) % size), 0
        while left:
            one = left.pop(0)
            near = [two for two in left if min((two - one) % size, (one - two) % size) <= reach]
            count += bool(near)
            left = [two for two in left if two not in near[:1]]
        return count

    most = paired(view.free, view.last or 1)
    single = [one for one in view.choices if paired(set(view.free) - {one}, one) == most]
    return str(rng.choice(single or view.choices))


def needed(view: Any, seat: int, moves: int = FAR) -> int:
    """How many own moves a player needs to hit the target, if the opponent never moved."""
    if view.totals[seat] == view.target or not moves:
        return 0 if view.totals[seat] == view.target else LONGEST

    def count(place: int, before: int | None, total: int, left: int) -> int:
        if total == view.target or not left:
            return 0 if total == view.target else LONGEST
        steps = [(one, result(total, sign, one)) for one in neighbours(place) if one != before for sign in ("+", "-")]
        return 1 + min(count(one, place, then, left - 1) for one, then in steps if then <= view.target)

    return count(view.places[seat], view.came_from[seat], view.totals[seat], moves)


def shortest_way(view: Any, rng: Rng) -> str:
    """Count the moves still needed to hit the target, alone, and take the shortest way."""
    game, seat = find_game("number-circle"), view.turn
    return game.format_move(
        _least(game.legal_moves(view), lambda move: needed(game.apply(view, seat, move)[0], seat), rng)
    )


def safe(view: Any, seat: int) -> int:
    """How many numbers only this player can still claim."""
    return len(set(view.open_to(seat)) - set(view.open_to(other(seat))))


def safe_numbers(view: Any, rng: Rng) -> str:
    """Claim so that the numbers only you can still claim outnumber those only the opponent can."""
    game, seat = find_game("sequence-duel"), view.turn

    def behind(move: Any) -> int:
        state, _ = game.apply(view, seat, move)
        return safe(state, other(seat)) - safe(state, seat)

    return game.format_move(_least(game.legal_moves(view), behind, rng))


def reverses(view: Any, rng: Rng) -> str:
    """Leave a row in which every number has its reverse; two alike and one alone answer each other."""
    pool = set(view.pool) - set(view.picks)

    def reverse(number: int) -> int:
        return number * 11 if number < 10 else number // 11 if number % 11 == 0 else number % 10 * 10 + number // 10

    def missing(number: int) -> int:
        left = pool - {number}
        return sum(reverse(one) not in left for one in left if str(one)[0] == str(number % 10))

    def row(number: int) -> tuple[bool, int]:
        empty = not any(str(one)[0] == str(number % 10) for one in pool - {number})
        return not empty, missing(number)

    return str(_least(view.choices, row, rng))


def small_first(view: Any, rng: Rng) -> str:
    """Attack with the smallest number that can still beat or tie something, where that is likeliest."""
    game, rival = find_game("number-duel"), other(view.turn)
    if view.arranging:
        return "".join(map(str, rng.shuffled(range(1, view.hand + 1))))

    def cost(strike: Any) -> tuple[bool, int, float]:
        face = view.faces[rival][strike.position - 1]
        there = (face,) if face else view.hidden(rival)
        taken = sum(one <= strike.number for one in there) / len(there)
        return not taken, strike.number, -taken

    return game.format_move(_least(game.legal_moves(view), cost, rng))


def _least(moves: Sequence[Any], cost: Callable[[Any], Any], rng: Rng) -> Any:
    costs = [cost(move) for move in moves]
    return rng.choice([move for move, one in zip(moves, costs, strict=True) if one == min(costs)])


RULES = {
    "circle-duel": ("size=30,reach=2,gaps=10", pairs),
    "number-circle": ("classic", shortest_way),
    "sequence-duel": ("classic", safe_numbers),
    "digit-chain": ("long-chain", reverses),
    "number-duel": ("classic", small_first),
}
"""For each game the house rules its rule of thumb is measured in, a preset or a code, and the rule as a player."""


def score(game_id: str, games: int) -> float:
    """The share of points of the rule of thumb against level 3."""
    game, (preset, rule) = find_game(game_id), RULES[game_id]
    named = (one.options for one in game.PRESETS if one.id == preset)
    options = next(named, None) or parse_code(f"{game_id}:{preset}", find_game).options
    return share_of_points(game, options, lambda view, seed: rule(view, Rng(seed)), level_of(game, "counter"), games)


@pytest.mark.parametrize("game_id", RULES)
def test_the_rule_of_thumb_beats_level_3(game_id: str) -> None:
    # Level 3 of Number Circle Duel goes by ways on, half of what the rule knows.
    assert score(game_id, sampled(30, 60)) >= (0.54 if game_id == "circle-duel" else 0.6)
