"""Changing single values in a TOML file and nothing else in it: comments, order and unknown keys stay.

tomlkit does that, and is loaded for a change alone; tomllib, another reader, judges whether the change came out right.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

Path = tuple[str, ...]


def changed(text: str, changes: Mapping[Path, Any]) -> str:
    """The text with these values set, or taken out where None; raises ValueError where that can't be done."""
    from tomlkit import dumps, parse
    from tomlkit.exceptions import TOMLKitError

    expected, document = tomllib.loads(text), parse(text)
    try:
        for path, value in changes.items():
            expected = _with(expected, path, value)
            _change(document, path, value)
        after = dumps(document)
        if tomllib.loads(after) == expected:
            return after.strip("\n") + "\n"
    except (TOMLKitError, TypeError, AttributeError):  # a value, or several tables, where there should be one
        pass
    raise ValueError("it is written in a way that cannot be changed without harm")


def _with(table: Any, path: Path, value: Any) -> dict[str, Any]:
    """The table with a value set; one that was emptied stays, as its head does in the text."""
    table = table if isinstance(table, Mapping) else {}
    key, *rest = path
    if rest and value is None and not isinstance(table.get(key), Mapping):
        return dict(table)
    if rest:
        value = _with(table.get(key), tuple(rest), value)
    kept = {name: one for name, one in table.items() if name != key or value is not None}
    return kept if value is None else {**kept, key: value}


def _change(table: Any, path: Path, value: Any) -> None:
    from tomlkit import table as new_table

    *way, key = path
    for name in way:
        if name not in table:
            if value is None:
                return
            table[name] = new_table()
        table = table[name]
    if isinstance(table.get(key), Mapping):
        raise TypeError  # with the table all its comments would go
    if value is None:
        table.pop(key, None)
    else:
        table[key] = list(value) if isinstance(value, tuple) else value
