"""A person at the screen, who reads it, presses the keys it offers, or clicks on it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, date, datetime, timedelta
from time import monotonic
from typing import Any

import pytest
from textual import events
from textual.binding import Binding
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import DataTable

from duelbox.core.code import parse_code
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.home_game import PlayButton
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.form import LABEL_WIDTH, VALUE, Form
from duelbox.ui.widgets.key_bar import MENU
from tests.effort import sampled

TIME_LIMIT = 60.0
"""Seconds after which waiting fails the test."""
SCROLL_BAR = " ▁▂▃▄▅▆▇█"
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def stop_calendar(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    """Set the day for the puzzle of the day."""

    class Clock(date):
        @classmethod
        def today(cls) -> date:
            return day

    for where in ("navigation", "app", "screens.calendar", "screens.home"):
        monkeypatch.setattr(f"duelbox.ui.{where}.date", Clock)


def rows_of(app: Any) -> list[str]:
    """The lines of text on the screen."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def text_of(app: Any) -> str:
    return "\n".join(rows_of(app))


def table(app: Any) -> TableScreen:
    screen = app.screen
    assert isinstance(screen, TableScreen), f"no table, but {screen}"
    return screen


def home_of(app: Any) -> HomeScreen:
    assert isinstance(app.screen, HomeScreen), f"not home, but {app.screen}"
    return app.screen


def is_on(person: Person, screen: type[Screen[None]]) -> None:
    assert isinstance(person.app.screen, screen), text_of(person.app)


async def until(pilot: Pilot[Any], true: Callable[[], Any]) -> None:
    """Wait for the effect of a thread or a timer."""
    last = monotonic() + TIME_LIMIT
    while not true():
        assert monotonic() < last, f"never came true; the screen:\n{text_of(pilot.app)}"
        await pilot.pause(0.01)


def place_of(app: Any, text: str, below: int = 0) -> tuple[int, int]:
    """The cell where a text begins."""
    for y, row in enumerate(rows_of(app)):
        if y >= below and text in row:
            return row.index(text), y
    raise AssertionError(f"no {text!r} on the screen:\n{text_of(app)}")


def mouse(kind: type[events.MouseEvent], x: int, y: int, button: int = 0) -> events.MouseEvent:
    return kind(None, x, y, 0, 0, button, False, False, False, x, y)


async def click_at(pilot: Pilot[Any], x: int, y: int) -> None:
    """Click like Pilot, with one wait instead of four."""
    for kind in (events.MouseDown, events.MouseUp, events.Click):
        pilot.app.screen._forward_event(mouse(kind, x, y, button=1))
    await pilot.pause()


async def click_on(pilot: Pilot[Any], text: str) -> None:
    await click_at(pilot, *place_of(pilot.app, text))


async def wheel(pilot: Pilot[Any], x: int, y: int, up: bool = False) -> None:
    """Turn the mouse wheel by one notch."""
    pilot.app.screen._forward_event(mouse(events.MouseScrollUp if up else events.MouseScrollDown, x, y))
    await pilot.pause()


async def offered(pilot: Pilot[Any], label: str) -> Binding:
    """The key that the screen offers under this label, perhaps only after a thread has finished."""
    bindings: dict[str, Binding] = {}

    def is_offered() -> bool:
        bindings.update((one.binding.description, one.binding) for one in pilot.app.screen.active_bindings.values())
        return label in bindings

    await until(pilot, is_offered)
    return bindings[label]


