"""Choices of computers with short sight: they see the end when it is near, but for slips; beyond it they go by taste.

A level that looks so many turns ahead knows every move that wins or loses by then, except where it overlooks what a
person overlooks (`slips`); of the moves that are left it takes the one it likes best, and the seed decides between
those it likes as much. The last level knows everything, and sets traps when it is lost (`traps`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from duelbox.bots.api import Choice, Level, drawn
from duelbox.bots.oversights import Missable, Seen, overlooking
from duelbox.bots.perfect_play import Foresight, PerfectPlayer
from duelbox.core.game import AnyGame
from duelbox.core.model import listed
from duelbox.core.rng import Rng
from duelbox.solve import analyse
from duelbox.solve.api import Stop

Taste = Callable[[Any, Any], Any]  # how much a move in a view is liked; more is better

_TOLD = 3


@dataclass(frozen=True, slots=True)
class ShortSighted:
    """A level, how far it sees, and what it likes where it does not see."""

    level: Level
    turns: int
    taste: Taste
    liking: str | Callable[[Any, Any], str]
    """What it likes of a move, in words: "it is the longest leap"; one of several where more than one can hold."""
    misses: int = 0
    """Of a hundred moves that are easily missed, it overlooks so many."""


@dataclass(frozen=True, slots=True)
class Computers:
    """All levels of a game: those that see so far, and the last, which sees everything."""

    game: AnyGame
    sights: tuple[ShortSighted, ...]
    exact: PerfectPlayer
    missable: Missable = lambda view, move: False
    """The moves that are easily missed."""

    def choose(self, view: Any, level: str, seed: int, stop: Stop) -> Choice:
        """The move of a level; where it likes several as much, the seed decides."""
        moves = {self.game.format_move(move): move for move in self.game.legal_moves(view)}
        rng = Rng(seed)
        if len(moves) == 1:
            return Choice(next(iter(moves)), "It was the only move.")
        for sight in self.sights:
            if sight.level.id == level:
                seen = Seen(moves, {})
                with stop.in_time():
                    seen = Seen(moves, self.exact.foresee(view, sight.turns, stop) if sight.turns else {})
                    if sight.misses:
                        seen = overlooking(self.exact, self.missable, sight.turns, sight.misses, view, seen, seed, stop)
                choice = _seeing(sight, view, seen.moves, seen.ends, rng)
                return replace(choice, why=f"{choice.why}{seen.told(choice.move)}".strip())
        return self.exact.choose(view, moves, rng, stop)


def anything(view: Any, move: Any) -> int:
    """The taste of those who take what comes."""
    return 0


def solved(game: AnyGame) -> Foresight:
    """Foresight from a solver that counts the turns to every end that is near."""

    def foresee(view: Any, turns: int, stop: Stop) -> dict[str, int]:
        near = [one for one in analyse(game, view, stop).moves if one.plies is not None and one.plies <= turns]
        return {one.move: one.plies if one.verdict == "win" else -one.plies for one in near if one.plies is not None}

    return foresee


def _seeing(sight: ShortSighted, view: Any, moves: Mapping[str, Any], seen: Mapping[str, int], rng: Rng) -> Choice:
    wins = [turns for turns in seen.values() if turns > 0]
    if wins:
        soonest = min(wins)
        how = "It wins at once." if soonest == 1 else f"I saw that it wins within {soonest} turns."
        return drawn(rng, [move for move in moves if seen.get(move) == soonest], how)
    unseen = [move for move in moves if move not in seen]
    if unseen:
        return _by_taste(sight, view, {move: moves[move] for move in unseen}, list(seen), rng)
    longest = min(seen.values())
    held = [move for move in moves if seen[move] == longest]
    return drawn(rng, held, f"I saw that every move loses; this one holds out for {-longest} turns.")


def _by_taste(sight: ShortSighted, view: Any, moves: Mapping[str, Any], lost: Sequence[str], rng: Rng) -> Choice:
    liked = {text: sight.taste(view, move) for text, move in moves.items()}
    best = max(liked.values())
    equals = [text for text in moves if liked[text] == best]
    if len(moves) == 1:
        return drawn(rng, equals, f"I saw that {those(lost)}." if lost else "")
    choice = drawn(rng, equals, f" I saw that {those(lost)}." if lost else "")
    prefers = min(liked.values()) < best
    if not prefers:
        return replace(choice, why=f"{choice.move} looked as good to me as any other.{choice.why}")
    told = sight.liking if isinstance(sight.liking, str) else sight.liking(view, moves[choice.move])
    return replace(choice, why=f"I like it: {told}.{choice.why}", remark=f"{told[0].upper()}{told[1:]}.")


def those(lost: Sequence[str]) -> str:
    """That these moves lose: which ones, or how many."""
    if len(lost) > _TOLD:
        return f"{len(lost)} others lose"
    return f"{listed(lost)} {'loses' if len(lost) == 1 else 'lose'}"


DASH, PEEK, COUNTER, PLANNER, ORACLE = "dash", "peek", "counter", "planner", "oracle"


def five_levels(*lines: str) -> tuple[Level, ...]:
    """The five computers, each with its line of character in this game."""
    names = (DASH, PEEK, COUNTER, PLANNER, ORACLE)
    return tuple(Level(name, name.capitalize(), line) for name, line in zip(names, lines, strict=True))
