"""A match on this machine: its moves are made here, can be undone, and are saved before they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, ClassVar, Self

from duelbox.bots import Level, agrees
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.match import Match, Player, coin_flip, repeats_draw, round_options
from duelbox.core.model import SEATS, other
from duelbox.core.news import Answered, Began, Moved, News, Offered, Undone
from duelbox.core.offer import VOID, Deed, Offer
from duelbox.core.options import Options
from duelbox.core.record import PlayerInfo, match_of
from duelbox.core.seeds import random_seed, with_fresh_seed
from duelbox.core.session import Session, replayed
from duelbox.registry import find_game
from duelbox.store.autosave import Saved
from duelbox.store.settings import LastUsed
from duelbox.store.store import Store
from duelbox.table.base import BaseTable
from duelbox.table.coach import WARNED_KIND
from duelbox.table.end_card import slip_to_mend
from duelbox.table.new_game import NewGame, moves_beyond
from duelbox.table.players import computer_player, differently_named, named_players, next_teams, with_default_names
from duelbox.table.programs import Programs, commands_of, resumed_programs
from duelbox.table.refusals import unless
from duelbox.table.remarks import Remarks
from duelbox.table.sparring import with_sparring_level

if TYPE_CHECKING:
    from duelbox.table.state import TableState

MATCHES_BACK = 10
"""Undo leads back to at most this many matches, so that a night of play does not fill the memory."""


class LocalTable(BaseTable):
    """A match whose players sit here; its news wait in `happened` until they are saved."""

    absent: ClassVar[frozenset[str]] = frozenset({"agree", "decline", "speak", "claim"})

    def __init__(
        self,
        asked: NewGame,
        players: tuple[PlayerInfo, PlayerInfo],
        match: Match | None = None,
        store: Store | None = None,
        *,
        open_ended: bool = False,
        previous: LocalTable | None = None,
    ) -> None:
        """A match that begins with this game or position; undo leads back to the match before it, if one is named.

        A fresh game draws a new seed for each round; otherwise each seed follows from that of the round before. An
        `open_ended` match has no fixed number of rounds, and saves each round as a match of its own.
        """
        session = asked.session
        super().__init__(session, players, match or Match(), session.options)
        self.sit_down(with_sparring_level(store, session, players))
        self.store = store
        self.fresh = asked.fresh
        self.open_ended = open_ended
        self.previous = previous
        """The match on this table before, to which undo leads back."""
        self.following: LocalTable | None = None
        """The match after this one, to which redo leads."""
        self._proposed: Offer | None = None
        self._declined = -1
        """The stamp of the position in which a draw was last declined."""
        self._forget_matches_long_ago()

    def _forget_matches_long_ago(self) -> None:
        earlier = self.previous
        for _ in range(MATCHES_BACK - 1):
            if earlier is not None:
                earlier = earlier.previous
        if earlier is not None:
            earlier.previous = None

    @classmethod
    def resumed(cls, store: Store, match_id: str) -> Self:
        """Load an unfinished match, at its next round if one is just over; raises DuelboxError."""
        resumed = store.resume(match_id)
        record, rounds = resumed.record, resumed.sessions
        match = match_of(record)
        game = find_game(record.game)
        last = rounds[-1] if rounds else Session(game, with_fresh_seed(game, game.Options()))
        table = cls(NewGame(last, fresh=True), record.players, match.changed(winners=()), store)
        table.programs = resumed_programs(record.players, resumed.saved)
        table.saved = resumed.saved
        table.warned = match_id in store.progress.newest(WARNED_KIND)
        table.options = rounds[0].options if rounds else last.options
        if resumed.error and resumed.error != resumed.saved.notice:
            table.notice = resumed.error
        for session in rounds[: len(match.winners)]:
            table.session = session
            table._finish()
        table.session = last
        if rounds and len(rounds) == len(match.winners):
            table._deal()
        else:
            table.sit_down(record.players)
            table.assisted = any(played.assisted for played in record.played[-1:])
        return table

    @classmethod
    def from_arguments(
        cls,
        store: Store,
        go_on: str | None,
        asked: NewGame | None,
        players: tuple[str | None, str | None],
        match: Match,
        *,
        open_ended: bool = False,
        programs: Mapping[str, str] | None = None,
        memory: int | None = None,
    ) -> Self:
        """The table that a command line names; raises DuelboxError.

        `programs` are those of the settings by name; without it no program plays. `memory` are the megabytes of each.

        `go_on` is the id of a saved match, or empty for the latest unfinished one. A code without players continues
        the saved game of two people that begins with its moves, if there is one.
        """
        if asked is None:
            return cls.resumed(store, store.to_go_on(go_on or "").id)
        if players == (None, None) and (open_ended or match == Match()):
            going_on = cls.continued_by_post(store, asked)
            if going_on is not None:
                return going_on
        named = with_default_names(named_players(asked.game, players, programs))
        table = cls(asked, named, match, store, open_ended=open_ended)
        if programs is not None:
            table.programs = Programs(commands_of(players, programs), memory)
        return table

    @classmethod
    def continued_by_post(cls, store: Store, asked: NewGame) -> Self | None:
        """The latest unfinished match of two people that begins like these moves, with the new moves made in it.

        Two people can play by post in this way: each sends the code after a move. None if no match begins like this.
        """
        wanted = asked.session
        if not wanted.plies:
            return None
        for summary in store.unfinished():
            people = all(who.level is None for who in summary.players)
            if people and summary.game == wanted.game.INFO.id and not summary.open_elsewhere:
                sessions = store.load(summary.id).sessions
                if sessions and moves_beyond(sessions[-1], wanted) is not None:
                    table = cls.resumed(store, summary.id)
                    table.catch_up(wanted)
                    return table
        return None

    def catch_up(self, wanted: Session) -> int | None:
        """Make the moves of a game beyond the one on the table; returns their number, or None for another game."""
        if len(self.people) != len(SEATS):
            return None
        moves = moves_beyond(self.session, wanted)
        if moves is None:
            return None
        for move in moves:
            self.play(move)
        return len(moves)

    @property
    def saved_as(self) -> str | None:
        """The id of the match among the saved games; None if it is not there yet."""
        return None if self.saved is None else self.saved.id

    # -- actions

    def why_not(self, verb: str) -> str | None:
        """The sentence that refuses a verb now; empty where no words are needed, None if it is allowed."""
        match verb:
            case "undo":
                return None if self.may_go_back else self.session.why_no_undo(self.people or SEATS)
            case "redo":
                return unless(self.session.can_redo or self.following is not None, "Nothing has been undone.")
            case "draw":
                return self._why_no_draw()
            case "claim" | "later" | "pause" | "speak":
                return "You can only ask that of a friend elsewhere."
        return None

    def play(self, move: str) -> None:
        """Make a move; raises MoveError."""
        self.session.type(move)
        self._turn_taken()

    def propose(self, deed: Deed) -> LocalTable | None:
        """Do this at once; returns another table to go on at, if there is one. Raises DuelboxError."""
        why = self.why_not(deed)
        if why:
            raise DuelboxError(why)
        table = self
        match deed:
            case "undo":
                table = self.undo()
            case "redo":
                table = self.redo()
            case "rematch":
                table = self.rematch()
            case "resign":
                self.resign()
            case "draw":
                self.offer_draw()
            case "next":
                self.next_round()
        return None if table is self else table

    def resign(self) -> None:
        """Resign for the player to move."""
        self.session.resign()
        self._turn_taken()

    def lose_by_fault(self, fault: str) -> None:
        """End the game for the program to move, which has made a fault."""
        self.session.cut("fault", fault=fault)
        self._turn_taken()

    def _turn_taken(self) -> None:
        self.following = None
        ply = self.session.plies[-1]
        self.programs.tell_end(self.session, self.match)
        self.happened.append(Moved(self.match.player_in(ply.seat), ply))

    # -- offers

    @property
    def offered(self) -> Offer | None:
        """The offer that waits for an answer; it is void after the next move."""
        if self._proposed is not None and self._proposed.id == self.session.stamp:
            return self._proposed
        return None

    def _why_no_draw(self) -> str | None:
        if why := self.session.why_no_draw():
            return why
        if not self.my_turn:
            return "Offer a draw at your own turn."
        if self.programs:
            return "A program takes no draw."
        return unless(self._declined != self.session.stamp, "A draw was declined in this position: play on first.")

    def offer_draw(self) -> None:
        """Offer a draw to the opponent."""
        assert self.session.turn is not None
        self._proposed = Offer(self.session.stamp, self.match.player_in(self.session.turn), "draw")
        self.happened.append(Offered(self._proposed))

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer of this id; raises DuelboxError if it no longer stands."""
        offered = self.offered
        if offered is None or offered.id != offer:
            raise DuelboxError(VOID)
        self._proposed = None
        self.happened.append(Answered(offered, yes))
        if yes:
            self.session.cut("agreement")
            self._turn_taken()
        else:
            self._declined = self.session.stamp

    def answer_of_computer(self, offer: Offer) -> bool:
        """The answer of the computer to an offer; it may take a second."""
        rival = self.players[1 - offer.by]
        seat = other(self.seat_of(offer.by))
        return agrees(self.game, self.session.view(other(seat)), rival.level or "", seat)

    def sentence_of(self, change: News) -> str:
        """The sentence for a piece of news that neither board nor result shows; empty for others."""
        if isinstance(change, Answered) and not change.yes:
            return change.offer.answered(self.called(other(change.offer.by)), yes=False)
        return ""

    # -- saving

    def save(self) -> Future[bool] | None:
        """Save the changes; nothing is saved before a person has made a move."""
        if self.saved is None:
            played = any(ply.seat in (self.people or SEATS) for ply in self.session.plies)
            if self.store is None or not played:
                return None
            self.saved = self._begin_saving(self.store)
        match = self._saved_match
        return self.saved.sync(self.session, len(match.winners), assisted=self.assisted)

    @property
    def _saved_match(self) -> Match:
        """The match as it is saved: each round of an open-ended one is a match of its own."""
        if self.open_ended:
            return Match(first=self.match.player_in(0))
        return self.match

    def _begin_saving(self, store: Store) -> Saved:
        match = self._saved_match
        return store.begin(self.game.INFO.id, self.players, match.rounds, match.first)

    # -- rounds

    def next_round(self) -> None:
        """Begin the next round; the other player moves first."""
        self.save()  # a round that was over at its start is not saved yet
        self._finish()
        self._deal()
        self.happened.append(Began())

    def _finish(self) -> None:
        self.finished = self.rounds
        self.match = self.score

    def _deal(self) -> None:
        number = len(self.match.winners)
        if not self.fresh:
            options = round_options(self.game, self.options, number)
        elif repeats_draw(self.game, number):
            options = self.session.options
        else:
            # a seed that follows from the last one would reveal the next secret deal
            options = with_fresh_seed(self.game, self.options)
        self.session = Session(self.game, options)
        self.assisted = False
        self.remarks = Remarks()
        self._proposed = None
        self._declined = -1
        self.sit_down(self.players)
        if self.open_ended and self.saved is not None:
            self.saved.close()
            self.saved = None

    def rematch(self, level: Level | None = None) -> LocalTable:
        """Begin the same match again, perhaps with another level of the computer; the other player moves first."""
        players = self.players
        if level is not None:
            one, two = (computer_player(level) if who.level else who for who in players)
            players = differently_named(one, two)
        again = NewGame(Session(self.game, with_fresh_seed(self.game, self.options)), fresh=True)
        match = Match(rounds=self.match.rounds, first=other(self.match.first))
        return self._followed_by(LocalTable(again, players, match, self.store, previous=self))

    def with_other_seats(self) -> LocalTable:
        """A new match on the same deal, begun by the other player."""
        again = NewGame(Session(self.game, self.session.options), fresh=self.fresh)
        match = Match(rounds=self.match.rounds, first=other(self.match.first))
        return self._followed_by(LocalTable(again, self.players, match, self.store, previous=self))

    def against_next_level(self) -> LocalTable:
        """The same match again, against the level above the computer that was beaten."""
        return self.rematch(self.next_level)

    def with_next_teams(self) -> LocalTable | None:
        """The same match for the two teams after these; None where no teams play."""
        teams = next_teams(self.players)
        if teams is None:
            return None
        again = NewGame(Session(self.game, with_fresh_seed(self.game, self.options)), fresh=True)
        match = Match(rounds=self.match.rounds, first=self.match.first)
        return self._followed_by(LocalTable(again, teams, match, self.store, previous=self))

    def slip_to_mend(self, state: TableState) -> int | None:
        """The turn in which the only person here threw away a game they lost."""
        return slip_to_mend(state)

    def retry_from(self, count: int) -> LocalTable:
        """A new match of the same players that begins with the first `count` moves of the round on the table."""
        session = self.session
        played = replayed(self.game, session.options, session.moves[:count], session.names)
        players, again = (self.who(0), self.who(1)), NewGame(played, fresh=self.fresh)
        table = self._followed_by(LocalTable(again, players, store=self.store, previous=self))
        table.programs = self.programs.by_seat(self.match)
        table.assisted = True
        return table

    def _followed_by(self, table: LocalTable) -> LocalTable:
        """The table after this one: at the same pace, and with the same warning until a person has won."""
        table.pace = self.pace
        table.programs = self.programs.afresh()
        outcome = self.session.outcome
        won = outcome is not None and outcome.winner in self.people
        table.warned = self.warned and not won
        return table

    # -- undo

    @property
    def repeats(self) -> bool:
        """The match is over, and another one like it can begin at once."""
        return self.session.outcome is not None and self.score.over

    @property
    def under_way(self) -> bool:
        """A move was made, a round was finished, or another match was here before."""
        return super().under_way or self.previous is not None

    @property
    def may_go_back(self) -> bool:
        """Undo leads back to the match before, as no person has made a move since."""
        chosen = any(ply.seat in (self.people or SEATS) for ply in self.session.plies)
        return self.previous is not None and not chosen and not self.match.winners

    def undo(self) -> LocalTable:
        """Undo to the last move of a person, or go back to the match before; returns the table to go on at.

        Raises CannotUndo.
        """
        before, people = self.session.plies, self.people or SEATS
        if self.previous is not None and self.may_go_back and self.session.why_no_undo(people) is not None:
            self.previous.following = self
            return self.previous
        self.session.undo(people)
        self.happened.append(Undone(before[len(self.session.plies) :]))
        return self

    def redo(self) -> LocalTable:
        """Redo what `undo` took back; returns the table to go on at. Raises CannotUndo."""
        if self.following is not None and not self.session.can_redo:
            return self.following
        before = self.session.plies
        self.session.redo(self.people or SEATS)
        self.happened.append(Undone(self.session.plies[len(before) :], again=True))
        return self


def new_table(
    store: Store,
    game: AnyGame,
    options: Options,
    players: tuple[PlayerInfo, PlayerInfo],
    last: LastUsed,
    previous: LocalTable | None = None,
) -> LocalTable:
    """A new match on a new board, with the number of rounds and the starter that were chosen last."""
    first: Player = 0
    if last.first == "player-2":
        first = 1
    elif last.first == "chance":
        first = coin_flip(random_seed())
    new = NewGame(Session(game, with_fresh_seed(game, options)), fresh=True)
    table = LocalTable(new, players, Match(rounds=last.rounds, first=first), store, previous=previous)
    if previous is not None:
        table.programs = previous.programs.afresh()
    return table
