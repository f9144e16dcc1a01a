"""A proof as a line: `duelbox proof 1 CODE SIDE ANSWERS SUM`, written and read."""

from __future__ import annotations

from hashlib import sha256

from duelbox.core.model import Model, Seat
from duelbox.proof.api import NoProof

FORMAT = "1"
MAX_LENGTH = 250_000
"""The most characters of a line; a proof of 100,000 positions needs fewer."""
_SHAPE = "A proof is a line: duelbox proof 1 CODE SIDE ANSWERS SUM."


class Proof(Model):
    """A position, the player who is said to win it, and the answers that prove it."""

    code: str
    side: Seat
    answers: str
    """The answers as one base64url word."""

    @property
    def line(self) -> str:
        """The line to copy."""
        return f"{self._summed} {checksum(self._summed)}"

    @property
    def _summed(self) -> str:
        return f"duelbox proof {FORMAT} {self.code} {self.side + 1} {self.answers}"


def checksum(text: str) -> str:
    """The sum of the text of a line: the first eight hexadecimal digits of its SHA-256."""
    return sha256(text.encode("ascii")).hexdigest()[:8]


def is_proof_line(text: str) -> bool:
    """True if a text is meant as the line of a proof, whole or damaged."""
    words = text[:200].split()
    for word in ("duelbox", "prove"):
        if words[:1] == [word]:
            words = words[1:]
    return words[:1] == ["proof"]


def read_proof(text: str) -> Proof:
    """Read a line, with or without `duelbox` and `prove` before `proof`; raises NoProof."""
    if len(text) > MAX_LENGTH:
        raise NoProof(f"The line of a proof has at most {MAX_LENGTH:,} characters.")
    if not is_proof_line(text):
        raise NoProof(_SHAPE)
    words = text.split()
    words = words[words.index("proof") + 1 :]
    if words and words[0] != FORMAT:
        raise NoProof(f"This proof has format {words[0][:8]!a}, and this duelbox reads format 1.")
    if len(words) != 5:
        raise NoProof(f"{_SHAPE} This one has {len(words)} words after proof, not 5.")
    _, code, side, answers, total = words
    if not "".join(words).isascii():
        raise NoProof("The line is damaged: a proof is printable ASCII.")
    if side not in ("1", "2"):
        raise NoProof(f"The side is 1 or 2, not {side[:8]!a}.")
    seat: Seat = 0
    if side == "2":
        seat = 1
    proof = Proof(code=code, side=seat, answers=answers)
    if proof.line.split()[-1] != total.lower():
        raise NoProof("The line is damaged: its sum does not fit. Copy it again, whole.")
    return proof
