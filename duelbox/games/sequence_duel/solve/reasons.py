"""Why a Sequence Duel is won or lost, in one sentence for the player to move, read off the line.

Private numbers are those that only one player can ever claim, told as theirs for sure; contested are those in stretches
where both still can, told as undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from duelbox.core.model import listed, ranges
from duelbox.games.sequence_duel.solve.line import Line, Match, Numbers
from duelbox.solve.api import Mark

NO_CLAIM = 0
"""Stands for the claim of a reason that recommends none."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the player to move, here Left, wins or loses."""

    wins: bool
    sentence: str
    claim: int = NO_CLAIM
    """The claim that it recommends."""
    idea: str = ""
    """What to look for, without the claim."""
    aside: str = ""
    """What is worth knowing of the claim even where another one wins sooner."""
    shown: tuple[Mark, ...] = ()


def plain(line: Line, after: Mapping[int, Line], rival: str) -> Reason | None:
    """Why, where counting or matching shows it without a search, with `after` the line after each claim."""
    return _counted(line, rival) or claiming(line, after, rival)


def claiming(line: Line, after: Mapping[int, Line], rival: str) -> Reason | None:
    """The same by one of these claims, or by what the rival answers to all there are."""
    return _counted_after(after, rival) or _matched(line, after, rival)


def slower(plain: Reason, best: Reason) -> Reason:
    """The reason for the best claim, with what is worth knowing of one that wins later."""
    return replace(best, sentence=f"{best.sentence.rstrip('.')}; {plain.aside}.") if plain.aside else best


def _counted(line: Line, rival: str) -> Reason | None:
    turned = line.turned()
    mine, theirs = len(line.private), len(turned.private)
    if not line.contested:
        tally = f"Nothing is undecided any more: {_sure(mine, 'yours')} and {_numbers(theirs)} {rival}'s"
        end = f"so {rival} runs out first" if mine > theirs else "and it is your turn, so you run out first"
        return Reason(mine > theirs, f"{tally}, {end}.")
    if mine > len(turned.choices):
        return Reason(True, f"{_sure(mine, 'yours')}, and {rival} can claim at most {_more(turned)}.")
    if theirs >= len(line.choices):
        first = ", and you have to claim first" if theirs == len(line.choices) else ""
        sure = _sure(theirs, f"{rival}'s")
        return Reason(False, f"You can claim at most {_more(line)}, while {sure}{first}.")
    return None


def _counted_after(after: Mapping[int, Line], rival: str) -> Reason | None:
    """The claim with the most private numbers over the rival's last claims, if they are enough."""
    turned = {number: then.turned() for number, then in after.items()}
    spare = {number: len(then.private) - len(turned[number].choices) for number, then in after.items()}
    best = max(spare, key=lambda number: spare[number])
    if spare[best] < 0:
        return None
    mine, theirs = len(after[best].private), len(turned[best].choices)
    if not theirs:
        idea = f"Look for a claim after which {rival} cannot claim any number."
        return Reason(True, f"Take {best}: then {rival} cannot claim any number.", best, idea)
    first = f", and {rival} has to claim first" if mine == theirs else ""
    if after[best].contested:
        tally = f"{rival} can claim at most {_more(turned[best])}, while {_sure(mine, 'yours')}"
    else:
        tally = f"nothing is undecided, {_sure(mine, 'yours')} and {_numbers(theirs)} {rival}'s"
    idea = f"Look for a claim that leaves {rival} at most {_more(turned[best])}, and you as many for sure."
    return Reason(True, f"Take {best}: then {tally}{first}.", best, idea)


