"""Home as saved for the next start: it looks as after a full start, or it is not used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duelbox.store.files import find_folders
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.themes import NAMES
from duelbox.ui.app import DuelboxApp
from duelbox.ui.home_kept import DAYS, NAME, kept_home
from duelbox.ui.home_known import keep_home
from duelbox.ui.screens.table import TableScreen
from tests.effort import sampled
from tests.ui.person import SIZES, table, text_of, until
from tests.ui.random_history import fill_store

TODAY = date(2026, 11, 26)
FLAGS: dict[str, str | None] = {"theme": None}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def let_it_be(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    class Clock(date):
        @classmethod
        def today(cls) -> date:
            return day

    for where in ("duelbox.ui.app", "duelbox.ui.screens.home"):
        monkeypatch.setattr(f"{where}.date", Clock)


def kept(day: date = TODAY) -> Any:
    return kept_home(find_folders(), FLAGS, day)


async def painted(app: DuelboxApp, size: tuple[int, int], *keys: str) -> list[Any]:
    """The output of the first screen after these keys."""
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        return [[(one.text, str(one.style)) for one in strip] for strip in app.screen._compositor.render_strips()]


@pytest.mark.parametrize("seed", range(sampled(6, 200)))
async def test_it_is_drawn_as_by_a_full_start(seed: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, config = Random(seed), Config.load(home)
    size = rng.choice([*SIZES, (80, 24)])
    config.change(theme=rng.choice(NAMES), ascii=rng.random() < 0.3, animation="none")
    with Store.open(home) as store:
        if rng.random() < 0.9:
            fill_store(store, seed, TODAY, games=rng.randrange(30))
        keep_home(store, FLAGS, TODAY, 42, 9)
    day = TODAY + timedelta(days=rng.choice([0, 1, rng.randrange(DAYS + 1)]))
    let_it_be(monkeypatch, day)
    found = kept(day)
    assert found is not None
    keys = ["down"] * rng.randrange(3)
    quick = DuelboxApp(kept=found, flags=FLAGS)
    monkeypatch.setattr(quick, "_catch_up", nothing)
    drawn = await painted(quick, size, *keys)
    quick.close()
    full = DuelboxApp(flags=FLAGS)
    assert drawn == await painted(full, size, *keys)
    full.close()


def lived_in(home: Path) -> None:
    with Store.open(home) as store:
        fill_store(store, 4, TODAY, games=5)
        keep_home(store, FLAGS, TODAY, 42, 9)


def played_in_another_process(home: Path) -> None:
    script = "from duelbox.store.store import Store; s = Store.open(); s.progress.add('note', 'a', 1); s.close()"
    subprocess.run([sys.executable, "-c", script], check=True)


def killed_in_the_middle_of_a_change(home: Path) -> None:
    script = (
        "import os; file = open(os.environ['DUELBOX_HOME'] + '/history.jsonl', 'ab', buffering=0)\n"
        "file.write(b'0123456789abcdef [\"prog'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script], check=False)


def killed_in_the_middle_of_a_match(home: Path) -> None:
    script = (
        "import os; from duelbox.store.store import Store; from tests.store.play import new_game\n"
        "saved, session = new_game(Store.open()); session.type('4'); saved.sync(session).result()\n"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script], check=False, cwd=Path(__file__).parents[2])
    assert any(home.glob("match.*"))


def changed_by_somebody_else_s_program(home: Path) -> None:
    lines = (home / "history.jsonl").read_text().splitlines(keepends=True)
    (home / "history.jsonl").write_text("".join(lines[:-1]))


def settings_changed(home: Path) -> None:
    Config.load(home).change(theme="light")


def file_damaged(home: Path) -> None:
    path = home / NAME
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def file_from_somewhere_else(home: Path) -> None:
    (home / NAME).write_text(json.dumps({"stamp": None}))


def friend_elsewhere(home: Path) -> None:
    (home / "elsewhere.x.jsonl").write_text("")


def saved_games_replaced(home: Path) -> None:
    content = (home / "history.jsonl").read_bytes()
    (home / "other").write_bytes(content)
    (home / "other").replace(home / "history.jsonl")


@pytest.mark.parametrize(
    "change",
    [
        played_in_another_process,
        killed_in_the_middle_of_a_change,
        killed_in_the_middle_of_a_match,
        changed_by_somebody_else_s_program,
        settings_changed,
        file_damaged,
        file_from_somewhere_else,
        friend_elsewhere,
        saved_games_replaced,
        lambda home: (home / NAME).unlink(),
        lambda home: os.environ.update(NO_COLOR="1"),
        lambda home: os.environ.update(DUELBOX_THEME="light"),
    ],
)
def test_it_is_not_believed_after(change: Callable[[Path], Any], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", os.environ.copy())
    lived_in(home)
    assert kept() is not None
    change(home)
    assert kept() is None


@pytest.mark.parametrize("day", [TODAY - timedelta(days=1), TODAY + timedelta(days=DAYS + 1)])
def test_it_is_not_believed_on_days_it_does_not_know(day: date, home: Path) -> None:
    lived_in(home)
    assert kept(day) is None


async def test_what_was_loaded_behind_it_answers_the_next_keys(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_it_be(monkeypatch, TODAY)
    Config.load(home).change(animation="none")
    lived_in(home)
    app = DuelboxApp(kept=kept(), flags=FLAGS)
    async with app.run_test() as pilot:
        await pilot.press("down", "3")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("1", "0", "enter")
        await until(pilot, lambda: table(app).session.moves)
    app.close()
    assert kept() is not None, "the next start is a quick one, too"
    again = DuelboxApp(kept=kept(), flags=FLAGS)
    async with again.run_test():
        assert "Continue" in text_of(again)
    again.close()


async def test_no_game_is_loaded_to_draw_the_chosen_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_it_be(monkeypatch, TODAY)
    app = DuelboxApp(flags=FLAGS)
    async with app.run_test() as pilot:
        await pilot.press("down")
    app.close()
    again = DuelboxApp(kept=kept(), flags=FLAGS)
    monkeypatch.setattr(again, "_catch_up", nothing)
    monkeypatch.delattr("duelbox.ui.home_known.thumbnail")
    async with again.run_test() as pilot:
        for game in again.screen.facts.games:  # type: ignore[attr-defined]
            assert game.title in text_of(again)
            await pilot.press("down")
    again.close()


async def nothing() -> None:
    """Skip the work that follows the first picture."""
