"""Tricks that make duelbox start sooner, each with the CPU time that is lost without it; nothing is loaded with it.

Measured as the ratio of the CPU time without a trick to that with it, runs taken in turn. Looking for garbage while
loading: 1.04 for `show` and `games`, 1.06 to the first paint of home and 1.09 to that of a table. Looking through all
that was loaded, later and at the end of Python: 1.13 for `show`, 1.09 for `games`. Pydantic's search for plugins: 1.10
for `show`, 1.09 for `rules` and `games`. Reading entry points: 1.10 for `games`.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from types import ModuleType


def hurry() -> None:
    """Look for no garbage from now on, while what is loaded makes none."""
    gc.disable()


def arrived() -> None:
    """Look for garbage again, but never in what is loaded by now, which also makes the end of Python quick."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def look_for_no_plugins() -> None:
    """Spare pydantic its search for plugins in all that is installed."""
    _load_later("pydantic.plugin._loader", get_plugins=tuple)


def encrypt_later() -> None:
    """Load what encrypts connections with the first of them; asyncio would load it at once, and it is 1.5 MB."""
    _load_later("ssl")
    _load_later("asyncio.sslproto")


def _load_later(name: str, **ready: object) -> None:
    """Put a module in the place of another, which is loaded when it is asked for anything that is not ready."""
    stand_in = ModuleType(name)

    def other(attribute: str) -> object:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]
        return getattr(import_module(name), attribute)

    stand_in.__dict__.update(ready, __getattr__=other)
    sys.modules.setdefault(name, stand_in)


def names_entry_points(group: str) -> bool:
    """Something installed may have entry points of this group: searching its files is quicker than reading them
    as entry points."""
    from pathlib import Path

    named = f"[{group}]".encode()
    places = [Path(place) for place in sys.path]
    try:
        return any(place.is_file() for place in places) or any(
            named in file.read_bytes() for place in places for file in place.glob("*-info/entry_points.txt")
        )
    except OSError:
        return True
