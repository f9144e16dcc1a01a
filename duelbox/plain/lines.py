"""What is told of a match in lines, whoever sits at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duelbox.core.model import Seat, player
from duelbox.core.session import Session
from duelbox.core.talk import verdict
from duelbox.plain.console import Console
from duelbox.registry import rules_text, talk_of


class Lines:
    """A match told line by line, with the words that work at any time; who asks and answers is for others to say."""

    _about: str
    """What the word help tells."""

    def __init__(self, console: Console, sitting: Sitting) -> None:
        self._console, self._sitting, self._talk = console, sitting, talk_of(sitting.game)
        self._words: dict[str, Callable[[], None]] = {
            "help": lambda: console.say(self._about),
            "rules": lambda: console.say(rules_text(sitting.game.INFO.id).rstrip()),
            "board": self._board,
            "quit": self._quit,
        }

    @property
    def session(self) -> Session:
        """The round that is played."""
        return self._sitting.session

    def say(self, text: str = "") -> None:
        """Tell everybody, with the players' names."""
        self._console.say(self.session.named(text))

    def _quit(self) -> None:
        raise NotImplementedError

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
