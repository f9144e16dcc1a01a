"""A map of house rules on paper, for a class that finds out who wins and looks for the rule behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from duelbox.core.options import Options, written
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.facts import Facts
from duelbox.rules_lab.house_rules import HouseRule
from duelbox.rules_lab.laws import Law, laws_on
from duelbox.rules_lab.map import Map, figure
from duelbox.rules_lab.map_rows import settings_of

MOST_ROWS = 20
"""The most columns, and the most rows, that fit on a page."""
ASKED = (
    "Each square is a game with house rules of its own. Play it with a partner. Write **F** where the first player"
    " can always win. Write **S** where the second player can, **?** where you do not know yet. A dot is no game."
)
OWN = "## What do you see?\n\nA rule that tells who wins before anybody plays:\n\n________\n\n________"
CONJECTURE = (
    "## Your conjecture\n\nThe first player wins when the number is ________________, from ______ on.",
    "Test it on five squares that you have not filled in: ____ ____ ____ ____ ____",
    "It was broken by ______. Now the first player wins when the number is ________________.",
    "## Where is the first pick that wins?\n\nCount from the gap, if there is one: ________________________________",
    "## Nobody has broken it: why?\n\n________\n\n________",
)
"""The page of a single row, in place of `OWN`."""
TALK = "- Which squares does your rule get wrong?\n- How do you know about squares that nobody played?"


def sheet(map_: Map, facts: Callable[[Options], Facts] | None = None) -> list[list[str]]:
    """The page with the empty map; with `facts`, also the filled one for the teacher. A single row is investigated."""
    across, down = (replace(rule, values=rule.values[:MOST_ROWS]) for rule in (map_.x, map_.y))
    map_ = replace(map_, x=across, y=down)
    game, settings = map_.game, settings_of(map_)
    wide = len(across.values)
    title = f"{game.INFO.title}: who wins?"
    fixed = "; ".join(f"{one.label}: {written(map_.values[one.key])}" for one in map_.fixed)
    rules = f"Across: {across.label}"
    if down.key:
        rules += f"; down: {down.label}"
    rules += "."
    if fixed:
        rules += f" Everywhere: {fixed}."

    def table(sign: Callable[[Options], str]) -> str:
        signs = ["·" if options is None else sign(options) for options in settings]
        lines = [["", *map(written, across.values)], ["---"] * (wide + 1)]
        for at, value in enumerate(down.values):
            lines.append([f"**{written(value)}**" if down.key else "", *signs[at * wide : (at + 1) * wide]])
        return f"{rules}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)

    again = "".join(f" --{axis} {_typed(rule)}" for axis, rule in (("x", across), ("y", down)) if rule.key)
    how = f"The same again: `duelbox worksheet {code_of(game, map_.options)} --table{again}`"
    name = "Name ____________________________ Date ______________"
    own: tuple[str, ...] = (OWN,)
    if len(down.values) == 1:
        own = CONJECTURE
    pages = [[f"# {title}\n\n{name}", ASKED, table(lambda options: " "), *own, how]]
    if facts is not None:
        filled = table(lambda options: figure(facts(options), "first"))
        signs = map_.legend("first")
        laws = [_law_in_words(law) for law in laws_on(map_, facts) if law.rule.key == across.key]
        pages.append([f"# For the teacher: {title}", filled, signs, *laws, f"## Questions to ask\n\n{TALK}"])
    return pages


def _law_in_words(law: Law) -> str:
    """A law, with its proof where one is known."""
    if law.proof is None:
        return f"**{law.sentences()}** No proof is known here."
    return f"**{law.sentences()}** {' '.join(law.proof.why)}"


def _typed(rule: HouseRule) -> str:
    """An axis as it is typed."""
    first, last = written(rule.values[0]), written(rule.values[-1])
    if first == last:
        return f"{rule.key}={first}"
    return f"{rule.key}={first}-{last}"
