"""After a loss the lesson begins with the position that was lost."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest

from duelbox.bots import levels_of
from duelbox.core.record import PlayerInfo
from duelbox.learn.ideas import Missed, lost_lately
from duelbox.learn.lessons import lessons_of
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.next_game import WON_KIND
from duelbox.table.players import computer_player
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.lesson_screen import LessonScreen
from duelbox.ui.screens.local_table import LocalScreen
from duelbox.ui.screens.review_screen import ReviewScreen
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import click_at, home_of, place_of, record_of, table, text_of, until

LOST = "sequence-duel:size=11/3.5.7.1"


def keep_loss(store: Any, day: int = 1) -> None:
    """Keep a game that "Player 1" began against Dash and lost, and its mistake."""
    record = json.loads(record_of(LOST, ("Player 1", "Dash"), day, resigned=True))
    record["players"][1]["level"] = "dash"
    store.import_text(json.dumps(record))
    missed = Missed(played="7", names=("Player 1", "Dash"), idea="mirror", day=date(2026, 11, day))
    store.progress.add("mistake", "sequence-duel:size=11/3.5", missed.model_dump(mode="json"))


async def test_after_a_loss_the_lesson_begins_with_the_position_that_was_lost(make_app: MakeApp) -> None:
    app = make_app()
    keep_loss(app.store)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("t")
        await until(pilot, lambda: isinstance(app.screen, LessonScreen))
        course = app.screen.table.trial
        assert course.lesson.idea == "mirror"
        assert course.session.code() == "sequence-duel:size=11/3.5"
        assert "you played 7 here" in " ".join(text_of(app).split())
        assert "your own game" in text_of(app)
        await pilot.press(*course.right[0], "enter", "enter")
        assert course.session.code() == lessons_of("sequence-duel")[course.number].step[0].code
        assert "step 1 of" in text_of(app)
        assert app.store.progress.newest("lesson") == {}, "a step of the lesson was not done yet"


async def test_without_a_loss_the_lesson_begins_as_ever(make_app: MakeApp) -> None:
    app = make_app()
    missed = Missed(played="7", names=("Player 1", "Dash"), idea="mirror", day=date.today())
    app.store.progress.add("mistake", "sequence-duel:size=11/3.5", missed.model_dump(mode="json"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down", "t")
        await until(pilot, lambda: isinstance(app.screen, LessonScreen))
        assert app.screen.table.trial.own is None


async def test_a_slip_of_an_earlier_game_under_other_rules_is_shown_under_their_name(make_app: MakeApp) -> None:
    app = make_app()
    for day in (1, 2):
        keep_loss(app.store, day)
    last = Missed(played="7", names=("Player 1", "Dash"), idea="mirror", day=date(2026, 11, 3))
    app.store.progress.add("mistake", "sequence-duel:size=37,ring=on/3.5", last.model_dump(mode="json"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        row = app.screen.row
        assert row.preset == "Classic"
        assert row.source == "turn 3 in Ring"
        assert row.lately == "Here you played 7, a slip."


async def test_after_losses_home_says_what_refuted_the_last_slip(make_app: MakeApp) -> None:
    app = make_app()
    for day in (1, 2):
        keep_loss(app.store, day)
    cause = "Dash claims 9 and has 3 to 2."
    last = Missed(played="7", names=("Player 1", "Dash"), idea="mirror", day=date(2026, 11, 3), cause=cause)
    app.store.progress.add("mistake", "sequence-duel:size=11/3.5", last.model_dump(mode="json"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert app.screen.row.lately == f"Here you played 7. {cause}"
        shown = re.sub(r"[│╭╮╰╯─\s]+", " ", text_of(app))
        assert "Here you played 7." in shown
        lesson = next(one for one in lessons_of("sequence-duel") if one.idea == "mirror")
        assert all(word in shown for word in (*cause.split(), *lesson.rule.split()))


@pytest.mark.parametrize(("size", "step"), [((80, 24), "its lesson"), ((120, 40), "where most is at stake")])
async def test_a_long_title_of_a_lesson_is_not_cut_off(make_app: MakeApp, size: tuple[int, int], step: str) -> None:
    app = make_app()
    for day in (1, 2):
        keep_loss(app.store, day)
    last = Missed(played="7", names=("Player 1", "Dash"), idea="where most is at stake", day=date(2026, 11, 3))
    app.store.progress.add("mistake", "sequence-duel/5.3", last.model_dump(mode="json"))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        shown = text_of(app)
        assert f"first: t, {step}" in shown
        assert "t Where most is at stake" in shown
        assert "\N{HORIZONTAL ELLIPSIS}" not in shown


async def test_after_three_losses_home_says_what_they_had_in_common_and_warns(make_app: MakeApp) -> None:
    app = make_app()
    for day in (1, 2, 3):
        keep_loss(app.store, day)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        row = app.screen.row
        assert row.id == "sequence-duel"
        assert row.lately == "All three games turned on mirror."
        assert row.position == "sequence-duel:size=11/3.5"
        lesson = next(one for one in lessons_of("sequence-duel") if one.idea == "mirror")
        assert row.next_step == f"first: t, {lesson.title.lower()}"
        shown = text_of(app)
        assert "All three games turned on mirror." in shown
        for words in lesson.rule.split():
            assert words in shown
        assert "turn 3 of an earlier game" in shown
        assert f"t {lesson.title}: {1 + len(lesson.step)} positions" in shown
        assert "Dash, warned before a slip" in shown
        assert "It turned at turn 3" in shown
        assert re.search(r"t (Lesson|The mirror).*e Review", shown)
        await pilot.press("enter")
        await until(pilot, lambda: table(app).state.may_move)
        assert table(app).table.warned


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
async def test_after_losses_one_button_opens_the_lesson_and_one_line_the_game(
    make_app: MakeApp, size: tuple[int, int]
) -> None:
    app = make_app()
    for day in (1, 2, 3):
        keep_loss(app.store, day)
    async with app.run_test(size=size) as pilot:
        home = home_of(app)
        for words, screen in (("positions", LessonScreen), ("warned before", LocalScreen)):
            await click_at(pilot, *place_of(app, words))
            await until(pilot, lambda screen=screen: isinstance(app.screen, screen))
            app.pop_screen()
            await until(pilot, lambda: app.screen is home)


async def test_the_last_game_can_be_looked_at_again(make_app: MakeApp) -> None:
    app = make_app()
    keep_loss(app.store)
    async with app.run_test(size=(80, 24)) as pilot:
        for way in ("key", "click"):
            if way == "key":
                await pilot.press("e")
            else:
                await click_at(pilot, *place_of(app, "Last game"))
            await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_a_game_that_warns_asks_before_a_slip_whatever_the_settings_say(started: Started) -> None:
    async with started("sequence-duel:size=11/3.5", "Player 1", "bot:1") as (app, pilot):
        assert not app.settings.coach
        table(app).table.warned = True
        await pilot.press("7", "enter")
        await until(pilot, lambda: table(app).state.asks_back)
        assert "gives the win away. Take it back?" in text_of(app)


@pytest.mark.parametrize("losses", [0, 2])
async def test_a_game_that_warns_still_does_after_it_was_left_and_resumed(make_app: MakeApp, losses: int) -> None:
    app = make_app()
    for day in range(1, 1 + losses):
        keep_loss(app.store, day)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("3", "enter")
        await until(pilot, lambda: table(app).state.may_move)
        await pilot.press("1", "0", "enter")
        await until(pilot, lambda: table(app).table.saved_as is not None)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("c")
        await until(pilot, lambda: table(app).state.may_move)
        assert table(app).session.public_code().startswith("sequence-duel/10")
        assert table(app).table.warned == bool(losses)


def test_games_after_a_lost_one_that_warned_warn_too(make_app: MakeApp) -> None:
    players = PlayerInfo(name="Player 1"), computer_player(levels_of("sequence-duel")[0])
    before = LocalTable(read_new_game(LOST), players, store=make_app().store)
    before.warned = True
    before.propose("resign")
    assert before.session.outcome is not None
    following = (before.rematch(), before.retry_from(2), before.with_other_seats())
    assert [one.warned for one in following] == [True] * 3


async def test_one_loss_changes_the_lesson_and_nothing_else(make_app: MakeApp) -> None:
    app = make_app()
    keep_loss(app.store)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        row = app.screen.row
        assert (row.lately, row.warned) == ("", False)
        await pilot.press("enter")
        await until(pilot, lambda: table(app).state.may_move)
        assert not table(app).table.warned


def test_of_each_game_lost_lately_the_last_mistake_is_known() -> None:
    def mark(code: str, day: int) -> tuple[str, Any]:
        missed = Missed(played="7", names=("Ann", "Bo"), day=date(2027, 1, day))
        return code, missed.model_dump(mode="json")

    marks = [mark("sequence-duel/3", 1), mark("sequence-duel/3.5", 2), mark("sequence-duel/3.5.7.9", 2)]
    marks += [mark("circle-duel/4", 2), ("sequence-duel/mirror", {"code": "x", "found": True, "day": "2027-01-02"})]
    assert [code for code, _ in lost_lately(marks, "sequence-duel")] == ["sequence-duel/3.5.7.9", "sequence-duel/3"]


TRAILS = "circle-duel:size=16,reach=2,trails=own,gaps=1"
TRAILS_TO_WIN = f"{TRAILS},seed=5/10.15.12.13.14.11.16.9.1.7.3.5.4.6"
"""The first player wins with 2."""
TWO_GAPS = "circle-duel:size=16,reach=2,trails=own,gaps=2"
TWO_GAPS_TO_WIN = f"{TWO_GAPS},seed=2/6.13.5.11.7.12.8.14.10"
"""The second player wins with 15."""


def keep_wins(store: Any, count: int) -> None:
    """Keep notes of so many wins without help in Two Trails."""
    for at in range(count):
        store.progress.add(WON_KIND, f"match-{at}", {"rules": TRAILS})


async def win(started: Started, code: str, move: str, p1: str | None, p2: str | None) -> None:
    """Win a game against a computer with its last move."""
    async with started(code, p1, p2) as (app, pilot):
        await until(pilot, lambda: table(app).state.may_move)
        await pilot.press(*move, "enter")
        await until(pilot, lambda: table(app).state.judged is not None)
        await pilot.pause()
        await app.workers.wait_for_complete()


async def test_after_five_wins_in_two_trails_the_row_offers_two_gaps_and_the_second_seat(
    make_app: MakeApp, started: Started
) -> None:
    app = make_app()
    keep_wins(app.store, 4)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert app.screen.row.offer == ()
    await win(started, TRAILS_TO_WIN, "2", None, "bot:1")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        row = app.screen.row
        assert (row.id, row.next_step) == ("circle-duel", "two gaps, second: x")
        assert row.next_step in text_of(app)
        assert row.starts == "Play Dash. You go first.", "Enter stays the next game"
        await pilot.press("x")
        await until(pilot, lambda: table(app).state.may_move)
        session = table(app).session
        assert (session.options.size, session.options.gaps) == (16, 2)
        assert table(app).table.voice.you == 1
        assert table(app).table.who(0).level == "dash"
    await win(started, TWO_GAPS_TO_WIN, "15", "bot:1", None)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert app.screen.row.offer == ()
        assert "two gaps" not in app.screen.row.next_step


async def test_a_win_with_help_is_no_step_towards_two_gaps(make_app: MakeApp, started: Started) -> None:
    async with started(TRAILS_TO_WIN, None, "bot:1") as (app, pilot):
        await until(pilot, lambda: table(app).state.may_move)
        await pilot.press("h", "2", "enter")
        await until(pilot, lambda: table(app).state.judged is not None)
        await pilot.pause()
        await app.workers.wait_for_complete()
        assert app.store.progress.newest(WON_KIND) == {}
