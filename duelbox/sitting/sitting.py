"""The match on the table: its rounds, who sits where, what can be undone, and where it is saved."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import ClassVar, Self

from duelbox.bots import Level, agrees, levels
from duelbox.core.chance import chance, freshly
from duelbox.core.errors import CannotUndo, DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.match import Match, Player, coin_flip, round_options
from duelbox.core.model import SEATS, Seat, other
from duelbox.core.offer import VOID, Kind, Offer
from duelbox.core.options import Options
from duelbox.core.record import Who, match_of
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.sitting.opening import Opening, apart, computer
from duelbox.sitting.rounds import RoundRow
from duelbox.sitting.sparring import paired
from duelbox.store.autosave import Saved
from duelbox.store.settings import LastUsed
from duelbox.store.store import Store

PACES = (0, 200, 400, 800, 1500, 3000)
"""How long computers may be made to wait, in milliseconds."""
MATCHES_BACK = 10
"""So many matches before the one on the table can be gone back to: a night of play must not fill the memory."""


@dataclass(eq=False)
class Sitting:
    """One match being played."""

    session: Session
    """The round on the table."""
    players: tuple[Who, Who]
    match: Match
    """As it stood when the round on the table began."""
    options: Options
    """Of the first round."""
    store: Store | None = None
    """Where it is saved; nowhere without one."""
    fresh: bool = True
    """Whether later rounds draw seeds of their own, or one that follows from the seed that was asked for."""
    open_ended: bool = False
    """Whether they play as long as they like: the score is kept, but each round is saved as a game of its own."""
    saved: Saved | None = None
    pace: int | None = None
    """How long the computers wait at this table, in milliseconds, where that was changed here."""
    previous: Sitting | None = None
    """The match that lay here before, so that starting anew can be undone."""
    following: Sitting | None = None
    """The match that was undone so."""
    assisted: bool = False
    """Whether help was asked for in this round."""
    why: str = ""
    """Why the computer made its last move."""
    notice: str = ""
    """A sentence about how it was resumed, to be told once."""
    finished: tuple[RoundRow, ...] = ()
    """The rounds before this one."""
    _proposed: Offer | None = None
    _declined: int = -1
    """The stamp of the position in which a draw was declined last."""

    @classmethod
    def of(
        cls,
        asked: Opening,
        players: tuple[Who, Who],
        match: Match | None = None,
        store: Store | None = None,
        *,
        open_ended: bool = False,
    ) -> Self:
        """A match that begins with what is asked for."""
        session = asked.session
        match, players = match or Match(), paired(store, session, players)
        sitting = cls(session, players, match, session.options, store, asked.fresh, open_ended)
        sitting.sit_down(players)
        return sitting

    @classmethod
    def resumed(cls, store: Store, match_id: str) -> Self:
        """An unfinished match, to go on with: a round that is over is followed by the next; raises DuelboxError."""
        resumed = store.resume(match_id)
        record, rounds = resumed.record, resumed.sessions
        match, game = match_of(record), find_game(record.game)
        last = rounds[-1] if rounds else Session(game, freshly(game, game.Options()))
        sitting = cls(last, record.players, match.changed(winners=()), (rounds or (last,))[0].options, store)
        sitting.saved = resumed.saved
        sitting.notice = resumed.error if resumed.error and resumed.error != resumed.saved.notice else ""
        for session in rounds[: len(match.winners)]:
            sitting.session = session
            sitting._finish()
        sitting.session = last
        if rounds and len(rounds) == len(match.winners):
            sitting._deal()
        else:
            sitting.sit_down(record.players)
            sitting.assisted = any(one.assisted for one in record.played[-1:])
        return sitting

    # -- who is who

    def sit_down(self, players: tuple[Who, Who]) -> None:
        """These are the players."""
        self.players = players
        self.session.names = (self.who(0).name, self.who(1).name)

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.session.game

    def who(self, seat: Seat) -> Who:
        """Who sits in a seat in the round on the table."""
        return self.players[self.match.player_in(seat)]

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people sit in."""
        return tuple(seat for seat in SEATS if self.who(seat).level is None)

    elsewhere: ClassVar[bool] = False
    """Whether the opponent sits at another machine."""
    watching: ClassVar[bool] = False
    """Whether two at other machines play, and nobody here does."""

    @property
    def presence(self) -> str:
        """Whether an opponent elsewhere is here, in a sentence."""
        return ""

    @property
    def watched(self) -> str:
        """How many watch from other machines, in a few words; empty where nobody may."""
        return ""

    @property
    def asked(self) -> str:
        """The offer that waits for an answer of a person at this screen, in a sentence."""
        offer = self.offered
        return offer.asks(self.players[offer.by].name) if offer and len(self.people) == len(SEATS) else ""

    @property
    def lesson(self) -> bool:
        """Whether hints and verdicts may be asked for, though an opponent elsewhere has none."""
        return True

    @property
    def saved_as(self) -> str | None:
        """The id of the match among the saved games; None as long as it is not there."""
        return None if self.saved is None else self.saved.id

    @property
    def my_turn(self) -> bool:
        """Whether a person at this screen may move now."""
        return self.session.turn in self.people

    @property
    def against_computer(self) -> bool:
        """Whether one person plays a computer."""
        return sum(who.level is None for who in self.players) == 1

    @property
    def computer_to_move(self) -> bool:
        """Whether the computer is to move, and may."""
        turn = self.session.turn
        return turn is not None and not self.session.full and self.who(turn).level is not None

    @property
    def needs_curtain(self) -> bool:
        """Whether two people share a screen that must hide something from each."""
        return self.game.INFO.hidden and len(self.people) == 2

    # -- moving

    def play(self, move: str) -> None:
        """Make a move; raises MoveError."""
        self.session.type(move)
        self.following = None

    def resign(self) -> None:
        """The player to move gives up."""
        self.session.resign()
        self.following = None

    # -- offers

    @property
    def offered(self) -> Offer | None:
        """The offer that waits for an answer; void once the position has moved on."""
        return self._proposed if self._proposed and self._proposed.id == self.session.stamp else None

    def why_not(self, kind: Kind) -> str | None:
        """Why this cannot be proposed now, if so."""
        if kind != "draw":
            return "Only a friend elsewhere can be asked that."
        if why := self.session.why_no_draw():
            return why
        if not self.my_turn:
            return "Offer a draw at your own turn."
        return "A draw was declined in this position: play on first." if self._declined == self.session.stamp else None

    def offer(self, kind: Kind) -> None:
        """Propose something to the opponent; raises DuelboxError where it cannot be."""
        if why := self.why_not(kind):
            raise DuelboxError(why)
        assert self.session.turn is not None
        self._proposed = Offer(self.session.stamp, self.match.player_in(self.session.turn), kind)

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer of this id; raises DuelboxError where it no longer stands."""
        if self.offered is None or self.offered.id != offer:
            raise DuelboxError(VOID)
        self._proposed = None
        if yes:
            self.session.cut("agreement")
            self.following = None
        else:
            self._declined = self.session.stamp

    def answer_for_computer(self, offer: Offer) -> bool:
        """Let the computer that was asked say yes or no, which may take a second; what it says."""
        rival = self.players[1 - offer.by]
        seat: Seat = 0 if self.match.player_in(0) != offer.by else 1
        return agrees(self.game, self.session.view(other(seat)), rival.level or "", seat)

    def claim(self) -> None:
        """Take the game from an opponent who is away; raises DuelboxError."""
        raise DuelboxError(self.why_no_claim() or "")

    def why_no_claim(self) -> str | None:
        """Why the game cannot be claimed from an opponent who is away, if so."""
        return "A game can be claimed from a friend elsewhere only."

    def use_help(self) -> None:
        """Note that a hint or a verdict was asked for in this round."""
        self.assisted = True

    def save(self) -> Future[bool] | None:
        """Put on disk what has changed; nothing is kept of a match that nobody has played."""
        if self.saved is None:
            if self.store is None or not self.session.plies:
                return None
            match = Match(first=self.match.player_in(0)) if self.open_ended else self.match
            self.saved = self.store.begin(self.game.INFO.id, self.players, match.rounds, match.first)
        number = 0 if self.open_ended else len(self.match.winners)
        return self.saved.sync(self.session, number, assisted=self.assisted)

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
        draw = str(number // 2 + 1) if session.options.draws else ""
        turns = len(session.moves)
        row = RoundRow(draw, self.who(0).name, "" if winner is None else self.who(winner).name, turns)
        return (*self.finished, row)

    @property
    def goes_on(self) -> bool:
        """Whether the next round follows by itself: nobody but computers plays, and this one is over."""
        nobody = all(who.level is not None for who in self.players)
        return nobody and self.session.outcome is not None and not self.score.over

    def next_round(self) -> None:
        """Deal the next round; the starter changes."""
        self.save()  # a round that was over from the start has not been saved yet
        self._finish()
        self._deal()

    def _finish(self) -> None:
        self.finished, self.match = self.rounds, self.score

    def _deal(self) -> None:
        number = len(self.match.winners)
        if not self.fresh:
            options = round_options(self.options, number)
        elif number % 2:
            options = self.session.options  # the second of a pair has the draw of the first
        else:
            # A seed that follows from the last one would give away the next secret deal.
            options = freshly(self.game, self.options)
        self.session, self.assisted, self.why = Session(self.game, options), False, ""
        self._proposed, self._declined = None, -1
        self.sit_down(self.players)
        if self.open_ended and self.saved is not None:
            self.saved.close()
            self.saved = None

    @property
    def next_level(self) -> Level | None:
        """The level above the one that was beaten; none where there is none, or nobody was beaten."""
        winner = self.score.winner if self.score.over else None
        if winner is None or len(self.people) != 1 or self.players[winner].level is not None:
            return None
        known = levels(self.game.INFO.id)
        beaten = next((at for at, level in enumerate(known) if level.id == self.players[1 - winner].level), len(known))
        return known[beaten + 1] if beaten + 1 < len(known) else None

    def rematch(self, level: Level | None = None) -> Sitting:
        """The same again as a new match, perhaps with the computer of another level; the starter changes."""
        first: Player = 0 if self.match.first else 1
        again = Opening(Session(self.game, freshly(self.game, self.options)), fresh=True)
        one, two = (computer(level) if level and who.level else who for who in self.players)
        sitting = Sitting.of(again, apart(one, two), Match(rounds=self.match.rounds, first=first), self.store)
        sitting.lay_over(self)
        sitting.pace = self.pace
        return sitting

    def lay_over(self, previous: Sitting | None) -> None:
        """Remember the match that lay here before, and those before it as far as anybody would go back."""
        self.previous, last = previous, previous
        for _ in range(MATCHES_BACK - 1):
            last = last and last.previous
        if last is not None:
            last.previous = None

    # -- speed

    def waits(self, setting: int) -> int:
        """How long the computers wait: as it is set, or as it was changed at this table."""
        return setting if self.pace is None else self.pace

    def change_pace(self, setting: int, change: int) -> int:
        """The computers wait longer (1) or less (-1) at this table; how long now."""
        here = min(range(len(PACES)), key=lambda at: abs(PACES[at] - self.waits(setting)))
        self.pace = PACES[max(0, min(len(PACES) - 1, here + change))]
        return self.pace

    # -- undo

    @property
    def under_way(self) -> bool:
        """Whether it is more than a table just laid: something was played, or another match lay here before."""
        return bool(self.session.plies or self.match.winners or self.previous)

    @property
    def may_go_back(self) -> bool:
        """Whether undo leads to the match before: there is one, and nobody has chosen anything since."""
        chosen = any(ply.seat in (self.people or SEATS) for ply in self.session.plies)
        return self.previous is not None and not chosen and not self.match.winners

    def why_no_undo(self) -> str | None:
        """Why nothing of this round can be undone, if so."""
        return self.session.why_no_undo(self.people or SEATS)

    @property
    def can_redo(self) -> bool:
        """Whether something was undone that can be done again."""
        return self.session.can_redo or self.following is not None

    def undo(self) -> Sitting:
        """Undo to your own last choice, or else go back to the match before; what then lies on the table.

        Raises CannotUndo.
        """
        try:
            self.session.undo(self.people or SEATS)
        except CannotUndo:
            if self.previous is None or not self.may_go_back:
                raise
            self.previous.following = self
            return self.previous
        self.why = ""
        return self

    def redo(self) -> Sitting:
        """Do again what `undo` took back; what then lies on the table. Raises CannotUndo."""
        if not self.can_redo:
            raise CannotUndo("Nothing has been undone.")
        if self.following is not None and not self.session.can_redo:
            return self.following
        self.session.redo(self.people or SEATS)
        self.why = ""
        return self


def sitting_anew(
    store: Store,
    game: AnyGame,
    options: Options,
    players: tuple[Who, Who],
    last: LastUsed,
    previous: Sitting | None = None,
) -> Sitting:
    """A new match, freshly dealt, with the rounds and the starter that were chosen last."""
    first: Player = 1 if last.first == "player-2" else 0
    if last.first == "chance":
        first = coin_flip(chance())
    asked = Opening(Session(game, freshly(game, options)), fresh=True)
    sitting = Sitting.of(asked, players, Match(rounds=last.rounds, first=first), store)
    sitting.lay_over(previous)
    return sitting
