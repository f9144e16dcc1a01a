"""House rule of the code: a table answers for its kind itself, so that few places ask which kind it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "duelbox"
MOST_QUESTIONS = 8
"""Places that may ask which kind of table they have."""
KINDS = ("Table", "Screen")
"""The last word of the names of tables, and of the screens that show them."""
NOT_KINDS = ("WaitingTable", "HomeScreen", "ListScreen", "NewGameScreen", "SettingsScreen", "Screen")
"""Names that end so, and are neither tables nor screens of them."""
WORDS_OF_KINDS = ("NAME", "title", "kind", "place", "at")
"""Names of tables in words; code that compares one asks for the kind."""


def questions(source: str) -> list[int]:
    """The lines that ask for the kind of a table."""
    return [line for node in ast.walk(ast.parse(source)) for line in questions_of(node)]


def questions_of(node: ast.AST) -> Iterator[int]:
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass"):
        if any(map(is_kind, ast.walk(node.args[1]))):
            yield node.lineno
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if any(map(is_type_or_word, sides)) and any(map(is_kind_or_text, sides)):
            yield node.lineno
    elif isinstance(node, ast.MatchClass) and is_kind(node.cls):
        yield node.cls.lineno


def is_kind(node: ast.AST) -> bool:
    name = getattr(node, "id", getattr(node, "attr", ""))
    return name.endswith(KINDS) and name not in NOT_KINDS


def is_type_or_word(node: ast.AST) -> bool:
    """True for `type(…)`, and for the name of a table or the turn that only a review shows."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") == "type"
    of_table = isinstance(node, ast.Attribute) and getattr(node.value, "attr", getattr(node.value, "id", "")) == "table"
    return of_table and getattr(node, "attr", "") in WORDS_OF_KINDS


def is_kind_or_text(node: ast.AST) -> bool:
    return is_kind(node) or (isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str)))


def test_few_places_ask_which_kind_of_table_they_have() -> None:
    places = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(ROOT.rglob("*.py"))
        for line in questions(path.read_text("utf-8"))
        if path.name != "library.py"  # its `Table` is what `import duelbox` offers
    ]
    assert len(places) <= MOST_QUESTIONS, places


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(table, LocalTable)",
        "isinstance(one.table, LocalTable | RemoteTable)",
        "isinstance(screen, screens.table.TableScreen)",
        "type(table) is LocalTable",
        "state.table.NAME == 'Puzzle'",
        "table.at is None",
        "match table:\n    case LocalTable():\n        pass",
    ],
)
def test_a_question_for_the_kind_is_seen(source: str) -> None:
    assert questions(source) == [2 if "case" in source else 1]


@pytest.mark.parametrize(
    "source", ["isinstance(opened, WaitingTable)", "table.score == 2", "state.at is None", "table.at > 0"]
)
def test_other_questions_are_let_be(source: str) -> None:
    assert questions(source) == []
