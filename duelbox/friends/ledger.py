"""A match with a friend elsewhere: both sides fold it from the same messages in the same order, so they agree on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from duelbox.core import news
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
from duelbox.friends.channel import derive, digest
from duelbox.friends.hands import Cards, Cheat, Secret, card_at, committed, lock_of, sealed, shuffled
from duelbox.friends.invitation import Proposal, apart, name_of, seeded
from duelbox.friends.round import Round

HOST: Player = 0
GUEST: Player = 1
CLAIMED_AFTER = 12 * 3600
"""Seconds of silence after which a game can be claimed."""
CLAIM_STANDS = 60
"""Seconds for which a claim stands before it counts, so that a friend who is there can show it."""
MOST_IDLE = 500
"""Messages of one player that change nothing, one after the other; more are a flood."""
MOST_PHRASES = 20
"""Phrases of one player that are told between two moves."""
MOST_MESSAGES = 50_000
"""More than a room of any honest relay holds."""
_SHORT_SEED = 999_999
_START = bytes(16)


@dataclass(frozen=True, slots=True)
class PendingClaim:
    """A claim that was made and does not count yet."""

    by: Player
    time: int
    """When it was made, by the relay's clock."""


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
        self.helped: set[Player] = set()
        """The players who asked for help in this round."""
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
        self._byes: set[Player] = set()
        """The players whose hand was shown at the end of this round, or is not waited for any more."""
        self._unshown: set[Player] = set()
        """The players whose hand was not shown at the end of this round."""
        self.claim: PendingClaim | None = None
        """The claim that stands, and counts unless the other player is heard of."""
        self._idle = [0, 0]
        self.said = [0, 0]
        """Phrases of each player since the position last changed."""
        self._same_deal = False
        """Whether this round has the deal of the round before, which both have seen."""
        self._before: tuple[Match, list[RoundRecord], int] | None = None
        """The match that is over, as long as its rematch can be called off."""
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
                assert self.table.waits is not None
                return m.Open(card=card_at(order, mine.told, self.table.waits[2]))
            case "bye":
                return m.Bye(secret=mine.told, order=self._own_order() or ())
        return None

    def owes(self, who: Player) -> bool:
        """Whether the match waits for something from this player."""
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
                return not self.cards.slots[self.seat(who)]
            case "play":
                return self.table.played.turn == self.seat(who)
            case "open":
                return self.table.waits is not None and self.table.waits[1] == self.seat(who)
            case "bye":
                return who not in self._byes
        return False

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
    def begun(self) -> bool:
        """Whether something was dealt or played in this match, so that it cannot simply be called off."""
        return self.stage in ("reveal", "slots", "play", "open", "bye") or (
            self.stage == "commit" and bool(self.match.winners)
        )

    def why_no_resignation(self) -> str | None:
        """Why no player can give up this round, or call off a match that has not begun, if so."""
        going = self.stage in ("asked", "commit", "reveal", "slots", "play", "open")
        return None if going else "Nothing is being played just now."

    @property
    def just_moved(self) -> bool:
        """Whether the newest message changed the position."""
        return self._changed == self.count

    def counts(self, who: Player, claim: m.Claim, now: int) -> bool:
        """Whether this claim, put at this time of the relay, ends the round: an earlier one stands for long enough."""
        stands = self.claim is not None and self.claim.by == who and now - self.claim.time >= CLAIM_STANDS
        return stands and not self._late(claim)

    def why_no_claim(self, who: Player, now: int) -> str | None:
        """Why this player cannot claim the game at this time of the relay, if so."""
        if not self.begun:
            return "Nothing is being played just now."
        if self.owes(who) or not self.owes(other(who)):
            return "It is your turn."
        # All but a turn is answered by the program: it is waited for from when it was due, whatever else is said.
        since = max(self._due, self.heard[other(who)]) if self.stage == "play" else self._due
        if now - since < CLAIMED_AFTER:
            hours = CLAIMED_AFTER // 3600
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

    def fold(self, who: Player, message: m.Body, time: int = 0) -> None:
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
        if self.claim is not None and self.claim.by != who and self.stage == "play":
            self._tell(news.Missed(self.claim.by))
            self.claim = None
        _FOLDS[type(message)](self, who, message)
        if self.claim is not None and not self.owes(other(self.claim.by)):
            self.claim = None

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
        self._seals, self._shares, self._byes, self.order, self.helped = {}, {}, set(), None, set()
        self._moved_on()
        self._same_deal = self._options is not None and self.proposal.drawn and len(self.match.winners) % 2 == 1
        if self._options is None or (self.proposal.drawn and not self._same_deal):
            self.stage, self.round = "commit", None
        else:
            self._lay()

    def _fold_commit(self, who: Player, commit: m.Commit) -> None:
        if self._late(commit):
            return
        self._expect("A share of a draw", "commit")
        if who in self._seals or commit.sealed in self._seals.values():
            raise Cheat("A share of the draw came a second time.")
        self._seals[who] = commit.sealed
        if len(self._seals) == 2:
            self.stage, self._due, self._before = "reveal", self._time, None

    def _fold_reveal(self, who: Player, reveal: m.Reveal) -> None:
        if self._late(reveal):
            return
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
        if not self.match.winners and not self.matches:
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
        hands = None if self._same_deal else self.proposal.hands
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

    def _end(self, by: Player, *excused: Player) -> None:
        """The round is over; where hands are hidden, its last turn is told when they have been checked.

        The hand of an excused player is not waited for.
        """
        self.stage, self._ended, self._last_by = "bye", self._time, by
        shown = {who for who in (HOST, GUEST) if self.table.cards is None or not self.cards.slots[self.seat(who)]}
        self._byes, self._unshown = shown | {*excused}, {*excused} - shown
        self._finish()

    def _fold_resign(self, who: Player, resign: m.Resign) -> None:
        if self.why_no_resignation():
            if self._late(resign):
                return
            raise Cheat("Somebody resigned where nothing was being played.")
        if self.begun:
            self._cut("resignation", who)
        else:
            self._call_off(who)

    def _call_off(self, who: Player) -> None:
        """Nothing has been dealt: the match is void, and the one before it, if there was one, stays over."""
        self.stage = "refused"
        self._moved_on()
        if self._before is not None:
            (self.match, self._told, self._over_at), self.stage = self._before, "over"
            self._over_at = self.count
        self._tell(news.CalledOff(who))

    def _cut(self, by: By, who: Player, *excused: Player) -> None:
        if self.round is None or not self.round.laid:  # the deal is not done, so the round has none
            assert self.proposal is not None
            names = self.players[self.match.player_in(0)], self.players[self.match.player_in(1)]
            self.round = Round(self.proposal.game, self.proposal.options, names)
            self._options, self._began = None, self._time
        self.table.cut(by, self.seat(who))
        self._moved_on()
        self._end(who, *excused)

    def _fold_claim(self, who: Player, claim: m.Claim) -> None:
        if self._late(claim) or self.why_no_claim(who, self._time):
            return self._tell(news.Missed(who))
        if self.claim is None:
            self.claim = PendingClaim(who, self._time)
            return self._tell(news.Claimed(who))
        if not self.counts(who, claim, self._time):
            return None
        if self.stage != "bye":
            return self._cut("claim", who, other(who))
        if not self.table.played.cut_short:
            self.table.cut("unshown", self.seat(who))
        self._moved_on()
        self._byes.add(other(who))
        self._unshown.add(other(who))
        return self._finish()

    def _fold_bye(self, who: Player, bye: m.Bye) -> None:
        if self._late(bye):
            return
        self._expect("A farewell", "bye")
        if who in self._byes:
            raise Cheat("A farewell came a second time.")
        self._check_hand(who, bye)
        self._byes.add(who)
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
        """Count the round once nobody is waited for, and go on."""
        if self.stage != "bye" or len(self._byes) < 2:
            return
        assert self.proposal is not None
        for who in self._unshown:
            self.table.forget(self.seat(who))
        session = self.table.shown
        outcome = session.outcome
        assert outcome is not None
        for ply in session.plies[-2 if session.by == "unshown" else -1 :]:
            self._tell(news.Moved(self._last_by, ply))
        number = len(self.match.winners)
        if self.proposal.drawn and self._options is not None:
            # The second round of a pair has the draw of the first, unless not all of that is known.
            self._options = None if self._unshown else session.options
        began, ended = (datetime.fromtimestamp(at, UTC) for at in (self._began, self._ended))
        told = round_record(session, 2 if self.match.first else 1, number, began, ended)
        self._told.append(told.changed(assisted=bool(self.helped)))
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
        if offer is None or answer.at < offer.id:
            return
        if offer.by == who:
            self._lapse(offer)
        elif answer.yes:
            self._take_up(offer)
        else:
            del self.offers[offer.id]
            self._tell(news.Answered(offer, yes=False))

    def _lapse(self, offer: Offer) -> None:
        del self.offers[offer.id]
        self._tell(news.Lapsed(offer))

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
        self._before = self.match, self._told, self._over_at
        self.matches += 1
        self.match = Match(rounds=self.match.rounds, first=0 if self.match.first else 1)
        self._options, self._told, self.saw_end = None, [], set()
        self._begin_round()

    # -- talk

    def _fold_have(self, who: Player, have: m.Have) -> None:
        """They are back, or know the end; a rematch that they offered before is void."""
        for offer in [one for one in self.offers.values() if (one.by, one.kind) == (who, "rematch")]:
            self._lapse(offer)

    def _fold_help(self, who: Player, asked: m.Help) -> None:
        self.helped.add(who)

    def _fold_say(self, who: Player, say: m.Say) -> None:
        self.said[who] += 1
        if self.said[who] <= MOST_PHRASES:
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
    m.Help: Ledger._fold_help,
    m.Say: Ledger._fold_say,
}
"""The method that takes each kind of message."""
