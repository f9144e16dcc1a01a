"""The five computers, Dash to Oracle, and how those with short sight choose a move.

A short-sighted level knows every win and loss within its number of turns. Beyond them it has a feeling for right moves,
which leaves it now and then; of those that are left it takes the one it likes best, and the seed decides between
equals. In some positions it slips, and an answer that is near refutes its move (`oversights`). The last level knows
everything, and sets traps when it is lost (`perfect_play`). How many turns each sees in a game, how often it slips and
how often it feels what is right, stands in `games/<game>/bot.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from duelbox.bots.api import Choice, Level, drawn
from duelbox.bots.oversights import Missable, slips_within
from duelbox.bots.perfect_play import Foresight, PerfectPlayer
from duelbox.core.game import AnyGame
from duelbox.core.model import listed
from duelbox.core.rng import Rng
from duelbox.solve import analyse, rate_moves
from duelbox.solve.api import Stop

DASH, PEEK, COUNTER, PLANNER, ORACLE = "dash", "peek", "counter", "planner", "oracle"

Taste = Callable[[Any, Any], Any]
"""Rates a move in a view by liking; more is better."""

_NAMED = 3
"""The most losing moves that are named; more are counted."""


def five_levels(*lines: str) -> tuple[Level, ...]:
    """The five computers, each with its line of character in a game."""
    names = (DASH, PEEK, COUNTER, PLANNER, ORACLE)
    return tuple(Level(name, name.capitalize(), line) for name, line in zip(names, lines, strict=True))


@dataclass(frozen=True, slots=True)
class ShortSighted:
    """A level that sees some turns ahead, and goes by taste beyond that."""

    level: Level
    turns: int
    taste: Taste
    liking: str | Callable[[Any, Any], str]
    """The reason for liking a move, such as "it is the longest leap"; a function if it differs by move."""
    slips: int = 0
    """Positions of a hundred in which it slips, if it can."""
    near: int = 4
    """Its slips lose within so many turns."""
    feel: int = 0
    """Positions of a hundred in which it feels which moves are right, however far the end is."""


@dataclass(frozen=True, slots=True)
class Computers:
    """All levels of a game: the short-sighted ones, and the last, which sees everything."""

    game: AnyGame
    sights: tuple[ShortSighted, ...]
    perfect: PerfectPlayer
    missable: Missable = lambda view, move: False
    near: Foresight | None = None
    """The ends that are near to a person, for slips; without it, those that `perfect` foresees."""

    def choose(self, view: Any, level: str, seed: int, stop: Stop) -> Choice:
        """The move of a level."""
        moves = {self.game.format_move(move): move for move in self.game.legal_moves(view)}
        if len(moves) == 1:
            return Choice(next(iter(moves)), "It was the only move.")
        sight = next((one for one in self.sights if one.level.id == level), None)
        if sight is None:
            return self.perfect.choose(view, moves, Rng(seed), stop)
        here = _Position(view, moves, seed)
        with stop.in_time():
            if sight.turns:
                here.ends = self.perfect.foresee(view, sight.turns, stop)
            if sight.slips or sight.feel:
                here.right = self._right(view, stop)
            slip = self._slip(here, sight, stop)
            if slip is not None:
                return slip
        return _by_sight(sight, here)

    def _right(self, view: Any, stop: Stop) -> Collection[str]:
        """The moves of the best value."""
        rated = rate_moves(self.game, view, stop).moves
        return [one.move for one in rated if one.value == rated[0].value]

    def _slip(self, here: _Position, sight: ShortSighted, stop: Stop) -> Choice | None:
        """The most tempting slip, in the positions where the level slips and has one."""
        wins_at_once = 1 in here.ends.values()
        if wins_at_once or not here.happens("slip", sight.slips):
            return None
        near = self.near or self.perfect.foresee
        lost = [text for text, end in near(here.view, sight.near, stop).items() if end < 0]
        wrong = {text: here.moves[text] for text in lost if text not in here.right}
        slips = slips_within(self.game, near, self.missable, here.view, wrong, sight.near, stop)
        if not slips:
            return None
        temptations = [(slip.easy, sight.taste(here.view, here.moves[slip.move])) for slip in slips]
        most = max(temptations)
        tempting = [slip for slip, temptation in zip(slips, temptations, strict=True) if temptation == most]
        slip = Rng(here.seed).choice(tempting)
        tied = tuple(one.move for one in tempting)
        return Choice(slip.move, f"It looked good to me. {slip.told}", tied, unseen=slip.answers)


class _Position:
    """A position that a level looks at."""

    def __init__(self, view: Any, moves: Mapping[str, Any], seed: int) -> None:
        self.view = view
        self.moves = moves
        self.seed = seed
        self.ends: Mapping[str, int] = {}
        """The turns to a win, or, negative, to a loss."""
        self.right: Collection[str] = ()
        """The moves of the best value; none if they are not known."""

    def happens(self, what: str, percent: int) -> bool:
        """A chance of so many in a hundred; the seed decides."""
        salt = crc32(" ".join((what, *self.moves)).encode())
        return Rng(self.seed ^ salt).below(100) < percent


def anything(view: Any, move: Any) -> int:
    """The taste of a level that takes what comes."""
    return 0


def solved(game: AnyGame) -> Foresight:
    """Foresight from a solver that counts the turns to every near end."""

    def foresee(view: Any, turns: int, stop: Stop) -> dict[str, int]:
        ends = {one.move: (one.plies, one.verdict) for one in analyse(game, view, stop).moves}
        return {
            move: plies if verdict == "win" else -plies
            for move, (plies, verdict) in ends.items()
            if plies is not None and plies <= turns
        }

    return foresee


def _by_sight(sight: ShortSighted, here: _Position) -> Choice:
    rng = Rng(here.seed)
    ends = here.ends
    if wins := [turns for turns in ends.values() if turns > 0]:
        soonest = min(wins)
        why = "It wins at once." if soonest == 1 else f"I saw that it wins within {soonest} turns."
        return drawn(rng, [move for move in here.moves if ends.get(move) == soonest], why)
    unseen = {text: move for text, move in here.moves.items() if text not in ends}
    if not unseen:
        longest = min(ends.values())
        why = f"I saw that every move loses; this one holds out for {-longest} turns."
        return drawn(rng, [move for move in here.moves if ends[move] == longest], why)
    felt = unseen
    if here.happens("feel", sight.feel):
        felt = {text: move for text, move in unseen.items() if text in here.right} or unseen
    return _by_taste(sight, here.view, unseen, felt, list(ends), rng)


def _by_taste(
    sight: ShortSighted, view: Any, unseen: Mapping[str, Any], felt: Mapping[str, Any], lost: Sequence[str], rng: Rng
) -> Choice:
    """The best liked of the moves that feel right; `lost` are moves that it saw lose."""
    liked = {text: sight.taste(view, move) for text, move in unseen.items()}
    best = max(liked[text] for text in felt)
    saw = [f"I saw that {losing(lost)}."] if lost else []
    wrong = [text for text in unseen if text not in felt and liked[text] >= best]
    if wrong:
        saw.append(f"{_counted(wrong)} felt wrong to me.")
    choice = drawn(rng, [text for text in felt if liked[text] == best], " ".join(saw))
    alike = min(liked.values()) == max(liked.values())
    if len(unseen) == 1 or (alike and wrong):
        return choice
    if alike:
        why = f"{choice.move} looked as good to me as any other."
        return replace(choice, why=" ".join([why, *saw]))
    liking = sight.liking if isinstance(sight.liking, str) else sight.liking(view, unseen[choice.move])
    remark = f"{liking[0].upper()}{liking[1:]}."
    return replace(choice, why=" ".join([f"I like it: {liking}.", *saw]), remark=remark)


def _counted(moves: Sequence[str]) -> str:
    """Moves by name, or by number if they are many."""
    if len(moves) > _NAMED:
        return f"{len(moves)} others"
    return listed(moves)


def losing(lost: Sequence[str]) -> str:
    """A clause: these moves lose, by name or by number."""
    if len(lost) == 1:
        return f"{lost[0]} loses"
    return f"{_counted(lost)} lose"
