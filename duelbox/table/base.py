"""A match at a table: its rounds, its players and its score; kinds of it differ in who decides that a move is made."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, ClassVar

from duelbox.bots import Level, levels_of
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.match import Match
from duelbox.core.model import SEATS, Seat, Voice
from duelbox.core.news import News
from duelbox.core.offer import Kind, Offer
from duelbox.core.options import Options
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.solve.api import Analysis, Mark
from duelbox.store.store import Store
from duelbox.table.rounds import RoundRow

PACES = (0, 200, 400, 800, 1500, 3000)
"""The delays that computers can be given, in milliseconds."""

REMARKS_APART = 6
"""So many turns lie between two remarks of a computer: it moves in every second."""


class BaseTable:
    """One match at a table; the kinds of it say who decides that a move is made.

    `LocalTable` does so itself, `RemoteTable` asks a friend elsewhere, `WatchedTable` only looks on, `TrialTable` lets
    a lesson or puzzle judge the move, and `ReviewTable` looks back at a match that was played.
    """

    absent: ClassVar[frozenset[str]] = frozenset()
    """Verbs that mean nothing at this table: their keys are free."""
    asks_first: ClassVar[bool] = False
    """Undo, a draw and a rematch are asked of a friend elsewhere, who answers later."""
    store: Store | None = None
    """The store that saves it; None for a match that is not saved."""
    pace: int | None = None
    """The delay of computers at this table, in milliseconds; None if it was not changed here."""
    assisted: bool = False
    """Help was asked for in this round."""
    open_ended: bool = False
    """Round follows round as long as the players like; each is saved by itself."""
    notice: str = ""
    """A sentence about how it was resumed, to be told once."""

    def __init__(
        self, session: Session, players: tuple[PlayerInfo, PlayerInfo], match: Match, options: Options
    ) -> None:
        self.session = session
        """The round on the table."""
        self.players = players
        self.match = match
        """As it stood when the round on the table began."""
        self.options = options
        """Of the first round."""
        self.finished: tuple[RoundRow, ...] = ()
        """The rounds before this one."""
        self.happened: list[News] = []
        """News of this table, to be told once they are on disk."""
        self.reasons: dict[int, tuple[Any, str]] = {}
        """The moves that computers made in this round, by number, and why they made them."""
        self.remarks: dict[int, tuple[Any, str]] = {}
        """The moves that computers said something of by themselves, by number, and what they said."""

    # -- who is who

    def sit_down(self, players: tuple[PlayerInfo, PlayerInfo]) -> None:
        """These are the players."""
        self.players = players
        self.session.names = (self.who(0).name, self.who(1).name)

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.session.game

    def who(self, seat: Seat) -> PlayerInfo:
        """The player in a seat, in the round on the table."""
        return self.players[self.match.player_in(seat)]

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people at this screen sit in."""
        return tuple(seat for seat in SEATS if self.who(seat).level is None)

    @property
    def voice(self) -> Voice:
        """The players in sentences: a person alone at this screen is "you"."""
        one, two = self.session.names
        return Voice((one, two), self.people[0] if len(self.people) == 1 else None)

    @property
    def left_seat(self) -> Seat:
        """The seat on the left: that of a person alone, or else the same player's in every round."""
        you = self.voice.you
        return you if you is not None else 0 if self.match.player_in(0) == 0 else 1

    def level_number(self, seat: Seat) -> int:
        """The level of the computer in this seat, counted from 1; 0 where none sits there."""
        known = [level.id for level in levels_of(self.game.INFO.id)]
        level = self.who(seat).level
        return known.index(level) + 1 if level in known else 0

    def away(self, seat: Seat) -> str:
        """The player in this seat is away, and since when, in words; empty where they are here."""
        return ""

    @property
    def nobody_plays(self) -> bool:
        """Nobody but computers plays, on this machine."""
        return all(who.level is not None for who in self.players)

    @property
    def my_turn(self) -> bool:
        """A person at this screen may move now."""
        return self.session.turn in self.people

    @property
    def against_computer(self) -> bool:
        """One person plays a computer."""
        return sum(who.level is None for who in self.players) == 1

    @property
    def computer_to_move(self) -> bool:
        """The computer is to move, and may."""
        turn = self.session.turn
        return turn is not None and not self.session.full and self.who(turn).level is not None

    @property
    def needs_handover(self) -> bool:
        """Two people share a screen that must hide something from each."""
        return self.game.INFO.hidden and len(self.people) == 2

    @property
    def why(self) -> str:
        """The reason of the computer's last move; empty if it made none, or made it before this sitting."""
        plies = self.session.plies
        last = next((at for at in range(len(plies), 0, -1) if plies[at - 1].seat not in self.people), 0)
        made, why = self.reasons.get(last, (None, ""))
        return why if last and made == plies[last - 1].move else ""

    @property
    def remark(self) -> str:
        """The computer's words about its last move, if that is the last turn and it said something by itself."""
        plies = self.session.plies
        made, told = self.remarks.get(len(plies), (None, ""))
        return told if plies and made == plies[-1].move else ""

    def remarked(self, number: int, move: Any, told: str) -> None:
        """Note a computer's words about its move; it says something of one move in three at most."""
        if told and not any(at in self.remarks for at in range(number - REMARKS_APART + 1, number)):
            self.remarks[number] = move, told

    # -- what there is to see

    @property
    def mover(self) -> Seat | None:
        """The seat whose move is looked at."""
        return self.session.turn

    @property
    def hands_open(self) -> bool:
        """Hidden numbers are shown: after the game, unless a next round has the same hands, which were named."""
        afresh = self.options.draws or self.options == self.options.rules_only()
        return self.session.outcome is not None and (self.score.over or afresh)

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position where it is known already; without one, the solver is asked."""
        return None

    @property
    def shown(self) -> tuple[Mark, ...]:
        """Marks drawn on the board although nobody asked for them."""
        return ()

    def log(self) -> tuple[tuple[Seat, str], ...]:
        """The moves as they may be shown: who moved, and the move as text."""
        return self.session.log()

    @property
    def at(self) -> int | None:
        """The number of moves made at the position looked back at; None while a game is played."""
        return None

    # -- rounds

    @property
    def score(self) -> Match:
        """The match with this round counted in, if it is over."""
        outcome = self.session.outcome
        return self.match if outcome is None or self.match.over else self.match.with_round(outcome)

    @property
    def rounds(self) -> tuple[RoundRow, ...]:
        """The rounds that are over, this one among them."""
        session, number = self.session, len(self.match.winners)
        if session.outcome is None or self.match.over:
            return self.finished
        winner = session.outcome.winner
        draw = str(number // 2 + 1) if session.options.draws and not self.game.INFO.hidden else ""
        turns = len(session.moves)
        row = RoundRow(draw, self.who(0).name, "" if winner is None else self.who(winner).name, turns)
        return (*self.finished, row)

    @property
    def runs_on(self) -> bool:
        """The next round follows by itself: nobody but computers plays, and this one is over."""
        return self.nobody_plays and self.session.outcome is not None and not self.score.over

    @property
    def under_way(self) -> bool:
        """Something was played."""
        return bool(self.session.plies or self.match.winners)

    @property
    def next_level(self) -> Level | None:
        """The level above the one that was beaten; none where there is none, or nobody was beaten."""
        winner = self.score.winner if self.score.over else None
        if winner is None or len(self.people) != 1 or self.players[winner].level is not None:
            return None
        known = levels_of(self.game.INFO.id)
        beaten = next((at for at, level in enumerate(known) if level.id == self.players[1 - winner].level), len(known))
        return known[beaten + 1] if beaten + 1 < len(known) else None

    # -- a friend elsewhere, and offers

    @property
    def presence(self) -> str:
        """An opponent elsewhere is here, away or thinking, in a sentence; empty where nobody is elsewhere."""
        return ""

    @property
    def watched(self) -> str:
        """The number of watchers on other machines, in a few words; empty if nobody may watch."""
        return ""

    @property
    def offered(self) -> Offer | None:
        """The offer that waits for an answer."""
        return None

    @property
    def asked(self) -> str:
        """The offer that waits for an answer of a person at this screen, in a sentence."""
        return ""

    @property
    def lesson(self) -> bool:
        """Hints and verdicts may be asked for."""
        return True

    @property
    def saved_as(self) -> str | None:
        """The id of the match among the saved games; None as long as it is not there."""
        return None

    # -- what can be done

    def why_not(self, verb: str) -> str | None:
        """The sentence that refuses this verb now; empty where no words are needed, None where it is allowed."""
        return ""

    @property
    def may_go_back(self) -> bool:
        """Undo leads to the match that lay here before."""
        return False

    def play(self, move: str) -> Awaitable[None] | None:
        """Make a move; raises MoveError. Where it takes time, what is returned is to be awaited."""
        raise NotImplementedError

    def resign(self) -> None:
        """The player to move gives up."""
        raise NotImplementedError

    def undo(self) -> BaseTable:
        """Undo, or ask for it; what then lies on the table. Raises CannotUndo."""
        raise NotImplementedError

    def redo(self) -> BaseTable:
        """Do again what was undone; what then lies on the table. Raises CannotUndo."""
        raise NotImplementedError

    def rematch(self, level: Level | None = None) -> BaseTable:
        """The same again as a new match, or ask for it; what then lies on the table."""
        raise NotImplementedError

    def next_round(self) -> None:
        """Put the round that is over away, and begin the next."""
        raise NotImplementedError

    def offer(self, kind: Kind) -> None:
        """Propose something to the opponent; raises DuelboxError where it cannot be."""
        raise NotImplementedError

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer of this id; raises DuelboxError where it no longer stands."""
        raise NotImplementedError

    def claim(self) -> None:
        """Take the game from an opponent who is away; raises DuelboxError."""
        raise DuelboxError(self.why_not("claim") or "")

    def use_help(self) -> None:
        """Note that a hint or a verdict was asked for in this round; raises DuelboxError where neither may be."""
        self.assisted = True

    # -- news

    def take_news(self) -> Sequence[News]:
        """The news of this table since the last call."""
        taken, self.happened = self.happened, []
        return taken

    def sentence_of(self, one: News) -> str:
        """The sentence for this news, where neither board nor result tells it."""
        return ""

    far = False
    """The other player sits elsewhere, and may take long."""

    def rings(self, one: News) -> bool:
        """This news calls a user who looks elsewhere."""
        return False

    # -- speed

    def waits(self, setting: int) -> int:
        """The delay of computers: as set, or as changed at this table."""
        return setting if self.pace is None else self.pace

    def change_pace(self, setting: int, change: int) -> int:
        """The computers wait longer (1) or less (-1) at this table; how long now."""
        here = min(range(len(PACES)), key=lambda at: abs(PACES[at] - self.waits(setting)))
        self.pace = PACES[max(0, min(len(PACES) - 1, here + change))]
        return self.pace
