"""Games that can't be kept: it is said once, nothing is lost meanwhile, and the app never waits for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from duelbox.store.store import Store
from duelbox.ui import app as ui
from duelbox.ui.screens.curtain import CurtainScreen
from tests.held import Holder, before_change, impatient
from tests.ui.acting import record_of, table, until
from tests.ui.conftest import MakeApp

HELD = "is locked by another program"


@pytest.fixture
def holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Holder]:
    impatient(monkeypatch)
    other = Holder(tmp_path / "home")
    yield other
    other.let_go()


def toasts(app: Any, words: str) -> list[str]:
    return [toast.severity for toast in app._notifications if words in toast.message]


async def test_a_move_that_is_not_saved_is_told_of_once_until_it_is(make_app: MakeApp, holder: Holder) -> None:
    app = make_app("circle-duel")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("4", "enter")
        holder.hold()
        await pilot.press("5", "enter", "6", "enter")
        await until(pilot, lambda: toasts(app, HELD))
        assert table(app).session.code() == "circle-duel/4.5.6", "the game goes on"
        await pilot.press("7", "enter")
        await asyncio.to_thread(app.store.count)  # comes after it
        await pilot.pause()
        assert toasts(app, HELD) == ["warning"]
        holder.let_go()
        await pilot.press("8", "enter")
        await until(pilot, lambda: toasts(app, "saved again") == ["information"])
        holder.hold()
        await pilot.press("9", "enter")
        await until(pilot, lambda: toasts(app, HELD) == ["warning"] * 2)


async def test_a_move_saved_after_it_was_shown_is_told_of_when_it_fails(
    make_app: MakeApp, holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui, "PATIENCE", 0)
    app = make_app("circle-duel")
    async with app.run_test(size=(80, 24)) as pilot:
        holder.hold()
        await pilot.press("5", "enter")
        await until(pilot, lambda: toasts(app, HELD))


async def test_nothing_is_told_while_the_table_is_covered(
    make_app: MakeApp, holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app("number-duel:deal=31524-51234")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3", "x", "2", "enter", "enter")
        curtain = app.screen
        assert isinstance(curtain, CurtainScreen)
        holder.hold()
        play = next(screen for screen in app.screen_stack if hasattr(screen, "play")).play
        await app.game_changed(play)
        play.assisted = True
        await app.game_changed(play)
        assert app.store.trouble
        assert not toasts(app, HELD)
        curtain._since -= 1
        await pilot.press("enter")
        assert not isinstance(app.screen, CurtainScreen)
        assert toasts(app, HELD) == ["warning"]


async def test_a_game_that_became_a_copy_meanwhile_says_so(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def elsewhere() -> None:
        with Store.open(tmp_path / "home") as other:
            (match,) = other.unfinished()
            other._write(lambda db: db.execute("DELETE FROM lease"))
            resumed = other.resume(match.id)
            resumed.sessions[0].type("3")
            assert resumed.saved.sync(resumed.sessions[0]).result()

    app = make_app("circle-duel")
    before_change(monkeypatch, {2: elsewhere})
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("4", "enter", "5", "enter", "6", "enter")
        await until(pilot, lambda: toasts(app, "you play on in a copy of it") == ["warning"])
        assert app.store.count() == 2


def test_what_could_not_be_saved_is_told_of_when_the_screen_has_gone(
    holder: Holder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with Store.open(tmp_path / "home") as store:
        store.import_text(record_of("circle-duel/4.5"))

    async def plays(app: ui.DuelboxApp) -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("6", "enter")
            holder.hold()
            await pilot.press("7", "enter")

    monkeypatch.setattr(ui.DuelboxApp, "run", lambda app: asyncio.run(plays(app)))
    assert ui.run_app(None, go_on="") == 0
    assert capsys.readouterr().err == (
        "Number Circle Duel, Ann and Bo: not saved up to its last move. Its code: circle-duel/4.5.6.7\n"
    )
    holder.let_go()
    with Store.open(tmp_path / "home") as store:
        assert [one.moves for one in store.unfinished()] == [3]
