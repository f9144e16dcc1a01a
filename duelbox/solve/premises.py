"""A reason is a difference: what a right move has more of than every wrong one, or else what refutes the wrong one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from duelbox.solve.api import Idea, Instead, Mark, Reason


@dataclass(frozen=True, slots=True)
class Premise:
    """A count that speaks for moves, such as a lead in numbers, and the sentence that says it of one of them."""

    counts: Mapping[str, float]
    """The count after each move that has one; the more, the better."""
    sentence: Callable[[str], str]
    """The count of a right move in words; empty if nobody could count so far."""
    idea: Idea | None
    thought: str
    shown: Callable[[str], tuple[Mark, ...]] = lambda move: ()
    contrast: bool = False
    """The wrong move and its answer are named, even if the count tells them apart."""

    def ranked(self, moves: Iterable[str]) -> list[str]:
        """Those of these moves that have a count, the highest first."""
        return sorted((move for move in moves if move in self.counts), key=lambda move: -self.counts[move])

    def of(self, move: str, instead: Instead | None, named: bool) -> Reason:
        """The reason for a move; `named` adds the wrong move and its answer."""
        sentence = self.sentence(move)
        if (named or self.contrast) and instead is not None:
            sentence = f"{sentence} {instead.sentence}"
        return Reason(sentence, self.idea, self.thought, move, self.shown(move), instead)


def reason_by(
    premises: Iterable[Premise], right: Sequence[str], wrong: Sequence[str], refuted: Callable[[str], Instead | None]
) -> Reason | None:
    """The reason by the first premise that holds of a right move and of no wrong one.

    If every premise holds of a wrong move as well, that move is the tempting one, and the reason names its refutation.
    None if no premise can be said of a right move.
    """
    chosen: tuple[Premise, str] | None = None
    shared: list[tuple[float, Premise, str]] = []
    tempting: str | None = None
    for premise in premises:
        move = next(filter(premise.sentence, premise.ranked(right)), None)
        rival = next(iter(premise.ranked(wrong)), None)
        tempting = tempting or rival
        if move is None:
            continue
        if rival is not None and premise.counts[rival] >= premise.counts[move]:
            shared.append((premise.counts[rival] - premise.counts[move], premise, move))
            continue
        chosen = chosen or (premise, move)
        if tempting or not wrong:
            break
    if chosen:
        premise, move = chosen
        answered = map(refuted, [tempting, *wrong] if tempting else wrong)
        instead = next(filter(None, answered), None)
        return premise.of(move, instead, named=False)
    for _, premise, move in sorted(shared, key=lambda one: (one[0], len(one[1].sentence(one[2])))):
        for rival in sorted(wrong, key=lambda one: -premise.counts.get(one, 0)):
            instead = refuted(rival)
            if instead is not None and instead.counted:
                return premise.of(move, instead, named=True)
    return None