class Keys:
    """A person without a mouse."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot = pilot
        self.app: DuelboxApp = pilot.app

    async def do(self, label: str) -> None:
        """Press the key offered under this label."""
        await self.pilot.press((await offered(self.pilot, label)).key)

    async def open_card(self, number: int) -> None:
        """Open a game from home."""
        await self.pilot.press(str(number))

    async def reach(self, label: str) -> None:
        """Choose a row of the form: the next one with this label, or else the first."""
        form = self.app.screen.query_one(Form)
        found = [at - form.at for at, row in enumerate(form.rows) if row.label.strip() == label]
        away = next((away for away in found if away >= 0), found[0])
        await self.pilot.press(*["down" if away > 0 else "up"] * abs(away))

    async def change(self, label: str, back: bool = False) -> None:
        """Give a row of the form its next value."""
        await self.reach(label)
        await self.pilot.press("left" if back else "right")

    async def open_row(self, number: int) -> None:
        """Open a line of the list."""
        chosen = self.app.screen.query_one(DataTable).cursor_row
        await self.pilot.press(*["down" if number > chosen else "up"] * abs(number - chosen), "enter")


def label_on(row: str) -> str:
    """The label of a row of a form, with or without a frame around it."""
    return row[2 : 3 + LABEL_WIDTH].strip(" ‹▸<>")


class Mouse:
    """A person without a keyboard."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot = pilot
        self.app: DuelboxApp = pilot.app

    async def do(self, label: str) -> None:
        """Click the key with this label at the foot of the screen, or else in the menu."""
        bottom = self.app.size.height - 1
        if f" {label} " in f"{rows_of(self.app)[bottom]} ":
            x, _ = place_of(self.app, f" {label}", below=bottom)
            await click_at(self.pilot, x + 1, bottom)
            return
        binding = await offered(self.pilot, label)
        await self.from_menu(binding.tooltip or label)

    async def from_menu(self, command: str) -> None:
        """Find a command in the palette, and click it."""
        x, y = place_of(self.app, MENU, below=self.app.size.height - 1)
        await click_at(self.pilot, x, y)
        await until(self.pilot, lambda: isinstance(self.app.screen, CommandPalette))
        await until(self.pilot, lambda: "Key: " in text_of(self.app))
        list_at = place_of(self.app, "Key: ")
        for _ in range(40):
            rows = [row.strip(SCROLL_BAR) for row in rows_of(self.app)]
            if command in rows:
                y = rows.index(command)
                await click_at(self.pilot, rows_of(self.app)[y].index(command), y)
                await until(self.pilot, lambda: not isinstance(self.app.screen, CommandPalette))
                await self.pilot.pause()
                return
            await wheel(self.pilot, *list_at)
        raise AssertionError(f"no {command!r} in the menu")

    async def open_card(self, number: int) -> None:
        """Open a game from home."""
        title = find_game(game_ids()[number - 1]).INFO.title
        await click_on(self.pilot, f"{number} {title[:12]}")
        button = self.app.screen.query_one(PlayButton).content_region
        await click_at(self.pilot, button.x + 2, button.y)

    async def reach(self, label: str) -> None:
        """Choose a row of the form."""
        form = self.app.screen.query_one(Form)
        for up in (True, False):
            for _ in range(20):
                if any(label_on(row) == label for row in rows_of(self.app)):
                    y = next(y for y, row in enumerate(rows_of(self.app)) if label_on(row) == label)
                    await click_at(self.pilot, 4, y)
                    assert form.row
                    assert form.row.label.strip() == label
                    return
                await wheel(self.pilot, *form.region.offset, up=up)
        raise AssertionError(f"no row {label}")

    async def change(self, label: str, back: bool = False) -> None:
        """Give a row of the form its next value."""
        await self.reach(label)
        y = next(y for y, row in enumerate(rows_of(self.app)) if label_on(row) == label)
        form = self.app.screen.query_one(Form)
        assert form.row
        # Values side by side are clicked; otherwise the sign before a value steps back, and the one behind it forwards.
        spots = form.spots(form.row)
        x = spots[form.row.moved(-1 if back else 1).value].start if spots else VALUE + (-1 if back else 1)
        await click_at(self.pilot, form.content_region.x + x, y)

    async def open_row(self, number: int) -> None:
        """Open a line of the list."""
        rows = self.app.screen.query_one(DataTable)
        y = rows.content_region.y + rows.header_height + number - int(rows.scroll_y)
        if rows.cursor_row != number:
            await click_at(self.pilot, 4, y)
        await click_at(self.pilot, 4, y)


Person = Keys | Mouse
Acting = Callable[..., AbstractAsyncContextManager[Person]]

USUAL, SMALL = SIZES = ((80, 24), (60, 20))
WAYS = {
    f"{kind.__name__}-{size[0]}": (kind, size)
    for kind, size in ((Keys, USUAL), (Mouse, SMALL), (Keys, SMALL), (Mouse, USUAL))
}
two_ways = pytest.mark.parametrize(
    "acting", list(WAYS.values())[: sampled(2, 4)], ids=list(WAYS)[: sampled(2, 4)], indirect=True
)
"""Sizes in which keys and mouse work differently: clicked cells, rows and values, and a short line of keys."""


def record_of(code: str, players: tuple[str, str] = ("Ann", "Bo"), day: int = 0, resigned: bool = False) -> str:
    """A game as JSON, with fixed times."""
    played = parse_code(code, find_game)
    session = Session(played.game, played.options, players)
    for move in played.moves:
        session.play(move)
    if resigned:
        session.resign()
    started = NOON + timedelta(days=day)
    one = recorded_round(session, 1, 0, started, started + timedelta(minutes=5))
    who = (PlayerInfo(name=players[0]), PlayerInfo(name=players[1]))
    return Record(game=played.game.INFO.id, players=who, played=(one,)).to_json()
