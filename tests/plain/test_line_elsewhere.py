"""`duelbox host` and `duelbox join` as two processes in lines: played, killed and resumed."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from io import StringIO
from pathlib import Path
from queue import Empty, Queue
from socket import create_server
from threading import Event as Flag
from threading import Thread
from time import monotonic
from typing import Any

import pytest

from duelbox.cli import main
from duelbox.core.code import format_code
from duelbox.core.game import AnyGame
from duelbox.friends.messages import PHRASES
from duelbox.plain.console import Console
from duelbox.plain.line_elsewhere import LineElsewhere
from duelbox.registry import games
from duelbox.relay.address import PORT
from duelbox.solve import analyse, sentences, stream
from duelbox.solve.api import Analysis, Stop
from duelbox.store.store import Store
from duelbox.table.remote import RemoteTable
from tests.commands.test_relay import relay
from tests.effort import SHARE
from tests.table.elsewhere import two, until

PRESETS = [format_code(game, preset.options, ()) for game in games() for preset in game.PRESETS]
SAMPLE = PRESETS if SHARE == 1 else ["number-duel:hand=3"]
PATIENCE = 40.0


class Program:
    """A running duelbox, whose output is read in pieces."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "duelbox", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "DUELBOX_HOME": str(home)},
        )
        self.told = ""
        self.pieces: Queue[bytes] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        while piece := os.read(self.process.stdout.fileno(), 4096):
            self.pieces.put(piece)
        self.pieces.put(b"")

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait for output that matches; what comes before it is skipped."""
        while (found := re.search(pattern, self.told)) is None:
            try:
                piece = self.pieces.get(timeout=PATIENCE)
            except Empty:
                raise AssertionError(f"no {pattern!r} in:\n{self.told}") from None
            assert piece, f"it ended without {pattern!r}:\n{self.told}"
            self.told += piece.decode()
        self.told = self.told[found.end() :]
        return found

    def type(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def end(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()


def at_one_table(
    tmp_path: Path, programs: list[Program], code: str, *options: str
) -> tuple[Program, Program, str, str]:
    """Two players who have begun, their relay, and the lines that the host read."""
    ann = Program(tmp_path / "ann", "host", code, "--plain", "--name", "Ann", *options)
    programs.append(ann)
    told = ann.wait_for(r"(?s)^Code: .*Waiting for your friend\. Ctrl\+C ends it\.\n")[0]
    spoken = re.match(r"Code: (\d+-[a-z]+-[a-z]+-[a-z]+)\n", told)[1]
    at = re.search(rf"Your friend types: duelbox join {spoken}@(\S+)\n", told)[1]
    if "://" not in at:
        at = f"127.0.0.1{at[at.find(':') :] if ':' in at else ''}"
    bob = Program(tmp_path / "bob", "join", f"{spoken}@{at}", "--plain", "--name", "Bob")
    programs.append(bob)
    bob.wait_for("Ann invites you to .*\n")
    bob.wait_for("Type Enter to sit down, or no: ")
    bob.type("")
    ann.wait_for(BEGUN)
    asked_again = "sit down" in bob.wait_for(rf"(?s)(.*?){BEGUN}")[1]
    assert not asked_again or "--watch" in options, "it is asked once, and again below how many watch"
    return ann, bob, at, told


BEGUN = "Your opponent is (Ann|Bob)"
ENOUGH = 400
"""After this many answers they resign, as some games need not end."""
FINISH = "Press Enter to finish, or type rematch: "


def play_on(programs: dict[str, Program], code: str, most: int = 10_000) -> None:
    """Answer each question with random moves until one is allowed; to the end, or for a number of answers."""
    moves = moves_of(code.partition(":")[0])
    rng = random.Random(code)
    asked = dict(programs)
    for at in range(most):
        while True:
            name, program = rng.choice(list(asked.items()))
            if program.told.endswith(": "):
                break
            try:
                piece = program.pieces.get(timeout=0.05 if len(asked) > 1 else PATIENCE)
            except Empty:
                continue
            assert piece, program.told
            program.told += piece.decode()
        if program.told.endswith(FINISH):
            del asked[name]
            if not asked:
                return
        else:
            program.told = ""
            program.type(rng.choice(moves) if at < ENOUGH else "resign")


def moves_of(game_id: str) -> list[str]:
    if game_id == "number-duel" and SHARE > 1:
        return [f"{number}x{position}" for number in range(1, 4) for position in range(1, 4)]
    if game_id == "number-duel":
        return [f"{number}x{position}" for number in range(1, 8) for position in range(1, 8)] + ["21345", "312546"] * 9
    if game_id == "number-circle":
        return [f"{sign}{number}" for sign in "+-" for number in range(1, 10)]
    largest = 9 if SHARE > 1 else 99 if game_id == "digit-chain" else 60
    return list(map(str, range(1, largest + 1)))


def records(tmp_path: Path) -> list[str]:
    """The saved games of both players."""
    told = []
    for name in ("ann", "bob"):
        with Store.open(tmp_path / name) as store:
            told += [store.export(summary.id) for summary in store.history()]
    return told


@pytest.mark.parametrize("code", SAMPLE)
def test_two_processes_play_a_game_to_one_record(tmp_path: Path, programs: list[Program], code: str) -> None:
    ann, bob, *_ = at_one_table(tmp_path, programs, code)
    play_on({"Ann": ann, "Bob": bob}, code)
    ann.type("")
    bob.type("")
    assert bob.end() == 0
    assert ann.end() == 0
    one, two = records(tmp_path)
    assert one == two
    assert not list(tmp_path.glob("*/elsewhere.*"))


def test_both_may_be_killed_and_go_on_without_a_code(tmp_path: Path, programs: list[Program]) -> None:
    # another test could take the usual port while nobody uses it
    with ExitStack() as held:
        with suppress(OSError):
            held.enter_context(create_server(("", PORT)))
        ann, bob, *_ = at_one_table(tmp_path, programs, "sequence-duel:size=7")
    play_on({"Ann": ann, "Bob": bob}, "sequence-duel", 3)
    ann.kill()
    bob.wait_for("Not connected|Kept")  # the latter if his move was still on its way
    bob.kill()
    ann, bob = (Program(tmp_path / name, "join", "--plain") for name in ("ann", "bob"))
    programs += [ann, bob]
    for one in (ann, bob):
        one.wait_for(BEGUN)
    play_on({"Ann": ann, "Bob": bob}, "sequence-duel")
    ann.type("")
    bob.type("")
    assert ann.end() == bob.end() == 0
    one, two = records(tmp_path)
    assert one == two


def test_a_rematch_tells_of_its_own_rounds_only(tmp_path: Path, programs: list[Program]) -> None:
    ann, bob, *_ = at_one_table(tmp_path, programs, "sequence-duel", "--rounds", "2")
    both = {"Ann": ann, "Bob": bob}
    for last in (False, True):
        winners = []
        for number in (1, 2):
            (first,) = {one.wait_for("(Ann|Bob) will go first")[1] for one in both.values()}
            both[first].type("resign")
            winners.append("Bob" if first == "Ann" else "Ann")
            for one in both.values():
                one.wait_for(f"{first} resigned")
                if number == 1:
                    one.wait_for("Press Enter for round 2 of 2: ")
                    one.type("")
        for one in both.values():
            rounds = one.wait_for(rf"(?s)(.*){FINISH}")[1]
            assert re.findall(r"(?m)^(\d+) .* (Ann|Bob) +\d+$", rounds) == [("1", winners[0]), ("2", winners[1])]
        if not last:
            ann.type("rematch")
            bob.wait_for("Ann asks for a rematch.* Yes or no: ")
            bob.type("yes")


def test_through_a_relay_the_friend_is_told_where_it_is(tmp_path: Path, programs: list[Program]) -> None:
    meeting = Program(tmp_path / "relay", "relay", "--listen", "127.0.0.1:0")
    programs.append(meeting)
    relay = meeting.wait_for(r"The relay is at (\S+)\. ")[1]
    assert at_one_table(tmp_path, programs, "sequence-duel", "--relay", relay)[2] == relay


def test_leaving_says_how_to_go_on(tmp_path: Path, programs: list[Program]) -> None:
    ann, bob, *_ = at_one_table(tmp_path, programs, "sequence-duel")
    for one in (ann, bob):
        one.process.send_signal(signal.SIGINT)
        one.wait_for("The match waits. To go on with it: duelbox join --plain")
        assert one.process.wait(PATIENCE) == 130


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["join", "--plain"], "no match to go on with"),
        (["join", "7843-lagon-honey-berry", "--plain"], "'lagon' is not a word"),
        (["join", "7843-lagoon-honey-berry", "--plain"], "Type their address behind the code"),
        (["join", "7843-lagoon-honey-berry@127.0.0.1:9", "--plain"], "cannot be reached"),
        (["join", "7843-lagoon-honey-berry@a b", "--plain"], "is no address"),
        (["host", "no-such-game", "--plain"], "There is no game 'no-such-game'"),
        (["host", "number-duel:deal=31524-51234", "--plain"], "tells both hands"),
        (["host", "sequence-duel", "--plain", "--rounds", "100"], "A match has 1 to 99 rounds, not 100."),
        (["host", "sequence-duel", "--plain", "--name", "\x1b[2J"], "A name is printable text"),
        (["host", "sequence-duel", "--plain", "--relay", "non sense"], "is no address of a relay"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert main(arguments) == 2
    refused = capsys.readouterr().err
    assert told in refused
    assert refused.count("\n") == 1


@pytest.mark.parametrize("arguments", [["host", "sequence-duel"], ["join"]])
def test_without_plain_the_full_screen_is_opened(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments) == 2
    refused = capsys.readouterr().err
    assert f"duelbox {arguments[0]} " in refused
    assert "--plain" in refused


@pytest.mark.parametrize("arguments", [["host", "sequence-duel"], ["join", "7843-lagoon-honey-berry@1.2.3.4"]])
@pytest.mark.parametrize("missing", ["websockets", "cryptography"])
def test_what_to_install_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert main([*arguments, "--plain"]) == 2
    assert 'pip install "duelbox[net]"' in capsys.readouterr().err


def test_no_library_of_the_net_is_loaded_by_what_does_not_need_it() -> None:
    """Loading a table elsewhere, words and messages loads neither sockets nor ciphers."""
    code = "import sys, duelbox.friends.lobby, duelbox.plain.line_elsewhere; print(sorted(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not any(
        f"'{name}'" in told for name in ("websockets", "spake2", "cryptography", "zeroconf", "nats", "textual")
    )


async def test_a_yes_answers_the_offer_that_was_seen_and_no_later_one(tmp_path: Path) -> None:
    async with two(tmp_path, "number-circle") as (ann, bob):
        if not bob.my_turn:
            ann.play("+2")
            await until(lambda: bob.my_turn, ann, bob)
        told = StringIO()
        lines = LineElsewhere(Console(None, told), ann, "Ann")
        bob.propose("pause")
        await until(lambda: ann.offered is not None and bob.my_turn, ann, bob)
        lines.ask()
        bob.play("+2" if not ann.session.plies else "+9")
        await until(lambda: ann.my_turn, ann, bob)
        bob.propose("draw")
        await until(lambda: ann.offered is not None, ann, bob)
        lines.ask()
        await lines.take("yes")
        assert "That offer no longer stands." in told.getvalue()
        assert ann.offered is not None, "the draw was not agreed on"
        lines.ask()
        assert told.getvalue().endswith("Bob offers a draw. Yes or no: ")
        await lines.take("yes")
        await until(lambda: ann.over and bob.over, ann, bob)
        assert ann.session.by == bob.session.by == "agreement"


def test_a_win_needs_nobody_s_help(tmp_path: Path, programs: list[Program]) -> None:
    """The loser is killed before the winner's last move; the relay belongs to neither."""
    with relay("--file", str(tmp_path / "rooms.db")) as (_, address):
        win_alone(tmp_path, programs, address)


