"""Ideas by the names that people type, and the old names, under which players may have results."""

from __future__ import annotations

from collections.abc import Mapping

from duelbox.core.errors import DuelboxError
from duelbox.core.names import quoted
from duelbox.registry import game_ids
from duelbox.solve import can_solve, solver_of

_NEW: Mapping[str, Mapping[str, str]] = {
    "number-circle": {
        "who is there first": "count the steps",
        "can they hit next": "no hit",
        "fork of signs": "fork",
    },
    "sequence-duel": {
        "two from the end": "next to the end",
        "largest stake": "where most is at stake",
    },
    "number-duel": {
        "spend the least": "the cheapest that bites",
        "ahead: trade": "trade when ahead",
        "swap the kings": "top for top",
        "only what cannot lose": "sure attacks",
    },
}
"""The new names of ideas by their old ones, for each game."""


def new_name(game_id: str, name: str) -> str:
    """The present name of an idea of a game, by its present or old name."""
    return _NEW.get(game_id, {}).get(name, name)


def idea_called(asked: str, game_id: str | None = None) -> str:
    """The present name of the idea, of a game or of any, that is asked for by this or its old name; raises
    DuelboxError."""
    games = game_ids() if game_id is None else [game_id]
    names = list[str]()
    for game in filter(can_solve, games):
        known = [idea.name for idea in solver_of(game).ideas]
        name = new_name(game, asked.strip().lower())
        if name in known:
            return name
        names += known
    raise DuelboxError(f"There is no idea {quoted(asked)}. There are: {', '.join(names) or 'none'}.")
