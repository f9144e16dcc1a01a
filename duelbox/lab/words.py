"""The facts of a cell in words."""

from __future__ import annotations

from collections.abc import Iterator

from duelbox.core.game import AnyGame, preset_of
from duelbox.core.options import Options
from duelbox.lab.cell import Fact
from duelbox.solve.sentences import percent, times

PLAYERS = "two middling players"


def sentences(game: AnyGame, options: Options, fact: Fact) -> tuple[str, ...]:
    """What is known of a setting, a fact a sentence; it is named if it is a preset."""
    preset = preset_of(game, options)
    told = [f"This is {preset.name}." if preset else "", who_wins(fact), changes(game, fact), *_rest(fact)]
    late = "This takes longer to work out: press Enter to wait for it." if fact.late else ""
    return tuple(filter(None, [*told, late]))


def who_wins(fact: Fact) -> str:
    """Who wins with best play; of the deals that were tried, where there are more."""
    if fact.first is None:
        return ""
    draw = fact.draw or 0.0
    of = f"{fact.deals} deals tried" if fact.deals > 1 else "games"
    if draw == 1:
        return f"With best play all {of} are draws." if fact.deals > 1 else "With best play nobody wins: it is a draw."
    for share, who in ((fact.first, "first"), (1 - fact.first - draw, "second")):
        if share == 1:
            return f"With best play the {who} player {f'wins all {of}' if fact.deals > 1 else 'always wins'}."
    drawn = f", and {percent(draw)} are draws" if draw else ""
    return f"With best play the first player wins {percent(fact.first)} of {of}{drawn}."


def changes(game: AnyGame, fact: Fact) -> str:
    """How often the win changes hands between the two players of the Lab."""
    if fact.changes is None:
        return ""
    count = round(fact.changes)
    if game.INFO.hidden:
        moves = f"about {count} moves give" if count > 1 else f"{'about 1' if count else 'no'} move gives"
        told = f"{moves} up 10 points of 100 or more in a game"
    else:
        told = f"the win changes hands about {times(count)} in a game" if count else "the win seldom changes hands"
    return f"Between {PLAYERS} {told}."


def one_rule(fact: Fact) -> str:
    """The one rule that wins, if there is any; games won are no proof, and are not told as one."""
    if fact.one_rule is None:
        return ""
    if not fact.one_rule:
        return "No single rule wins it."
    if fact.one_rule < 1:
        return f"Whoever {fact.rule} wins every game tried in {percent(fact.one_rule)} of deals."
    return f"Whoever {fact.rule} {'always wins' if fact.proved else 'wins nearly always'}."


def _rest(fact: Fact) -> Iterator[str]:
    yield one_rule(fact)
    if fact.length is not None:
        yield (
            f"Their games take {round(fact.length)} turns."
            if fact.changes is not None
            else (f"Games between {PLAYERS} take {round(fact.length)} turns.")
        )
    if fact.choice is not None:
        yield (
            f"A choice matters in {percent(fact.choice)} of positions."
            if fact.choice
            else "In no position tried does a choice matter."
        )
