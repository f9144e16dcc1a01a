"""The keys of a table: bindings made from its verbs, and checks of keys that are changed in the settings."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key

from duelbox.table.verb import Verb
from duelbox.table.verbs import VERBS


def _action(verb: Verb) -> str:
    return f"do('{verb.id}')"


VERB_OF: dict[str, str] = {}
"""The verb behind each action made by `bindings_of`."""


def bindings_of(verbs: Iterable[Verb], prefix: str = "table") -> list[BindingType]:
    """The bindings of these verbs; two verbs may share a key if only one of them works at a time."""
    with_keys = [verb for verb in verbs if verb.key]
    VERB_OF.update({_action(verb): verb.id for verb in with_keys})
    return [
        Binding(
            *(verb.key, _action(verb), verb.label),
            id=f"{prefix}.{verb.setting}",
            show=verb.shown,
            key_display=verb.display or None,
            tooltip=verb.title,
        )
        for verb in with_keys
    ]


ARROWS: tuple[BindingType, ...] = (
    Binding("left", "step(-1, 0)", "Choose", id="table.left", show=False, tooltip="Choose to the left"),
    Binding("right", "step(1, 0)", "Choose", id="table.right", show=False, tooltip="Choose to the right"),
    Binding("up", "step(0, -1)", "Choose", id="table.up", show=False, tooltip="Choose above"),
    Binding("down", "step(0, 1)", "Choose", id="table.down", show=False, tooltip="Choose below"),
    Binding("tab", "whole", "All text", id="table.whole", show=False, tooltip="Show the text whole"),
)
RUB_OUT = Binding("backspace", "erase", "Rub out", id="table.rub_out", show=False)

_NOT_SETTABLE = frozenset({"play", "faster", "slower"})
_ARROWS = ("up", "down", "left", "right")
_ALWAYS_NEEDED = frozenset((*_ARROWS, "enter", "escape", "backspace", "tab", "shift+tab", "plus", "minus")).union(
    ("ctrl+h", "ctrl+i", "ctrl+j", "ctrl+m", "ctrl+left_square_bracket"), "0123456789xX"
)
_APP_KEYS = {
    "s": "settings",
    "ctrl+p": "the palette",
    "ctrl+q": "quit",
    "ctrl+z": "suspending",
    "ctrl+c": "interrupting",
    "super+c": "copying",
}
_MODIFIERS = frozenset(("ctrl", "alt", "shift", "meta", "super", "hyper"))
_NAMED_KEYS = frozenset(
    (*_ARROWS, "space", "tab", "enter", "escape", "backspace", "insert", "delete", "home", "end", "pageup", "pagedown")
).union((f"f{number}" for number in range(1, 25)), map(_character_to_key, string.punctuation))


def settable_verbs() -> dict[str, Verb]:
    """The verbs whose keys can be changed, by their names in the settings file."""
    named: dict[str, Verb] = {}
    for verb in VERBS.values():
        if verb.key and verb.id not in _NOT_SETTABLE:
            named.setdefault(verb.setting, verb)
    return named


def as_key(text: str) -> str:
    """Textual's name of a key, from that name or from a character."""
    return _character_to_key(text) if len(text) == 1 else text


def _is_key(key: str) -> bool:
    *modifiers, base = key.split("+")
    return _MODIFIERS.issuperset(modifiers) and (base in _NAMED_KEYS or (len(base) == 1 and base.isalnum()))


def key_fault(name: str, text: str, keymap: Mapping[str, str]) -> str | None:
    """The reason why this action cannot have this key together with the rest of the keymap; None if it can."""
    actions, key = settable_verbs(), as_key(text)
    if name not in actions:
        return f"there is no action {name[:24]!a}; there are {', '.join(sorted(actions))}"
    if not _is_key(key):
        return f"{text[:24]!a} is not a key; write it like u, f5 or ctrl+r"
    if key in _ALWAYS_NEEDED:
        return f"{text} is needed for moving"
    held = {as_key(keymap.get(other, one.key)): other for other, one in actions.items() if other != name}
    holder = _APP_KEYS.get(key) or held.get(key)
    return None if holder is None else f"{text} is already the key for {holder.replace('_', ' ')}"


def checked_keymap(keymap: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The keymap in Textual's names without faulty entries, and a sentence for each fault."""
    good = dict(keymap)
    faults: list[str] = []
    while fault := next(((name, why) for name in reversed(good) if (why := key_fault(name, good[name], good))), None):
        # An action that returns to its built-in key may take it from another action, so all are checked again.
        name, why = fault
        del good[name]
        faults.insert(0, f"keymap.{name}: {why}. The built-in key stays.")
    return {f"table.{name}": as_key(key) for name, key in good.items()}, tuple(faults)
