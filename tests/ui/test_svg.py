"""SVG pictures: their texts and places, and the secrets they keep."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

import duelbox
from duelbox.core.rng import Rng
from duelbox.registry import BUILT_IN
from duelbox.table.new_game import read_new_game
from duelbox.ui.game_board import Look, board_of
from duelbox.ui.svg import CELL, LINE, board_svg, screen_svg
from duelbox.ui.textual_themes import THEMES
from duelbox.ui.widgets.ring_board import RingBoard
from tests.commands.test_cli import random_code
from tests.ui.conftest import Started
from tests.ui.person import text_of

SVG = "{http://www.w3.org/2000/svg}"


def written(svg: str) -> list[str]:
    """The texts and dots of a picture as lines, each at its place."""
    picture, cells = ElementTree.fromstring(svg), dict[tuple[int, int], str]()
    for text in picture.iter(f"{SVG}text"):
        x, y = round(float(text.attrib["x"]) / CELL), round(float(text.attrib["y"]) / LINE - 0.79)
        assert round(float(text.attrib["textLength"]) / CELL) == len(text.text)
        cells |= {(x + at, y): sign for at, sign in enumerate(text.text)}
    for path in picture.iter(f"{SVG}path"):
        for x, y in re.findall(r"M([0-9.]+) ([0-9.]+)h", path.attrib["d"]):
            column, row = int(2 * float(x) / CELL), int(4 * float(y) / LINE)
            bit = ((0x1, 0x8), (0x2, 0x10), (0x4, 0x20), (0x40, 0x80))[row % 4][column % 2]
            at = column // 2, row // 4
            cells[at] = chr(ord(cells.get(at, "\u2800")) | bit)
    wide, high = max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1
    return ["".join(cells.get((x, y), " ") for x in range(wide)).rstrip() for y in range(high)]


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


def test_a_track_is_drawn_as_dots_that_need_no_font() -> None:
    code = "circle-duel:size=16,reach=2,trails=own,without=1/7.11"
    svg = board_svg(read_new_game(code).session, 80, 16, "dark")
    assert not re.search("[\u2800-\u28ff]", svg)
    scene = board_of("circle-duel").scene(read_new_game(code).session.view(0), Look(seat=0))
    shown = RingBoard.paint(scene, 80, 16, None).canvas.dump()
    dots = [path.attrib["d"].count("M") for path in ElementTree.fromstring(svg).iter(f"{SVG}path")]
    assert sum(dots) == sum((ord(sign) - 0x2800).bit_count() for sign in shown if "\u2800" < sign <= "\u28ff")


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
