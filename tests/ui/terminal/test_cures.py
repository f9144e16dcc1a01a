"""Cures of Textual are applied only if their fault is found, not to a Textual without it or built differently."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.terminal.textual_faults import CURES, _changed_parts, is_shown, repair
from duelbox.ui.widgets.lines import ClippedText
from tests.effort import tries


@pytest.mark.parametrize(
    ("owner", "name", "original", "cured", "probe"), CURES, ids=lambda one: getattr(one, "__name__", "")
)
async def test_a_cure_goes_where_its_probe_shows_the_fault(
    owner: Any, name: str, original: Any, cured: Any, probe: Callable[[Any], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def built_otherwise(*_: Any) -> Any:
        raise AttributeError

    assert is_shown(probe, original)
    if owner is Widget:  # a method without the fault
        monkeypatch.setattr(vars(Widget)["virtual_size"], "_layout", False)
    for better in (cured, built_otherwise):
        monkeypatch.setattr("duelbox.ui.terminal.textual_faults.CURES", ((owner, name, better, cured, probe),))
        monkeypatch.setattr(owner, name, better)
        repair()
        assert vars(owner)[name] is better


COLOURS = (None, "red", "bright_blue", "color(100)", "color(7)", "#102030", "#ffffff")
TEXTS = ("ab", "  ", " ", "│", "x ", "Hände", "    ")


def drawn(rng: Random) -> Strip:
    """A row of text in random styles."""
    flags = ("bold", "dim", "italic", "underline", "reverse", "strike")
    styles = [None, *(Style(**{name: True for name in flags if rng.random() < 0.2}) for _ in range(3))]
    return Strip(
        Segment(
            rng.choice(TEXTS),
            (rng.choice(styles) or Style()) + Style(color=rng.choice(COLOURS), bgcolor=rng.choice(COLOURS)),
        )
        for _ in range(12)
    )


def on_a_terminal(sent: str) -> dict[tuple[int, int], tuple[str, frozenset[str], str, str]]:
    """The sign, attributes and colours of each cell; slow, and written from the meaning of the codes."""
    shown, x, y = {}, 0, 0
    marks, fore, back = set[str](), "", ""
    for found in re.finditer(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|(.)", sent):
        if found[1]:
            y, x = int(found[1]) - 1, int(found[2]) - 1
        elif found[4]:
            seen = {mark for mark in marks if found[4] != " " or mark in "4 7 9"}
            shown[x, y] = found[4], frozenset(seen), fore if found[4] != " " or "7" in seen else "", back
            x += 1
        else:
            codes = found[3].split(";")
            while codes:
                code = codes.pop(0)
                if code == "0":
                    marks, fore, back = set(), "", ""
                elif code in ("38", "48"):
                    colour = ";".join((code, *(codes.pop(0) for _ in range(2 if codes[0] == "5" else 4))))
                    fore, back = (colour, back) if code == "38" else (fore, colour)
                elif len(code) == 1:
                    marks.add(code)
                else:
                    fore, back = (code, back) if code[0] in "39" else (fore, code)
    return shown


def test_what_is_sent_in_fewer_codes_shows_the_same() -> None:
    rng, console = Random(1), Console(color_system="truecolor", force_terminal=True)
    for _ in range(tries(3200)):
        rows = [drawn(rng) for _ in range(3)]
        ends = [[row.cell_length] for row in rows]
        spans = [(y, first := rng.randrange(8), first + 1 + rng.randrange(12)) for y in range(3)]
        update = ChopsUpdate([{0: row} for row in rows], spans, ends)
        parts = [(first, y, rows[y].crop(first, end)) for y, first, end in spans]
        plain = "".join(f"\x1b[{y + 1};{first + 1}H{part.render(console)}" for first, y, part in parts)
        sent = _changed_parts(update, console)
        assert on_a_terminal(sent) == on_a_terminal(plain)
        assert len(sent) <= len(plain)


async def test_words_are_drawn_no_lower_than_they_reach() -> None:
    async with TerminalApp().run_test(size=(40, 20)) as pilot:
        words = ClippedText()
        words.styles.height = 15
        await pilot.app.screen.mount(words)
        await pilot.pause()
        asked = list[Region]()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(words, "refresh", lambda *regions, **_: asked.extend(regions))
            words.words = (Content("one"), Content("two " * 12))
            words.words = (Content("three"),)
        assert [region.height for region in asked] == [3, 3]
