"""Reasons for own trails: counts of what each player gets to first after a pick, told if they tell right from wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duelbox.core.model import listed, player
from duelbox.games.circle_duel.rules import View
from duelbox.games.circle_duel.solve.ideas import BOTH_NEED, ROOM, SHUT_IN
from duelbox.solve.api import Instead, Mark, Reason
from duelbox.solve.bits import each
from duelbox.solve.premises import Premise, reason_by

if TYPE_CHECKING:
    from duelbox.games.circle_duel.solve.own_trails import Spot, Trails

COUNTABLE = 8
"""People count rows of at most so many picks."""
CUT = 2
"""A number that both need takes at least so many picks from the opponent."""

Tally = tuple[int, int]
"""A count for the player who has just picked, and the same for the other."""


@dataclass(frozen=True)
class _Count:
    """A way to compare the players after a pick, in words for "you" and for the opponent."""

    tally: Callable[[Spot], Tally]
    """The counts in a position after a pick."""
    noun: str
    both: str
    """The clause with the counts of both, without its "you"."""
    refutes: str
    """The counts after an answer to a wrong pick, the opponent's first."""
    tied: str = ""
    """The sentence where both have as much and the other must go on; empty if that tells nothing."""
    least: int = 0
    """The lead from which it is told."""
    most: int = COUNTABLE

    def counted(self, number: int) -> str:
        """A number of what is counted: "1 pick", "3 picks"."""
        plural = "s" * (number != 1)
        return f"{number} {self.noun}{plural}"


