"""The reasons and remarks of computers in a round, by the turn at which they were given."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from duelbox.core.model import Seat
from duelbox.core.session import Session

REMARKS_APART = 6
"""A computer makes no remark within this many turns after the last one; it moves in every second turn."""


class Remarks:
    """The moves of computers in a round, with their reasons and remarks; those of moves that were undone are kept."""

    def __init__(self) -> None:
        self._spoken: dict[int, tuple[Any, str, str]] = {}
        """Moves with their reasons and remarks, by the number of the turn, from 1."""
        self._slips: dict[int, tuple[Any, tuple[str, ...]]] = {}
        """Slips with the answers that refute them, by the number of the turn."""

    def speak(self, session: Session, move: Any, why: str, remark: str, unseen: tuple[str, ...]) -> None:
        """Note the reason of the next move; `unseen` are the answers that refute a slip.

        An opponent who has just found one is told so. Any other remark is not made shortly after the last one.
        """
        number = len(session.plies) + 1
        if unseen:
            self._slips[number] = move, unseen
        self.note(number, move, why, remark)
        used = self.used_slip(session)
        if used:
            self._spoken[number] = move, why, used

    def note(self, number: int, move: Any, why: str, remark: str) -> None:
        """Note the reason of a move, and its remark unless one was made shortly before."""
        lately = [self._spoken[turn] for turn in range(number - REMARKS_APART + 1, number) if turn in self._spoken]
        if any(said for _, _, said in lately):
            remark = ""
        self._spoken[number] = move, why, remark

    def used_slip(self, session: Session) -> str:
        """A remark of the computer to move whose slip the last move refuted; empty if none did."""
        played = session.plies
        if len(played) < 2:
            return ""
        slip, unseen = self._slips.get(len(played) - 1, (None, ()))
        answer = played[-1].move
        if slip is None or slip != played[-2].move or answer is None:
            return ""
        text = session.game.format_move(answer)
        if text not in unseen:
            return ""
        return f"I did not see your {text}."

    def at(self, number: int, session: Session) -> tuple[str, str]:
        """The reason and the remark at a turn; empty if none are known, or another move was made since."""
        if number not in self._spoken:
            return "", ""
        move, why, remark = self._spoken[number]
        if move != session.plies[number - 1].move:
            return "", ""
        return why, remark


def last_of_computer(session: Session, people: Collection[Seat]) -> int:
    """The number of the last move of a computer, from 1; 0 if it has made none."""
    for number in range(len(session.plies), 0, -1):
        ply = session.plies[number - 1]
        if ply.seat not in people and ply.move is not None:
            return number
    return 0
