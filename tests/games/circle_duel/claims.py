"""Every kind of premise in the reasons of Number Circle Duel, evaluated for any pick straight from the rules."""

from __future__ import annotations

import re

from duelbox.games.circle_duel.rules import View
from tests.games.circle_duel.test_solve import Places, most_pairs, next_to
from tests.games.claims import THEM, Claim, Sides

LONG = 99


def ring(view: View) -> tuple[int, int]:
    return view.options.size, view.options.reach


def trails(view: View, seat: int) -> int | None:
    """The number that this seat's next pick must be next to."""
    if not view.own:
        return view.picks[-1] if view.picks else None
    picks = view.picks[seat::2]
    return picks[-1] if picks else None


def choices(view: View, seat: int) -> set[int]:
    here, free = trails(view, seat), set(view.free)
    return {one for one in free if here is None or next_to(*ring(view), here, one)}


def longest(view: View, free: Places, here: int | None) -> int:
    near = [one for one in free if here is None or next_to(*ring(view), here, one)]
    return max((1 + longest(view, free - {one}, one) for one in near), default=0)


def steps_to(view: View, here: int | None) -> dict[int, int]:
    """The number of picks needed to get to each number."""
    free, found = set(view.free), dict[int, int]()
    front = {one for one in free if here is None or next_to(*ring(view), here, one)}
    while front:
        found |= dict.fromkeys(front, len(set(found.values())) + 1)
        front = {one for one in free - found.keys() if any(next_to(*ring(view), near, one) for near in front)}
    return found


def first(view: View, seat: int) -> Places:
    """The numbers that a seat gets to before the other; equal ways count for the player to move."""
    own, others = steps_to(view, trails(view, seat)), steps_to(view, trails(view, 1 - seat))
    ahead = 1 if view.turn == seat else 0
    return frozenset(one for one in own if own[one] < others.get(one, LONG) + ahead)


def first_room(view: View, seat: int) -> int:
    return longest(view, first(view, seat), trails(view, seat))


def first_numbers(view: View, seat: int) -> int:
    return len(first(view, seat))


def ways_on(view: View, seat: int) -> int:
    return len(choices(view, seat))


def room(view: View, seat: int) -> int:
    return longest(view, frozenset(view.free), trails(view, seat))


def reached(view: View, seat: int) -> set[int]:
    return set(steps_to(view, trails(view, seat)))


COUNTS = {"room": first_room, "numbers": first_numbers, "ways on": ways_on}


def tally(kind: str, sides: Sides) -> tuple[int, int]:
    """The count for the player of the reason, and for the opponent, after the pick."""
    count = COUNTS[kind]
    return count(sides.after, sides.me), count(sides.after, sides.them)


def at_least(kind: str, sides: Sides, mine: str, theirs: str) -> bool:
    """A lead as large as the one that is told; the count told of the pick itself must be exact."""
    counted = tally(kind, sides)
    exact = counted == (int(mine), int(theirs))
    return exact if sides.told else counted[0] - counted[1] >= int(mine) - int(theirs)


def kept(kind: str, sides: Sides, reply: str, mine: str, theirs: str) -> bool:
    """The smallest lead after any answer, and the answer that leaves it."""
    count = COUNTS[kind]
    tallies = {text: (count(then, sides.me), count(then, sides.them)) for text, then in sides.replies()}
    worst = min((own - others for own, others in tallies.values()), default=0)
    lead = int(mine) - int(theirs)
    if not sides.told:
        return worst >= lead
    return worst == lead and tallies[reply] == (int(mine), int(theirs))


def parted(sides: Sides, mine: str, theirs: str) -> bool:
    if reached(sides.after, sides.me) & reached(sides.after, sides.them):
        return False
    rooms = room(sides.after, sides.me), room(sides.after, sides.them)
    return rooms == (int(mine), int(theirs)) if sides.told else rooms[0] - rooms[1] >= int(mine) - int(theirs)


def single(sides: Sides) -> bool:
    """The pick leaves as many pairs of neighbours as there were."""
    size, reach = ring(sides.before)
    before, after = (most_pairs(size, reach, frozenset(view.free)) for view in (sides.before, sides.after))
    return before == after


