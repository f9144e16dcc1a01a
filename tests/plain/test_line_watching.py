"""`duelbox join --watch` as processes beside two players, at the host's relay and at `duelbox relay`, also killed."""

from __future__ import annotations

import asyncio
import re
from io import StringIO
from pathlib import Path

import pytest

from duelbox.cli import main
from duelbox.plain.console import Console
from duelbox.plain.line_watching import LineWatching
from tests.effort import sampled
from tests.plain.test_line_elsewhere import Program, at_one_table, play_on
from tests.table.elsewhere import two, until, watch

PLAY = "(Ann and Bob|Bob and Ann) play"


def watched(tmp_path: Path, programs: list[Program], code: str, *relay: str) -> tuple[Program, Program, str]:
    """Two players who have begun, and the command of watchers."""
    ann, bob, at, told = at_one_table(tmp_path, programs, code, "--watch", *relay)
    key = re.search(r"To watch, others type: duelbox join --watch (w\d+-[0-9a-z]{26})@\S+\n", told)[1]
    return ann, bob, f"{key}@{at}"


@pytest.mark.parametrize("own", [True, False][: sampled(1, 2)])
def test_two_watch_a_game_of_two_processes_to_its_end(tmp_path: Path, programs: list[Program], own: bool) -> None:
    relay: tuple[str, ...] = ()
    if not own:
        meeting = Program(tmp_path / "relay", "relay", "--listen", "127.0.0.1:0")
        programs.append(meeting)
        relay = ("--relay", meeting.wait_for(r"The relay is at (\S+)\. ")[1])
    ann, bob, key = watched(tmp_path, programs, "number-duel:hand=3", *relay)
    watchers = [Program(tmp_path / str(at), "watch", key, "--plain") for at in range(2)]
    programs += watchers
    for one in watchers:
        one.wait_for(PLAY)
    watchers[0].kill()
    watchers[0] = Program(tmp_path / "0", "watch", key, "--plain")
    programs.append(watchers[0])
    watchers[0].wait_for(PLAY)
    play_on({"Ann": ann, "Bob": bob}, "number-duel:hand=3")
    told = [re.search("The code of this game: (.*)\n", ann.told)]
    told += [one.wait_for("The code of this game: (.*)\n") for one in watchers]
    assert len({found[1] for found in told if found}) == 1
    for one in (ann, bob):
        one.type("")
        assert one.end() == 0
    for one in watchers:
        one.wait_for("Both have left|Not connected")


def test_a_watcher_who_types_a_move_is_told_that_they_only_watch(tmp_path: Path, programs: list[Program]) -> None:
    *_, key = watched(tmp_path, programs, "sequence-duel")
    watcher = Program(tmp_path / "eve", "watch", key, "--plain")
    programs.append(watcher)
    watcher.wait_for(PLAY)
    for typed, told in (("help", "You watch:"), ("5", "You only watch this match"), ("board", "1"), ("quit", "")):
        watcher.type(typed)
        watcher.wait_for(told)
    assert watcher.end() == 0


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("nonsense", "A key for watchers looks like w7843-"),
        ("7843-lagoon-honey-berry@127.0.0.1", "code of a player"),
        (f"w7843-{'0' * 26}", "Type their address behind the code"),
        (f"w7843-{'0' * 26}@127.0.0.1:9", "cannot be reached"),
    ],
)
def test_a_match_that_cannot_be_watched_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], key: str, told: str
) -> None:
    assert main(["watch", key, "--plain"]) == 2
    assert told in capsys.readouterr().err


async def test_a_watcher_stays_while_both_players_are_away_from_a_game_that_goes_on(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel", watched=True) as (ann, bob):
        watcher = await watch(ann.watch)
        told = StringIO()
        lines = LineWatching(Console(None, told), watcher)
        await until(lambda: watcher.ready, ann, bob)
        await asyncio.gather(ann.leave(), bob.leave())
        await until(lambda: watcher.presence == "Both are away.")
        lines.tell_presence()
        assert told.getvalue() == "Both are away.\n"
        await watcher.leave()
