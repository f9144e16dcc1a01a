"""The reason why a Sequence Duel is won or lost, in words for the player to move.

It counts three things: safe numbers, which nobody can take from a player any more; a player's numbers, which only they
can claim at present; and the stake of a stretch, the gain of the best claim there for the player to move plus that for
the opponent. A gain is counted in numbers of the one less numbers of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from duelbox.core.model import listed
from duelbox.games.sequence_duel.solve.line import MatchedNumbers, Stretch, Stretches
from duelbox.solve.api import Idea, Instead, Mark, Reason
from duelbox.solve.premises import Premise, reason_by

Answers = Sequence[tuple[int, int]]  # every claim, with one that wins after it

Refuted = Callable[[str], Instead | None]

Known = tuple[bool, Reason]  # True if the player to move wins, and the reason

MIRROR = Idea(
    "mirror",
    "Copy: whoever can answer every number with its partner never runs out first.",
    "What would it look like if you copied? Which number has no partner, or what lies in the middle?",
)
NEXT_TO_THE_END = Idea(
    "next to the end",
    "The number next to an open end makes two numbers yours with one claim.",
    "How many numbers are yours, how many your opponent's? What do the ends of the line offer?",
)
STAKE = Idea(
    "where most is at stake",
    "Add what each of you can gain in a stretch: play where most is at stake.",
    "How many numbers are yours, how many your opponent's? Where could each of you gain most?",
)
COUNT = Idea(
    "count the end",
    "Safe numbers are claims in hand: whoever has more of them wins the end.",
    "How many safe numbers has each of you? How many claims are left to your opponent at most?",
)
HOLD_BACK = Idea(
    "hold back",
    "A number that only you can claim can wait: first claim what both can claim.",
    "Which numbers can both of you claim, and which can only you?",
)
IDEAS = (HOLD_BACK, COUNT, MIRROR, NEXT_TO_THE_END, STAKE)


def plain(line: Stretches, after: Mapping[int, Stretches], them: str) -> Known | None:
    """The reason, if counting or matching shows it without a search; `after` is the line after each claim, `them` the
    opponent."""
    return _counted(line, them) or _counted_after(after, them) or _matched(line, after, them)


def _counted(line: Stretches, them: str) -> Known | None:
    turned = line.turned()
    mine, theirs = len(line.private), len(turned.private)
    if not line.contested:
        tally = f"Only safe numbers are left: you have {mine or 'none'}, {them} has {theirs or 'none'}"
        end = f"{them} runs out first" if mine > theirs else "It is your turn, so you run out first"
        return mine > theirs, Reason(f"{tally}. {end}.", COUNT, shown=_border(line.private))
    if mine > len(turned.choices):
        sentence = f"You have {_safe(mine)}, {them} has at most {_claims(turned)} left: you win whatever you claim."
        return True, Reason(sentence, COUNT, shown=_border(line.private))
    if theirs >= len(line.choices):
        first = ", and it is your turn" if theirs == len(line.choices) else ""
        sentence = f"{them} has {_safe(theirs)}, you have at most {_claims(line)} left{first}."
        return False, Reason(sentence, COUNT, shown=_border(turned.private))
    return None


def _counted_after(after: Mapping[int, Stretches], them: str) -> Known | None:
    """The claim with the most private numbers over the rival's last claims, if they are enough."""
    turned = {number: then.turned() for number, then in after.items()}
    spare = {number: len(then.private) - len(turned[number].choices) for number, then in after.items()}
    best = max(spare, key=lambda number: spare[number])
    if spare[best] < 0:
        return None
    mine, theirs = len(after[best].private), len(turned[best].choices)
    if not theirs:
        return True, Reason(
            f"Claim {best}. Then {them} cannot claim any number.", COUNT, f"Leave {them} no claim.", str(best)
        )
    first = f". {them} moves next" if mine == theirs else ""
    sentence = f"Claim {best}: you then have {_safe(mine)}, {them} at most {_claims(turned[best])}{first}."
    thought = f"Leave {them} at most {_claims(turned[best])}, and yourself as many safe numbers."
    return True, Reason(sentence, COUNT, thought, str(best), _border(after[best].private))


def _matched(line: Stretches, after: Mapping[int, Stretches], them: str) -> Known | None:
    matches = line.copied()
    if matches is not None:
        opposite = f" opposite, such as 1 with {len(line.choices) // 2 + 1}"
        partner = opposite if line.untouched else f", {_copied(matches, line)}"
        sentence = f"{them} can copy: every number has its partner{partner}."
        return False, Reason(sentence, MIRROR, shown=_mirrored(matches))
    for number, then in after.items():
        turned = then.turned()
        matches = turned.copied()
        if matches is not None:
            middle, axis = (", in the middle,", (number,)) if line.untouched else ("", ())
            partners = _copied(matches, turned)
            sentence = f"Claim {number}{middle} and copy: answer each with its partner, {partners}."
            thought = "Look for a claim after which every number has a partner: then you can copy to the end."
            return True, Reason(sentence, MIRROR, thought, str(number), _mirrored(matches, *axis))
    return None


