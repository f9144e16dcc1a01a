"""A match with a friend elsewhere: both sides fold it from the same messages in the same order, so they agree on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.hands import Order
from duelbox.core.match import Match, Player, round_options
from duelbox.core.model import Seat, other
from duelbox.core.offer import Kind, Offer
from duelbox.core.options import Options
from duelbox.core.record import Number, Record, Who, round_record
from duelbox.core.record import Round as RoundRecord
from duelbox.core.session import By, Session
from duelbox.friends import messages as m
from duelbox.friends import news
from duelbox.friends.channel import derive, digest
from duelbox.friends.hands import Cards, Cheat, Secret, card_at, committed, lock_of, sealed, shuffled
from duelbox.friends.invitation import Proposal, apart, name_of, seeded
from duelbox.friends.round import Round

HOST: Player = 0
GUEST: Player = 1
CLAIMED_AFTER = 12 * 3600
"""Seconds of silence after which a game can be claimed."""
MOST_MESSAGES = 50_000
"""More than a room of any honest relay holds."""
_SHORT_SEED = 999_999
_START = bytes(16)


class Ledger:
    """A match between the host and the guest, as one side knows it, and what this side has to say next.

    `fold` takes every message of the room in its order, one's own too.
    """

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
        self.news: list[news.News] = []
        """All that happened and was not told yet."""
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
        self._told: list[RoundRecord] = []
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
        self.news += told

    def _moved_on(self) -> None:
        self._changed = self.count
        self._due = self._time
        self._tell(*map(news.Lapsed, self.offers.values()))
        self.offers = {}

    # -- the messages

    def fold(self, who: Player, message: m.Body, time: int = 0) -> None:
        """Take the next message of the room, and when the relay took it; raises Cheat, and is not to be used then."""
        if self.count >= MOST_MESSAGES:
            raise Cheat("More messages came than a match can take.")
        if message.at > self.count or self.chains[message.at].hex() != message.chain:
            raise Cheat("The two sides have not seen the same messages: their records differ.")
        self.chains.append(digest("chain", self.chains[-1].hex(), who, time, m.encode(message).decode())[:16])
        self._time = max(self._time, time)
        if self.stage == "over" and message.at >= self._over_at:
            self.saw_end.add(who)
        self.heard[who] = self._time
        _FOLDS[type(message)](self, who, message)

    def _expect(self, what: str, *stages: str) -> None:
        if self.stage not in stages:
            raise Cheat(f"{what} came where none belongs.")

    def _late(self, message: m.Body) -> bool:
        """Whether the position has changed since the sender saw it: what they sent is void then, for both sides."""
        return message.at < self._changed

    # -- sitting down

    def _fold_hello(self, who: Player, hello: m.Hello) -> None:
        self._expect("A greeting", "hello")
        if who != HOST:
            raise Cheat("The guest named the game, and only the host does.")
        self.hello, self.stage = hello, "asked"
        name_of(hello.name)

    def _fold_join(self, who: Player, join: m.Join) -> None:
        self._expect("An answer to the invitation", "asked")
        assert self.hello is not None
        if who != GUEST or (self.propose() is not None):
            raise Cheat("An invitation was taken up that cannot be.")
        self.players = apart(name_of(self.hello.name), name_of(join.name))
        self.lesson = self.hello.lesson and join.lesson
        self.match = Match(rounds=self.hello.rounds)
        self._begin_round()

    def _fold_refuse(self, who: Player, refuse: m.Refuse) -> None:
        self._expect("A refusal", "asked")
        if who != GUEST:
            raise Cheat("The host refused their own invitation.")
        self.stage = "refused"
        self._tell(news.Declined(refuse.why))

    # -- dealing

    def _begin_round(self) -> None:
        assert self.proposal is not None
        self._seals, self._shares, self._byes, self.order, self.helped = {}, {}, {}, None, False
        self._moved_on()
        pair_begins = self.proposal.drawn and len(self.match.winners) % 2 == 0
        if self._options is None or pair_begins:
            self.stage, self.round = "commit", None
        else:
            self._lay()

    def _fold_commit(self, who: Player, commit: m.Commit) -> None:
        self._expect("A share of a draw", "commit")
        if who in self._seals or commit.sealed in self._seals.values():
            raise Cheat("A share of the draw came a second time.")
        self._seals[who] = commit.sealed
        if len(self._seals) == 2:
            self.stage = "reveal"

    def _fold_reveal(self, who: Player, reveal: m.Reveal) -> None:
        self._expect("A share of a draw", "reveal")
        if who in self._shares:
            raise Cheat("A share of the draw was told a second time.")
        if sealed(reveal.nonce, reveal.lock) != self._seals[who]:
            raise Cheat("The share of the draw is not the one that was sealed before.")
        self._shares[who] = reveal
        if len(self._shares) == 2:
            self._decide(digest("draw", self._shares[0].nonce, self._shares[1].nonce))

    def _decide(self, drawn: bytes) -> None:
        """What chance decides follows from these bytes."""
        assert self.proposal is not None
        if self._options is None and not self.matches:
            self.match = self.match.changed(first=drawn[0] % 2)
        options = self.proposal.options
        if self.proposal.drawn and self.proposal.hands is None:
            options = seeded(options, int.from_bytes(drawn[8:16], "big") % _SHORT_SEED + 1)
        self._options = options
        self._lay()

    def _lay(self) -> None:
        assert self.proposal is not None
        assert self._options is not None
        number = len(self.match.winners)
        options = self._options if self.proposal.drawn else round_options(self._options, number)
        names = self.players[self.match.player_in(0)], self.players[self.match.player_in(1)]
        again = number % 2 == 1 and self.proposal.drawn  # the deal of the round before, which both have seen
        hands = None if again else self.proposal.hands
        self.round = Round(self.proposal.game, options, names, hands, f"{self._place} {self.matches} {number}")
        for move in self.proposal.moves if number == 0 else ():
            self.table.played.play(move)
        self._moved_on()
        if self.table.laid:
            self._start_play()
        else:
            self.stage = "slots"

    def _start_play(self) -> None:
        self.stage, self._began = "play", self._time
        self._tell(news.Began())

    def _fold_slots(self, who: Player, slots: m.Slots) -> None:
        if self._late(slots):
            return self._tell(news.Missed(who))
        seat = self.seat(who)
        if self.stage == "play" and self.table.chosen:
            if not self.table.arranging(seat):
                raise Cheat("A hand was laid a second time, or out of turn.")
            self.table.lay(seat, slots.cards, self._known(who))
            return self._after_move(who)
        self._expect("A hand", "slots")
        if self.cards.slots[seat]:
            raise Cheat("A hand was laid a second time.")
        self.table.lay(seat, slots.cards, self._known(who))
        if self.table.laid:
            self._start_play()
        return None

    # -- playing

    def _fold_move(self, who: Player, move: m.Move) -> None:
        if self._late(move):
            return self._tell(news.Missed(who))
        self._expect(f"The move {move.text}", "play")
        self.table.move(self.seat(who), move.text, move.card)
        if self.table.waits is None:
            return self._after_move(who)
        self.stage = "open"
        return self._moved_on()

    def _fold_open(self, who: Player, opened: m.Open) -> None:
        if self._late(opened):
            return
        self._expect("A card", "open")
        self.table.turn_up(self.seat(who), opened.card)
        self.stage = "play"
        self._after_move(other(who))

    def _after_move(self, by: Player) -> None:
        self._moved_on()
        if self.table.played.outcome is None:
            self._tell(news.Moved(by, self.table.played.plies[-1]))
        else:
            self._end(by)

    def _end(self, by: Player) -> None:
        """The round is over; where hands are hidden, its last turn is told when they have been checked."""
        self.stage, self._ended, self._last_by = "bye", self._time, by
        if self.table.known:
            self._tell(news.Moved(by, self.table.played.plies[-1]))

    def _fold_resign(self, who: Player, resign: m.Resign) -> None:
        if self.stage not in ("play", "open"):
            if self._late(resign):
                return
            raise Cheat("Somebody resigned where nothing was being played.")
        self._cut("resignation", who)

    def _cut(self, by: By, who: Player) -> None:
        self.table.cut(by, self.seat(who))
        self._moved_on()
        self._end(who)

    def _fold_claim(self, who: Player, claim: m.Claim) -> None:
        if self._late(claim) or self.why_no_claim(who, self._time):
            return self._tell(news.Missed(who))
        self._cut("claim", who)
        if self.table.cards is None:  # nothing of the other's has to be checked: they are not waited for
            self._byes[other(who)] = m.Bye()
        return None

    def _fold_bye(self, who: Player, bye: m.Bye) -> None:
        self._expect("A farewell", "bye")
        if who in self._byes:
            raise Cheat("A farewell came a second time.")
        if self.table.cards is not None and self.cards.slots[self.seat(who)]:
            self._check_hand(who, bye)
        self._byes[who] = bye
        if len(self._byes) == 2:
            self._finish()

    def _check_hand(self, who: Player, bye: m.Bye) -> None:
        if bye.secret is None:
            raise Cheat("At the end a hand was not told.")
        if not self.table.chosen:
            if lock_of(bye.secret) != self._shares[who].lock:
                raise Cheat("At the end the secret of a hand was not the one that was sealed before.")
            if self._shuffled(who, bye.secret) != bye.order:
                raise Cheat("A hand was not in the order that chance gave it.")
        self.table.audit(self.seat(who), bye.order, bye.secret)

    def _finish(self) -> None:
        """Both agree: count the round, and go on."""
        assert self.proposal is not None
        session = self.table.shown
        outcome = session.outcome
        assert outcome is not None
        if self.table.cards is not None:
            self._tell(news.Moved(self._last_by, session.plies[-1]))
        number = len(self.match.winners)
        if self.proposal.drawn:
            self._options = session.options  # the second round of a pair has the draw of the first
        began, ended = (datetime.fromtimestamp(at, UTC) for at in (self._began, self._ended))
        told = round_record(session, 2 if self.match.first else 1, number, began, ended)
        self._told.append(told.changed(assisted=any(bye.helped for bye in self._byes.values())))
        self._tell(news.RoundOver(session, self.match))
        after = self.match.with_round(outcome)
        if after.over:
            self.stage = "over"
            self._moved_on()
            self._over_at = self.count
        else:
            self.match = after
            self._begin_round()

    # -- offers

    def _fold_propose(self, who: Player, offer: m.Propose) -> None:
        new = Offer(self.count, who, offer.kind)
        if self._late(offer) or self.stage in ("hello", "asked", "refused") or self._why_void(who, new.kind):
            return self._tell(news.Lapsed(new))
        same = [one for one in self.offers.values() if one.kind == new.kind]
        if any(one.by == who for one in same):
            return None
        if same and new.kind != "undo":  # both offer the same
            return self._take_up(same[0])
        self.offers[new.id] = new
        return self._tell(news.Offered(new))

    def _fold_reply(self, who: Player, answer: m.Reply) -> None:
        offer = self.offers.get(answer.offer)
        if offer is None or offer.by == who or answer.at < offer.id:
            return
        if answer.yes:
            self._take_up(offer)
        else:
            del self.offers[offer.id]
            self._tell(news.Answered(offer, yes=False))

    def _take_up(self, offer: Offer) -> None:
        del self.offers[offer.id]
        if offer.kind == "undo":
            self.table.undo(self.seat(offer.by))
            self._moved_on()
        self._tell(news.Answered(offer, yes=True))
        if offer.kind == "draw":
            self._cut("agreement", offer.by)
        elif offer.kind == "rematch":
            self._again()

    def _again(self) -> None:
        """A new match of the same kind; who moves first changes."""
        self.matches += 1
        self.match = Match(rounds=self.match.rounds, first=0 if self.match.first else 1)
        self._options, self._told, self.saw_end = None, [], set()
        self._begin_round()

    # -- talk

    def _fold_have(self, who: Player, have: m.Have) -> None:
        """That they are back, or know the end, was noted with the message."""

    def _fold_say(self, who: Player, say: m.Say) -> None:
        self._tell(news.Said(who, m.PHRASES[say.phrase]))


_FOLDS: dict[type[m.Body], Callable[[Ledger, Player, Any], None]] = {
    m.Hello: Ledger._fold_hello,
    m.Join: Ledger._fold_join,
    m.Refuse: Ledger._fold_refuse,
    m.Commit: Ledger._fold_commit,
    m.Reveal: Ledger._fold_reveal,
    m.Slots: Ledger._fold_slots,
    m.Move: Ledger._fold_move,
    m.Open: Ledger._fold_open,
    m.Resign: Ledger._fold_resign,
    m.Claim: Ledger._fold_claim,
    m.Bye: Ledger._fold_bye,
    m.Propose: Ledger._fold_propose,
    m.Reply: Ledger._fold_reply,
    m.Have: Ledger._fold_have,
    m.Say: Ledger._fold_say,
}
"""The method that takes each kind of message."""
