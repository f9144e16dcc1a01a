"""Build every picture in this folder from position codes: `python screenshots/make.py [NAME…]`.

The PNGs need rsvg-convert and the font DejaVu Sans Mono (on Debian the packages librsvg2-bin and fonts-dejavu-core);
without them only the SVGs are made.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual.pilot import Pilot
from textual.strip import Strip

from duelbox.commands.exam import screen_of
from duelbox.friends.join_code import JoinCode
from duelbox.friends.lobby import host
from duelbox.relay.server import serving
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.players import named_players, with_default_names
from duelbox.table.remote import RemoteTable
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.marks_screen import MarksScreen
from duelbox.ui.svg import animated, screen_strips, screen_svg
from duelbox.ui.textual_themes import THEMES

HERE = Path(__file__).parent
INK, GROUND = str(THEMES["dark"].foreground), str(THEMES["dark"].background)


@dataclass(frozen=True)
class Picture:
    """One picture: the position on the table, and the keys pressed before it is taken."""

    name: str
    code: str | None = None
    keys: str = ""
    size: tuple[int, int] = (80, 24)
    p1: str | None = "Alice"
    p2: str | None = "Bob"
    settings: dict[str, Any] = field(default_factory=dict)
    friend: str = ""
    """The game proposed by a friend elsewhere, who moves first; empty without a friend."""
    exam: tuple[str, ...] = ()
    """The players of an exam, whose table is shown."""


PICTURES = (
    Picture("home"),
    Picture("circle-duel", "circle-duel:size=16,reach=2,trails=own,without=1/7.11", p1=None, p2="bot:1"),
    Picture("number-circle", "number-circle/+2.+9.+3.-8.+4.+7", "right"),
    Picture("sequence-duel", "sequence-duel/10.13.7.16", "v"),
    Picture("digit-chain", "digit-chain:zero=no-tens,gaps=20,seed=7/26.61.19"),
    Picture("number-duel", "number-duel:deal=31524-42513/4x3.3x1", "5 x 2", p2="bot:1"),
    Picture("new-game", "sequence-duel", "n"),
    Picture("light", "sequence-duel:size=21,ring=on/10.13.7.16", settings={"theme": "light"}),
    Picture("wide", "number-circle:target=12,shared_total=on,floor=0/+2.+9", size=(120, 40)),
    Picture("review", "sequence-duel:size=11/3.5.7.1.11.9", "e right right v", size=(100, 30)),
    Picture("lesson", None, "t 3 enter"),
    Picture("puzzle", None, "p"),
    Picture("exam", exam=("bot:3",)),
    Picture("code", None, "o up right enter up up up up right right enter"),
    Picture("elsewhere", None, "o JOIN enter", friend="sequence-duel"),
)

PLAY = Picture(
    "play", "sequence-duel:size=11", "6 enter 3 enter h h h enter 1 enter v 1 1 enter 2 enter 8 enter 4 enter 7 enter"
)
"""The recorded game; each key makes a frame."""
SECONDS = {"home": 2.5, "": 1.5, "enter": 1.0, "h": 2.5, "v": 3.0}
"""Seconds for which home, the empty table, and the screen after these keys are seen."""
OTHERS, LAST = 0.6, 5.0
"""The same for the screen after any other key, and for the last screen."""


@asynccontextmanager
async def opened(picture: Picture) -> AsyncIterator[tuple[DuelboxApp, Pilot[None]]]:
    """The app with the position of the picture on its table, in a temporary home."""
    with tempfile.TemporaryDirectory() as home:
        config, store = Config.load(home, environ={}), Store.open(home)
        config.change(**{"animation": "none", "delay": 3000, **picture.settings})
        table = None
        if picture.code is not None:
            asked = read_new_game(picture.code)
            table = LocalTable(
                asked, with_default_names(named_players(asked.game, (picture.p1, picture.p2))), store=store
            )
        app = DuelboxApp(config, store, table)
        async with app.run_test(size=picture.size) as pilot:
            await pilot.pause(0.3)
            yield app, pilot
        store.close()


async def take(picture: Picture) -> str:
    """The picture as SVG; with a friend elsewhere, tried again until the friend has the first move."""
    if picture.friend:
        while (drawn := await _with_friend(picture)) is None:
            pass
        return drawn
    async with relayed(picture) as with_relay, opened(with_relay) as (app, pilot):
        if picture.exam:
            await _with_exam(app, pilot, picture)
        for key in picture.keys.split():
            await pilot.press(key)
            await pilot.pause(0.3)
        await pilot.pause(1.0)
        return screen_svg(app)


async def _with_exam(app: DuelboxApp, pilot: Pilot[None], picture: Picture) -> None:
    """Open the table of an exam, and wait until all players are done."""
    screen_of(app, 7, 100, picture.exam)
    await pilot.pause()
    while not (isinstance(app.screen, MarksScreen) and app.screen.whole):
        await pilot.pause(0.1)


@asynccontextmanager
async def relayed(picture: Picture) -> AsyncIterator[Picture]:
    """The picture with the address of a running relay; every join code is the same."""
    async with serving("127.0.0.1:0", None) as relay:
        with (
            patch("duelbox.friends.lobby.new_join_code", lambda *_, **__: JoinCode("7843", "lagoon-honey-berry")),
            patch("duelbox.friends.lobby.WaitingTable.address", "wss://relay.example.org"),
        ):
            yield replace(picture, settings={**picture.settings, "names": ("Alice", "Cy"), "relay": relay.address})


async def _with_friend(picture: Picture) -> str | None:
    """The picture at a friend's table as SVG; None if the draw does not let the friend move first."""
    with tempfile.TemporaryDirectory() as home, Store.open(home) as store:
        async with serving("127.0.0.1:0", None) as relay:
            waiting = await host(store, read_new_game(picture.friend).for_friend, "Bob", relay=relay.address)
            coming = asyncio.create_task(waiting.friend())
            with_relay = replace(picture, settings={"names": ("Alice", "Cy"), "relay": relay.address})
            async with opened(with_relay) as (app, pilot):
                for key in picture.keys.replace("JOIN", " ".join(str(waiting.code).replace("-", " - "))).split():
                    await pilot.press(key)
                friend = RemoteTable(await coming, store)
                while not friend.ready:
                    await pilot.pause(0.3)
                    await pilot.press("enter")
                first = friend.my_turn
                if first:
                    friend.play("10")
                    await pilot.pause(1.0)
                    drawn = screen_svg(app)
                await friend.leave()
                return drawn if first else None


