"""Programs at the table: they move, say things, are undone and left, and a fault of theirs ends the game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from duelbox.bots import program
from duelbox.bots.program import Program
from duelbox.relay.address import ONLY_RELAY
from duelbox.ui.widgets.form import Form
from tests.bots.programs import FIRST, HOSTILE, READY, alive, all_end, command
from tests.effort import sampled
from tests.ui.conftest import Started
from tests.ui.person import TIME_LIMIT, Keys, place_of, rows_of, table, text_of, until

SLOW = FIRST.replace('print("move"', 'sys.exit(sys.stdin.readline()); print("move"')
"""Says how many moves there are, and plays none."""


def program_at(app: Any) -> Program:
    """The program of the second player."""
    found = table(app).table.programs.of(1)
    assert found is not None
    return found


def answered(app: Any) -> Callable[[], bool]:
    """True once the program has moved, or lost."""
    return lambda: table(app).session.turn in (None, 0) and bool(table(app).session.plies)


async def ended(player: Program) -> None:
    """Wait until nothing of a program runs any more."""
    async with asyncio.timeout(TIME_LIMIT):
        while alive(player):
            await asyncio.sleep(0.01)


async def test_a_program_moves_and_says_what_it_thought(started: Started, tmp_path: Path) -> None:
    async with started("circle-duel", p2=f"run:{command(tmp_path, FIRST)}") as (app, pilot):
        assert "program · program" in text_of(app)
        await pilot.press("4", "enter")
        await until(pilot, answered(app))
        assert table(app).session.code() == "circle-duel/4.3"
        await until(pilot, lambda: "program: “2 moves”" in text_of(app))
        assert " of 10 s" in text_of(app)
        await pilot.press("w")
        assert "program: 2 moves" in text_of(app)
        player = program_at(app)
        assert alive(player)
    await ended(player)


async def test_its_words_are_ascii_where_the_screen_is(started: Started, tmp_path: Path) -> None:
    long = FIRST.replace('"moves"', '"moves" * 40')
    async with started("circle-duel", p2=f"run:{command(tmp_path, long)}", ascii=True) as (app, pilot):
        await pilot.press("4", "enter")
        await until(pilot, lambda: 'program: "2 moves' in text_of(app))
        row = rows_of(app)[place_of(app, 'program: "')[1]]
        assert row.isascii()
        assert '~"   0.' in row
        assert row.endswith(" of 10 s")


async def test_its_words_wait_for_the_end_where_hands_are_hidden(started: Started, tmp_path: Path) -> None:
    code = "number-duel:deal=31524-42513"
    async with started(code, p2=f"run:{command(tmp_path, FIRST)}") as (app, pilot):
        await pilot.press(*"1x5", "enter")
        await until(pilot, answered(app))
        await until(pilot, lambda: "program: 0." in text_of(app))
        assert " moves" not in text_of(app)
        await pilot.press("w")
        assert "shown after the game" in text_of(app)
        await pilot.press("escape", "g", "g")
        await until(pilot, lambda: "program wins" in text_of(app))
        await pilot.press("w")
        assert "program: 20 moves" in text_of(app)


@pytest.mark.parametrize("way", ["u", "escape", "ctrl+q"])
async def test_undoing_or_leaving_while_it_thinks_leaves_no_process(started: Started, tmp_path: Path, way: str) -> None:
    async with started("circle-duel", p2=f"run:{command(tmp_path, SLOW)}") as (app, pilot):
        await pilot.press("4", "enter")
        player = program_at(app)
        await until(pilot, lambda: player.info)
        assert alive(player)
        await pilot.press(way)
    await ended(player)


async def test_a_fault_ends_the_game_with_a_sentence_and_its_last_words(started: Started, tmp_path: Path) -> None:
    source = f"{READY}print('info I see it all.'); print('move 99', flush=True); time.sleep(60)"
    async with started("circle-duel", p2=f"run:{command(tmp_path, source)}") as (app, pilot):
        await pilot.press("4", "enter")
        await until(pilot, answered(app))
        await until(pilot, lambda: "You win" in text_of(app))
        text = text_of(app)
        assert "program played '99', which is not legal here." in text
        assert "program: “I see it all.”" in text
        assert app.store.latest_played() == ()
        assert all_end(program_at(app))


async def test_its_errors_are_kept_in_a_file(started: Started, tmp_path: Path) -> None:
    async with started("circle-duel", p2=f"run:{command(tmp_path, READY + '1/0')}") as (app, pilot):
        await pilot.press("4", "enter")
        await until(pilot, lambda: "You win" in text_of(app))
        assert "ended by itself, with status 1." in text_of(app)
        assert "Its error output ends: ZeroDivisionError: division by zero" in text_of(app)
        await pilot.press("w")
        assert "has made no move yet" in text_of(app)
        (kept,) = (tmp_path / "home").glob("program.*")
        assert "ZeroDivisionError" in kept.read_text()


async def test_it_is_told_how_the_game_ended(started: Started, tmp_path: Path) -> None:
    note = tmp_path / "note"
    source = FIRST + f"    elif word == 'over':\n        open({str(note)!r}, 'w').write(line)\n"
    async with started("circle-duel:size=4/1", p2="Bo", p1=f"run:{command(tmp_path, source)}") as (app, pilot):
        await pilot.press("2", "enter")
        await until(pilot, lambda: "Your move" in text_of(app) and table(app).session.turn == 1)
        await pilot.press("4", "enter")
        assert table(app).session.turn is None
        await until(pilot, lambda: note.exists() and note.read_text())
        assert note.read_text() == "over loss\n"


async def test_the_form_offers_the_programs_of_the_settings(started: Started, tmp_path: Path) -> None:
    programs = {"greedy": command(tmp_path, FIRST), "other": "./other"}
    async with started(programs=programs) as (app, pilot):
        person = Keys(pilot)
        await pilot.press("n")
        await person.change("Opponent")
        assert "program" in rows_of(app)[place_of(app, "Opponent")[1]]
        assert "‹greedy› other" in rows_of(app)[place_of(app, "  Program ")[1]]
        await person.do("Start")
        assert "greedy · program" in text_of(app)
        assert program_at(app).command == programs["greedy"]
        assert "greedy" not in str(app.settings.last)
        await pilot.press("n")
        assert person.app.screen.query_one(Form).rows[3].value == "program"


async def test_visitors_of_a_server_are_offered_no_program(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ONLY_RELAY, "")
    async with started(programs={"greedy": "./greedy"}) as (app, pilot):
        await pilot.press("n")
        assert "program" not in text_of(app)


TWELVE = (
    "mute",
    "floods",
    "half a line",
    "an endless line",
    "exits",
    "answers before it is asked",
    "escape sequences",
    "forks a child that lives on",
    "ignores SIGTERM",
    "the wrong protocol",
    "not there",
    "not executable",
)
PLAYING = TWELVE[: sampled(4, 12) : sampled(3, 1)]
"""The hostile programs that play: two of them, or all with `--long`."""
TIME = 0.6
"""Seconds for a greeting or a move, in the tests with hostile programs."""
BUSY = 0.6
"""Seconds for a start of Python, a save and a drawn screen, which are not the program's time."""
AFTER = 1.0
"""The most seconds after its time until a hostile program has lost and is gone."""


