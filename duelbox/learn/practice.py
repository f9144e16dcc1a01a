"""The puzzles to practise, by game, grade and idea, and the next one for a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.rng import Rng
from duelbox.learn.puzzle_results import first_results, results_of, worked_on
from duelbox.learn.puzzles import EXERCISES, PRACTICE, Puzzle, puzzles_in
from duelbox.learn.strength import grade_near, strength_of
from duelbox.registry import find_game


def practice(game_id: str | None = None, grade: int | None = None, idea: str = "") -> tuple[Puzzle, ...]:
    """The puzzles to practise of a game, a grade or an idea; those of an idea include exercises; raises UnknownGame."""
    if game_id is not None:
        find_game(game_id)
    return tuple(
        one
        for one in (*(puzzles_in(EXERCISES) if idea else ()), *puzzles_in(PRACTICE))
        if game_id in (None, one.game_id) and grade in (None, one.grade) and idea in ("", one.idea)
    )


def of_idea(game_id: str, idea: str) -> tuple[Puzzle, ...]:
    """The puzzles of an idea of a game, or all of the game if none has the idea."""
    return practice(game_id, idea=idea) or practice(game_id)


def next_puzzle(
    tried: Sequence[tuple[str, Any]], game_id: str | None = None, grade: int | None = None, idea: str = ""
) -> Puzzle:
    """A puzzle that is still to do, as close to the player's strength as possible; raises DuelboxError if there are
    none of this kind. `tried` has the codes of puzzles and their stored results, or None for one that was skipped.
    """
    puzzles = practice(game_id, grade, idea)
    if not puzzles:
        raise DuelboxError("There are no such puzzles. To make some: duelbox puzzle GAME --make N --grade N")
    results = results_of(tried)
    wanted = grade or grade_near(strength_of(first_results(results).values()))
    skipped = {code for code, value in tried if value is None}
    codes = skipped | worked_on(results).keys()
    left = [one for one in puzzles if one.code not in codes]
    closest = min((abs(one.grade - wanted) for one in left), default=0)
    closest_left = [one for one in left if abs(one.grade - wanted) == closest]
    return Rng(len(tried)).choice(closest_left) if left else puzzles[len(tried) % len(puzzles)]
