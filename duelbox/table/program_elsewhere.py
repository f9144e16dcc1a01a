"""A match elsewhere in which a program plays for the person at this screen, who looks on and answers offers."""

from __future__ import annotations

from duelbox.core import news
from duelbox.core.errors import NotYourTurn
from duelbox.core.model import Voice
from duelbox.friends.live_match import LiveMatch
from duelbox.friends.messages import HOST
from duelbox.store.programs import known_programs
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.table.programs import Programs
from duelbox.table.remote import RemoteTable


class ProgramElsewhere(RemoteTable):
    """The host's table of a match that the friend agreed to play against a program."""

    def __init__(self, live: LiveMatch, store: Store | None = None) -> None:
        super().__init__(live, store)
        hello = self.side.ledger.terms.hello or self.side.hello
        assert hello is not None
        command = live.command or known_programs(Config.load().settings).get(hello.name, "")
        if command:
            self.programs = Programs({HOST: command})

    @property
    def voice(self) -> Voice:
        """Both players by their names: the person here plays neither."""
        return Voice(self.session.names)

    @property
    def my_turn(self) -> bool:
        """A person never moves here."""
        return False

    @property
    def computer_to_move(self) -> bool:
        """The program is to move, and no message of it is on its way."""
        return bool(self.programs) and super().my_turn

    @property
    def presence(self) -> str:
        """A sentence about the friend, or that the program is not known here any more."""
        if not self.programs and super().my_turn:
            name = self.session.names[self.people[0]]
            return f"{name} is a program: name it in [programs] of the settings to go on."
        return super().presence

    def play(self, move: str) -> None:
        """Make the program's move; it is shown when it is in the room. Raises DuelboxError."""
        if not super().my_turn:
            raise NotYourTurn("One moment: your opponent's turn is not shown yet.")
        self._send(self._mine.play, move)

    def lose_by_fault(self, fault: str) -> None:
        """Resign for the program, which has made a fault; older versions know no other word for it."""
        self.fault = f"{self.session.names[self.people[0]]} {fault}."
        self.propose("resign")

    def _hear(self, change: news.News) -> None:
        super()._hear(change)
        if isinstance(change, news.Began):
            self.fault = ""
        if isinstance(change, news.RoundOver):
            self.programs.tell_end(change.session, change.match)
