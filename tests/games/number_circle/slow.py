"""Number Circle solved slowly, straight from the rules, on tuples of plain numbers."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

from duelbox.games.number_circle import rules
from duelbox.solve import analyse

Worth = tuple[int, int]
"""1, 0 or -1 for the player to move, and the moves to the end (0 in a draw)."""


class Table(NamedTuple):
    """The house rules of a slow game."""

    target: int
    backtracking: bool
    sharing: bool
    shared: bool
    floor: int | None


class Spot(NamedTuple):
    """A slow position: places, origins (0: free to turn), both totals, and the turn."""

    stand: tuple[int, int]
    came: tuple[int, int]
    totals: tuple[int, int]
    turn: int


def put(pair: tuple[int, int], seat: int, value: int) -> tuple[int, int]:
    return (pair[0], value) if seat else (value, pair[1])


def slow_moves(table: Table, spot: Spot, seat: int) -> list[int]:
    """The changes of the total that a seat could make; negative to subtract."""
    here, found = spot.stand[seat], []
    for number in (here % 9 + 1, (here - 2) % 9 + 1):
        if number == spot.came[seat] and not table.backtracking:
            continue
        if number == spot.stand[1 - seat] and not table.sharing:
            continue
        for change in (number, -number):
            total = spot.totals[seat] + change
            if total <= table.target and (table.floor is None or total >= table.floor):
                found.append(change)
    return found


def slow_after(table: Table, spot: Spot, change: int) -> Spot | str:
    """The position after a move of the player to move, or "hit", or "draw"."""
    seat = spot.turn
    total = spot.totals[seat] + change
    if total == table.target:
        return "hit"
    totals = (total, total) if table.shared else put(spot.totals, seat, total)
    spot = Spot(put(spot.stand, seat, abs(change)), put(spot.came, seat, spot.stand[seat]), totals, 1 - seat)
    while not slow_moves(table, spot, spot.turn):
        freed = spot._replace(came=(0, 0))
        if not slow_moves(table, freed, 0) and not slow_moves(table, freed, 1):
            return "draw"
        spot = spot._replace(came=put(spot.came, spot.turn, 0), turn=1 - spot.turn)
    return spot


def slow_values(table: Table, start: Spot, deepest: int = -(10**6)) -> dict[Spot, Worth]:
    """The values of all positions after this one, layer by layer from the hits; totals below `deepest` are not
    followed."""
    moves: dict[Spot, list[Spot | str]] = {}
    todo = [start]
    while todo:
        spot = todo.pop()
        if spot in moves:
            continue
        moves[spot] = [slow_after(table, spot, change) for change in slow_moves(table, spot, spot.turn)]
        todo += [after for after in moves[spot] if isinstance(after, Spot) and min(after.totals) >= deepest]
    values: dict[Spot, Worth] = {}
    waiting: dict[Spot, list[Spot]] = {}
    for spot, afters in moves.items():
        for after in afters:
            if isinstance(after, Spot):
                waiting.setdefault(after, []).append(spot)
    layer, plies = {spot for spot, afters in moves.items() if "hit" in afters}, 1
    while layer:
        for spot in layer:
            sign = 1 if plies == 1 or any(seen(values, spot, after) == 1 for after in moves[spot]) else -1
            values[spot] = sign, plies
        nearby = {before for spot in layer for before in waiting.get(spot, ()) if before not in values}
        layer = {spot for spot in nearby if decided(values, spot, moves[spot])}
        plies += 1
    return {spot: values.get(spot, (0, 0)) for spot in moves}


def seen(values: dict[Spot, Worth], spot: Spot, after: Spot | str) -> int:
    """The value of a move to the player who makes it, as far as it is known."""
    if not isinstance(after, Spot) or after not in values:
        return 0
    return values[after][0] if after.turn == spot.turn else -values[after][0]


def decided(values: dict[Spot, Worth], spot: Spot, afters: list[Spot | str]) -> bool:
    signs = [seen(values, spot, after) for after in afters]
    return 1 in signs or set(signs) == {-1}


def forced(table: Table, spot: Spot, most: int) -> Worth:
    """The same by trying everything to a depth; a draw if nothing is forced by then."""

    @cache
    def within(spot: Spot, seat: int, left: int) -> bool:
        if not left:
            return False
        tried = (slow_after(table, spot, change) for change in slow_moves(table, spot, spot.turn))
        if spot.turn == seat:
            return any(after == "hit" or (isinstance(after, Spot) and within(after, seat, left - 1)) for after in tried)
        return all(isinstance(after, Spot) and within(after, seat, left - 1) for after in tried)

    for plies in range(1, most + 1):
        for seat in (0, 1):
            if within(spot, seat, plies):
                return (1 if seat == spot.turn else -1), plies
    return 0, 0


def table_of(view: rules.View) -> Table:
    house = view.options
    return Table(view.target, house.backtracking, house.sharing, house.shared_total, house.floor)


def spot_of(view: rules.View) -> Spot:
    assert view.turn is not None
    return Spot(view.places, (view.came_from[0] or 0, view.came_from[1] or 0), view.totals, view.turn)


def played(rng: Random, options: rules.Options, most: int = 40) -> rules.View:
    """A random position of a game that is not over."""
    while True:
        view = rules.start(options)
        for _ in range(rng.randrange(most)):
            if view.turn is not None:
                view, _ = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
        if view.turn is not None:
            return view


def house_rules(rng: Random, **fixed: object) -> rules.Options:
    drawn: dict[str, object] = {
        "target": rng.randrange(10, 21),
        "backtracking": rng.random() < 0.5,
        "sharing": rng.random() < 0.5,
        "shared_total": rng.random() < 0.5,
        "floor": rng.choice((None, 0)),
    }
    return rules.Options.model_validate({**drawn, **fixed})


def worth(verdict: str, plies: int | None) -> Worth:
    assert (plies is None) == (verdict == "draw")
    return {"win": 1, "draw": 0, "loss": -1}[verdict], plies or 0


def rated_by(values: dict[Spot, Worth], table: Table, spot: Spot, change: int) -> Worth:
    after = slow_after(table, spot, change)
    if not isinstance(after, Spot):
        return (1, 1) if after == "hit" else (0, 0)
    sign, plies = values[after]
    return (sign if after.turn == spot.turn else -sign), plies + 1 if sign else 0


def assert_all_equal(view: rules.View, values: dict[Spot, Worth]) -> None:
    table, spot, analysis = table_of(view), spot_of(view), analyse(rules.GAME, view)
    assert worth(analysis.verdict, analysis.plies) == values[spot]
    assert {int(move.move) for move in analysis.moves} == set(slow_moves(table, spot, spot.turn))
    for move in analysis.moves:
        assert worth(move.verdict, move.plies) == rated_by(values, table, spot, int(move.move)), move.move


@cache
def lone_moves(table: Table, spot: Spot, seat: int) -> int | None:
    """The moves that one player needs with the other's marker off the ring, by trying everything."""
    lone = table._replace(sharing=True)
    front = {(spot.stand[seat], spot.came[seat], spot.totals[seat])}
    for turns in range(1, 40):
        following: set[tuple[int, int, int]] = set()
        for stand, came, total in front:
            changes = slow_moves(lone, Spot((stand, 0), (came, 0), (total, 0), 0), 0)
            if table.target - total in changes:
                return turns
            following |= {(abs(change), stand, total + change) for change in changes}
        front = following
    return None
