"""An exam on the screen: a person answers, leaves and goes on; the table fills; mistakes open at a table."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

import pytest

from duelbox.commands.exam import screen_of
from duelbox.exam.league import League
from duelbox.exam.sitting import SITTING, Sitting
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.league_screen import LeagueGameScreen, LeagueScreen
from duelbox.ui.screens.marks_screen import MarksScreen, MissedScreen
from duelbox.ui.screens.mistakes_screen import MistakesScreen
from duelbox.ui.screens.sitting_screen import SittingScreen
from tests.exam.test_room import ASKED, program
from tests.ui.conftest import Started
from tests.ui.person import TIME_LIMIT, click_on, text_of, until


async def begin(pilot, positions: int, *players: str) -> None:
    screen_of(pilot.app, 7, positions, players)
    await until(pilot, lambda: isinstance(pilot.app.screen, SittingScreen | MarksScreen))
    await pilot.pause()


async def answer(pilot, *, best: bool = True) -> None:
    """Type a best or a worst move for the question on the screen."""
    before = pilot.app.screen
    values = before._sitting.question.values
    move = sorted(values, key=values.__getitem__)[-1 if best else 0]
    await pilot.press(*move, "enter")
    await until(pilot, lambda: pilot.app.screen is not before)
    await pilot.pause()


async def whole(pilot) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, MarksScreen) and pilot.app.screen.whole)
    await until(pilot, lambda: " position" in text_of(pilot.app).splitlines()[0])
    await pilot.pause()


async def test_a_person_sits_an_exam_leaves_and_goes_on(started: Started) -> None:
    async with started() as (app, pilot):
        await begin(pilot, 2, "me")
        assert "seed 7 · question 1 of 2" in text_of(app)
        await answer(pilot, best=False)
        assert "question 2 of 2" in text_of(app)
        assert "given away" not in text_of(app), "nothing is told before the end"
        await pilot.press("h", "a")
        assert "Hint" not in text_of(app)
        await pilot.press("escape")
        await app.workers.wait_for_complete()
        assert isinstance(app.screen, HomeScreen)
        await begin(pilot, 2, "me")
        assert "question 2 of 2" in text_of(app)
        assert app.store.progress.newest(SITTING).keys() == {"7-001"}
        await answer(pilot)
        await whole(pilot)
        await until(pilot, lambda: "You: 1 right · 1 not" in text_of(app))


async def test_a_person_sees_mistakes_in_the_smallest_window_and_asks_for_more(started: Started) -> None:
    async with started(size=(60, 20)) as (app, pilot):
        await begin(pilot, 1, "me")
        await answer(pilot, best=False)
        await whole(pilot)
        await until(pilot, lambda: "You: 0 right · 1 not" in text_of(app))
        assert "seed 7 · 1 position" in text_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MissedScreen) and bool(app.screen.shown))
        assert "7-001" in text_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MistakesScreen))
        await pilot.pause()
        assert "You played" in text_of(app)
        await pilot.press("escape", "escape", "plus")
        await until(pilot, lambda: "question 2 of 21" in text_of(app))


async def test_an_exam_is_sat_by_mouse_alone(started: Started) -> None:
    async with started() as (app, pilot):
        await begin(pilot, 1, "me")
        values = Sitting(7, 1, {}).question.values
        target = max(values, key=values.__getitem__)
        await click_on(pilot, f"│  {target}  │")
        await click_on(pilot, "↵ Answer")
        await whole(pilot)
        assert app.store.progress.newest(SITTING) == {"7-001": target}
        await click_on(pilot, "Dash")
        await until(pilot, lambda: isinstance(app.screen, MissedScreen | MarksScreen))
        await click_on(pilot, "esc")


async def test_a_program_sits_an_exam_and_its_mistakes_are_its_own(started: Started, tmp_path: Path) -> None:
    async with started() as (app, pilot):
        await begin(pilot, 2, program(tmp_path))
        await whole(pilot)
        assert "First: " in text_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MissedScreen) and bool(app.screen.shown))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MistakesScreen))
        await pilot.pause()
        assert "First played" in text_of(app)
        await pilot.press("escape", "escape", "plus")
        await until(pilot, lambda: "seed 7 · 8 positions" in text_of(app))


async def test_mistakes_of_a_game_follow_each_other_those_without_a_legal_move_too(
    started: Started, tmp_path: Path
) -> None:
    file = tmp_path / "ten.py"
    file.write_text(ASKED.replace('rest[1].split(".")[0]', "10"))
    async with started() as (app, pilot):
        await begin(pilot, 6, f"run:{sys.executable} {file} Ten")
        await whole(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MissedScreen) and bool(app.screen.shown))
        assert "illegal" in text_of(app)
        number = next(at for at, row in enumerate(app.screen.shown) if "7-001" in row.cells)
        await pilot.press(*["down"] * number, "enter")
        await until(pilot, lambda: isinstance(app.screen, MistakesScreen))
        await pilot.pause()
        assert "Ten made no legal move here." in text_of(app)
        assert "Mistake 1 of 2" in text_of(app)
        await pilot.press("n")
        assert "Mistake 2 of 2" in text_of(app), "the other one in this game"


async def test_a_table_is_exported_and_copied(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with started() as (app, pilot):
        screen_of(app, 7, 5, (), Path("asked.json"))
        await whole(pilot)
        await until(pilot, lambda: (tmp_path / "asked.json").exists())
        await pilot.press("c", "x")
        assert app.clipboard.startswith("Given away in 100, in 5 positions")
        await until(pilot, lambda: (tmp_path / "duelbox-exam-7-5.json").exists())


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_the_game_of_a_league_is_watched_while_the_table_fills(
    started: Started, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    going = Event()
    monkeypatch.setattr(LeagueScreen, "_wait", lambda self, ended: going.wait(TIME_LIMIT))
    league = League(("bot:1", "bot:2"), 4, "unseen")
    async with started(size=size) as (app, pilot):
        screen = LeagueScreen(league)
        screen.watcher = LeagueGameScreen(screen, league.session)
        await app.push_screen(screen)
        await app.push_screen(screen.watcher)
        await until(pilot, lambda: "game 1 of 4" in text_of(app) and "to move" in text_of(app))
        going.set()
        await until(pilot, lambda: len(league.played) == 4)
        assert isinstance(app.screen, LeagueGameScreen), "a game of another kind opens in its place"
        await pilot.press("escape")
        await until(pilot, lambda: "4 of 4 games" in text_of(app))
        assert len(screen.shown) == 2
