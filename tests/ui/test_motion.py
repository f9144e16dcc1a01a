"""Motion: the frames of a move, their time, and that a key ends them."""

from __future__ import annotations

from typing import Any

import pytest
from textual.geometry import Region

from duelbox.bots.api import Choice
from duelbox.table.state import TableState
from duelbox.ui import motion
from duelbox.ui.screens.handover import HandoverScreen
from duelbox.ui.widgets.board import Drawing
from duelbox.ui.widgets.canvas import Canvas
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import click_at, table, text_of, until
from tests.ui.test_secrets import WORLDS

HANDS = "number-duel:deal=31524-42513"
LINE = "sequence-duel/10.13.7.16"


def canvas(*rows: str) -> Canvas:
    made = Canvas(len(rows[0]), len(rows))
    for y, row in enumerate(rows):
        made.put(0, y, row, "text")
    return made


# -- frames


def test_a_number_fills_from_the_lower_edge_and_nothing_else_moves() -> None:
    before, after = canvas(*["aaaa"] * 5), canvas(*["bbbb"] * 5)
    frames = motion.filled(before, Drawing(after), [Region(0, 0, 1, 4), Region(1, 0, 1, 4)])
    assert [frame.canvas.dump().split() for frame in frames] == [
        ["aabb", "aabb", "aabb", "bbbb", "bbbb"],
        ["aabb", "aabb", "bbbb", "bbbb", "bbbb"],
        ["aabb", "bbbb", "bbbb", "bbbb", "bbbb"],
    ]
    # The window has another size meanwhile.
    assert not [*motion.filled(before, Drawing(canvas("b")), [Region(0, 0, 1, 1)])], (
        "the window has another size by now"
    )
    assert not [*motion.filled(before, Drawing(after), [])]


def test_only_what_changes_is_drawn_again() -> None:
    row = "a" * 30
    one, other = canvas(row, row, row), canvas(row, "abab" + row[4:], "b" + row[1:29] + "b")
    assert one.changes(other) == [Region(1, 1, 3, 1), Region(0, 2, 1, 1), Region(29, 2, 1, 1)]
    assert one.changes(one) == []
    other = canvas(row, row, row)
    other.tint(Region(4, 2, 1, 1), "legal")
    assert one.changes(other) == [Region(4, 2, 1, 1)]
    assert canvas("a数b").changes(canvas("ab b")) == [Region(1, 0, 2, 1)]


def test_a_number_in_the_way_blinks_twice() -> None:
    marked, plain = canvas("!"), canvas(" ")
    assert [frame.canvas for frame in motion.blinked(marked, plain)] == [marked, plain, marked, plain]


def test_no_motion_but_a_reveal_takes_longer_than_a_glance() -> None:
    blank = canvas(" ")
    assert sum(frame.seconds for frame in motion.filled(blank, Drawing(blank), [Region(0, 0, 1, 1)])) < 0.2
    assert sum(frame.seconds for frame in motion.blinked(blank, blank)) < 0.4
    assert motion.TURN + motion.MEET < 0.2
    assert motion.RESULT >= 0.7


