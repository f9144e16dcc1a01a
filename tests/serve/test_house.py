"""Visits, with small programs in the place of duelbox: silence, floods, and those who do not leave."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import NoReturn

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.serve import house as house_module
from duelbox.serve.house import House
from duelbox.serve.nursery import BYTE_ORDER, PROCESS_ID, Nursery

READS_NOTHING = "import time, tty; tty.setraw(0); print('here', flush=True); time.sleep(60)"
STAYS = "import signal, time; signal.signal(signal.SIGHUP, signal.SIG_IGN); print('here', flush=True); time.sleep(60)"
ECHOES = "import tty; tty.setraw(0)\nimport os\nprint('here', flush=True)\nwhile True: os.write(1, os.read(0, 1000))"
SHOUTS = "while True: print('x' * 1000)"
TELLS_ITS_SIZE = (
    "import os, signal, time\n"
    "def tell(*_): os.write(1, str(os.get_terminal_size()).encode())\n"  # print is not for signals that come amid it
    "signal.signal(signal.SIGWINCH, tell)\n"
    "tell()\n"
    "while True: time.sleep(1)"
)


class Small(Nursery):
    """Runs a small program for each visitor, and tells as much of it as of duelbox."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.started: list[subprocess.Popen[bytes]] = []

    def fork(self, environ: Mapping[str, str], memory: int, terminal: int, tell: int) -> None:
        command = [sys.executable, "-c", f"import os; os.login_tty(0)\n{self.program}"]
        process = subprocess.Popen(command, stdin=terminal, env=dict(environ), pass_fds=[tell])
        self.started.append(process)
        os.write(tell, process.pid.to_bytes(PROCESS_ID, BYTE_ORDER))

    def close(self) -> None:
        for process in self.started:
            process.kill()
            process.wait()


@pytest.fixture
async def houses(tmp_path: Path) -> AsyncIterator[object]:
    """Builds houses for a program, and closes them."""
    built: list[House] = []

    def build(program: str, idle: float = 0, visitors: int = 2) -> House:
        built.append(House(tmp_path, Small(program), visitors, idle, 512))
        return built[-1]

    yield build
    for one in built:
        await one.close()
        one._nursery.close()


class Shown:
    """What a visit sends."""

    def __init__(self) -> None:
        self.all = b""

    async def send(self, drawn: bytes) -> None:
        self.all += drawn

    async def see(self, text: bytes) -> None:
        async with asyncio.timeout(60):
            while text not in self.all:
                await asyncio.sleep(0.01)


async def test_silence_ends_a_visit_and_typing_puts_that_off(houses) -> None:
    house = houses(ECHOES, idle=1)
    visit, shown = await house.welcome("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here")
    patience = visit._patience
    assert patience
    first = patience.when()
    assert first
    await visit.type(b"still here")
    await shown.see(b"still here")
    last = patience.when()
    assert last
    assert first < last <= asyncio.get_running_loop().time() + 60
    patience.reschedule(asyncio.get_running_loop().time())  # the minute is over
    async with asyncio.timeout(60):
        assert "so duelbox has closed. Every game is kept." in await showing
    await house.farewell(visit)
    await house.welcome("b", {}, (80, 24))


async def test_who_does_not_leave_is_sent_away(houses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "_GRACE", 0.2)
    house = houses(STAYS)
    visit, shown = await house.welcome("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here")
    showing.cancel()
    await house.farewell(visit)
    assert house._nursery.started[0].wait(30) == -9


async def test_typing_waits_for_who_reads_nothing_and_ends_with_the_visit(houses) -> None:
    house = houses(READS_NOTHING)
    visit, shown = await house.welcome("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here")
    typing = asyncio.create_task(visit.type(b"x" * 1_000_000))
    await asyncio.sleep(0.3)
    assert not typing.done()
    typing.cancel()
    showing.cancel()
    await house.farewell(visit)


async def test_every_byte_arrives_in_order(houses) -> None:
    house = houses(ECHOES)
    visit, shown = await house.welcome("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here\n")
    data = bytes(range(256)) * 400
    await visit.type(data)
    await shown.see(data)
    showing.cancel()


