"""House rules of the code: short files, short functions, and pages that are up to date."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbox import __version__
from duelbox.core.code import parse_code
from duelbox.core.errors import CodeError
from duelbox.registry import BUILT_IN, find_game, games, text_beside

ROOT = Path(__file__).parents[2]
FOLDERS = ("duelbox", "tests", "screenshots")
MOST_LINES = 450
MOST_LINES_OF_A_FUNCTION = 40
INDIRECT = re.compile(r"(What|Who|Whose|Whom|Where|Why|How|Which|Whether)(ever)?\b", re.IGNORECASE)
"""A docstring or comment that begins so names its thing only in passing."""


def files(pattern: str, *folders: str) -> list[Path]:
    """The files of the repository, without untracked ones."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob(pattern))


PYTHON = [*files("*.py", *FOLDERS)]
PAGES = [ROOT / "README.md", *files("*.md", *FOLDERS, ".github")]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_files_are_short() -> None:
    assert [named(path) for path in PYTHON if len(path.read_text("utf-8").splitlines()) >= MOST_LINES] == []


def test_functions_are_short() -> None:
    assert [
        f"{named(path)}: {node.name}"
        for path in files("*.py", "duelbox")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.end_lineno - node.lineno + 1 >= MOST_LINES_OF_A_FUNCTION
    ] == []


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Every string that stands alone: docstrings of modules, classes and functions, and those below a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_and_comments_begin_with_their_subject_or_verb(folder: str) -> None:
    assert [
        f"{named(path)}:{line}: {text}"
        for path in files("*.py", folder)
        for line, text in remarks(path.read_text("utf-8"))
        if INDIRECT.match(text)
    ] == [], "say what it is or does: subject, verb, object"


def remarks(source: str) -> Iterator[tuple[int, str]]:
    """The first line of every docstring and comment, with the number of its line."""
    for node in docstrings(ast.parse(source)):
        yield node.lineno, node.value.strip().partition("\n")[0]
    for number, line in enumerate(source.splitlines(), 1):
        if comment := re.search(r"(?:^\s*|  )# (.*)", line):
            yield number, comment[1]


def codes_in(text: str) -> Iterator[str]:
    """The complete position codes in a page."""
    for found in re.finditer(rf"\b(?:{'|'.join(BUILT_IN)})[:/][!-~]*", text):
        code = found[0].rstrip("`'\").,;|…")
        if not re.search(r"[<>\[\]{}A-Z…]", code):
            yield code


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_the_codes_on_a_page_can_be_played(path: Path) -> None:
    for code in codes_in(path.read_text(encoding="utf-8")):
        try:
            parse_code(code, find_game)
        except CodeError as error:
            pytest.fail(f"{code}: {error.sentence}")


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_what_a_page_points_to_is_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", target):
            assert (path.parent / target).exists(), target


def test_the_readme_names_every_game() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for game in games():
        assert game.INFO.title in readme, "its list of games needs a line more"


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_games_page_of_rules_names_its_options(game_id: str) -> None:
    page = (text_beside(game_id, "rules.md") or "").lower()
    assert page, f"{game_id} needs a rules.md in its folder, such as the other games have"
    page = page.replace("-", " ").replace("_", " ")
    for option in find_game(game_id).Options.infos():
        assert option.name.replace("_", " ") in page, option.name


def test_the_check_of_the_readme_is_the_check_that_is_run() -> None:
    """`.ci/run` reads its command out of the README, so there must be just one, on one line."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- check -->\n```sh\n(.*?)\n```\n", readme, re.DOTALL)
    assert len(blocks) == readme.count("<!-- check -->") == 1
    assert blocks[0].endswith("-m tests.check")
    assert "\n" not in blocks[0]
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "pip" not in script.read_text(encoding="utf-8")


def test_the_source_archive_holds_no_test_that_can_not_run() -> None:
    """Setuptools would put tests/test*.py into the source archive without their helpers; subfolders stay out."""
    assert not list((ROOT / "tests").glob("test*.py"))


def test_no_page_or_module_knows_the_machine_it_was_written_on() -> None:
    for path in [*PYTHON, *PAGES, ROOT / "pyproject.toml"]:
        assert not re.search(r"/(home|Users)/[a-z]+/", path.read_text(encoding="utf-8")), named(path)


def test_the_log_of_changes_has_this_version() -> None:
    told = re.findall(r"(?m)^## (.*)$", (ROOT / ".github" / "CHANGELOG.md").read_text("utf-8"))
    assert next(one for one in told if one != "Unreleased") == __version__


def test_no_statement_numbers_its_placeholders() -> None:
    """Python 3.12.0 to 3.12.3 warn of `?1` with values in a row, though it is right; a warning fails a test."""
    assert [
        f"{named(path)}:{node.lineno}"
        for path in files("*.py", "duelbox")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if "WHERE" in node.value and re.search(r"\?[0-9]", node.value)
    ] == []
