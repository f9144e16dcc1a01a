"""Why a Sequence Duel is won or lost, in words for the player to move, read off the line.

Private numbers are those that only one player can ever claim, told as safe; contested are those in stretches where both
still can, told as in play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from duelbox.core.model import listed, ranges
from duelbox.games.sequence_duel.solve.line import Match, Numbers, Stretches
from duelbox.solve.api import Mark

Answers = Sequence[tuple[int, int]]  # every claim that may be made, with one that wins after it

NO_CLAIM = 0  # stands for the claim of a reason that recommends none


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


def plain(line: Stretches, after: Mapping[int, Stretches], rival: str) -> Reason | None:
    """Why, where counting or matching shows it without a search, with `after` the line after each claim."""
    return _counted(line, rival) or claiming(line, after, rival)


def claiming(line: Stretches, after: Mapping[int, Stretches], rival: str) -> Reason | None:
    """The same by one of these claims, or by what the rival answers to all there are."""
    return _counted_after(after, rival) or _matched(line, after, rival)


def slower(plain: Reason, best: Reason) -> Reason:
    """The reason for the best claim, with what is worth knowing of one that wins later."""
    return replace(best, sentence=f"{best.sentence} {plain.aside}") if plain.aside else best


def _counted(line: Stretches, rival: str) -> Reason | None:
    turned = line.turned()
    mine, theirs = len(line.private), len(turned.private)
    if not line.contested:
        tally = f"Only safe numbers are left: you have {mine or 'none'}, {rival} has {theirs or 'none'}"
        end = f"{rival} runs out first" if mine > theirs else "It is your turn, so you run out first"
        return Reason(mine > theirs, f"{tally}. {end}.", shown=_border(line.private))
    if mine > len(turned.choices):
        told = f"You have {_safe(mine)}, {rival} has at most {_claims(turned)} left. You win whatever you claim."
        return Reason(True, told, shown=_border(line.private))
    if theirs >= len(line.choices):
        first = ", and it is your turn" if theirs == len(line.choices) else ""
        told = f"{rival} has {_safe(theirs)}, you have at most {_claims(line)} left{first}."
        return Reason(False, told, shown=_border(turned.private))
    return None


def _counted_after(after: Mapping[int, Stretches], rival: str) -> Reason | None:
    """The claim with the most private numbers over the rival's last claims, if they are enough."""
    turned = {number: then.turned() for number, then in after.items()}
    spare = {number: len(then.private) - len(turned[number].choices) for number, then in after.items()}
    best = max(spare, key=lambda number: spare[number])
    if spare[best] < 0:
        return None
    mine, theirs = len(after[best].private), len(turned[best].choices)
    if not theirs:
        idea = f"Look for a claim after which {rival} cannot claim any number."
        return Reason(True, f"Claim {best}. Then {rival} cannot claim any number.", best, idea)
    first = " and has to claim first. You win" if mine == theirs else ". You win"
    tally = f"you have {_safe(mine)}, {rival} has at most {_claims(turned[best])} left"
    idea = f"Look for a claim that leaves {rival} at most {_claims(turned[best])}, and you as many safe numbers."
    told = f"Claim {best}. Then {tally}{first} whatever you claim next."
    return Reason(True, told, best, idea, shown=_border(after[best].private))


