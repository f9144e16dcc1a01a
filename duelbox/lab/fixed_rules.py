"""Fixed rules of play, and deals in which one of them wins every game: then there is nothing left to think about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from duelbox.core.game import AnyGame
from duelbox.core.model import Seat, other
from duelbox.core.rng import Rng
from duelbox.lab.players import LONGEST, answers, value, won_by
from duelbox.solve import rate_moves, solver_of
from duelbox.solve.api import HALF, ONE, Stop

JUDGED, CHANCE = 10, 20
"""Games a rule has to win: against an opponent who wins as soon as the rule lets go of the win, and against chance."""
TRIED = 3
"""First moves, or lists of moves, that a rule may try in a deal."""
NODES = 2_000
"""Positions looked at to prove a rule."""

Played = Sequence[tuple[Seat, str]]
"""The moves of both, with who made each."""
Policy = Callable[[Any, Played], Sequence[str]]
"""The moves in a view, after these moves, of which a rule makes any; none where it has none."""


@dataclass(frozen=True)
class Deal:
    """A start, and the seat that wins it with best play."""

    game: AnyGame
    start: Any
    winner: Seat
    stop: Stop

    @cached_property
    def openings(self) -> list[tuple[str, Any, Mapping[str, str], bool]]:
        """The first moves of the winner, or "" where the other begins: each with the position of the one to answer it,
        the partners there, and whether answering with them is proved to win."""
        moves = _moves(self.game, self.start) if self.start.turn == self.winner else [""]
        left = [(move, _after(self.game, self.start, move) if move else self.start) for move in moves]
        partners = solver_of(self.game.INFO.id).partners
        return [(move, after, *partners(after)) for move, after in left if after.turn not in (None, self.winner)]

    def won(self, state: Any) -> bool:
        """The winner still wins there."""
        return value(self.game, state, self.winner, self.stop) == ONE


class Way(NamedTuple):
    """One way to play by a rule in one deal: what whoever does so does, and the moves."""

    does: str
    policy: Policy | None
    """None where the solver knows, without a game, that this wins."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A fixed rule, and the ways to play by it in one deal."""

    does: str
    ways: Callable[[Deal], Iterator[Way]]


def _moves(game: AnyGame, view: Any) -> list[str]:
    return [game.format_move(move) for move in game.legal_moves(view)]


def _after(game: AnyGame, state: Any, move: str) -> Any:
    return game.apply(state, state.turn, game.parse_move(state, move))[0]


# -- the rules


def _by_partners(deal: Deal) -> Iterator[Way]:
    """After the first moves that leave the fewest answers without a partner, and then by fewest answers."""
    for move, _, _, proved in deal.openings:
        if proved:
            yield Way(f"plays {move} first and then {PARTNERS}" if move else PARTNERS, None)
    known = [(move, after, table) for move, after, table, _ in deal.openings if table]
    known.sort(key=lambda one: sum(answer not in one[2] for answer in _moves(deal.game, one[1])))
    for move, _, table in islice((one for one in known if deal.won(one[1])), TRIED):
        yield Way(PARTNERS, _answering(deal, move, table))


def _answering(deal: Deal, opening: str, table: Mapping[str, str]) -> Policy:
    def policy(view: Any, played: Played) -> Sequence[str]:
        if not played:
            return [opening]
        partner = table.get(played[-1][1], "")
        return [partner] if partner in _moves(deal.game, view) else _fewest(deal, view)

    return policy


def _fewest(deal: Deal, view: Any) -> list[str]:
    """The moves that leave the fewest answers."""
    left = {move: answers(deal.game, _after(deal.game, view, move), deal.winner) for move in _moves(deal.game, view)}
    least = min(left.values())
    return [move for move in left if left[move] == least]


def _by_few(deal: Deal) -> Iterator[Way]:
    first = deal.start.turn == deal.winner
    openings = _fewest(deal, deal.start) if first else [""]
    sound = (one for one in openings if not first or deal.won(_after(deal.game, deal.start, one)))
    for opening in islice(sound, TRIED):
        yield Way(FEWEST, _answering(deal, opening, {}))


