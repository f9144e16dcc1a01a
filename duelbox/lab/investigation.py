"""An investigation of a map: its cells are opened one by one, and a conjecture about them is tested on closed ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import Field, ValidationError

from duelbox.core.model import Model, listed
from duelbox.core.options import written
from duelbox.core.rng import Rng
from duelbox.lab.house_rules import HouseRule
from duelbox.lab.laws import Pattern, Proof, Who, proof_of
from duelbox.lab.map import Map

KIND = "investigation"
"""The kind of the marks of progress that keep it."""
TESTS = 5
"""The closed cells that a conjecture is tested on at a time."""
When = Literal["always", "odd", "even", "multiples of 3", "multiples of 4", "multiples of 5"]
Scope = Literal["this row", "this column", "all"]
Player = Literal["first", "second"]
PLAYERS: tuple[Player, ...] = get_args(Player)
WHENS: tuple[When, ...] = get_args(When)
SCOPES: tuple[Scope, ...] = get_args(Scope)
PERIODS: dict[When, int] = {
    "always": 1,
    "odd": 2,
    "even": 2,
    "multiples of 3": 3,
    "multiples of 4": 4,
    "multiples of 5": 5,
}
Cell = tuple[int, int]
"""The column and the row of a cell."""


class Conjecture(Model):
    """A claim about who wins: this player at some values, the other one at all others."""

    who: Player = "first"
    when: When = "always"
    start: int | None = None
    """The first value that it speaks of; None for all."""

    def says(self, value: int) -> Who | None:
        """The winner at a value; None below its first."""
        if self.start is not None and value < self.start:
            return None
        rest = value % PERIODS[self.when]
        if self.when == "odd":
            rest -= 1
        if rest == 0:
            return self.who
        if self.who == "first":
            return "second"
        return "first"

    def pattern(self, values: Iterable[int]) -> Pattern:
        """The same as a pattern of the values that it speaks of."""
        period = PERIODS[self.when]
        spoken_of = [value for value in values if self.says(value) is not None]
        who = {value % period: winner for value in range(period, 2 * period) if (winner := self._at(value))}
        return Pattern(min(spoken_of), max(spoken_of), period, who)

    def _at(self, value: int) -> Who | None:
        return self.changed(start=None).says(value)

    def sentence(self, label: str) -> str:
        """The conjecture in words: "numbers in all: first wins when even, from 6 on"."""
        when = f"when {self.when}"
        if self.when == "always":
            when = "always"
        start = ""
        if self.start is not None:
            start = f", from {self.start} on"
        return f"{label.lower()}: {self.who} wins {when}{start}"


class Notes(Model):
    """Everything that a player has found out on a map; cells are named by their values, "12/1"."""

    opened: tuple[str, ...] = ()
    tested: tuple[str, ...] = ()
    """The cells that a conjecture was tested on and was right about."""
    conjectures: dict[str, Conjecture] = Field(default_factory=dict)
    """By the row or column that each is about, "/1" or "12/", or "all"."""
    picks: dict[str, str] = Field(default_factory=dict)
    """The first picks that the player found, by cell."""


@dataclass(frozen=True, slots=True)
class Investigation:
    """A map with the notes on it; the cursor of the map chooses the row, the column and the cell."""

    map: Map
    notes: Notes
    scope: Scope = "this row"

    @property
    def key(self) -> str:
        """The name of the map, under which the notes are kept."""
        fixed = [f"{one.key}={written(self.map.values[one.key])}" for one in self.map.fixed]
        return " ".join([self.map.game.INFO.id, self.map.x.key, self.map.y.key, *fixed])

    @property
    def about(self) -> str:
        """The name of what the conjecture is about."""
        across, down = self.named(self.map.at).split("/")
        if self.scope == "all":
            return "all"
        if self.scope == "this column":
            return f"{across}/"
        return f"/{down}"

    @property
    def conjecture(self) -> Conjecture | None:
        """The conjecture about the row or column of the cursor, or about all."""
        return self.notes.conjectures.get(self.about)

    @property
    def axis(self) -> HouseRule:
        """The house rule whose values are in the row."""
        if self.scope == "this column":
            return self.map.y
        return self.map.x

    @property
    def other(self) -> HouseRule:
        """The axis of the map that stays the same in the row."""
        if self.scope == "this column":
            return self.map.x
        return self.map.y

    def shown(self, cell: Cell) -> str:
        """The value of a cell in its row."""
        across, down = self.named(cell).split("/")
        if self.scope == "this column":
            return down
        return across

    @property
    def label(self) -> str:
        """The name of the values that it speaks of."""
        if self.scope == "this column":
            return self.map.y.label
        if self.scope == "all" and self._both:
            return f"{self.map.x.label} and {self.map.y.label.lower()} together"
        return self.map.x.label

    @property
    def _both(self) -> bool:
        return all(type(value) is int for value in self.map.y.values)

    def named(self, cell: Cell) -> str:
        """The values of a cell."""
        column, row = cell
        return f"{written(self.map.x.values[column])}/{written(self.map.y.values[row])}"

    def value(self, cell: Cell) -> int:
        """The value of a cell that the conjecture speaks of."""
        column, row = cell
        across, down = self.map.x.values[column], self.map.y.values[row]
        if self.scope == "this column":
            return int(down)
        if self.scope == "all" and self._both:
            return int(across) + int(down)
        return int(across)

    def line(self) -> list[Cell]:
        """The cells of the row of the cursor, or of its column."""
        wide, high = self.map.size
        column, row = self.map.at
        if self.scope == "this column":
            return self._allowed((column, at) for at in range(high))
        return self._allowed((at, row) for at in range(wide))

    def cells(self) -> list[Cell]:
        """All cells that the conjecture is about."""
        wide, high = self.map.size
        if self.scope == "all":
            return self._allowed((column, row) for row in range(high) for column in range(wide))
        return self.line()

    def _allowed(self, cells: Iterable[Cell]) -> list[Cell]:
        """Those whose rules go together, and whose values can be counted."""
        return [cell for cell in cells if self.map.setting(*cell) is not None and self._counted(cell)]

    def _counted(self, cell: Cell) -> bool:
        column, row = cell
        if self.scope == "this column":
            return type(self.map.y.values[row]) is int
        return type(self.map.x.values[column]) is int

    def is_open(self, cell: Cell) -> bool:
        """The winner of a cell is shown."""
        return self.named(cell) in self.notes.opened

    def to_test(self) -> list[Cell]:
        """The closed cells that a test opens; the same ones until another is opened."""
        closed = [cell for cell in self.cells() if not self.is_open(cell) and self.says(cell)]
        drawn = Rng(len(self.notes.opened)).shuffled(closed)[:TESTS]
        return sorted(drawn, key=self.value)

    def says(self, cell: Cell) -> Who | None:
        """The winner of a cell by the conjecture; None if it does not speak of it."""
        if self.conjecture is None or not self._is_about(cell):
            return None
        return self.conjecture.says(self.value(cell))

    def _is_about(self, cell: Cell) -> bool:
        along = 1
        if self.scope == "this column":
            along = 0
        return self._counted(cell) and (self.scope == "all" or cell[along] == self.map.at[along])

    def in_words(self, cells: Sequence[Cell]) -> str:
        """The values of cells in words."""
        if self.scope == "all":
            return listed([self.named(cell).replace("/", " with ") for cell in cells])
        return listed([self.shown(cell) for cell in cells])

    def breaks(self, cell: Cell, winner: Who | None) -> bool:
        """The conjecture is wrong about this cell."""
        said = self.says(cell)
        return said is not None and said != winner

    def proof(self) -> Proof | None:
        """The proof of the conjecture for every value, if the game has one."""
        if self.conjecture is None or self.scope != "this row":
            return None
        values = [self.value(cell) for cell in self.line()]
        fixed = {one.key: self.map.values[one.key] for one in (self.map.y, *self.map.fixed)}
        return proof_of(self.map.game, self.map.x.key, fixed, self.conjecture.pattern(values))

    # -- changes

    def choosing(self, knob: int, at: int) -> Investigation:
        """The same with another value of a line of the conjecture: who wins, when, from where on, for which cells."""
        conjecture = self.conjecture or Conjecture()
        if knob == 0:
            return self.claiming(conjecture.changed(who=PLAYERS[at % len(PLAYERS)]))
        if knob == 1:
            return self.claiming(conjecture.changed(when=WHENS[at % len(WHENS)]))
        if knob == 2:
            starts = self._starts()
            return self.claiming(conjecture.changed(start=starts[at % len(starts)]))
        other = self.at(self.map, SCOPES[at % len(SCOPES)])
        if other.conjecture is None:
            return other.claiming(conjecture.changed(start=None))
        return other

    def turning(self, knob: int, by: int) -> Investigation:
        """The same with the next value of a line of the conjecture."""
        conjecture = self.conjecture or Conjecture()
        lines: tuple[tuple[Sequence[object], object], ...] = (
            (PLAYERS, conjecture.who),
            (WHENS, conjecture.when),
            (self._starts(), conjecture.start),
            (SCOPES, self.scope),
        )
        values, now = lines[knob]
        at = 0
        if now in values:
            at = values.index(now)
        return self.choosing(knob, at + by)

    def _starts(self) -> list[int | None]:
        """The first values that a conjecture may have, None for all of them first."""
        return [None, *sorted({self.value(cell) for cell in self.cells()})]

    def opening(self, *cells: Cell, tested: bool = False) -> Investigation:
        """The same with more cells open."""
        named = [self.named(cell) for cell in cells]
        notes = self.notes.changed(opened=tuple(dict.fromkeys((*self.notes.opened, *named))))
        if tested:
            notes = notes.changed(tested=tuple(dict.fromkeys((*notes.tested, *named))))
        return self.noting(notes)

    def claiming(self, conjecture: Conjecture) -> Investigation:
        """The same with another conjecture; what an earlier one was tested on is open, and no test any more."""
        about = {self.named(cell) for cell in self.cells()}
        tested = tuple(name for name in self.notes.tested if name not in about)
        conjectures = {**self.notes.conjectures, self.about: conjecture}
        return self.noting(self.notes.changed(conjectures=conjectures, tested=tested))

    def moved(self, along: int, across: int) -> Investigation:
        """The same with the cursor elsewhere in its row, or in another row; after the last comes the first."""
        line = self.line()
        column, row = self.map.at
        if along and self.map.at in line:
            at = line.index(self.map.at) + along
            return self.at(self.map.put(*line[max(0, min(len(line) - 1, at))]))
        wide, high = self.map.size
        if self.scope == "this column":
            return self.at(self.map.put((column + across) % wide, row))
        return self.at(self.map.put(column, (row + across) % high))

    def noting(self, notes: Notes) -> Investigation:
        """The same with other notes."""
        return Investigation(self.map, notes, self.scope)

    def at(self, map_: Map, scope: Scope | None = None) -> Investigation:
        """The same with the cursor elsewhere, or with a conjecture about something else."""
        return Investigation(map_, self.notes, scope or self.scope)


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


def place_in_words(place: int, count: int) -> str:
    """The place of a first pick in words."""
    if 2 * place == count + 1:
        return f"number {place} of {count}: the middle"
    return f"number {place} of {count}"
