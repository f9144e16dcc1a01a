"""Number Circle Duel with own trails, solved by search: a number that one player picks is closed to the other.

A set of numbers is the bits of an integer. The search ends where no number is within reach of both trails: there the
longer path wins. Until then it remembers positions, without the free numbers that nobody can reach. By symmetry all
first picks on an empty ring are equal, and after one pick the ring equals its mirror image, so fewer picks are tried.

Cost: it grows by a third with each free number for steps of 1 and 2, and doubles for steps of 3. All moves of
`MOST_FREE` numbers are rated in 20 ms in the median and 0.2 s at most; the reason takes up to 0.2 s more on rings with
gaps. Turns are counted by searching one turn deeper each time, until `PLIES_NODES` more positions have been looked at
for all moves together; the rest stays None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from duelbox.games.circle_duel.rules import View
from duelbox.games.circle_duel.solve.ideas import ROOM, SHUT_IN
from duelbox.games.circle_duel.solve.shared_trail import Near, TooManyPaths, turns_to_the_end
from duelbox.solve.api import Analysis, Mark, Rated, Reason, Stop
from duelbox.solve.bits import each
from duelbox.solve.rating import Sign, analysis_from, rated

PLIES_NODES = 10_000  # positions looked at to count turns: 60 to 100 ms
_OFTEN = 63
_FIRST = "Counting only what each gets to first,"
_NEVER = 99

Key = tuple[int, int, int]


class Trails:
    """A search that remembers positions. A trail is named by the bit of its last number, 0 before its first pick."""

    def __init__(self, size: int, reach: int, check: Callable[[], None]) -> None:
        self.near = Near(size, reach)
        self._check, self._asked, self._most = check, 0, 0
        self._won: dict[Key, bool] = {}
        self._within: dict[Key, tuple[int, int]] = {}
        self._paths: dict[tuple[int, int], int] = {}
        self.first: Counter[int] = Counter()
        """The number of times that each number was found to win as the first pick of a trail."""

    def longest(self, at: int, free: int) -> int:
        """The most picks that a trail can make in a row."""
        free = self.near.reached(at, free)
        most, known = free.bit_count(), self._paths.get((at, free))
        if known is None:
            known = 0
            for bit in each(self.near[at] & free):
                known = max(known, 1 + self.longest(bit, free ^ bit))
                if known == most:
                    break
            self._paths[at, free] = known
        return known

    def apart(self, free: int, mine: int, theirs: int) -> bool:
        """True if no number is left that both trails can reach."""
        return not self.near.reached(mine, free) & self.near.reached(theirs, free)

    def wins(self, free: int, mine: int, theirs: int) -> bool:
        """True if the player to move wins; `mine` is that player's trail."""
        key = free, mine, theirs
        known = self._won.get(key)
        if known is None:
            known = self._won[key] = self._wins(free, mine, theirs)
        return known

    def _wins(self, free: int, mine: int, theirs: int) -> bool:
        choices, others = self.near[mine] & free, self.near[theirs] & free
        if not choices or (not others & (others - 1) and others | choices == choices):
            return bool(choices)  # no pick, or a pick that leaves the other player none
        here, there = self.near.reached(mine, free), self.near.reached(theirs, free)
        if not here & there:
            return self.longest(mine, here) > self.longest(theirs, there)
        if free != here | there:
            return self.wins(here | there, mine, theirs)
        self._spend()
        order: list[tuple[int, int]] = []
        while choices:
            bit = choices & -choices
            choices ^= bit
            known = self._won.get((free ^ bit, theirs, bit))
            if known is None:
                order.append(((others & ~bit).bit_count() - 2 * (self.near[bit] & free & ~bit).bit_count(), bit))
            elif not known:
                return True
        order.sort()
        if not mine:  # a first pick that wins against one number wins against most
            order.sort(key=lambda item: -self.first[item[1]])
        for _, bit in order:
            if not self.wins(free ^ bit, theirs, bit):
                self.first[bit] += not mine
                return True
        return False

    def begin(self) -> None:
        """Start a new count of positions; what the search remembers stays."""
        self._asked = self._most = 0

    def turns(self, free: int, mine: int, theirs: int) -> int | None:
        """Turns to the end if the winner hurries and the loser delays; None if counting them takes too long."""
        self._most = self._most or self._asked + PLIES_NODES
        try:
            turns = int(self.wins(free, mine, theirs))
            while not self._ends(free, mine, theirs, turns):
                turns += 2
        except TooManyPaths:
            return None
        return turns

    def _spend(self) -> None:
        self._asked += 1
        if not self._asked & _OFTEN:
            self._check()
        if self._most and self._asked > self._most:
            raise TooManyPaths

    def _ends(self, free: int, mine: int, theirs: int, turns: int) -> bool:
        """True if the game ends within these turns: for an odd number the player to move wins it, else loses it."""
        choices, others = self.near[mine] & free, self.near[theirs] & free
        if not choices:
            return True
        if turns < 2:
            return bool(turns) and any(not others & ~bit for bit in each(choices))
        here, there = self.near.reached(mine, free), self.near.reached(theirs, free)
        if not here & there:
            return turns >= (2 * self.longest(theirs, there) + 1 if turns & 1 else 2 * self.longest(mine, here))
        free = here | there
        key = free, mine, theirs
        longer, within = self._within.get(key, (0, _NEVER))
        if longer < turns < within:
            self._spend()
            if turns & 1:
                ends = any(
                    not self.wins(free ^ bit, theirs, bit) and self._ends(free ^ bit, theirs, bit, turns - 1)
                    for bit in each(choices)
                )
            else:
                ends = all(self._ends(free ^ bit, theirs, bit, turns - 1) for bit in each(choices))
            longer, within = self._within[key] = (longer, turns) if ends else (turns, within)
        return turns >= within


