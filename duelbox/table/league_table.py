"""A game of a league at a table: two players play it, and whoever sits here watches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from duelbox.core.match import Match
from duelbox.core.news import Moved, PositionChanged
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.store.settings import Settings
from duelbox.table.prompts import Prompts, story
from duelbox.table.refusals import Refusals
from duelbox.table.state import TableState
from duelbox.table.verb import Verb, Verbs
from duelbox.table.watch_only import WatchOnlyTable

LEAGUE_VERBS = Verbs()
"""The verbs of a game that is only watched."""


class LeagueTable(WatchOnlyTable):
    """A game that is played elsewhere in this process; `follow` shows it as it is now."""

    verbs: ClassVar[Mapping[str, Verb]] = LEAGUE_VERBS
    lesson = False

    def __init__(self, session: Session, number: int, of: int) -> None:
        """`number` is that of the game among the `of` games of the league."""
        one, two = session.names
        players = PlayerInfo(name=one), PlayerInfo(name=two)
        super().__init__(session.copy(), players, Match(), session.options)
        self.sitters = ()
        self.place = f"game {number} of {of}"
        """The place of the game in the league."""

    def follow(self, session: Session) -> None:
        """Show the game as it is now: the turns since are news, or another game is on the table."""
        before = len(self.session.moves)
        follows = session.options == self.session.options and session.moves[:before] == self.session.moves
        self.session = session.copy()
        if not follows:
            one, two = session.names
            self.players = PlayerInfo(name=one), PlayerInfo(name=two)
        if not follows:
            self.happened.append(PositionChanged())
        elif len(session.moves) > before:
            self.happened += [Moved(ply.seat, ply) for ply in session.plies[before:]]

    def title(self, settings: Settings) -> str:
        """The kind of table."""
        return "League"

    @property
    def hands_open(self) -> bool:
        """True: a watcher sees both hands, as neither player does."""
        return True

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The player to move, or the end of the game."""
        session = self.session
        prompt = "The next game follows"
        note = ""
        if session.turn is not None:
            prompt = f"{session.names[session.turn]} is to move"
        elif session.outcome is not None:
            note = session.named(session.outcome.reason)
        return Prompts(prompt, (), note, refusals, aside=self.place, story=story(state))


LEAGUE_VERBS.place("help", "question_mark", "Rules", display="?", help="this list")
LEAGUE_VERBS.place("leave", "escape,q", "Table", display="esc", help="back to the table of the league")
