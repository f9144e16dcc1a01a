"""The ladder of theorems: positions to prove, the one with the fewest questions first, each with a proof of its own."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, NamedTuple

from duelbox.proof.checker import ProofWalk
from duelbox.proof.line import read_proof


class Rung(NamedTuple):
    """A theorem of the ladder."""

    name: str
    """The position in a few words: "a line of 9"."""
    code: str
    questions: int
    """The fewest questions known to prove it without a rule."""
    proof: str
    """The line that proves it."""


RUNGS = tuple(Rung(**one) for one in json.loads(files("duelbox.proof").joinpath("ladder.json").read_text("utf-8")))
"""All theorems, the one with the fewest questions first."""


def answers_on_ladder(code: str) -> list[tuple[Any, int]]:
    """The positions of a rung's proof and the answers to them; empty if the position is on no rung."""
    for rung in RUNGS:
        if rung.code == code:
            walk = ProofWalk(read_proof(rung.proof))
            walk.walk()
            return [(view, move.number) for view, move in walk.answered]
    return []
