"""Fixed rules of play, such as copying, and the share of deals in which one of them wins every game."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import Any, NamedTuple

from duelbox.core.game import AnyGame
from duelbox.core.model import Seat, other
from duelbox.core.rng import Rng
from duelbox.rules_lab.players import LONGEST, answers, value, won_by
from duelbox.solve import rate_moves, solver_of
from duelbox.solve.api import HALF, ONE, Stop

JUDGED, CHANCE = 10, 20
"""The games a rule has to win: those in which giving up the win counts as a loss, and those against chance."""
PLANS = 3
"""The first moves, or lists of moves, that a rule may try in a deal."""
NODES = 2_000
"""The most positions looked at to prove a rule."""

Played = Sequence[tuple[Seat, str]]
"""The moves of both players, with their seats."""
Policy = Callable[[Any, Played], Sequence[str]]
"""Gives the moves of a rule in a view after these moves, any of which it may make; empty if it has none."""


@dataclass(frozen=True)
class Deal:
    """A dealt game, and the seat that wins it with best play."""

    game: AnyGame
    start: Any
    winner: Seat
    stop: Stop

    @cached_property
    def openings(self) -> list[tuple[str, Any, Mapping[str, str], bool]]:
        """The first moves of the winner ("" if the other begins), each with the position after it, its partners, and
        True if answering with partners is proved to win."""
        states = [("", self.start)]
        if self.start.turn == self.winner:
            moves = _moves(self.game, self.start)
            states = [(move, _after(self.game, self.start, move)) for move in moves]
        partners = solver_of(self.game.INFO.id).partners
        return [(move, after, *partners(after)) for move, after in states if after.turn not in (None, self.winner)]

    def kind(self, opening: str) -> Hashable:
        """A key of a first move, the same for moves that lead to the same position, turned or mirrored."""
        after = _after(self.game, self.start, opening)
        if after.turn is None:
            return ""
        return solver_of(self.game.INFO.id).essence(self.game.view(after, after.turn))

    def won(self, state: Any) -> bool:
        """The winner still wins in this state."""
        return value(self.game, state, self.winner, self.stop) == ONE


Place = tuple[str, ...]
"""The coordinates of a move."""
_COORDINATE = re.compile("[0-9]+|[a-z]")


class Plan(NamedTuple):
    """A way to play by a rule in one deal."""

    does: str
    """The plan as a predicate: "plays 5 first and then answers every move with its partner"."""
    policy: Policy | None
    """None if the solver proves the win."""
    chosen: bool = False
    """It wins only with the right one of several first moves that the rule allows."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A fixed rule, as a predicate, and a function that gives its plans for a deal."""

    does: str
    plans: Callable[[Deal], Iterator[Plan]]


def _moves(game: AnyGame, view: Any) -> list[str]:
    return [game.format_move(move) for move in game.legal_moves(view)]


def _after(game: AnyGame, state: Any, move: str) -> Any:
    return game.apply(state, state.turn, game.parse_move(state, move))[0]


# -- the rules


def _by_partners(deal: Deal) -> Iterator[Plan]:
    """Begin with moves that leave few answers without a partner, and answer each move with its partner."""
    for move, _, _, proved in deal.openings:
        if proved and move:
            yield Plan(f"plays {move} first and then {PARTNERS}", None)
        elif proved:
            yield Plan(PARTNERS, None)
    known = [(move, after, table) for move, after, table, _ in deal.openings if table]
    known.sort(key=lambda one: sum(answer not in one[2] for answer in _moves(deal.game, one[1])))
    for move, _, table in islice((one for one in known if deal.won(one[1])), PLANS):
        yield Plan(PARTNERS, _answering(deal, move, table))


def _answering(deal: Deal, opening: str, table: Mapping[str, str]) -> Policy:
    def policy(view: Any, played: Played) -> Sequence[str]:
        if not played:
            return [opening]
        partner = table.get(played[-1][1], "")
        if partner in _moves(deal.game, view):
            return [partner]
        return _fewest(deal, view)

    return policy


def _fewest(deal: Deal, view: Any) -> list[str]:
    """The moves that leave the opponent the fewest answers."""
    left = {move: answers(deal.game, _after(deal.game, view, move), deal.winner) for move in _moves(deal.game, view)}
    least = min(left.values())
    return [move for move in left if left[move] == least]