def win_alone(tmp_path: Path, programs: list[Program], address: str) -> None:
    ann, bob, *_ = at_one_table(tmp_path, programs, "sequence-duel:size=5/1.5", "--relay", address)
    players = {"ann": ann, "bob": bob}
    asked: list[str] = []
    deadline = monotonic() + PATIENCE
    while not asked:
        assert monotonic() < deadline
        for name, one in players.items():
            with suppress(Empty):
                one.told += one.pieces.get(timeout=0.05).decode()
            asked += [name] * one.told.endswith(": ")
    mover, loser = asked[0], "bob" if asked[0] == "ann" else "ann"
    players[loser].kill()
    players[mover].wait_for("away since")
    players[mover].type("3")
    players[mover].wait_for(re.escape(FINISH))
    players[mover].type("")
    assert players[mover].end() == 0
    with Store.open(tmp_path / mover) as store:
        (summary,) = store.history()
        assert f'"winner": {1 if mover == "ann" else 2}' in store.export(summary.id)


class Typing(StringIO):
    """A keyboard on which lines are typed."""

    def __init__(self) -> None:
        super().__init__()
        self.typed: Queue[str] = Queue()

    def isatty(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> str:
        return self.typed.get()


@asynccontextmanager
async def in_lines(table: RemoteTable) -> AsyncIterator[tuple[Callable[[str], None], StringIO]]:
    """A match elsewhere in lines, in this process; gives a function that types, and the output."""
    keyboard, told = Typing(), StringIO()
    playing = asyncio.create_task(LineElsewhere(Console(keyboard, told), table, "").play())
    try:
        yield lambda line: keyboard.typed.put(f"{line}\n"), told
    finally:
        keyboard.typed.put("quit\n")
        async with asyncio.timeout(PATIENCE):
            await playing


async def test_four_words_can_be_compared_and_a_friend_s_phrases_muted(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel") as (ann, bob):
        async with in_lines(ann) as (type_line, told):
            type_line("verify")
            await until(lambda: bob.side.verifier in told.getvalue())
            type_line("mute")
            await until(lambda: "are not shown." in told.getvalue())
            bob.say(0)
            await until(lambda: not bob.side.outgoing() and ann.side.since == bob.side.since, bob)
            await until(lambda: not ann.side.news)  # the phrase is read and left out
            type_line("mute")
            await until(lambda: "are shown again." in told.getvalue())
            bob.say(1)
            await until(lambda: "Good luck!" in told.getvalue(), bob)
        assert "Hello!" not in told.getvalue()


@pytest.mark.parametrize("word", ["hint", "verdict"])
async def test_help_out_of_turn_is_refused_before_anything_is_recorded(tmp_path: Path, word: str) -> None:
    async with two(tmp_path, "sequence-duel", lesson=True) as (ann, bob):
        waits = bob if ann.my_turn else ann
        async with in_lines(waits) as (type_line, told):
            type_line(word)
            await until(lambda: "Ask at your turn.\n" in told.getvalue())
        assert not waits.assisted
        assert not waits.side.ledger.course.helped


async def test_hints_elsewhere_come_in_three_steps(tmp_path: Path) -> None:
    async with two(tmp_path, "sequence-duel/10.13", lesson=True) as (ann, bob):
        moves = ann if ann.my_turn else bob
        found = analyse(moves.game, moves.session.view(moves.seat))
        async with in_lines(moves) as (type_line, told):
            for step in (1, 2, 3):
                hint = moves.session.named(sentences.hint(found, step))
                assert hint not in told.getvalue()
                type_line("hint")
                await until(lambda hint=hint: f"{hint}\n" in told.getvalue())
        assert moves.side.ledger.course.helped


async def test_news_come_while_a_hint_is_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long search does not block the friend's messages."""
    known, really_stream = Flag(), stream

    def slow_stream(game: AnyGame, view: Any, stop: Stop) -> Iterator[Analysis]:
        while not known.wait(0.01):
            stop.check()
        yield from really_stream(game, view, stop)

    monkeypatch.setattr("duelbox.solve.stream", slow_stream)
    async with two(tmp_path, "sequence-duel:size=20/1", lesson=True) as (ann, bob):
        moves, friend = (ann, bob) if ann.my_turn else (bob, ann)
        async with in_lines(moves) as (type_line, told):
            type_line("hint")
            await until(lambda: "Working it out" in told.getvalue())
            friend.say(0)
            await until(lambda: PHRASES[0] in told.getvalue())
            friend.propose("pause")
            await until(lambda: "asks to go on another time. Yes or no" in told.getvalue())
            type_line("no")
            await until(lambda: not friend.side.ledger.offers)
            await until(lambda: "You said no." in told.getvalue())
            assert told.getvalue().count("asks to go on another time") == 1
            assert "Hint 1" not in told.getvalue()
            known.set()
            await until(lambda: "Hint 1" in told.getvalue())
