"""The rules of thumb of lessons, each as a simple player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from duelbox.core.model import SEATS, other
from duelbox.core.rng import Rng
from duelbox.games.number_circle.rules import neighbours, result
from duelbox.registry import find_game
from tests.bots.scenes import LONGEST

FAR = 6
"""The most moves of a way that this player counts."""
FEW = 8
"""With so many numbers left, the player looks to the end."""


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
    """The least number of own moves to the target."""
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


def near(game: Any, view: Any, moves: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Each move with the view after it."""
    for move in moves:
        yield move, game.apply(view, view.turn, move)[0]


def first_there(view: Any, rng: Rng) -> str:
    """Shut the opponent in; else be ahead, after the best answer, in the picks in a row through the numbers that each
    player reaches first; with few numbers left, look to the end."""
    game, they = find_game("circle-duel"), other(view.turn)
    size, reach = view.options.size, view.options.reach

    @cache
    def ways(last: int | None, free: frozenset[int]) -> list[int]:
        near = {(last - 1 + step) % size + 1 for step in range(-reach, reach + 1)} if last else free
        return sorted(near & free)

    @cache
    def longest(last: int, free: frozenset[int]) -> int:
        return max((1 + longest(one, free - {one}) for one in ways(last, free)), default=0)

    @cache
    def steps(last: int, free: frozenset[int]) -> dict[int, int]:
        found: dict[int, int] = {}
        front = set(ways(last, free))
        for count in range(1, len(free) + 1):
            found |= dict.fromkeys(front, count)
            front = {one for number in front for one in ways(number, free)} - found.keys()
        return found

    def lead(mine: int, theirs: int, free: frozenset[int]) -> int:
        """The way of the player who waits, less that of the player to move, over the numbers each reaches first."""
        here, there = steps(mine, free), steps(theirs, free)
        first = frozenset(one for one in here if here[one] <= there.get(one, LONGEST))
        second = frozenset(one for one in there if there[one] < here.get(one, LONGEST))
        return longest(mine, first) - longest(theirs, second)

    lasts = [next((one for at, one in reversed([*enumerate(view.picks)]) if at % 2 == seat), None) for seat in SEATS]

    @cache
    def wins(mine: int | None, theirs: int, free: frozenset[int]) -> bool:
        return any(not wins(theirs, one, free - {one}) for one in ways(mine, free))

    def cost(move: Any) -> tuple[bool, int]:
        free = frozenset(view.free) - {move.number}
        answers = ways(lasts[they], free)
        lost = len(view.free) <= FEW and wins(lasts[they], move.number, free)
        return lost, -min((lead(move.number, one, free - {one}) for one in answers), default=LONGEST)

    return game.format_move(_least(game.legal_moves(view), cost, rng))


def no_fork(view: Any, rng: Rng) -> str:
    """Hit if you can; leave no hit and no fork; have a hit whatever they play; else keep the total high."""
    game, me = find_game("number-circle"), view.turn

    def afters(state: Any) -> list[Any]:
        return [then for _, then in near(game, state, game.legal_moves(state))] if state.turn is not None else []

    def hits(state: Any) -> bool:
        return any(then.outcome for then in afters(state))

    def forked(state: Any) -> bool:
        """Every move of the next player leaves a hit to the last one."""
        answers = afters(state)
        return bool(answers) and all(then.turn not in (None, state.turn) and hits(then) for then in answers)

    def cost(move: Any) -> tuple[int, int]:
        after, _ = game.apply(view, me, move)
        if after.outcome is not None or after.turn == me:
            return (0 if after.outcome else 1 if hits(after) else 2), 0
        if hits(after):
            return 5, 0
        fork = any(then.turn == me and forked(then) for then in afters(after))
        return 1 if forked(after) else 4 if fork else 3, -after.totals[me]

    return game.format_move(_least(game.legal_moves(view), cost, rng))


