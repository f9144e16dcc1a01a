"""Number Duel shows one moment at a time: the board, the words and the player to move agree."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbox.core.rng import Rng
from duelbox.ui import motion
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.end_card import EndCard
from duelbox.ui.widgets.key_bar import KeyBar
from duelbox.ui.widgets.lines import MoveLine, MoveList, OneSentence, Plates
from tests.effort import sampled
from tests.ui.conftest import Started
from tests.ui.person import rows_of, table

MOVING = "▗┏┄"
"""Frames of cards that attack or are attacked or beaten; while no card is chosen, only an attack shows them."""
EDGE = "[╰▝╚─▀┄═] ?({}) ?[╯▘╝─▀┄═]"
JUDGED = re.compile(EDGE.format("gone|spent|stays|tie"))
DEALT = re.compile(EDGE.format(r"won|beat \d|tied \d|by \d|lost to \d|stands|stays"))


@dataclass(frozen=True)
class Moment:
    """The readable parts of the screen at one time."""

    board: str
    said: str
    prompt: str
    plates: str
    moves: str

    @property
    def attacks(self) -> bool:
        return any(sign in self.board for sign in MOVING) and len(DEALT.findall(self.board)) < 6


def moment(app: Any) -> Moment:
    """Read the parts from the lines of the terminal."""
    rows = rows_of(app)

    def part(kind: Any) -> str:
        region = next(one for one in app.screen.query(kind) if one.region.height).region
        return "\n".join(row[region.x : region.right] for row in rows[region.y : region.bottom]).strip()

    return Moment(*map(part, (Board, OneSentence, MoveLine, Plates, MoveList)))


def check(now: Moment, app: Any) -> str:
    """Check that every part shows the same moment; return "attack", "result" or the player to move."""
    if app.screen.query_one(EndCard).display:
        return "over"  # it has the words from here on
    session = table(app).session  # a move may not be shown yet: count the moves that the screen shows
    *_, (number, turns) = re.findall(r"(\d+) ((?:[●◆] ?\d+x\d\s*)+)", now.moves) or [("1", "")]
    shown = int(number) - 1 + turns.count("x") + now.attacks
    last = session.plies[shown - 1] if shown else None
    if last is not None:
        struck = last.events[0]
        assert now.said.startswith("●◆"[last.seat]), "the words are about the one who attacked last"
        assert f" {struck.attacker} " in now.said or f" {struck.attacker}." in now.said
    if now.attacks:
        assert now.prompt == "", "the prompt comes when the last card has settled"
        result = bool(JUDGED.search(now.board))
        assert result == bool(re.search("beats|runs into|both are gone", now.said))
        return "result" if result else "attack"
    state: Any = last.state if last else session.start
    assert re.findall(r"(\d) left", now.plates) == [str(len(hand)) for hand in state.hands]
    if state.turn is None:
        assert "Your move" not in now.prompt
        return "over"
    assert ("Your move" in now.prompt) == (state.turn == 0)
    assert now.prompt
    return "mine" if state.turn == 0 else "theirs"


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Motion waits for the test, so that every picture can be read."""
    for name in ("TURN", "MEET", "RESULT"):
        monkeypatch.setattr(motion, name, 1000.0)


async def pictures(pilot: Pilot[Any]) -> AsyncIterator[str]:
    """Read the screen at every picture until the motion ends."""
    board = table(pilot.app).board
    while True:
        await pilot.pause()
        yield check(moment(pilot.app), pilot.app)
        if not board.motion_left:
            return
        board._next_frame()


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("rules", ["hand=5", "hand=3", "hand=7,victors_stay=on"])
@pytest.mark.parametrize("seed", range(1, sampled(2, 9)))
async def test_board_words_and_prompt_tell_one_moment_in_every_picture(
    started: Started, monkeypatch: pytest.MonkeyPatch, rules: str, seed: int
) -> None:
    code, rng, read = f"number-duel:{rules},seed={seed}", Rng(seed), []
    async with started(code, "Ann", "bot:2", animation="full", open_hand=True) as (app, pilot):
        screen, bar = table(app), app.screen.query_one(KeyBar)
        monkeypatch.setattr(screen, "_set_to_work", lambda: None)  # the test makes the computer move
        while screen.session.turn is not None:
            text = screen.session.game.format_move(rng.choice(screen.session.legal_moves()))
            if screen.session.turn == 0:
                await pilot.press(*text)
            keys = bar.items
            await (pilot.press("enter") if screen.session.turn == 0 else screen.state.take(text))
            *before, (after, _) = [(one, bar.items) async for one in pictures(pilot)]
            assert before == [("attack", keys), ("attack", keys), ("result", keys)]
            read.append(after)
    assert read[-1] == "over"
    assert set(read[:-1]) == {"mine", "theirs"}


async def test_no_moment_between_two_turns_mixes_them(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the screen again and again while two computers play in real time."""
    monkeypatch.setattr(motion, "RESULT", 0.2)
    seen, rng = set(), Rng(1)
    async with started("number-duel:hand=4,seed=5", "Ann", "bot:1", animation="full", open_hand=True, delay=150) as (
        app,
        pilot,
    ):
        screen = table(app)
        while screen.session.turn is not None:
            plies = len(screen.session.plies)
            text = screen.session.game.format_move(rng.choice(screen.session.legal_moves()))
            await pilot.press(*text, "enter")
            assert len(screen.session.plies) > plies
            while (now := check(moment(app), app)) not in ("mine", "over"):
                seen.add(now)
                await pilot.pause(0.01)
            seen.add(now)
    assert {"mine", "over"} <= seen  # the others pass by themselves, perhaps unseen on a busy machine