def _mirrored(matches: Sequence[MatchedNumbers], *axis: int) -> tuple[Mark, ...]:
    """The marks of the numbers that answer each other; `axis` is the claim in the middle."""
    pairs = [(str(one), str(two)) for match in matches for one, two in zip(*match, strict=True)]
    if not pairs:
        return ()
    return (Mark("mirror" if axis else "pairs", axis, tuple(pairs + [(two, one) for one, two in pairs])),)


def _copied(matches: Sequence[MatchedNumbers], mover: Stretches) -> str:
    """Some of the partners, in words; "safe with safe" if safe numbers answer each other."""
    pairs = [pair for match in matches for pair in zip(*match, strict=True)]
    named = [f"{one} with {two}" for one, two in pairs[: 1 if mover.private else 2]]
    rest = " and so on" if len(pairs) > len(named) else ""
    return f"{', '.join(named)}{rest}{', safe with safe' if mover.private else ''}"


# -- by balance


def winning(line: Stretches, right: Sequence[str], wrong: Sequence[str], them: str, refuted: Refuted) -> Reason:
    """The reason for a winning claim: next to the end, or the lead after it, or what is at stake there, or the answer
    to the losing claim that gains as much."""
    reason = reason_by(_premises(line, them), right, wrong, refuted)
    if reason is None:
        instead = refuted(wrong[0]) if wrong else None
        reason = Reason(f"Claim {right[0]}.", None, _standing(line, them), right[0], instead=instead)
    return reason


def held_back(reason: Reason, line: Stretches, right: Sequence[str], wrong: Sequence[str]) -> Reason:
    """The reason of a count, by the idea that tells the claims apart: those that win are open to both players, those
    that lose to the claimer alone."""
    mine, _ = _only(line)
    waiting = {str(number) for number in mine}
    if reason.idea is not COUNT or not wrong or not waiting.issuperset(wrong) or not waiting.isdisjoint(right):
        return reason
    return replace(reason, idea=HOLD_BACK, thought="Some claims are open to both of you, the others to you alone.")


def _premises(line: Stretches, them: str) -> Iterator[Premise]:
    mine, theirs = _gains(line), _gains(line.turned())
    tallies = {number: tuple(map(len, _only(line.after(number)))) for number in line.choices}
    leads = {str(number): own - others for number, (own, others) in tallies.items()}

    def shown(move: str) -> tuple[Mark, ...]:
        gained, shut = _changed(line, int(move))
        return _border((*gained, *shut))

    def at_the_end(move: str) -> str:
        if not _at_the_end(line, int(move)):
            return ""
        return f"Claim {move}. Next to the end: {_does(line, int(move), them)}."

    def ahead(move: str) -> str:
        return f"Claim {move}. {_largest_stake(line, int(move))}{_does(line, int(move), them)}."

    def at_stake(move: str) -> str:
        number = int(move)
        if mine[number] < 1 or theirs.get(number, 0) < 1:
            return ""
        return f"Claim {move}. It gains you {mine[number]}, and would gain {them} {theirs[number]}: most is at stake."

    def leaves(move: str) -> str:
        return f"Claim {move}. It leaves {_numbers(tallies[int(move)][1])} to {them} alone, the fewest."

    ends = f"{_standing(line, them)} Look at the ends of the line: which claim gains most there?"
    most = f"{_standing(line, them)} Which claim makes most numbers yours and takes most from {them}?"
    yield Premise(leads, at_the_end, NEXT_TO_THE_END, ends, shown)
    yield Premise(leads, ahead, STAKE, most, shown)
    swings = {str(number): gain + theirs.get(number, 0) for number, gain in mine.items()}
    yield Premise(swings, at_stake, STAKE, most, shown)
    yield Premise({str(number): -others for number, (_, others) in tallies.items()}, leaves, STAKE, most, shown)


def _does(line: Stretches, number: int, them: str) -> str:
    """The effect of a claim: "9 makes 8 and 10 yours: 6 to 5"."""
    gained, shut = _changed(line, number)
    deeds = [f"makes {listed(gained)} yours"] if gained else []
    deeds += [f"takes {listed(shut)} from {them}"] if shut else []
    does = listed(deeds) or "keeps the balance"
    own, others = _only(line.after(number))
    return f"{number} {does}: {len(own)} to {len(others)}"


