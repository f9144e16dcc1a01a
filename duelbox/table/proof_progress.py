"""The progress of proofs: which are begun, which are done, and which comes next on the ladder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from duelbox.proof.ladder import RUNGS, Rung

PROOFS = "proof"
"""The kind of the progress entries that keep proofs, by the code of the position."""


class At(NamedTuple):
    """A rung, and its number on the ladder, from 1."""

    number: int
    rung: Rung


def is_done(marks: Mapping[str, Any], code: str) -> bool:
    """The position of a code is proved."""
    mark = marks.get(code)
    return isinstance(mark, dict) and mark.get("done") is True


def is_begun(marks: Mapping[str, Any], code: str) -> bool:
    """The proof of a code was begun, and is not done."""
    return code in marks and not is_done(marks, code)


def rung_of(code: str) -> At | None:
    """The rung of a position; None if it is not on the ladder."""
    return next((At(number, rung) for number, rung in enumerate(RUNGS, 1) if rung.code == code), None)


def game_of(rung: Rung) -> str:
    """The game of a rung."""
    return rung.code.partition("/")[0].partition(":")[0]


def next_rung(marks: Mapping[str, Any], game_id: str = "", after: str = "") -> At | None:
    """The rung to prove next, of any game or of one: one that was begun, else the first that is not proved.

    `after` is the code of a rung: those behind it come first.
    """
    rungs = [At(number, rung) for number, rung in enumerate(RUNGS, 1)]
    at = rung_of(after)
    if at is not None:
        rungs = [*rungs[at.number :], *rungs[: at.number - 1]]
    left = [one for one in rungs if game_id in ("", game_of(one.rung)) and not is_done(marks, one.rung.code)]
    begun = [one for one in left if is_begun(marks, one.rung.code)]
    if begun and at is None:
        return begun[0]
    return left[0] if left else None
