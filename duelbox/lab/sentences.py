"""The facts of a cell in words."""

from __future__ import annotations

from duelbox.core.game import AnyGame, preset_of
from duelbox.core.options import Options
from duelbox.lab.facts import MANY_DEALS, Facts
from duelbox.solve.sentences import changes_hands, percent, turns

PLAYERS = "two middling players"


def sentences(game: AnyGame, options: Options, fact: Facts) -> tuple[str, ...]:
    """The facts about a setting, a sentence each; if it is a preset it is named, and told as its card tells it."""
    from duelbox.lab.preset_facts import facts_of_preset

    preset, fact = preset_of(game, options), fact.joined(facts_of_preset(game, options) or Facts())
    told = [f"This is {preset.name}." if preset else "", who_wins(fact), changes(game, fact), one_rule(fact)]
    if fact.length is not None:
        whose = "Their games" if fact.changes is not None else f"Games between {PLAYERS}"
        told.append(f"{whose} take {turns(round(fact.length))}.")
    if fact.choice is not None:
        often = f"in {percent(fact.choice)} of positions" if fact.choice else "nowhere"
        told.append(f"A choice matters {often}.")
    late = "This takes longer to work out: press Enter to wait for it." if fact.late else ""
    return tuple(filter(None, [*told, late]))


def summary(game: AnyGame, fact: Facts) -> str:
    """The card of a preset, said kindly."""
    much = "" if fact.decides_little else changes(game, fact)
    won = f"The first player wins {percent(fact.first_won)} of their games." if much and fact.first_won else ""
    return " ".join(filter(None, (who_wins(fact), much or choices(fact), won, one_rule(fact))))


def who_wins(fact: Facts) -> str:
    """The winner with best play; where there are many deals, of those that were tried, as others may be different."""
    if fact.first is None:
        return ""
    many, draw, of = fact.deals > 1, fact.draw or 0.0, f"{fact.deals} deals tried" if fact.deals > 1 else "games"
    if draw == 1:
        return f"With best play all {of} are draws." if many else "With best play nobody wins: it is a draw."
    for share, who in ((fact.first, "first"), (fact.second, "second")):
        if share == 1:
            wins = f"wins all {of}" if many else "always wins"
            return f"With best play the {who} player {wins}{_within(fact, ', the longest within')}."
    drawn = f", {percent(draw)} are draws" if draw else ""
    within = _within(fact, "; the longest takes")
    told = f"about {percent(fact.first)}, of {of}" if 1 < fact.deals < MANY_DEALS else f"{percent(fact.first)} of {of}"
    return f"With best play the first player wins {told}{drawn}{within}."


def _within(fact: Facts, most: str) -> str:
    if fact.plies is None:
        return ""
    if fact.deals > 1:
        return f"{most} {turns(fact.plies)}"
    return ", by the very first move" if fact.plies == 1 else f", within {turns(fact.plies)}"


def choices(fact: Facts) -> str:
    """The share of positions in which a choice matters, and in which a win at once is the reason."""
    if fact.choice is None:
        return ""
    if not fact.choice:
        return "In no position tried on the way does a choice matter."
    often = "all" if fact.choice == 1 else f"{percent(fact.choice)} of"
    if fact.at_once == fact.choice:
        return f"In {often} positions on the way some move wins at once, and nothing else has to be found."
    why = f", in {percent(fact.at_once)} because some move wins at once" if fact.at_once else ""
    return f"In {often} positions on the way it matters what you choose{why}."


def changes(game: AnyGame, fact: Facts) -> str:
    """The number of times that the win changes hands between the two players of the Lab."""
    if fact.changes is None:
        return ""
    if game.INFO.hidden:
        count = round(fact.changes)
        moves = f"about {count} moves give" if count > 1 else f"{'about 1' if count else 'no'} move gives"
        told = f"{moves} up 10 points of 100 or more in a game"
    else:
        told = f"the win {changes_hands(fact.changes)}"
    return f"Between {PLAYERS} {told}."


def one_rule(fact: Facts) -> str:
    """The one rule that wins, if there is any; games won are no proof, and are not told as one."""
    if fact.one_rule is None:
        return ""
    if not fact.one_rule:
        return "No single rule wins it."
    if fact.one_rule < 1:
        return f"Whoever {fact.rule} wins every game tried in {percent(fact.one_rule)} of deals."
    return f"Whoever {fact.rule} {'always wins' if fact.proved else 'wins nearly always'}."
