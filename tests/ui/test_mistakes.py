"""Mistakes on the full screen: nothing tells the answer before it is asked for, by keys alone and by mouse alone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbox.core.session import Session
from duelbox.learn.mistakes import mistakes_in, most_telling
from duelbox.learn.turning import turning_points
from duelbox.registry import BUILT_IN, find_game
from duelbox.ui.screens.mistakes import MistakesScreen
from duelbox.ui.screens.review import ReviewScreen
from duelbox.ui.widgets.plot import Plot
from tests.ui.conftest import MakeApp
from tests.ui.person import record_of, text_of, until

RULES: dict[str, dict[str, Any]] = {
    "circle-duel": {"size": 10, "reach": 2, "gaps": 3, "seed": 3},
    "number-circle": {},
    "sequence-duel": {"size": 11},
    "digit-chain": {"zero": "no-tens", "without": tuple(n for n in range(10, 40) if n % 10 > 3)},
    "number-duel": {"hand": 4, "seed": 5},
}


LEAST = dict.fromkeys(BUILT_IN, 1) | {"circle-duel": 0}
"""Each game has more mistakes than this."""


def played(game_id: str, seed: int = 1) -> Session:
    """A game of chance moves, with some mistakes of both players."""
    game = find_game(game_id)
    for rng in (Random(seed + 100 * more) for more in range(50)):
        session = Session(game, game.Options.from_values(RULES[game_id]), ("Ann", "Bo"))
        while session.turn is not None and len(session.plies) < 40:
            session.play(rng.choice(session.legal_moves()))
        if session.turn is None and sum(one.turning for one in turning_points(session, 0)) > LEAST[game_id]:
            return session
    raise AssertionError("no game with so many mistakes")


@asynccontextmanager
async def reviewed(
    make_app: MakeApp, code: str, size: tuple[int, int] = (80, 24), **settings: Any
) -> AsyncIterator[Any]:
    """The app with a review of this game open, worked out, and the one who opened it."""
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
    """All that can be read off the app: the screen, the picture of it, and every widget."""
    svg = re.sub(r"<style>.*?</style>|<[^>]*>", "", app.export_screenshot(), flags=re.DOTALL)
    widgets = [f"{one.render()} {one.tooltip or ''}" for one in app.screen.query("*")]
    return re.sub(r"at 0x[0-9a-f]+", "", "\n".join([text_of(app), svg, *widgets]))


@pytest.mark.parametrize("game_id", BUILT_IN)
async def test_nothing_tells_the_answer_or_what_followed_before_it_is_asked_for(
    make_app: MakeApp, game_id: str
) -> None:
    """Two games that are the same up to the mistake, and then differ, look the same at the stop."""
    session = played(game_id)
    shown = []
    mistake = most_telling(mistakes_in([(session, turning_points(session), 0)]))[0]
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
            if app.screen.who is None:
                await pilot.press("o")
            await pilot.press("m")
            screen = app.screen
            assert isinstance(screen, MistakesScreen)
            while screen.mistakes.mistake.ply < mistake.ply:
                await pilot.press("m")
            assert screen.mistakes.mistake.ply == mistake.ply
            assert not [one for one in app.screen_stack if isinstance(one, ReviewScreen)]
            text = everything(app)
            best = mistake.analysis
            for told in (best.reason, best.idea, f"Play {best.moves[0].move}", "right move."):
                assert not told or told not in text
            assert max(screen.query_one(Plot).curve.heights, default=0) < mistake.ply
            assert screen.query_one(Plot).curve.plies == mistake.ply
            assert len(screen.session.plies) == mistake.ply - 1
            assert not screen.session.undone
            shown.append(re.sub(r"Mistake \d+ of \d+|Mistake&#160;.*?&#160;of&#160;\d+", "", text))
    assert shown[0] == shown[1]


def plant(session: Session) -> tuple[list[str], str]:
    """A wrong move and the best one, at the most telling mistake of Player 1."""
    mistake = most_telling(mistakes_in([(session, turning_points(session), 0)]))[0]
    wrong = [one.move for one in mistake.analysis.moves if one.move not in mistake.right]
    return wrong, mistake.right[0]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
@pytest.mark.parametrize("game_id", BUILT_IN)
async def test_by_keys_alone(make_app: MakeApp, game_id: str, size: tuple[int, int]) -> None:
    session = played(game_id)
    async with reviewed(make_app, session.code(), size) as pilot:
        app = pilot.app
        while app.screen.who != 0:
            await pilot.press("o")
        await pilot.press("m")
        screen = app.screen
        wrong, right = plant(session)
        code = screen.session.code()
        await pilot.press(*wrong[-1], "enter")
        assert "Not yet" in text_of(app)
        assert screen.tried.sentence
        await pilot.press("x")
        assert (screen.tried, screen.session.code()) == (None, code)
        await pilot.press("h")
        assert "Hint 1 of 3" in text_of(app)
        await pilot.press(*right, "enter")
        assert f"{right} is right." in text_of(app)
        await pilot.press("k")
        await at_rest(pilot)
        [entry] = app.store.progress.newest("mistake").values()
        assert (entry.key, entry.value["right"][0]) == (code, right)
        await pilot.press("enter")
        while not screen._over:
            await pilot.press("a", "enter", "enter")
        assert " 1 found with help" in text_of(app)
        assert ("shown" in text_of(app)) == (len(screen.mistakes.todo) > 1)
        await pilot.press("enter")
        assert isinstance(app.screen, ReviewScreen)
