"""Computers at the table: they move, give reasons, and can be undone, watched, paused and left while they think."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from threading import Event as Flag
from typing import Any

import pytest

from duelbox.bots import levels_of
from duelbox.bots.api import Choice
from duelbox.core.game import AnyGame
from duelbox.core.session import Session
from duelbox.solve.api import Stop, Stopped
from duelbox.table.thinking import Answer, play_choice
from duelbox.ui.screens.help import HelpScreen
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.new_game import NewGameScreen
from duelbox.ui.screens.table import WorkerAnswered
from tests.effort import sampled
from tests.house_rules import WITH_COMPUTERS
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import TIME_LIMIT, Acting, Keys, Person, table, text_of, two_ways, until

WHY = "It is the first one there is."


def chosen(session: Session, stamp: int, move: str, why: str) -> WorkerAnswered:
    """A computer's answer to a position."""
    return WorkerAnswered(Answer(session, stamp, partial(play_choice, choice=Choice(move, why))))


@dataclass
class Stub:
    """A computer that plays the first legal move, at once or when the test allows it."""

    let: Flag = field(default_factory=Flag)
    seen: list[tuple[str, str, int]] = field(default_factory=list)
    """The game, level and seed of every move it was asked for."""
    stopped: int = 0

    def __call__(self, game: AnyGame, view: Any, level: str, seed: int, stop: Stop) -> Choice:
        self.seen.append((game.INFO.id, level, seed))
        try:
            while not self.let.wait(0.002):
                stop.check()
        except Stopped:
            self.stopped += 1
            raise
        return Choice(game.format_move(game.legal_moves(view)[0]), WHY)


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """Put this computer in the place of every level of every game."""
    stub = Stub()
    stub.let.set()
    monkeypatch.setattr("duelbox.bots.choose", stub)
    yield stub
    stub.let.set()


async def move(person: Person, text: str) -> None:
    """Make a move, by keys or by mouse."""
    screen = table(person.app)
    if isinstance(person, Keys):
        await person.pilot.press(*text, "enter")
        return
    number, _, position = text.partition("x")
    pieces = [number, f"x{position}"] if position else [number]
    for target in (*pieces, pieces[-1]):
        await person.pilot.click(screen.board, offset=tuple(screen.board.offset_of(target)))


def my_turn(person: Person) -> bool:
    play = table(person.app).table
    return play.session.turn in play.people


# -- against the computer


@two_ways
async def test_the_computer_answers_and_says_why(acting: Acting, computer: Stub) -> None:
    async with acting("circle-duel", p1="Ann", p2="bot:3") as person:
        await move(person, "4")
        await until(person.pilot, lambda: my_turn(person))
        assert table(person.app).session.code() == "circle-duel/4.3"
        assert [(game, level) for game, level, _ in computer.seen] == [("circle-duel", levels_of("circle-duel")[2].id)]
        await person.do("Why")
        assert WHY in text_of(person.app)
        await move(person, "2")
        await until(person.pilot, lambda: my_turn(person))
        assert table(person.app).session.code() == "circle-duel/4.3.2.1"


@two_ways
async def test_undo_takes_the_answer_of_the_computer_back_too(acting: Acting, computer: Stub) -> None:
    async with acting("circle-duel", p1="Ann", p2="bot:3") as person:
        for text in ("4", "2"):
            await move(person, text)
            await until(person.pilot, lambda: my_turn(person))
        for code in ("circle-duel/4.3", "circle-duel"):
            await person.do("Undo")
            assert table(person.app).session.code() == code
            assert "Your move" in text_of(person.app)
        await person.do("Redo")
        assert table(person.app).session.code() == "circle-duel/4.3"
        assert "Your move" in text_of(person.app)


async def test_the_computer_begins_where_it_is_player_1(started: Started, computer: Stub) -> None:
    async with started("circle-duel", p1="bot:1", p2="Bo") as (app, pilot):
        await until(pilot, lambda: table(app).session.turn == 1)
        assert len(table(app).session.plies) == 1
        assert table(app).state.may_move
        assert "Your move" in text_of(app)


async def test_an_answer_to_a_move_that_was_taken_back_is_dropped(acting: Acting, computer: Stub) -> None:
    computer.let.clear()
    async with acting("circle-duel", p1="Ann", p2="bot:1") as person:
        await move(person, "4")
        await until(person.pilot, lambda: computer.seen)
        session, stamp = table(person.app).session, table(person.app).session.stamp
        assert "Dash is thinking" in text_of(person.app)
        await person.do("Undo")
        await until(person.pilot, lambda: computer.stopped)
        person.app.screen.post_message(chosen(session, stamp, "5", "Too late."))
        await person.pilot.pause()
        assert session.code() == "circle-duel"
        assert table(person.app).table.why == ""


async def test_an_answer_for_the_game_before_is_dropped(started: Started, computer: Stub) -> None:
    async with started("circle-duel", p1="Ann", p2="bot:1") as (app, pilot):
        before = table(app).session
        await pilot.press("n", "enter")
        after = table(app).session
        assert after is not before
        app.screen.post_message(chosen(before, before.stamp, "5", "Too late."))
        app.screen.post_message(chosen(after, after.stamp, "5", "Not my turn."))
        await pilot.pause()
        assert table(app).session.code() == "circle-duel"


