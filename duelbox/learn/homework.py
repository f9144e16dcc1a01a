"""Homework: sets of puzzles with a short name, the same for everybody, and the work of a pupil on one of them.

`room-7-10` names ten puzzles of the idea "room"; 7 is the seed that draws them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from duelbox.core.errors import DuelboxError
from duelbox.core.names import quoted
from duelbox.core.record import Name
from duelbox.core.rng import Rng
from duelbox.learn.idea_names import idea_called
from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.learn.puzzles import EXERCISES, PRACTICE, Puzzle, puzzles_in

HOMEWORK = "homework"
"""The kind of progress that results of positions of a set are stored as."""
MOST_SEED, MOST_COUNT = 9999, 20
LONGEST_NAME = 60
EXAMPLE = "room-7-10"
_NAME = re.compile("([a-z][a-z -]*)[ -]([0-9]{1,9})[ -]([0-9]{1,9})")
_SIGNS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Digits and letters that are not mistaken for each other."""
_SHORT = 4

Right, Wrong, Helped, ToDo = "r", "w", "h", "-"
LEGEND = "r: right at once, w: wrong at first, h: with help"


def fingerprint(text: str) -> str:
    """Four letters and digits that differ for almost any other text."""
    number = int.from_bytes(sha256(text.encode()).digest()[:4])
    return "".join(_SIGNS[number >> 5 * at & 31] for at in range(_SHORT))


# -- sets


@dataclass(frozen=True)
class HomeworkSet:
    """A set of puzzles: its name, and the puzzles in their order."""

    name: str
    idea: str
    puzzles: tuple[Puzzle, ...]

    @property
    def format(self) -> str:
        """A fingerprint of its puzzles; a version of duelbox that has others under this name has another one."""
        return fingerprint("\n".join(f"{one.code} {' '.join(one.line)}" for one in self.puzzles))

    @property
    def game_id(self) -> str:
        """The game of its idea."""
        return self.puzzles[0].game_id

    @property
    def id(self) -> str:
        """The name and the format."""
        return f"{self.name} {self.format}"


@cache
def _pools() -> Mapping[str, tuple[Puzzle, ...]]:
    """The puzzles of each idea; their order does not depend on that in the files."""
    puzzles = sorted((*puzzles_in(EXERCISES), *puzzles_in(PRACTICE)), key=lambda one: one.code)
    ideas = {one.idea for one in puzzles if one.idea}
    return {idea: tuple(one for one in puzzles if one.idea == idea) for idea in sorted(ideas)}


def is_set_name(text: str) -> bool:
    """True if a text has the form of a set's name, though perhaps no idea of this name."""
    return len(text) <= LONGEST_NAME and _NAME.fullmatch(text.strip().lower()) is not None


def read_set(text: str) -> HomeworkSet:
    """The set with this name; raises DuelboxError."""
    if not is_set_name(text):
        raise DuelboxError(f"{quoted(text)} is no set. A set is named like this: {EXAMPLE}.")
    words, seed, count = _NAME.fullmatch(text.strip().lower()).groups()  # type: ignore[union-attr]
    idea = idea_called(" ".join(re.split("[ -]+", words)))
    if not 1 <= int(seed) <= MOST_SEED:
        raise DuelboxError(f"The middle number of a set is 1 to {MOST_SEED}, not {int(seed)}.")
    if not 1 <= int(count) <= MOST_COUNT:
        raise DuelboxError(f"A set has 1 to {MOST_COUNT} puzzles, not {int(count)}.")
    return _drawn(idea, int(seed), int(count))


@cache
def _drawn(idea: str, seed: int, count: int) -> HomeworkSet:
    """Draw a set, its easier puzzles first; raises DuelboxError if the idea has too few."""
    pool = _pools().get(idea, ())
    name = f"{idea.replace(' ', '-')}-{seed}"
    if not pool:
        raise DuelboxError(f"No puzzle has the idea {idea} yet.")
    if count > len(pool):
        raise DuelboxError(f"The idea {idea} has only {len(pool)} puzzles: {name}-{len(pool)}.")
    drawn = Rng(seed).sample(pool, count)
    return HomeworkSet(f"{name}-{count}", idea, tuple(sorted(drawn, key=lambda one: one.grade)))


# -- the work of a pupil


class _Stored(PuzzleResult):
    """A result of a position, perhaps unfinished, with the name of the pupil."""

    pupil: Name


def sign_of(result: PuzzleResult, puzzle: Puzzle) -> str:
    """The sign of a position, as in `LEGEND`; `ToDo` if it is not finished."""
    if not _is_finished(result, puzzle):
        return ToDo
    if result.hints or result.shown:
        return Helped
    return Right if all(result.at_once) else Wrong


def _is_finished(result: PuzzleResult, puzzle: Puzzle) -> bool:
    return len(result.at_once) == (len(puzzle.line) + 1) // 2


def _work_in(result: PuzzleResult) -> tuple[int, ...]:
    """The work in a result, which only grows."""
    return len(result.tries), result.hints, result.shown, result.seconds


class Homework:
    """A set being worked on by a pupil: the results so far, those of unfinished positions included."""

    def __init__(self, of: HomeworkSet, pupil: str, marks: Iterable[tuple[str, Any]] = ()) -> None:
        """`marks` are all marks of the kind `HOMEWORK`, of any set and any pupil."""
        self.set = of
        self.pupil = pupil
        self.results: dict[int, PuzzleResult] = {}
        keys = {self.key(at): at for at in range(len(of.puzzles))}
        for key, value in marks:
            if key not in keys:
                continue
            with suppress(ValidationError):
                result = _Stored.model_validate(value, strict=False)
                before = self.results.get(keys[key])
                if before is None or _work_in(before) <= _work_in(result):  # two marks of one moment may change places
                    self.results[keys[key]] = result

    def key(self, at: int) -> str:
        """The key of a position in the store: two pupils who share a machine do not share their work."""
        return f"{self.set.id} {at + 1} {self.pupil.casefold()}"

    def note(self, at: int, result: PuzzleResult) -> dict[str, Any]:
        """Take note of a result, and return it as it is stored."""
        self.results[at] = result
        return {**result.model_dump(mode="json"), "pupil": self.pupil}

    @property
    def signs(self) -> str:
        """A sign for each position."""
        signs = [ToDo] * len(self.set.puzzles)
        for at, result in self.results.items():
            signs[at] = sign_of(result, self.set.puzzles[at])
        return "".join(signs)

    @property
    def seconds(self) -> int:
        """The time taken so far."""
        return sum(result.seconds for result in self.results.values())

    @property
    def done(self) -> bool:
        """All positions are finished."""
        return ToDo not in self.signs

    def next_after(self, at: int) -> int:
        """The next unfinished position after this one, or else the first one; the homework is not done."""
        return (self.signs * 2).index(ToDo, at + 1) % len(self.signs)


def homework_in(marks: Sequence[tuple[str, Any]]) -> list[Homework]:
    """All homework in these marks of the kind `HOMEWORK` that this version has the same puzzles for."""
    found: dict[str, Homework] = {}
    for key, value in marks:
        name, _, rest = key.partition(" ")
        with suppress(DuelboxError, ValidationError):
            of, stored = read_set(name), _Stored.model_validate(value, strict=False)
            own = f"{of.id} {stored.pupil.casefold()}"
            if rest.startswith(f"{of.format} ") and own not in found:
                found[own] = Homework(of, stored.pupil, marks)
    return list(found.values())
