"""A draw that nobody decides: both seal a number, then both tell it, and chance follows from the two."""

from __future__ import annotations

from duelbox.core.match import Player
from duelbox.net.channel import digest
from duelbox.net.hands import Cheat, sealed
from duelbox.net.messages import Reveal


class Draw:
    """The shares of both players in a draw."""

    def __init__(self) -> None:
        self.seals: dict[Player, str] = {}
        self.shares: dict[Player, Reveal] = {}

    def seal(self, who: Player, seal: str) -> None:
        """A share is sealed; raises Cheat."""
        if who in self.seals or seal in self.seals.values():
            raise Cheat("A share of the draw came a second time.")
        self.seals[who] = seal

    def tell(self, who: Player, share: Reveal) -> None:
        """A share is told; raises Cheat."""
        if who in self.shares:
            raise Cheat("A share of the draw was told a second time.")
        if sealed(share.nonce, share.lock) != self.seals[who]:
            raise Cheat("The share of the draw is not the one that was sealed before.")
        self.shares[who] = share

    @property
    def drawn(self) -> bytes:
        """What chance decides follows from these bytes."""
        return digest("draw", self.shares[0].nonce, self.shares[1].nonce)
