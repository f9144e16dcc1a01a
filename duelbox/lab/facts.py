"""A cell of a map: facts about one setting of the house rules, worked out layer by layer. Everything is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from statistics import mean
from time import monotonic, thread_time
from typing import Any, Literal, get_args

from duelbox.core.game import AnyGame
from duelbox.core.model import Model
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.lab.fixed_rules import best_rule
from duelbox.lab.players import LONGEST, Played, play, won_by
from duelbox.registry import BUILT_IN
from duelbox.solve import analyse, rate_moves, worth
from duelbox.solve.api import Rated, Stop, Stopped

Layer = Literal["first", "length", "choice", "changes", "one_rule"]
LAYERS: tuple[Layer, ...] = get_args(Layer)
Step = Layer | Literal["plies"]
ALL_LAYERS: tuple[Step, ...] = ("first", "plies", "choice", "changes", "one_rule")
"""All that is worked out for a card."""

DEALS = 20
"""Deals that a cell is worked out from; twice as many games and positions."""
MANY_DEALS = 100
"""Deals where there is time for more."""
LIMIT = 3.0
"""Seconds for a layer of a cell, of its thread's own time."""


class Facts(Model):
    """Facts about one setting; None is what was not asked for, or cannot be known."""

    deals: int = 0
    """Number of deals that were solved; 1 where nothing is drawn."""
    first: float | None = None
    """The chance that the player who moves first wins, with best play on both sides."""
    draw: float | None = None
    plies: int | None = None
    """The most turns of best play in these deals; only on cards, and where they can be counted."""
    length: float | None = None
    """The average number of turns in a game between the two middling players."""
    choice: float | None = None
    """The share of positions in the middle of random games in which some moves are worth more than others."""
    at_once: float | None = None
    """The share of positions in which the player to move can win at once."""
    changes: float | None = None
    """The average number of times that the win changes hands in a game between the two middling players; where there is
    chance, that a move gives up 10 points of 100."""
    first_won: float | None = None
    """The share of these games that the player who moved first won."""
    one_rule: float | None = None
    """The share of deals in which the best of a few fixed rules wins every game in the winner's seat."""
    rule: str = ""
    """The best rule: what whoever plays by it does."""
    proved: bool = False
    """The rule is proved to win every deal that was looked at."""
    late: bool = False
    """The limit was reached first; what is None may be known with more time."""

    @property
    def second(self) -> float:
        """The chance that the player who moves second wins, where it is known that the first does."""
        return 1 - (self.first or 0) - (self.draw or 0)

    @property
    def decides_little(self) -> bool:
        """As far as was looked, choices don't matter, or it's all about who sees a win at once."""
        return self.choice is not None and (self.plies == 1 or 2 * (self.at_once or 0) >= self.choice)

    @property
    def settled(self) -> bool:
        """It is known who wins, and there is nothing on the way to decide or to find."""
        return self.deals == 1 and 1 in (self.first, self.second) and (self.plies == 1 or self.choice == 0)

    def joined(self, more: Facts) -> Facts:
        """These facts and more of them."""
        return self.changed(**{name: getattr(more, name) for name in more.model_fields_set})


class _Watch(Stop):
    """A time budget that also ends when `asked_by` says so."""

    def __init__(self, asked_by: Callable[[], bool], limit: float | None, clock: Callable[[], float]) -> None:
        super().__init__(limit, clock)
        self._asked_by = asked_by

    @property
    def asked(self) -> bool:
        return self._asked_by()

    def check(self) -> None:
        if self.asked or self.late:
            raise Stopped


def work_out(
    game: AnyGame,
    options: Options,
    layer: Step,
    *,
    deals: int = DEALS,
    stop: Callable[[], bool] = lambda: False,
    limit: float | None = LIMIT,
) -> Facts:
    """One layer of a cell; raises Stopped when `stop` says so, and NoSolver where there is none."""
    # A guest's solver runs in a thread of its own, so that only the clock on the wall counts its time.
    watch = _Watch(stop, limit, thread_time if game.INFO.id in BUILT_IN else monotonic)
    try:
        return _WORKERS[layer](game, options, deals, watch)
    except Stopped:
        if watch.asked:
            raise
        return Facts(late=True)


def dealt(game: AnyGame, options: Options, deals: int) -> Iterator[Any]:
    """The first states of so many deals; one, where nothing is drawn, or only out of sight of a verdict."""
    if not options.draws or game.INFO.hidden:
        yield game.start(options)
        return
    for seed in range(1, deals + 1):
        yield game.start(options.changed(seed=seed))


def _who_wins(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    found: list[tuple[Fraction, Fraction]] = []
    for state in dealt(game, options, deals):
        stop.check()
        found.append(worth(game, game.view(state, state.turn), stop))
    first, draw = (float(sum(shares) / len(found)) for shares in zip(*found, strict=True))
    return Facts(deals=len(found), first=first, draw=draw)


def _plies(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    lengths = [analyse(game, game.view(start, start.turn), stop).plies for start in dealt(game, options, deals)]
    known = [length for length in lengths if length is not None]
    return Facts(plies=max(known) if len(known) == len(lengths) else None)


def _choices(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    matters, at_once = list[bool](), 0
    for seed in range(1, 2 * deals + 1):
        stop.check()
        state = _middle(game, options.changed(seed=seed) if options.draws else options, Rng(seed))
        if state is not None:
            moves = rate_moves(game, game.view(state, state.turn), stop).moves
            matters.append(len({(move.win, move.draw) for move in moves}) > 1)
            at_once += matters[-1] and any(_wins_at_once(game, state, move) for move in moves)
    share = len(matters) or 1
    return Facts(choice=sum(matters) / share if matters else None, at_once=at_once / share)


def _wins_at_once(game: AnyGame, state: Any, move: Rated) -> bool:
    if move.verdict != "win" or game.INFO.hidden:
        return move.verdict == "win" and move.plies == 1
    return won_by(state.turn, game.apply(state, state.turn, game.parse_move(state, move.move))[0])


def _middle(game: AnyGame, options: Options, rng: Rng) -> Any:
    """A position from the middle half of a random game; None where that game was over too soon."""
    states = [game.start(options)]
    while (seat := states[-1].turn) is not None and len(states) <= LONGEST:
        move = rng.choice(game.legal_moves(game.view(states[-1], seat)))
        states.append(game.apply(states[-1], seat, move)[0])
    last = len(states) - (states[-1].turn is None)
    found = rng.choice(states[last // 4 : max(last // 4 + 1, last * 3 // 4)])
    return None if found.turn is None else found


def _games(game: AnyGame, options: Options, deals: int, stop: Stop, *, judged: bool) -> list[Played]:
    return [play(game, options, number, stop, judged=judged) for number in range(1, 2 * deals + 1)]


def _length(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    return Facts(length=mean(one.turns for one in _games(game, options, deals, stop, judged=False)))


def _changes(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    games = _games(game, options, deals, stop, judged=True)
    changes, length, won = (mean(map(float, one)) for one in zip(*games, strict=True))
    return Facts(changes=changes, length=length, first_won=won)


def _one_rule(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    share, does, proved = best_rule(game, list(dealt(game, options, deals)), stop)
    return Facts(one_rule=share, rule=does, proved=proved)


_WORKERS: dict[Step, Callable[[AnyGame, Options, int, Stop], Facts]] = {
    "first": _who_wins, "plies": _plies, "length": _length,
    "choice": _choices, "changes": _changes, "one_rule": _one_rule,
}  # fmt: skip