def furthest_ahead(view: Any, rng: Rng) -> str:
    """Claim what puts you furthest ahead: the numbers that only you can claim, less those that only they can."""
    game = find_game("sequence-duel")

    def behind(move: Any) -> int:
        after, _ = game.apply(view, view.turn, move)
        mine, theirs = set(after.open_to(view.turn)), set(after.open_to(other(view.turn)))
        return len(theirs - mine) - len(mine - theirs)

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


def few(view: Any, rng: Rng) -> str:
    """Leave a row of few numbers, and be able to leave few after each answer."""
    pool = set(view.pool) - set(view.picks)

    def row(number: int, left: set[int]) -> set[int]:
        return (
            left - {number} if number % 10 == 0 else {one for one in left - {number} if str(one)[0] == str(number % 10)}
        )

    def cost(number: int) -> tuple[int, int]:
        left = pool - {number}
        answers = row(number, left)
        worst = max(
            (
                min((len(row(back, left - {answer})) for back in row(answer, left)), default=LONGEST)
                for answer in answers
            ),
            default=-1,
        )
        return worst, len(answers)

    return str(_least(view.choices, cost, rng))


def one_in_three(view: Any, rng: Rng, ahead: Fraction = Fraction(2, 3)) -> str:
    """Swap the highest if it lies open; else use the smallest that beats or ties one in three, ahead two in three."""
    game, me, they = find_game("number-duel"), view.turn, other(view.turn)
    if view.arranging:
        return "".join(map(str, rng.shuffled(range(1, view.hand + 1))))
    mine, theirs = view.left(me), view.left(they)
    wanted = ahead if len(mine) > len(theirs) else Fraction(1, 3)

    def cost(strike: Any) -> tuple[bool, bool, int, Fraction]:
        face = view.faces[they][strike.position - 1]
        there = (face,) if face else view.hidden(they)
        beaten = Fraction(sum(one <= strike.number for one in there), len(there))
        swap = face == strike.number == max(theirs) and max(mine) == face
        return not swap, beaten < wanted, strike.number, -beaten

    return game.format_move(_least(game.legal_moves(view), cost, rng))


def always_one_in_three(view: Any, rng: Rng) -> str:
    """The same without regard to the score."""
    return one_in_three(view, rng, Fraction(1, 3))


def winners_stay(view: Any, rng: Rng) -> str:
    """Beat what lies open, if you can; else attack with what nothing there can beat."""
    game, they = find_game("number-duel"), other(view.turn)

    def cost(strike: Any) -> tuple[bool, Fraction, Fraction, int]:
        face = view.faces[they][strike.position - 1]
        there = (face,) if face else view.hidden(they)
        lost = Fraction(sum(one > strike.number for one in there), len(there))
        beaten = Fraction(sum(one < strike.number for one in there), len(there))
        return not (face and beaten), lost, -beaten, strike.number

    return game.format_move(_least(game.legal_moves(view), cost, rng))


def _least(moves: Sequence[Any], cost: Callable[[Any], Any], rng: Rng) -> Any:
    costs = [cost(move) for move in moves]
    return rng.choice([move for move, one in zip(moves, costs, strict=True) if one == min(costs)])


Rule = Callable[[Any, Rng], str]
"""A rule as a player: by a view and a draw, the move as text."""

MEASURED: tuple[tuple[str, str, Rule], ...] = (
    ("circle-duel", "pairs", pairs),
    ("circle-duel", "two-trails", first_there),
    ("circle-duel", "long-trails", first_there),
    ("circle-duel", "leap", first_there),
    ("number-circle", "classic", shortest_way),
    ("number-circle", "tug-of-war", no_fork),
    ("number-circle", "tug-to-fifteen", no_fork),
    ("sequence-duel", "classic", furthest_ahead),
    ("sequence-duel", "ring", furthest_ahead),
    ("digit-chain", "long-chain", reverses),
    ("digit-chain", "wild-zero", few),
    ("digit-chain", "full-pool", few),
    ("number-duel", "classic", one_in_three),
    ("number-duel", "big-hands", always_one_in_three),
    ("number-duel", "own-order", one_in_three),
    ("number-duel", "winners-stay", winners_stay),
)
"""The rules of thumb, by the presets in which they are measured."""
