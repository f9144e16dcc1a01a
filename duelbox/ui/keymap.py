"""The keys of the table, as they can be set: checked, since a collision would silently take a key away."""

from __future__ import annotations

from collections.abc import Mapping

from textual.binding import Binding
from textual.keys import KEY_ALIASES, Keys

from duelbox.ui.screens.table import TableScreen

# Keys every board needs; characters of moves come on top of these.
RESERVED = frozenset(("up", "down", "left", "right", "escape", "backspace", "tab", "enter", "ctrl+q", "ctrl+p"))
MOVE_CHARACTERS = frozenset("0123456789x")
FIXED = frozenset({"play", "left", "right", "up", "down", "clear", "rub_out", "faster", "slower"})


def settable() -> dict[str, Binding]:
    """The bindings of the table that may be moved, by what the settings file calls them."""
    bindings = (one for one in TableScreen.BINDINGS if isinstance(one, Binding) and one.id)
    named = {str(one.id).removeprefix("table."): one for one in bindings}
    return {name: one for name, one in named.items() if name not in FIXED}


def key_fault(name: str, key: str, keymap: Mapping[str, str]) -> str | None:
    """Why this action can't have this key, if so."""
    actions = settable()
    if name not in actions:
        return f"there is no action {name[:24]!a}; there are {', '.join(sorted(actions))}"
    base = key.rsplit("+", 1)[-1]
    if not (len(base) == 1 or base in set(Keys) or base in KEY_ALIASES or base in _PUNCTUATION):
        return f"{key[:24]!a} is not a key; write it like u, f5 or ctrl+r"
    if key in RESERVED or key in MOVE_CHARACTERS:
        return f"{key} is needed for moving"
    for other, binding in actions.items():
        if other != name and keymap.get(other, binding.key) == key:
            return f"{key} is already the key for {other.replace('_', ' ')}"
    return None


_PUNCTUATION = frozenset({"question_mark", "plus", "minus", "comma", "full_stop", "slash", "space"})


def checked_keymap(keymap: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The keymap as Textual takes it, without its faults, and the faults as sentences."""
    good: dict[str, str] = {}
    faults: list[str] = []
    for name, key in keymap.items():
        fault = key_fault(name, key, {**{one: k for one, k in keymap.items() if one in good or one == name}})
        if fault is None:
            good[name] = key
        else:
            faults.append(f"keymap.{name}: {fault}. The built-in key stays.")
    return {f"table.{name}": key for name, key in good.items()}, tuple(faults)
