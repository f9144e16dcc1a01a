"""The harness itself: a test of an app that crashed, or that never comes to rest, ends."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import ComposeResult
from textual.widgets import Static

from duelbox.ui.sturdy import SturdyApp
from tests.ui import conftest


class Fragile(SturdyApp):
    BINDINGS = [("x", "crash", "Crash"), ("d", "dawdle", "Dawdle")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        yield Static("whole")

    def action_crash(self) -> None:
        raise ZeroDivisionError

    async def action_dawdle(self) -> None:
        await asyncio.sleep(1)


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
    monkeypatch.setattr(conftest, "PATIENCE", 0.2)
    with pytest.raises(AssertionError, match="does not come to rest"):
        async with Fragile().run_test() as pilot:
            await pilot.press("d")
