"""The sealed channel: strangers can neither read, change nor replay what the players send.

Each process of a player begins a new epoch with a fresh salt, and frames are numbered like the sender's entries in the
room. So a key never seals two texts under one number, even after an old saved game is restored.

The key for watchers opens what the players say, since none of it is hidden from either of them. A second key, which
only the players have, proves that a player wrote a frame: watchers read along, but cannot forge a message.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

PROTOCOL = "duelbox/1"
SALT = 16
_HEAD = struct.Struct(f">BI{SALT}s")
SEALED = 4
"""The first byte of a sealed frame; frames of the pairing begin otherwise."""
USED_UP = bytes([3])
"""The entry by which a host says that the code is used up."""
_TAG = 16
_PROOF = 16
OVERHEAD = _HEAD.size + _TAG + _PROOF


class Tampered(DuelboxError):
    """The frame is not what the other player sent."""


def derive(key: bytes, purpose: str, *parts: object) -> bytes:
    """Derive 32 bytes from a key for one purpose; the key cannot be computed from them."""
    text = "\0".join((PROTOCOL, purpose, *map(str, parts)))
    return hmac.digest(key, text.encode(), "sha256")


def digest(purpose: str, *parts: object) -> bytes:
    """The fingerprint of these parts for one purpose."""
    return hashlib.sha256("\0".join((PROTOCOL, purpose, *map(str, parts))).encode()).digest()


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a match, as far as a member has them."""

    read: bytes
    """Opens what the players say."""
    proof: bytes = b""
    """Proves that a player said it; empty for a watcher."""

    @classmethod
    def of_players(cls, key: bytes, watch: str) -> Keys:
        """All keys of a match. `watch` is the secret for watchers, empty if nobody may watch."""
        read = derive(key, "watch")
        if watch:
            read = derive(watch.encode(), "watch")
        return cls(read, derive(key, "proof"))

    @classmethod
    def of_watchers(cls, watch: str) -> Keys:
        """The one key that watchers have."""
        return cls(derive(watch.encode(), "watch"))

    @property
    def place(self) -> str:
        """A name of the match: it goes into commitments, so that a card laid here cannot be used in another match."""
        return derive(self.read, "place").hex()

    @property
    def entrance(self) -> str:
        """The key that a relay asks of watchers; it opens no message."""
        return derive(self.read, "entrance").hex()


class Sealer:
    """Seals the frames that one process of a player sends."""

    def __init__(self, keys: Keys, room: str, player: int, epoch: int, salt: bytes) -> None:
        self._head = _HEAD.pack(SEALED, epoch, salt)
        self._aad = self._head + _place(room, player)
        self._key = _epoch_key(keys.read, player, epoch, salt)
        self._proof = keys.proof

    def seal(self, n: int, text: bytes) -> bytes:
        """Seal the text of the sender's entry number n."""
        closed = _cipher(self._key).encrypt(_nonce(n), text, self._aad)
        return self._head + closed + _proven(self._proof, n, self._aad, closed)


class Opener:
    """Opens the frames of one player; refuses those of older epochs."""

    def __init__(self, keys: Keys, room: str, player: int, epoch: int = 0, salt: bytes = b"") -> None:
        self._keys = keys
        self._place = _place(room, player)
        self._player = player
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
        aad = frame[: _HEAD.size] + self._place
        closed = frame[_HEAD.size : -_PROOF]
        proof = frame[-_PROOF:]
        from cryptography.exceptions import InvalidTag

        try:
            if self._keys.proof and not hmac.compare_digest(proof, _proven(self._keys.proof, n, aad, closed)):
                raise InvalidTag
            text = _cipher(_epoch_key(self._keys.read, self._player, epoch, salt)).decrypt(_nonce(n), closed, aad)
        except InvalidTag:
            raise Tampered("A message was changed on its way, or is out of its place.") from None
        self.epoch, self.salt = epoch, salt
        return text


def seal_once(key: bytes, text: bytes) -> bytes:
    """Seal a text with a key that seals nothing else."""
    return _cipher(key).encrypt(_nonce(0), text, None)


def open_once(key: bytes, sealed: bytes) -> bytes:
    """The text sealed by `seal_once`; raises Tampered."""
    from cryptography.exceptions import InvalidTag

    try:
        return _cipher(key).decrypt(_nonce(0), sealed, None)
    except InvalidTag:
        raise Tampered("A message was changed on its way.") from None


def _epoch_key(key: bytes, player: int, epoch: int, salt: bytes) -> bytes:
    return derive(key, "epoch", player, epoch, salt.hex())


def _proven(key: bytes, n: int, aad: bytes, closed: bytes) -> bytes:
    return hmac.digest(key, _nonce(n) + aad + closed, "sha256")[:_PROOF]


def _place(room: str, player: int) -> bytes:
    return f"{PROTOCOL} {room} {player}".encode()


def _nonce(n: int) -> bytes:
    return n.to_bytes(12, "big")


def _cipher(key: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(key)
