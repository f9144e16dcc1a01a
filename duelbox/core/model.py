"""The models that all games are made of, and the words for seats and numbers."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator

T = TypeVar("T")

Seat = Literal[0, 1]
SEATS: tuple[Seat, Seat] = (0, 1)
MOST_NAMED = 6
"""A sentence names at most this many numbers one by one."""


def other(seat: Seat) -> Seat:
    """The seat across the table."""
    return 0 if seat else 1


def with_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """The pair with this seat's item replaced."""
    return (pair[0], value) if seat else (value, pair[1])


class Model(BaseModel):
    """A frozen, strict pydantic model; its fields are hashable (tuples, never lists)."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    def changed(self, **fields: Any) -> Self:
        """A validated copy with these fields changed (`model_copy` would check neither names nor values)."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **fields})


class Outcome(Model):
    """The end of a game: the winner (None for a draw) and the reason in a sentence."""

    winner: Seat | None
    reason: str


class Position(Model):
    """The base of states and views: the seat to move, or the outcome."""

    turn: Seat | None
    outcome: Outcome | None = None

    @model_validator(mode="after")
    def _turn_or_outcome(self) -> Self:
        if (self.turn is None) == (self.outcome is None):
            raise ValueError("a position has either a turn or an outcome")
        return self

    @property
    def position_key(self) -> Hashable:
        """A value that is equal for positions with the same future, whatever was drawn or played before."""
        return tuple(value for name, value in self if name != "options")

    @property
    def mover(self) -> Seat:
        """The seat to move; only for a game that is not over."""
        assert self.turn is not None
        return self.turn

    @property
    def rival(self) -> Seat:
        """The seat that waits; only for a game that is not over."""
        return other(self.mover)


class Event(Model):
    """Something that everybody at the table may see; each game has its own kinds."""

    reveals: ClassVar[bool] = False
    """True if something hidden came to light, so that the move can't be undone."""

    seat: Seat

    @property
    def sentence(self) -> str:
        """The event as a sentence."""
        raise NotImplementedError


def player(seat: Seat) -> str:
    """ "Player 1" or "Player 2"; `named` replaces it by the name."""
    return f"Player {seat + 1}"


_PLAYER = re.compile(r"\bPlayer ([12])\b")


def named(sentence: str, names: Sequence[str]) -> str:
    """Replace "Player 1" and "Player 2" in a sentence by the players' names."""
    return _PLAYER.sub(lambda match: names[int(match[1]) - 1], sentence)


@dataclass(frozen=True, slots=True)
class Voice:
    """The players as a sentence calls them: by name, and "you" with verbs that agree."""

    names: tuple[str, str] = ("Player 1", "Player 2")
    you: Seat | None = None
    """The seat of the only reader; None if both players read the sentence, or neither."""

    def whom(self, seat: Seat) -> str:
        """The player: "you" or "Peek"."""
        return "you" if seat == self.you else self.names[seat]

    def whose(self, seat: Seat) -> str:
        """The possessive: "your" or "Peek's"."""
        return "your" if seat == self.you else f"{self.names[seat]}'s"

    def does(self, seat: Seat, third: str, own: str) -> str:
        """The player and a verb that agrees: "you claim" or "Peek claims"."""
        return f"{self.whom(seat)} {own if seat == self.you else third}"

    def sentence(self, text: str) -> str:
        """Make a sentence of these words: a capital letter for "You" and "Your", and a full stop."""
        return f"{'Y' + text[1:] if self.you is not None and text.startswith(('you ', 'your ')) else text}."


def some(numbers: Sequence[int]) -> str:
    """A few numbers one by one; of many only their count."""
    return listed(numbers) if len(numbers) <= MOST_NAMED else f"{len(numbers)} numbers"


def listed(numbers: Sequence[object], last: str = "and") -> str:
    """Join things in words: "2", "2 and 5", "2, 5 and 9"."""
    words = [str(number) for number in numbers]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def in_words(number: int) -> str:
    """A number up to ten as a word, a larger one in figures."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)


def ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers with runs of three and more shortened: "1-9, 11, 12, 14-20"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
