"""A map of house rules on paper: a class finds out who wins, square by square, and looks for the rule behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from duelbox.core.options import Options, written
from duelbox.lab.best_rules import code_of
from duelbox.lab.facts import Facts
from duelbox.lab.house_rules import HouseRule, house_rules
from duelbox.lab.map import LEGENDS, figure
from duelbox.lab.map_rows import Axes

MOST = 20
"""So many columns, and so many rows, have room on a page."""
ASKED = (
    "Each square is a game with house rules of its own. Play it with a partner, and write **F** where the first player"
    " can always win, **S** where the second player can, and **?** where you do not know yet. A dot is no game."
)
OWN = "## What do you see?\n\nA rule that tells who wins before anybody plays:\n\n________\n\n________"
TALK = "- Which squares does your rule get wrong?\n- How do you know about squares that nobody played?"


def sheet(axes: Axes, fact: Callable[[Options], Facts] | None = None) -> list[list[str]]:
    """The empty map; and, where facts are given, the one that is filled in, for the teacher."""
    across, downwards = (replace(knob, values=knob.values[:MOST]) for knob in (axes.x, axes.y))
    axes = replace(axes, x=across, y=downwards)
    game, cells, wide = axes.game, list(axes.settings()), len(axes.x.values)
    title = f"{game.INFO.title}: who wins?"
    others = [one for one in house_rules(game) if one.key not in (axes.x.key, axes.y.key)]
    fixed = "; ".join(f"{one.label}: {written(getattr(axes.options, one.key))}" for one in others)
    down = f"; down: {axes.y.label}" if axes.y.key else ""
    rules = f"Across: {axes.x.label}{down}.{f' Everywhere: {fixed}.' if fixed else ''}"

    def table(sign: Callable[[Options], str]) -> str:
        signs = ["·" if options is None else sign(options) for _, _, options in cells]
        lines = [["", *map(written, axes.x.values)], ["---"] * (wide + 1)]
        for at, value in enumerate(axes.y.values):
            lines.append([f"**{written(value)}**" if axes.y.key else "", *signs[at * wide : (at + 1) * wide]])
        return f"{rules}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)

    again = "".join(f" --{axis} {_asked(knob)}" for axis, knob in (("x", axes.x), ("y", axes.y)) if knob.key)
    how = f"The same again: `duelbox worksheet {code_of(game, axes.options)} --table{again}`"
    name = "Name ____________________________ Date ______________"
    pages = [[f"# {title}\n\n{name}", ASKED, table(lambda options: " "), OWN, how]]
    if fact is not None:
        filled = table(lambda options: figure(fact(options), "first"))
        pages.append(
            [f"# For the teacher: {title}", filled, LEGENDS["first"].format("F", "S"), f"## Questions to ask\n\n{TALK}"]
        )
    return pages


def _asked(knob: HouseRule) -> str:
    """An axis as it is typed."""
    first, last = written(knob.values[0]), written(knob.values[-1])
    return f"{knob.key}={first}{f'-{last}' if last != first else ''}"