def _by_few(deal: Deal) -> Iterator[Plan]:
    """Leave the fewest answers: with any such first move, or else only with the right one of them."""
    if deal.start.turn != deal.winner:
        yield Plan(FEWEST, _answering(deal, "", {}))
        return
    openings = _fewest(deal, deal.start)
    sound = [one for one in openings if deal.won(_after(deal.game, deal.start, one))]
    alike = len({deal.kind(one) for one in openings}) == 1
    if sound == openings and not alike:
        yield Plan(FEWEST, _after_any(deal, openings))
    for opening in sound[:PLANS]:
        does = FEWEST
        if not alike:
            does = f"plays {opening} first and then {FEWEST}"
        yield Plan(does, _answering(deal, opening, {}), chosen=not alike)


def _after_any(deal: Deal, openings: Sequence[str]) -> Policy:
    def policy(view: Any, played: Played) -> Sequence[str]:
        if not played:
            return openings
        return _fewest(deal, view)

    return policy


def _by_list(deal: Deal) -> Iterator[Plan]:
    """Play the winner's moves of a game of best play, whatever the opponent does."""
    for seed in range(PLANS):
        state = deal.start
        rng = Rng(seed)
        own: list[str] = []
        for _ in range(LONGEST):
            if state.turn is None:
                break
            mine = state.turn == deal.winner
            ranked = rate_moves(deal.game, deal.game.view(state, state.turn), deal.stop).moves
            move = ranked[0].move
            if mine:
                own.append(move)
            else:
                move = rng.choice(ranked).move
            state = _after(deal.game, state, move)
        yield Plan(f"plays {' '.join(own)} blindly", _blindly(deal, own))


def _blindly(deal: Deal, own: Sequence[str]) -> Policy:
    def policy(view: Any, played: Played) -> Sequence[str]:
        at = sum(seat == deal.winner for seat, _ in played)
        return own[at : at + 1]

    return policy


