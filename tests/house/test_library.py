"""duelbox as a library: what it offers is there, says what its examples say, and costs nothing until it is used."""

from __future__ import annotations

import doctest
import re
from random import Random
from types import ModuleType
from xml.etree import ElementTree

import pytest

import duelbox
from duelbox import library
from duelbox.core.errors import CodeError, GameOver
from duelbox.core.rng import Rng
from duelbox.registry import BUILT_IN
from duelbox.ui.svg import CELL, LINE
from duelbox.ui.themes import THEMES
from tests.commands.test_cli import random_code
from tests.house.test_imports import HEAVY, loaded_by

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("module", [duelbox, library], ids=lambda module: module.__name__)
def test_the_examples_say_what_is_so(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


def test_the_package_has_the_names_of_the_library() -> None:
    assert duelbox.__all__ == library.__all__
    assert all(getattr(duelbox, name) is getattr(library, name) for name in duelbox.__all__)
    assert set(duelbox.__all__) <= set(dir(duelbox))
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = duelbox.no_such_name  # type: ignore[attr-defined]


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    assert {name for name in loaded_by("import duelbox") if name.startswith(("duelbox", "pydantic"))} == {"duelbox"}
    used = loaded_by("import duelbox\ntable = duelbox.Table('circle-duel/4.5')\nstr(table), table.solve().reason")
    assert not HEAVY & used


def test_a_table_refuses_as_everything_does() -> None:
    with pytest.raises(CodeError, match="6 is not next to the last number"):
        duelbox.Table("circle-duel/4.6")
    over = duelbox.Table("circle-duel/1.2.3.4.5.6.7.8.9.10")
    assert over.legal == ()
    for ask in (over.solve, lambda: over.choose("oracle")):
        with pytest.raises(GameOver, match="Player 1 cannot move"):
            ask()


# -- the picture


def written(svg: str) -> list[str]:
    """The texts of a picture, each where it stands."""
    grid: dict[int, str] = {}
    for text in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        x, y = round(float(text.attrib["x"]) / CELL), round(float(text.attrib["y"]) / LINE - 0.79)
        assert text.text is not None
        assert round(float(text.attrib["textLength"]) / CELL) == len(text.text)
        grid[y] = grid.get(y, "").ljust(x) + text.text
    return [grid.get(y, "").rstrip() for y in range(max(grid) + 1)]


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_picture_shows_the_board(game_id: str) -> None:
    rng = Random(3)
    for theme in THEMES:
        table = duelbox.Table(random_code(rng, game_id))
        svg = table.svg(theme)
        lines = written(svg)
        assert str(THEMES[theme].background) in svg
        assert max(map(len, lines)) <= 72
        assert len(lines) <= 21 + 2
        # No font and no style from anywhere, and nothing that a page around it would see.
        assert re.findall('https?:[^"]*', svg) == [SVG.strip("{}")]
        assert not re.search("<style|<script|class=|id=|url", svg)


def test_a_picture_is_the_drawing_of_the_board() -> None:
    lines = written(duelbox.Table("sequence-duel:size=6/3.5", ("Ann", "<Ben>")).svg())
    assert lines[1] == "╭─────────╮╭────────○╮▗▄▄▄▄●▄▄▄▄▖     ·     ╔════◆════╗         ◇"
    assert lines[-1].split("  ")[-1].strip() == "◇ 1 only to <Ben>"
    assert duelbox.Table("circle-duel/4")._repr_html_() == duelbox.Table("circle-duel/4").svg()


def test_a_picture_tells_nothing_that_is_hidden() -> None:
    for seed in range(20):
        table = duelbox.Table(f"number-duel:seed={seed}")
        view = table.view(table.turn)
        other = table.game.worlds(view, Rng(seed))
        assert view == table.game.view(other, table.turn)
        twin = duelbox.Table(f"number-duel:seed={seed}")
        twin.start = other
        assert twin.svg() == table.svg()
        assert str(twin) == str(table)
