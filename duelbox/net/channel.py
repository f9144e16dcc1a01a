"""The sealed channel: what a stranger can neither read nor change, nor play a second time.

Every process of a player begins an epoch of its own, with a fresh salt; each frame is numbered as the room numbers the
entries of its sender. So a key never seals two texts under one number, even where a saved game is brought back.
"""

from __future__ import annotations

import hashlib
import hmac
import struct

from duelbox.core.errors import DuelboxError

PROTOCOL = "duelbox/1"
SALT = 16
_HEAD = struct.Struct(f">BI{SALT}s")
SEALED = 4
"""How a sealed frame begins; the others are of pairing."""
_TAG = 16
OVERHEAD = _HEAD.size + _TAG


class Tampered(DuelboxError):
    """A frame that the other player cannot have sent so."""


def derive(key: bytes, purpose: str, *parts: object) -> bytes:
    """A key, or any 32 bytes, that follow from a key for one purpose; nobody can go back from them."""
    text = "\0".join((PROTOCOL, purpose, *map(str, parts)))
    return hmac.digest(key, text.encode(), "sha256")


def digest(purpose: str, *parts: object) -> bytes:
    """A fingerprint of these parts for one purpose."""
    return hashlib.sha256("\0".join((PROTOCOL, purpose, *map(str, parts))).encode()).digest()


class Sealer:
    """Seals what one process of one player sends."""

    def __init__(self, key: bytes, room: str, player: int, epoch: int, salt: bytes) -> None:
        self._head = _HEAD.pack(SEALED, epoch, salt)
        self._aad = self._head + _place(room, player)
        self._key = _epoch_key(key, player, epoch, salt)

    def seal(self, n: int, text: bytes) -> bytes:
        """The frame that is the sender's entry number n."""
        return self._head + _cipher(self._key).encrypt(_nonce(n), text, self._aad)


class Opener:
    """Opens what the other player sends; it never goes back to an older epoch."""

    def __init__(self, key: bytes, room: str, player: int, epoch: int = 0, salt: bytes = b"") -> None:
        self._key, self._place, self._player = key, _place(room, player), player
        self.epoch, self.salt = epoch, salt

    def open(self, n: int, frame: bytes) -> bytes:
        """The text of the sender's entry number n; raises Tampered."""
        if len(frame) < OVERHEAD or frame[0] != SEALED:
            raise Tampered("Something came that is no message of this game.")
        _, epoch, salt = _HEAD.unpack_from(frame)
        if epoch < self.epoch:
            raise Tampered("A message from before the last start was played again.")
        if epoch == self.epoch and salt != self.salt:
            raise Tampered("Two programs speak with one voice: one is a copy.")
        head = frame[: _HEAD.size]
        from cryptography.exceptions import InvalidTag

        try:
            cipher = _cipher(_epoch_key(self._key, self._player, epoch, salt))
            text = cipher.decrypt(_nonce(n), frame[_HEAD.size :], head + self._place)
        except InvalidTag:
            raise Tampered("A message was changed on its way, or is out of its place.") from None
        self.epoch, self.salt = epoch, salt
        return text


def _epoch_key(key: bytes, player: int, epoch: int, salt: bytes) -> bytes:
    return derive(key, "epoch", player, epoch, salt.hex())


def _place(room: str, player: int) -> bytes:
    return f"{PROTOCOL} {room} {player}".encode()


def _nonce(n: int) -> bytes:
    return n.to_bytes(12, "big")


def _cipher(key: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(key)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