async def test_nobody_moves_for_the_computer(acting: Acting, computer: Stub) -> None:
    computer.let.clear()
    async with acting("circle-duel/4", p1="Ann", p2="bot:1") as person:
        await until(person.pilot, lambda: computer.seen)
        await move(person, "5")
        await person.pilot.press("right", "enter", "g", "g", "h")
        assert table(person.app).session.code() == "circle-duel/4"
        computer.let.set()
        await until(person.pilot, lambda: my_turn(person))
        assert table(person.app).session.code() == "circle-duel/4.3"


async def test_what_is_typed_while_the_computer_thinks_is_refused_in_words(started: Started, computer: Stub) -> None:
    computer.let.clear()
    async with started("circle-duel/4", p1="Ann", p2="bot:1") as (app, pilot):
        await until(pilot, lambda: computer.seen)
        await pilot.press("5")
        assert "Dash is thinking. " in text_of(app)
        await pilot.press("enter")
        assert "Dash is thinking." in text_of(app)
        assert table(app).state.line == ""


async def test_why_is_kept_while_the_table_is_left(started: Started, computer: Stub) -> None:
    async with started("circle-duel", p1="Ann", p2="bot:1") as (app, pilot):
        await pilot.press("4", "enter")
        await until(pilot, lambda: my_turn(Keys(pilot)))
        await pilot.press("escape", "c", "w")
        assert WHY in text_of(app)


async def test_under_another_screen_the_computer_waits(started: Started, computer: Stub) -> None:
    computer.let.clear()
    async with started("circle-duel/4", p1="Ann", p2="bot:1") as (app, pilot):
        await until(pilot, lambda: computer.seen)
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        await until(pilot, lambda: computer.stopped)
        computer.let.set()
        await pilot.press("escape")
        await until(pilot, lambda: table(app).session.turn == 0)
        assert table(app).session.code() == "circle-duel/4.3"


@pytest.mark.parametrize("way", ["escape", "ctrl+q"])
async def test_leaving_ends_its_thought(started: Started, computer: Stub, way: str) -> None:
    computer.let.clear()
    async with started("circle-duel/4", p1="Ann", p2="bot:1") as (app, pilot):
        await until(pilot, lambda: computer.seen)
        await pilot.press(way)
        if way == "b":
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    async with asyncio.timeout(TIME_LIMIT):
        while not computer.stopped:
            await asyncio.sleep(0.01)


async def test_a_delay_ends_with_the_table(started: Started, computer: Stub) -> None:
    """Quitting stops the delay; otherwise this test would last as long as the longest one."""
    async with started("circle-duel/4", p1="Ann", p2="bot:1", delay=10_000) as (app, pilot):
        await until(pilot, lambda: computer.seen)
        screen = table(app)
        await pilot.press("escape")
        await until(pilot, lambda: all(worker.is_finished for worker in app.workers))
        assert screen.session.code() == "circle-duel/4"


async def test_no_two_games_are_played_from_one_seed(started: Started, computer: Stub) -> None:
    for _ in range(2):
        async with started("circle-duel/4", p1="Ann", p2="bot:1") as (app, pilot):
            await until(pilot, lambda app=app: table(app).session.turn == 0)
    assert len({seed for _, _, seed in computer.seen}) == 2


async def test_another_level_is_a_step_away(acting: Acting, computer: Stub) -> None:
    async with acting("circle-duel/4.5.6.7.8.9.10.1.2.3", p1="Ann", p2="bot:1") as person:
        await person.do("Level")
        form_screen = person.app.screen
        assert isinstance(form_screen, NewGameScreen)
        assert form_screen.form.row.key == "level"
        await person.change("Level")
        await person.do("Start")
        assert table(person.app).table.players[1].level == levels_of("circle-duel")[1].id


# -- computer against computer


@pytest.mark.parametrize("game_id", WITH_COMPUTERS[-sampled(2, 5) :])
async def test_computers_play_to_the_end(started: Started, game_id: str) -> None:
    """The two weakest real levels."""
    async with started(game_id, p1="bot:1", p2="bot:2") as (app, pilot):
        screen = table(app)
        await until(pilot, lambda: table(app).prompts.card or len(screen.session.plies) > 30)
        if screen.session.turn is None:
            assert " wins ─" in text_of(app) or "A draw ─" in text_of(app)
        else:
            assert game_id == "number-circle", "only Number Circle may go on without end"


