"""A proof as it is kept among the player's progress."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from duelbox.core.model import Model
from duelbox.proof.walk import Walk


class Kept(Model):
    """A proof as it is kept."""

    walk: Walk
    hints: int = 0
    done: bool = False


def mark_of(walk: Walk, hints: int, *, done: bool) -> dict[str, Any]:
    """The entry of progress that keeps a proof."""
    return Kept(walk=walk, hints=hints, done=done).model_dump(mode="json")


def kept_in(mark: object) -> Kept | None:
    """The proof that an entry keeps; None if there is none, or it cannot be read."""
    try:
        return Kept.model_validate_json(json.dumps(mark))
    except ValidationError:
        return None
