"""Sequence Duel solved slowly, straight from the rules, on sets of plain numbers."""

from __future__ import annotations

from functools import cache
from random import Random

from duelbox.games.sequence_duel import rules

Numbers = frozenset[int]


@cache
def next_to(size: int, ring: bool, number: int) -> Numbers:
    near = {number - 1, number + 1}
    if ring:
        near = {(one - 1) % size + 1 for one in near}
    return frozenset(near & set(range(1, size + 1)))


@cache
def open_to(size: int, ring: bool, mine: Numbers, theirs: Numbers) -> tuple[int, ...]:
    left = set(range(1, size + 1)) - mine - theirs
    return tuple(number for number in sorted(left) if not next_to(size, ring, number) & theirs)


@cache
def slow(size: int, ring: bool, mine: Numbers, theirs: Numbers) -> tuple[bool, int]:
    """True if the player to move wins, and the number of turns, by trying everything."""
    tried = [slow(size, ring, theirs, mine | {number}) for number in open_to(size, ring, mine, theirs)]
    quick = [plies + 1 for rival_wins, plies in tried if not rival_wins]
    return (True, min(quick)) if quick else (False, max((plies + 1 for _, plies in tried), default=0))


def private(size: int, ring: bool, mine: Numbers, theirs: Numbers) -> set[int]:
    """The numbers that only one player can ever claim: open to that player, and not next to one that the rival has or
    may claim."""
    rival = set(open_to(size, ring, theirs, mine))
    return {n for n in open_to(size, ring, mine, theirs) if n not in rival and not next_to(size, ring, n) & rival}


class Position:
    """A view in the form of the slow search."""

    def __init__(self, view: rules.View) -> None:
        assert view.turn is not None
        self.size, self.ring = view.options.size, view.options.ring
        self.mine, self.theirs = frozenset(view.picked(view.turn)), frozenset(view.picked(1 - view.turn))
        self.rival = f"Player {2 - view.turn}"

    @property
    def facts(self) -> tuple[int, bool, Numbers, Numbers]:
        return self.size, self.ring, self.mine, self.theirs

    @property
    def turned(self) -> tuple[int, bool, Numbers, Numbers]:
        return self.size, self.ring, self.theirs, self.mine

    def after(self, number: int) -> tuple[int, bool, Numbers, Numbers]:
        """The position after a claim, for the rival."""
        return self.size, self.ring, self.theirs, self.mine | {number}


def random_view(rng: Random, sizes: range) -> rules.View:
    while True:
        view = rules.start(rules.Options(size=rng.choice(sizes), ring=rng.random() < 0.4))
        for _ in range(rng.randrange(view.options.size)):
            if view.turn is not None:
                view, _ = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
        if view.turn is not None:
            return view
