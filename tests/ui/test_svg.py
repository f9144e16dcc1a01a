"""SVG pictures: their texts and places, and the secrets they keep."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

import duelbox
from duelbox.core.rng import Rng
from duelbox.registry import BUILT_IN
from duelbox.ui.svg import CELL, LINE, screen_svg
from duelbox.ui.textual_themes import THEMES
from tests.commands.test_cli import random_code
from tests.ui.conftest import Started
from tests.ui.person import text_of

SVG = "{http://www.w3.org/2000/svg}"


def written(svg: str) -> list[str]:
    """The texts of a picture as lines, each at its place."""
    grid: dict[int, str] = {}
    for text in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        x, y = round(float(text.attrib["x"]) / CELL), round(float(text.attrib["y"]) / LINE - 0.79)
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
        assert len(lines) <= 21
        # No font or style from elsewhere, and nothing that affects a page around it.
        assert re.findall('https?:[^"]*', svg) == [SVG.strip("{}")]
        assert not re.search("<style|<script|class=|id=|url", svg)


def test_a_picture_is_the_drawing_of_the_board() -> None:
    lines = written(duelbox.Table("sequence-duel:size=6/3.5").svg())
    assert lines[0] == "╭─────────╮ ╭─────────╮ ▗▄▄▄▄▄▄▄▄▄▖             ╔═════════╗"
    assert lines[5] == "│         │ │    ○    │ ▐         ▌      ·      ║         ║      ◈"
    trails = duelbox.Table("circle-duel:size=15,reach=2,trails=own/4.9", ("Ann", "<Ben>"))
    assert any("<Ben>" in line for line in written(trails.svg()))
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


@pytest.mark.parametrize(("code", "keys"), [(None, ""), ("number-circle/+2.+9", "right v"), ("number-duel", "n")])
async def test_a_picture_of_the_screen_says_what_the_screen_says(started: Started, code: str | None, keys: str) -> None:
    async with started(code) as (app, pilot):
        await pilot.press(*keys.split())
        said = [line.rstrip() for line in text_of(app).splitlines()]
        drawn = written(screen_svg(app))
        assert drawn == said[: len(drawn)]
        assert not any(said[len(drawn) :])
