"""Statistics: games counted by player, game, opponent and level."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby, pairwise

from pydantic import Field

from duelbox.core.model import Model

SLICES = 20
_SWAPPED = str.maketrans("wlWL", "lwLW")
_ROUNDS = str.maketrans("", "", "01 ")
_POINTS = {"w": 1.0, "d": 0.5, "l": 0.0}
Results = tuple[str, str, str]
"""Of a game, for a pair of players (as JSON: name, level, name, level), the first one's results in their order: the
matches with blanks between them, each a 0 or a 1 for who of the two began, and a letter for every round."""

Way = tuple[bool, bool]
"""How a computer was beaten: whether with help, and whether as the second player."""


class Tally(Model):
    """How one person did in one game against one opponent; every round of a match is a game."""

    player: str
    game: str
    opponent: str
    level: str | None
    """The computer's level; None for a person."""
    played: int
    won: int
    drawn: int
    lost: int
    assisted: int
    """How many of them with hints."""
    streak: int
    """Games won (or, below zero, lost) in a row up to the last one."""
    best: int
    """The most games won in a row."""
    beaten: dict[str, tuple[Way, ...]] = Field(default_factory=dict)
    """The computers this person has beaten in this game, by their levels, and how."""
    shares: tuple[float, ...]
    """The win share (1 a win, ½ a draw) over time, oldest first, in at most 20 slices of equally many games."""


def tallies(found: Iterable[Results], assisted: bool | None = None) -> tuple[Tally, ...]:
    """Count games for every person in them: all, those with hints, or those without."""
    counted: list[Tally] = []
    beaten = _beaten(found)
    for game, pair, matches in found:
        results = matches.translate(_ROUNDS)
        if assisted is not None:
            results = "".join(filter(str.isupper if assisted else str.islower, results))
        one, level_1, two, level_2 = json.loads(pair)
        if results and level_1 is None:
            counted.append(_tally(one, game, two, level_2, results, beaten.get((one, game), {})))
        if results and level_2 is None:
            counted.append(_tally(two, game, one, level_1, results.translate(_SWAPPED), beaten.get((two, game), {})))
    return tuple(sorted(counted, key=lambda tally: (tally.player, tally.game, tally.opponent, tally.level or "")))


def _beaten(found: Iterable[Results]) -> dict[tuple[str, str], dict[str, set[Way]]]:
    """Which computers every person has beaten in every game, and how."""
    ways: dict[tuple[str, str], dict[str, set[Way]]] = {}
    for game, pair, matches in found:
        person, person_level, _, level = json.loads(pair)
        if person_level is not None or level is None:
            continue
        for told in set(matches.split()):
            for number, letter in enumerate(told[1:], int(told[0])):
                if letter in "wW":
                    rungs = ways.setdefault((person, game), {})
                    rungs.setdefault(level, set()).add((letter == "W", bool(number % 2)))
    return ways


def left_out(found: Iterable[Results]) -> int:
    """How many games were played by computers alone."""
    return sum(len(matches.translate(_ROUNDS)) for _, pair, matches in found if None not in json.loads(pair)[1::2])


def _tally(player: str, game: str, opponent: str, level: str | None, letters: str, ways: dict[str, set[Way]]) -> Tally:
    results = letters.lower()
    runs = [(result, sum(1 for _ in run)) for result, run in groupby(results)]
    last, length = runs[-1]
    slices = min(SLICES, len(results))
    edges = [len(results) * at // slices for at in range(slices + 1)]
    return Tally(
        player=player,
        game=game,
        opponent=opponent,
        level=level,
        played=len(results),
        won=results.count("w"),
        drawn=results.count("d"),
        lost=results.count("l"),
        assisted=sum(map(str.isupper, letters)),
        streak={"w": length, "d": 0, "l": -length}[last],
        best=max((length for result, length in runs if result == "w"), default=0),
        beaten={level: tuple(sorted(how)) for level, how in ways.items()},
        shares=tuple(sum(_POINTS[one] for one in results[low:high]) / (high - low) for low, high in pairwise(edges)),
    )
