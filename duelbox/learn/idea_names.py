"""The old names of ideas, under which players may have results."""

from __future__ import annotations

from collections.abc import Mapping

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
