"""A round of a match elsewhere as one side knows it: the session, and the hidden hands."""

from __future__ import annotations

from typing import Any

from duelbox.core.dealing import AnyDealing, Order
from duelbox.core.errors import MoveError
from duelbox.core.game import AnyGame
from duelbox.core.model import Seat
from duelbox.core.options import Options
from duelbox.core.session import By, Session
from duelbox.friends.hidden_hands import Cheat, HiddenHands, card_at
from duelbox.friends.messages import Card

ARRANGED = ""
"""Stands for a move that ordered a hand, whose text stays secret."""


class RemoteRound:
    """A round of a match elsewhere.

    With hidden hands, the session is played on an assumed deal that fits all open cards. When a card is turned up that
    contradicts it, the same moves are replayed on a new deal; their events stay the same, because moves depend only on
    what is public.
    """

    def __init__(
        self,
        game: AnyGame,
        options: Options,
        names: tuple[str, str],
        dealing: AnyDealing | None = None,
        place: str = "",
    ) -> None:
        """`dealing` is given if hands are hidden; `place` names the match and round in commitments."""
        self.game = game
        self.options = options
        self.names = names
        self.hands = HiddenHands(place, dealing, dealing.cards(options)) if dealing else None
        self.waits: tuple[str, Seat, int] | None = None
        """The move that is being made, and the seat and slot of the card that must be turned up for it."""
        self._texts: list[str] = []
        self._session = self._replayed() if self.laid else None

    @property
    def chosen(self) -> bool:
        """The players order their hands themselves."""
        return self.hands is not None and self.hands.dealing.chosen(self.options)

    @property
    def laid(self) -> bool:
        """All is dealt, and play can begin."""
        return self.hands is None or self.chosen or all(self.hands.slots)

    @property
    def known(self) -> bool:
        """Nothing is assumed, or nothing more will become known."""
        hands = self.hands
        if hands is None or hands.forgotten:
            return True
        return all(whole or not slots for whole, slots in zip(hands.whole, hands.slots, strict=True))

    @property
    def played(self) -> Session:
        """The session with all moves."""
        assert self._session is not None
        return self._session

    @property
    def shown(self) -> Session:
        """The session as it can be shown: the last turn only after both hands were checked."""
        if self.known or self.played.outcome is None:
            return self.played
        return self._replayed(self._texts if self.played.cut_short else self._texts[:-1])

    def lay(self, seat: Seat, slots: tuple[str, ...], order: Order | None) -> None:
        """Lay a hand face down; `order` is known for one's own. Raises Cheat."""
        assert self.hands is not None
        self.hands.lay(seat, slots)
        if order is not None:
            self.hands.whole[seat] = order
        if self.chosen:
            self._type(ARRANGED)
        elif self.laid:
            self._session = self._replayed()

    def arranging(self, seat: Seat) -> bool:
        """This seat has to order their hand before they move."""
        return self.chosen and self.hands is not None and not self.hands.slots[seat]

    def card_for(self, move: Any, seat: Seat, secret: str) -> Card | None:
        """The card of this seat that the move turns up, if it lies face down."""
        if self.hands is None:
            return None
        whole = self.hands.whole[seat]
        _, slot = self._touched(self.hands, move, seat)[0]
        assert whole is not None
        return None if slot in self.hands.up[seat] else card_at(whole, secret, slot)

    def _touched(self, hands: HiddenHands, move: Any, seat: Seat) -> tuple[tuple[Seat, int], ...]:
        return hands.dealing.touched(self.played.state, hands.assumed(), seat, move)

    def audit(self, seat: Seat, order: Order, secret: str) -> None:
        """Check a whole hand at the end; raises Cheat."""
        if self.hands is not None:
            self.hands.audit(seat, order, secret)
            self._session = self._replayed()

    def order_of(self, move: Any) -> Order | None:
        """The order that this move gives a hand, if it does."""
        return None if self.hands is None else self.hands.dealing.arranged(move)

    def read(self, text: str, seat: Seat) -> Any:
        """Parse a move and check that it is legal now; raises MoveError."""
        session = self.played
        move = session.parse(text)
        self.game.apply(session.state, seat, move)
        return move

    def move(self, seat: Seat, text: str, card: Card | None) -> None:
        """Make a move that came from the room; raises Cheat if it is not allowed."""
        if self.hands is None and card is not None:
            raise Cheat("A card was turned up in a game without hidden cards.")
        if self.hands is not None and card is not None:
            self.hands.turn_up(seat, card)
            self._session = self._replayed()
        try:
            move = self.played.parse(text)
            if self.game.format_move(move) != text:
                raise Cheat(f"{self._named(text)} is not written as moves are.")
            if self.hands is None:
                self.played.play(move)
                return
            self.game.apply(self.played.state, seat, move)
        except MoveError:
            raise Cheat(f"{self._named(text)} is not allowed there.") from None
        self.waits = self._struck(self.hands, seat, text, move, card)
        if self.waits is None:
            self._type(text)

    def _named(self, text: str) -> str:
        return f"Move {len(self.played.plies) + 1}, {text},"

    def _struck(
        self, hands: HiddenHands, seat: Seat, text: str, move: Any, card: Card | None
    ) -> tuple[str, Seat, int] | None:
        """The struck card that the move waits for, None if that lies open; raises Cheat."""
        if hands.dealing.arranged(move) is not None:
            raise Cheat("A hand was put in order openly.")
        (_, used), (struck_seat, struck) = self._touched(hands, move, seat)
        if card is not None and card.slot != used:
            raise Cheat(f"{self._named(text)} turned up another card than the one it plays.")
        if used not in hands.up[seat]:
            raise Cheat(f"{self._named(text)} did not turn up the card it plays.")
        return None if struck in hands.up[struck_seat] else (text, struck_seat, struck)

    def turn_up(self, seat: Seat, card: Card) -> None:
        """Turn up the card that a move waits for; raises Cheat."""
        assert self.waits is not None
        assert self.hands is not None
        text, _, struck = self.waits
        if card.slot != struck:
            raise Cheat(f"Place {struck + 1} was struck, and the card at place {card.slot + 1} was turned up.")
        self.hands.turn_up(seat, card)
        self._session = self._replayed()
        self.waits = None
        self._type(text)

    def forget(self, seat: Seat) -> None:
        """Accept that this hand was not shown: both sides know only its open cards."""
        if self.hands is not None:
            self.hands.whole[seat], self.hands.forgotten = None, True
            self._session = self._replayed()

    def cut(self, by: By, seat: Seat) -> None:
        """End the round without a move."""
        self.waits = None
        self.played.cut(by, seat)

    def undo(self, seat: Seat) -> None:
        """Undo back to this seat's last choice."""
        self.played.undo((seat,))

    def why_no_undo(self, seat: Seat) -> str | None:
        """The sentence that refuses this seat an undo; None if it is possible."""
        if self.hands is not None and not any(ply.reveals for ply in self.played.plies):
            return "A hand that was laid cannot be laid again, so this cannot be undone."
        return self.played.why_no_undo((seat,))

    def _type(self, text: str) -> None:
        self._step(self.played, text)
        self._texts.append(text)

    def _step(self, session: Session, text: str) -> None:
        if text == ARRANGED:
            assert self.hands is not None
            assert session.turn is not None
            session.play(self.hands.dealing.arrange(self.hands.assumed()[session.turn]))
        else:
            session.type(text)

    def _replayed(self, texts: list[str] | None = None) -> Session:
        """Replay the moves on the deal assumed now; raises Cheat if an event differs from before."""
        if self.hands is None:
            return Session(self.game, self.options, self.names)
        before = getattr(self, "_session", None)
        forgotten = self.hands.forgotten  # a chosen order is then not known in full, so it is dealt instead
        dealt = self.hands.dealing.dealt(self.options, self.hands.assumed())
        options = self.options if self.chosen and not forgotten else dealt
        session = Session(self.game, options, self.names)
        for text in self._texts if texts is None else texts:
            if text != ARRANGED or not forgotten:
                self._step(session, text)
        if (
            before is not None
            and not forgotten
            and any(one.events != two.events for one, two in zip(before.plies, session.plies, strict=False))
        ):
            raise Cheat("What lies open does not fit what was played.")
        if before is not None and before.cut_short and texts is None:
            session.cut(before.by, before.plies[-1].seat)
        return session