def _by_list(deal: Deal) -> Iterator[Way]:
    """The winner's moves in games of best play, played blindly."""
    for seed in range(TRIED):
        state, rng, own = deal.start, Rng(seed), list[str]()
        for _ in range(LONGEST):
            if state.turn is None:
                break
            mine = state.turn == deal.winner
            ranked = rate_moves(deal.game, deal.game.view(state, state.turn), deal.stop).moves
            move = ranked[0].move if mine else rng.choice(ranked).move
            own += [move] * mine
            state = _after(deal.game, state, move)
        yield Way(f"plays {' '.join(own)} blindly", _blindly(deal, own))


def _blindly(deal: Deal, own: Sequence[str]) -> Policy:
    def policy(view: Any, played: Played) -> Sequence[str]:
        at = sum(seat == deal.winner for seat, _ in played)
        return own[at : at + 1]

    return policy


def _by_copy(deal: Deal) -> Iterator[Way]:
    """The middle first, then the number as far on the other side; or, as second, the opposite number."""
    moves = _moves(deal.game, deal.start)
    if not all(map(str.isdecimal, moves)):
        return
    numbers = sorted(map(int, moves))
    size, first = len(numbers), deal.start.turn == deal.winner
    for middle in {numbers[(size - 1) // 2], numbers[size // 2]} if first else ():
        yield Way(COPY, _answering(deal, str(middle), {str(one): str(2 * middle - one) for one in numbers}))
    if not first:
        half = {str(one): str(numbers[(at + size // 2) % size]) for at, one in enumerate(numbers)}
        yield Way(COPY, _answering(deal, "", half))


PARTNERS = "answers every move with its partner"
FEWEST = "leaves the fewest answers"
COPY = "takes the middle and then copies"
LIST = "plays one list of moves blindly"
RULES = (Rule(PARTNERS, _by_partners), Rule(FEWEST, _by_few), Rule(COPY, _by_copy), Rule(LIST, _by_list))


# -- tried


class Tried(NamedTuple):
    """The best of the rules over some deals."""

    share: float
    does: str
    proved: bool


def best_rule(game: AnyGame, starts: Sequence[Any], stop: Stop) -> Tried:
    """The rule that wins every game in the most of these deals."""
    deals = [Deal(game, start, winner, stop) for start in starts if (winner := _winner(game, start, stop)) is not None]
    best: Rule | None = None
    most: list[tuple[Deal, Way]] = []
    for rule in RULES:
        won: list[tuple[Deal, Way]] = []
        for at, deal in enumerate(deals):
            if len(won) + len(deals) - at <= len(most):
                break  # it cannot win more than another
            if way := next((one for one in rule.ways(deal) if one.policy is None or _wins_all(deal, one.policy)), None):
                won.append((deal, way))
        if len(won) > len(most):
            best, most = rule, won
    always = 0 < len(most) == len(starts)
    proved = always and all(way.policy is None or _is_proved(deal, way.policy) for deal, way in most)
    does = "" if best is None else most[0][1].does if len(starts) == 1 else best.does
    return Tried(len(most) / len(starts), does, proved)


def _winner(game: AnyGame, start: Any, stop: Stop) -> Seat | None:
    """The seat that wins with best play; None where there is chance, or it is a draw."""
    if game.INFO.hidden:
        return None
    worth = value(game, start, start.turn, stop)
    return None if worth == HALF else start.turn if worth == ONE else other(start.turn)


def _wins_all(deal: Deal, policy: Policy) -> bool:
    return all(_wins(deal, policy, Rng(seed), judged=seed < JUDGED) for seed in range(JUDGED + CHANCE))


def _wins(deal: Deal, policy: Policy, rng: Rng, *, judged: bool) -> bool:
    """One game of a rule in the winner's seat; the opponent plays anything, until a win is let go in a judged one."""
    state, played = deal.start, list[tuple[Seat, str]]()
    while state.turn is not None and len(played) < 2 * LONGEST:
        deal.stop.check()
        moves = _moves(deal.game, state)
        mine = state.turn == deal.winner
        choices = policy(state, played) if mine else moves
        if not set(choices) & set(moves):
            return False
        played.append((state.turn, rng.choice(choices)))
        state = _after(deal.game, state, played[-1][1])
        if mine and judged and not deal.won(state):
            return False
    return won_by(deal.winner, state)


def _is_proved(deal: Deal, policy: Policy) -> bool:
    """The rule wins whatever the opponent does, found by trying it all; False where that is too much."""
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
        choices = policy(state, played) if state.turn == deal.winner else moves
        if not choices or not set(choices) <= set(moves):
            return False
        todo += [(_after(deal.game, state, move), (*played, (state.turn, move))) for move in choices]
    return False