def needed(sides: Sides, left: str) -> bool:
    if sides.told and int(sides.move) not in choices(sides.before, sides.them):
        return False
    rest = room(sides.after, sides.them)
    return rest == int(left) if sides.told else rest <= int(left)


def shared(sides: Sides, left: str) -> bool:
    """The opponent could pick the number, too; after it, these are the picks left to them."""
    if int(sides.move) not in choices(sides.before, sides.them):
        return False
    return not sides.told or choices(sides.after, sides.them) == {int(one) for one in re.findall(r"\d+", left)}


def stuck(sides: Sides) -> bool:
    return sides.after.outcome is not None and sides.after.outcome.winner == sides.me


def answers(sides: Sides, count: str | None, of: str | None, answer: str) -> bool:
    """An answer that wins after so many of the opponent's picks."""
    won, all_replies = 0, 0
    for _, then in sides.replies():
        all_replies += 1
        won += answer in sides.moves(then) and sides.loses(sides.applied(then, answer))
    return won >= int(count or all_replies) and (not sides.told or int(of or all_replies) == all_replies)


CLAIMS: tuple[Claim, ...] = (
    (r"no free number is next to \d+|no free number is next to it", lambda m, s: stuck(s)),
    (r"it can stay single", lambda m, s: single(s)),
    (rf"your ways part\. You can still make (\d+) picks?, {THEM} can make (\d+)", lambda m, s: parted(s, m[1], m[2])),
    (
        rf"You can make (\d+) picks? on numbers you reach first, {THEM} can make (\d+)",
        lambda m, s: at_least("room", s, m[1], m[2]),
    ),
    (r"You both can make (\d+) picks? on numbers reached first", lambda m, s: at_least("room", s, m[1], m[1])),
    (rf"You get to (\d+) numbers? first, {THEM} to (\d+)", lambda m, s: at_least("numbers", s, m[1], m[2])),
    (rf"You may go on to (\d+) numbers?, {THEM} to (\d+)", lambda m, s: at_least("ways on", s, m[1], m[2])),
    (
        rf"reply is (\d+): you get to (\d+) numbers? first, {THEM} to (\d+)",
        lambda m, s: kept("numbers", s, m[1], m[2], m[3]),
    ),
    (
        rf"reply is (\d+): you can make (\d+) picks? on numbers you reach first, {THEM} can make (\d+)",
        lambda m, s: kept("room", s, m[1], m[2], m[3]),
    ),
    (
        rf"reply is (\d+): you may go on to (\d+) numbers?, {THEM} to (\d+)",
        lambda m, s: kept("ways on", s, m[1], m[2], m[3]),
    ),
    (rf"needs it, too: then {THEM} can only pick ([\d, or]+)", lambda m, s: shared(s, m[1])),
    (r"without it only (\d+) picks? are left", lambda m, s: needed(s, m[1])),
    (
        r"You answer (?:every one|(\d+)) of Player \d's (?:(\d+) )?picks with (\d+)",
        lambda m, s: answers(s, *m.groups()),
    ),
)
"""Premises of a pick."""

REPLIES: tuple[Claim, ...] = (
    (r"and you cannot move", lambda m, s: s.after.outcome is not None and s.after.outcome.winner == s.them),
    (
        rf"On numbers reached first {THEM} can make (\d+) picks?, you (\d+)",
        lambda m, s: tally("room", s) == (int(m[2]), int(m[1])) and int(m[1]) > int(m[2]),
    ),
    (
        r"gets to (\d+) numbers? first, you to (\d+)",
        lambda m, s: tally("numbers", s) == (int(m[2]), int(m[1])) and int(m[1]) > int(m[2]),
    ),
    (
        r"can go on to (\d+) numbers?, you (\d+)",
        lambda m, s: tally("ways on", s) == (int(m[2]), int(m[1])) and int(m[1]) > int(m[2]),
    ),
    (r"and has the partner of all you can pick", lambda m, s: s.loses(s.after)),
)
"""Claims about an answer; the sides then hold the position after the answer."""
