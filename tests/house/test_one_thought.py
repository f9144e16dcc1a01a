"""House rule of the code: one thought a line, in every package but those on a list that only shrinks."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "duelbox"
MOST_CONDITIONALS = 35
"""Conditional expressions (`a if test else b`) that a package may have in 10,000 tokens."""

NOT_YET = frozenset(
    {
        "bots",
        "commands",
        "core",
        "games/circle_duel",
        "games/digit_chain",
        "games/number_circle",
        "games/number_duel",
        "games/sequence_duel",
        "learn",
        "serve",
        "ui",
        "ui/screens",
        "ui/widgets",
    }
)
"""Packages that do not hold the rule yet. No name is ever added; whoever mends one takes it off."""

SPLIT = ("games", "ui")
"""Packages so large that each folder in them counts for itself."""


def package_of(path: Path) -> str:
    """The package that a file counts for: `core`, `games/circle_duel`, `ui`; `duelbox` for its own modules."""
    folders = path.relative_to(ROOT).parts[:-1]
    if not folders:
        return "duelbox"
    if folders[0] in SPLIT:
        return "/".join(folders[:2])
    return folders[0]


FILES: dict[str, list[Path]] = {}
for _path in sorted(ROOT.rglob("*.py")):
    FILES.setdefault(package_of(_path), []).append(_path)


# ---------------------------------------------------------------- tokens


def tokens(source: str) -> int:
    """The names, operators and numbers of a module, outside docstrings, imports and strings with values in them."""
    unread = unread_lines(ast.parse(source))
    inside = 0  # since Python 3.12 the parts of an f-string are tokens, too
    count = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):
            inside += 1
        elif name.endswith("STRING_END"):
            inside -= 1
        elif name in ("NAME", "OP", "NUMBER") and not inside and token.start[0] not in unread:
            count += 1
    return count


def unread_lines(tree: ast.AST) -> set[int]:
    """The lines of imports and of strings that stand alone."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        alone = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if alone or isinstance(node, (ast.Import, ast.ImportFrom)):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def conditionals(source: str) -> int:
    return sum(isinstance(node, ast.IfExp) for node in ast.walk(ast.parse(source)))


# ---------------------------------------------------------------- faults of a line


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Every place with more than one thought, with the number of its line."""
    tree = ast.parse(source)
    conditions = {id(node) for node in conditions_in(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.IfExp) and has_conditional_inside(node):
            yield node.lineno, "a conditional expression inside another"
        elif isinstance(node, ast.Assign):
            yield from faults_of_assignment(node)
        elif isinstance(node, ast.BoolOp) and id(node) not in conditions and is_and_or(node):
            yield node.lineno, "`and … or` in place of an if"
        elif is_picked_at_once(node):
            yield node.lineno, "a literal or lambda in place of an if"
        yield from faults_between_lines(node)


def has_conditional_inside(node: ast.IfExp) -> bool:
    inside = (inner for part in ast.iter_child_nodes(node) for inner in ast.walk(part))
    return any(isinstance(inner, ast.IfExp) for inner in inside)


def faults_of_assignment(node: ast.Assign) -> Iterator[tuple[int, str]]:
    if len(node.targets) > 1:
        yield node.lineno, "one value for several names"
    number = values_at_once(node.targets[0], node.value)
    if number > 2:
        yield node.lineno, f"{number} values at once"


def values_at_once(target: ast.expr, value: ast.expr) -> int:
    """The number of values written out in one assignment; what a call returns is one, however it is unpacked."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return 1
    if isinstance(value, ast.IfExp):
        return max(values_at_once(target, value.body), values_at_once(target, value.orelse))
    if isinstance(value, ast.BinOp) and isinstance(value.left, (ast.Tuple, ast.List)):
        return len(target.elts)
    if not isinstance(value, (ast.Tuple, ast.List)):
        return 1
    if len(target.elts) != len(value.elts):
        return max(len(target.elts), len(value.elts))
    return sum(map(values_at_once, target.elts, value.elts))


