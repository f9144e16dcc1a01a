"""The contrast of each theme, computed from its colours and from real screens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from rich.segment import Segment
from textual.color import Color
from textual.pilot import Pilot
from textual.screen import ModalScreen

from duelbox.ui.textual_themes import THEMES
from tests.effort import sampled
from tests.ui.conftest import Started

TEXT, OUTLINE = 4.5, 3.0
GROUNDS = ("background", "surface", "panel")
WORDS = ("foreground", "text-muted", "text-disabled", "seat-0", "seat-1", "accent", "win")
ON = (
    ("block-cursor-foreground", "block-cursor-background"),
    ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
    ("foreground", "block-hover-background"),
    ("input-cursor-foreground", "input-cursor-background"),
    ("input-selection-foreground", "input-selection-background"),
)
FOUR = {"#000000", "#FFFFFF", "#FFFF00", "#00FFFF"}


def luminance(color: Color) -> float:
    """The relative luminance of a colour in WCAG 2."""
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def contrast(one: Color, two: Color) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_colours_of_a_theme_can_be_told_apart(name: str) -> None:
    theme = THEMES[name]
    texts = {**theme.to_color_system().generate(), **theme.variables}
    colours = {key: Color.parse(value) for key, value in texts.items() if value.startswith("#")}
    for ground in GROUNDS:
        for word in WORDS:
            assert contrast(colours[word], colours[ground]) >= TEXT, (word, ground)
        assert contrast(colours["outline"], colours[ground]) >= OUTLINE, ground
        assert contrast(colours["scrollbar"], colours[ground]) >= OUTLINE, ground
    for word, ground in ON:
        assert contrast(colours[word], colours[ground]) >= TEXT, (word, ground)


def shown(segments: list[Segment]) -> Iterator[tuple[str, Color, Color]]:
    """The signs on the screen, each with its colour and background."""
    for text, style, _ in segments:
        if style is None or style.color is None or style.bgcolor is None or not text.strip():
            continue
        ink, ground = (Color.from_rich_color(one) for one in (style.color, style.bgcolor))
        if style.reverse:
            ink, ground = ground, ink
        if style.dim:
            ink = ink.blend(ground, 0.5)
        yield text, ink, ground


def is_drawing(text: str) -> bool:
    """True for lines, dots, blocks and borders, which need less contrast than words."""
    return all(0x2500 <= ord(char) < 0x2600 or 0x2800 <= ord(char) < 0x2900 or char in " ·." for char in text)


WALK: tuple[tuple[str | None, tuple[str, ...]], ...] = (
    (None, ()),
    (None, ("n", "down")),
    (None, ("i",)),
    (None, ("s",)),
    (None, ("question_mark",)),
    ("circle-duel:size=14,reach=2,gaps=3/10.11", ("9", "enter")),
    ("number-circle/+2.+9.+3.-8", ("right",)),
    ("sequence-duel/10.13.7.16", ("v", "h", "h")),
    ("circle-duel:size=30,reach=2,gaps=4,seed=2/9", ("v",)),
    ("digit-chain/26.61", ("2", "3", "enter")),
    ("number-duel:deal=31524-42513/4x3.3x1", ("5", "x", "2")),
    ("number-duel:deal=31524-42513", ("space",)),
)


def read(pilot: Pilot[Any], look_at: str, theme: str) -> None:
    """Check the contrast of all that a widget shows."""
    screen = pilot.app.screen
    region = screen.query_one(look_at).region if look_at else screen.region
    strips = screen._compositor.render_strips()
    found = [one for y in range(region.y, region.bottom) for one in shown(list(strips[y].crop(region.x, region.right)))]
    assert len(found) > 5
    for text, ink, ground in found:
        assert contrast(ink, ground) >= (OUTLINE if is_drawing(text) else TEXT), (theme, text, ink.hex, ground.hex)
        assert theme != "high-contrast" or {ink.hex, ground.hex} <= FOUR, (text, ink.hex, ground.hex)


@pytest.mark.parametrize("number", range(len(WALK)), ids=[f"{code or 'home'} {' '.join(keys)}" for code, keys in WALK])
async def test_everything_on_the_screen_can_be_read_in_every_theme(started: Started, number: int) -> None:
    code, keys = WALK[number]
    async with started(code, "Alice", "Bob") as (app, pilot):
        await pilot.press(*keys)
        every = sampled(3, 1)
        for name in [*THEMES][number % every :: every]:
            app.theme = THEMES[name].name
            await pilot.pause()
            read(pilot, "VerticalScroll" if isinstance(app.screen, ModalScreen) else "", name)


@pytest.mark.parametrize("name", THEMES)
async def test_the_palette_can_be_read_in_every_theme(started: Started, name: str) -> None:
    async with started(theme=name) as (_, pilot):
        await pilot.press("ctrl+p", "s", "e", "down")
        # The screen below the palette is dimmed on purpose.
        read(pilot, "CommandList", name)
