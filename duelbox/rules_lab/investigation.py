"""An investigation of a map: its cells are opened one by one, and a conjecture about them is tested on closed ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field, ValidationError

from duelbox.core.model import Model, listed
from duelbox.core.options import Options, written
from duelbox.core.rng import Rng
from duelbox.rules_lab.laws import Pattern, Proof, Who, proof_of
from duelbox.rules_lab.map import Map

KIND = "investigation"
"""The kind of the marks of progress that keep it."""
TESTS = 5
"""The closed cells that a conjecture is tested on at a time."""
When = Literal["always", "odd", "even", "multiples of 3", "multiples of 4", "multiples of 5"]
PERIODS: dict[When, int] = {
    "always": 1,
    "odd": 2,
    "even": 2,
    "multiples of 3": 3,
    "multiples of 4": 4,
    "multiples of 5": 5,
}
Claim = Literal["first", "second", "draw", "first or draw", "second or draw"]
CLAIMS: dict[Claim, tuple[Who, Who | None]] = {
    "first": ("first", "second"),
    "second": ("second", "first"),
    "draw": ("draw", None),
    "first or draw": ("first", "draw"),
    "second or draw": ("second", "draw"),
}
"""The result at the values that a claim names, and at all others."""


class Conjecture(Model):
    """A claim about who wins at some values, and at all others."""

    who: Claim = "first"
    when: When = "always"
    start: int | None = None
    """The first value that it speaks of; None for all."""

    def says(self, value: int) -> Who | None:
        """The winner at a value; None where it says nothing."""
        if self.start is not None and value < self.start:
            return None
        rest = value % PERIODS[self.when]
        if self.when == "odd":
            rest -= 1
        here, elsewhere = CLAIMS[self.who]
        if rest == 0:
            return here
        return elsewhere

    def pattern(self, values: Iterable[int]) -> Pattern:
        """The same as a pattern of the values that it speaks of."""
        spoken_of = [value for value in values if self.start is None or value >= self.start]
        period = PERIODS[self.when]
        everywhere = self.changed(start=None)
        who = {rest: winner for rest in range(period) if (winner := everywhere.says(rest))}
        return Pattern(min(spoken_of), max(spoken_of), period, who)


class Notes(Model):
    """Everything that a player has found out on a map; cells are named by their values, "gaps=1 size=12"."""

    opened: tuple[str, ...] = ()
    tested: tuple[str, ...] = ()
    """The cells that a conjecture was tested on and was right about."""
    conjectures: dict[str, Conjecture] = Field(default_factory=dict)
    """By the row that each is about, "gaps=1", or "all"."""
    picks: dict[str, str] = Field(default_factory=dict)
    """The first picks that the player found, by cell."""


@dataclass(frozen=True, slots=True)
class Investigation:
    """A map with the notes on it; the cursor of the map chooses the row and the cell."""

    map: Map
    notes: Notes = Notes()  # noqa: RUF009 - frozen
    whole: bool = False
    """The conjecture is about the whole map, where the values of columns and rows are added."""

    @property
    def key(self) -> str:
        """The name of the map, under which the notes are kept."""
        fixed = [f"{one.key}={written(self.map.values[one.key])}" for one in self.map.fixed]
        return " ".join([self.map.game.INFO.id, *sorted([self.map.x.key, self.map.y.key]), *fixed])

    @property
    def about(self) -> str:
        """The name of what the conjecture is about."""
        if self.whole:
            return "all"
        return f"{self.map.y.key}={written(self.map.values.get(self.map.y.key))}"

    @property
    def conjecture(self) -> Conjecture | None:
        """The conjecture about the row of the cursor, or about all."""
        return self.notes.conjectures.get(self.about)

    @property
    def here(self) -> Options | None:
        """The cell under the cursor."""
        return self.map.setting(*self.map.at)

    @property
    def counts_down(self) -> bool:
        """The values of the rows are numbers, too."""
        return all(type(value) is int for value in self.map.y.values)

    def _keys(self) -> list[str]:
        return sorted(filter(None, [self.map.x.key, self.map.y.key]))

    def named(self, cell: Options) -> str:
        """The values of a cell."""
        return " ".join(f"{key}={written(getattr(cell, key))}" for key in self._keys())

    def shown(self, cell: Options) -> str:
        """The value of a cell in its row."""
        return written(getattr(cell, self.map.x.key))

    def in_words(self, cells: Sequence[Options]) -> str:
        """The values of cells in words."""
        names = [self.shown(cell) for cell in cells]
        if self.whole:
            down = self.map.y
            rows = [written(getattr(cell, down.key)) for cell in cells]
            names = [f"{name} with {down.label.lower()} {row}" for name, row in zip(names, rows, strict=True)]
        return listed(names)

    def value(self, cell: Options) -> int:
        """The value of a cell that the conjecture speaks of."""
        across: int = getattr(cell, self.map.x.key)
        if self.whole and self.counts_down:
            return across + int(getattr(cell, self.map.y.key))
        return across

    def row(self, at: int | None = None) -> list[Options]:
        """The cells of a row, by default that of the cursor, whose rules go together and whose values are numbers."""
        if at is None:
            at = self.map.at[1]
        numbers = [column for column, value in enumerate(self.map.x.values) if type(value) is int]
        return [cell for column in numbers if (cell := self.map.setting(column, at)) is not None]

    def cells(self) -> list[Options]:
        """All cells that the conjecture is about."""
        if self.whole:
            return self.everything()
        return self.row()

    def everything(self) -> list[Options]:
        """All cells of the map."""
        return [cell for at in range(self.map.size[1]) for cell in self.row(at)]

    def is_open(self, cell: Options) -> bool:
        """The winner of a cell is shown."""
        return self.named(cell) in self.notes.opened

    def says(self, cell: Options) -> Who | None:
        """The winner of a cell by the conjecture; None if it does not speak of it."""
        other_row = (
            not self.whole and self.map.y.key and getattr(cell, self.map.y.key) != self.map.values[self.map.y.key]
        )
        if self.conjecture is None or other_row:
            return None
        return self.conjecture.says(self.value(cell))

    def breaks(self, cell: Options, winner: Who | None) -> bool:
        """The conjecture is wrong about this cell."""
        said = self.says(cell)
        return said is not None and said != winner

    def to_test(self) -> list[Options]:
        """The closed cells that a test opens; the same ones until another is opened."""
        closed = [cell for cell in self.cells() if not self.is_open(cell) and self.says(cell)]
        drawn = Rng(len(self.notes.opened)).shuffled(closed)[:TESTS]
        return sorted(drawn, key=self.value)

    def tested(self) -> int:
        """The number of its cells that the conjecture was tested on and was right about."""
        return sum(self.named(cell) in self.notes.tested for cell in self.cells())

    def proof(self) -> Proof | None:
        """The proof of the conjecture for every value, if the game has one."""
        if self.conjecture is None or self.whole:
            return None
        pattern = self.conjecture.pattern(map(self.value, self.row()))
        return proof_of(self.map.game, self.map.x.key, self.map.values, pattern)

    # -- changes

    def lines(self) -> tuple[tuple[Sequence[Any], Any], ...]:
        """The lines of the conjecture, each with all its values and the chosen one: who wins, when, from which value
        on, and along which rule, or all of the map."""
        conjecture = self.conjecture or Conjecture()
        along: list[str] = [self.map.x.label]
        if self.counts_down:
            along += [self.map.y.label, "all"]
        chosen = along[0]
        if self.whole:
            chosen = "all"
        starts = [None, *sorted({self.value(cell) for cell in self.cells()})]
        claims = [*CLAIMS]
        if not self.map.game.INFO.may_be_drawn:
            claims = claims[:2]
        return (claims, conjecture.who), ([*PERIODS], conjecture.when), (starts, conjecture.start), (along, chosen)

    def choosing(self, line: int, at: int) -> Investigation:
        """The same with another value of a line of the conjecture."""
        values, _ = self.lines()[line]
        value = values[at % len(values)]
        if line < len(FIELDS):
            return self.claiming((self.conjecture or Conjecture()).changed(**{FIELDS[line]: value}))
        map_ = self.map
        if value == self.map.y.label:
            map_ = replace(map_, x=map_.y, y=map_.x, cells={})
        other = replace(self, map=map_, whole=value == "all")
        if other.conjecture is None:
            return other.claiming(Conjecture())
        return other

    def turning(self, line: int, by: int) -> Investigation:
        """The same with the next value of a line of the conjecture."""
        values, chosen = self.lines()[line]
        at = 0
        if chosen in values:
            at = values.index(chosen)
        return self.choosing(line, at + by)

    def opening(self, *cells: Options, tested: bool = False) -> Investigation:
        """The same with more cells open."""
        named = [self.named(cell) for cell in cells]
        notes = self.notes.changed(opened=tuple(dict.fromkeys((*self.notes.opened, *named))))
        if tested:
            notes = notes.changed(tested=tuple(dict.fromkeys((*notes.tested, *named))))
        return replace(self, notes=notes)

    def claiming(self, conjecture: Conjecture) -> Investigation:
        """The same with another conjecture; what an earlier one was tested on is open, and no test any more."""
        about = {self.named(cell) for cell in self.cells()}
        tested = tuple(name for name in self.notes.tested if name not in about)
        conjectures = {**self.notes.conjectures, self.about: conjecture}
        return replace(self, notes=self.notes.changed(conjectures=conjectures, tested=tested))

    def noting_pick(self, pick: str) -> Investigation:
        """The same with the first pick of the cell under the cursor."""
        assert self.here is not None
        return replace(self, notes=self.notes.changed(picks={**self.notes.picks, self.named(self.here): pick}))

    def at(self, cell: Options) -> Investigation:
        """The same with the cursor on this cell."""
        return replace(self, map=replace(self.map, values={**self.map.values, **_axes(self.map, cell)}))

    def moved(self, along: int, across: int) -> Investigation:
        """The same with the cursor elsewhere in its row, or in another row; after the last comes the first."""
        row, (column, high) = self.row(), self.map.at
        if across:
            return replace(self, map=self.map.put(column, (high + across) % self.map.size[1]))
        if self.here not in row:
            return replace(self, map=self.map.put(column + along, high))
        return self.at(row[max(0, min(len(row) - 1, row.index(self.here) + along))])


FIELDS = ("who", "when", "start")
"""The lines of the conjecture that it keeps itself."""


def _axes(map_: Map, cell: Options) -> dict[str, Any]:
    return {key: getattr(cell, key) for key in (map_.x.key, map_.y.key) if key}


def read_notes(value: object) -> Notes:
    """The notes in a mark of progress; empty ones from a mark that makes no sense."""
    try:
        return Notes.model_validate_json(json.dumps(value))
    except (ValidationError, TypeError):
        return Notes()


def place_of(move: str, moves: Iterable[str]) -> tuple[int, int] | None:
    """The place of a number among others, and their count, in the order that begins behind the only gap; None if moves
    are no numbers."""
    every = [*moves]
    if move not in every or not all(one.isdecimal() for one in every):
        return None
    numbers = sorted(map(int, every))
    gaps = [number for number in range(numbers[0], numbers[-1]) if number not in numbers]
    if len(gaps) == 1:
        numbers.sort(key=lambda number: (number < gaps[0], number))
    return numbers.index(int(move)) + 1, len(numbers)


def is_middle(place: int, count: int) -> bool:
    """As many numbers are before this place as behind it."""
    return 2 * place == count + 1


def pick_in_words(move: str, moves: Iterable[str], winning: int) -> tuple[str, str]:
    """A short name and a sentence for a first pick that wins, as `winning` of all moves do."""
    pick, said = move, f"{move} wins."
    if winning > 1:
        said = f"{move} wins: it is one of {winning} that do."
    place = place_of(move, moves)
    if place is not None:
        pick = str(place[0])
        said += f" It is number {place[0]} of {place[1]}, counted from the gap if there is one."
    if place is not None and is_middle(*place):
        pick = "mid"
        said += " That is the middle."
    return pick, said
