"""Games that cannot be saved: one warning, nothing lost meanwhile, and no waiting for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest
from textual.widgets import Static

from duelbox.store.store import Store
from duelbox.table.local import LocalTable
from duelbox.ui import app as ui
from duelbox.ui.screens.handover import HandoverScreen
from duelbox.ui.screens.history import HistoryScreen
from duelbox.ui.screens.home import HomeScreen
from tests.full_disk import Holder, before_change
from tests.golden.said import Said
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import TIME_LIMIT, record_of, table, text_of, until

HELD = "The disk is full, so "


def toasts(app: Any, words: str) -> list[str]:
    return [toast.severity for toast in app._notifications if words in toast.message]


def said(app: Any) -> str:
    """The text on the screen as one line."""
    return " ".join(text_of(app).split())


async def test_a_move_that_is_not_saved_is_told_of_once_until_it_is(started: Started, holder: Holder) -> None:
    async with started("circle-duel") as (app, pilot):
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
    started: Started, holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui, "SAVING_SECONDS", 0)
    async with started("circle-duel") as (app, pilot):
        holder.hold()
        await pilot.press("5", "enter")
        await until(pilot, lambda: toasts(app, HELD))


async def test_nothing_is_told_while_the_table_is_covered(
    started: Started, holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started("number-duel:deal=31524-51234") as (app, pilot):
        await pilot.press("space", "3", "x", "2", "enter", "enter")
        handover = app.screen
        assert isinstance(handover, HandoverScreen)
        holder.hold()
        play = next(screen for screen in app.screen_stack if hasattr(screen, "table")).table
        await app.game_changed(play)
        play.assisted = True
        await app.game_changed(play)
        await until(pilot, lambda: app.store.told.trouble)
        assert not toasts(app, HELD)
        handover._since -= 1
        await pilot.press("enter")
        assert not isinstance(app.screen, HandoverScreen)
        await until(pilot, lambda: toasts(app, HELD) == ["warning"])


async def test_a_game_that_became_a_copy_meanwhile_says_so(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def elsewhere() -> None:
        with Store.open(tmp_path / "home") as other:
            (match,) = other.unfinished()
            journal = tmp_path / "home" / f"match.{match.id}.jsonl"
            content = journal.read_bytes()
            journal.unlink()
            journal.write_bytes(content)  # another file, which nobody holds
            resumed = other.resume(match.id)
            resumed.sessions[0].type("3")
            assert resumed.saved.sync(resumed.sessions[0]).result()

    app = make_app("circle-duel")
    before_change(monkeypatch, {2: elsewhere})
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("4", "enter", "5", "enter", "6", "enter")
        await until(pilot, lambda: toasts(app, "you play on in a copy") == ["warning"])
        assert app.store.count() == 2


def test_what_could_not_be_saved_is_told_of_when_the_screen_has_gone(
    holder: Holder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, said: Said
) -> None:
    with Store.open(tmp_path / "home") as store:
        store.import_text(record_of("circle-duel/4.5"))

    async def plays(app: ui.DuelboxApp) -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("6", "enter")
            holder.hold()
            await pilot.press("7", "enter")

    monkeypatch.setattr(ui.DuelboxApp, "run", lambda app: asyncio.run(plays(app)))
    assert ui.run_app(lambda store: LocalTable.resumed(store, store.to_go_on("").id)) == 0
    told = capsys.readouterr().err
    assert told.endswith(" circle-duel/4.5.6.7\n")
    said(told)
    holder.let_go()
    with Store.open(tmp_path / "home") as store:
        assert [one.moves for one in store.unfinished()] == [3]


# -- history and home


KEPT = (record_of("circle-duel/4.5"), record_of("circle-duel:size=4/1.2.3.4", day=1))


async def test_what_can_not_be_deleted_stays_and_the_history_says_why(make_app: MakeApp, holder: Holder) -> None:
    app = make_app()
    for record in KEPT:
        app.store.import_text(record)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        holder.hold()
        await pilot.press("delete")
        assert HELD in said(app)
        assert "2 games" in text_of(app)
        assert "Undelete" not in text_of(app)
        holder.let_go()
        await pilot.press("delete")
        assert "1 game" in text_of(app)
        holder.hold()
        await pilot.press("u")
        assert HELD in said(app)
        holder.let_go()
        await pilot.press("u")
        assert "2 games" in text_of(app)


async def test_a_history_that_can_not_be_read_says_why(
    make_app: MakeApp, holder: Holder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    app = make_app()
    for record in KEPT:
        app.store.import_text(record)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        holder.hold("unreadable")
        for key in ("enter", "x"):
            app.screen.query_one("#note", Static).update("")
            await pilot.press(key)
            assert HELD in said(app)
        await pilot.press("tab")
        assert HELD in said(app)
        await pilot.press("escape")
        assert HELD in said(app)
        assert "No games here yet" not in text_of(app)
        await pilot.press("escape", "c")
        holder.let_go()
        await pilot.press("i")
        assert "2 games" in text_of(app)


async def test_home_says_why_a_game_can_not_be_gone_on_with(make_app: MakeApp, holder: Holder) -> None:
    app = make_app()
    app.store.import_text(KEPT[0])
    async with app.run_test(size=(80, 24)) as pilot:
        holder.hold("unreadable")
        await pilot.press("c")
        assert toasts(app, HELD) == ["warning"]
        holder.let_go()
        await pilot.press("c")
        assert table(app).session.code() == "circle-duel/4.5"


class Slow:
    """A store that opens a match slowly."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.let, self.answered = Flag(), Flag(), Flag()
        for name in ("resume", "load"):
            monkeypatch.setattr(Store, name, self._slowed(getattr(Store, name)))

    def _slowed(self, how: Callable[[Store, str], object]) -> Callable[[Store, str], object]:
        def slow(store: Store, match_id: str) -> object:
            self.asked.set()
            self.let.wait(TIME_LIMIT)
            self.answered.set()
            return how(store, match_id)

        return slow


@pytest.mark.parametrize("keys", [("down", "enter"), ("enter",)], ids=["going on", "review"])
async def test_the_app_lives_while_the_disk_is_waited_for(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    app = make_app()
    for record in KEPT:
        app.store.import_text(record)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i", *keys[:-1])
        slow = Slow(monkeypatch)
        opening = asyncio.create_task(pilot.press(keys[-1]))
        async with asyncio.timeout(TIME_LIMIT):
            while not slow.asked.is_set():
                await asyncio.sleep(0.001)
        assert not slow.answered.is_set(), "the event loop stood still"
        slow.let.set()
        await opening
        assert not isinstance(app.screen, HistoryScreen)


async def test_a_game_is_not_opened_over_a_screen_that_was_left_meanwhile(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    app.store.import_text(KEPT[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        slow, history = Slow(monkeypatch), app.screen
        assert isinstance(history, HistoryScreen)
        history.call_later(history.action_open)
        async with asyncio.timeout(TIME_LIMIT):
            while not slow.asked.is_set():
                await asyncio.sleep(0.001)
        app.pop_screen()
        slow.let.set()
        await pilot.pause()
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await until(pilot, lambda: not history.is_running)
        assert isinstance(app.screen, HomeScreen)
        await until(pilot, lambda: not list(app.store.folders.data.glob("match.*")))  # the store's thread removes it
