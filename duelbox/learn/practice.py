"""The puzzles to practise, by game, grade and idea, and the next one for a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.rng import Rng
from duelbox.learn.puzzle_results import first_results, results_of
from duelbox.learn.puzzles import EXERCISES, PRACTICE, Puzzle, puzzles_in
from duelbox.learn.strength import near, strength_of


def practice(game_id: str | None = None, grade: int | None = None, idea: str = "") -> tuple[Puzzle, ...]:
    """The puzzles to practise, of a game, a grade or an idea where they are named; of an idea exercises as well."""
    return tuple(
        one
        for one in (*(puzzles_in(EXERCISES) if idea else ()), *puzzles_in(PRACTICE))
        if game_id in (None, one.game_id) and grade in (None, one.grade) and idea in ("", one.idea)
    )


def of_idea(game_id: str, idea: str) -> tuple[Puzzle, ...]:
    """What there is to practise of an idea of a game; all of the game, where no puzzle is known to have the idea."""
    return practice(game_id, idea=idea) or practice(game_id)


def offered(
    tried: Sequence[tuple[str, Any]], game_id: str | None = None, grade: int | None = None, idea: str = ""
) -> Puzzle:
    """A puzzle that was not tried yet, as near to the player's strength as there is; raises DuelboxError.

    What was tried are the codes of puzzles, and what was kept of each attempt.
    """
    puzzles = practice(game_id, grade, idea)
    if not puzzles:
        raise DuelboxError("There are no such puzzles. To make some: duelbox puzzle GAME --make N --grade N")
    wanted = grade or near(strength_of(first_results(results_of(tried)).values()))
    left = next_of(puzzles, [code for code, _ in tried], wanted, len(tried))
    return left or puzzles[len(tried) % len(puzzles)]


def next_of(puzzles: Sequence[Puzzle], tried: Sequence[str], grade: int, seed: int) -> Puzzle | None:
    """One that was not tried yet, as near to this grade as there is; None where all were tried."""
    left = [one for one in puzzles if one.code not in set(tried)]
    closest = min((abs(one.grade - grade) for one in left), default=0)
    return Rng(seed).choice([one for one in left if abs(one.grade - grade) == closest]) if left else None