def _matched(line: Line, after: Mapping[int, Line], rival: str) -> Reason | None:
    size = len(line.choices)
    if line.untouched and line.ring and size % 2 == 0:
        such = f"such as 1 with {size // 2 + 1}"
        mirror = _mirrored([(line.choices[: size // 2], line.choices[size // 2 :])])
        return Reason(False, f"{rival} can answer every claim with the number opposite, {such}.", shown=mirror)
    turned = line.turned()
    matches = turned.matches() if len(turned.private) >= len(line.private) else None
    if matches is not None:
        told = f"{rival} can answer every claim with its match: {_pairs(matches, line, 'yours')}."
        return Reason(False, told, shown=_mirrored(matches))
    for number, then in after.items():
        turned = then.turned()
        matches = then.matches() if len(then.private) >= len(turned.private) else None
        if matches is not None:
            reason = _matching(number, line.untouched, _pairs(matches, turned, f"{rival}'s"), rival)
            return replace(reason, shown=_mirrored(matches, *([number] if line.untouched else [])))
    return None


def _matching(number: int, untouched: bool, pairs: str, rival: str) -> Reason:
    """A claim after which all others have their match."""
    where = ", in the middle" if untouched else ""
    how = "in a mirror" if untouched else f"with its match whatever {rival} claims"
    return Reason(
        True,
        f"Take {number}{where}, then answer every claim with its match: {pairs}.",
        number,
        f"Look for a claim after which you can answer {how}.",
        f"{number}{where + ',' if where else ''} wins too, {how}, but later",
    )


def _mirrored(matches: Sequence[Match], *axis: int) -> tuple[Mark, ...]:
    """The numbers that answer each other, either way round; `axis` is the claim in the middle of all."""
    pairs = [(str(one), str(two)) for match in matches for one, two in zip(*match, strict=True)]
    if not pairs:
        return ()
    return (Mark("mirror" if axis else "pairs", axis, tuple(pairs + [(two, one) for one, two in pairs])),)


def _pairs(matches: list[Match], mover: Line, whose: str) -> str:
    """Which numbers answer which, in the order of the line, and that private ones answer private ones."""
    told: list[Match] = []
    for pair in matches:
        one, other = sorted(pair, key=min)
        down = len(one) > 1 and one[1] == one[0] - 1
        told.append((one[::-1], other[::-1]) if down else (one, other))
    spans = [f"{_span(one)} match {_span(other)}" for one, other in sorted(told)]
    if mover.private:
        owner = "theirs" if whose == "yours" else "yours"
        spans.append(f"each number that is {whose} for sure matches one of {owner}")
    return ", ".join(spans)


def _span(numbers: Numbers) -> str:
    """Numbers in the order they are matched; on a ring they may go past its end."""
    parts = [[numbers[0]]]
    for before, number in pairwise(numbers):
        if abs(number - before) == 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return " then ".join(f"{part[0]} to {part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)


def winning(line: Line, number: int, rival: str, how: str) -> Reason:
    """What a winning claim does, and how things stand after it; `how` says more of the claim."""
    own, shut = _gained(line, number)
    deeds = [f"makes {listed(own)} yours for sure"] if own else []
    deeds += [f"keeps {rival} out of {listed(shut)}"] if shut else []
    does = f"it {listed(deeds)}; " if deeds else ""
    standing = _standing(line.after(number), rival)
    sentence = f"Take {number}{how}: {does}with {standing}, no answer saves {rival}."
    shown = (Mark("border", (*own, *shut)),) if own or shut else ()
    idea = f"Look for a claim that {_deeds(own, shut, rival) or f'leaves {standing}'}."
    return Reason(True, sentence, number, idea, shown=shown)


def losing(line: Line, number: int, answer: int, rival: str, how: str) -> Reason:
    """The best try, what is wrong with it, and how things stand then; `how` says more of the try."""
    after = line.after(number).turned().after(answer).turned()
    start = f"{number} {how}, but" if how else f"after {number}"
    why = f"with {_standing(after, rival)}, {'' if after.contested else 'and it is your turn, so '}you run out first"
    sentence = f"Every claim loses: {start} {rival} answers {answer}; {why}."
    deeds = _deeds(*_gained(line, number), rival)
    idea = f"Every claim loses, so hold out: look for one that {deeds}." if deeds else ""
    return Reason(False, sentence, number, idea)


def _gained(line: Line, number: int) -> tuple[list[int], list[int]]:
    """What only Left can claim after this claim, and what else Right no longer can."""
    after = line.after(number)
    own = sorted({*after.private} - {*line.private})
    return own, sorted({*line.turned().choices} - {*after.turned().choices, number, *own})


def _deeds(own: Sequence[int], shut: Sequence[int], rival: str) -> str:
    """The same without naming a number."""
    deeds = [f"makes {_numbers(len(own))} yours for sure"] if own else []
    deeds += [f"keeps {rival} out of {_numbers(len(shut))}"] if shut else []
    return listed(deeds)


def _standing(line: Line, rival: str) -> str:
    mine, theirs = len(line.private), len(line.turned().private)
    shared = f"{ranges(line.contested)} undecided" if line.contested else "nothing undecided"
    if not mine and not theirs:
        return f"{shared} and no number anybody's for sure"
    return f"{shared}, {_numbers(mine)} yours for sure and {_numbers(theirs)} {rival}'s"


def _sure(count: int, whose: str) -> str:
    """So many numbers nobody else can ever claim, or close."""
    return f"{_numbers(count)} {'is' if count == 1 else 'are'} {whose} for sure"


def _numbers(count: int) -> str:
    return f"{count or 'no'} number{'' if count == 1 else 's'}"


def _more(line: Line) -> str:
    count = len(line.choices)
    return f"{count} more number{'' if count == 1 else 's'}"
