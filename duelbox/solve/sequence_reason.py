"""Why a Sequence Duel is won or lost, in one sentence for the player to move, read off the line.

Private numbers are those that only one player can ever claim; contested are those in stretches where both still can.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from duelbox.core.model import listed, ranges
from duelbox.solve.sequence_line import Line, Match, Numbers


@dataclass(frozen=True, slots=True)
class Reason:
    """A verdict for the player to move, here Left, that needs no search."""

    wins: bool
    sentence: str


def plain(line: Line, after: Mapping[int, Line], rival: str) -> Reason | None:
    """A verdict that counting or matching shows, with `after` the line after each claim."""
    return _counted(line, rival) or _counted_after(after, rival) or _matched(line, after, rival)


def _counted(line: Line, rival: str) -> Reason | None:
    turned = line.turned()
    mine, theirs = len(line.private), len(turned.private)
    if not line.contested:
        tally = f"Nothing is contested any more: you have {_private(mine)} and {rival} has {theirs or 'none'}"
        end = f"so {rival} runs out first" if mine > theirs else "and it is your turn, so you run out first"
        return Reason(mine > theirs, f"{tally}, {end}.")
    if mine > len(turned.choices):
        return Reason(True, f"You have {_private(mine)}, and {rival} can claim at most {_more(turned)}.")
    if theirs >= len(line.choices):
        return Reason(False, f"You can claim at most {_more(line)}, and {rival} has {_private(theirs)}.")
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
        return Reason(True, f"Take {best}: then {rival} cannot claim any number.")
    if after[best].contested:
        start = f"Take {best}: then {rival} can claim at most {_more(turned[best])}"
        return Reason(True, f"{start}, and you have {_private(mine)}.")
    tally = f"{_private(mine)} for you and {theirs} for {rival}"
    return Reason(True, f"Take {best}: then nothing is contested, with {tally}.")


def _matched(line: Line, after: Mapping[int, Line], rival: str) -> Reason | None:
    size = len(line.choices)
    if line.untouched and line.ring and size % 2 == 0:
        such = f"such as 1 with {size // 2 + 1}"
        return Reason(False, f"{rival} can answer every claim with the number opposite, {such}.")
    turned = line.turned()
    matches = turned.matches() if len(turned.private) >= len(line.private) else None
    if matches is not None:
        return Reason(False, f"{rival} can answer every claim with its match: {_pairs(matches, line, 'yours')}.")
    for number, then in after.items():
        turned = then.turned()
        matches = then.matches() if len(then.private) >= len(turned.private) else None
        if matches is not None:
            where = ", in the middle" if line.untouched else ""
            pairs = _pairs(matches, turned, f"{rival}'s")
            return Reason(True, f"Take {number}{where}, then answer every claim with its match: {pairs}.")
    return None


def _pairs(matches: list[Match], mover: Line, whose: str) -> str:
    """Which numbers answer which, in the order of the line, and that private ones answer private ones."""
    told: list[Match] = []
    for pair in matches:
        one, other = sorted(pair, key=min)
        down = len(one) > 1 and one[1] == one[0] - 1
        told.append((one[::-1], other[::-1]) if down else (one, other))
    spans = [f"{_span(one)} match {_span(other)}" for one, other in sorted(told)]
    if mover.private:
        spans.append(f"a private number answers each of {whose}")
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


def winning(line: Line, number: int, rival: str, how: str) -> str:
    """What a winning claim does, and how things stand after it; `how` says more of the claim."""
    after = line.after(number)
    own = sorted({*after.private} - {*line.private})
    shut = sorted({*line.turned().choices} - {*after.turned().choices, number, *own})
    deeds = [f"makes {listed(own)} private to you"] if own else []
    deeds += [f"keeps {rival} out of {listed(shut)}"] if shut else []
    does = f"it {listed(deeds)}; " if deeds else ""
    return f"Take {number}{how}: {does}{_standing(after)}, no answer saves {rival}."


def losing(line: Line, number: int, answer: int, rival: str, how: str) -> str:
    """The best try, what is wrong with it, and how things stand then; `how` says more of the try."""
    after = line.after(number).turned().after(answer).turned()
    start = f"{number} {how}, but" if how else f"after {number}"
    return f"Every claim loses: {start} {rival} answers {answer}; {_standing(after)}, you run out first."


def _standing(line: Line) -> str:
    mine, theirs = len(line.private), len(line.turned().private)
    contested = f"{ranges(line.contested)} contested" if line.contested else "nothing contested"
    tally = f"{mine} private number{'' if mine == 1 else 's'} to {theirs}" if mine or theirs else "no private numbers"
    return f"with {contested} and {tally}"


def _private(count: int) -> str:
    return f"{count or 'no'} private number{'' if count == 1 else 's'}"


def _more(line: Line) -> str:
    count = len(line.choices)
    return f"{count} more number{'' if count == 1 else 's'}"
