"""Changing single values in a TOML file and nothing else in it: comments, order and unknown keys stay.

The standard library reads TOML but does not write it. A package that does (tomlkit) would cost every start more time
than all of the store. Here tomllib is the judge: it says where a statement ends, and whether a change came out right.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Statement:
    """A piece of the file: a comment or blank line (no path), a table's head, or a key with its value."""

    text: str
    path: Path = ()
    head: bool = False


def changed(text: str, changes: Mapping[Path, Any]) -> str:
    """The text with these values set, or taken out where None; raises ValueError where that can't be done."""
    statements = _statements(text)
    expected = tomllib.loads(text)
    for path, value in changes.items():
        expected = _with(expected, path, value)
        _change(statements, path, value)
    after = "\n".join(one.text for one in statements).strip("\n") + "\n"
    if tomllib.loads(after) != expected:
        raise ValueError("it is written in a way that cannot be changed without harm")
    return after


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


def _change(statements: list[_Statement], path: Path, value: Any) -> None:
    at = next((at for at, one in enumerate(statements) if one.path and not one.head and _leads(one.path, path)), None)
    if at is None:
        if value is not None:
            _insert(statements, path, value)
        return
    old = statements[at]
    if old.path != path:  # the value is inside an inline table
        there = tomllib.loads(old.text)
        for name in _path_of(old.text):
            there = there[name]
        if value is None and not isinstance(there, Mapping):
            return
        value = _with(there, path[len(old.path) :], value)
    if value is None:
        del statements[at]
    else:
        key = old.text[: _equals(old.text)].rstrip()
        statements[at] = replace(old, text=f"{key} = {_value(value)}{_comment(old.text)}")


def _insert(statements: list[_Statement], path: Path, value: Any) -> None:
    """Put a new key behind the others of its table, or a new table at the end."""
    table = path[:-1]
    line = _Statement(f"{_key(path[-1])} = {_value(value)}", path)
    head = next((at for at, one in enumerate(statements) if one.head and one.path == table), None)
    if head is None and table:
        if statements and statements[-1].text.strip():
            statements.append(_Statement(""))
        statements += [_Statement(f"[{'.'.join(map(_key, table))}]", table, head=True), line]
        return
    first = 0 if head is None else head + 1
    end = next((at for at in range(first, len(statements)) if statements[at].head), len(statements))
    last = max((at + 1 for at in range(first, end) if statements[at].path), default=None)
    if last is None and not table:
        last = end
        while last and not statements[last - 1].text.strip():
            last -= 1
    statements.insert(first if last is None else last, line)


def _leads(path: Path, to: Path) -> bool:
    return to[: len(path)] == path


# -- reading


def _statements(text: str) -> list[_Statement]:
    found: list[_Statement] = []
    table: Path = ()
    pending: list[str] = []
    for line in text.split("\n"):
        pending.append(line)
        chunk = "\n".join(pending)
        try:
            parsed = tomllib.loads(chunk)
        except tomllib.TOMLDecodeError:
            continue  # a value that goes on in the next line
        pending = []
        if not parsed:
            found.append(_Statement(chunk))
        elif chunk.lstrip().startswith("["):
            table = _chain(parsed)
            found.append(_Statement(chunk, table, head=True))
        else:
            found.append(_Statement(chunk, table + _path_of(chunk)))
    return found


def _equals(text: str) -> int:
    """Where the key ends: at the first = that is not in quotes."""
    for at, char in enumerate(text):
        if char == "=":
            try:
                tomllib.loads(f"{text[:at]}= 0")
            except tomllib.TOMLDecodeError:
                continue
            return at
    raise ValueError("it has a key without a value")


def _path_of(text: str) -> Path:
    return _chain(tomllib.loads(f"{text[: _equals(text)]}= 0"))


def _chain(nested: Any) -> Path:
    path: list[str] = []
    while isinstance(nested, Mapping) and nested:
        ((name, nested),) = nested.items()
        path.append(name)
    return tuple(path)


def _comment(text: str) -> str:
    """The comment behind a value, with the blanks before it."""
    parsed = tomllib.loads(text)
    for at, char in enumerate(text):
        if char == "#":
            try:
                same = tomllib.loads(text[:at]) == parsed
            except tomllib.TOMLDecodeError:
                continue
            if same:
                return text[len(text[:at].rstrip()) :]
    return ""


# -- writing


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    # TOML's strings, numbers, true and false are written like JSON's, but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
