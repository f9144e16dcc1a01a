"""The part of a match elsewhere that one player alone knows, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass

from duelbox.core.dealing import Order
from duelbox.core.match import Player
from duelbox.core.model import other
from duelbox.friends import messages as m
from duelbox.friends.channel import derive
from duelbox.friends.hidden_hands import RoundSecrets, card_at, commitment, committed, lock_of, sealed, shuffled
from duelbox.friends.ledger import Ledger
from duelbox.friends.remote_round import RemoteRound


@dataclass(frozen=True)
class OwnHand:
    """The knowledge of one player; the match itself is the same for both, so each question takes it."""

    me: Player
    secret: bytes
    """Hands and draws of this player follow from it; empty for a watcher, who knows neither hand."""
    order: Order = ()
    """The order in which this player laid their hand last, or is about to lay it; empty unless they choose it."""

    def my_turn(self, ledger: Ledger) -> bool:
        """It is this player's turn to move."""
        return self.secret != b"" and ledger.stage == "play" and ledger.owes(self.me)

    def secrets(self, ledger: Ledger) -> RoundSecrets:
        """The secrets of this player in this round."""
        key = derive(self.secret, "round", ledger.matches, len(ledger.match.winners))
        return RoundSecrets(derive(key, "nonce").hex(), derive(key, "hand").hex())

    def shuffled(self, ledger: Ledger) -> Order:
        """The order of this player's hand if it is shuffled."""
        nonce = ledger.draw.share(other(self.me)).nonce
        return shuffled(ledger.hands.cards, self.secrets(ledger).hand_secret, nonce)

    def laid(self, ledger: Ledger) -> Order | None:
        """The order of this player's hand once it is laid; None before, in a game without, and for a watcher."""
        hands = ledger.round.hands
        if hands is None or not self.secret or not hands.slots[ledger.seat(self.me)]:
            return None
        if ledger.round.chosen:
            return self.order or None
        return self.shuffled(ledger)

    def slots(self, ledger: Ledger, order: Order) -> m.Slots:
        """The message that lays this player's hand in this order."""
        secret = self.secrets(ledger).hand_secret
        return m.Slots(cards=committed(ledger.hands.place, ledger.seat(self.me), order, secret))

    def order_in(self, ledger: Ledger, cards: tuple[str, ...]) -> Order:
        """The order of this player's hand that was laid with these commitments; empty if it is none of it."""
        secret = self.secrets(ledger).hand_secret
        seat = ledger.seat(self.me)
        found: list[int] = []
        for slot, wanted in enumerate(cards):
            for number in ledger.hands.cards:
                order = (number,) * len(cards)
                if commitment(ledger.hands.place, seat, card_at(order, secret, slot)) == wanted:
                    found.append(number)
                    break
        return tuple(found) if len(found) == len(cards) else ()

    def round(self, ledger: Ledger) -> RemoteRound | None:
        """The current round as this player knows it; None before it is being dealt."""
        dealt = ledger.dealt
        if dealt is None or dealt.hands is None or dealt.hands.forgotten:
            return dealt
        order = self.laid(ledger)
        if order is None:
            return dealt
        return dealt.known_to(ledger.seat(self.me), order)

    def owed_message(self, ledger: Ledger) -> m.Body | None:
        """The message that this player's program must send now, without asking its player; None if there is none."""
        if ledger.claim is not None and ledger.claim.by != self.me and ledger.stage == "play":
            return m.Have()
        if ledger.stage == "over" and self.me not in ledger.transcript.saw_end:
            return m.Have()
        if not ledger.owes(self.me):
            return None
        mine = self.secrets(ledger)
        match ledger.stage:
            case "asked" if self.me == m.GUEST and (why := ledger.why_unplayable()):
                return m.Refuse(why=why)
            case "commit":
                return m.Commit(sealed=sealed(mine.nonce, lock_of(mine.hand_secret)))
            case "reveal":
                return m.Reveal(nonce=mine.nonce, lock=lock_of(mine.hand_secret))
            case "slots":
                return self.slots(ledger, self.shuffled(ledger))
            case "open":
                order = self.laid(ledger)
                assert order is not None
                assert ledger.round.waits is not None
                return m.Open(card=card_at(order, mine.hand_secret, ledger.round.waits.slot))
            case "bye":
                return m.Bye(secret=mine.hand_secret, order=self.laid(ledger) or ())
        return None
