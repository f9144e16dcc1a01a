"""The reason why a digit chain is won or lost, with the numbers to answer with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from duelbox.core.model import listed
from duelbox.games.digit_chain.solve.chains import LAST, PARTNER, Chains, Place, alone, reached, rows
from duelbox.solve.api import Idea, Instead, Reason
from duelbox.solve.bits import numbers_in
from duelbox.solve.premises import Premise, reason_by

_MOST = 3  # at most this many answers are listed; of more there are examples
_MANY = 0.75  # a smaller share of numbers with their reverse does not convince without a wrong pick and its answer
_WHERE_ENDS = "What can follow each of your numbers? Is there one that nothing can follow?"
DEAD_END = Idea("dead end", "Pick a number that no number can follow, and you have won.", _WHERE_ENDS)
REVERSE = Idea(
    "reverse",
    "Answer 12 with 21 and 7 with 77: while every number has its reverse, whoever answers wins.",
    "Which answers could you answer with the reverse? Which numbers have lost it?",
)
ONE_DOOR = Idea(
    "one door",
    "Leave one number only, and have the answer to it.",
    "After which of your numbers could your opponent pick only one?",
)
BROKEN_PAIR = Idea(
    "broken pair",
    "Look at the numbers that have lost their reverse: keep an answer ready for each of them.",
    "Which numbers have lost their reverse? In which row are they, and what answers them?",
)
LEAVE_FEW = Idea(
    "leave few",
    "Leave few numbers to answer with, fewer than any other pick would.",
    "How many numbers could follow each of yours? Where are they fewest?",
)
IDEAS = (DEAD_END, REVERSE, ONE_DOOR, BROKEN_PAIR, LEAVE_FEW)


class Reasons:
    """Makes sentences for the player to move."""

    def __init__(self, chains: Chains, wild: bool, them: str) -> None:
        self._chains, self._rows, self._wild = chains, rows(wild), wild
        self._them = them

    def winning(self, place: Place) -> int:
        """A winning pick: one that ends the game, else one that leaves nothing but pairs, else any."""
        ending = self._ending(place)
        if ending is not None:
            return ending
        picks = self._picks(place)
        for number in picks:
            if not alone(reached(place, number), self._wild):
                return number
        pick = self._chains.pick(*place[1:])
        return pick if pick in picks else PARTNER[pick]

    def ends(self, place: Place) -> bool:
        """True if the player to move cannot pick."""
        return not place[0] & self._rows[place[2]]

    def win(self, place: Place, right: Sequence[str], wrong: Sequence[str]) -> Reason:
        """The reason for the winning pick that is easiest to tell from the losing ones."""

        def answered(pick: str) -> Instead:
            return self.refuted(place, pick)

        reason = reason_by(self._premises(place, right, wrong), right, wrong, answered)
        if reason is None:
            instead = answered(wrong[0]) if wrong else None
            answers = self._told(reached(place, int(right[0])))
            reason = Reason(f"Pick {right[0]}. {answers}.", None, "", right[0], instead=instead)
        return reason

    def _premises(self, place: Place, right: Sequence[str], wrong: Sequence[str]) -> Iterator[Premise]:
        them, ways = self._them, {pick: reached(place, int(pick)) for pick in (*right, *wrong)}
        picks = {pick: self._picks(way) for pick, way in ways.items()}
        broken = {pick: self._broken(way) for pick, way in ways.items()}

        def ended(pick: str) -> str:
            return f"Pick {pick}: {self._end(int(pick))}."

        def door(pick: str) -> str:
            if len(picks[pick]) != 1:
                return ""
            return f"Pick {pick}: {them} can only pick {self._only(ways[pick])}."

        def told(pick: str) -> str:
            if len(broken[pick]) > _MOST or len(broken[pick]) == len(picks[pick]):
                return ""
            return f"Pick {pick}. {self._told(ways[pick])}."

        thought = f"One of your numbers leaves {them} nothing."
        yield Premise({pick: 1 for pick in right if not picks[pick]}, ended, DEAD_END, thought)
        thought = f"After one of your numbers you can answer whatever {them} picks with its reverse."
        yield Premise({pick: 1 for pick in right if picks[pick] and not broken[pick]}, told, REVERSE, thought)
        shut = {pick: 1 for pick in right if len(picks[pick]) == 1 and self._shut(ways[pick])}
        thought = f"After one of your numbers {them} has a single pick: you can answer it."
        yield Premise(shut, door, ONE_DOOR, thought)
        lost = f"After which of your numbers has {them} the fewest that have lost their reverse?"
        shares = {pick: 1 - len(broken[pick]) / len(here) for pick, here in picks.items() if here}
        convincing = min(_MANY, max((shares.get(pick, 0) for pick in right), default=0))
        tempting = convincing < _MANY or any(shares.get(pick, 0) >= convincing for pick in wrong)
        fewest_lost = {pick: -len(one) for pick, one in broken.items()}
        yield Premise(fewest_lost, told, BROKEN_PAIR, lost, contrast=tempting)
        fewest = {pick: -len(one) for pick, one in picks.items()}
        yield Premise(fewest, door, ONE_DOOR, thought)
        yield from self._counted(ways, picks, broken, wrong)

    def _counted(
        self,
        ways: Mapping[str, Place],
        picks: Mapping[str, Sequence[int]],
        broken: Mapping[str, Sequence[int]],
        wrong: Sequence[str],
    ) -> Iterator[Premise]:
        """The numbers that keep their reverse after each pick, and all that are left."""
        them = self._them
        fewest_wrong = min((len(picks[pick]) for pick in wrong), default=0)
        smallest = min(map(len, picks.values()))
        largest = max(len(picks[pick]) - len(one) for pick, one in broken.items())

        def few(pick: str) -> str:
            count = len(picks[pick])
            answers = {one: self._answer(ways[pick], one) for one in picks[pick]} if count <= _MOST else {}
            then = f" Answer {_listed(answers)}." if answers else ""
            numbers = "1 number" if count == 1 else f"{count} numbers"
            most = ""
            if count == smallest and count < fewest_wrong:
                most = ", the fewest you can leave"
            return f"Pick {pick}. {them} then has only {numbers}{most}.{then}"

        def paired(pick: str) -> str:
            count = len(picks[pick]) - len(broken[pick])
            if count < 2:
                return ""
            most = "" if count < largest else ", the most you can leave"
            return f"Pick {pick}. {count} of {them}'s numbers have their reverse{most}."

        whole = {pick: len(picks[pick]) - len(one) for pick, one in broken.items()}
        yield Premise(whole, paired, REVERSE, f"After which of your numbers have most of {them}'s their reverse?")
        fewest = {pick: -len(one) for pick, one in picks.items()}
        yield Premise(fewest, few, LEAVE_FEW, f"After which of your numbers has {them} the fewest picks?")

    def refuted(self, place: Place, pick: str) -> Instead:
        """The answer to a losing pick after which most numbers have their reverse for the opponent."""
        way, them = reached(place, int(pick)), self._them
        won = [one for one in self._picks(way) if not self._chains.wins(*reached(way, one)[1:])]
        reply = min(won, key=lambda one: len(self._broken(reached(way, one))))
        then = reached(way, reply)
        picks, broken = self._picks(then), self._broken(then)
        takes = f"{them} picks {reply} and has the reverse of all you can pick"
        if not picks:
            takes = f"{them} picks {reply}, and you cannot go on"
        elif len(picks) == 1:
            takes = f"{them} picks {reply}, and you can only pick {picks[0]}"
        elif broken:
            takes = f"{them} picks {reply} and has the reverse of {len(picks) - len(broken)} of your {len(picks)}"
            if len(broken) <= _MOST:
                answers = _listed({one: self._answer(then, one) for one in broken})
                takes = f"{takes}. {them} answers {answers}"
        return Instead(pick, str(reply), takes, counted=not picks or len(broken) < len(picks))

    def _broken(self, place: Place) -> list[int]:
        """The numbers that may be picked and have lost their reverse."""
        return [number for number in self._picks(place) if not place[0] >> PARTNER[number] & 1]

    def _told(self, place: Place) -> str:
        """The answers to the picks of the opponent, in words."""
        picks, broken = self._picks(place), self._broken(place)
        if not self._wild and all(place[0] >> 10 * LAST[number] & 1 for number in picks):
            return (
                f"Answer any number with one that ends in 0 and wins{_examples({one: 10 * LAST[one] for one in picks})}"
            )
        if not broken:
            return f"Answer any number with its reverse{_examples({one: PARTNER[one] for one in picks})}"
        if len(broken) <= _MOST and len(broken) < len(picks):
            answers = _listed({one: self._answer(place, one) for one in broken})
            count = len(picks) - len(broken)
            have = "have their" if count > 1 else "has its"
            return f"{count} of {self._them}'s {len(picks)} numbers {have} reverse. Answer {answers}"
        every = {number: self._answer(place, number) for number in picks}
        return f"You can answer each of {self._them}'s {len(picks)} numbers{_examples(every)}"

    def _shut(self, place: Place) -> bool:
        """The only pick has an answer that ends the game."""
        number = self._picks(place)[0]
        return self.ends(reached(reached(place, number), self._answer(place, number)))

    def loss(self, place: Place) -> Reason:
        """The reason why every pick loses."""
        if len(self._picks(place)) == 1:
            return Reason(f"You can only pick {self._only(place, self._them)}.", None)
        answers, idea = self._answers(place)
        return Reason(f"{self._them} can answer {answers}.", idea)

    def answers(self, place: Place) -> list[tuple[int, int]]:
        """Every pick of a lost position with an answer that wins."""
        return [(pick, self._answer(place, pick)) for pick in self._picks(place)]

    def _picks(self, place: Place) -> list[int]:
        return numbers_in(place[0] & self._rows[place[2]])

    def _ending(self, place: Place) -> int | None:
        """A pick that ends the game, if any."""
        return next((number for number in self._picks(place) if self.ends(reached(place, number))), None)

    def _end(self, pick: int) -> str:
        if LAST[pick]:
            return f"then no number beginning with {LAST[pick]} is left"
        return "then no number is left" if self._wild else "it ends in 0, and no number begins with 0"

    def _answer(self, place: Place, pick: int) -> int:
        """An answer that wins after this lost pick: one that ends the game, else its reverse, else one found by
        search."""
        way, mate = reached(place, pick), PARTNER[pick]
        ending = self._ending(way)
        if ending is not None:
            return ending
        return mate if place[0] >> mate & 1 else self.winning(way)

    def _only(self, place: Place, who: str = "you") -> str:
        """The only pick of a lost position and the answer to it."""
        pick = self._picks(place)[0]
        answer = self._answer(place, pick)
        ended = f": {self._end(answer)}" if self.ends(reached(reached(place, pick), answer)) else ""
        return f"{pick}, and {who} can answer with {answer}{ended}"

    def _answers(self, place: Place) -> tuple[str, Idea | None]:
        """The answers to the picks of a lost position, in words, and the idea of them."""
        pool, picks = place[0], self._picks(place)
        tens = {number: 10 * LAST[number] for number in picks}
        if not self._wild and all(pool >> ten & 1 for ten in tens.values()):
            return f"any number with one that ends in 0 and wins{_examples(tens)}", DEAD_END
        pairs = {number: PARTNER[number] for number in picks if pool >> PARTNER[number] & 1}
        if len(pairs) == len(picks):
            return f"any number with its reverse{_examples(pairs)}", REVERSE
        broken = {number: self._answer(place, number) for number in picks if number not in pairs}
        if pairs and len(broken) <= _MOST:
            count = f"{len(pairs)} of {len(picks)} numbers with their reverse"
            return f"{count}. The rest: {_listed(broken)}", BROKEN_PAIR
        every = {number: self._answer(place, number) for number in picks}
        if len(picks) <= _MOST:
            return _listed(every), None
        return f"each of {len(picks)} numbers{_examples(every)}", BROKEN_PAIR if pairs else None


def _examples(answers: dict[int, int]) -> str:
    """The answers in words, or examples if they are many: mostly two-digit numbers."""
    once = {pick: answer for pick, answer in answers.items() if answers.get(answer) != pick or pick < answer}
    if len(once) <= _MOST:
        return f": {_listed(once)}"
    short = [pick for pick in once if pick < 10][:1]
    examples = short + [pick for pick in once if pick > 9][: 2 - len(short)]
    return f": {', '.join(f'{pick} with {once[pick]}' for pick in examples)} and so on"


def _listed(answers: dict[int, int]) -> str:
    return listed([f"{pick} with {answer}" for pick, answer in answers.items()])
