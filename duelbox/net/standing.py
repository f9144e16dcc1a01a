"""Where a match with a friend elsewhere stands, as one side knows it."""

from __future__ import annotations

from duelbox.core.hands import Order
from duelbox.core.match import Match, Player
from duelbox.core.model import Seat
from duelbox.core.offer import Kind, Offer
from duelbox.core.options import Options
from duelbox.core.record import Number, Record, Who
from duelbox.core.record import Round as Told
from duelbox.core.session import Session
from duelbox.net import messages as m
from duelbox.net import news
from duelbox.net.channel import derive
from duelbox.net.draw import Draw
from duelbox.net.hands import Secret, committed, lock_of, sealed, shuffled
from duelbox.net.hands import card_at as card_of
from duelbox.net.invitation import Proposal
from duelbox.net.round import Round

HOST: Player = 0
GUEST: Player = 1
PATIENCE = 12 * 3600
"""Seconds after which a game can be claimed: half of what a relay keeps a room in which nothing happens."""
_START = bytes(16)


class Standing:
    """A match between the host and the guest: what there is to see of it, and what this side has to say next."""

    def __init__(self, me: Player, secret: bytes, place: str) -> None:
        """`secret` is one's own, and all of one's hands and shares of draws follow from it; `place` names the match."""
        self.me: Player = me
        self._secret = secret
        self._place = place
        self.stage = "hello"
        """hello, asked, commit, reveal, slots, play, open, bye, over or refused."""
        self.proposal: Proposal | None = None
        self.hello: m.Hello | None = None
        self.players: tuple[str, str] = ("", "")
        self.lesson = False
        """Whether both agreed that hints and verdicts may be asked for."""
        self.paused = False
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
        self._order: Order | None = None
        self._draw = Draw()
        self._byes: dict[Player, m.Bye] = {}
        self._options: Options | None = None
        self._began = self._ended = 0
        self._told: list[Told] = []
        self.saw_end: set[Player] = set()
        """Who has said that they know the match is over."""

    # -- what there is to see

    @property
    def count(self) -> int:
        """How many messages were folded."""
        return len(self.chains) - 1

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
        return self.stage == "play" and self.round is not None and self.round.played.turn == self.seat(self.me)

    def take_news(self) -> list[news.News]:
        """What there is to tell since it was last asked."""
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

    # -- what is mine to say

    def my_secret(self) -> Secret:
        """What this round of mine follows from."""
        return Secret(derive(self._secret, "round", self.matches, len(self.match.winners)))

    def choose(self, order: Order) -> None:
        """Remember the order of my hand that I am about to lay."""
        self._order = order

    def due(self) -> m.Body | None:
        """What the protocol wants me to say now, if anything; no player has to be asked."""
        mine = self.my_secret()
        if self.stage == "commit" and self.me not in self._draw.seals:
            return m.Commit(sealed=sealed(mine.nonce, lock_of(mine.told)))
        if self.stage == "reveal" and self.me not in self._draw.shares:
            return m.Reveal(nonce=mine.nonce, lock=lock_of(mine.told))
        if self.stage == "slots":
            return self._due_slots()
        if self.stage == "open":
            return self._due_open()
        if self.stage == "bye" and self.me not in self._byes:
            hidden = self.round is not None and self.round.cards is not None
            order = self._own_order() or () if hidden else ()
            return m.Bye(secret=mine.told if hidden else None, order=order, helped=self.helped)
        if self.stage == "over" and self.me not in self.saw_end:
            return m.Have()
        return None

    def _due_slots(self) -> m.Slots | None:
        assert self.round is not None
        assert self.round.cards is not None
        seat = self.seat(self.me)
        if self.round.cards.slots[seat]:
            return None
        return self.slots(self._shuffled(self.me))

    def slots(self, order: Order) -> m.Slots:
        """My hand in this order, face down."""
        assert self.round is not None
        assert self.round.cards is not None
        return m.Slots(cards=committed(self.round.cards.place, self.seat(self.me), order, self.my_secret().told))

    def _due_open(self) -> m.Open | None:
        assert self.round is not None
        assert self.round.waits is not None
        _, seat, slot = self.round.waits
        order = self._own_order()
        if seat != self.seat(self.me):
            return None
        assert order is not None
        return m.Open(card=card_of(order, self.my_secret().told, slot))

    def _own_order(self) -> Order | None:
        assert self.round is not None
        return None if self.round.cards is None else self.round.cards.whole[self.seat(self.me)]

    def _shuffled(self, player: Player, told: str | None = None) -> Order:
        """The order of a hand as chance has it: of mine, or of the other's once their secret is told."""
        assert self.round is not None
        assert self.round.cards is not None
        theirs: Player = GUEST if player == HOST else HOST
        return shuffled(self.round.cards.cards, told or self.my_secret().told, self._draw.shares[theirs].nonce)

    def _known(self, who: Player) -> Order | None:
        """The order of a hand that is being laid, if it is mine."""
        assert self.round is not None
        if who != self.me:
            return None
        return self._order if self.round.chosen else self._shuffled(who)

    def why_not(self, kind: Kind) -> str | None:
        """Why I cannot offer this now, if so."""
        if any((offer.by, offer.kind) == (self.me, kind) for offer in self.offers.values()):
            return "You have offered that already, and there is no answer yet."
        if kind == "rematch":
            return None if self.stage == "over" else "The match is not over yet."
        if kind == "pause":
            return "The match is over." if self.stage == "over" else None
        if self.stage != "play" or self.round is None:
            return "Nothing is being played just now."
        return self.round.played.why_no_draw() if kind == "draw" else self.round.why_no_undo(self.seat(self.me))

    @property
    def claimed(self) -> bool:
        """Whether the round was claimed, and who was away has not yet told their hand."""
        return self.stage == "bye" and self.round is not None and self.round.played.by == "claim"

    def why_no_claim(self, who: Player, now: int) -> str | None:
        """Why this player cannot claim the game at this time of the relay, if so."""
        if self.round is None or self.stage not in ("play", "open"):
            return "Nothing is being played just now."
        seat, rival = self.seat(who), GUEST if who == HOST else HOST
        if (self.round.waits[1] if self.round.waits else self.round.played.turn) == seat:
            return "It is your turn."
        since = self._due if self.stage == "open" else max(self._due, self.heard[rival])  # a card takes no thought
        if now - since < PATIENCE:
            return f"A game can be claimed when the other has been silent for {PATIENCE // 3600} hours at their turn."
        return None

    # -- changes

    def _tell(self, *told: news.News) -> None:
        self._news += told

    def _moved_on(self) -> None:
        self._changed = self.count
        self.paused = False
        self._due = self._time
        self._tell(*map(news.Lapsed, self.offers.values()))
        self.offers = {}
