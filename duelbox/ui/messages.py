"""What workers tell the screen; each answer names the session and the stamp it was asked for."""

from __future__ import annotations

from textual.message import Message

from duelbox.core.session import Session
from duelbox.solve.api import Analysis


class Answer(Message):
    """Something a worker found out about a position."""

    def __init__(self, session: Session, stamp: int) -> None:
        super().__init__()
        self.session = session
        self.stamp = stamp

    def is_for(self, session: Session) -> bool:
        """Whether the position asked about is still the one on the table."""
        return self.session is session and self.stamp == session.stamp


class Analysed(Answer):
    """The solver has something to say, perhaps not yet everything."""

    def __init__(self, session: Session, stamp: int, analysis: Analysis) -> None:
        super().__init__(session, stamp)
        self.analysis = analysis


class GaveUp(Answer):
    """The solver has no answer, or not all of it, and will have none."""


class Chosen(Answer):
    """The computer has chosen a move."""

    def __init__(self, session: Session, stamp: int, move: str, why: str) -> None:
        super().__init__(session, stamp)
        self.move = move
        self.why = why


class Turned(Answer):
    """Where the game that is over turned, in a line."""

    def __init__(self, session: Session, stamp: int, line: str) -> None:
        super().__init__(session, stamp)
        self.line = line


class RoundDue(Answer):
    """Computers go on with the next round."""
