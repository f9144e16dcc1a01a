"""The strength of a player at puzzles (Glicko-2), and the puzzles and computers that are as strong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log, pi, sqrt

from duelbox.core.rng import Rng
from duelbox.learn.puzzle_results import PuzzleResult, first_results
from duelbox.learn.puzzles import GRADES

SCALE, TAU = 173.7178, 0.5
"""Two constants of Glicko-2; `TAU` limits how fast the volatility changes."""
GRADE_RATING, GRADE_STEP, GRADE_DEVIATION = 1100, 200, 60
PRECISION = 1e-6


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating, its deviation, and the volatility of the player."""

    rating: float = 1400.0
    deviation: float = 350.0
    volatility: float = 0.06

    def after(self, grade: int, score: float) -> Strength:
        """The strength after one more puzzle, or game with a level (Glicko-2 with rating periods of one game)."""
        mu, phi = (self.rating - 1500) / SCALE, self.deviation / SCALE
        other_mu, other_phi = (rating_of(grade) - 1500) / SCALE, GRADE_DEVIATION / SCALE
        g = 1 / sqrt(1 + 3 * other_phi**2 / pi**2)
        expected = 1 / (1 + exp(-g * (mu - other_mu)))
        variance = 1 / (g**2 * expected * (1 - expected))
        gain = g * (score - expected)
        sigma = _new_volatility(self.volatility, variance * gain, phi, variance)
        spread = sqrt(phi**2 + sigma**2)
        new_phi = 1 / sqrt(1 / spread**2 + 1 / variance)
        return Strength((mu + new_phi**2 * gain) * SCALE + 1500, new_phi * SCALE, sigma)


def _new_volatility(sigma: float, delta: float, phi: float, variance: float) -> float:
    """The new volatility: a zero of Glicko-2's function `f`, found by the Illinois method as Glickman describes."""
    a = log(sigma**2)

    def f(x: float) -> float:
        rest = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - rest) / (2 * rest**2) - (x - a) / TAU**2

    low, k = a, 1
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)


def rating_of(grade: int) -> int:
    """The rating of puzzles of a grade, or of the level of the computer with that number."""
    return GRADE_RATING + GRADE_STEP * (grade - 1)


def strength_of(results: Iterable[PuzzleResult]) -> Strength:
    """The strength after these results, in their order."""
    strength = Strength()
    for one in results:
        strength = strength.after(one.grade, one.solved)
    return strength


def level_near(strength: Strength, most: int, seed: int) -> int:
    """One of the two levels next to a strength, from 1, drawn so that they are as strong on average."""
    at = min(max((strength.rating - rating_of(1)) / GRADE_STEP, 0), most - 1)
    low = min(int(at), most - 2)
    return 1 + low + (Rng(seed).below(1000) < (at - low) * 1000)


def grade_near(strength: Strength) -> int:
    """The grade closest to a strength."""
    return min(GRADES, key=lambda grade: abs(rating_of(grade) - strength.rating))


def strength_sentence(results: Iterable[tuple[str, PuzzleResult]]) -> str:
    """A player's strength, with the range it is likely to be in."""
    strength = strength_of(first_results(results).values())
    least, most = (strength.rating + sign * 2 * strength.deviation for sign in (-1, 1))
    return f"Your strength: about {strength.rating:.0f}, from {least:.0f} to {most:.0f}."
