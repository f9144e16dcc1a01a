"""What a ring comes to, whichever way it is turned or mirrored."""

from __future__ import annotations

from collections.abc import Hashable

from duelbox.games.circle_duel.rules import View


def essence(view: View) -> Hashable:
    """The free numbers that can still be reached, seen from the last pick."""
    size, last = view.options.size, view.last
    if last is None:
        turns = [[(number - at) % size for number in view.free] for at in view.free]
        return size, view.options.reach, min(min(sorted(one), sorted(_mirrored(one, size))) for one in turns)
    free, reached, todo = set(view.free), set[int](), [last]
    while todo:
        fresh = free.intersection(view.neighbours(todo.pop())) - reached
        reached |= fresh
        todo += fresh
    seen = [(number - last) % size for number in reached]
    return size, view.options.reach, tuple(min(sorted(seen), sorted(_mirrored(seen, size))))


def _mirrored(places: list[int], size: int) -> list[int]:
    return [-place % size for place in places]