async def test_who_draws_waits_for_who_looks(houses) -> None:
    house = houses(SHOUTS)
    visit = await house.welcome("a", {}, (80, 24))
    sent = 0

    async def send(drawn: bytes) -> None:
        nonlocal sent
        sent += len(drawn)
        await asyncio.Event().wait()  # nobody looks

    showing = asyncio.create_task(visit.show(send))
    async with asyncio.timeout(60):
        while not sent:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)
    assert sent <= 1 << 16
    showing.cancel()


async def test_sizes_arrive_and_those_of_no_screen_do_not(houses) -> None:
    house = houses(TELLS_ITS_SIZE)
    visit, shown = await house.welcome("a", {}, (90, 20)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"columns=90, lines=20")
    for width, height in ((0, 10), (-1, 5), (1_000_000, 10)):
        visit.resize(width, height)
    visit.resize(100, 30)
    await shown.see(b"columns=100, lines=30")
    assert shown.all.count(b"columns") == 2
    showing.cancel()


async def test_who_leaves_does_not_make_deaf_who_comes_in_the_same_moment(houses) -> None:
    house = houses(READS_NOTHING)
    visit, shown = await house.welcome("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here")
    loop, heard, number = asyncio.get_running_loop(), asyncio.Event(), visit._terminal
    ours, theirs = os.pipe()

    def come() -> None:
        os.dup2(ours, number)  # the number of the terminal that has just been taken away is the first that is free
        loop.add_reader(number, heard.set)

    loop.call_soon(come)
    showing.cancel()
    await house.farewell(visit)
    os.write(theirs, b"here, too")
    async with asyncio.timeout(60):
        await heard.wait()
    loop.remove_reader(number)
    for end in (number, ours, theirs):
        os.close(end)


@pytest.mark.parametrize("lacking", ["a nursery", "a terminal", "a pipe"])
async def test_what_a_visit_lacks_is_told_in_a_sentence_and_nothing_of_it_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    def lacks(*_: object) -> NoReturn:
        raise OSError(24, "Too many open files")

    nursery = Small("")
    owner, name = {"a nursery": (nursery, "fork"), "a terminal": (os, "openpty"), "a pipe": (os, "pipe")}[lacking]
    monkeypatch.setattr(owner, name, lacks)
    before = len(list(Path("/dev/fd").iterdir()))
    house = House(tmp_path, nursery, 1, 0, 512)
    for _ in range(3):
        with pytest.raises(DuelboxError, match="duelbox cannot be started here now: Too many open files"):
            await house.welcome("a", {}, (80, 24))
    assert len(list(Path("/dev/fd").iterdir())) == before


NO_ROOM = """
import asyncio, errno, os, sys
from pathlib import Path
from duelbox.core.errors import DuelboxError
from duelbox.serve import nursery
from duelbox.serve.house import House

fork, server, asked = os.fork, os.getpid(), []

def scarce():
    if os.getpid() != server and not asked:
        asked.append("once")
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return fork()

def play(environ, memory, terminal, tell):
    os.write(tell, os.getpid().to_bytes(nursery.PROCESS_ID, nursery.BYTE_ORDER))
    os._exit(0)

async def visit():
    house = House(Path(sys.argv[1]), nursery.Nursery(), 1, 0, 512)
    try:
        await house.welcome("a", {}, (80, 24))
    except DuelboxError as error:
        print(error.sentence)
    await house.farewell(await house.welcome("a", {}, (80, 24)))

os.fork, nursery._load, nursery._play = scarce, lambda: None, play
asyncio.run(visit())
"""


def test_a_visitor_for_whom_there_is_no_process_leaves_the_door_open_for_the_next(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", NO_ROOM, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "duelbox cannot be started here now: Resource temporarily unavailable.\n"


async def test_a_folder_that_cannot_be_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    house = House(tmp_path / "file", Small(""), 1, 0, 512)
    with pytest.raises(DuelboxError, match="There is no room for your games"):
        await house.welcome("a", {}, (80, 24))
