"""The pupil after each lesson of each course: the rules of the lessons so far, in the order in which they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.pupils import line, race, trails
from tests.pupils.pupil import Rule

Course = Mapping[str, Sequence[Rule]]
"""For each lesson by its name, the rules of a pupil who has taken it and those before it."""

TRAILS: Course = {"room": trails.ROOM, "both-need": trails.BOTH_NEED, "shut-in": trails.SHUT_IN}

COURSES: Mapping[tuple[str, str], Course] = {
    ("circle-duel", "two-trails"): TRAILS,
    ("circle-duel", "long-trails"): TRAILS,
    ("circle-duel", "leap"): TRAILS,
    ("number-circle", "tug-of-war"): {"no-hit": race.NO_HIT, "fork": race.FORK, "keep-low": race.KEEP_LOW},
    ("number-circle", "tug-to-fifteen"): {"no-hit": race.NO_HIT, "fork": race.FORK},
    ("sequence-duel", "classic"): {
        "mirror": line.MIRROR,
        "hold-back": (*line.MIRROR, *line.HELD),
        "most-at-stake": (*line.MIRROR, *line.STAKE),
        "count-the-end": (*line.MIRROR, *line.COUNTED),
        "next-to-the-end": line.END,
    },
    ("sequence-duel", "ring"): {
        "hold-back": line.HELD,
        "most-at-stake": line.STAKE,
        "count-the-end": line.COUNTED,
    },
}
"""The courses of the presets, by game and preset."""
