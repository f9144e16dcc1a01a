"""The base of all tables: a match with its rounds, players and score, and what can be done and is said there."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from duelbox.bots import Level
from duelbox.core.errors import DuelboxError, NotYourTurn
from duelbox.core.game import AnyGame
from duelbox.core.match import Match, Player
from duelbox.core.model import SEATS, Seat, Voice, player
from duelbox.core.news import Moved, News, Offered
from duelbox.core.offer import VOID, Deed, Offer
from duelbox.core.options import Options
from duelbox.core.record import PROGRAM, PlayerInfo
from duelbox.core.session import Session
from duelbox.solve.api import Analysis, Mark
from duelbox.store.autosave import Saved
from duelbox.store.settings import Settings
from duelbox.store.store import Store
from duelbox.table.move_line import why_not_typed
from duelbox.table.players import level_above
from duelbox.table.presets import known_preset
from duelbox.table.programs import NO_PROGRAMS, Programs
from duelbox.table.prompts import Prompts, match_prompts
from duelbox.table.refusals import Refusals, unless
from duelbox.table.remarks import Remarks, last_of_computer
from duelbox.table.rounds import RoundRow
from duelbox.table.verb import Verb
from duelbox.table.verbs import VERBS

if TYPE_CHECKING:
    from duelbox.table.local import LocalTable
    from duelbox.table.state import TableState

PACES = (0, 200, 400, 800, 1500, 3000)
"""The delays of computers that can be set, in milliseconds."""


class BaseTable:
    """One match at a table.

    Subclasses differ in who decides that something is done: `LocalTable` does it, `RemoteTable` sends it to a friend
    elsewhere, a `TrialTable` lets a lesson or puzzle judge a move; at a `ReviewTable` nobody moves. They are asked by
    `my_turn` and `why_not`, and told to `play`, `propose` and `answer`; what has happened comes as news. Each has its
    own verbs and its own words; those of this base are for matches that are played.
    """

    verbs: ClassVar[Mapping[str, Verb]] = VERBS
    """All that can be done here, by name, in the order of the key bar."""
    absent: ClassVar[frozenset[str]] = frozenset()
    """Verbs whose keys count as free while they are refused."""
    asking: ClassVar[str] = ""
    """The sentence after something was proposed that this table does not do at once."""
    again: ClassVar[str] = "next game"
    """The effect of asking for the same match again, in words."""
    store: Store | None = None
    """The store that saves the match; None if it is not saved."""
    pace: int | None = None
    """The delay of computers at this table, in milliseconds; None for the one in the settings."""
    assisted: bool = False
    """Help was used in this round."""
    open_ended: bool = False
    """There is no fixed number of rounds; each round is saved as a match of its own."""
    watched = ""
    """The number of watchers, in words; empty if nobody may watch."""
    lesson = True
    """Hints and verdicts are allowed."""
    notice: str = ""
    """A sentence about a problem in resuming the match, to be shown once."""
    _seated: tuple[Match, tuple[Player, ...], tuple[Seat, ...]] | None = None  # a match, who sits here, and where
    programs: Programs = NO_PROGRAMS
    """The programs that play here."""
    fault: str = ""
    """The sentence about a program's fault, where the end of the game does not tell it."""
    warned = False  # a move that gives the game away is asked about, whatever the settings say
    saved: Saved | None = None
    """The match among the saved games of this machine, while it is saved move by move."""

    def __init__(
        self, session: Session, players: tuple[PlayerInfo, PlayerInfo], match: Match, options: Options
    ) -> None:
        self.session = session
        """The round on the table."""
        self.players = players
        self.sitters = _people(players)
        """The players at this screen."""
        self.match = match
        """The match when the round on the table began."""
        self.options = options
        """The house rules of the first round."""
        self.finished: tuple[RoundRow, ...] = ()
        """The rounds before this one."""
        self.happened: list[News] = []
        """News that are shown after they are saved."""
        self.remarks = Remarks()
        """The reasons and remarks of computers in this round."""

    # -- words

    def title(self, settings: Settings) -> str:
        """The words beside the game in the top line: the preset that is played, or another purpose of the table."""
        preset = known_preset(settings, self.game, self.options)
        return preset.name if preset else "House rules"

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The words and offers of the table now: the player to move, the effect of the keys, the note below."""
        return match_prompts(state, refusals)

    def why_not_typed(self, state: TableState) -> str:
        """The sentence for a character that cannot be typed now; empty if none is needed."""
        return why_not_typed(state)

    @property
    def helped(self) -> str:
        """The help that was used in this round, in words; empty if none was."""
        return "with help" if self.assisted else ""

    # -- players

    def sit_down(self, players: tuple[PlayerInfo, PlayerInfo]) -> None:
        """Set the players, and their names in the round."""
        self.players, self.sitters = players, _people(players)
        self.session.names = (self.who(0).name, self.who(1).name)

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.session.game

    def who(self, seat: Seat) -> PlayerInfo:
        """The player in a seat of the round on the table."""
        return self.players[self.match.player_in(seat)]

    def is_program(self, seat: Seat) -> bool:
        """A program plays in this seat."""
        return self.who(seat).level == PROGRAM

    def called(self, who: Player) -> str:
        """A player of the match in sentences for `Session.named`."""
        return player(self.seat_of(who))

    def seat_of(self, who: Player) -> Seat:
        """The seat of a player of the match in the round on the table."""
        return 0 if self.match.player_in(0) == who else 1

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of the players at this screen, worked out once for a match and its players."""
        seated = self._seated
        if seated is None or seated[0] is not self.match or seated[1] is not self.sitters:
            seats = tuple(seat for seat in SEATS if self.match.player_in(seat) in self.sitters)
            seated = (self.match, self.sitters, seats)
            self._seated = seated
        return seated[2]

    @property
    def seat(self) -> Seat | None:
        """The seat of the only player at this screen; None if there are two, or none."""
        return self.people[0] if len(self.people) == 1 else None

    @property
    def voice(self) -> Voice:
        """The players in sentences; a person alone at this screen is "you"."""
        return Voice(self.session.names, self.seat)

    @property
    def left_seat(self) -> Seat:
        """The seat drawn on the left: that of a person alone, else the first player's."""
        you = self.voice.you
        return self.seat_of(0) if you is None else you

    def away(self, seat: Seat) -> str:
        """The time that the player in this seat has been away, in words; empty if they are here."""
        return ""

    @property
    def only_computers(self) -> bool:
        """Only computers play."""
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
        """A computer is to move."""
        turn = self.session.turn
        return turn is not None and not self.session.full and self.who(turn).level is not None

    @property
    def needs_handover(self) -> bool:
        """Two people with hidden numbers share a screen, which is handed over between their turns."""
        return self.game.INFO.hidden and len(self.people) == 2

    @property
    def why(self) -> str:
        """The reason of the computer's last move; empty if it is not known any more."""
        number = last_of_computer(self.session, self.people)
        if not number:
            return ""
        return self.remarks.at(number, self.session)[0]

    @property
    def remark(self) -> str:
        """The computer's remark about the last turn; empty if it made none."""
        return self.remarks.at(len(self.session.plies), self.session)[1]

    def speak(self, move: Any, why: str, remark: str, unseen: tuple[str, ...] = ()) -> None:
        """Note the reason of a computer's next move, and its remark unless it made one shortly before."""
        self.remarks.speak(self.session, move, why, remark, unseen)

    # -- the position

    @property
    def mover(self) -> Seat | None:
        """The seat to move at the position shown."""
        return self.session.turn

    @property
    def hands_open(self) -> bool:
        """Hidden numbers are shown: after the game, unless the next round has the same hands."""
        afresh = self.options.draws or self.options == self.options.rules_only()
        return self.session.outcome is not None and (self.score.over or afresh)

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position, if the table knows it without the solver."""
        return None

    @property
    def shown(self) -> tuple[Mark, ...]:
        """Marks that are drawn on the board without being asked for."""
        return ()

    def log(self) -> tuple[tuple[Seat, str], ...]:
        """The moves with the seats that made them; a secret move is covered."""
        return self.session.log()

    @property
    def forced(self) -> str:
        """The only legal move, in a game that hides nothing; empty if there are others."""
        session = self.session
        if session.turn is None or session.game.INFO.hidden:
            return ""
        moves = session.legal_moves()
        if len(moves) != 1:
            return ""
        return session.game.format_move(moves[0])

    def hands_lie_open(self, settings: Settings) -> bool:
        """A player's own hidden numbers are always shown, as nobody else looks."""
        return settings.open_hand and len(self.people) == 1

    @property
    def at(self) -> int | None:
        """The number of the turn shown, if that is not the last one."""
        return None

    # -- rounds

    @property
    def score(self) -> Match:
        """The match, including this round if it is over."""
        outcome = self.session.outcome
        if outcome is None or self.match.over:
            return self.match
        return self.match.with_round(outcome)

    @property
    def rounds(self) -> tuple[RoundRow, ...]:
        """The finished rounds, including this one if it is over."""
        session = self.session
        if session.outcome is None or self.match.over:
            return self.finished
        draw = ""
        if session.options.draws and not self.game.INFO.hidden:
            draw = str(len(self.match.winners) // 2 + 1)
        winner = ""
        if session.outcome.winner is not None:
            winner = self.who(session.outcome.winner).name
        return (*self.finished, RoundRow(draw, self.who(0).name, winner, len(session.moves)))

    @property
    def runs_on(self) -> bool:
        """The next round begins by itself, as only computers play."""
        return self.only_computers and self.session.outcome is not None and not self.score.over

    @property
    def repeats(self) -> bool:
        """The match is over, and another one like it can begin at once."""
        return False

    @property
    def to_be_judged(self) -> bool:
        """The moves of the finished game may be judged; not after a round that may reveal the next one."""
        last = self.score.over or self.open_ended
        return last and self.session.outcome is not None and bool(self.session.plies)

    @property
    def under_way(self) -> bool:
        """A move was made, or a round was finished."""
        return bool(self.session.plies or self.match.winners)

    @property
    def next_level(self) -> Level | None:
        """The level above the computer that the only person has just beaten; None in other cases."""
        winner = self.score.winner
        if not self.score.over or winner is None:
            return None
        if len(self.people) != 1 or self.players[winner].level is not None:
            return None
        return level_above(self.game.INFO.id, self.players[1 - winner].level)

    # -- a friend elsewhere, and offers

    @property
    def presence(self) -> str:
        """A sentence about an opponent elsewhere, who is here, away or thinking; empty if nobody is elsewhere."""
        return ""

    @property
    def unconfirmed(self) -> str:
        """The sentence about an end that a friend elsewhere has not confirmed yet; empty if there is none."""
        return ""

    @property
    def offered(self) -> Offer | None:
        """The offer that waits for an answer."""
        return None

    @property
    def asked(self) -> str:
        """The offer that a person at this screen has to answer, in a sentence; empty if there is none."""
        offer = self.offered
        if offer is None or (offer.by in self.sitters and len(self.sitters) != len(SEATS)):
            return ""
        return offer.asks(self.called(offer.by))

    @property
    def saved_as(self) -> str | None:
        """The id of the match among the saved games; None if it is not there yet."""
        return None

    # -- actions

    def why_not(self, verb: str) -> str | None:
        """The sentence that refuses a verb now; empty where no words are needed, None if it is allowed."""
        return unless(verb in self.verbs)

    @property
    def may_go_back(self) -> bool:
        """Undo leads back to the match before this one."""
        return False

    def play(self, move: str) -> Awaitable[None] | None:
        """Make a move; raises DuelboxError. An awaitable that is returned must be awaited."""
        raise NotYourTurn(self.why_not("play") or "")

    def lose_by_fault(self, fault: str) -> None:
        """End the game for the program to move, which has made a fault."""
        raise NotImplementedError

    def propose(self, deed: Deed) -> LocalTable | None:
        """Do this, or ask a friend for it; returns another table to go on at, if there is one. Raises DuelboxError."""
        raise DuelboxError(self.why_not(deed) or "")

    def take_help(self) -> None:
        """Note that help was asked for; raises DuelboxError if none is allowed."""
        self.assisted = True

    def slip_to_mend(self, state: TableState) -> int | None:
        """The turn from which the player may try again after a lost game; None if there is none."""
        return None

    def retry_from(self, count: int) -> LocalTable:
        """A new match that begins with the first `count` moves of this one, where `slip_to_mend` names a turn."""
        raise NotImplementedError

    def with_other_seats(self) -> LocalTable:
        """A new match on the same deal, begun by the other player."""
        raise NotImplementedError

    def with_next_teams(self) -> LocalTable | None:
        """The same match for the two teams after these; None where no teams play."""
        return None

    def against_next_level(self) -> LocalTable:
        """The same match again, against the next level of the computer, where `next_level` is known."""
        raise NotImplementedError

    def answer_of_computer(self, offer: Offer) -> bool:
        """The answer of the computer to an offer, where one plays; it may take a second."""
        raise NotImplementedError

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer of this id; raises DuelboxError if it no longer stands."""
        raise DuelboxError(VOID)

    # -- news

    def take_news(self) -> Sequence[News]:
        """Return the news since the last call."""
        taken, self.happened = self.happened, []
        return taken

    def sentence_of(self, change: News) -> str:
        """The sentence for a piece of news that neither board nor result shows; empty for others."""
        return ""

    def rings(self, change: News) -> bool:
        """The bell rings for the move or offer of a player who does not sit here, to call one who looks away."""
        return self.my_turn and self.comes_to_one(change)

    def comes_to_one(self, change: News) -> bool:
        """One player sits here, and the news are a move or an offer of the other."""
        if isinstance(change, Moved):
            by = change.by
        elif isinstance(change, Offered):
            by = change.offer.by
        else:
            return False
        return len(self.sitters) == 1 and by not in self.sitters

    # -- speed

    def waits(self, setting: int) -> int:
        """The delay of computers at this table, given the one in the settings."""
        return setting if self.pace is None else self.pace

    def change_pace(self, setting: int, change: int) -> int:
        """Make the delay of computers at this table longer (1) or shorter (-1); returns the new one."""
        here = min(range(len(PACES)), key=lambda at: abs(PACES[at] - self.waits(setting)))
        self.pace = PACES[max(0, min(len(PACES) - 1, here + change))]
        return self.pace


def _people(players: Sequence[PlayerInfo]) -> tuple[Player, ...]:
    return tuple(player for player in SEATS if players[player].level is None)
