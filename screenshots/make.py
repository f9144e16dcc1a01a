"""Build every picture in this folder from position codes: `python screenshots/make.py [NAME…]`.

The SVGs are Textual's own screenshots. The PNGs need rsvg-convert and the font DejaVu Sans Mono (on Debian the packages
librsvg2-bin and fonts-dejavu-core); without them only the SVGs are made.
"""

from __future__ import annotations

import asyncio
import html
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from duelbox.sitting.opening import called, opening, seated
from duelbox.sitting.sitting import Sitting
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.ui.app import DuelboxApp

HERE = Path(__file__).parent
FONT = "DejaVu Sans Mono"


@dataclass(frozen=True)
class Picture:
    """One picture: what lies on the table, and the keys pressed before it is taken."""

    name: str
    code: str | None = None
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (80, 24)
    p1: str | None = "Alice"
    p2: str | None = "Bob"
    settings: dict[str, Any] = field(default_factory=dict)


PICTURES = (
    Picture("home"),
    Picture("circle-duel", "circle-duel:size=14,reach=2,gaps=3/10.11"),
    Picture("number-circle", "number-circle/+2.+9.+3.-8.+4.+7", ("right",)),
    Picture("sequence-duel", "sequence-duel/10.13.7.16", ("v",)),
    Picture("digit-chain", "digit-chain:zero=no-tens,gaps=20,seed=7/26.61.19"),
    Picture("number-duel", "number-duel:deal=31524-42513/4x3.3x1", ("5", "x", "2"), p2="bot:1"),
    Picture("new-game", "sequence-duel", ("n",)),
    Picture("light", "sequence-duel:size=21,ring=on/10.13.7.16", settings={"theme": "light"}),
    Picture("wide", "number-circle:sharing=off,shared_total=on,floor=0/+2.+9", size=(120, 40)),
)


async def take(picture: Picture) -> str:
    """The picture as SVG."""
    with tempfile.TemporaryDirectory() as home:
        config, store = Config.load(home, environ={}), Store.open(home)
        config.change(**{"animation": "none", "delay": 3000, **picture.settings})
        sitting = None
        if picture.code is not None:
            asked = opening(picture.code)
            sitting = Sitting.of(asked, called(seated(asked.game, (picture.p1, picture.p2))), store=store)
        app = DuelboxApp(config, store, sitting)
        async with app.run_test(size=picture.size) as pilot:
            await pilot.pause(0.3)
            await pilot.press(*picture.keys)
            await pilot.pause(1.0)
            svg = app.export_screenshot()
        store.close()
    # Textual numbers its class names by the moment; a picture should change only when the screen does.
    return re.sub(r"terminal-\d+", f"duelbox-{picture.name}", svg)


_RUN = re.compile(
    r'<text class="([^"]+)" x="([\d.]+)" y="([\d.]+)" textLength="[\d.]+" clip-path="([^"]+)">(.*?)</text>', re.DOTALL
)
_CELL = 12.2


def glyph_by_glyph(svg: str) -> str:
    """The same picture with every glyph in its own cell: rasterisers disagree about textLength and blanks."""

    def spread(run: re.Match[str]) -> str:
        style, left, top, clip, body = run.groups()
        out, column = "", 0
        for glyph in html.unescape(body):
            if not glyph.isspace():
                x = float(left) + column * _CELL
                out += f'<text class="{style}" x="{x:.1f}" y="{top}" clip-path="{clip}">{html.escape(glyph)}</text>'
            column += cell_len(glyph)
        return out

    return re.sub(r"@font-face\s*\{.*?\}", "", _RUN.sub(spread, svg), flags=re.DOTALL).replace("Fira Code", FONT)


def make(picture: Picture) -> None:
    """Write the picture as SVG and, where that can be done, as PNG."""
    svg = asyncio.run(take(picture))
    (HERE / f"{picture.name}.svg").write_text(svg, encoding="utf-8")
    if shutil.which("rsvg-convert"):
        png = HERE / f"{picture.name}.png"
        subprocess.run(["rsvg-convert", "-o", str(png)], input=glyph_by_glyph(svg).encode(), check=True)


if __name__ == "__main__":
    wanted = set(sys.argv[1:])
    for one in PICTURES:
        if not wanted or one.name in wanted:
            make(one)
            print(one.name)
