"""The reason why a digit chain is won or lost, with the numbers to answer with."""

from __future__ import annotations

from collections.abc import Iterable

from duelbox.core.model import listed
from duelbox.games.digit_chain.solve.chains import LAST, PARTNER, Chains, Place, alone, reached, rows
from duelbox.solve.api import Idea, Reason
from duelbox.solve.bits import numbers_in

_MOST = 3  # at most this many answers are listed; of more there are examples
_WHERE_ENDS = "What can follow each of your numbers? Is there one that nothing can follow?"
DEAD_END = Idea("dead end", "Pick a number that no number can follow, and you have won.", _WHERE_ENDS)
REVERSE = Idea(
    "reverse",
    "Answer 12 with 21 and 7 with 77: while every number has its reverse, whoever answers wins.",
    "Which of their answers would you answer with the reverse? Which numbers have lost theirs?",
)
ONE_DOOR = Idea(
    "one door",
    "Leave one number only, and have the answer to it.",
    "After which of your numbers could they pick only one?",
)
BROKEN_PAIR = Idea(
    "broken pair",
    "Look at the numbers that have lost their reverse: keep an answer ready for each of them.",
    "Which numbers have lost their reverse? In which row are they, and what answers them?",
)
LEAVE_FEW = Idea(
    "leave few",
    "Leave few numbers to answer with, fewer than any other pick would.",
    "How many numbers could they pick after each of yours? Where are they fewest?",
)
IDEAS = (DEAD_END, REVERSE, ONE_DOOR, BROKEN_PAIR, LEAVE_FEW)


class Reasons:
    """Makes sentences for the player to move."""

    def __init__(self, chains: Chains, wild: bool) -> None:
        self._chains, self._rows, self._wild = chains, rows(wild), wild

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

    def easiest(self, place: Place, wins: Iterable[int]) -> int:
        """The winning pick that is easiest to explain: one that leaves a single answer, then few broken pairs, then few
        answers."""

        def effort(pick: int) -> tuple[int, int, int]:
            way = reached(place, pick)
            picks = self._picks(way)
            broken = sum(not way[0] >> PARTNER[number] & 1 for number in picks)
            return len(picks) > 1, broken, len(picks)

        return min(wins, key=effort)

    def win(self, place: Place, pick: int) -> Reason:
        """The reason why this pick wins."""
        way = reached(place, pick)
        if self.ends(way):
            thought = "One of your numbers cannot be followed."
            return Reason(f"Pick {pick}: {self._end(pick)}.", DEAD_END, thought, str(pick))
        picks = self._picks(way)
        if only := self._only(way):
            thought = "After one of your numbers they have a single pick, and you an answer to it."
            sentence = f"Pick {pick}: they can only pick {only[0]}, and you can answer {only[1]}."
            return Reason(sentence, ONE_DOOR, thought, str(pick))
        answers, idea = self._answers(way)
        if idea is None and len(picks) == min(len(self._picks(reached(place, one))) for one in self._picks(place)):
            idea = LEAVE_FEW
        thought = f"After one of your numbers they have {len(picks)} picks, and you an answer to each."
        if idea is REVERSE:
            thought = "After one of your numbers you can answer whatever they pick with its reverse."
        return Reason(f"Pick {pick}, then you can answer {answers}.", idea, thought, str(pick))

    def loss(self, place: Place) -> Reason:
        """The reason why every pick loses."""
        if only := self._only(place):
            return Reason(f"You can only pick {only[0]}, and they can answer {only[1]}.", None)
        answers, idea = self._answers(place)
        return Reason(f"They can answer {answers}.", idea)

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

    def _only(self, place: Place) -> tuple[int, str] | None:
        """The only pick of a lost position and the answer to it; None if there are several."""
        picks = self._picks(place)
        if len(picks) > 1:
            return None
        answer = self._answer(place, picks[0])
        ended = self.ends(reached(reached(place, picks[0]), answer))
        return picks[0], f"with {answer}: {self._end(answer)}" if ended else f"with {answer}"

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
            return f"{count}, and {_listed(broken)}", BROKEN_PAIR
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
    examples = short + [pick for pick in once if pick > 9][: _MOST - len(short)]
    return f", such as {_listed({pick: once[pick] for pick in examples})}"


def _listed(answers: dict[int, int]) -> str:
    return listed([f"{pick} with {answer}" for pick, answer in answers.items()])
