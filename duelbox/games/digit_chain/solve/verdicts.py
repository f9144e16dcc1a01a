"""Digit Chain Duel, solved by cancelling pairs.

A number and its reverse cancel, and so do 7 and 77: the winner is the same without them. The rest is searched
(`chains`), at a cost exponential in the numbers without a partner, which are few. Without tens, the full pool cancels
to nothing and Player 2 wins; with classic tens any number ending in 0 wins at once.

Cancelled numbers take turns, so plies are counted by another search (`turn_count`), exponential in the turns to the
end. It stops after `PLIES_STEPS` and leaves the other plies None.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

from duelbox.core.model import player
from duelbox.games.digit_chain.rules import View, first_digit
from duelbox.games.digit_chain.solve.chains import PARTNER, Chains, Place, Steps, Wild, packed, reached
from duelbox.games.digit_chain.solve.reasons import Reasons
from duelbox.games.digit_chain.solve.turn_count import TurnCount
from duelbox.solve.api import Analysis, Instead, Mark, Rated, Reason, Stop
from duelbox.solve.rating import Sign, analysis_from, rated

PLIES_STEPS = 900  # positions looked at to count turns: 5 to 10 ms


def placed(view: View) -> Place:
    """The position of a view for the search."""
    return packed(view.pool, view.digit)


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict and its reason, then with each further move rated, then with the turns."""
    stop.check()
    wild, place = view.options.zero == "wild", placed(view)
    chains, steps = _search(wild, stop)
    reasons = Reasons(chains, wild, player(view.rival))
    won = chains.wins(*place[1:])
    sign: Sign = 1 if won else -1
    pick = reasons.winning(place) if won else None
    plies = 1 if pick is not None and reasons.ends(reached(place, pick)) else None
    reason = reasons.loss(place) if pick is None else Reason(f"Pick {pick}.")
    yield analysis_from(view.mover, sign, plies, (), reason.sentence, complete=False)
    wins, moves = dict[int, bool](), list[Rated]()
    # among equals, the move of the reason comes first
    for number in sorted(view.choices, key=lambda number: number != pick):
        stop.check()
        way = reached(place, number)
        wins[number] = won and not chains.wins(*way[1:])
        moves.append(rated(str(number), 1 if wins[number] else -1, 1 if reasons.ends(way) else None))
        yield analysis_from(view.mover, sign, plies, moves, reason.sentence, complete=False)
    steps.left = PLIES_STEPS
    counted = TurnCount(chains, wild, steps).count(place, wins)
    steps.left = None
    moves = [rated(str(number), 1 if win else -1, counted.get(number)) for number, win in wins.items()]
    answered = place
    if won:
        right = [str(number) for number, win in wins.items() if win]
        reason = reasons.win(place, right, [str(number) for number, win in wins.items() if not win])
        answered = reached(place, int(reason.advised))
    answers = tuple((str(one), str(two)) for one, two in reasons.answers(answered))
    reason = replace(reason, shown=(Mark("pairs", pairs=answers),) * bool(answers))
    yield analysis_from(view.mover, sign, _plies(wins, counted, won), moves, reason)


def _search(wild: bool, stop: Stop) -> tuple[Chains, Steps]:
    """The search for this kind of zero, shared by all analyses with the same stop flag, and its steps."""
    steps = Steps(stop.check)
    shared: tuple[Chains, Steps] = stop.memory.setdefault(wild, (Wild(steps) if wild else Chains(steps), steps))
    return shared


def refuted(view: View, move: str, stop: Stop) -> Instead:
    """The answer to a losing pick, and what it takes."""
    wild = view.options.zero == "wild"
    chains, _ = _search(wild, stop)
    return Reasons(chains, wild, player(view.rival)).refuted(placed(view), move)


def _plies(wins: Mapping[int, bool], counted: Mapping[int, int], won: bool) -> int | None:
    """Turns to the end: the shortest counted win, as uncounted ones are no shorter; or the longest loss."""
    known = [turns for number, turns in counted.items() if wins[number] == won]
    if won:
        return min(known, default=None)
    return max(known) if len(known) == len(wins) else None


def partners(view: View) -> tuple[dict[str, str], bool]:
    """The numbers whose reverse is there, and True if all numbers are such: then the player to move loses."""
    pool = set(view.pool)
    pairs = {str(one): str(PARTNER[one]) for one in pool if PARTNER[one] in pool}
    return pairs, len(pairs) == len(pool)


# -- what a position comes to


def essence(view: View) -> Hashable:
    """The digit and the numbers that can still come up, as steps from digit to digit."""
    wild = view.options.zero == "wild"
    if view.digit is None:
        return wild, None, _levelled(view.pool)
    rows, todo, pool = set[int](), [view.digit], view.pool
    while todo:
        digit = todo.pop()
        if wild and digit == 0:
            return wild, view.digit, _levelled(view.pool)
        if digit not in rows:
            rows.add(digit)
            todo += [number % 10 for number in pool if first_digit(number) == digit]
    return wild, view.digit, _levelled([number for number in pool if first_digit(number) in rows])


def _levelled(pool: tuple[int, ...] | list[int]) -> tuple[tuple[int, int], ...]:
    """The numbers as steps from digit to digit, so that 4 and 44 are the same."""
    return tuple(sorted((first_digit(number), number % 10) for number in pool))
