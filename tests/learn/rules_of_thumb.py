"""Rules of thumb that lessons end in, each as a simple player."""

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


def near(game: Any, view: Any, moves: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Each move with the view after it."""
    for move in moves:
        yield move, game.apply(view, view.turn, move)[0]


def room(view: Any, rng: Rng) -> str:
    """Shut them in if you can; else have as much room as they after each answer, and leave them few ways on."""
    game, me, they = find_game("circle-duel"), view.turn, other(view.turn)
    size, reach = view.options.size, view.options.reach

    def ways(last: int | None, free: frozenset[int]) -> list[int]:
        near = {(last - 1 + step) % size + 1 for step in range(-reach, reach + 1)} if last else free
        return sorted(near & free)

    @cache
    def longest(last: int | None, free: frozenset[int]) -> int:
        return max((1 + longest(one, free - {one}) for one in ways(last, free)), default=0)

    def behind(move: Any) -> tuple[int, int]:
        after, _ = game.apply(view, me, move)
        if after.outcome is not None:
            return -LONGEST, 0
        lasts = [
            next((one for at, one in reversed([*enumerate(after.picks)]) if at % 2 == seat), None) for seat in SEATS
        ]
        free = frozenset(after.free)
        answers = ways(lasts[they], free) if lasts[they] else []
        rest = [(one, free - {one}) for one in answers]
        return max((longest(one, left) - longest(lasts[me], left) for one, left in rest), default=0), len(answers)

    return game.format_move(_least(game.legal_moves(view), behind, rng))


def no_hit(view: Any, rng: Rng) -> str:
    """Hit if you can; leave no hit; have a hit whatever they play; else keep the total high."""
    game, me = find_game("number-circle"), view.turn

    def hits(state: Any) -> bool:
        return any(then.outcome for _, then in near(game, state, game.legal_moves(state)))

    def cost(move: Any) -> tuple[int, int]:
        after, _ = game.apply(view, me, move)
        if after.outcome is not None or after.turn == me:
            return (0 if after.outcome else 1 if hits(after) else 2), 0
        answers = [then for _, then in near(game, after, game.legal_moves(after))]
        fork = all(then.turn == me and hits(then) for then in answers)
        return 4 if hits(after) else 1 if fork else 3, -after.totals[me]

    return game.format_move(_least(game.legal_moves(view), cost, rng))


def stake(view: Any, rng: Rng) -> str:
    """Copy if you can; have more safe numbers than they have claims left; else claim where both could gain most."""
    game, me, they = find_game("sequence-duel"), view.turn, other(view.turn)

    def lead(state: Any, seat: int) -> int:
        mine, theirs = set(state.open_to(seat)), set(state.open_to(other(seat)))
        return len(mine - theirs) - len(theirs - mine)

    def safe(state: Any) -> int:
        theirs = set(state.open_to(they))
        return sum(not theirs & {one, *state.neighbours(one)} for one in state.open_to(me))

    turned = view.model_copy(update={"turn": they})
    theirs = {
        move: lead(after, they) - lead(view, they) for move, after in near(game, turned, game.legal_moves(turned))
    }

    def copied(state: Any) -> bool:
        mine, claims = set(state.open_to(me)), state.open_to(they)
        sums = range(2, 2 * view.options.size + 1)
        return any(all(a - x in mine and a - x not in (x, *state.neighbours(x)) for x in claims) for a in sums)

    def cost(move: Any) -> tuple[bool, bool, int]:
        after, _ = game.apply(view, me, move)
        gain = lead(after, me) - lead(view, me) + theirs.get(move, 0)
        return not copied(after), safe(after) < len(after.open_to(they)), -gain

    return game.format_move(_least(game.legal_moves(view), cost, rng))


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


def one_in_three(view: Any, rng: Rng) -> str:
    """Swap the highest if it lies open; else use the smallest that takes one in three, ahead two in three."""
    game, me, they = find_game("number-duel"), view.turn, other(view.turn)
    if view.arranging:
        return "".join(map(str, rng.shuffled(range(1, view.hand + 1))))
    mine, theirs = view.left(me), view.left(they)
    wanted = Fraction(2, 3) if len(mine) > len(theirs) else Fraction(1, 3)

    def cost(strike: Any) -> tuple[bool, bool, int, Fraction]:
        face = view.faces[they][strike.position - 1]
        there = (face,) if face else view.hidden(they)
        beaten = Fraction(sum(one <= strike.number for one in there), len(there))
        swap = face == strike.number == max(theirs) and max(mine) == face
        return not swap, beaten < wanted, strike.number, -beaten

    return game.format_move(_least(game.legal_moves(view), cost, rng))


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
    ("circle-duel", "two-trails", room),
    ("circle-duel", "long-trails", room),
    ("circle-duel", "leap", room),
    ("number-circle", "classic", shortest_way),
    ("number-circle", "tug-of-war", no_hit),
    ("number-circle", "tug-to-fifteen", no_hit),
    ("sequence-duel", "classic", stake),
    ("sequence-duel", "ring", stake),
    ("sequence-duel", "big-ring", stake),
    ("digit-chain", "long-chain", reverses),
    ("digit-chain", "wild-zero", few),
    ("digit-chain", "full-pool", few),
    ("number-duel", "classic", one_in_three),
    ("number-duel", "big-hands", one_in_three),
    ("number-duel", "own-order", one_in_three),
    ("number-duel", "winners-stay", winners_stay),
)
"""The rules that lessons end in, by the presets in which they are measured."""
