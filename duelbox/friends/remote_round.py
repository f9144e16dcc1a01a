"""A round of a match elsewhere: its turns, and the hidden hands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

from duelbox.core.dealing import AnyDealing, Order
from duelbox.core.errors import MoveError
from duelbox.core.game import AnyGame
from duelbox.core.model import Position, Seat
from duelbox.core.options import Options
from duelbox.core.session import By, Ply, Session
from duelbox.friends.hidden_hands import Cheat, HiddenHands, card_at
from duelbox.friends.messages import Card


class HalfMove(NamedTuple):
    """A move that waits for the card it struck."""

    move: Any
    seat: Seat
    """The seat that must turn its card up."""
    slot: int


@dataclass(frozen=True)
class RemoteRound:
    """A round of a match elsewhere, as everybody in the room knows it, or (`known_to`) as one player does.

    With hidden hands, it is played on an assumed deal that fits all open cards. When a card is turned up that
    contradicts it, all states are dealt anew; the events stay the same, because moves depend only on what is public.
    """

    game: AnyGame
    options: Options
    names: tuple[str, str]
    hands: HiddenHands | None = None
    start: Position | None = None
    """The state before the first move; None until the hands are laid."""
    plies: tuple[Ply, ...] = ()
    waits: HalfMove | None = None
    """The move that is being made."""

    @classmethod
    def begin(
        cls, game: AnyGame, options: Options, names: tuple[str, str], dealing: AnyDealing | None = None, place: str = ""
    ) -> Self:
        """A new round. `dealing` is given if hands are hidden; `place` names the match and round in commitments."""
        hands = None
        if dealing is not None:
            hands = HiddenHands(place, dealing, dealing.cards(options))
        new = cls(game, options, names, hands)
        if hands is None or new.chosen:
            return new._started()
        return new

    def _started(self) -> Self:
        return replace(self, start=self.game.start(self._dealt_options))

    @property
    def chosen(self) -> bool:
        """The players order their hands themselves."""
        return self.hands is not None and self.hands.dealing.chosen(self.options)

    @property
    def laid(self) -> bool:
        """All is dealt, and play can begin."""
        return self.start is not None

    @property
    def known(self) -> bool:
        """Nothing is assumed, or nothing more will become known."""
        return self.hands is None or self.hands.known

    @property
    def _dealt_options(self) -> Options:
        """The options with the hands as they are assumed."""
        if self.hands is None:
            return self.options
        if self.chosen and not self.hands.forgotten:
            return self.options
        dealt: Options = self.hands.dealing.dealt(self.options, self.hands.assumed())
        return dealt

    @cached_property
    def session(self) -> Session:
        """The round as a session, for questions only: a change begins with a copy."""
        assert self.start is not None
        return Session(self.game, self._dealt_options, self.names, start=self.start, plies=self.plies)

    @property
    def shown(self) -> Session:
        """The session as it can be shown: the last turn only after both hands were checked."""
        if self.known or self.session.outcome is None:
            return self.session.copy()
        return Session(self.game, self._dealt_options, self.names, start=self.start, plies=self.plies[:-1])

    def known_to(self, seat: Seat, order: Order) -> Self:
        """The round as a side knows it that knows the order of this hand."""
        assert self.hands is not None
        return self._with_hands(self.hands.known_to(seat, order))

    # -- hands

    def _with_hands(self, hands: HiddenHands) -> Self:
        """The round with these hands, and with states that fit them."""
        assert self.hands is not None
        orders = hands.assumed()
        if self.start is None or orders == self.hands.assumed():
            return replace(self, hands=hands)
        redealt = hands.dealing.redealt
        plies = tuple(
            replace(ply, move=self._redealt_move(ply, orders), state=redealt(ply.state, orders)) for ply in self.plies
        )
        return replace(self, hands=hands, start=redealt(self.start, orders), plies=plies)

    def _redealt_move(self, ply: Ply, orders: tuple[Order, Order]) -> Any:
        """The move of a turn; one that put a hand in order puts it in this order."""
        if self._arranges(ply):
            assert self.hands is not None
            return self.hands.dealing.arrange(orders[ply.seat])
        return ply.move

    def _arranges(self, ply: Ply) -> bool:
        return ply.move is not None and self.order_of(ply.move) is not None

    def lay(self, seat: Seat, slots: tuple[str, ...]) -> Self:
        """The round with a hand laid face down; raises Cheat."""
        assert self.hands is not None
        hands = self.hands.laid(seat, slots)
        laid = replace(self, hands=hands)
        if self.chosen:
            return laid._played(hands.dealing.arrange(hands.assumed()[seat]))
        if all(hands.slots):
            return laid._started()
        return laid

    def arranging(self, seat: Seat) -> bool:
        """This seat has to order their hand before they move."""
        return self.chosen and self.hands is not None and not self.hands.slots[seat]

    def order_of(self, move: Any) -> Order | None:
        """The order that this move gives a hand, if it does."""
        if self.hands is None:
            return None
        return self.hands.dealing.arranged(move)

    def card_for(self, move: Any, seat: Seat, secret: str) -> Card | None:
        """The card of this seat that the move turns up, if it lies face down; the hand must be known."""
        if self.hands is None:
            return None
        whole = self.hands.whole[seat]
        assert whole is not None
        _, slot = self._touched(move, seat)[0]
        if slot in self.hands.values_up(seat):
            return None
        return card_at(whole, secret, slot)

    def _touched(self, move: Any, seat: Seat) -> tuple[tuple[Seat, int], ...]:
        assert self.hands is not None
        return self.hands.dealing.touched(self.session.state, self.hands.assumed(), seat, move)

    def audit(self, seat: Seat, order: Order, secret: str) -> Self:
        """The round with a whole hand shown at the end; raises Cheat if it is not the one that was played."""
        assert self.hands is not None
        return self._with_hands(self.hands.audited(seat, order, secret))

    def verify(self) -> None:
        """Play the round again with the hands that were shown, by the rules alone; raises Cheat if anything differs."""
        if self.hands is None or self.hands.forgotten or self.start is None:
            return
        session = Session(self.game, self._dealt_options, self.names)
        try:
            same = all(session.play(ply.move) == ply.events for ply in self.plies if ply.move is not None)
        except MoveError:
            same = False
        if not same:
            raise Cheat("What lies open does not fit what was played.")

    def forget(self, seats: Collection[Seat]) -> Self:
        """The round when these hands were never shown; an order chosen by a player counts as dealt."""
        if self.hands is None or not seats:
            return self
        hands = self.hands
        for seat in seats:
            hands = hands.without(seat)
        forgotten = replace(self, hands=hands)
        session = Session(self.game, forgotten._dealt_options, self.names)
        for ply in self.plies:
            if ply.move is None:
                session.cut(ply.by, ply.seat)
            elif not self._arranges(ply):
                session.play(ply.move)
        return replace(forgotten, start=session.start, plies=session.plies)

    # -- moves

    def after(self, moves: Sequence[Any]) -> Self:
        """The round after moves that belong to its proposal; raises MoveError."""
        played = self
        for move in moves:
            played = played._played(move)
        return played

    def _played(self, move: Any) -> Self:
        session = self.session.copy()
        session.play(move)
        return replace(self, plies=session.plies)

    def read(self, text: str, seat: Seat) -> Any:
        """Parse a move and check that it is legal now; raises MoveError."""
        move = self.session.parse(text)
        self.game.apply(self.session.state, seat, move)
        return move

    def move(self, seat: Seat, text: str, card: Card | None) -> Self:
        """The round after a move that came from the room; raises Cheat if it is not allowed."""
        if card is None:
            return self._moved(seat, text, None)
        if self.hands is None:
            raise Cheat("A card was turned up in a game without hidden cards.")
        return self._with_hands(self.hands.turned_up(seat, card))._moved(seat, text, card)

    def _moved(self, seat: Seat, text: str, card: Card | None) -> Self:
        try:
            move = self.session.parse(text)
            if self.game.format_move(move) != text:
                raise Cheat(f"{self._named(text)} is not written as moves are.")
            if self.hands is None:
                return self._played(move)
        except MoveError:
            raise Cheat(f"{self._named(text)} is not allowed there.") from None
        if move not in self.session.legal_moves():  # it is applied when the card it strikes is known
            raise Cheat(f"{self._named(text)} is not allowed there.")
        struck = self._struck(seat, text, move, card)
        if struck is None:
            return self._played(move)
        return replace(self, waits=struck)

    def _named(self, text: str) -> str:
        return f"Move {len(self.plies) + 1}, {text},"

    def _struck(self, seat: Seat, text: str, move: Any, card: Card | None) -> HalfMove | None:
        """The move with the struck card that it waits for, None if that lies open; raises Cheat."""
        assert self.hands is not None
        if self.order_of(move) is not None:
            raise Cheat("A hand was put in order openly.")
        (_, used), (struck_seat, struck) = self._touched(move, seat)
        if card is not None and card.slot != used:
            raise Cheat(f"{self._named(text)} turned up another card than the one it plays.")
        if used not in self.hands.values_up(seat):
            raise Cheat(f"{self._named(text)} did not turn up the card it plays.")
        if struck in self.hands.values_up(struck_seat):
            return None
        return HalfMove(move, struck_seat, struck)

    def turn_up(self, seat: Seat, card: Card) -> Self:
        """The round with the card turned up that a move waits for; raises Cheat."""
        assert self.waits is not None
        assert self.hands is not None
        move, _, struck = self.waits
        if card.slot != struck:
            raise Cheat(f"Place {struck + 1} was struck, and the card at place {card.slot + 1} was turned up.")
        whole = replace(self._with_hands(self.hands.turned_up(seat, card)), waits=None)
        return whole._played(move)

    def cut(self, by: By, seat: Seat) -> Self:
        """The round ended without a move."""
        session = self.session.copy()
        session.cut(by, seat)
        return replace(self, plies=session.plies, waits=None)

    def undo(self, seat: Seat) -> Self:
        """The round back at this seat's last choice."""
        session = self.session.copy()
        session.undo((seat,))
        return replace(self, plies=session.plies)

    def why_no_undo(self, seat: Seat) -> str | None:
        """The sentence that refuses this seat an undo; None if it is possible."""
        if self.hands is not None and not any(ply.reveals for ply in self.plies):
            return "A hand that was laid cannot be laid again, so this cannot be undone."
        return self.session.why_no_undo((seat,))
