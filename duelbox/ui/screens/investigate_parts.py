"""The parts of an investigation as text: a row with its winners and tests, the conjecture, a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from textwrap import wrap
from typing import Any, get_args

from rich.style import Style
from textual.content import Content
from textual.widgets import Static

from duelbox.core.options import Options, written
from duelbox.rules_lab.facts import Facts
from duelbox.rules_lab.investigation import Investigation
from duelbox.rules_lab.laws import Proof, Who, who_wins
from duelbox.rules_lab.map import figure
from duelbox.ui.glyphs import Glyphs

LABEL, CELL = 11, 4
"""The columns of the names of rows, and of a cell."""
PANEL = 6
"""The columns around the text of a panel."""
KNOBS = ("Winner", "When", "From", "Along")
"""The lines of the conjecture."""
COUNTED = KNOBS.index("From")
"""The line that has too many values to show all."""
SHORT = {
    "multiples of 3": "3,6,9…",
    "multiples of 4": "4,8…",
    "multiples of 5": "5,10…",
    "first or draw": "first/draw",
    "second or draw": "second/draw",
}
"""The short forms of long values."""


class Linked(Static):
    """Text whose parts to click keep their colours."""

    @property
    def link_style(self) -> Style:
        """No style of its own."""
        return Style.null()


@dataclass(frozen=True, slots=True)
class Picture:
    """An investigation, with the facts about its open cells, and the signs to draw it with."""

    found: Investigation
    facts: Mapping[Options, Facts]
    glyphs: Glyphs

    def rules(self) -> str:
        """The house rules that stay the same in the row."""
        map_ = self.found.map
        return " · ".join(f"{one.label} {written(map_.values[one.key])}" for one in (map_.y, *map_.fixed) if one.key)

    def row(self, width: int) -> Content:
        """The row: its values, the winners of open cells, the conjecture, its tests, and the first picks found."""
        row = self.found.row()
        room = max(1, (width - LABEL - 1) // CELL)
        first = 0
        if self.found.here in row:
            first = max(0, min(row.index(self.found.here) - room // 2, len(row) - room))
        lines: dict[str, Callable[[Options], tuple[str, str]]] = {
            self.found.map.x.label.removeprefix("Number of ").split(" in ")[0].capitalize()[: LABEL - 1]: self._value,
            "Winner": self._winner,
            "You said": self._claimed,
            "Tested": self._tested,
            "First pick": self._pick,
        }
        drawn = list[Content]()
        for label, draw in lines.items():
            parts = [Content.styled(f"{label:<{LABEL}}", "$text-muted")]
            for at, cell in enumerate(row[first : first + room], first):
                text, style = draw(cell)
                parts.append(Content.styled(f"{text:>{CELL - 1}} ", f"{style} @click=screen.choose({at})".strip()))
            if not drawn and first:
                parts[0] = Content.styled(f"{label:<{LABEL - 1}}‹", "$text-muted")
            if not drawn and first + room < len(row):
                parts.append(Content.styled("›", "$text-muted"))
            drawn.append(Content("").join(parts))
        return Content("\n").join(drawn)

    def signs(self) -> str:
        """The explanation of the signs in the row."""
        first, second = self.glyphs.seats
        signs = f"{first} first wins   {second} second wins   ? closed   {self.glyphs.win} tested"
        figures = [self._winner(cell)[0] for cell in self.found.row()]
        share = next((text for text in figures if text.isdigit()), None)
        if share is not None:
            signs += f"   {share} first wins {share}%"
        return signs

    def _value(self, cell: Options) -> tuple[str, str]:
        style = "bold"
        if cell == self.found.here:
            style = "bold reverse"
        return self.found.shown(cell), style

    def _winner(self, cell: Options) -> tuple[str, str]:
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

    def _claimed(self, cell: Options) -> tuple[str, str]:
        said = self.found.says(cell)
        if said is None:
            return "", ""
        signs = dict(zip(get_args(Who), (*self.glyphs.seats, self.glyphs.draw), strict=True))
        sign = signs[said]
        return sign, self._of_seat(sign)

    def _tested(self, cell: Options) -> tuple[str, str]:
        if cell in self.facts and self.found.breaks(cell, who_wins(self.facts[cell])):
            return self.glyphs.loss, "$error bold"
        if self.found.named(cell) in self.found.notes.tested:
            return self.glyphs.win, "$win"
        return "", ""

    def _pick(self, cell: Options) -> tuple[str, str]:
        return self.found.notes.picks.get(self.found.named(cell), ""), "bold"

    def conjecture(self, chosen: int | None) -> Content:
        """The conjecture, a line for each thing that it chooses; the chosen one is marked."""
        lines = list[Content]()
        for knob, (values, value) in enumerate(self.found.lines()):
            heading = f" {KNOBS[knob]:<7} "
            if knob == chosen:
                heading = f"{self.glyphs.left}{KNOBS[knob]:<7} "
            if knob == COUNTED:
                lines.append(Content(heading) + _counted(knob, value))
            else:
                lines.append(Content(heading) + _choice(knob, values, value))
        return Content("\n").join(lines)


def _counted(knob: int, value: int | None) -> Content:
    text = "[all]"
    if value is not None:
        text = f"[{value} on]"
    less = Content.styled(" - ", f"@click=screen.turn(-1,{knob})")
    return less + Content.styled(text, "bold") + Content.styled(" + ", f"@click=screen.turn(1,{knob})")


def _choice(knob: int, values: Any, chosen: str) -> Content:
    parts = list[Content]()
    for at, value in enumerate(values):
        text = f" {SHORT.get(value, value)} "
        style = "$text-muted"
        if value == chosen:
            text = f"[{text.strip()}]"
            style = "bold"
        parts.append(Content.styled(text, f"{style} @click=screen.set({knob},{at})"))
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
