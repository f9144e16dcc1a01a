"""What a player has done with a puzzle, a strength (Glicko-2), and a result to share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

from pydantic import Field

from duelbox.core.model import Model
from duelbox.core.rng import Rng
from duelbox.learn.puzzles import GRADES, Puzzle, Solving

KIND = "puzzle"  # what a kept attempt is called in the progress
SCALE, TAU = 173.7178, 0.5  # Glicko-2's scale, and how much a player's steadiness may change
GRADE_RATING, GRADE_STEP, GRADE_DEVIATION = 1100, 200, 60
STEADY = 1e-6


class Attempt(Model):
    """A puzzle that was worked on to its end."""

    grade: int = Field(ge=1, le=5)
    at_once: tuple[bool, ...]
    """For each right move of the line whether it was found at once, without help."""
    tries: tuple[bool, ...] = ()
    """For each try whether it was right."""
    hints: int = 0
    shown: bool = False
    seconds: int = 0
    day: str = ""
    """The day whose puzzle it was, if it was one."""

    @property
    def solved(self) -> bool:
        """Whether it counts as solved: all was found at once, without help."""
        return all(self.at_once) and not self.hints and not self.shown


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating, how sure it is, and how steady the player."""

    rating: float = 1400.0
    deviation: float = 350.0
    volatility: float = 0.06

    def after(self, grade: int, score: float) -> Strength:
        """The strength after one more puzzle, or game with a level (Glickman 2012, a rating period of one game)."""
        mu, phi = (self.rating - 1500) / SCALE, self.deviation / SCALE
        other_mu, other_phi = (rating_of(grade) - 1500) / SCALE, GRADE_DEVIATION / SCALE
        g = 1 / sqrt(1 + 3 * other_phi**2 / pi**2)
        expected = 1 / (1 + exp(-g * (mu - other_mu)))
        variance = 1 / (g**2 * expected * (1 - expected))
        gain = g * (score - expected)
        sigma = _steadied(self.volatility, variance * gain, phi, variance)
        spread = sqrt(phi**2 + sigma**2)
        new_phi = 1 / sqrt(1 / spread**2 + 1 / variance)
        return Strength((mu + new_phi**2 * gain) * SCALE + 1500, new_phi * SCALE, sigma)


def _steadied(sigma: float, delta: float, phi: float, variance: float) -> float:
    """The new volatility: the zero of Glicko-2's function, by its own iteration."""
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
    while abs(high - low) > STEADY:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)


def rating_of(grade: int) -> int:
    """The rating of a puzzle's grade, or of a level of the computer."""
    return GRADE_RATING + GRADE_STEP * (grade - 1)


def strength_of(attempts: Iterable[Attempt]) -> Strength:
    """The strength after these attempts, in their order."""
    strength = Strength()
    for one in attempts:
        strength = strength.after(one.grade, one.solved)
    return strength


def level_near(strength: Strength, most: int, seed: int) -> int:
    """The level of a game, from 1: one of the two beside a strength, drawn so that their mean is as strong."""
    at = min(max((strength.rating - rating_of(1)) / GRADE_STEP, 0), most - 1)
    low = min(int(at), most - 2)
    return 1 + low + (Rng(seed).below(1000) < (at - low) * 1000)


def near(strength: Strength) -> int:
    """The grade that fits a strength best."""
    return min(GRADES, key=lambda grade: abs(rating_of(grade) - strength.rating))


def next_of(puzzles: Sequence[Puzzle], tried: Sequence[str], grade: int, seed: int) -> Puzzle | None:
    """One that was not tried yet, as near to this grade as there is; None where all were tried."""
    left = [one for one in puzzles if one.code not in set(tried)]
    closest = min((abs(one.grade - grade) for one in left), default=0)
    return Rng(seed).choice([one for one in left if abs(one.grade - grade) == closest]) if left else None


def attempt_of(solving: Solving, seconds: float, day: str = "") -> Attempt:
    """What there is to keep of a puzzle that is done."""
    return Attempt(
        grade=solving.puzzle.grade,
        at_once=tuple(solving.at_once),
        tries=tuple(solving.tries),
        hints=solving.hints,
        shown=solving.shown,
        seconds=round(seconds),
        day=day,
    )


def shared(title: str, attempts: Sequence[Attempt], *, ascii_only: bool = False) -> str:
    """A result to share, which tells nothing of the answer: a sign for each try, or for each puzzle of several."""
    star, full, empty, dot = ("*", "#", "-", "-") if ascii_only else ("★", "■", "□", "·")
    first, *more = attempts
    found = [one.solved for one in attempts] if more else list(first.at_once)
    parts = [f"{sum(found)}/{len(found)} at once"]
    if hints := sum(one.hints for one in attempts):
        parts.append(f"{hints} hint{'' if hints == 1 else 's'}")
    if any(one.shown for one in attempts):
        parts.append("answer shown")
    seconds = sum(one.seconds for one in attempts)
    parts.append(f"{seconds // 60}:{seconds % 60:02}")
    blocks = "".join(full if one else empty for one in (found if more else first.tries or first.at_once))
    head = f"duelbox {first.day} {dot} " if first.day else "duelbox "
    grades = " ".join(star * one.grade for one in attempts)
    return f"{head}{title} {grades}\n{blocks}  {f' {dot} '.join(parts)}"
