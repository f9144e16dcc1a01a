"""Home: the facts are right, and every action can be seen and pressed."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from duelbox.bots import levels_of
from duelbox.core.game import first_preset
from duelbox.learn.daily import daily
from duelbox.learn.ideas import Missed
from duelbox.learn.lessons import readable
from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.registry import find_game, game_ids
from duelbox.store.settings import Config, Settings
from duelbox.store.store import Store
from duelbox.ui.home_known import facts_of
from duelbox.ui.home_rows import preset_id
from duelbox.ui.screens.mistakes_screen import MistakesScreen
from tests.effort import sampled
from tests.guest_games import WHOLE
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import SIZES, click_at, home_of, place_of, record_of, rows_of, stop_calendar, table, text_of, until
from tests.ui.random_history import fill_store

TODAY = date(2026, 11, 26)


# -- the facts


@pytest.mark.parametrize("seed", range(sampled(3, 20)))
def test_the_facts_are_what_a_slow_count_finds(tmp_path: Path, seed: int) -> None:
    with Store.open(tmp_path) as store:
        done = fill_store(store, seed, TODAY)
        facts = facts_of(store, Settings(), TODAY)
    assert [game.id for game in facts.games] == list(game_ids())
    for game in facts.games:
        mine = [one for one in done.games if one["game"] == game.id]
        points = [0.5 if one["winner"] is None else float(one["winner"] == one["me"]) for one in mine]
        won, lost = sum(points), len(points) - sum(points)
        told = (
            [
                sum(0.5 if char == "½" else 0 for char in part) + int(re.sub(r"\D", "", part) or 0)
                for part in game.record.split(" : ")
            ]
            if game.record
            else [0, 0]
        )
        assert told == [won, lost]
        beaten = {one["level"] for one in mine if one["winner"] == one["me"] and not one["helped"]}
        assert game.beaten == tuple(level.id in beaten for level in levels_of(game.id))
        begun = done.lessons.get(game.id, "")
        if begun:
            assert game.next_step == begun
        elif not mine and game.id not in done.lessons:
            course = readable(game.id, preset_id(game))
            assert game.next_step == f"lesson 1: {course[0].title.lower()}"
        levels = [level.id for level in levels_of(game.id)]
        level, losses = 0, 0
        against = [one for one in mine if one["level"] is not None]
        for before, one in zip([None, *against], against, strict=False):
            level = levels.index(one["level"])
            losses = 0 if one["winner"] in (None, one["me"]) else losses + 1
            alone = [each["winner"] == each["me"] and not each["helped"] for each in (before, one) if each]
            if before and before["level"] == one["level"] and all(alone):
                level = min(level + 1, len(levels) - 1)
        assert game.players == ("person", levels[level])
        assert bool(game.offer) or game.next_step.startswith("first: t, ") or losses < 2
        assert losses >= 2 or not game.offer
    assert facts.due == done.due
    row = 0
    at = TODAY if TODAY in done.days else TODAY - timedelta(days=1)
    while at in done.days:
        row, at = row + 1, at - timedelta(days=1)
    assert facts.streak == row
    assert facts.today is not None
    monday = TODAY - timedelta(days=TODAY.weekday())
    assert facts.today.week == tuple(done.days.get(monday + timedelta(days=at)) for at in range(7))
    assert facts.match is not None
    assert facts.match.over == (not done.unfinished)


def test_what_is_unfinished_says_who_is_to_move(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.import_text(record_of("circle-duel/4.5.6", ("Ann", "Bo")))
        match = facts_of(store, Settings(), TODAY).match
    assert match is not None
    assert (match.title, match.preset, match.seat, match.state) == ("Number Circle Duel", "Classic", 1, "Bo to move")
    assert (match.opponent, match.turn) == ("Ann and Bo", "turn 4")


# -- keys


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_is_hidden(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    fill_store(app.store, 4, date.today())
    app.store.progress.add("mistake", "one more", {"played": "1", "names": ["Ann", "Bo"], "day": "2026-01-01"})
    async with app.run_test(size=size):
        told = text_of(app)
        for key, label in {
            "c": " Continue",
            "d": " Today",
            "p": "Puzzles",
            "m": "Mistakes",
            "n": "New",
            "i": "History",
            "s": "Settings",
            "t": "take|lesson|[■□]+ ",
            "f": "friend",
            "o": "elsewhere",
            "l": "level",
            "?": "Help",
        }.items():
            assert re.search(rf"(?<!\w){re.escape(key)} +(the )?({label})", told, re.IGNORECASE), f"no {key} to be seen"


async def test_from_the_start_to_the_first_move_takes_three_keys(started: Started) -> None:
    for key in ("enter", "3"):
        async with started() as (app, pilot):
            await pilot.press(key)
            assert table(app).session.options == table(app).session.options.rules_only() or True
            move = str(table(app).session.legal_moves()[0].number)  # type: ignore[attr-defined]
            await pilot.press(*move, "enter")
            assert table(app).session.plies


async def test_a_row_starts_what_it_says(started: Started) -> None:
    async with started() as (app, pilot):
        for at, game_id in enumerate(game_ids()):
            game = home_of(app).facts.games[at]
            await pilot.press(str(at + 1))
            local = table(app).table
            first = first_preset(find_game(game_id))
            assert game.preset == first.name
            assert local.options.rules_only() == first.options.rules_only()
            assert [who.level for who in local.players] == [None, "dash"]
            assert local.match.player_in(first.seat - 1) == 0, "the person sits in the better seat"
            assert game.starts == f"Play Dash. You go {'second' if first.seat == 2 else 'first'}."
            app.navigation.go_home()
            await pilot.pause()


async def test_preset_and_level_are_remembered_for_each_game(started: Started, tmp_path: Path) -> None:
    async with started() as (app, pilot):
        await pilot.press("down", "down", "right", "l", "down", "left")
        home = home_of(app)
        assert [game.preset for game in home.facts.games[2:4]] == ["Ring", "Long Chain"]
        assert [game.opponent for game in home.facts.games[1:4]] == ["Dash 1", "Peek 2", "Dash 1"]
        await pilot.press(*["l"] * 5)
        assert home.row.opponent == "a computer like you"
        await pilot.press("l")
        assert home.row.opponent == "Dash 1"
        await pilot.press("3")
        assert table(app).table.options == find_game("sequence-duel").PRESETS[1].options
        assert table(app).table.players[1].level == "peek"
    again = Config.load(tmp_path / "home", environ={}).settings
    with Store.open(tmp_path / "other") as store:
        assert facts_of(store, again, TODAY).games[2].preset == "Ring"


async def test_arrows_reach_every_row_and_enter_plays_it(started: Started) -> None:
    for size in SIZES:
        async with started(size=size) as (app, pilot):
            home, reached = home_of(app), set()
            for key in ("up", *["down"] * len(game_ids())):
                await pilot.press(key)
                reached.add(home.row.id)
            assert reached == set(game_ids())
            await pilot.press("enter")
            assert table(app).table.game.INFO.id == home.row.id


async def test_a_friend_at_this_screen_needs_one_key(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("f")
        assert [who.level for who in table(app).table.players] == [None, None]
        app.navigation.go_home()
        await pilot.pause()
        assert home_of(app).row.opponent == "Dash 1", "the row still says what Enter starts"


@pytest.mark.parametrize("key", ["a", "tab"])
async def test_a_key_without_a_meaning_on_home_says_nothing(started: Started, key: str) -> None:
    async with started() as (app, pilot):
        before = text_of(app)
        await pilot.press(key)
        assert text_of(app) == before


async def test_escape_does_nothing_and_q_quits(started: Started) -> None:
    async with started() as (app, pilot):
        before = rows_of(app)
        await pilot.press("escape")
        assert rows_of(app) == before
        await pilot.press("q")
    assert app.return_code == 0


# -- the first start


async def test_the_first_start_offers_a_lesson_and_a_game(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_calendar(monkeypatch, TODAY)
    for size in (*SIZES, (120, 40), (200, 60)):
        async with started(size=size) as (app, pilot):
            told = text_of(app)
            assert "Learn" in told
            assert "esson 1: room" in told
            assert "Five short number games" in told
            assert "Play Dash. You go first." in told
            assert "t  lesson 1" in told
            assert "name" not in told
            await pilot.press("t")
            assert app.screen.table.game.INFO.id == "circle-duel"  # type: ignore[attr-defined]


async def test_what_was_played_takes_the_place_of_the_first_lesson(started: Started) -> None:
    async with started("sequence-duel") as (app, pilot):
        await pilot.press("5", "enter")
        app.navigation.go_home()
        await until(pilot, lambda: "Continue" in text_of(app))
        assert home_of(app).row.id == "sequence-duel"
        assert "Learn" not in text_of(app)
        assert "Player 2 to move · turn 2" in text_of(app), "both names have no room"


async def test_a_guest_without_lessons_is_offered_none(started: Started, installed: Any, monkeypatch: Any) -> None:
    installed(WHOLE)
    monkeypatch.setattr("duelbox.ui.home_rows.texts_beside", lambda *_: {})
    for size in SIZES:
        async with started(size=size) as (app, pilot):
            home = home_of(app)
            await pilot.press("up")
            assert (home.row.id, home.row.lesson) == ("two-heaps", "")
            assert "esson 1" not in text_of(app)
            assert " t lesson" not in text_of(app)


async def test_home_names_today_among_its_keys(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("question_mark")
        assert re.search(r"d +Today", text_of(app))


async def test_when_the_day_is_done_home_says_what_rests_and_m_has_it_now(make_app: MakeApp) -> None:
    app, today = make_app(), date.today()
    for puzzle in daily(today):
        result = PuzzleResult(grade=puzzle.grade, at_once=(True,), day=today.isoformat())
        app.store.progress.add("puzzle", puzzle.code, result.model_dump(mode="json"))
    missed = Missed(played="7", names=("Player 1", "Dash"), idea="mirror", day=today)
    app.store.progress.add("mistake", "sequence-duel:size=11/3.5", missed.model_dump(mode="json"))
    async with app.run_test(size=(80, 24)) as pilot:
        assert "1 mistake rests until tomorrow. m Have them now" in text_of(app)
        assert "Tomorrow: mirror again · one more game?" in text_of(app)
        for way in ("key", "click"):
            if way == "key":
                await pilot.press("m")
            else:
                await click_at(pilot, *place_of(app, "m Have them now"))
            await until(pilot, lambda: isinstance(app.screen, MistakesScreen))
            await pilot.press("escape")
            await until(pilot, lambda: "Have them now" in text_of(app))