def answered(line: Stretches, number: int, reply: int, them: str) -> Instead:
    """The answer to a losing claim, and the numbers of both after it."""
    turned = line.after(number).turned()
    theirs, mine = map(len, _only(turned.after(reply)))
    takes = f"{them} claims {reply} and has {theirs} to {mine}"
    if theirs == mine:
        takes = f"{them} claims {reply}: {theirs} to {mine}, and it is your turn"
    _, shut = _changed(turned, reply)
    if theirs < mine:
        takes = f"{them} claims {reply} and takes {listed(shut)} from you"
    if theirs < mine and not shut:
        return Instead(str(number), str(reply), f"{them} claims {reply} and wins", counted=False)
    return Instead(str(number), str(reply), takes)


def losing(line: Stretches, number: int, answers: Answers, them: str) -> Reason:
    """The reason by the answer that wins after most claims, or after this one."""
    shown = (Mark("pairs", pairs=tuple((str(claim), str(answer)) for claim, answer in answers)),)
    replies = [answer for _, answer in answers]
    most = max(replies, key=replies.count)
    if len(answers) == len(line.choices) and 1 < replies.count(most) * 2 > len(answers):
        count = f"{replies.count(most)} of your {len(answers)} claims" if len(set(replies)) > 1 else "every claim"
        return Reason(f"{them} can answer {count} with {most}.", None, shown=shown)
    reply = dict(answers)[number]
    return Reason(f"Every claim loses: {them} answers {number} with {reply}.", None, shown=shown)


def _only(line: Stretches) -> tuple[set[int], set[int]]:
    """The numbers that only Left can claim at present, and those that only Right can."""
    mine, theirs = set(line.choices), set(line.turned().choices)
    return mine - theirs, theirs - mine


def lead(line: Stretches) -> int:
    """Left's numbers less Right's."""
    mine, theirs = _only(line)
    return len(mine) - len(theirs)


def _gains(line: Stretches) -> dict[int, int]:
    """The gain of each claim of Left's: the change of Left's numbers less Right's."""
    before = lead(line)
    return {number: lead(line.after(number)) - before for number in line.choices}


def _changed(line: Stretches, number: int) -> tuple[list[int], list[int]]:
    """The numbers that a claim makes Left's, and those that it takes from Right."""
    mine, theirs = _only(line)
    own, others = _only(line.after(number))
    return sorted(own - mine), sorted(theirs - others - {number})


def _at_the_end(line: Stretches, number: int) -> bool:
    """True if a claim is next to an open end of the line and makes the end Left's."""
    gained, _ = _changed(line, number)
    last = max(one for stretch in line.stretches for one in stretch.numbers)
    at_the_end = (number == 2 and 1 in gained) or (number + 1 == last == line.size and last in gained)
    return at_the_end and not line.ring


def _stakes(line: Stretches) -> list[tuple[int, Stretch]]:
    """The stretches in which both can claim, with their stakes, the largest first."""
    stakes = []
    for stretch in line.stretches:
        alone = Stretches((stretch,), line.ring)
        if {*alone.choices} & {*alone.turned().choices}:
            gains = (max(_gains(side).values(), default=0) for side in (alone, alone.turned()))
            stakes.append((sum(gains), stretch))
    return sorted(stakes, key=lambda one: -one[0])


def _largest_stake(line: Stretches, number: int) -> str:
    """The largest stake and the next, if the claim is at the largest one; else empty."""
    stakes = _stakes(line)
    if len(stakes) < 2 or number not in stakes[0][1].numbers or stakes[0][0] == stakes[1][0]:
        return ""
    (most, one), (next_most, two) = stakes[:2]
    return f"At stake: {most} in {_span(one)}, {next_most} in {_span(two)}. "


def _span(stretch: Stretch) -> str:
    one, two = stretch.numbers[0], stretch.numbers[-1]
    down = len(stretch.numbers) > 1 and stretch.numbers[1] == one - 1
    return f"{two}-{one}" if down else f"{one}-{two}"


def _standing(line: Stretches, them: str) -> str:
    """The numbers of both: "Even so far: 2 numbers are yours, Player 2 has 2."."""
    mine, theirs = map(len, _only(line))
    if not mine and not theirs:
        return "No number is anybody's yet."
    lead = "Even so far" if mine == theirs else "You are ahead" if mine > theirs else "You are behind"
    return f"{lead}: {_numbers(mine)} {'is' if mine == 1 else 'are'} yours, {them} has {theirs or 'none'}."


def _border(numbers: Sequence[int]) -> tuple[Mark, ...]:
    return (Mark("border", tuple(numbers)),) if numbers else ()


def _safe(count: int) -> str:
    """A count of safe numbers."""
    return f"{count or 'no'} safe number{'' if count == 1 else 's'}"


def _numbers(count: int) -> str:
    return f"{count or 'no'} number{'' if count == 1 else 's'}"


def _claims(line: Stretches) -> str:
    count = len(line.choices)
    return f"{count} claim{'' if count == 1 else 's'}"
