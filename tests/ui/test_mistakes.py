"""Mistakes, by keys alone and by mouse alone; nothing gives the answer away before the player asks."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from fractions import Fraction
from itertools import cycle
from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbox.core.code import parse_code
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.session import Session
from duelbox.learn.ideas import DAYS, Again, Missed, Returned, missed_ideas, resting
from duelbox.learn.mistakes import mistakes_in, worst_mistakes
from duelbox.learn.puzzles import PRACTICE, puzzles_in
from duelbox.learn.turning_points import turning_points
from duelbox.registry import BUILT_IN, find_game
from duelbox.ui.glyphs import ASCII, UNICODE
from duelbox.ui.screens.lesson_screen import LessonScreen
from duelbox.ui.screens.mistakes_screen import MistakesScreen
from duelbox.ui.screens.review_screen import ReviewScreen
from duelbox.ui.widgets.plot import Curve, Plot, curve_of, drawn
from tests.effort import sampled
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import NOON, SIZES, click_at, click_on, record_of, text_of, until, wheel

RULES: dict[str, dict[str, Any]] = {
    "circle-duel": {"size": 10, "reach": 2, "gaps": 3, "seed": 3},
    "number-circle": {},
    "sequence-duel": {"size": 11},
    "digit-chain": {"zero": "no-tens", "without": tuple(n for n in range(10, 40) if n % 10 > 3)},
    "number-duel": {"hand": 4, "seed": 5},
}


MIRROR = "sequence-duel:size=19/1.3.5.7.9"
PLAYED = list(BUILT_IN)[-sampled(2, len(BUILT_IN)) :]
LEAST = dict.fromkeys(BUILT_IN, 1) | {"circle-duel": 0}
"""Each game tried here has more mistakes than this."""


def played(game_id: str, seed: int = 1) -> Session:
    """A game of chance moves, with some mistakes of both players."""
    game = find_game(game_id)
    for rng in (Random(seed + 100 * more) for more in range(50)):
        session = Session(game, game.Options.from_values(RULES[game_id]), ("Ann", "Bo"))
        while session.turn is not None and len(session.plies) < 40:
            session.play(rng.choice(session.legal_moves()))
        if (
            session.turn is None
            and sum(one.turning and one.seat == 0 for one in turning_points(session)) > LEAST[game_id]
        ):
            return session
    raise AssertionError("no game with so many mistakes")


@asynccontextmanager
async def reviewed(
    make_app: MakeApp, code: str, size: tuple[int, int] = (80, 24), **settings: Any
) -> AsyncIterator[Any]:
    """The app with a finished review of this game open, and the person at it."""
    app = make_app(**settings)
    app.store.import_text(record_of(code, ("Ann", "Bo")))
    async with app.run_test(size=size) as pilot:
        await pilot.press("i", "enter")
        await at_rest(pilot)
        assert isinstance(app.screen, ReviewScreen)
        yield pilot


async def at_rest(pilot: Pilot[Any]) -> None:
    await until(pilot, lambda: not any(worker.is_running for worker in pilot.app.workers))
    await pilot.pause()


def everything(app: Any) -> str:
    """The text of the screen, of its picture and of every widget."""
    svg = re.sub(r"<style>.*?</style>|<[^>]*>", "", app.export_screenshot(), flags=re.DOTALL)
    widgets = [f"{one.render()} {one.tooltip or ''}" for one in app.screen.query("*")]
    return re.sub(r"at 0x[0-9a-f]+", "", "\n".join([text_of(app), svg, *widgets]))


@pytest.mark.parametrize("game_id", PLAYED)
async def test_nothing_tells_the_answer_or_what_followed_before_it_is_asked_for(
    make_app: MakeApp, game_id: str
) -> None:
    """Two games that differ only after the mistake look the same when the game stops before it."""
    session = played(game_id)
    shown = []
    mistake = worst_mistakes(mistakes_in([(session, turning_points(session), 0)]))[0]
    cut = [ply.move for ply in session.plies[: mistake.ply]]
    other = Session(session.game, session.options, session.names)
    for move in cut:
        other.play(move)
    rng = Random(9)
    while other.turn is not None:
        other.play(rng.choice(other.legal_moves()))
    for game in (session, other):
        async with reviewed(make_app, game.code()) as pilot:
            app = pilot.app
            if app.screen.table.seat is None:
                await pilot.press("tab")
            await pilot.press("m")
            screen = app.screen
            assert isinstance(screen, MistakesScreen)
            while screen.table.trial.mistake.ply < mistake.ply:
                await pilot.press("m")
            assert screen.table.trial.mistake.ply == mistake.ply
            assert not [one for one in app.screen_stack if isinstance(one, ReviewScreen)]
            text = everything(app)
            best = mistake.analysis
            for told in (best.reason, best.thought, f"Play {best.moves[0].move}", "right move."):
                assert not told or told not in text
            assert max(screen.query_one(Plot).curve.heights, default=0) < mistake.ply
            assert screen.query_one(Plot).curve.plies == mistake.ply
            assert len(screen.session.plies) == mistake.ply - 1
            assert not screen.session.undone
            shown.append(re.sub(r"Mistake \d+ of \d+|Mistake&#160;.*?&#160;of&#160;\d+", "", text))
    assert shown[0] == shown[1]


def plant(session: Session) -> tuple[list[str], str]:
    """A wrong move and the best one, at the most telling mistake of Player 1."""
    mistake = worst_mistakes(mistakes_in([(session, turning_points(session), 0)]))[0]
    wrong = [one.move for one in mistake.analysis.moves if one.move not in mistake.right]
    return wrong, mistake.right[0]


@pytest.mark.parametrize(("game_id", "size"), zip(PLAYED, cycle(SIZES), strict=False))
async def test_by_keys_alone(make_app: MakeApp, game_id: str, size: tuple[int, int]) -> None:
    session = played(game_id)
    async with reviewed(make_app, session.code(), size) as pilot:
        app = pilot.app
        while app.screen.table.seat != 0:
            await pilot.press("tab")
        await pilot.press("m")
        screen = app.screen
        wrong, right = plant(session)
        code = screen.session.code()
        await pilot.press(*wrong[-1], "enter")
        assert "Not yet" in text_of(app)
        assert screen.table.attempt.sentence
        await pilot.press("z")
        assert (screen.table.attempt, screen.session.code()) == (None, code)
        await pilot.press("h")
        assert "Hint 1 of 3" in text_of(app)
        await pilot.press("h", "h")
        assert "Hint 3 of 3" in text_of(app)
        assert screen.state.line in screen.table.trial.right, "so that Enter plays it"
        await pilot.press(*right, "enter")
        assert f"{right} is right." in text_of(app)
        assert screen.table.trial.session.code() == code
        await pilot.press("enter")
        while not screen.table.over:
            await pilot.press("a", "enter", "enter")
        assert " 1 found with help" in text_of(app)
        assert ("shown" in text_of(app)) == (len(screen.table.trial.todo) > 1)
        await pilot.press("enter")
        assert isinstance(app.screen, ReviewScreen)


async def test_by_mouse_alone(make_app: MakeApp) -> None:
    """Move by plot, wheel and list; try a wrong and a right cell; skip and leave."""
    async with reviewed(make_app, "sequence-duel:size=11/3.5.7.1.11.9") as pilot:
        app = pilot.app
        plot = app.screen.query_one(Plot).region
        for x, at in ((2, 1), (22, 5), (0, 0)):
            await click_at(pilot, plot.x + 1 + x, plot.y + 1)
            assert app.screen.table.at == at
        await wheel(pilot, plot.x + 4, plot.y)
        await wheel(pilot, 30, 8)
        await wheel(pilot, 30, 8, up=True)
        assert app.screen.table.at == 1
        await click_at(pilot, plot.x + 1 + 17, plot.y + 1)
        assert app.screen.table.at == 4
        assert "at most" in text_of(app), "a review opens with the verdict on"
        for label, told in (("Hint", "Hint 1 of 3."), ("Why", " was right; 1 threw the win away.")):
            await click_on(pilot, f" {label} ")
            assert told in text_of(app)
        await click_on(pilot, "Mistakes")
        screen = app.screen
        assert isinstance(screen, MistakesScreen)
        for move, told in (("11", "Not yet"), ("10", "10 is right.")):
            for _ in range(2):
                await click_at(pilot, *(screen.board.region.offset + screen.board.offset_of(move)))
            assert told in text_of(app)
            assert told != "Not yet" or "What keeps the win?" in " ".join(text_of(app).split()), (
                "the task can still be read"
            )
            await click_on(pilot, "Enter: ")
        assert screen.table.trial.at == 1
        for _ in range(2):
            await click_on(pilot, "n Next")
        assert re.search(r"3 mistakes: 1 .*help, 2 left", text_of(app))
        await click_on(pilot, "Enter: leave")
        assert isinstance(app.screen, ReviewScreen)


@pytest.mark.parametrize(("before", "found"), [((), False), ((False,), True), ((False, True), True)])
async def test_a_missed_idea_comes_back_to_home_until_it_is_found_twice_in_a_row(
    make_app: MakeApp, before: tuple[bool, ...], found: bool
) -> None:
    """Each time the position is a new one."""
    app, day, shown = make_app(), date(2020, 1, 1), puzzles_in(PRACTICE)
    missed = Missed(played="11", names=("Ann", "Bo"), idea="mirror", day=day)
    app.store.progress.add("mistake", MIRROR, missed.model_dump(mode="json"))
    app.store.progress.add("mistake", "broken", {"due": "2020-01-01"})
    seen = [one.code for one in shown if one.idea == "mirror"][: len(before)]
    for code, right in zip(seen, before, strict=True):
        value = Returned(code=code, found=right, day=day).model_dump(mode="json")
        app.store.progress.add("mistake", "sequence-duel/mirror", value)
    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: "m Mistakes 1" in text_of(app))
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, MistakesScreen))
        trial = app.screen.table.trial
        assert trial.session.code() not in (MIRROR, *seen)
        assert trial.analysis.idea.name == "mirror"
        await pilot.press(*([] if found else ["h"]), *trial.right[0], "enter", "enter", "enter")
        await at_rest(pilot)
        [again] = missed_ideas(app.store.progress.all("mistake")).values()
        assert again.found == [*before, found]
        assert again.due == (None if sum(again.found) == 2 else date.today() + timedelta(DAYS[len(before) + 1]))
        app.screen.call_later(app.screen.on_screen_resume)
        await until(pilot, lambda: "m Mistakes " not in text_of(app))


async def test_mistakes_that_rest_say_until_when_and_come_at_once_if_asked_again(make_app: MakeApp) -> None:
    app = make_app()
    for code in ("sequence-duel:size=11/3.5.7.1", "sequence-duel:size=11/3.5"):
        missed = Missed(played="11", names=("Ann", "Bo"), day=date.today())
        app.store.progress.add("mistake", code, missed.model_dump(mode="json"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("m")
        await until(pilot, lambda: "2 mistakes rest until tomorrow. Press m again to play now." in text_of(app))
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, MistakesScreen))
        assert len(app.screen.table.trial.todo) == 2


@pytest.mark.parametrize(
    ("days", "told"),
    [
        ((), ""),
        ((0,), ""),
        ((1,), "1 mistake rests until tomorrow."),
        ((1, 1, 3), "2 mistakes rest until tomorrow."),
        ((3,), "1 mistake rests until Friday."),
        ((21,), "1 mistake rests until 26 January."),
    ],
)
def test_a_sentence_says_what_rests_until_when(days: tuple[int, ...], told: str) -> None:
    today = date(2027, 1, 5)
    missed = Missed(played="1", names=("Ann", "Bo"), day=today)
    coming = [Again(f"{at}", "", missed, due=today + timedelta(days=ahead)) for at, ahead in enumerate(days)]
    assert resting(coming, today) == told


async def test_a_finished_game_keeps_its_mistakes_by_itself(started: Started) -> None:
    async with started("sequence-duel:size=11/3.5.7.1", "Ann", "bot:1") as (app, pilot):
        await pilot.press("1", "1", "enter")
        await until(pilot, lambda: app.screen.state.judged is not None)
        await at_rest(pilot)
        kept = missed_ideas(app.store.progress.all("mistake"))
        assert {again.code for again in kept.values()} == {"sequence-duel:size=11/3.5", "sequence-duel:size=11/3.5.7.1"}
        assert {again.due for again in kept.values()} == {date.today() + timedelta(DAYS[0])}


async def test_a_match_is_looked_at_over_all_rounds_and_played_on_from_anywhere(make_app: MakeApp) -> None:
    app = make_app()
    rounds = []
    for count, names in enumerate((("Ann", "Bo"), ("Bo", "Ann"))):
        session = parse_code("sequence-duel:size=11/3.5.7.1.11.9", find_game)
        session.names = names
        rounds.append(recorded_round(session, 1 + count % 2, 0, NOON, NOON + timedelta(minutes=5)))
    players = (PlayerInfo(name="Ann"), PlayerInfo(name="Bo", level="3"))
    app.store.import_text(Record(game="sequence-duel", players=players, rounds=2, played=tuple(rounds)).to_json())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i", "enter")
        await at_rest(pilot)
        await pilot.press("m")
        screen = app.screen
        assert isinstance(screen, MistakesScreen)
        found = [(one.round, one.ply, one.played) for one in screen.table.trial.todo]
        assert found == [(0, 3, "7"), (0, 5, "11"), (1, 4, "1")], "Ann's, who sits on the other side in round 2"
        await pilot.press("m", "m")
        assert "turn 4 of round 2" in text_of(app)
        await pilot.press("l", "p")
        local = app.screen.table
        assert (local.session.code(), local.people) == ("sequence-duel:size=11/3.5.7", (1,))


async def test_the_result_names_the_turning_point(started: Started) -> None:
    async with started("sequence-duel:size=11/3.5.7.1.11") as (app, pilot):
        await pilot.press("9", "enter")
        await until(pilot, lambda: "The game turned at turn 5: 11 was a slip." in text_of(app))
        await pilot.press("u")
        await at_rest(pilot)
        assert "was a slip" not in text_of(app)


async def test_a_move_judged_while_the_plot_is_drawn_does_no_harm(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with reviewed(make_app, "sequence-duel:size=11/3.5.7.1.11.9") as pilot:
        screen = pilot.app.screen
        judged = screen.table.judged[0]

        def interrupted(moves: Any, *about: Any) -> Curve:
            return curve_of((judged.setdefault(0, move) and move for move in moves), *about)

        monkeypatch.setattr("duelbox.ui.screens.review_screen.curve_of", interrupted)
        assert screen.plotted()[0].plies == 6


async def test_a_try_in_a_hidden_game_turns_over_no_card_and_its_review_shows_what_the_seat_knew(
    make_app: MakeApp,
) -> None:
    async with reviewed(make_app, "number-duel:hand=4,seed=5/4x1.4x2.3x2.1x1") as pilot:
        app = pilot.app
        await pilot.press("right")
        assert "Tab shows what Bo could know" in text_of(app)
        assert set(app.screen.query_one(Plot).curve.heights) == {1, 3}
        await pilot.press("tab", "tab", "tab", "m")
        screen, hidden = app.screen, text_of(app).count("╱╱╱╱╱╱╱")
        for move in ("4x1", screen.table.trial.right[0]):
            await pilot.press(*move, "enter")
            assert (len(screen.session.plies), text_of(app).count("╱╱╱╱╱╱╱")) == (0, hidden)
            await pilot.press("enter")


@pytest.mark.parametrize("plain", [False, True])
def test_a_plot_is_read_by_its_shape(plain: bool) -> None:
    glyphs = ASCII if plain else UNICODE
    worth = {1: Fraction(1), 2: Fraction(0), 3: Fraction(1, 2), 4: Fraction(0)}
    rows = drawn(Curve(4, worth, {2: "!", 3: "*", 4: "┄"}), 40, glyphs)
    assert rows == (("# _ ", " # #", " !*.") if plain else ("▄ ▁ ", " ▀ ▀", " !*┄"))
    eight = drawn(Curve(8, {at: Fraction(at - 1, 7) for at in range(1, 9)}, {}, chance=True), 40, glyphs)
    assert len(set(zip(*eight[:2], strict=True))) == 8
    assert all(one.isascii() for row in (*rows, *eight) for one in row) == plain
    for plies, width, step in ((60, 62, 1), (61, 200, 2), (60, 58, 2), (130, 60, 3)):
        rows = drawn(Curve(plies, {1: Fraction(1)}, {plies: "!"}), width, glyphs)
        assert {len(row) for row in rows} == {-(-plies // step)}
        assert rows[2].strip() == "!"


async def test_the_end_leads_to_the_lesson_on_the_idea_met_most_often(make_app: MakeApp) -> None:
    async with reviewed(make_app, "sequence-duel/1.3.5.7.9.11.13.15.17.19") as pilot:
        app = pilot.app
        await pilot.press("m")
        while not app.screen.table.over:
            await pilot.press("a", "enter", "enter")
        assert "Most often it was this: Copy:" in " ".join(text_of(app).split())
        await pilot.press("t")
        assert isinstance(app.screen, LessonScreen)
        assert app.screen.table.trial.lesson.name == "mirror"
        await pilot.press("escape")
        assert isinstance(app.screen, MistakesScreen)


async def test_the_first_m_in_a_review_without_slips_says_that_there_were_none(started: Started) -> None:
    async with started("sequence-duel:size=5/3.1", "Ann", "bot:1") as (app, pilot):
        await pilot.press("5", "enter", "e", "m")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and app.screen.table.complete)
        await until(pilot, lambda: "You threw nothing away here." in text_of(app))
