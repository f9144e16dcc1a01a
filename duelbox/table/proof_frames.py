"""The positions of a proof that play themselves, each with the sentence about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from duelbox.core.model import Seat, other
from duelbox.proof.walk import Stage
from duelbox.table.story import Line

if TYPE_CHECKING:
    from duelbox.table.proof_table import ProofTable

MOST_LINES = 12
"""At most so many games that play themselves out are shown between two questions; the others are counted."""
TAIL = 3
"""The last moves of such a game that are told."""


class Frame(NamedTuple):
    """A position, as moves after the deal, the sentence about it, and the first numbers that are closed by then."""

    moves: tuple[str, ...]
    line: Line
    closed: tuple[str, ...]


def frames_of_line(table: ProofTable, before: Sequence[str], line: Sequence[str]) -> list[Frame]:
    """A refutation, move by move."""
    moves = [(*before, *line[: at + 1]) for at in range(len(line))]
    return [Frame(one, table.line_of(one), table.closed) for one in moves]


def frames_between(table: ProofTable, before: Stage | None, stage: Stage, *, by_rule: bool) -> list[Frame]:
    """The games that play themselves out between two questions, and the first numbers that they close.

    `by_rule` says that a rule was claimed, which closes numbers without a game.
    """
    already = set(before.closed) if before is not None else set()
    depth = 1 if stage.first is not None else 0
    frames: list[Frame] = []
    if stage.first is not None and (before is None or before.at is None):
        told = f"You begin with {stage.first}: no number loses here."
        frames.append(Frame(_root(stage), (table.side, told), ()))
    newly = [number for number in stage.closed if number not in already]
    closed = tuple(number for number in stage.closed if number in already)
    for number in (*newly, *([stage.now] if stage.now else [])):
        lines = [line for line in stage.lines if line[depth : depth + 1] == (number,)]
        for line in lines[:MOST_LINES]:
            frames.append(Frame(line, (None, _told_out(table, line)), closed))
        if len(lines) > MOST_LINES:
            count = len(lines) - MOST_LINES
            frames.append(Frame(lines[-1], (None, f"{count} more games end like this."), closed))
        if number == stage.now:
            break
        closed = (*closed, number)
        if by_rule:
            why = " by your rule"
        elif lines:
            why = ""
        else:
            why = ": the same position was there before"
        frames.append(Frame(_root(stage), (None, f"{number} is closed{why}."), closed))
    if stage.at is not None:
        frames.append(Frame(stage.at, table.line_of(stage.at) if stage.at else (None, "You begin."), closed))
    return frames


def _root(stage: Stage) -> tuple[str, ...]:
    """The position in which the machine begins."""
    return () if stage.first is None else (stage.first,)


def _told_out(table: ProofTable, line: Sequence[str]) -> str:
    """A game that played itself out, by its last moves: "Oracle 3, you 4: Oracle cannot move."."""
    first = table.deal.turn or 0
    told = []
    for at in range(max(0, len(line) - TAIL), len(line)):
        seat: Seat = first if at % 2 == 0 else other(first)
        told.append(f"{_called(table, seat)} {line[at]}")
    moves = ", ".join(told)
    return f"{moves[0].upper()}{moves[1:]}: {table.machine.name} cannot move."


def _called(table: ProofTable, seat: Seat) -> str:
    return "you" if seat == table.side else table.machine.name