def _matched(line: Stretches, after: Mapping[int, Stretches], rival: str) -> Reason | None:
    size = len(line.choices)
    if line.untouched and line.ring and size % 2 == 0:
        such = f"such as 1 with {size // 2 + 1}"
        mirror = _mirrored([(line.choices[: size // 2], line.choices[size // 2 :])])
        return Reason(False, f"{rival} can answer every claim with its partner opposite, {such}.", shown=mirror)
    turned = line.turned()
    matches = turned.matches() if len(turned.private) >= len(line.private) else None
    if matches is not None:
        told = f"{rival} can answer every claim with its partner: {_pairs(matches, line, 'your')}."
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
    how = "every claim with its partner"
    return Reason(
        True,
        f"Claim {number}{where}. Answer every claim with its partner: {pairs}.",
        number,
        f"Look for a claim after which you can answer {how}.",
        f"You can also claim {number}{where}{',' if where else ''} and answer {how}, but that wins later.",
    )


def _mirrored(matches: Sequence[Match], *axis: int) -> tuple[Mark, ...]:
    """The numbers that answer each other, either way round; `axis` is the claim in the middle of all."""
    pairs = [(str(one), str(two)) for match in matches for one, two in zip(*match, strict=True)]
    if not pairs:
        return ()
    return (Mark("mirror" if axis else "pairs", axis, tuple(pairs + [(two, one) for one, two in pairs])),)


def _pairs(matches: list[Match], mover: Stretches, whose: str) -> str:
    """Which numbers answer which, in the order of the line, and that private ones answer private ones."""
    told: list[Match] = []
    for pair in matches:
        one, other = sorted(pair, key=min)
        down = len(one) > 1 and one[1] == one[0] - 1
        told.append((one[::-1], other[::-1]) if down else (one, other))
    spans = [f"{_span(one)} with {_span(other)}" for one, other in sorted(told)]
    if mover.private:
        spans.append(f"each of {whose} safe numbers with one of {'their own' if whose == 'your' else 'yours'}")
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


def winning(line: Stretches, number: int, rival: str, how: str, answers: Answers = ()) -> Reason:
    """What a winning claim does, and what to claim next or how things stand; `how` says more of the claim."""
    own, shut = _gained(line, number)
    idea = f"Look for a claim that {_deeds(own, shut, rival) or f'leaves {_standing(line.after(number), rival)}'}."
    deeds = [f"makes {listed(own)} safe for you"] if own else []
    deeds += [f"closes {listed(shut)} to {rival}"] if shut else []
    does = f" That {listed(deeds)}." if deeds else ""
    if answers:
        sentence = f"Claim {number}{how}.{does} Then claim {_told(answers, 'answer')}."
        return Reason(True, sentence, number, idea, shown=(*_border((*own, *shut)), *_answered(answers)))
    standing = _standing(line.after(number), rival)
    sentence = f"Claim {number}{how}.{does} With {standing}, you win whatever {rival} claims."
    return Reason(True, sentence, number, idea, shown=_border((*own, *shut)))


def losing(line: Stretches, number: int, rival: str, how: str, answers: Answers) -> Reason:
    """What the opponent answers to every claim, or only to the best try; `how` says more of the try."""
    deeds = _deeds(*_gained(line, number), rival)
    idea = f"Every claim loses, so hold out: look for one that {deeds}." if deeds else ""
    best = f"{number} {how}" if how else f"Try {number}"
    if len(answers) == len(line.choices):
        sentence = f"Every claim loses: {rival} then claims {_told(answers, 'answers')}. {best}."
        return Reason(False, sentence, number, idea, shown=_answered(answers))
    ((_, answer),) = answers
    after = line.after(number).turned().after(answer).turned()
    sentence = f"Every claim loses. {best}; {rival} wins by claiming {answer}, with {_standing(after, rival)}."
    return Reason(False, sentence, number, idea, shown=_answered(answers))


def _told(answers: Answers, answer: str) -> str:
    """The answer to most claims, and the others with the claims that they `answer`."""
    by_answer: dict[int, list[int]] = {}
    for claim, number in answers:
        by_answer.setdefault(number, []).append(claim)
    most = max(by_answer, key=lambda number: len(by_answer[number]))
    rest = [f"{_either(claims)} with {number}" for number, claims in by_answer.items() if number != most]
    told = ", and ".join(filter(None, (", ".join(rest[:-1]), *rest[-1:])))
    return f"{most}, but {answer} {told}" if rest else str(most)


def _either(claims: Sequence[int]) -> str:
    return " or ".join(ranges(sorted(claims)).replace("-", " to ").rsplit(", ", 1))


def _answered(answers: Answers) -> tuple[Mark, ...]:
    return (Mark("pairs", pairs=tuple((str(claim), str(answer)) for claim, answer in answers)),)


def _border(numbers: Sequence[int]) -> tuple[Mark, ...]:
    return (Mark("border", tuple(numbers)),) if numbers else ()


def _gained(line: Stretches, number: int) -> tuple[list[int], list[int]]:
    """What only Left can claim after this claim, and what else Right no longer can."""
    after = line.after(number)
    own = sorted({*after.private} - {*line.private})
    return own, sorted({*line.turned().choices} - {*after.turned().choices, number, *own})


def _deeds(own: Sequence[int], shut: Sequence[int], rival: str) -> str:
    """The same without naming a number."""
    deeds = [f"makes {_numbers(len(own))} safe for you"] if own else []
    deeds += [f"closes {_numbers(len(shut))} to {rival}"] if shut else []
    return listed(deeds)


def _standing(line: Stretches, rival: str) -> str:
    mine, theirs = len(line.private), len(line.turned().private)
    both = sorted({*line.choices} & {*line.turned().choices})
    shared = f"{ranges(both)} in play" if both else "nothing in play"
    if not mine and not theirs:
        return f"{shared} and no safe number"
    return f"{shared}, {_safe(mine)} for you and {theirs or 'none'} for {rival}"


def _safe(count: int) -> str:
    """So many numbers nobody else can ever claim, or close."""
    return f"{count or 'no'} safe number{'' if count == 1 else 's'}"


def _numbers(count: int) -> str:
    return f"{count or 'no'} number{'' if count == 1 else 's'}"


def _claims(line: Stretches) -> str:
    count = len(line.choices)
    return f"{count} claim{'' if count == 1 else 's'}"
