"""The Lab: every setting of a game's house rules, and what best play and fixed players make of each."""

import sys
from types import ModuleType

from duelbox.lab import table
from duelbox.lab.cell import DEALS, LAYERS, LIMIT, Fact, Layer, work_out
from duelbox.lab.finding import BARS, Bars, Found, Progress, code_of, find
from duelbox.lab.knobs import Knob, knobs, setting, spiral
from duelbox.lab.words import sentences

__all__ = [
    "BARS",
    "DEALS",
    "LAYERS",
    "LIMIT",
    "Bars",
    "Fact",
    "Found",
    "Knob",
    "Layer",
    "Progress",
    "code_of",
    "find",
    "knobs",
    "sentences",
    "setting",
    "spiral",
    "work_out",
]


class _Lab(ModuleType):
    """`duelbox.lab(...)`: the library has a function of this name, and importing this package would hide it."""

    __call__ = staticmethod(table.lab)


sys.modules[__name__].__class__ = _Lab
