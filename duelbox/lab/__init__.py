"""The Lab: facts about every setting of a game's house rules, by best play and by fixed players."""

import sys
from types import ModuleType

from duelbox.lab import map_rows


class _Lab(ModuleType):
    """Makes `duelbox.lab(...)` work: the library has a function of this name, which this package would hide."""

    __call__ = staticmethod(map_rows.lab)


sys.modules[__name__].__class__ = _Lab