def _by_copy(deal: Deal) -> Iterator[Plan]:
    """Begin in the middle and mirror every move; or, as the second player, take the opposite number."""
    moves = _moves(deal.game, deal.start)
    if not all(map(str.isdecimal, moves)):
        yield from _by_mirror(deal, moves)
        return
    numbers = sorted(map(int, moves))
    size = len(numbers)
    if deal.start.turn != deal.winner:
        half = {str(one): str(numbers[(at + size // 2) % size]) for at, one in enumerate(numbers)}
        yield Plan(COPY, _answering(deal, "", half))
        return
    for middle in {numbers[(size - 1) // 2], numbers[size // 2]}:
        yield Plan(COPY, _answering(deal, str(middle), {str(one): str(2 * middle - one) for one in numbers}))


def _by_mirror(deal: Deal, moves: Sequence[str]) -> Iterator[Plan]:
    """Mirror moves of several coordinates, such as "b3" or "2-2"; the first player begins with one that is its own
    image."""
    places = {tuple(_COORDINATE.findall(move.lower())): move for move in moves}
    if len({_COORDINATE.sub("", move.lower()) for move in moves}) > 1 or len({*map(len, places)}) > 1:
        return
    for image in _images([*places]):
        table = {move: places[image(place)] for place, move in places.items() if image(place) in places}
        openings = [""]
        if deal.start.turn == deal.winner:
            own = (move for move in table if table[move] == move)
            openings = [move for move in own if deal.won(_after(deal.game, deal.start, move))]
        for opening in openings[:PLANS]:
            begins = ""
            if opening:
                begins = f"plays {opening} first and then "
            yield Plan(f"{begins}{MIRROR}", _answering(deal, opening, table))


def _images(places: Sequence[Place]) -> Iterator[Callable[[Place], Place]]:
    """Mirror images of places: two coordinates swapped, one turned round, or all of them."""
    axes = [sorted({place[at] for place in places}, key=_in_order) for at in range(len(places[0]))]
    wide = [at for at, axis in enumerate(axes) if len(axis) > 1]

    def turned(*turning: int) -> Callable[[Place], Place]:
        back = [dict(zip(axis, axis, strict=True)) for axis in axes]
        for at in turning:
            back[at] = dict(zip(axes[at], reversed(axes[at]), strict=True))
        return lambda place: tuple(images[one] for images, one in zip(back, place, strict=True))

    def swapped(first: int, second: int) -> Callable[[Place], Place]:
        order = [*range(len(axes))]
        order[first], order[second] = second, first
        return lambda place: tuple(place[at] for at in order)

    for first, second in combinations(wide, 2):
        if axes[first] == axes[second]:
            yield swapped(first, second)
    for at in wide:
        yield turned(at)
    if len(wide) > 1:
        yield turned(*wide)


def _in_order(coordinate: str) -> tuple[int, str]:
    """Numbers in their order, letters in theirs."""
    return len(coordinate), coordinate


PARTNERS = "answers every move with its partner"
FEWEST = "leaves the fewest answers"
MIRROR = "copies every move in the mirror"
COPY = "takes the middle and then copies"
LIST = "plays one list of moves blindly"
RULES = (Rule(PARTNERS, _by_partners), Rule(FEWEST, _by_few), Rule(COPY, _by_copy), Rule(LIST, _by_list))


# -- trying the rules


def best_fixed_rule(game: AnyGame, starts: Sequence[Any], stop: Stop) -> tuple[float, str, bool]:
    """The fixed rule that wins all games in most of these deals: the share of deals, the rule as a predicate, and True
    if it is proved."""
    deals = [Deal(game, start, winner, stop) for start in starts if (winner := _winner(game, start, stop)) is not None]
    best: Rule | None = None
    most: list[tuple[Deal, Plan]] = []
    for rule in RULES:
        won = list[tuple[Deal, Plan]]()
        for at, deal in enumerate(deals):
            if len(won) + len(deals) - at <= len(most):
                break  # it cannot win in more deals than the best one
            plans = (one for one in rule.plans(deal) if one.policy is None or _wins_all(deal, one.policy))
            won += [(deal, plan) for plan in islice(plans, 1)]
        if len(won) > len(most):
            best, most = rule, won
    always = 0 < len(most) == len(starts)
    proved = always and all(plan.policy is None or _is_proved(deal, plan.policy) for deal, plan in most)
    share = len(most) / len(starts)
    if best is None:
        return share, "", proved
    if len(starts) == 1:
        return share, most[0][1].does, proved
    if any(plan.chosen for _, plan in most):
        return share, f"begins with the right move and then {best.does}", proved
    return share, best.does, proved


def _winner(game: AnyGame, start: Any, stop: Stop) -> Seat | None:
    """The seat that wins with best play; None in a draw or a game of chance."""
    if game.INFO.hidden:
        return None
    found = value(game, start, start.turn, stop)
    if found == HALF:
        return None
    to_move: Seat = start.turn
    if found == ONE:
        return to_move
    return other(to_move)


def _wins_all(deal: Deal, policy: Policy) -> bool:
    return all(_wins(deal, policy, Rng(seed), judged=seed < JUDGED) for seed in range(JUDGED + CHANCE))


def _wins(deal: Deal, policy: Policy, rng: Rng, *, judged: bool) -> bool:
    """Play one game by a rule in the winner's seat against random moves; in a judged one, giving up the win loses."""
    state, played = deal.start, list[tuple[Seat, str]]()
    while state.turn is not None and len(played) < 2 * LONGEST:
        deal.stop.check()
        moves = _moves(deal.game, state)
        mine = state.turn == deal.winner
        choices: Sequence[str] = moves
        if mine:
            choices = policy(state, played)
        if not set(choices) & set(moves):
            return False
        played.append((state.turn, rng.choice(choices)))
        state = _after(deal.game, state, played[-1][1])
        if mine and judged and not deal.won(state):
            return False
    return won_by(deal.winner, state)


def _is_proved(deal: Deal, policy: Policy) -> bool:
    """The rule wins against every play of the opponent; False also if that takes too many positions."""
    todo: list[tuple[Any, Played]] = [(deal.start, ())]
    for _ in range(NODES):
        if not todo:
            return True
        deal.stop.check()
        state, played = todo.pop()
        if state.turn is None or len(played) >= 2 * LONGEST:
            if not won_by(deal.winner, state):
                return False
            continue
        moves = _moves(deal.game, state)
        choices: Sequence[str] = moves
        if state.turn == deal.winner:
            choices = policy(state, played)
        if not choices or not set(choices) <= set(moves):
            return False
        todo += [(_after(deal.game, state, move), (*played, (state.turn, move))) for move in choices]
    return False
