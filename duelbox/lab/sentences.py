"""Facts about a setting in words."""

from __future__ import annotations

from duelbox.core.game import AnyGame, preset_of
from duelbox.core.options import Options
from duelbox.lab.facts import MANY_DEALS, Facts
from duelbox.solve.sentences import changes_hands, percent, turns

PLAYERS = "two middling players"


def sentences(game: AnyGame, options: Options, facts: Facts) -> tuple[str, ...]:
    """A sentence for each fact about a setting; a preset is named, and its stored facts are used."""
    from duelbox.lab.preset_facts import facts_of_preset

    preset, facts = preset_of(game, options), facts.joined(facts_of_preset(game, options) or Facts())
    parts = [f"This is {preset.name}." if preset else "", who_wins(facts), changes(game, facts), one_rule(facts)]
    if facts.length is not None:
        whose = "Their games" if facts.changes is not None else f"Games between {PLAYERS}"
        parts.append(f"{whose} take {turns(round(facts.length))}.")
    if facts.choice is not None:
        often = f"in {percent(facts.choice)} of positions" if facts.choice else "nowhere"
        parts.append(f"A choice matters {often}.")
    late = "This takes longer to work out: press Enter to wait for it." if facts.late else ""
    return tuple(filter(None, [*parts, late]))


def summary(game: AnyGame, facts: Facts) -> str:
    """The facts about a preset in a few sentences."""
    much = "" if facts.decides_little else changes(game, facts)
    won = f"The first player wins {percent(facts.first_won)} of their games." if much and facts.first_won else ""
    return " ".join(filter(None, (who_wins(facts), much or choices(facts), won, one_rule(facts))))


def who_wins(facts: Facts) -> str:
    """The winner with best play, of the deals that were tried."""
    if facts.first is None:
        return ""
    many, draw, of = facts.deals > 1, facts.draw or 0.0, f"{facts.deals} deals tried" if facts.deals > 1 else "games"
    if draw == 1:
        return f"With best play all {of} are draws." if many else "With best play nobody wins: it is a draw."
    for share, who in ((facts.first, "first"), (facts.second, "second")):
        if share == 1:
            wins = f"wins all {of}" if many else "always wins"
            return f"With best play the {who} player {wins}{_within(facts, ', the longest within')}."
    drawn = f", {percent(draw)} are draws" if draw else ""
    within = _within(facts, "; the longest takes")
    sample = 1 < facts.deals < MANY_DEALS
    wins = f"about {percent(facts.first)}, of {of}" if sample else f"{percent(facts.first)} of {of}"
    return f"With best play the first player wins {wins}{drawn}{within}."


def _within(facts: Facts, most: str) -> str:
    if facts.plies is None:
        return ""
    if facts.deals > 1:
        return f"{most} {turns(facts.plies)}"
    return ", by the very first move" if facts.plies == 1 else f", within {turns(facts.plies)}"


def choices(facts: Facts) -> str:
    """The share of positions in which a choice matters, and of those with a win at once."""
    if facts.choice is None:
        return ""
    if not facts.choice:
        return "In no position tried on the way does a choice matter."
    often = "all" if facts.choice == 1 else f"{percent(facts.choice)} of"
    if facts.at_once == facts.choice:
        return f"In {often} positions on the way some move wins at once, and nothing else has to be found."
    why = f", in {percent(facts.at_once)} because some move wins at once" if facts.at_once else ""
    return f"In {often} positions on the way it matters what you choose{why}."


def changes(game: AnyGame, facts: Facts) -> str:
    """The number of times that the win changes hands between the two middling players."""
    if facts.changes is None:
        return ""
    if game.INFO.hidden:
        count = round(facts.changes)
        moves = f"about {count} moves give" if count > 1 else f"{'about 1' if count else 'no'} move gives"
        change = f"{moves} up 10 points of 100 or more in a game"
    else:
        change = f"the win {changes_hands(facts.changes)}"
    return f"Between {PLAYERS} {change}."


def one_rule(facts: Facts) -> str:
    """The fixed rule that wins, if any; it "always wins" only if that is proved."""
    if facts.one_rule is None:
        return ""
    if not facts.one_rule:
        return "No single rule wins it."
    if facts.one_rule < 1:
        return f"Whoever {facts.rule} wins every game tried in {percent(facts.one_rule)} of deals."
    return f"Whoever {facts.rule} {'always wins' if facts.proved else 'wins nearly always'}."
