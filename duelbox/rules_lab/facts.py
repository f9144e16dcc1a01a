"""Facts about one setting of the house rules, worked out layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from statistics import mean
from typing import Any, Literal

from duelbox.core.code import read_code
from duelbox.core.game import AnyGame
from duelbox.core.model import Model
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.registry import find_game
from duelbox.rules_lab.fixed_rules import best_fixed_rule
from duelbox.rules_lab.players import LONGEST, Played, play, won_by
from duelbox.solve import analyse, rate_moves, worth
from duelbox.solve.api import Rated, Stop, Stopped

Layer = Literal["first", "length", "depth", "changes", "one_rule", "choice"]
LAYERS: tuple[Layer, ...] = ("first", "length", "depth", "changes", "one_rule")
"""The layers of a map."""
Step = Layer | Literal["plies"]
ALL_LAYERS: tuple[Step, ...] = ("first", "plies", "choice", "changes", "one_rule")
"""The layers of the facts about a preset."""

DEALS = 20
"""The usual number of deals; games and positions are twice as many."""
MANY_DEALS = 100
"""The number of deals for more exact facts."""
LIMIT = 3.0
"""The seconds for one layer, of its thread's own time."""


class Facts(Model):
    """Facts about one setting; None means not asked for, or unknown."""

    deals: int = 0
    """The number of deals that were solved; 1 if nothing is drawn."""
    first: float | None = None
    """The chance that the first player wins with best play on both sides."""
    draw: float | None = None
    plies: int | None = None
    """The most turns of best play in these deals, for presets, if they can be counted."""
    length: float | None = None
    """The average number of turns in a game between the two middling players."""
    choice: float | None = None
    """The share of positions in the middle of random games in which some moves are worth more than others."""
    depth: int | None = None
    """The fewest questions known that prove who wins, in the only deal that there is but for turning it."""
    at_once: float | None = None
    """The share of positions in which the player to move can win at once."""
    changes: float | None = None
    """The average number of times that the win changes hands in a game between the two middling players; in a game of
    chance, the number of moves that give up 10 points of 100."""
    first_won: float | None = None
    """The share of these games that the first player won."""
    one_rule: float | None = None
    """The share of deals in which the best fixed rule wins every game in the winner's seat."""
    rule: str = ""
    """The best fixed rule, as a predicate: "leaves the fewest answers"."""
    proved: bool = False
    """The rule is proved to win all these deals."""
    right_picks: float | None = None
    """The share of first moves that win with best play, for presets; where chance decides, of those that are best."""
    ahead_first: float | None = None
    """The points, of 1, of somebody who looks one move ahead and goes first, against level 1, for presets."""
    ahead_second: float | None = None
    """The same for somebody who goes second."""
    late: bool = False
    """The time was over; more time may find more."""

    @property
    def second(self) -> float:
        """The chance that the second player wins; only valid if `first` is known."""
        return 1 - (self.first or 0) - (self.draw or 0)

    @property
    def decides_little(self) -> bool:
        """In the positions looked at, choices hardly matter except for wins at once."""
        return self.choice is not None and (self.plies == 1 or 2 * (self.at_once or 0) >= self.choice)

    @property
    def settled(self) -> bool:
        """The winner is known, and no choice on the way matters."""
        return self.deals == 1 and 1 in (self.first, self.second) and (self.plies == 1 or self.choice == 0)

    def joined(self, more: Facts) -> Facts:
        """These facts with some more."""
        return self.changed(**{name: getattr(more, name) for name in more.model_fields_set})


def work_out(
    game: AnyGame,
    options: Options,
    layer: Step,
    *,
    deals: int = DEALS,
    stop: Stop | None = None,
    limit: float | None = LIMIT,
) -> Facts:
    """Work out one layer within `limit` seconds; raises Stopped if `stop` ends it, and NoSolver."""
    stop = stop or Stop()
    try:
        return _WORKERS[layer](game, options, deals, stop.within(limit))
    except Stopped:
        stop.check()
        return Facts(late=True)


WorkOut = Callable[..., Facts]
"""`work_out`, or the same with a cache."""


def facts_so_far(
    game: AnyGame, options: Options, layers: Sequence[Step], *, work: WorkOut = work_out, **how: Any
) -> Iterator[Facts]:
    """Yield the facts of these layers, each time with one layer more; `how` are arguments of `work_out`."""
    facts = Facts()
    for layer in layers:
        facts = facts.joined(work(game, options, layer, **how))
        yield facts


def dealt(game: AnyGame, options: Options, deals: int) -> Iterator[Any]:
    """The first states of so many deals; only one if nothing is drawn or if the deal is hidden."""
    if not options.draws or game.INFO.hidden:
        yield game.start(options)
        return
    for seed in range(1, deals + 1):
        yield game.start(options.changed(seed=seed))


def _who_wins(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    chances: list[tuple[Fraction, Fraction]] = []
    for state in dealt(game, options, deals):
        stop.check()
        chances.append(worth(game, game.view(state, state.turn), stop))
    first, draw = (float(mean(shares)) for shares in zip(*chances, strict=True))
    return Facts(deals=len(chances), first=first, draw=draw)


def _plies(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    lengths = [analyse(game, game.view(start, start.turn), stop).plies for start in dealt(game, options, deals)]
    known = [length for length in lengths if length is not None]
    if len(known) < len(lengths):
        return Facts()
    return Facts(plies=max(known))


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
    """A position from the middle half of a random game; None if that game was over too soon."""
    states = [game.start(options)]
    while (seat := states[-1].turn) is not None and len(states) <= LONGEST:
        move = rng.choice(game.legal_moves(game.view(states[-1], seat)))
        states.append(game.apply(states[-1], seat, move)[0])
    last = len(states) - (states[-1].turn is None)
    state = rng.choice(states[last // 4 : max(last // 4 + 1, last * 3 // 4)])
    if state.turn is None:
        return None
    return state


def _games(game: AnyGame, options: Options, deals: int, stop: Stop, *, judged: bool) -> list[Played]:
    return [play(game, options, number, stop, judged=judged) for number in range(1, 2 * deals + 1)]


def _length(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    return Facts(length=mean(one.turns for one in _games(game, options, deals, stop, judged=False)))


def _changes(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    games = _games(game, options, deals, stop, judged=True)
    changes, length, won = (mean(map(float, one)) for one in zip(*games, strict=True))
    return Facts(changes=changes, length=length, first_won=won)


def _one_rule(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    share, does, proved = best_fixed_rule(game, list(dealt(game, options, deals)), stop)
    return Facts(one_rule=share, rule=does, proved=proved)


def _depth(game: AnyGame, options: Options, deals: int, stop: Stop) -> Facts:
    return Facts(depth=_fewest_questions().get((game.INFO.id, options.rules_only())))


@cache
def _fewest_questions() -> dict[tuple[str, Options], int]:
    """The questions of the theorems about settings with one deal, or one but for turning it."""
    from duelbox.proof.ladder import RUNGS  # with all proofs

    questions = dict[tuple[str, Options], int]()
    for rung in RUNGS:
        code = read_code(rung.code, find_game)
        rules = code.options.rules_only()
        if getattr(rules, "gaps", 0) < 2:
            questions[code.game.INFO.id, rules] = rung.questions
    return questions


_WORKERS: dict[Step, Callable[[AnyGame, Options, int, Stop], Facts]] = {
    "first": _who_wins, "plies": _plies, "length": _length,
    "choice": _choices, "changes": _changes, "one_rule": _one_rule, "depth": _depth,
}  # fmt: skip