class TrailReasons:
    """Finds the reason for the winning pick that is easiest to tell from the losing ones."""

    def __init__(self, view: View, trails: Trails, spot: Spot) -> None:
        self._view, self._trails, self._spot = view, trails, spot
        self._them = player(view.rival)
        self._first = _Count(
            self._first_rooms,
            "pick",
            "can make {} on numbers you reach first, {} can make {}",
            ". On numbers reached first {them} can make {theirs}, you {mine}",
            "You both can make {} on numbers reached first",
        )
        self._area = _Count(
            self._first_numbers,
            "number",
            "get to {} first, {} to {}",
            " and gets to {theirs} first, you to {mine}",
            least=1,
            most=2 * COUNTABLE,
        )
        self._ways = _Count(
            self._ways_on,
            "number",
            "may go on to {}, {} to {}",
            " and can go on to {theirs}, you {mine}",
            least=1,
        )

    def why(self, right: Sequence[str], wrong: Sequence[str]) -> Reason:
        """The reason why one of these right picks wins; if there is none, why the position is lost."""
        if not right:
            return self._lost()
        reason = reason_by(self._premises(wrong), right, wrong, self.refuted)
        if reason is None:
            reason = self._by_answers(right[0], self.refuted(wrong[0]) if wrong else None)
        return reason

    def refuted(self, move: str) -> Instead | None:
        """The answer to a wrong pick, by the first count in which the opponent then leads."""
        after = self._after(int(move))
        won = {bit: spot for bit in each(self._choices(after)) if not self._trails.wins(*(spot := after.after(bit)))}
        for bit, spot in won.items():
            if not self._choices(spot):
                return Instead(move, _number(bit), f"{self._them} picks {_number(bit)}, and you cannot move")
        for count in (self._area, self._first, self._ways):
            tallies = {bit: count.tally(spot) for bit, spot in won.items()}
            best = max(tallies, key=lambda bit: tallies[bit][0] - tallies[bit][1], default=0)
            if not best:
                return None
            theirs, mine = tallies[best]
            if theirs > mine and theirs <= count.most:
                takes = count.refutes.format(them=self._them, theirs=count.counted(theirs), mine=mine)
                return Instead(move, _number(best), f"{self._them} picks {_number(best)}{takes}")
        reply = _number(next(iter(won)))
        return Instead(move, reply, f"{self._them} picks {reply} and wins", counted=False)

    # -- premises, those that are easiest to check first

    def _premises(self, wrong: Sequence[str]) -> Iterator[Premise]:
        spots = {str(number): self._after(number) for number in self._view.choices}
        yield self._shut_in(spots)
        if self._spot.theirs:
            yield self._apart(spots)
            yield self._compared(spots, self._first, wrong)
            yield self._compared(spots, self._area, wrong)
            yield self._needed(spots)
            yield self._shared(spots)
        yield self._answered(spots, self._area, wrong)
        yield self._answered(spots, self._first, wrong)
        if self._spot.theirs:
            yield self._compared(spots, self._ways, wrong)
        yield self._answered(spots, self._ways, wrong)
        yield Premise(dict.fromkeys(spots, 0), "Pick {}.".format, ROOM, self._asks("most"))  # told with a reply

    def _shut_in(self, spots: Mapping[str, Spot]) -> Premise:
        """A pick after which the opponent has none."""

        def sentence(move: str) -> str:
            at = _number(spots[move].mine)
            return f"Pick {move}: no free number is next to {at}, so {self._them} cannot move."

        thought = f"{self._them} stands on {self._view.picks[-1] if self._view.picks else 'no number'}."
        counts = {move: 1 for move, spot in spots.items() if not self._choices(spot)}
        return Premise(counts, sentence, SHUT_IN, f"{thought} Which free number next to it is the last?")

    def _apart(self, spots: Mapping[str, Spot]) -> Premise:
        """A pick after which no number is within reach of both, so that the longer way wins."""
        tallies = {move: self._rooms(spot) for move, spot in spots.items() if self._trails.apart(*spot)}

        def sentence(move: str) -> str:
            mine, theirs = tallies[move]
            return f"Pick {move}: your ways part. You can still make {_picks(mine)}, {self._them} can make {theirs}."

        counts = {move: mine - theirs for move, (mine, theirs) in tallies.items() if mine >= theirs}
        return Premise(counts, sentence, ROOM, self._asks("longer way"))

    def _compared(self, spots: Mapping[str, Spot], count: _Count, wrong: Sequence[str]) -> Premise:
        """The lead in a count right after the pick."""
        tallies = {move: count.tally(spot) for move, spot in spots.items()}

        def sentence(move: str) -> str:
            mine, theirs = tallies[move]
            if max(mine, theirs) > count.most or mine - theirs < count.least:
                return ""
            if mine == theirs:
                return f"Pick {move}. {count.tied.format(count.counted(mine))}. {self._them} must go on."
            both = count.both.format(count.counted(mine), self._them, theirs)
            return f"Pick {move}. You {both}."

        counts = {move: mine - theirs for move, (mine, theirs) in tallies.items()}
        return Premise(counts, sentence, ROOM, self._asks("most"), contrast=_leads(wrong, counts))

    def _needed(self, spots: Mapping[str, Spot]) -> Premise:
        """A pick of a number that the opponent needs for the longest way."""
        before = self._trails.longest(self._spot.theirs, self._spot.free)
        near = self._trails.near[self._spot.theirs]
        left = {move: self._rooms(spot)[1] for move, spot in spots.items()}

        def sentence(move: str) -> str:
            if left[move] > before - CUT or left[move] > COUNTABLE or not near & spots[move].theirs:
                return ""
            return f"Pick {move}. {self._them} needs it, too: without it only {_picks(left[move])} are left."

        counts = {move: -room for move, room in left.items()}
        thought = f"Which number does {self._them} need most?"
        return Premise(counts, sentence, BOTH_NEED, thought)

    def _shared(self, spots: Mapping[str, Spot]) -> Premise:
        """A pick of a number that the opponent could pick next."""
        near = self._trails.near[self._spot.theirs]

        def sentence(move: str) -> str:
            left = [_number(bit) for bit in each(self._choices(spots[move]))]
            if not counts[move] or not left:
                return ""
            return f"Pick {move}. {self._them} needs it, too: then {self._them} can only pick {listed(left, 'or')}."

        counts = {move: int(bool(near & spot.theirs)) for move, spot in spots.items()}
        return Premise(counts, sentence, BOTH_NEED, "One number leads on for both of you.")

    def _answered(self, spots: Mapping[str, Spot], count: _Count, wrong: Sequence[str]) -> Premise:
        """The smallest lead in a count after any answer to the pick."""
        worst: dict[str, tuple[int, int, int]] = {}
        for move, spot in spots.items():
            tallies = {bit: count.tally(spot.after(bit)) for bit in each(self._choices(spot))}
            if tallies:
                reply = max(tallies, key=lambda bit: tallies[bit][0] - tallies[bit][1])
                worst[move] = reply, *tallies[reply]
        counts = dict.fromkeys(spots, 0) | {move: mine - theirs for move, (_, theirs, mine) in worst.items()}

        def sentence(move: str) -> str:
            if counts[move] < 0:
                return ""
            reply, theirs, mine = worst[move]
            both = count.both.format(count.counted(mine), self._them, theirs)
            return f"Pick {move}. {self._them}'s most dangerous reply is {_number(reply)}: you {both}."

        return Premise(counts, sentence, ROOM, self._asks("most"), contrast=_leads(wrong, counts))

    def _asks(self, most: str) -> str:
        return f"Count the numbers that you get to before {self._them}. Which pick leaves you the {most}?"

    # -- counts

    def _after(self, number: int) -> Spot:
        return self._spot.after(1 << number - 1)

    def _choices(self, spot: Spot) -> int:
        return self._trails.near[spot.mine] & spot.free

    def _first_rooms(self, after: Spot) -> Tally:
        """The longest rows of picks through numbers reached first."""
        theirs, mine = self._trails.near.first_there(*after)
        return self._trails.longest(after.theirs, mine), self._trails.longest(after.mine, theirs)

    def _first_numbers(self, after: Spot) -> Tally:
        """The numbers reached first."""
        theirs, mine = self._trails.near.first_there(*after)
        return mine.bit_count(), theirs.bit_count()

    def _ways_on(self, after: Spot) -> Tally:
        """The free numbers next to the last pick."""
        near = self._trails.near
        return (near[after.theirs] & after.free).bit_count(), (near[after.mine] & after.free).bit_count()

    def _rooms(self, after: Spot) -> Tally:
        """The longest rows of picks if the other player stood still."""
        return self._trails.longest(after.theirs, after.free), self._trails.longest(after.mine, after.free)

    # -- answers

    def _by_answers(self, move: str, instead: Instead | None) -> Reason:
        """An answer to every pick of the opponent, using as few different answers as possible."""
        answers = self._answers(self._after(int(move)))
        thought = f"Look for a pick that leaves you an answer to each of {self._them}'s."
        told = _grouped(answers, "You answer", f"{self._them}'s")
        sentence = f"Pick {move}. {told}."
        if instead is not None:
            sentence = f"{sentence} {instead.sentence}"
        return Reason(sentence, None, thought, move, _pairs(answers), instead)

    def _lost(self) -> Reason:
        spot, trails = self._spot, self._trails
        if not (self._view.picks or self._view.gaps):
            first = spot.after(1)
            answer = next(bit for bit in each(first.free) if not trails.wins(*first.after(bit)))
            steps = answer.bit_length() - 1
            places = f"{steps} place{'s' * (steps != 1)}"
            return Reason(f"{self._them} answers any first pick with the number {places} further on.")
        answers = self._answers(spot)
        if spot.mine and spot.theirs:
            ahead = f"You can make {{}} on numbers you reach first, {self._them} can make {{}}."
            still = f"You can still make {{}}, {self._them} can make {{}}."
            for told, rooms in ((ahead, self._first_rooms), (still, self._rooms)):
                theirs, mine = rooms(spot)
                if mine <= theirs <= COUNTABLE:
                    sentence = f"{told.format(_picks(mine), theirs)} Your turn: you run out first."
                    return Reason(sentence, ROOM, shown=_pairs(answers))
        return Reason(f"{_grouped(answers, f'{self._them} answers', 'your')}.", shown=_pairs(answers))

    def _answers(self, loser: Spot) -> dict[int, str]:
        """A winning answer to every pick, using as few different answers as possible."""
        answer_to: dict[int, str] = {}
        picks = list(each(self._choices(loser)))
        while picks:
            answer, answered = self._most_answered(loser, picks)
            answer_to |= {pick.bit_length(): _number(answer) for pick in sorted(answered)}
            picks = [pick for pick in picks if pick not in answered]
        return answer_to

    def _most_answered(self, loser: Spot, picks: list[int]) -> tuple[int, list[int]]:
        """The answer that wins after most of these picks, and those picks; stops early with answers that fail too
        often."""
        best, most, trails = 0, list[int](), self._trails
        for bit in sorted(each(loser.free), key=lambda bit: 0 if loser.mine else -trails.first[bit]):
            answered: list[int] = []
            may_miss = len(picks) - len(most) - 1
            if may_miss < (bit in picks):  # a number can't answer itself
                continue
            for pick in picks.copy():
                after = loser.after(pick)
                if bit & self._choices(after) and not trails.wins(*after.after(bit)):
                    answered.append(pick)
                    continue
                picks.remove(pick)
                picks.insert(0, pick)  # picks that are hard to answer are tried first
                may_miss -= 1
                if may_miss < 0:
                    break
            else:
                best, most = bit, answered
        return best, most


def _leads(wrong: Sequence[str], counts: Mapping[str, float]) -> bool:
    """True if the player is ahead in a count after a wrong move, too."""
    return any(counts.get(move, 0) > 0 for move in wrong)


def _number(bit: int) -> str:
    return str(bit.bit_length())


def _pairs(answers: Mapping[int, str]) -> tuple[Mark, ...]:
    if not answers:
        return ()
    return (Mark("pairs", pairs=tuple((str(pick), answer) for pick, answer in answers.items())),)


def _grouped(answers: Mapping[int, str], answer: str, whose: str) -> str:
    """The answers in words: the most frequent one, and its count; `answer` is "You answer", for one."""
    by_answer = Counter(answers.values())
    often, count = by_answer.most_common(1)[0]
    if len(answers) == 1:
        return f"{answer} {next(iter(answers))} with {often}"
    if count == len(answers):
        return f"{answer} every one of {whose} picks with {often}"
    return f"{answer} {count} of {whose} {len(answers)} picks with {often}"


def _picks(count: int) -> str:
    if count == 1:
        return "1 pick"
    return f"{count} picks"
