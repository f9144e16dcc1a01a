"""The reasons and remarks of computers in a round, by the turn at which they were given."""

from __future__ import annotations

from typing import Any

from duelbox.core.session import Session

REMARKS_APART = 6
"""A computer makes no remark within this many turns after the last one; it moves in every second turn."""


class Remarks:
    """The moves of computers in a round, with their reasons and remarks; those of moves that were undone are kept."""

    def __init__(self) -> None:
        self._spoken: dict[int, tuple[Any, str, str]] = {}
        """Moves with their reasons and remarks, by the number of the turn, from 1."""

    def note(self, number: int, move: Any, why: str, remark: str) -> None:
        """Note the reason of a move, and its remark unless one was made shortly before."""
        lately = [self._spoken[turn] for turn in range(number - REMARKS_APART + 1, number) if turn in self._spoken]
        if any(said for _, _, said in lately):
            remark = ""
        self._spoken[number] = move, why, remark

    def at(self, number: int, session: Session) -> tuple[str, str]:
        """The reason and the remark at a turn; empty if none are known, or another move was made since."""
        if number not in self._spoken:
            return "", ""
        move, why, remark = self._spoken[number]
        if move != session.plies[number - 1].move:
            return "", ""
        return why, remark
