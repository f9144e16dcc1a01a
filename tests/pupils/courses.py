"""The pupil after each lesson of each course: the rules of the lessons so far, in the order in which they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.pupils import chain, hands, line, pairs, race, trails
from tests.pupils.pupil import Rule

Course = Mapping[str, Sequence[Rule]]
"""For each lesson by its name, the rules of a pupil who has taken it and those before it."""

TRAILS: Course = {"room": trails.ROOM, "both-need": trails.BOTH_NEED, "shut-in": trails.SHUT_IN}

HANDS: Course = {
    "cheapest-that-bites": hands.BITE,
    "takes-less-costs": hands.NET,
    "top-for-top": hands.TOP,
    "trade-when-ahead": hands.AHEAD,
}

WILD: Course = {"dead-end": chain.DEAD, "one-door": chain.DOOR, "leave-few": chain.FEW}

COURSES: Mapping[tuple[str, str], Course] = {
    ("circle-duel", "two-trails"): TRAILS,
    ("circle-duel", "long-trails"): TRAILS,
    ("circle-duel", "leap"): TRAILS,
    ("circle-duel", "classic"): {"partners": pairs.PARTNERS, "odd-one-out": pairs.ODD_ONE_OUT},
    ("circle-duel", "pairs"): {
        "partners": pairs.PARTNERS,
        "odd-one-out": pairs.ODD_ONE_OUT,
        "why-pairs-win": pairs.ODD_ONE_OUT,
    },
    ("number-circle", "classic"): {
        "count-the-steps": race.STEPS,
        "half-the-excess": race.EXCESS,
        "odd-and-even": race.EXCESS,
    },
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
    ("digit-chain", "classic"): {"dead-end": chain.DEAD},
    ("digit-chain", "wild-zero"): WILD,
    ("digit-chain", "full-pool"): WILD,
    ("digit-chain", "long-chain"): {"dead-end": chain.DEAD, "reverse": chain.REVERSE, "broken-pair": chain.BROKEN},
    ("number-duel", "classic"): HANDS,
    ("number-duel", "big-hands"): {"cheapest-that-bites": hands.BITE, "top-for-top": hands.TOP_BITE},
    ("number-duel", "own-order"): HANDS,
    ("number-duel", "winners-stay"): {"sure-attacks": hands.SURE, "beat-most": hands.MOST},
}
"""The courses of the presets, by game and preset."""
