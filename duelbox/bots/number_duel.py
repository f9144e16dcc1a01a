"""Computers for Number Duel: all that they know is what everybody knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from duelbox.bots.api import Choice
from duelbox.bots.sight import cast
from duelbox.core.model import other
from duelbox.core.rng import Rng
from duelbox.games.number_duel import GAME
from duelbox.games.number_duel.rules import Strike, View
from duelbox.solve import analyse
from duelbox.solve.api import Stop

LEVELS = cast(
    "Charges with the biggest number it has.",
    "Likes to win the duel at hand, with the smallest number that will do.",
    "Counts what an attack costs and what it brings.",
    "Counts, and thinks of your answer.",
    "Knows the odds of everything that is still hidden.",
)

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """What everybody knows of a hand: the numbers left, and which of them lie open."""

    left: Numbers
    known: Numbers

    @property
    def hidden(self) -> Numbers:
        """What a face-down card can be."""
        return tuple(number for number in self.left if number not in self.known)

    def without(self, number: int) -> Hand:
        """The hand when a number has gone."""
        return Hand(_cut(self.left, number), _cut(self.known, number))

    def showing(self, number: int) -> Hand:
        """The hand when a number lies open."""
        return Hand(self.left, (*_cut(self.known, number), number))


def _cut(numbers: Numbers, number: int) -> Numbers:
    return tuple(one for one in numbers if one != number)


def _clash(mine: Hand, theirs: Hand, attacker: int, defender: int, stay: bool) -> tuple[Hand, Hand, int]:
    """Both hands after an attack, and what it brought: what they lost less what it cost."""
    kept = attacker > defender and stay
    brought = (defender if attacker >= defender else 0) - (0 if kept else attacker)
    after = mine.showing(attacker) if kept else mine.without(attacker)
    return after, theirs.without(defender) if attacker >= defender else theirs.showing(defender), brought


def _attack(mine: Hand, theirs: Hand, attacker: int, met: Numbers, stay: bool, deep: bool) -> Fraction:
    """What an attack brings on average; thinking deep, less what the best answer to it brings."""
    total = Fraction(0)
    for defender in met:
        left, rest, brought = _clash(mine, theirs, attacker, defender, stay)
        answer = _best(rest, left, stay) if deep and left.left and rest.left else Fraction(0)
        # Who has none left has lost: nothing weighs more.
        end = 100 * (bool(left.left) - bool(rest.left))
        total += brought + end - answer
    return total / len(met)


def _best(mine: Hand, theirs: Hand, stay: bool) -> Fraction:
    targets = [(number,) for number in theirs.known] + ([theirs.hidden] if theirs.hidden else [])
    return max(_attack(mine, theirs, number, met, stay, False) for number in mine.left for met in targets)


def _beats(attacker: int, met: Numbers) -> Fraction:
    """The chance to win this duel, then the smaller number."""
    return Fraction(sum(attacker > number for number in met), len(met)) - Fraction(attacker, 1000)


Liking = Callable[[Hand, Hand, int, Numbers, bool], Fraction]

_LIKINGS: dict[str, tuple[Liking, str]] = {
    "dash": (lambda mine, theirs, number, met, stay: Fraction(number), "it is the biggest I have"),
    "peek": (lambda mine, theirs, number, met, stay: _beats(number, met), "it is the likeliest to win this duel"),
    "counter": (
        lambda mine, theirs, number, met, stay: _attack(mine, theirs, number, met, stay, False),
        "it brings the most for what it costs",
    ),
    "planner": (
        lambda mine, theirs, number, met, stay: _attack(mine, theirs, number, met, stay, True),
        "it brings the most, even after your best answer",
    ),
}


def choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    """The move of this level."""
    rng = Rng(seed)
    if view.arranging:
        order = rng.shuffled(range(1, view.hand + 1))
        return Choice("".join(map(str, order)), "You cannot foresee it, and that is all an order can do.")
    if level == "oracle":
        return _oracle(view, rng, stop)
    moves = [move for move in GAME.legal_moves(view) if isinstance(move, Strike)]
    if level == "dash":
        return _liked(view, level, [move for move in moves if move.position == 1], rng)
    analysis = analyse(GAME, view, stop)
    sure = [one.move for one in analysis.moves if one.verdict == "win" and one.plies == 1]
    if sure:
        return Choice(rng.choice(sure), "It wins on the spot.")
    lost = {one.move for one in analysis.moves if one.verdict == "loss"}
    return _liked(view, level, [move for move in moves if GAME.format_move(move) not in lost] or moves, rng)


def _liked(view: View, level: str, moves: list[Strike], rng: Rng) -> Choice:
    liking, words = _LIKINGS[level]
    assert view.turn is not None
    rival = other(view.turn)
    mine, theirs = (
        Hand(view.left(seat), tuple(number for number in view.faces[seat] if number is not None))
        for seat in (view.turn, rival)
    )
    faces = view.faces[rival]
    worth: dict[tuple[int, Numbers], Fraction] = {}
    scored = []
    for move in moves:
        face = faces[move.position - 1]
        met = theirs.hidden if face is None else (face,)
        if (move.number, met) not in worth:
            worth[move.number, met] = liking(mine, theirs, move.number, met, view.victors_stay)
        scored.append((worth[move.number, met], GAME.format_move(move)))
    best = max(score for score, _ in scored)
    return Choice(rng.choice([text for score, text in scored if score == best]), f"I like it: {words}.")


def _oracle(view: View, rng: Rng, stop: Stop) -> Choice:
    analysis = analyse(GAME, view, stop)
    top = analysis.moves[0]
    best = [one.move for one in analysis.moves if (one.value, one.win) == (top.value, top.win)]
    return Choice(rng.choice(best), analysis.reason)