def faults_between_lines(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Two lines, one after the other, that assign a pair each: four values cut in two."""
    for body in ("body", "orelse", "finalbody"):
        lines = getattr(node, body, None)
        if isinstance(lines, list):
            for line, following in pairwise(lines):
                if is_pair(line) and is_pair(following):
                    yield following.lineno, "two pairs in a row"


def is_pair(line: ast.stmt) -> bool:
    return isinstance(line, ast.Assign) and values_at_once(line.targets[0], line.value) == 2


def is_picked_at_once(node: ast.AST) -> bool:
    """True for `(b, a)[test]`, `{…}[key]`, `{…}.get(key)` and `(lambda: …)()`."""
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute):
            return called.attr == "get" and isinstance(called.value, ast.Dict)
        return isinstance(called, ast.Lambda)
    if isinstance(node, ast.Subscript):
        if isinstance(node.value, ast.Dict):
            return True
        return isinstance(node.value, (ast.Tuple, ast.List, ast.Constant)) and is_truth(node.slice)
    return False


def is_truth(node: ast.expr) -> bool:
    """True for an expression that is plainly True or False."""
    if isinstance(node, ast.BoolOp):
        return all(map(is_truth, node.values))
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("bool", "isinstance", "any", "all", "callable")
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def is_and_or(node: ast.BoolOp) -> bool:
    """True for `test and a or b`, unless both that can come out are plainly True or False."""
    if not isinstance(node.op, ast.Or):
        return False
    outcomes = [value.values[-1] for value in node.values[:-1] if isinstance(value, ast.BoolOp)]
    return bool(outcomes) and not all(map(is_truth, [*outcomes, node.values[-1]]))


def conditions_in(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions of which only the truth counts, with their parts."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            yield from parts_of_condition(node.test)
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield from parts_of_condition(test)
        elif isinstance(node, ast.match_case) and node.guard:
            yield from parts_of_condition(node.guard)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from parts_of_condition(node.operand)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("bool", "any", "all"):
            for argument in node.args:
                yield from parts_of_condition(getattr(argument, "elt", argument))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_named(node.returns, "bool"):
            for line in ast.walk(node):
                if isinstance(line, ast.Return) and line.value:
                    yield from parts_of_condition(line.value)
        elif isinstance(node, ast.AnnAssign) and node.value and is_named(node.annotation, "bool"):
            yield from parts_of_condition(node.value)


def is_named(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def parts_of_condition(node: ast.expr) -> Iterator[ast.expr]:
    yield node
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from parts_of_condition(value)


# ---------------------------------------------------------------- the rule


def faults_of_package(package: str) -> list[str]:
    places = []
    sources = {path: path.read_text("utf-8") for path in FILES[package]}
    for path, source in sources.items():
        places += [f"{path.relative_to(ROOT.parent)}:{line}: {fault}" for line, fault in faults(source)]
    allowed = MOST_CONDITIONALS * sum(map(tokens, sources.values())) // 10_000
    count = sum(map(conditionals, sources.values()))
    if count > allowed:
        places.append(f"{package}: {count} conditional expressions; {allowed} are allowed for its size")
    return places


@pytest.mark.parametrize("package", FILES)
def test_a_package_has_one_thought_a_line(package: str) -> None:
    places = faults_of_package(package)
    if package in NOT_YET:
        assert places, f"take {package} off the list"
    else:
        assert places == []


def test_a_package_that_was_mended_leaves_the_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The rule itself, on a package made for this test: dense, it may be listed; plain, it may not."""
    module = tmp_path / "made" / "module.py"
    module.parent.mkdir()
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    monkeypatch.setitem(globals(), "NOT_YET", frozenset({"made"}))
    monkeypatch.setitem(FILES, "made", [module])
    module.write_text("a, b, c = 1, 2, 3\n")
    test_a_package_has_one_thought_a_line("made")
    module.write_text("a = 1\nb = 2\nc = 3\n")
    with pytest.raises(AssertionError, match="take made off the list"):
        test_a_package_has_one_thought_a_line("made")


def test_the_list_of_packages_names_only_packages_there_are() -> None:
    assert sorted(NOT_YET - set(FILES)) == []


# ---------------------------------------------------------------- the judge, judged

DENSE = {
    "x = 1 if a else 2 if b else 3": "a conditional expression inside another",
    "x = (1 if a else 2) if b else 3": "a conditional expression inside another",
    "x = 1 if (a if b else c) else 3": "a conditional expression inside another",
    "x = f'{1 if a else (2 if b else 3)}'": "a conditional expression inside another",
    "a, b, c = 1, 2, 3": "3 values at once",
    "[a, b, c] = [1, 2, 3]": "3 values at once",
    "a, *b, c = 1, 2, 3, 4": "4 values at once",
    "(a, b), c = (1, 2), 3": "3 values at once",
    "(a, b), (c, d) = (1, 2), (3, 4)": "4 values at once",
    "a, b, c = (1, 2, 3) if test else (4, 5, 6)": "3 values at once",
    "a, b, c = [None] * 3": "3 values at once",
    "a, b = 1, 2\nc, d = 3, 4": "two pairs in a row",
    "if test:\n    pass\nelse:\n    a, b = 1, 2\n    (c, d) = (3, 4)": "two pairs in a row",
    "a = b = c": "one value for several names",
    "a = b = f()": "one value for several names",
    "x = (b, a)[test == 1]": "a literal or lambda in place of an if",
    "x = [b, a][not test]": "a literal or lambda in place of an if",
    "x = (b, a)[bool(test)]": "a literal or lambda in place of an if",
    "x = (b, a)[n > 1 and n < 9]": "a literal or lambda in place of an if",
    "x = ' s'[n > 1]": "a literal or lambda in place of an if",
    "x = {True: a, False: b}[test]": "a literal or lambda in place of an if",
    "x = {1: a, 2: b}.get(n, c)": "a literal or lambda in place of an if",
    "x = (lambda: a)()": "a literal or lambda in place of an if",
    "x = test and a or b": "`and … or` in place of an if",
    "def f() -> str:\n    return test and a or b": "`and … or` in place of an if",
    "f(test == 1 and a or b)": "`and … or` in place of an if",
    "x = test and a or other and b or c": "`and … or` in place of an if",
}

PLAIN = [
    "x = 1 if a else 2",
    "x = f(1 if a else 2, 3 if b else 4)",
    "a, b = 1, 2",
    "a, b = b, a",
    "a, b, c = f()",
    "a, b, c = (f(n) for n in range(3))",
    "(a, b), c = f(), 1",
    "a, b = 1, 2\nx = 3\nc, d = 3, 4",
    "a, b = f()\nc, d = g()",
    "x = 1, 2, 3",
    "for a, b, c in rows:\n    pass",
    "x = signs[test == 1]",
    "x = (b, a)[seat]",
    "x = 'wdl'[0]",
    "x = NAMES.get(n, c)",
    "f(lambda: a)",
    "x = a or b",
    "x = test and a",
    "x = a or test and b",
    "if test and a or b:\n    pass",
    "while (test and a or b) and c:\n    pass",
    "x = [n for n in row if n and a or b]",
    "x = not (test and a or b)",
    "x = any(n and a or b for n in row)",
    "x = bool(test and a or b)",
    "x: bool = test and a or b",
    "def f() -> bool:\n    return test and a or b",
    "x = a == 1 and b > 2 or not c",
]


@pytest.mark.parametrize("source", DENSE)
def test_a_line_with_two_thoughts_is_seen(source: str) -> None:
    assert [fault for _, fault in faults(source)] == [DENSE[source]]


@pytest.mark.parametrize("source", PLAIN)
def test_a_line_with_one_thought_is_let_be(source: str) -> None:
    assert list(faults(source)) == []


def test_tokens_are_names_operators_and_numbers_outside_imports_and_docstrings() -> None:
    assert tokens('"""Some words."""\n\nimport ast\nfrom a import (\n    b,\n)\n') == 0
    assert tokens("x = f(1)  # a remark\n") == 6
    assert tokens('x = "a b c"\n') == 2


def test_a_string_with_values_in_it_counts_alike_on_every_python() -> None:
    assert tokens('x = f"{a if b else c} and {f(d, e)!r:>{width}}"\n') == 2
    assert tokens("x = f'{f\"{a}\"}' + b\n") == 4


def test_conditionals_are_counted_wherever_they_stand() -> None:
    assert conditionals("x = f'{1 if a else 2}' if b else g(3 if c else 4)\n") == 3
