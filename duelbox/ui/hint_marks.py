"""Hints on a board: the marks that each step draws, and their signs at numbers and moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import cycle

from duelbox.solve.api import Analysis, Mark

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COMPARE, NOTE, AXIS = "?", "!", "|"


def signs_of_hint(shown: Iterable[Mark]) -> dict[str, str]:
    """The few signs of a hint at each number or move: partners share a letter, a route shows its totals."""
    signs: dict[str, str] = {}
    shown = tuple(shown)

    def add(move: str, sign: str) -> None:
        number = move.lstrip("+-")
        signs[number] = f"{signs[number]} {sign}" if number in signs else sign

    for mark in shown:
        if mark.kind == "region":
            signs |= dict.fromkeys(mark.moves, COMPARE)
        elif mark.kind in ("border", "beats"):
            signs |= {str(number): NOTE for number in mark.numbers}
        elif mark.kind == "route":
            for move, total in zip(mark.moves, mark.numbers, strict=True):
                add(move, str(total))
        else:
            if mark.kind == "mirror":
                signs |= {str(number): AXIS for number in mark.numbers}
            if not partners(mark) and len(shown) == 1:  # an answer to many moves would collect their letters
                signs |= {answer.lstrip("+-"): NOTE for answer, count in _answers(mark).items() if count > 1}
            pairs = dict.fromkeys(tuple(sorted(pair)) for pair in partners(mark))  # each pair once, in either order
            for letter, pair in zip(cycle(_LETTERS), pairs, strict=False):
                for move in pair:
                    add(move, letter + move[: not move[0].isdigit()])
    return signs


def _answers(mark: Mark) -> Counter[str]:
    """The number of moves that each answer is for."""
    return Counter(answer for _, answer in mark.pairs)


def partners(mark: Mark) -> tuple[tuple[str, str], ...]:
    """The pairs of a mark; none if a move is the answer to several others, as that is no pairing."""
    return mark.pairs if mark.pairs and max(_answers(mark).values()) == 1 else ()


def hint_marks(analysis: Analysis, step: int) -> tuple[Mark, ...]:
    """The marks of a hint: step 1 draws none, step 2 the moves to compare and the idea, step 3 the idea alone."""
    return tuple(mark for mark in analysis.shown if step > 1 and (mark.kind != "region" or step == 2))
