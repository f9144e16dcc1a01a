"""The keys of a table as a screen binds them: from its verbs, and those that move about the board."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from textual.binding import Binding, BindingType

from duelbox.table.verbs import Verb


def _action(verb: Verb) -> str:
    return f"do('{verb.id}')"


VERB_OF: dict[str, str] = {}
"""The verb of each action that `bound` makes."""


def bound(verbs: Iterable[Verb], task: str = "table") -> list[BindingType]:
    """The bindings of these verbs; on some keys lie two, of which only one ever works."""
    with_keys = [verb for verb in verbs if verb.key]
    VERB_OF.update({_action(verb): verb.id for verb in with_keys})
    return [
        Binding(
            *(verb.key, _action(verb), verb.label),
            id=f"{task}.{verb.setting}",
            show=verb.shown,
            key_display=verb.display,
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
MOVED = {
    "b": "Esc leads home now: b is for a word to a friend elsewhere.",
    "t": "The rounds of a match are under j now.",
    "m": "A word to a friend is under b now.",
    "d": "Decline with z now.",
}
"""Keys that did something else before `MOVED_ON`."""
MOVED_ON = date(2026, 11, 19)
RUB_OUT = Binding("backspace", "erase", "Rub out", id="table.rub_out", show=False)
