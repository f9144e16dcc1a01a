"""The exact solver of Number Circle Duel."""

from __future__ import annotations

from collections.abc import Iterator

from duelbox.games.circle_duel.rules import View
from duelbox.games.circle_duel.solve import own_trails, verdicts
from duelbox.games.circle_duel.solve.ideas import IDEAS
from duelbox.solve.api import Analysis, Solver, Stop


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """By pairing where both follow one trail, by search where each follows their own."""
    yield from own_trails.stream(view, stop) if view.own else verdicts.stream(view, stop)


def wins(view: View, stop: Stop) -> bool:
    """The verdict alone."""
    return own_trails.wins(view, stop) if view.own else verdicts.is_won(view)


WIDE = 12
"""With more free numbers than this and two trails, all answers to all picks take too long at the table."""


def _wide(view: View) -> bool:
    return view.own and len(view.free) > WIDE


SOLVE = Solver(stream, verdicts.essence, ideas=IDEAS, wide=_wide, wins=wins, partners=verdicts.partners)
