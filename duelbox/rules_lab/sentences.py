"""Facts about a setting in words."""

from __future__ import annotations

from duelbox.bots import levels_of
from duelbox.core.game import AnyGame, preset_of
from duelbox.core.options import Options
from duelbox.rules_lab.facts import MANY_DEALS, Facts
from duelbox.solve.sentences import changes_hands, percent, turns

PLAYERS = "two middling players"


def sentences(game: AnyGame, options: Options, facts: Facts) -> tuple[str, ...]:
    """A sentence for each fact about a setting; a preset is named, and its stored facts are used."""
    from duelbox.rules_lab.preset_facts import facts_of_preset

    preset, facts = preset_of(game, options), facts.joined(facts_of_preset(game, options) or Facts())
    parts = [who_wins(facts), changes(game, facts), one_rule(facts)]
    if preset is not None:
        parts.insert(0, f"This is {preset.name}.")
    if facts.length is not None:
        whose = f"Games between {PLAYERS}"
        if facts.changes is not None:
            whose = "Their games"
        parts.append(f"{whose} take {turns(round(facts.length))}.")
    if facts.depth is not None:
        parts.append(f"At most {facts.depth} questions prove it.")
    if facts.choice:
        parts.append(f"A choice matters in {percent(facts.choice)} of positions.")
    elif facts.choice is not None:
        parts.append("A choice matters nowhere.")
    if facts.late:
        parts.append("This takes longer to work out: press Enter to wait for it.")
    return tuple(filter(None, parts))


def summary(game: AnyGame, facts: Facts) -> str:
    """The facts about a preset in a few sentences."""
    much, won = "", ""
    if not facts.decides_little:
        much = changes(game, facts)
    if much and facts.first_won:
        won = f"The first player wins {percent(facts.first_won)} of their games."
    parts = (who_wins(facts), much or choices(facts), won, one_rule(facts), for_people(game, facts))
    return " ".join(filter(None, parts))


def for_people(game: AnyGame, facts: Facts) -> str:
    """The three figures for people in two sentences; empty where they are not known."""
    parts = []
    if facts.right_picks is not None:
        parts.append(f"{percent(facts.right_picks)} of first moves are right.")
    levels = levels_of(game.INFO.id)
    if levels and facts.ahead_first is not None and facts.ahead_second is not None:
        shares = f"{percent(facts.ahead_first)} going first, {percent(facts.ahead_second)} second"
        parts.append(f"Looking one move ahead scores against {levels[0].name}: {shares}.")
    return " ".join(parts)


def who_wins(facts: Facts) -> str:
    """The winner with best play, of the deals that were tried."""
    if facts.first is None:
        return ""
    of = "games"
    always = "always wins"
    if facts.deals > 1:
        of = f"{facts.deals} deals tried"
        always = f"wins all {of}"
    if facts.draw == 1 and facts.deals > 1:
        return f"With best play all {of} are draws."
    if facts.draw == 1:
        return "With best play nobody wins: it is a draw."
    for share, who in ((facts.first, "first"), (facts.second, "second")):
        if share == 1:
            return f"With best play the {who} player {always}{_within(facts, ', the longest within')}."
    wins = f"{percent(facts.first)} of {of}"
    if 1 < facts.deals < MANY_DEALS:
        wins = f"about {percent(facts.first)}, of {of}"
    if facts.draw:
        wins += f", {percent(facts.draw)} are draws"
    return f"With best play the first player wins {wins}{_within(facts, '; the longest takes')}."


def _within(facts: Facts, most: str) -> str:
    if facts.plies is None:
        return ""
    if facts.deals > 1:
        return f"{most} {turns(facts.plies)}"
    if facts.plies == 1:
        return ", by the very first move"
    return f", within {turns(facts.plies)}"


def choices(facts: Facts) -> str:
    """The share of positions in which a choice matters, and of those with a win at once."""
    if facts.choice is None:
        return ""
    if not facts.choice:
        return "In no position tried on the way does a choice matter."
    often = f"{percent(facts.choice)} of"
    if facts.choice == 1:
        often = "all"
    if facts.at_once == facts.choice:
        return f"In {often} positions on the way some move wins at once."
    why = ""
    if facts.at_once:
        why = f", in {percent(facts.at_once)} because some move wins at once"
    return f"In {often} positions on the way it matters what you choose{why}."


def changes(game: AnyGame, facts: Facts) -> str:
    """The number of times that the win changes hands between the two middling players."""
    if facts.changes is None:
        return ""
    if not game.INFO.hidden:
        return f"Between {PLAYERS} the win {changes_hands(facts.changes)}."
    count = round(facts.changes)
    moves = "no move gives"
    if count > 1:
        moves = f"about {count} moves give"
    elif count == 1:
        moves = "about 1 move gives"
    return f"Between {PLAYERS} {moves} up 10 points of 100 or more in a game."


def one_rule(facts: Facts) -> str:
    """The fixed rule that wins, if any; it "always wins" only if that is proved."""
    if facts.one_rule is None:
        return ""
    if not facts.one_rule:
        return "No single rule wins it."
    if facts.one_rule < 1:
        return f"Whoever {facts.rule} wins every game tried in {percent(facts.one_rule)} of deals."
    if facts.proved:
        return f"Whoever {facts.rule} always wins."
    return f"Whoever {facts.rule} wins nearly always."
