"""Why a digit chain is won or lost, in a sentence with the numbers to answer with."""

from __future__ import annotations

from duelbox.core.model import Seat, listed, other, player
from duelbox.games.digit_chain.solve.chains import LAST, PARTNER, Chains, Place, alone, reached, rows
from duelbox.solve.bits import numbers_in

_MOST = 4  # answers of one kind told one by one; of more than these there are examples
_EXAMPLES = 3


class Reasons:
    """Sentences for the player in this seat, who is to move."""

    def __init__(self, chains: Chains, wild: bool, seat: Seat) -> None:
        self._chains, self._rows, self._wild = chains, rows(wild), wild
        self._rival = player(other(seat))

    def winning(self, place: Place) -> int:
        """A winning pick: one that ends the game, or else leaves the rival nothing but pairs, where there is one."""
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
        """Whether the player to move here cannot."""
        return not place[0] & self._rows[place[2]]

    def win(self, place: Place, pick: int) -> str:
        """What this winning pick does."""
        way = reached(place, pick)
        if self.ends(way):
            return f"Pick {pick}: {self._end(pick)}."
        if only := self._only(way):
            return f"Pick {pick}: {self._rival} can only pick {only[0]}, and you can answer {only[1]}."
        return f"Pick {pick}, then you can answer {self._answers(way)}."

    def idea(self, place: Place, pick: int) -> str:
        """What this winning pick aims at, without the number."""
        way = reached(place, pick)
        if self.ends(way):
            return f"Look for a dead end: a number after which {self._rival} cannot go on."
        picks = self._picks(way)
        if len(picks) == 1:
            return f"Look for a number after which {self._rival} has only one pick, and you an answer to it."
        if all(way[0] >> PARTNER[number] & 1 for number in picks):
            return f"Look for a number after which you can answer whatever {self._rival} picks with its reverse."
        ending = [number for number in picks if self._ending(reached(way, number)) is not None]
        if len(ending) == len(picks):
            return f"Look for a number after which {self._rival}'s picks all let you reach a dead end."
        return f"Look for a number after which {self._rival} has {len(picks)} picks, and you an answer to each."

    def answers(self, place: Place) -> list[tuple[int, int]]:
        """The picks here, which all lose, each with an answer."""
        return [(pick, self._answer(place, pick)) for pick in self._picks(place)]

    def loss(self, place: Place) -> str:
        """What the rival does about every pick."""
        if only := self._only(place):
            return f"You can only pick {only[0]}, and {self._rival} can answer {only[1]}."
        return f"{self._rival} can answer {self._answers(place)}."

    def _picks(self, place: Place) -> list[int]:
        return numbers_in(place[0] & self._rows[place[2]])

    def _ending(self, place: Place) -> int | None:
        """A pick that ends the game."""
        return next((number for number in self._picks(place) if self.ends(reached(place, number))), None)

    def _end(self, pick: int) -> str:
        if LAST[pick]:
            return f"then no number beginning with {LAST[pick]} is left"
        return "then no number is left" if self._wild else "it ends in 0, and no number begins with 0"

    def _answer(self, place: Place, pick: int) -> int:
        """What wins after this lost pick: what ends the game, its reverse, or else what the search found."""
        way, mate = reached(place, pick), PARTNER[pick]
        ending = self._ending(way)
        if ending is not None:
            return ending
        return mate if place[0] >> mate & 1 else self.winning(way)

    def _only(self, place: Place) -> tuple[int, str] | None:
        """The only pick here, which loses, and its answer; None where there are more."""
        picks = self._picks(place)
        if len(picks) > 1:
            return None
        answer = self._answer(place, picks[0])
        ended = self.ends(reached(reached(place, picks[0]), answer))
        return picks[0], f"with {answer}: {self._end(answer)}" if ended else f"with {answer}"

    def _answers(self, place: Place) -> str:
        """The picks here, which all lose, each with an answer."""
        pool, picks = place[0], self._picks(place)
        tens = {number: 10 * LAST[number] for number in picks}
        if not self._wild and all(pool >> ten & 1 for ten in tens.values()):
            return f"any number with one that ends in 0, and no number begins with 0{_told(tens)}"
        pairs = {number: PARTNER[number] for number in picks if pool >> PARTNER[number] & 1}
        if len(pairs) == len(picks):
            return f"any number with its reverse{_told(pairs)}"
        if len(picks) <= _MOST:
            return _listed({number: self._answer(place, number) for number in picks})
        alone = [number for number in picks if number not in pairs]
        doubled = next((f" ({number} with {pairs[number]})" for number in pairs if number < 10), "")
        rest = f", and any other number with its reverse{doubled}" if pairs else ""
        return f"{_listed({number: self._answer(place, number) for number in alone})}{rest}"


def _told(answers: dict[int, int]) -> str:
    """All of these answers, or examples where they are many: two-digit numbers, and no more than one like 7."""
    once = {pick: answer for pick, answer in answers.items() if answers.get(answer) != pick or pick < answer}
    if len(once) <= _MOST:
        return f": {_listed(once)}"
    short = [pick for pick in once if pick < 10][:1]
    examples = short + [pick for pick in once if pick > 9][: _EXAMPLES - len(short)]
    return f", such as {_listed({pick: once[pick] for pick in examples})}"


def _listed(answers: dict[int, int]) -> str:
    return listed([f"{pick} with {answer}" for pick, answer in answers.items()])
