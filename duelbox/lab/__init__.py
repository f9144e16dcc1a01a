"""The Lab: every setting of a game's house rules, and what best play and fixed players make of each."""

import sys
from types import ModuleType

from duelbox.lab import map_rows
from duelbox.lab.best_rules import BARS, Bars, Found, Progress, code_of, find
from duelbox.lab.facts import DEALS, LAYERS, LIMIT, Facts, Layer, work_out
from duelbox.lab.house_rules import HouseRule, house_rules, setting, spiral
from duelbox.lab.sentences import sentences

__all__ = [
    "BARS",
    "DEALS",
    "LAYERS",
    "LIMIT",
    "Bars",
    "Facts",
    "Found",
    "HouseRule",
    "Layer",
    "Progress",
    "code_of",
    "find",
    "house_rules",
    "sentences",
    "setting",
    "spiral",
    "work_out",
]


class _Lab(ModuleType):
    """`duelbox.lab(...)`: the library has a function of this name, and importing this package would hide it."""

    __call__ = staticmethod(map_rows.lab)


sys.modules[__name__].__class__ = _Lab
