"""Solve Number Duel backwards and write the files of its solver: `python -m tests.games.number_duel.make_odds`."""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack
from zlib import compress

from duelbox.games.number_duel.solve.odds import LOSS, OVER, WIN, Form, Odds, odds_path, turned
from duelbox.solve.bits import each

HANDS = 16383
"""The bits of a position that hold the numbers that are left."""

Attackers = list[tuple[int, dict[int, Form], int]]
"""One of each group of equal attackers, the strongest first: the form after it by the number it meets, and the bits
that stay hidden."""

Targets = tuple[list[int], list[tuple[int, int, int]]]
"""The known targets, the weakest first; the hidden ones, the strongest first, with the size of their group and the bits
that stay hidden."""


class Search(dict[int, int]):
    """The positions met so far under one rule for attackers: by normal form, the value for the player not to move."""

    def __init__(self, victors_stay: bool) -> None:
        super().__init__(OVER)
        self.odds = Odds(victors_stay, self.__getitem__)

    def __missing__(self, position: int) -> int:
        self[position] = turned(self._best(position))
        return self[position]

    def _best(self, position: int) -> int:
        """The value of a position in normal form for the player to move."""
        their_hidden = position >> 21
        known, unknown = self._targets(position)
        attackers = self._attackers(position)
        best = LOSS - 1
        for one, after, still_mine in attackers:
            for target in known:
                form, their_forms, my_forms = after[target]
                best = max(best, self[form | their_forms[their_hidden] | my_forms[still_mine]])
                if target > one:
                    break  # on whichever of the higher ones a number is wasted, the outcome is the same
            if best == WIN:
                return WIN
        count = their_hidden.bit_count()
        for _, after, still_mine in attackers if unknown else ():
            # With the strongest targets first, most bad attacks turn out worse before the last outcome.
            room = (WIN - best) * count
            for target, alike, still_theirs in unknown:
                form, their_forms, my_forms = after[target]
                room -= (WIN - self[form | their_forms[still_theirs] | my_forms[still_mine]]) * alike
                if room <= 0:
                    break
            else:
                best += room // count
            if best == WIN:
                break
        return best

    def _attackers(self, position: int) -> Attackers:
        hidden, mine, theirs = position >> 14 & 127, position >> 7 & 127, position & 127
        runs = self.odds.hands[position & HANDS][1]
        found = sorted([part & -part for part in runs.parts(hidden) + runs.parts(mine & ~hidden)], reverse=True)
        return [
            (one, {target: self.odds.after(one, target, mine, theirs) for target in each(theirs)}, hidden & ~one)
            for one in found
        ]

    def _targets(self, position: int) -> Targets:
        hidden, runs = position >> 21, self.odds.hands[position & HANDS][2]
        known = [part & -part for part in runs.parts(position & 127 & ~hidden)]
        unknown = [(part & -part, part.bit_count(), hidden & ~(part & -part)) for part in runs.parts(hidden)]
        return known, unknown[::-1]

    def starts(self) -> Iterator[int]:
        """The first positions of all games."""
        for hand in range(1, 8):
            numbers = (1 << hand) - 1
            form, mine, theirs = self.odds.hands[numbers << 7 | numbers]
            yield form | mine[numbers] | theirs[numbers]

    def after(self, position: int) -> Iterator[int]:
        """The positions after every attack, whatever it meets."""
        known, unknown = self._targets(position)
        targets = [(target, position >> 21) for target in known] + [(target, still) for target, _, still in unknown]
        for _, after, still_mine in self._attackers(position):
            for target, still_theirs in targets:
                form, their_forms, my_forms = after[target]
                yield form | their_forms[still_theirs] | my_forms[still_mine]


def worked_out(victors_stay: bool) -> dict[int, int]:
    """The values of all positions that a game can reach and that are not over."""
    search = Search(victors_stay)
    found = dict.fromkeys(search.starts())
    todo = list(found)
    while todo:
        after = dict.fromkeys(one for one in search.after(todo.pop()) if one not in OVER and one not in found)
        found |= after
        todo += after
    return {position: search[position] for position in sorted(found)}


def packed(known: dict[int, int]) -> bytes:
    """The file with these values, by ascending position."""
    values = sorted(set(known.values()))
    places = {value: at for at, value in enumerate(values)}
    columns = pack(f"<{len(known)}I", *known), pack(f"<{len(known)}H", *map(places.__getitem__, known.values()))
    parts = [pack("<I", len(known))]
    for width, column in zip((4, 2, 8), (*columns, pack(f"<{len(values)}q", *values)), strict=True):
        parts += [column[byte::width] for byte in range(width)]
    return compress(b"".join(parts), 9)


if __name__ == "__main__":
    for victors_stay in (False, True):
        odds_path(victors_stay).write_bytes(packed(worked_out(victors_stay)))