async def record(picture: Picture) -> list[list[Strip]]:
    """The home screen, then a game: the screen after every key."""
    async with opened(Picture("home")) as (app, _):
        frames = [screen_strips(app)]
    async with opened(picture) as (app, pilot):
        frames.append(screen_strips(app))
        for key in picture.keys.split():
            await pilot.press(key)
            await pilot.pause(1.0)
            frames.append(screen_strips(app))
    return frames


def make(picture: Picture) -> None:
    """Write the picture as SVG, and as PNG if it does not move and `rsvg-convert` is installed."""
    svg = HERE / f"{picture.name}.svg"
    seconds = [*(SECONDS.get(key, OTHERS) for key in ("home", "", *PLAY.keys.split()[:-1])), LAST]
    if picture is PLAY:
        drawn = animated(asyncio.run(record(picture)), seconds, INK, GROUND, "duelbox: a game")
    else:
        drawn = asyncio.run(take(picture))
    svg.write_text(drawn, encoding="utf-8")
    if picture is not PLAY and shutil.which("rsvg-convert"):
        subprocess.run(["rsvg-convert", "--zoom=1.25", "-o", str(svg.with_suffix(".png")), str(svg)], check=True)


if __name__ == "__main__":
    wanted = set(sys.argv[1:])
    for one in (*PICTURES, PLAY):
        if not wanted or one.name in wanted:
            make(one)
            print(one.name)
