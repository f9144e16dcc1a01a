"""Writing a proof from a strategy: the walk of format 1, with each answer asked of a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from duelbox.core.model import Seat
from duelbox.proof.api import Lemma, Map
from duelbox.proof.bits import BitWriter, width_of
from duelbox.proof.checker import FormatWalk, code_to_prove, session_to_prove
from duelbox.proof.line import Proof


class Claim(NamedTuple):
    """A rule that is claimed in a position, with its map."""

    lemma: Lemma
    images: Map


def write_proof(
    code: str, side: Seat, answer: Callable[[Any], Any], claim: Callable[[Any], Claim | None] = lambda view: None
) -> Proof:
    """The proof by a function that answers views with moves, and one that claims rules in views of the opponent.

    Raises Failed where the answers do not win; claims are not checked.
    """
    walk = _Writer(code, side, answer, claim)
    walk.walk()
    return Proof(code=code_to_prove(walk.session), side=side, answers=walk.word())


class _Writer(FormatWalk):
    """The walk that writes down its answers."""

    def __init__(
        self, code: str, side: Seat, answers: Callable[[Any], Any], claims: Callable[[Any], Claim | None]
    ) -> None:
        super().__init__(session_to_prove(code), side)
        self._answers = answers
        self._claims = claims
        self._notes: list[tuple[int, int] | Claim | None] = []
        """Numbers with their widths, claims, and None for each position without a claim."""
        self._last = 0

    def answer(self, view: Any, moves: Sequence[Any], path: tuple[str, ...]) -> Any:
        move = self._answers(view)
        self._notes.append((moves.index(move), width_of(len(moves))))
        return move

    def is_claimed(self, view: Any, path: tuple[str, ...]) -> bool:
        claim = self._claims(view)
        self._notes.append(claim)
        self._last = view.numbers[-1]
        return claim is not None

    def word(self) -> str:
        """The notes as a word."""
        bits = BitWriter()
        claims = any(isinstance(note, Claim) for note in self._notes)
        bits.number(int(claims), 1)
        for note in self._notes:
            if isinstance(note, Claim):
                self._write_claim(note, bits)
            elif note is not None:
                bits.number(*note)
            elif claims:
                bits.number(0, 1)
        return bits.word

    def _write_claim(self, claim: Claim, bits: BitWriter) -> None:
        lemmas = self.proving.lemmas
        bits.number(1, 1)
        bits.number(lemmas.index(claim.lemma), width_of(len(lemmas)))
        if claim.lemma.mapped:
            bits.map(claim.images, self._last)
