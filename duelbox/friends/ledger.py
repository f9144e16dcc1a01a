"""A match with a friend elsewhere: both sides apply the same messages in the same order, so they agree."""

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
from duelbox.friends import claims
from duelbox.friends import messages as m
from duelbox.friends.channel import derive, digest
from duelbox.friends.hidden_hands import Cheat, HiddenHands, Secret, card_at, committed, lock_of, sealed, shuffled
from duelbox.friends.proposal import Proposal
from duelbox.friends.remote_round import RemoteRound

HOST: Player = 0
GUEST: Player = 1
MOST_IDLE = 500
"""Messages of one player that change nothing, one after the other; more are a flood."""
MOST_PHRASES = 20
"""Phrases of one player that are told between two moves."""
MOST_MESSAGES = 50_000
"""More than a room of any honest relay holds."""
_START = bytes(16)


class Ledger:
    """A match between the host and the guest, as one side knows it, and what this side has to say next.

    `apply` takes every message of the room in order, those of this side included.
    """

    stage = "hello"
    """hello, asked, commit, reveal, slots, play, open, bye, over or refused."""
    proposal: Proposal | None = None
    hello: m.Hello | None = None
    players: tuple[str, str] = ("", "")
    lesson = False
    """Both agreed that hints and verdicts may be asked for."""
    matches = 0
    """Matches that were played here before this one."""
    match = Match()
    """As it stood when the round on the table began."""
    _round: RemoteRound | None = None
    order: Order | None = None
    """In which I am about to lay my hand, where I may choose."""
    claim: claims.PendingClaim | None = None
    """The claim that stands, and counts unless the other player is heard of."""
    _changed = _over_at = 0
    """The number of messages after which the position last changed, and the match was over."""
    _time = _due = 0
    """When the relay took the newest message, and the one that changed the position last."""
    _began = _ended = 0
    _last_by: Player = 0
    """The player who ended the round."""
    _options: Options | None = None
    _gone: Player | None = None
    """The player who was away when a game was claimed, and silent since: they lose the rounds that are left."""
    _before: tuple[Match, list[RecordedRound], int] | None = None
    """The match that is over, as long as its rematch can be called off."""

    def __init__(self, me: Player, secret: bytes, place: str) -> None:
        """All of one's hands and shares of draws follow from one's secret; a watcher has none."""
        self.me: Player = me
        self._secret, self._place = secret, place
        self.helped: set[Player] = set()
        """The players who asked for help in this round."""
        self.offers: dict[int, Offer] = {}
        """The offers that stand, by their place in the room, which is their id."""
        self.chains = [_START]
        """The fingerprint of all messages so far, after each."""
        self.heard = [0, 0]
        """When each player was last heard of, by the relay's clock."""
        self.news: list[news.News] = []
        """All that happened and was not told yet."""
        self._seals: dict[Player, str] = {}
        """The shares of a draw that are sealed, and then told: chance follows from both."""
        self._shares: dict[Player, m.Reveal] = {}
        self._byes: set[Player] = set()
        """The players whose hand was shown at the end of this round, or is not waited for any more."""
        self._unshown: set[Player] = set()
        """The players whose hand was not shown at the end of this round."""
        self._idle = [0, 0]
        self.said = [0, 0]
        """Phrases of each player since the position last changed."""
        self._told: list[RecordedRound] = []
        self.saw_end: set[Player] = set()

    @property
    def count(self) -> int:
        """The number of messages applied."""
        return len(self.chains) - 1

    @property
    def round(self) -> RemoteRound:
        """The round on the table, once there is one."""
        assert self._round is not None
        return self._round

    @property
    def hands(self) -> HiddenHands:
        """Its hands, where they are hidden."""
        assert self.round.hands is not None
        return self.round.hands

    @property
    def session(self) -> Session | None:
        """The round on the table as it can be shown; None before it is dealt."""
        return self._round.shown if self._round is not None and self._round.laid else None

    def seat(self, player: Player) -> Seat:
        """The seat of a player in this round."""
        return 0 if self.match.player_in(0) == player else 1

    @property
    def my_turn(self) -> bool:
        """I am to move."""
        return self._secret != b"" and self.stage == "play" and self.round.played.turn == self.seat(self.me)

    def record(self) -> Record:
        """All rounds that are over, checked and agreed on, as a record."""
        assert self.proposal is not None
        one, two = (PlayerInfo(name=name) for name in self.players)
        rounds = self.match.rounds if self.stage == "over" else max(1, len(self._told))
        first: PlayerNumber = 2 if self.match.first else 1
        game = self.proposal.game.INFO.id
        return Record(game=game, players=(one, two), rounds=rounds, first=first, played=tuple(self._told))

    def propose(self) -> m.Why | None:
        """Read what the host proposes; why it cannot be played here, if so."""
        assert self.hello is not None
        if not self.hello.proto[0] <= m.VERSION <= self.hello.proto[1]:
            return "version"
        try:
            self.proposal = Proposal.read(self.hello.game)
            same = self.proposal.rules() == self.hello.rules
        except DuelboxError:
            return "game"
        return None if same else "rules"

    def my_secret(self) -> Secret:
        """The secret that my draws and hand of this round follow from."""
        key = derive(self._secret, "round", self.matches, len(self.match.winners))
        return Secret(derive(key, "nonce").hex(), derive(key, "hand").hex())

    def due(self) -> m.Body | None:
        """The message that the protocol needs from me now, without asking a player; None if there is none."""
        mine = self.my_secret()
        if self.claim is not None and self.claim.by != self.me and self.stage == "play":
            return m.Have()
        if not self.owes(self.me):
            return m.Have() if self.stage == "over" and self.me not in self.saw_end else None
        match self.stage:
            case "asked" if self.me == GUEST and (why := self.propose()):
                return m.Refuse(why=why)
            case "commit":
                return m.Commit(sealed=sealed(mine.nonce, lock_of(mine.told)))
            case "reveal":
                return m.Reveal(nonce=mine.nonce, lock=lock_of(mine.told))
            case "slots":
                return self.slots(self._shuffled(self.me))
            case "open":
                order = self._own_order()
                assert order is not None
                assert self.round.waits is not None
                return m.Open(card=card_at(order, mine.told, self.round.waits[2]))
            case "bye":
                return m.Bye(secret=mine.told, order=self._own_order() or ())
        return None

    def owes(self, who: Player) -> bool:
        """The match waits for something from this player."""
        match self.stage:
            case "hello":
                return who == HOST
            case "asked":
                return who == GUEST
            case "commit":
                return who not in self._seals
            case "reveal":
                return who not in self._shares
            case "slots":
                return not self.hands.slots[self.seat(who)]
            case "play":
                return self.round.played.turn == self.seat(who)
            case "open":
                return self.round.waits is not None and self.round.waits[1] == self.seat(who)
            case "bye":
                return who not in self._byes
        return False

    def slots(self, order: Order) -> m.Slots:
        """My hand in this order, face down."""
        return m.Slots(cards=committed(self.hands.place, self.seat(self.me), order, self.my_secret().told))

    def _own_order(self) -> Order | None:
        return None if self.round.hands is None else self.round.hands.whole[self.seat(self.me)]

    def _shuffled(self, player: Player, told: str | None = None) -> Order:
        """The order of a hand as chance has it: of mine, or of the other's once their secret is told."""
        return shuffled(self.hands.cards, told or self.my_secret().told, self._shares[other(player)].nonce)

    def _known(self, who: Player) -> Order | None:
        """The order of a hand that is being laid, if it is mine."""
        if who != self.me or not self._secret:
            return None
        return self.order if self.round.chosen else self._shuffled(who)

    def why_not(self, kind: Kind) -> str | None:
        """The sentence that refuses my offer; None if I may offer this now."""
        if any((offer.by, offer.kind) == (self.me, kind) for offer in self.offers.values()):
            return "You have offered that already, and there is no answer yet."
        return self._why_void(self.me, kind)

    def _why_void(self, who: Player, kind: Kind) -> str | None:
        """The sentence that refuses this player's offer; None if it may be made now."""
        if kind == "rematch":
            return None if self.stage == "over" else "The match is not over yet."
        if kind == "pause":
            return "The match is over." if self.stage == "over" else None
        if self.stage != "play":
            return "Nothing is being played just now."
        return self.round.played.why_no_draw() if kind == "draw" else self.round.why_no_undo(self.seat(who))

    @property
    def begun(self) -> bool:
        """Something was dealt or played in this match, so it cannot simply be called off."""
        return self.stage in ("reveal", "slots", "play", "open", "bye") or (
            self.stage == "commit" and bool(self.match.winners)
        )

    def why_no_resignation(self) -> str | None:
        """The sentence that refuses to resign or to call the match off; None if that is possible."""
        going = self.stage in ("asked", "commit", "reveal", "slots", "play", "open")
        return None if going else "Nothing is being played just now."

    @property
    def just_moved(self) -> bool:
        """The newest message changed the position."""
        return self._changed == self.count

    def moved_since(self, count: int) -> bool:
        """The position has changed since the first `count` messages."""
        return self._changed > count

    def counts(self, who: Player, claim: m.Claim, now: int) -> bool:
        """This claim, put at this time of the relay, ends the round: an earlier one stands for long enough."""
        stands = self.claim is not None and self.claim.by == who and now - self.claim.time >= claims.STANDS
        return stands and not self._late(claim)

    def silent(self, who: Player) -> bool:
        """This player has said nothing at all for as long as a claim takes."""
        return self._time - self.heard[who] >= claims.AFTER

    def why_no_claim(self, who: Player, now: int) -> str | None:
        """The sentence that refuses this player's claim at this time of the relay; None if it is allowed."""
        if not self.begun:
            return "Nothing is being played just now."
        if self.owes(who) or not self.owes(other(who)):
            return "It is your turn."
        # All but a turn is answered by the program: it is waited for from when it was due, whatever else is said.
        since = max(self._due, self.heard[other(who)]) if self.stage == "play" else self._due
        if now - since < claims.AFTER:
            hours = claims.AFTER // 3600
            return f"A game can be claimed when the other has been silent for {hours} hours at their turn."
        return None

    def _tell(self, *told: news.News) -> None:
        self.news += told

    def _moved_on(self) -> None:
        self._changed = self.count
        self._due = self._time
        self._idle, self.said, self.claim = [0, 0], [0, 0], None
        self._tell(*map(news.Lapsed, self.offers.values()))
        self.offers = {}

    # -- the messages

    def apply(self, who: Player, message: m.Body, time: int = 0) -> None:
        """Take the next message of the room, and when the relay took it; raises Cheat, and is not to be used then."""
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
        self._gone = None if self._gone == who else self._gone
        if self.claim is not None and self.claim.by != who and self.stage == "play":
            self._tell(news.NotCounted(self.claim.by))
            self.claim = None
        from duelbox.friends.effects import EFFECTS

        EFFECTS[type(message)](self, who, message)
        if self.claim is not None and not self.owes(other(self.claim.by)):
            self.claim = None

    def _expect(self, what: str, *stages: str) -> None:
        if self.stage not in stages:
            raise Cheat(f"{what} came where none belongs.")

    def _late(self, message: m.Body) -> bool:
        """The position has changed since the sender saw it, so their message is void for both sides."""
        return self.moved_since(message.at)
