"""Where a match with a friend elsewhere stands, as one side knows it."""

from __future__ import annotations

from duelbox.core.errors import DuelboxError
from duelbox.core.hands import Order
from duelbox.core.match import Match, Player
from duelbox.core.model import Seat, other
from duelbox.core.offer import Kind, Offer
from duelbox.core.options import Options
from duelbox.core.record import Number, Record, Who
from duelbox.core.record import Round as Told
from duelbox.core.session import Session
from duelbox.friends import messages as m
from duelbox.friends import news
from duelbox.friends.channel import derive
from duelbox.friends.hands import Cards, Secret, card_at, committed, lock_of, sealed, shuffled
from duelbox.friends.invitation import Proposal
from duelbox.friends.round import Round

HOST: Player = 0
GUEST: Player = 1
CLAIMED_AFTER = 12 * 3600
"""Seconds of silence after which a game can be claimed."""
_START = bytes(16)


class Standing:
    """A match between the host and the guest: what there is to see of it, and what this side has to say next."""

    def __init__(self, me: Player, secret: bytes, place: str) -> None:
        """All of one's hands and shares of draws follow from one's secret; who only watches has none."""
        self.me: Player = me
        self._secret, self._place = secret, place
        self.stage = "hello"
        """hello, asked, commit, reveal, slots, play, open, bye, over or refused."""
        self.proposal: Proposal | None = None
        self.hello: m.Hello | None = None
        self.players: tuple[str, str] = ("", "")
        self.lesson = False
        """Whether both agreed that hints and verdicts may be asked for."""
        self.helped = False
        """Whether help was asked for in this round, on this side."""
        self.matches = 0
        """How many matches were played here before this one."""
        self.match = Match()
        """As it stood when the round on the table began."""
        self.round: Round | None = None
        self.offers: dict[int, Offer] = {}
        """The offers that stand, by their place in the room, which is their id."""
        self.chains = [_START]
        """The fingerprint of all messages so far, after each."""
        self._changed = self._over_at = 0
        """After how many messages the position last changed, and the match was over."""
        self.heard = [0, 0]
        """When each player was last heard of, by the relay's clock."""
        self._news: list[news.News] = []
        self._time = self._due = 0
        """When the relay took the newest message, and the one that changed the position last."""
        self.order: Order | None = None
        """In which I am about to lay my hand, where I may choose."""
        self._seals: dict[Player, str] = {}
        """The shares of a draw that are sealed, and then told: chance follows from both."""
        self._shares: dict[Player, m.Reveal] = {}
        self._byes: dict[Player, m.Bye] = {}
        self._options: Options | None = None
        self._began = self._ended = 0
        self._told: list[Told] = []
        self.saw_end: set[Player] = set()

    @property
    def count(self) -> int:
        """How many messages were folded."""
        return len(self.chains) - 1

    @property
    def table(self) -> Round:
        """The round on the table, once there is one."""
        assert self.round is not None
        return self.round

    @property
    def cards(self) -> Cards:
        """Its hands, where they are hidden."""
        assert self.table.cards is not None
        return self.table.cards

    @property
    def session(self) -> Session | None:
        """The round on the table as it can be shown; None before it is dealt."""
        return self.round.shown if self.round is not None and self.round.laid else None

    def seat(self, player: Player) -> Seat:
        """Where a player sits in this round."""
        return 0 if self.match.player_in(0) == player else 1

    @property
    def my_turn(self) -> bool:
        """Whether I am to move."""
        return self._secret != b"" and self.stage == "play" and self.table.played.turn == self.seat(self.me)

    def take_news(self) -> list[news.News]:
        """The news since it was last asked for."""
        told, self._news = self._news, []
        return told

    def record(self) -> Record:
        """All rounds that are over, checked and agreed on, as a record."""
        assert self.proposal is not None
        one, two = (Who(name=name) for name in self.players)
        rounds = self.match.rounds if self.stage == "over" else max(1, len(self._told))
        first: Number = 2 if self.match.first else 1
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
        """What this round of mine follows from."""
        key = derive(self._secret, "round", self.matches, len(self.match.winners))
        return Secret(derive(key, "nonce").hex(), derive(key, "hand").hex())

    def due(self) -> m.Body | None:
        """What the protocol wants me to say now, if anything; no player has to be asked."""
        mine, seat = self.my_secret(), self.seat(self.me)
        match self.stage:
            case "asked" if self.me == GUEST and (why := self.propose()):
                return m.Refuse(why=why)
            case "commit" if self.me not in self._seals:
                return m.Commit(sealed=sealed(mine.nonce, lock_of(mine.told)))
            case "reveal" if self.me not in self._shares:
                return m.Reveal(nonce=mine.nonce, lock=lock_of(mine.told))
            case "slots" if not self.cards.slots[seat]:
                return self.slots(self._shuffled(self.me))
            case "open" if self.table.waits is not None and self.table.waits[1] == seat:
                order = self._own_order()
                assert order is not None
                return m.Open(card=card_at(order, mine.told, self.table.waits[2]))
            case "bye" if self.me not in self._byes:
                told = None if self.table.cards is None else mine.told
                return m.Bye(secret=told, order=self._own_order() or (), helped=self.helped)
            case "over" if self.me not in self.saw_end:
                return m.Have()
        return None

    def slots(self, order: Order) -> m.Slots:
        """My hand in this order, face down."""
        return m.Slots(cards=committed(self.cards.place, self.seat(self.me), order, self.my_secret().told))

    def _own_order(self) -> Order | None:
        return None if self.table.cards is None else self.table.cards.whole[self.seat(self.me)]

    def _shuffled(self, player: Player, told: str | None = None) -> Order:
        """The order of a hand as chance has it: of mine, or of the other's once their secret is told."""
        return shuffled(self.cards.cards, told or self.my_secret().told, self._shares[other(player)].nonce)

    def _known(self, who: Player) -> Order | None:
        """The order of a hand that is being laid, if it is mine."""
        if who != self.me or not self._secret:
            return None
        return self.order if self.table.chosen else self._shuffled(who)

    def why_not(self, kind: Kind) -> str | None:
        """Why I cannot offer this now, if so."""
        if any((offer.by, offer.kind) == (self.me, kind) for offer in self.offers.values()):
            return "You have offered that already, and there is no answer yet."
        return self._why_void(self.me, kind)

    def _why_void(self, who: Player, kind: Kind) -> str | None:
        """Why this cannot be offered by this player now, if so."""
        if kind == "rematch":
            return None if self.stage == "over" else "The match is not over yet."
        if kind == "pause":
            return "The match is over." if self.stage == "over" else None
        if self.stage != "play":
            return "Nothing is being played just now."
        return self.table.played.why_no_draw() if kind == "draw" else self.table.why_no_undo(self.seat(who))

    @property
    def claimed(self) -> bool:
        """Whether the round was claimed, and who was away has not yet told their hand."""
        return self.stage == "bye" and self.table.played.by == "claim"

    def why_no_claim(self, who: Player, now: int) -> str | None:
        """Why this player cannot claim the game at this time of the relay, if so."""
        if self.stage not in ("play", "open"):
            return "Nothing is being played just now."
        if (self.table.waits[1] if self.table.waits else self.table.played.turn) == self.seat(who):
            return "It is your turn."
        # A card takes no thought: it is waited for from when it was struck, whatever else is said.
        since = self._due if self.stage == "open" else max(self._due, self.heard[other(who)])
        if now - since < CLAIMED_AFTER:
            hours = CLAIMED_AFTER // 3600
            return f"A game can be claimed when the other has been silent for {hours} hours at their turn."
        return None

    def _tell(self, *told: news.News) -> None:
        self._news += told

    def _moved_on(self) -> None:
        self._changed = self.count
        self._due = self._time
        self._tell(*map(news.Lapsed, self.offers.values()))
        self.offers = {}
