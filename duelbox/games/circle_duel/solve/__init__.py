"""The exact solver of Number Circle Duel."""

from __future__ import annotations

from collections.abc import Iterator

from duelbox.games.circle_duel.rules import View
from duelbox.games.circle_duel.solve import own_trails, shared_trail
from duelbox.games.circle_duel.solve.ideas import IDEAS
from duelbox.solve.api import Analysis, Instead, Solver, Stop


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """Analyse a shared trail by pairing, and own trails by search."""
    yield from own_trails.stream(view, stop) if view.own else shared_trail.stream(view, stop)


def wins(view: View, stop: Stop) -> bool:
    """True if the player to move wins."""
    return own_trails.wins(view, stop) if view.own else shared_trail.is_won(view)


def refuted(view: View, move: str, stop: Stop) -> Instead | None:
    """The answer to a wrong pick, and what it takes."""
    if view.own:
        return own_trails.refuted(view, move, stop)
    return shared_trail.refuted(view, move)


WIDE = 12
"""With own trails and more free numbers than this, rating every answer to every pick would take too long."""


def _wide(view: View) -> bool:
    return view.own and len(view.free) > WIDE


SOLVE = Solver(
    stream,
    shared_trail.essence,
    refuted=refuted,
    ideas=IDEAS,
    wide=_wide,
    wins=wins,
    partners=shared_trail.partners,
)
