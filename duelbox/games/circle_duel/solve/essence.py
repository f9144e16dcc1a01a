"""What a ring comes to, whichever way it is turned or mirrored."""

from __future__ import annotations

from collections.abc import Hashable

from duelbox.games.circle_duel.rules import View


def essence(view: View) -> Hashable:
    """The free numbers that can still be reached, seen from the last pick; with two trails, all and both ends."""
    size, last = view.options.size, view.last
    if view.own:
        return "own", size, view.options.reach, last is None, _of_both(view)
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


def _of_both(view: View) -> Hashable:
    """The free numbers and the other trail's end, seen from one's own, or from wherever there is to see from."""
    theirs = view.picks[-1] if view.picks else None
    size, here = view.options.size, view.last or theirs
    return min(
        (
            tuple(sorted((number - at) * way % size for number in view.free)),
            0 if theirs is None else (theirs - at) * way % size,
        )
        for at in ((here,) if here else view.free)
        for way in (1, -1)
    )


def _mirrored(places: list[int], size: int) -> list[int]:
    return [-place % size for place in places]