def hostile_command(folder: Path, hostile: str) -> tuple[str, str]:
    """The command of a hostile program, and the sentence that ends its game."""
    if hostile == "not there":
        return "./nowhere", "nowhere cannot be started: No such file or directory."
    if hostile == "not executable":
        return "/etc/passwd", "passwd cannot be started: Permission denied."
    source, sentence = HOSTILE[hostile]
    return command(folder, source), sentence


@pytest.mark.parametrize("hostile", PLAYING)
async def test_a_hostile_program_loses_in_its_time_and_leaves_nothing(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hostile: str
) -> None:
    monkeypatch.setattr(program, "START", TIME)
    asked, sentence = hostile_command(tmp_path, hostile)
    for _ in range(sampled(1, 20)):
        async with started("circle-duel", p2=f"run:{asked}") as (app, pilot):
            player = program_at(app)
            player.seconds = TIME
            begun = monotonic()
            await pilot.press("4", "enter")
            await until(pilot, lambda app=app: table(app).session.turn is None)
            assert monotonic() - begun < 2 * TIME + AFTER + BUSY
            await until(pilot, lambda app=app: "You win" in text_of(app))
            assert re.search(sentence, " ".join(text_of(app).split()))
            assert all_end(player)


async def test_nothing_is_said_of_the_ladder_and_levels_after_a_win_over_a_program(started: Started) -> None:
    async with started("circle-duel:size=4/1.2.3", p1="run:./nowhere", p2="Bo") as (app, pilot):
        table(app).table.assisted = True
        await pilot.press("4", "enter")
        await until(pilot, lambda: "You win" in text_of(app))
        said = " ".join(text_of(app).split())
        assert "the ladder" not in said
        assert "l Level" not in said
        assert "u Undo" in said


async def test_a_match_of_a_program_that_is_not_named_cannot_go_on(started: Started, tmp_path: Path) -> None:
    async with started("circle-duel", p2=f"run:{command(tmp_path, FIRST)}") as (app, pilot):
        await pilot.press("4", "enter")
        await until(pilot, answered(app))
    async with started() as (app, pilot):
        await until(pilot, lambda: "you to move · program" in text_of(app))
        await pilot.press("c")
        told = "program is a program: name it in [programs] of the settings to go on."
        await until(pilot, lambda: told in [toast.message for toast in app._notifications])