def _number(bit: int) -> int:
    return bit.bit_length()


def _bit(number: int | None) -> int:
    return 0 if number is None else 1 << number - 1


class Spot(NamedTuple):
    """A position: the free numbers, the trail of the player to move, and the other trail."""

    free: int
    mine: int
    theirs: int

    def after(self, bit: int) -> Spot:
        """The position after a pick."""
        return Spot(self.free ^ bit, self.theirs, bit)


def _search(view: View, stop: Stop) -> tuple[Trails, Spot]:
    """The search for this ring, shared by all analyses with the same stop flag, and the position."""
    ring = view.options.size, view.options.reach
    trails: Trails = stop.memory.setdefault(ring, Trails(*ring, stop.check))
    trails.begin()
    return trails, Spot(sum(map(_bit, view.free)), _bit(view.last), _bit(view.picks[-1] if view.picks else None))


def wins(view: View, stop: Stop) -> bool:
    """True if the player to move wins."""
    trails, spot = _search(view, stop)
    return any(not trails.wins(*spot.after(_bit(first))) for first in dict.fromkeys(_alike(view).values()))


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict once it is known, then with all moves rated and the reason, then with the turns."""
    trails, spot = _search(view, stop)
    alike = _alike(view)
    reasons = _Reasons(view, trails, spot)
    moves, good, reason = list[Rated](), dict[int, bool](), None
    for number in view.choices:
        like = alike[number]
        good[number] = good[like] if like in good else not trails.wins(*spot.after(_bit(number)))
        moves.append(rated(str(number), 1 if good[number] else -1, None))
        if good[number] and reason is None:
            reason = reasons.why([number])
            yield analysis_from(view.mover, 1, None, moves, reason.sentence, complete=False)
    wins = [number for number in view.choices if good[number]]
    sign: Sign = 1 if wins else -1
    if reason is None:
        yield analysis_from(view.mover, sign, None, moves, "Every pick loses.", complete=False)
        reason = reasons.why(wins)
    yield analysis_from(view.mover, sign, None, moves, reason.sentence, complete=False)
    for at, number in enumerate(view.choices):
        stop.check()
        like = alike[number]
        plies = moves[view.choices.index(like)].plies if like < number else _plies(trails, spot.after(_bit(number)))
        moves[at] = rated(str(number), 1 if good[number] else -1, plies)
    trails.begin()
    yield analysis_from(view.mover, sign, turns_to_the_end(moves, sign), moves, reasons.why(wins))


def _plies(trails: Trails, after: Spot) -> int | None:
    turns = trails.turns(*after)
    return None if turns is None else turns + 1


def _alike(view: View) -> Mapping[int, int]:
    """For each pick the first one that equals it by symmetry: on an empty ring all, after one pick its mirror image."""
    if view.gaps or len(view.picks) > 1:
        return {number: number for number in view.choices}
    if not view.picks:
        return dict.fromkeys(view.choices, 1)
    first, size = view.picks[0], view.options.size
    mirrored = {number: (2 * first - number - 1) % size + 1 for number in view.choices}
    return {number: min(number, mirror) for number, mirror in mirrored.items()}


# -- reasons


class _Reasons:
    """Finds the reason for the winning pick that is easiest to explain."""

    def __init__(self, view: View, trails: Trails, spot: Spot) -> None:
        self._view, self._trails, self._spot = view, trails, spot

    def why(self, wins: list[int]) -> Reason:
        """The reason why one of these winning picks wins; if there is none, why the position is lost."""
        if not wins:
            return self._lost()
        apart = [number for number in wins if self._trails.apart(*self._after(number))]
        reason = self._shut_in(wins) or self._by_room(apart) or self._first(wins) or self._by_room(wins)
        return reason or self._by_answers(wins[0])

    def _after(self, number: int) -> Spot:
        return self._spot.after(_bit(number))

    def _choices(self, spot: Spot) -> int:
        return self._trails.near[spot.mine] & spot.free

    def _shut_in(self, wins: list[int]) -> Reason | None:
        """A pick after which the opponent has none."""
        for number in wins:
            after = self._after(number)
            if not self._choices(after):
                at = _number(after.mine)
                sentence = f"Pick {number}: no free number is next to {at}, so they cannot move."
                thought = f"They stand on {at}. Which free number next to it is the last?"
                return Reason(sentence, SHUT_IN, thought, str(number))
        return None

    def _first(self, wins: list[int]) -> Reason | None:
        """The pick with the greatest lead in numbers reached first, at once or after any answer; None unless all such
        picks win."""
        after = {number: self._after(number) for number in self._view.choices}
        thought = "Count only numbers that you get to before them: which pick leaves you the longer way there?"
        for answered in (False, True) if self._spot.theirs else (True,):
            leads = {number: self._lead(spot, answered=answered) for number, spot in after.items()}
            best, enough = max(leads.values()), int(answered)
            most = [number for number in leads if leads[number] == best]
            if best < enough or not set(most) <= set(wins):
                continue
            lost = any(lead >= enough and number not in wins for number, lead in leads.items())
            end = ": your best lead" if lost else ", and must go on" if not best else ""
            if answered:
                when = "Whatever they pick" if self._spot.theirs else "Wherever they begin"
                ahead = f"{when}, {_FIRST.lower()} you are ahead by {_picks(best)} or more"
            else:
                mine, theirs = self._first_rooms(after[most[0]])
                ahead = f"{_FIRST} you have room for {_picks(mine)} in a row, they for {theirs}"
            return Reason(f"Pick {most[0]}. {ahead}{end}.", ROOM, thought, str(most[0]))
        return None

    def _lead(self, after: Spot, *, answered: bool) -> int:
        """The lead, in picks in a row, of the player who has just picked, counting numbers reached first; if
        `answered`, the smallest lead after any answer."""
        if not answered:
            mine, theirs = self._first_rooms(after)
            return mine - theirs
        rooms = (self._first_rooms(after.after(bit)) for bit in each(self._choices(after)))
        return min((mine - theirs for theirs, mine in rooms), default=0)

    def _first_rooms(self, after: Spot) -> tuple[int, int]:
        """The longest rows of picks through numbers reached first: for the player who has just picked, and for the
        other."""
        theirs, mine = self._trails.near.first_there(*after)
        return self._trails.longest(after.theirs, mine), self._trails.longest(after.mine, theirs)

    def _by_room(self, wins: list[int]) -> Reason | None:
        """The winning pick with the greatest lead in room, if that room is enough to win."""
        if not (self._spot.theirs and wins):
            return None
        rooms = {number: self._rooms(self._after(number)) for number in wins}
        number = max(rooms, key=lambda one: rooms[one][0] - rooms[one][1])
        mine, theirs = rooms[number]
        if mine < theirs:
            return None
        before = self._trails.longest(self._spot.theirs, self._spot.free)
        thought = f"They have room for {_picks(before)} in a row. Which pick leaves you at least as much as them?"
        lead = "Your ways are apart then: you" if self._trails.apart(*self._after(number)) else "You then"
        room = f"have room for {_picks(mine)} in a row, they for {theirs}, and they must go on"
        return Reason(f"Pick {number}. {lead} {room}.", ROOM, thought, str(number))

    def _rooms(self, after: Spot) -> tuple[int, int]:
        """The longest rows of picks if the other player stood still: for the player who has just picked, and for the
        other."""
        return self._trails.longest(after.theirs, after.free), self._trails.longest(after.mine, after.free)

    def _by_answers(self, number: int) -> Reason:
        """An answer to every pick of the opponent, using as few different answers as possible."""
        answers = self._answers(self._after(number))
        thought = "Look for a pick that leaves you an answer to each of theirs."
        return Reason(f"Pick {number}: {_grouped(answers, 'their')}.", None, thought, str(number), _pairs(answers))

    def _lost(self) -> Reason:
        spot, trails = self._spot, self._trails
        if not (self._view.picks or self._view.gaps):
            first = spot.after(1)
            answer = next(bit for bit in each(first.free) if not trails.wins(*first.after(bit)))
            steps = _number(answer) - 1
            return Reason(f"They answer any first pick with the number {steps} place{'s' * (steps != 1)} further on.")
        answers = self._answers(spot)
        if spot.mine and spot.theirs:
            for you, rooms in ((f"{_FIRST} you", self._first_rooms), ("You", self._rooms)):
                theirs, mine = rooms(spot)
                if mine <= theirs:
                    sentence = f"{you} have room for {_picks(mine)} in a row, they for {theirs}, and you must go on."
                    return Reason(sentence, ROOM, shown=_pairs(answers))
        return Reason(f"{_grouped(answers, 'your')}.".capitalize(), shown=_pairs(answers))

    def _answers(self, loser: Spot) -> dict[int, str]:
        """A winning answer to every pick, using as few different answers as possible."""
        answer_to: dict[int, str] = {}
        picks = list(each(self._choices(loser)))
        while picks:
            answer, answered = self._most_answered(loser, picks)
            answer_to |= {_number(pick): str(_number(answer)) for pick in sorted(answered)}
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


def _pairs(answers: Mapping[int, str]) -> tuple[Mark, ...]:
    return (Mark("pairs", pairs=tuple((str(pick), answer) for pick, answer in answers.items())),) if answers else ()


def _grouped(answers: Mapping[int, str], whose: str) -> str:
    """The answers in words: the most frequent one, and its count."""
    by_answer = Counter(answers.values())
    answer, count = by_answer.most_common(1)[0]
    actor = "they" if whose == "your" else "you"
    if len(answers) == 1:
        return f"{actor} answer {next(iter(answers))} with {answer}"
    many = f"every one of {whose} picks" if count == len(answers) else f"{count} of {whose} {len(answers)} picks"
    rest = "" if count == len(answers) else ", and have an answer to each of the others"
    return f"{actor} answer {many} with {answer}{rest}"


def _picks(count: int) -> str:
    return f"{count} pick{'' if count == 1 else 's'}"
