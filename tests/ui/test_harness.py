"""The harness of tests: a test ends if its app crashes or never rests."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from duelbox.ui.terminal.app import TerminalApp
from tests.ui import conftest


class Fragile(TerminalApp):
    BINDINGS = [("x", "crash", "Crash"), ("d", "dawdle", "Dawdle")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        self.rested = asyncio.Event()
        yield Static("whole")

    def action_crash(self) -> None:
        raise ZeroDivisionError

    async def action_dawdle(self) -> None:
        await self.rested.wait()


@pytest.mark.parametrize("keys", ["x", "xx", "xq"])
async def test_a_crash_fails_the_test_at_once(keys: str) -> None:
    seen = []
    with pytest.raises(ZeroDivisionError):  # noqa: PT012
        async with Fragile().run_test() as pilot:
            try:
                await pilot.press(*keys)
            finally:
                seen.append("pressed")
    assert seen


async def test_a_crash_between_two_waits_fails_the_next_one() -> None:
    with pytest.raises(ZeroDivisionError):  # noqa: PT012
        async with Fragile().run_test() as pilot:
            pilot.app.call_later(pilot.app.action_crash)  # type: ignore[attr-defined]
            await pilot.pause()
            raise AssertionError("the wait was over")


async def test_an_app_that_never_rests_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Fragile()
    async with app.run_test() as pilot:
        monkeypatch.setattr(conftest, "TIME_LIMIT", 0.2)  # not before: a start may take longer
        with pytest.raises(AssertionError, match="does not come to rest"):
            await pilot.press("d")
        monkeypatch.undo()
        app.rested.set()


async def test_keys_that_come_while_the_app_closes_are_dropped() -> None:
    async with Fragile().run_test() as pilot:
        for _ in range(50):
            pilot.app.post_message(events.Key("a", "a"))


class Doomed(Static):
    def fail(self) -> None:
        self._pruning = True  # as if it were being removed
        raise ZeroDivisionError


class Host(TerminalApp):
    def compose(self) -> ComposeResult:
        yield Doomed("doomed")


async def test_what_fails_while_it_leaves_keeps_nobody_waiting() -> None:
    async with Host().run_test() as pilot:
        doomed = pilot.app.query_one(Doomed)
        doomed.call_later(doomed.fail)
        await asyncio.wait_for(pilot.app._settle(), conftest.TIME_LIMIT)  # type: ignore[attr-defined]
        assert not doomed.is_running


class Unseen(Static):
    def render(self) -> str:
        return str(1 // len(self.classes))


async def test_what_cannot_be_drawn_fails_the_keys_that_led_to_it_though_nobody_reads_it() -> None:
    async with Host().run_test() as pilot:
        await pilot.app.mount(Unseen(classes="told"))
        await pilot.press("a")
        pilot.app.query_one(Unseen).remove_class("told").refresh()
        with pytest.raises(ZeroDivisionError):
            await pilot.press("a")
