"""A proof as it is kept among the player's progress, and the answers in the line of a proof."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from duelbox.core.model import Model
from duelbox.proof.checker import ProofWalk
from duelbox.proof.line import Proof
from duelbox.proof.walk import Walk

Answer = tuple[tuple[str, ...], str]
"""The moves before an answer, and the answer."""


class Kept(Model):
    """A proof as it is kept."""

    walk: Walk
    hints: int = 0
    done: bool = False


def mark_of(walk: Walk, hints: int, *, done: bool) -> dict[str, Any]:
    """The entry of progress that keeps a proof."""
    return Kept(walk=walk, hints=hints, done=done).model_dump(mode="json", exclude_defaults=True)


def kept_in(mark: object) -> Kept | None:
    """The proof that an entry keeps; None if there is none, or it cannot be read."""
    try:
        return Kept.model_validate_json(json.dumps(mark))
    except ValidationError:
        return None


def answers_in(proof: Proof) -> list[Answer]:
    """The answers of a proof where there was a choice, in the order of the proof; raises DuelboxError."""
    read = ProofWalk(proof)
    read.walk()
    game, known = read.game, len(read.session.moves)
    return [
        (tuple(str(number) for number in view.picks[known:]), game.format_move(move))
        for view, move in read.answered
        if len(game.legal_moves(view)) > 1
    ]