async def test_watching_can_be_paused_and_goes_on(acting: Acting, computer: Stub) -> None:
    computer.let.clear()
    async with acting("circle-duel", p1="bot:1", p2="bot:2") as person:
        await until(person.pilot, lambda: computer.seen)
        assert "Space: pause" in text_of(person.app)
        await person.do("Pause")
        await until(person.pilot, lambda: computer.stopped == 1)
        assert "Dash pauses" in text_of(person.app)
        asked = len(computer.seen)
        computer.let.set()
        table(person.app).sync()  # lets computers think
        await person.app.workers.wait_for_complete()
        await person.pilot.pause()
        assert len(computer.seen) == asked
        assert table(person.app).session.code() == "circle-duel"
        await person.do("Pause")
        await until(person.pilot, lambda: table(person.app).prompts.card)


async def test_watching_can_be_made_faster_and_slower(acting: Acting, computer: Stub) -> None:
    computer.let.clear()
    async with acting("circle-duel", p1="bot:1", p2="bot:2", delay=400) as person:
        play = table(person.app).table
        await person.do("Slower")
        assert "The computers wait 0.8 s." in text_of(person.app)
        for delay in (400, 200, 0, 0):
            await person.do("Faster")
            assert f"The computers wait {delay / 1000:.1f} s." in text_of(person.app)
            assert play.waits(3000) == delay
        assert person.app.settings.delay == 400, "other tables wait as before"
        assert play.rematch().waits(400) == 0
        person.app.change_settings(delay=1500)
        assert play.waits(1500) == 1500, "settings are true at once"


async def test_computers_go_on_with_their_match_by_themselves_and_rematch_when_asked(
    started: Started, computer: Stub
) -> None:
    async with started("circle-duel:size=4", p1="bot:1", p2="bot:2", rounds=3) as (app, pilot):
        screen = table(app)
        await until(pilot, lambda: screen.table.score.over)
        assert [one.starter for one in screen.table.rounds] == ["Dash", "Peek", "Dash"]
        await until(pilot, lambda: table(app).prompts.card)
        await pilot.press("j")
        assert "Round  First  Winner  Turns" in text_of(app)
        await pilot.press("escape", "enter")
        assert table(app) is not screen
        await until(pilot, lambda: table(app).session.turn is None)


async def test_a_match_of_computers_can_be_paused_between_its_rounds(acting: Acting, computer: Stub) -> None:
    async with acting("circle-duel:size=4/1.2.3.4", p1="bot:1", p2="bot:2", rounds=2, delay=10_000) as person:
        screen = table(person.app)
        assert "Space pause" in text_of(person.app)
        await person.do("Pause")
        person.app.change_settings(delay=0)
        screen.sync()
        await person.app.workers.wait_for_complete()
        await person.pilot.pause()
        assert not screen.table.match.winners
        await person.do("Pause")
        await until(person.pilot, lambda: screen.table.score.over)


async def test_taking_back_while_watching_goes_on_from_there(make_app: MakeApp, computer: Stub) -> None:
    app = make_app("circle-duel/4.5.6.7.8.9.10.1.2", p1="bot:1", p2="bot:2")
    computer.let.clear()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "u", "u")
        assert table(app).session.code() == "circle-duel/4.5.6.7.8.9.10"
        computer.let.set()
        await pilot.press("space")
        await until(pilot, lambda: table(app).session.turn is None)
        assert table(app).session.code().startswith("circle-duel/4.5.6.7.8.9.10.1.2")


@pytest.mark.parametrize(("p1", "moves"), [("bot:1", 3), ("Ann", 4)], ids=["watched", "played"])
async def test_a_game_that_is_as_long_as_it_can_be_stops_with_a_sentence(
    started: Started, computer: Stub, monkeypatch: pytest.MonkeyPatch, p1: str, moves: int
) -> None:
    monkeypatch.setattr("duelbox.core.session.Session.max_moves", moves)
    async with started("circle-duel", p1=p1, p2="bot:2") as (app, pilot):
        if p1 == "Ann":
            await pilot.press("4", "enter")
            await until(pilot, lambda: my_turn(Keys(pilot)))
            await pilot.press("2", "enter")
        await until(pilot, lambda: table(app).session.full)
        await pilot.pause()
        assert "at most 10,000 moves" in text_of(app)
        if p1 == "Ann":
            await pilot.press("1", "0", "enter")
            assert "Resign, or undo some moves." in " ".join(text_of(app).split())
        else:
            assert "The game stops here" in text_of(app)
        assert len(table(app).session.plies) == moves


async def test_who_beats_a_level_is_offered_the_next_one(make_app: MakeApp) -> None:
    app = make_app("circle-duel:size=4/1.2.3", p1="bot:1", p2="Ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("4", "enter")
        assert "↵ Peek, the next level" in text_of(app)
        await pilot.press("x")
        assert table(app).table.players[0].level == "peek"
        assert table(app).table.match.first == 1
    lost = make_app("circle-duel:size=4/1.2.3", p1="Ann", p2="bot:5")
    async with lost.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table(lost).session.outcome is not None)
        assert "next level" not in text_of(lost)


async def test_home_plays_with_a_friend_or_the_computer_by_one_key(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("down", "f")
        assert table(app).table.people == (0, 1)
        assert table(app).table.game.INFO.id == "number-circle"
        await pilot.press("escape", "enter")
        assert table(app).table.people == (1,), "in Tug of War the second wins more often"
