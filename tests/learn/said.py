"""A judge for the sentences of lessons: each figure in them is counted again, straight from the rules.

`broken` finds what is not so in a sentence about a position; `CLAIMS` are the sentences it can read. In what a right
move teaches every figure must stand in such a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from duelbox.core.session import Session
from duelbox.solve import analyse

FAR = 6
"""The most steps of a way to a target."""
LIST = r"([+-]?\d+(?:, [+-]?\d+)*(?:,? (?:or|and) [+-]?\d+)?)"


def listed(text: str) -> list[str]:
    return re.findall(r"[+-]?\d+", text)


def legal(session: Session) -> list[str]:
    return [session.game.format_move(move) for move in session.legal_moves()]


def after(session: Session, *moves: str) -> Session:
    played = session.copy()
    for move in moves:
        played.type(move)
    return played


def wins(session: Session, me: int) -> bool:
    """This player wins from here, or has won."""
    if session.outcome is not None:
        return session.outcome.winner == me
    found = analyse(session.game, session.view(session.turn))
    return found.value == (1 if session.turn == me else 0)


def room(view: Any, seat: int) -> int:
    """The most picks in a row that a trail can make alone."""
    lasts = [pick for at, pick in enumerate(view.picks) if at % 2 == seat]
    size, reach = view.options.size, view.options.reach

    def longest(at: int, free: frozenset[int]) -> int:
        near = [one for one in free if min((one - at) % size, (at - one) % size) <= reach]
        return max((1 + longest(one, free - {one}) for one in near), default=0)

    return longest(lasts[-1], frozenset(view.free))


def steps(view: Any, seat: int, most: int = FAR + 1) -> int:
    """The least number of own steps to the target."""
    ways = {(view.places[seat], view.came_from[seat], view.totals[seat])}
    for count in range(most + 1):
        if any(total == view.target for _, _, total in ways):
            return count
        ways = {
            (to, at, total + sign * to)
            for at, came, total in ways
            for to in (at % 9 + 1, (at - 2) % 9 + 1)
            for sign in (1, -1)
            if to != came and total + sign * to <= view.target
        }
    raise AssertionError("the target is further than anybody looks")


def yours(view: Any, me: int) -> int:
    return len(set(view.open_to(me)) - set(view.open_to(1 - me)))


def _rooms(session: Session, me: int) -> tuple[int, int]:
    view = session.view(None)
    return room(view, me), room(view, 1 - me)


def _rooms_first(view: Any, me: int) -> tuple[int, int]:
    """The most picks in a row of each trail through the numbers it gets to first, with the other player to move."""
    size, reach = view.options.size, view.options.reach
    lasts = [[pick for at, pick in enumerate(view.picks) if at % 2 == seat][-1] for seat in (me, 1 - me)]
    near = lambda one, two: min((one - two) % size, (two - one) % size) <= reach  # noqa: E731

    def counts(at: int) -> dict[int, int]:
        picks, front = dict[int, int](), {at}
        for count in range(1, size):
            front = {one for one in view.free if one not in picks and any(near(one, two) for two in front)}
            picks |= dict.fromkeys(front, count)
        return picks

    def longest(at: int, free: frozenset[int]) -> int:
        return max((1 + longest(one, free - {one}) for one in free if near(one, at)), default=0)

    mine, theirs = counts(lasts[0]), counts(lasts[1])
    first = frozenset(one for one in mine if mine[one] < theirs.get(one, size))
    return longest(lasts[0], first), longest(lasts[1], frozenset(theirs) - first)


def _place(session: Session, me: int) -> int:
    """The place of the learner's marker, or the last number of the learner's trail."""
    if session.game.INFO.id == "circle-duel":
        return int([text for by, text in session.log() if by == me][-1])
    return int(session.view(None).places[me])


def safe(view: Any, me: int) -> int:
    theirs = set(view.open_to(1 - me))
    return sum(not theirs & {one, *view.neighbours(one)} for one in view.open_to(me))


def reverse(number: int) -> int:
    return number * 11 if number < 10 else number // 11 if number % 11 == 0 else number % 10 * 10 + number // 10


def pool(session: Session) -> set[int]:
    view = session.view(None)
    return set(view.pool) - set(view.picks)


def _partners(text: str, now: Session, me: int) -> bool:
    """These pairs of neighbours are all the numbers that can be reached."""
    view = now.view(None)
    size, reach = view.options.size, view.options.reach
    near = lambda one, two: min((one - two) % size, (two - one) % size) <= reach  # noqa: E731
    pairs = [(int(one), int(two)) for one, two in re.findall(r"(\d+) and (\d+)", text)]
    seen, grown = {view.last}, True
    while grown:
        more = {one for one in view.free if one not in seen and any(near(one, two) for two in seen)}
        seen, grown = seen | more, bool(more)
    together = sorted(number for pair in pairs for number in pair)
    return all(near(*pair) for pair in pairs) and together == sorted(seen - {view.last})


def _beats(now: Session, before: Session, me: int, beaten: int, there: int, tied: int) -> bool:
    number = int(now.log()[-1][1].partition("x")[0])
    met = before.view(me).hidden(1 - me)
    return (sum(one < number for one in met), len(met), met.count(number)) == (beaten, there, tied)


def _would_hit(before: Session, move: str, target: str, hit: str) -> bool:
    end = after(before, move, hit)
    return before.view(None).target == int(target) and end.outcome is not None and end.outcome.winner != before.turn


def _open_face(before: Session, number: str) -> bool:
    """This number lies open at the position attacked, and the attack is by the same or a higher one."""
    assert before.turn is not None
    return int(number) in before.view(before.turn).faces[1 - before.turn]


def _sum(text: str) -> bool:
    left, right = text.split(" = ")
    return sum(int(part.replace(" ", "")) for part in re.findall(r"[+-]? ?\d+", left)) == int(right)


COUNTS = {"no": 0, "one": 1, "two": 2, "three": 3}


def winning(session: Session) -> list[str]:
    """The best moves."""
    moves = analyse(session.game, session.view(session.turn)).moves
    return [one.move for one in moves if one.value == moves[0].value]


def hitting(session: Session, me: int) -> list[str]:
    """The moves after which the opponent can end the game at once."""
    then = [(move, after(session, move)) for move in legal(session)]
    return [move for move, now in then if now.outcome is None and any(after(now, one).outcome for one in legal(now))]


def _near_an_end(session: Session, seat: int) -> bool:
    """This player owns an end of the line by a claim next to it."""
    return bool({2, session.options.size - 1} & set(session.view(None).picked(seat)))


def stretches(view: Any) -> list[tuple[int, int]]:
    """The first and last numbers of unclaimed rows in which both players can claim."""
    free = [one for one in range(1, view.options.size + 1) if one not in view.picks]
    ends = [one for one in free if one - 1 not in free], [one for one in free if one + 1 not in free]
    there = {*view.open_to(0)} & {*view.open_to(1)}
    return [two for two in zip(*ends, strict=True) if there & set(range(two[0], two[1] + 1))]


Check = Callable[[re.Match[str], Session, Session, int], bool]
"""The claim, the position of the step, the position after a right move (or the same), and the learner."""
CLAIMS: tuple[tuple[str, Check], ...] = (
    (r"-?\d+(?: [+-] \d+)+ = \d+", lambda m, before, now, me: _sum(m[0])),
    (r"= (\d+), (\d+) too many", lambda m, before, now, me: int(m[1]) - before.view(None).target == int(m[2])),
    (r"(\d+) is (odd|even)", lambda m, before, now, me: int(m[1]) % 2 == (m[2] == "odd")),
    (rf"I can only (?:pick|play|claim) {LIST}", lambda m, before, now, me: sorted(legal(now)) == sorted(listed(m[1]))),
    (
        r"(?:answer |, and |, )([+-]?\d+) with ([+-]?\d+)",
        lambda m, before, now, me: m[1] in legal(now) and wins(after(now, m[1], m[2]), me),
    ),
    (
        r"\d+ and \d+ are partners(?:, and so are \d+ and \d+)?(?:,(?: and)? \d+ and \d+)*",
        lambda m, b, n, me: _partners(m[0], n, me),
    ),
    (
        r"You have room for (\d+) picks? in a row, I for (\d+)",
        lambda m, b, n, me: (room(n.view(None), me), room(n.view(None), 1 - me)) == (int(m[1]), int(m[2])),
    ),
    (
        r"Where you get first you have (\d+) picks?, I have (\d+)",
        lambda m, b, n, me: _rooms_first(n.view(None), me) == (int(m[1]), int(m[2])),
    ),
    (r"[Tt]he gap(?: is|,) (\d+)", lambda m, b, n, me: b.view(None).gaps == (int(m[1]),)),
    (r"I on (\d+)", lambda m, b, n, me: b.view(None).own and b.log()[-1][1] == m[1]),
    (r"You have as much room as I, or more", lambda m, b, n, me: room(n.view(None), me) >= room(n.view(None), 1 - me)),
    (r"I must go first|it is my turn", lambda m, b, n, me: n.turn == 1 - me),
    (r"I cannot move", lambda m, b, n, me: n.outcome is not None and n.outcome.winner == me),
    (
        r"[Yy]ou need (\d+) more steps?, I need (\d+)",
        lambda m, b, n, me: (steps(n.view(None), me), steps(n.view(None), 1 - me)) == (int(m[1]), int(m[2])),
    ),
    (r"After ([+-]\d+) I would hit (\d+) with ([+-]\d+)", lambda m, b, n, me: _would_hit(b, m[1], m[2], m[3])),
    (
        r"(\d+) numbers are yours, (\d+|none) mine",
        lambda m, b, n, me: (
            (yours(n.view(None), me), yours(n.view(None), 1 - me)) == (int(m[1]), int(m[2].replace("none", "0")))
        ),
    ),
    (r"(\d+) numbers are safe for you", lambda m, b, n, me: safe(n.view(None), me) == int(m[1])),
    (r"I can claim (\d+) numbers? at most", lambda m, b, n, me: len(n.view(None).open_to(1 - me)) == int(m[1])),
    (r"I have no (?:claim|pick) that wins now", lambda m, b, n, me: wins(n, me)),
    (r"No move of mine hits", lambda m, b, n, me: not any(after(n, one).outcome for one in legal(n))),
    (r"[Yy]ou win from here", lambda m, b, n, me: wins(n, me)),
    (
        r"Whatever I pick has its reverse in the pool",
        lambda m, b, n, me: all(reverse(int(one)) in pool(n) for one in legal(n)),
    ),
    (
        r"You answer (\d+) with \d+\. All other numbers there have their reverse",
        lambda m, b, n, me: [one for one in legal(n) if reverse(int(one)) not in pool(n)] == [m[1]],
    ),
    (
        r"the row of (\d) is empty|no number begins with (0)",
        lambda m, b, n, me: not any(str(one).startswith(m[1] or m[2]) for one in pool(n)),
    ),
    (
        r"It beats (\d+|none) of (\d+) hidden and ties (one|none)",
        lambda m, b, n, me: _beats(n, b, me, int(m[1].replace("none", "0")), int(m[2]), int(m[3] == "one")),
    ),
    (r"It (?:beats|ties with) the (\d) there", lambda m, b, n, me: _open_face(b, m[1])),
    (r"your 1 could do nothing", lambda m, b, n, me: min(b.view(me).hidden(1 - me)) > 1),
    # about the position itself
    (r"the last one, (\d+)", lambda m, b, n, me: b.log()[-1][1] == m[1]),
    (rf"[Yy]ou may (?:reach|pick) {LIST}", lambda m, b, n, me: sorted(legal(b)) == sorted(listed(m[1]))),
    (
        r"One pick leaves you room for (\d+) more, and me for (\d+)",
        lambda m, b, n, me: (
            [move for move in legal(b) if _rooms(after(b, move), me) == (int(m[1]), int(m[2]))] == winning(b)
        ),
    ),
    (
        r"(Only one|Three) (?:way is long enough|numbers win)",
        lambda m, b, n, me: len(winning(b)) == COUNTS[m[1].split()[-1].lower()],
    ),
    (r"only one holds", lambda m, b, n, me: len(winning(b)) == 1),
    (
        r"to (\d+) fails here.*Three of your other numbers win",
        lambda m, b, n, me: m[1] in legal(b) and m[1] not in winning(b) and len(winning(b)) == 3,
    ),
    (
        r"Only one free number is within two places of (\d+)",
        lambda m, b, n, me: (
            sum(min((one - int(m[1])) % 15, (int(m[1]) - one) % 15) <= 2 for one in b.view(None).free) == 1
        ),
    ),
    (
        r"(No|One)(?: of your three)? moves? lets me hit (\d+)",
        lambda m, b, n, me: (len(hitting(b, me)), b.view(None).target) == (COUNTS[m[1].lower()], int(m[2])),
    ),
    (
        r"You have (\d+) and stand on (\d+)",
        lambda m, b, n, me: (b.view(None).totals[me], b.view(None).places[me]) == (int(m[1]), int(m[2])),
    ),
    (
        r"(?:open: |Open are )((?:(?:, )?(?:and )?\d+ to \d+)+)",
        lambda m, b, n, me: (
            stretches(b.view(None)) == [(int(one), int(two)) for one, two in re.findall(r"(\d+) to (\d+)", m[1])]
        ),
    ),
    (
        r"(\d+) and (\d+) are in the pool; (\d+) is not",
        lambda m, b, n, me: {int(m[1]), int(m[2])} <= pool(b) and int(m[3]) not in pool(b),
    ),
    (
        r"\b[Mm]y (\d) lies open|and the (\d) lies open",
        lambda m, b, n, me: int(m[1] or m[2]) in b.view(me).faces[1 - me],
    ),
    (
        r"(?:only your|nothing of yours but the) (\d) can (?:ever )?meet it",
        lambda m, b, n, me: max(b.view(me).left(me)) == int(m[1]) == max(b.view(me).left(1 - me)),
    ),
    (
        rf"I have {LIST}(?: left)?[;,] you have {LIST}",
        lambda m, b, n, me: [listed(m[1]), listed(m[2])] == [[str(one) for one in _held(b, at)] for at in (1 - me, me)],
    ),
    (r"I took (\d+)", lambda m, b, n, me: b.log()[-1][1] == m[1]),
    (r"[Tt]he total (?:is )?(\d+)", lambda m, b, n, me: b.view(None).totals[me] == int(m[1])),
    (r"(?<!picks )[Yy]ou stand on (\d+)", lambda m, b, n, me: _place(b, me) == int(m[1])),
    (r"the target is (\d+)|hit (\d+)\.", lambda m, b, n, me: b.view(None).target == int(m[1] or m[2])),
    (r"Begin with (\d)\.", lambda m, b, n, me: str(b.view(None).digit) == m[1]),
    (r"I (?:picked|claimed) (\d+)", lambda m, b, n, me: b.log()[-1][1] == m[1]),
    (
        r"My last number is (\d+), yours is (\d+)",
        lambda m, b, n, me: [b.log()[-1][1], b.log()[-2][1]] == [m[1], m[2]],
    ),
    (
        rf"You have {LIST}[;,] (?:and )?I have {LIST}",
        lambda m, b, n, me: [listed(m[1]), listed(m[2])] == [[str(one) for one in _held(b, at)] for at in (me, 1 - me)],
    ),
    (rf"I hide {LIST}", lambda m, b, n, me: [str(one) for one in b.view(me).hidden(1 - me)] == listed(m[1])),
    (r"(\d) numbers to (\d)", lambda m, b, n, me: (len(_held(b, me)), len(_held(b, 1 - me))) == (int(m[1]), int(m[2]))),
)


def _held(session: Session, seat: int) -> list[int]:
    """The numbers of a player: those in the hand, or those claimed."""
    if session.game.INFO.id == "number-duel":
        return sorted(session.view(session.turn).left(seat))
    return sorted(int(text) for by, text in session.log() if by == seat)


def broken(text: str, before: Session, now: Session, *, all_figures: bool) -> list[str]:
    """The false claims of a text; with `all_figures`, also the figures outside of claims."""
    assert before.turn is not None
    wrong, rest = [], text
    for pattern, check in CLAIMS:
        for match in re.finditer(pattern, text):
            try:
                held = check(match, before, now, before.turn)
            except AttributeError:
                continue  # words of another game
            if not held:
                wrong.append(match[0])
            rest = rest.replace(match[0], "")
    return wrong + (re.findall(r"\d+", rest) if all_figures else [])
