"""The parts of an investigation as text: a row with its winners and tests, the conjecture, a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from textwrap import wrap
from typing import Any, get_args

from textual.content import Content

from duelbox.core.options import written
from duelbox.lab.facts import Facts
from duelbox.lab.investigation import Cell, Conjecture, Investigation, Scope, When
from duelbox.lab.laws import Proof, who_wins
from duelbox.lab.map import figure
from duelbox.ui.glyphs import Glyphs

LABEL, CELL = 11, 4
"""The columns of the names of rows, and of a cell."""
KNOBS = ("Winner", "When", "From", "For")
"""The lines of the conjecture."""
PANEL = 6
"""The columns around the text of a panel."""
WHEN: dict[When, str] = {"multiples of 3": "3,6,9…", "multiples of 4": "4,8…", "multiples of 5": "5,10…"}
"""The short forms of long values."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An investigation, with the facts about its open cells, and the signs to draw it with."""

    found: Investigation
    facts: Mapping[Cell, Facts]
    glyphs: Glyphs

    def row(self, width: int) -> Content:
        """The row: its values, the winners of open cells, the conjecture, its tests, and the first picks found."""
        line, at = self.found.line(), self.found.map.at
        room = max(1, (width - LABEL) // CELL)
        first = 0
        if at in line:
            first = max(0, min(line.index(at) - room // 2, len(line) - room))
        shown = line[first : first + room]
        label = self.found.axis.label.split()
        rows: list[tuple[str, Callable[[Cell], tuple[str, str]]]] = [
            (label[-1].capitalize() if len(label) == 3 and label[0] != "Numbers" else label[0], self._value),
            ("Winner", self._winner),
            ("You said", self._claimed),
            ("Tested", self._tested),
            ("First pick", self._pick),
        ]
        return Content("\n").join(_cells(name, shown, drawn) for name, drawn in rows)

    def _value(self, cell: Cell) -> tuple[str, str]:
        style = "bold"
        if cell == self.found.map.at:
            style = "bold reverse"
        return self.found.shown(cell), style

    def _winner(self, cell: Cell) -> tuple[str, str]:
        if not self.found.is_open(cell):
            return "?", "$text-muted"
        if cell not in self.facts:
            return "…", "$text-muted"
        text = figure(self.facts[cell], "first", (*self.glyphs.seats, self.glyphs.draw))
        return text, self._of_seat(text)

    def _of_seat(self, sign: str) -> str:
        """The style of a player's sign, and of others."""
        if sign in self.glyphs.seats:
            return f"$seat-{self.glyphs.seats.index(sign)} bold"
        return "bold"

    def _claimed(self, cell: Cell) -> tuple[str, str]:
        said = self.found.says(cell)
        if said is None:
            return "", ""
        sign = self.glyphs.seats[("first", "second").index(said)]
        return sign, self._of_seat(sign)

    def _tested(self, cell: Cell) -> tuple[str, str]:
        if cell in self.facts and self.found.breaks(cell, who_wins(self.facts[cell])):
            return self.glyphs.loss, "$error bold"
        if self.found.named(cell) in self.found.notes.tested:
            return self.glyphs.win, "$win"
        return "", ""

    def _pick(self, cell: Cell) -> tuple[str, str]:
        return self.found.notes.picks.get(self.found.named(cell), ""), "bold"

    def conjecture(self, conjecture: Conjecture, chosen: int | None) -> Content:
        """The conjecture, a line for each thing that it chooses; the chosen one is marked."""
        start = "all"
        if conjecture.start is not None:
            start = f"{conjecture.start} on"
        less = Content.styled(" - ", "@click=screen.turn(-1,2)")
        more = Content.styled(" + ", "@click=screen.turn(1,2)")
        lines = [
            _choice(0, ("first", "second"), conjecture.who),
            _choice(1, get_args(When), conjecture.when),
            Content("").join([less, Content.styled(f"[{start}]", "bold"), more]),
            _choice(3, get_args(Scope), self.found.scope),
        ]
        headings = [f" {name:<7} " for name in KNOBS]
        if chosen is not None:
            headings[chosen] = f"{self.glyphs.left}{KNOBS[chosen]:<7} "
        return Content("\n").join(Content(name) + line for name, line in zip(headings, lines, strict=True))


def _cells(label: str, cells: Sequence[Cell], drawn: Callable[[Cell], tuple[str, str]]) -> Content:
    parts = [Content.styled(f"{label:<{LABEL}}", "$text-muted")]
    for cell in cells:
        text, style = drawn(cell)
        column, row = cell
        parts.append(Content.styled(f"{text:>{CELL - 1}} ", f"{style} @click=screen.pick({column},{row})".strip()))
    return Content("").join(parts)


def _choice(knob: int, values: Sequence[Any], chosen: str) -> Content:
    parts = list[Content]()
    for at, value in enumerate(values):
        text = f" {WHEN.get(value, value)} "
        style = "$text-muted"
        if value == chosen:
            text = f"[{text.strip()}]"
            style = "bold"
        parts.append(Content.styled(text, f"{style} @click=screen.choose({knob},{at})"))
    return Content("").join(parts)


def proof_in_pictures(proof: Proof, width: int) -> list[Content]:
    """Numbers with a letter a pair below, and the sentences."""
    lines = [Content(line) for sentence in proof.why for line in wrap(sentence, width)]
    letters = {number: letter for letter, pair in zip(ascii_lowercase, proof.pairs, strict=False) for number in pair}
    if not letters:
        return lines
    numbers = range(min(letters), max(letters) + 1)
    above = "".join(f"{number:>4}" for number in numbers)
    below = "".join(f"{letters.get(number, '-'):>4}" for number in numbers)
    return [Content.styled(above, "bold"), Content.styled(below, "$win bold"), Content(""), *lines]


def rules_in_words(found: Investigation) -> str:
    """The house rules that stay the same in the row."""
    map_ = found.map
    return " · ".join(f"{one.label} {written(map_.values[one.key])}" for one in (found.other, *map_.fixed) if one.key)
