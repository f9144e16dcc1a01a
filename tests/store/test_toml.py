"""Changes to a TOML file leave everything else in it as it was."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from duelbox.store.settings import changed_text as changed

Path = tuple[str, ...]

KEYS = st.sampled_from(["theme", "keymap", "last", "a b", 'q"', "é", "x.y", ""])
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALARS = st.one_of(st.booleans(), st.integers(-(10**6), 10**6), TEXT, st.lists(TEXT, max_size=3))
PATHS = st.lists(KEYS, min_size=1, max_size=3).map(tuple)

FILES = (
    "",
    "# nothing but a comment",
    "theme = 'x'  # a remark\n\n\nkeymap.undo = 5\n[last]\n'x.y' = [1,\n 2] # two\n# end\n",
    '[keymap]\n[last."x.y"]\nz = """a\n[keymap]\n"""\n',
    "last = { 'x.y' = { theme = 1 }, keymap = 2 }\n[[theme]]\na = 1\n[[theme]]\na = 2",
    "[keymap.theme]\n[keymap]\nx = '#'\n",
    '"a b" = 1\n[ last . "a b" ] # head\ntheme = "=" # = #\n',
    "theme = 1\r\n[last]\r\nkeymap = 2\r\n",
)


def expected(document: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Set one value in a document with plain dictionaries."""
    key, *rest = path
    if rest and value is None and not isinstance(document.get(key), dict):
        return document
    if not rest:
        return {name: one for name, one in document.items() if name != key} | ({} if value is None else {key: value})
    inner = document.get(key, {})
    return {**document, key: expected(inner if isinstance(inner, dict) else {}, tuple(rest), value)}


def without_empty(document: Any) -> Any:
    """Leave out empty tables, since a heading alone makes a table."""
    if not isinstance(document, dict):
        return document
    inner = {name: without_empty(value) for name, value in document.items()}
    return {name: value for name, value in inner.items() if value != {}}


@given(st.sampled_from(FILES), PATHS, st.none() | SCALARS)
@example(FILES[2], ("theme",), "new")
@example(FILES[3], ("last", "x.y", "z"), None)
@example(FILES[4], ("last", "x.y", "theme"), 7)
def test_a_change_changes_what_it_says(text: str, path: Path, value: Any) -> None:
    text = text.replace("\r\n", "\n")
    try:
        after = changed(text, {path: value})
    except ValueError:
        # Refused, never done wrong: a table where there is a value, or several tables of one name.
        place: Any = tomllib.loads(text)
        for key in path:
            if not isinstance(place, dict):
                return
            place = place.get(key, {})
        assert isinstance(place, list | dict)
        return
    assert without_empty(tomllib.loads(after)) == without_empty(expected(tomllib.loads(text), path, value))
    for line in text.split("\n"):
        if line.strip().startswith("#"):
            assert line in after.split("\n")


@given(st.lists(st.tuples(PATHS, st.none() | SCALARS), max_size=6))
def test_changes_one_after_the_other(changes: list[tuple[Path, Any]]) -> None:
    text = ""
    for path, value in changes:
        document = tomllib.loads(text)
        try:
            text = changed(text, {path: value})
        except ValueError:
            continue
        assert without_empty(tomllib.loads(text)) == without_empty(expected(document, path, value))


@pytest.mark.parametrize("text", FILES)
def test_changing_nothing_changes_nothing(text: str) -> None:
    text = text.replace("\r\n", "\n")
    assert changed(text, {}).strip("\n") == text.strip("\n")


def test_comments_and_places_stay() -> None:
    text = "# a\nx = 1   # b\n\n[t] # c\n# d\ny = [ # e\n 1 ] # f\n"
    assert changed(text, {("x",): 2}) == text.replace("1   # b", "2   # b")
    assert changed(text, {("t", "y"): 3}) == "# a\nx = 1   # b\n\n[t] # c\n# d\ny = 3 # f\n"
    assert changed(text, {("z",): True}) == text.replace("# b\n", "# b\nz = true\n")
    assert changed(text, {("t", "z"): "é"}) == text + 'z = "é"\n'
    assert changed(text, {("u", "v", "w"): 1}) == text + "\n[u.v]\nw = 1\n"
    assert changed(text, {("x",): None}) == text.replace("x = 1   # b\n", "")