# -- at the table


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the timers of motion, so that the test steps through the frames."""
    for name in ("TURN", "MEET", "RESULT", "FILL", "BLINK"):
        monkeypatch.setattr(motion, name, 1000.0)


async def after(pilot: Any, frames: int) -> str:
    """The screen after so many more frames."""
    for _ in range(frames):
        table(pilot.app).board._next_frame()
    await pilot.pause()
    return text_of(pilot.app)


@pytest.mark.usefixtures("endless")
async def test_a_reveal_can_be_followed(started: Started) -> None:
    async with started(HANDS, "Ann", "Bo", animation="full") as (_, pilot):
        await pilot.press(*"5x2", "enter")
        first, second, third, last = [await after(pilot, at > 0) for at in range(4)]
        assert "● Ann attacks x2 with 5." in first
        assert "◆  ▄▄▄" not in first
        assert "● Ann's 5 meets Bo's 2." in second
        assert "gone" not in first + second, "nor is the end told before it is to be seen"
        assert "● Ann's 5 beats Bo's 2 and is spent." in third
        assert " gone ┄╯" in third
        assert " spent ▘" in third
        assert "lost 2" not in third
        assert "● Ann's 5 beats Bo's 2 and is spent." in last
        assert "lost 2" in last


@pytest.mark.usefixtures("endless")
async def test_a_reveal_looks_alike_wherever_the_attacker_stood(started: Started) -> None:
    seen = []
    for code in WORLDS:
        async with started(code, "Ann", "Bo", animation="full") as (_, pilot):
            await pilot.press(*"3x2", "enter")
            seen.append([await after(pilot, at > 0) for at in range(4)])
    assert seen[0] == seen[1]
    assert len(set(seen[0])) == 4


@pytest.mark.usefixtures("endless")
async def test_a_claim_fills_in(started: Started) -> None:
    async with started(LINE, animation="full") as (app, pilot):
        await pilot.press("1", "enter")
        board = table(app).board
        first, last, region = board.seen, board.drawing().canvas, board.regions()["1"]
        assert first.dump() != last.dump()
        assert first.patched(last, [region]).dump() == last.dump(), "only the claim itself moves"
        seen = [await after(pilot, at > 0) for at in range(motion.PARTS)]
        assert len(set(seen)) == motion.PARTS
        assert board.motion_left == 0


@pytest.mark.usefixtures("endless")
async def test_the_number_in_the_way_flashes_and_stays_marked_until_the_next_key(started: Started) -> None:
    async with started(LINE, animation="full") as (app, pilot):
        await pilot.press("1", "2", "enter")
        seen = ["!" in await after(pilot, at > 0) for at in range(5)]
        assert seen == [True, False, True, False, True]
        await pilot.press("backspace")
        assert "!" not in table(app).board.seen.dump()


@pytest.mark.parametrize("keys", ["5x2", "12", "1"], ids=["reveal", "refusal", "claim"])
async def test_all_motion_ends_by_itself(started: Started, keys: str) -> None:
    async with started(HANDS if "x" in keys else LINE, animation="basic") as (app, pilot):
        await pilot.press(*keys, "enter")
        board = table(app).board
        await until(pilot, lambda: board.motion_left == 0)
        assert board.seen is board.drawing().canvas


async def test_less_motion_is_quicker(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion, "TURN", 1000.0 - motion.MEET - motion.RESULT)
    delays = []
    for animation in ("none", "basic", "full"):
        async with started(HANDS, animation=animation) as (app, pilot):
            await pilot.press(*"5x2", "enter")
            delays.append(table(app).board.motion_left)
    assert delays == pytest.approx([0, 500, 1000])


# -- keys end motion


@pytest.mark.usefixtures("endless")
async def test_a_key_goes_on_at_once(started: Started) -> None:
    async with started(LINE, animation="full") as (app, pilot):
        await pilot.press("1", "enter")
        assert table(app).board.motion_left > 0
        await pilot.press("2")
        assert table(app).board.motion_left == 0
        await pilot.press("0", "enter", "3", "enter")
        assert table(app).session.code() == f"{LINE}.1.20.3"


@pytest.mark.usefixtures("endless")
async def test_a_click_hits_what_is_there(started: Started) -> None:
    async with started(LINE, animation="full") as (app, pilot):
        await pilot.press("1", "enter")
        board = table(app).board
        assert board.motion_left > 0
        spot = board.region.offset + board.offset_of("20")
        await click_at(pilot, *spot)
        assert board.motion_left == 0
        await click_at(pilot, *spot)
        assert table(app).session.code() == f"{LINE}.1.20"


@pytest.mark.usefixtures("endless")
async def test_the_handover_comes_at_once(started: Started) -> None:
    async with started(HANDS, "Ann", "Bo", animation="full") as (app, pilot):
        await pilot.press("space", *"5x2", "enter")
        screen = table(app)
        assert screen.board.motion_left > 0
        await pilot.press("enter")
        assert isinstance(app.screen, HandoverScreen)
        assert screen.board.motion_left == 0


@pytest.mark.usefixtures("endless")
async def test_another_size_shows_what_is_true(started: Started) -> None:
    async with started(HANDS, "Ann", "Bo", animation="full") as (app, pilot):
        await pilot.press(*"5x2", "enter")
        assert "attacks x2" in text_of(app)
        await pilot.resize_terminal(60, 20)
        assert "attacks x2" not in text_of(app)
        assert "lost 2" in text_of(app)


async def test_the_computer_waits_until_its_rival_has_seen(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.bots.choose", lambda game, view, *_, **__: Choice("1x1", "Why not."))
    app = make_app(HANDS, "Ann", "bot:1", animation="full", delay=0)
    delays = []
    async with app.run_test(size=(80, 24)) as pilot:
        thinking = table(app).thinking
        set_to_work = thinking.set_to_work

        def work(state: TableState, delay: int) -> None:
            delays.extend([delay] * state.table.computer_to_move)
            set_to_work(state, delay)

        monkeypatch.setattr(thinking, "set_to_work", work)
        await pilot.press(*"5x2", "enter")
        await until(pilot, lambda: len(table(app).session.plies) == 2)
    assert delays[0] == round(1000 * (motion.TURN + motion.MEET + motion.RESULT))


@pytest.mark.usefixtures("endless")
async def test_the_track_lights_up_from_the_number_outwards(started: Started) -> None:
    async with started("circle-duel:size=15,reach=3,trails=own,seed=8/4.12", animation="full") as (app, pilot):
        await pilot.press("6", "enter")
        board, lit = table(app).board, []
        final = board.drawing().canvas
        track = {point for point, _ in board.drawing().track}
        for _ in range(motion.PARTS):
            dark = {(x, region.y) for region in board.seen.changes(final) for x in range(region.x, region.right)}
            lit.append(track - dark)
            board._next_frame() if board.motion_left else None
        after = [one - lit[0] for one in lit]
        assert [len(one) for one in after] == sorted(len(one) for one in after)
        assert 0 == len(after[0]) < len(after[1]) <= len(after[2])
        assert board.seen is board.drawing().canvas
