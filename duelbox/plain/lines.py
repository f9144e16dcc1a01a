"""What is told of a match in lines, whoever sits at it."""

from __future__ import annotations

from typing import Any

from duelbox.core.model import Seat, player
from duelbox.core.session import Session
from duelbox.core.talk import AnyTalk, verdict
from duelbox.plain.console import Console
from duelbox.sitting.sitting import Sitting


class Lines:
    """A match told line by line; who asks and answers is for others to say."""

    _console: Console
    _sitting: Sitting
    _talk: AnyTalk

    @property
    def session(self) -> Session:
        """The round that is played."""
        return self._sitting.session

    def say(self, text: str = "") -> None:
        """Tell everybody, with the players' names."""
        self._console.say(self.session.named(text))

    def _public(self) -> Any:
        return self.session.view(None)

    def _board(self) -> None:
        self.say(f"\n{self._talk.board(self._public())}\n")

    def _tell_moves(self, seat: Seat | None) -> None:
        played = ", ".join(f"{player(by)}: {text}" for by, text in self.session.log()).replace("•••", "(in secret)")
        self.say(f"Played so far: {played}." if played else "Nothing has been played yet.")
        if seat is not None:
            self.say(f"{player(seat)} may play: {self._talk.choices(self.session.view(seat))}.")

    def _ending(self) -> str:
        outcome = self.session.outcome
        assert outcome is not None
        if self.session.cut_short:
            return f"{outcome.reason}\n{verdict(outcome)}"
        cheer = f"{self._talk.cheer}\n" if self._talk.cheer and outcome.winner in self._sitting.people else ""
        return cheer + self._talk.ending(self._public())
