"""The state of a match elsewhere. Both sides apply the same messages in the same order, so their ledgers agree."""

from __future__ import annotations

from duelbox.core import news
from duelbox.core.dealing import Order
from duelbox.core.errors import DuelboxError
from duelbox.core.match import Match, Player
from duelbox.core.model import Seat, other
from duelbox.core.offer import Kind, Offer
from duelbox.core.options import Options
from duelbox.core.record import PlayerInfo, PlayerNumber, Record, RecordedRound
from duelbox.core.session import Session
from duelbox.friends import claims, effects
from duelbox.friends import messages as m
from duelbox.friends.channel import derive, digest
from duelbox.friends.hidden_hands import Cheat, HiddenHands, RoundSecrets, card_at, committed, lock_of, sealed, shuffled
from duelbox.friends.proposal import Proposal
from duelbox.friends.remote_round import RemoteRound

MOST_IDLE = 500
"""Messages of one player in a row that change nothing; more are a flood."""
MOST_MESSAGES = 50_000
"""More messages than a room of any honest relay holds."""
_START = bytes(16)


class Ledger:
    """A match between host and guest as one side knows it, and the messages that this side owes.

    `apply` takes every message of the room in order, those of this side included.
    """

    stage = "hello"
    """The next message: the host's hello; "asked", the guest's answer; commit and reveal, a draw; slots, hidden hands;
    play; open, a struck card; bye, the hands at the end. Or none: "over", or "refused"."""
    proposal: Proposal | None = None
    hello: m.Hello | None = None
    players: tuple[str, str] = ("", "")
    lesson = False
    """Both players agreed to allow hints and verdicts."""
    matches = 0
    """The number of matches played in this room before this one."""
    match = Match()
    """The match as it stood at the start of this round."""
    _round: RemoteRound | None = None
    order: Order | None = None
    """The order in which this side is about to lay its hand, if it may choose."""
    claim: claims.PendingClaim | None = None
    """A claim that will count unless the other player is heard of."""
    _changed = _over_at = 0
    """The number of messages at the last change of the position, and at the end of the match."""
    _time = _due_since = 0
    """The relay's time of the newest message, and of the last change of the position."""
    _began = _ended = 0
    _last_by: Player = 0
    """The player who ended the round."""
    _options: Options | None = None
    _absent: Player | None = None
    """The player who was away when a game was claimed, and has been silent since: they lose the remaining rounds."""
    _previous: tuple[Match, list[RecordedRound]] | None = None
    """The finished match, for as long as its rematch can be called off."""

    def __init__(self, me: Player, secret: bytes, place: str) -> None:
        """The hands and draws of this side follow from its secret; a watcher's secret is empty."""
        self.me: Player = me
        self.waiting: set[Player] = {m.HOST}
        """The players whose message the stage waits for; in play, the turn says it."""
        self._secret, self._place = secret, place
        self.helped: set[Player] = set()
        """Players who asked for help in this round."""
        self.offers: dict[int, Offer] = {}
        """The open offers by id, which is their place in the room."""
        self.chains = [_START]
        """The fingerprint of all messages after each of them."""
        self.heard = [0, 0]
        """The relay's time at which each player was last heard of."""
        self.news: list[news.News] = []
        """Everything that happened since it was last read."""
        self._seals: dict[Player, str] = {}
        """Sealed shares of a draw, then the open ones: chance follows from both players' shares."""
        self._shares: dict[Player, m.Reveal] = {}
        self._unshown: set[Player] = set()
        """Players who did not show their hand at the end of the round."""
        self._idle = [0, 0]
        self.said = [0, 0]
        """Phrases of each player since the position last changed."""
        self._recorded: list[RecordedRound] = []
        self.saw_end: set[Player] = set()

    @property
    def count(self) -> int:
        """The number of messages applied."""
        return len(self.chains) - 1

    @property
    def round(self) -> RemoteRound:
        """The current round, which must have begun."""
        assert self._round is not None
        return self._round

    @property
    def hands(self) -> HiddenHands:
        """The hands of the current round, which must be hidden."""
        assert self.round.hands is not None
        return self.round.hands

    @property
    def session(self) -> Session | None:
        """The current round as it can be shown; None before it is dealt."""
        return self._round.shown if self._round is not None and self._round.laid else None

    def seat(self, player: Player) -> Seat:
        """The seat of a player in this round."""
        return 0 if self.match.player_in(0) == player else 1

    @property
    def my_turn(self) -> bool:
        """It is this side's turn to move."""
        return self._secret != b"" and self.stage == "play" and self.round.played.turn == self.seat(self.me)

    def record(self) -> Record:
        """The record of all rounds that are over and checked."""
        assert self.proposal is not None
        one, two = (PlayerInfo(name=name) for name in self.players)
        rounds = self.match.rounds if self.stage == "over" else max(1, len(self._recorded))
        first: PlayerNumber = 2 if self.match.first else 1
        game = self.proposal.game.INFO.id
        return Record(game=game, players=(one, two), rounds=rounds, first=first, played=tuple(self._recorded))

    def read_proposal(self) -> m.Why | None:
        """Read the host's proposal; returns the reason if it cannot be played here."""
        assert self.hello is not None
        if not self.hello.proto[0] <= m.VERSION <= self.hello.proto[1]:
            return "version"
        try:
            self.proposal = Proposal.read(self.hello.game)
            same = self.proposal.rules() == self.hello.rules
        except DuelboxError:
            return "game"
        return None if same else "rules"

    def my_secrets(self) -> RoundSecrets:
        """The secrets of this side in this round."""
        key = derive(self._secret, "round", self.matches, len(self.match.winners))
        return RoundSecrets(derive(key, "nonce").hex(), derive(key, "hand").hex())

    def owed_message(self) -> m.Body | None:
        """The message that this side's program must send now, without asking its player; None if there is none."""
        mine = self.my_secrets()
        if self.claim is not None and self.claim.by != self.me and self.stage == "play":
            return m.Have()
        if not self.owes(self.me):
            return m.Have() if self.stage == "over" and self.me not in self.saw_end else None
        match self.stage:
            case "asked" if self.me == m.GUEST and (why := self.read_proposal()):
                return m.Refuse(why=why)
            case "commit":
                return m.Commit(sealed=sealed(mine.nonce, lock_of(mine.hand_secret)))
            case "reveal":
                return m.Reveal(nonce=mine.nonce, lock=lock_of(mine.hand_secret))
            case "slots":
                return self.slots(self._shuffled(self.me))
            case "open":
                order = self._own_order()
                assert order is not None
                assert self.round.waits is not None
                return m.Open(card=card_at(order, mine.hand_secret, self.round.waits[2]))
            case "bye":
                return m.Bye(secret=mine.hand_secret, order=self._own_order() or ())
        return None

    def owes(self, who: Player) -> bool:
        """The match waits for a message of this player."""
        return self.round.played.turn == self.seat(who) if self.stage == "play" else who in self.waiting

    def _enter(self, stage: str, *waiting: Player) -> None:
        """Begin a stage, which waits for these players."""
        self.stage, self.waiting = stage, {*waiting}

    def slots(self, order: Order) -> m.Slots:
        """The message that lays this side's hand in this order."""
        return m.Slots(cards=committed(self.hands.place, self.seat(self.me), order, self.my_secrets().hand_secret))

    def _own_order(self) -> Order | None:
        return None if self.round.hands is None else self.round.hands.whole[self.seat(self.me)]

    def _shuffled(self, player: Player, secret: str | None = None) -> Order:
        """A shuffled hand: of this side, or of the other player once their secret is shown."""
        return shuffled(self.hands.cards, secret or self.my_secrets().hand_secret, self._shares[other(player)].nonce)

    def _known(self, who: Player) -> Order | None:
        """The order of a hand that is being laid, if it is this side's."""
        if who != self.me or not self._secret:
            return None
        return self.order if self.round.chosen else self._shuffled(who)

    def why_no_offer(self, kind: Kind) -> str | None:
        """The sentence that refuses this side's offer; None if it is possible now."""
        if any((offer.by, offer.kind) == (self.me, kind) for offer in self.offers.values()):
            return "You have offered that already, and there is no answer yet."
        return self._why_not_now(self.me, kind)

    def _why_not_now(self, who: Player, kind: Kind) -> str | None:
        """The sentence that refuses this player's offer; None if it is possible now."""
        if kind == "rematch":
            return None if self.stage == "over" else "The match is not over yet."
        if kind == "pause":
            return "The match is over." if self.stage == "over" else None
        if self.stage != "play":
            return "Nothing is being played just now."
        return self.round.played.why_no_draw() if kind == "draw" else self.round.why_no_undo(self.seat(who))

    @property
    def begun(self) -> bool:
        """Something was dealt or played in this match, so it can no longer be called off."""
        return self.stage in ("reveal", "slots", "play", "open", "bye") or (
            self.stage == "commit" and bool(self.match.winners)
        )

    def why_no_resignation(self) -> str | None:
        """The sentence that refuses a resignation; None if resigning, or calling the match off, is possible."""
        going = self.stage in ("asked", "commit", "reveal", "slots", "play", "open")
        return None if going else "Nothing is being played just now."

    @property
    def just_moved(self) -> bool:
        """The newest message changed the position."""
        return self._changed == self.count

    def moved_since(self, count: int) -> bool:
        """The position has changed since the first `count` messages."""
        return self._changed > count

    def claim_counts(self, who: Player, claim: m.Claim, now: int) -> bool:
        """This claim ends the round: an earlier one has stood for long enough at this time of the relay."""
        stands = self.claim is not None and self.claim.by == who and now - self.claim.time >= claims.STANDS
        return stands and not self._late(claim)

    def silent(self, who: Player) -> bool:
        """This player has sent nothing for as long as a claim takes."""
        return self._time - self.heard[who] >= claims.AFTER

    def why_no_claim(self, who: Player, now: int) -> str | None:
        """The sentence that refuses this player's claim at this time of the relay; None if it is allowed."""
        if not self.begun:
            return "Nothing is being played just now."
        if self.owes(who) or not self.owes(other(who)):
            return "It is your turn."
        # Programs answer everything but a turn by themselves, so chat does not extend those deadlines.
        since = max(self._due_since, self.heard[other(who)]) if self.stage == "play" else self._due_since
        if now - since < claims.AFTER:
            hours = claims.AFTER // 3600
            return f"A game can be claimed when the other has been silent for {hours} hours at their turn."
        return None

    def _tell(self, *items: news.News) -> None:
        self.news += items

    def _moved_on(self) -> None:
        self._changed = self.count
        self._due_since = self._time
        self._idle, self.said, self.claim = [0, 0], [0, 0], None
        self._tell(*map(news.Lapsed, self.offers.values()))
        self.offers = {}

    # -- the messages

    def apply(self, who: Player, message: m.Body, time: int = 0) -> None:
        """Apply the next message and the relay's time of it; raises Cheat, after which the ledger must not be used."""
        if self.count >= MOST_MESSAGES:
            raise Cheat("More messages came than a match can take.")
        if message.at > self.count or self.chains[message.at].hex() != message.chain:
            raise Cheat("The two sides have not seen the same messages: their records differ.")
        self.chains.append(digest("chain", self.chains[-1].hex(), who, time, m.encode(message).decode())[:16])
        self._time = max(self._time, time)
        self._idle[who] += 1
        if self._idle[who] > MOST_IDLE:
            raise Cheat(f"More than {MOST_IDLE} messages came that change nothing.")
        if self.stage == "over" and message.at >= self._over_at:
            self.saw_end.add(who)
        self.heard[who] = self._time
        self._absent = None if self._absent == who else self._absent
        if self.claim is not None and self.claim.by != who and self.stage == "play":
            self._tell(news.NotCounted(self.claim.by))
            self.claim = None
        effects.take(self, who, message)
        if self.claim is not None and not self.owes(other(self.claim.by)):
            self.claim = None

    def _late(self, message: m.Body) -> bool:
        """The position has changed since the sender saw it, so both sides ignore their message."""
        return self.moved_since(message.at)
