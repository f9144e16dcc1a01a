"""Visits with small programs instead of duelbox: silence, floods, and programs that do not end."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NoReturn

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.serve import visitors as visitors_module
from duelbox.serve.prefork import BYTE_ORDER, PROCESS_ID, Prefork, Start
from duelbox.serve.visitors import PASTE, Visitors
from duelbox.store.store import Store

READS_NOTHING = "import time, tty; tty.setraw(0); print('here', flush=True); time.sleep(60)"
STAYS = "import signal, time; signal.signal(signal.SIGHUP, signal.SIG_IGN); print('here', flush=True); time.sleep(60)"
ECHOES = "import tty; tty.setraw(0)\nimport os\nprint('here', flush=True)\nwhile True: os.write(1, os.read(0, 1000))"
SHOUTS = "while True: print('x' * 1000)"
GROWS = """
import os, time
print("here", flush=True)
path, said = os.environ["HOME"] + "/grows", ["full", "room", "full again"]
while said:
    try:
        with open(path, "ab") as file:
            file.write(b"x" * 4096)
        wrote = True
    except OSError:
        wrote = False
    if wrote == (said[0] == "room"):
        print(said.pop(0), flush=True)
    time.sleep(0.01)
time.sleep(60)
"""
TELLS_ITS_SIZE = (
    "import os, signal, time\n"
    "def tell(*_): os.write(1, str(os.get_terminal_size()).encode())\n"  # print is not safe in a signal handler
    "signal.signal(signal.SIGWINCH, tell)\n"
    "tell()\n"
    "while True: time.sleep(1)"
)


class Small(Prefork):
    """Runs a small program for each visitor and reports on it as `Prefork` does."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.started: list[subprocess.Popen[bytes]] = []

    def fork(self, start: Start, terminal: int, tell: int) -> None:
        command = [sys.executable, "-c", f"import os; os.login_tty(0)\n{self.program}"]
        process = subprocess.Popen(command, stdin=terminal, env=dict(start.environ), pass_fds=[tell])
        self.started.append(process)
        os.write(tell, process.pid.to_bytes(PROCESS_ID, BYTE_ORDER))

    def close(self) -> None:
        for process in self.started:
            process.kill()
            process.wait()


@pytest.fixture
async def visitors_of(tmp_path: Path) -> AsyncIterator[object]:
    """Builds the visitors of a small program, and ends their visits."""
    built: list[Visitors] = []

    def build(program: str, idle: float = 0, visitors: int = 2, **limits: int) -> Visitors:
        built.append(Visitors(tmp_path, Small(program), visitors, idle, 512, **limits))  # type: ignore[arg-type]
        return built[-1]

    yield build
    for one in built:
        await one.close()
        one._prefork.close()


class Shown:
    """The output of a visit."""

    def __init__(self) -> None:
        self.all = b""

    async def send(self, drawn: bytes) -> None:
        self.all += drawn

    async def see(self, text: bytes) -> None:
        async with asyncio.timeout(60):
            while text not in self.all:
                await asyncio.sleep(0.01)


async def test_silence_ends_a_visit_and_typing_puts_that_off(visitors_of) -> None:
    visitors = visitors_of(ECHOES, idle=1)
    visit, shown = await visitors.start_visit("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here")
    patience = visit._patience
    assert patience
    first = patience.when()
    assert first
    visit.type(b"still here")
    await shown.see(b"still here")
    last = patience.when()
    assert last
    assert first < last <= asyncio.get_running_loop().time() + 60
    patience.reschedule(asyncio.get_running_loop().time())  # the minute is over
    async with asyncio.timeout(60):
        assert "Every game is kept." in await showing
    await visitors.end_visit(visit)
    await visitors.start_visit("b", {}, (80, 24))


async def test_who_does_not_leave_is_sent_away(visitors_of, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors_module, "_GRACE", 0.2)
    visitors = visitors_of(STAYS)
    visit, shown = await visitors.start_visit("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here")
    showing.cancel()
    await visitors.end_visit(visit)
    assert visitors._prefork.started[0].wait(30) == -9


async def test_who_reads_nothing_holds_nobody_up(visitors_of) -> None:
    visitors = visitors_of(READS_NOTHING)
    visit, shown = await visitors.start_visit("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here")
    for _ in range(100):
        visit.type(b"x" * PASTE)
    assert len(visit._typed) <= PASTE
    showing.cancel()
    await visitors.end_visit(visit)
    assert visitors._prefork.started[0].wait(30) < 0  # by a signal, not at its own end


@pytest.mark.parametrize(("longer", "arrives"), [(0, True), (1, False)])
async def test_a_paste_has_a_longest_size(visitors_of, longer: int, arrives: bool) -> None:
    visitors = visitors_of(ECHOES)
    visit, shown = await visitors.start_visit("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here\n")
    visit.type(b"x" * (PASTE + longer))
    if not arrives:
        visit.type(b"y")
    await shown.see(b"x" * PASTE if arrives else b"y")
    assert shown.all.count(b"x") == PASTE * arrives
    showing.cancel()


async def test_who_types_without_end_is_heard_at_the_pace_of_a_fast_typist(visitors_of, monkeypatch) -> None:
    now = 0.0
    monkeypatch.setattr("duelbox.relay.limits.monotonic", lambda: now)
    visitors = visitors_of(ECHOES)
    visit, shown = await visitors.start_visit("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here\n")
    for _ in range(5 << 10):  # 5 MB at once
        visit.type(b"x" * 1024)
        await asyncio.sleep(0)
    await shown.see(b"x" * PASTE)
    now += 2
    for _ in range(5 << 10):
        visit.type(b"x" * 1024)
        await asyncio.sleep(0)
    await shown.see(b"x" * (PASTE + (8 << 10)))
    visit.type(b"y")  # no allowance is left
    now += 1
    visit.type(b"z")
    await shown.see(b"z")
    assert shown.all.count(b"x") == PASTE + (8 << 10)
    assert b"y" not in shown.all
    showing.cancel()


async def test_every_byte_arrives_in_order(visitors_of) -> None:
    visitors = visitors_of(ECHOES)
    visit, shown = await visitors.start_visit("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here\n")
    data = bytes(range(256)) * 256
    visit.type(data)
    await shown.see(data)
    showing.cancel()


async def test_who_draws_waits_for_who_looks(visitors_of) -> None:
    visitors = visitors_of(SHOUTS)
    visit = await visitors.start_visit("a", {}, (80, 24))
    sent = 0

    async def send(drawn: bytes) -> None:
        nonlocal sent
        sent += len(drawn)
        await asyncio.Event().wait()  # nobody reads

    showing = asyncio.create_task(visit.show(send))
    async with asyncio.timeout(60):
        while not sent:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)
    assert sent <= 1 << 16
    showing.cancel()


async def test_sizes_arrive_and_those_of_no_screen_do_not(visitors_of) -> None:
    visitors = visitors_of(TELLS_ITS_SIZE)
    visit, shown = await visitors.start_visit("a", {}, (90, 20)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"columns=90, lines=20")
    for width, height in ((0, 10), (-1, 5), (1_000_000, 10)):
        visit.resize(width, height)
    visit.resize(100, 30)
    await shown.see(b"columns=100, lines=30")
    assert shown.all.count(b"columns") == 2
    showing.cancel()


async def test_who_leaves_does_not_make_deaf_who_comes_in_the_same_moment(visitors_of) -> None:
    visitors = visitors_of(READS_NOTHING)
    visit, shown = await visitors.start_visit("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    await shown.see(b"here")
    loop, heard, number = asyncio.get_running_loop(), asyncio.Event(), visit._terminal
    ours, theirs = os.pipe()

    def come() -> None:
        os.dup2(ours, number)  # the number of the closed terminal is the first free one
        loop.add_reader(number, heard.set)

    showing.cancel()
    leaving = asyncio.create_task(visitors.end_visit(visit))
    while visit._terminal >= 0:
        await asyncio.sleep(0)
    come()
    await leaving
    os.write(theirs, b"here, too")
    async with asyncio.timeout(60):
        await heard.wait()
    loop.remove_reader(number)
    for end in (number, ours, theirs):
        os.close(end)


@pytest.mark.parametrize("lacking", ["a fork", "a terminal", "a pipe"])
async def test_what_a_visit_lacks_is_told_in_a_sentence_and_nothing_of_it_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    def lacks(*_: object) -> NoReturn:
        raise OSError(24, "Too many open files")

    prefork = Small("")
    owner, name = {"a fork": (prefork, "fork"), "a terminal": (os, "openpty"), "a pipe": (os, "pipe")}[lacking]
    monkeypatch.setattr(owner, name, lacks)
    before = len(list(Path("/dev/fd").iterdir()))
    visitors = Visitors(tmp_path, prefork, 1, 0, 512)
    for _ in range(3):
        with pytest.raises(DuelboxError, match="started here now: Too many"):
            await visitors.start_visit("a", {}, (80, 24))
    assert len(list(Path("/dev/fd").iterdir())) == before


NO_ROOM = """
import asyncio, errno, os, socket, sys
from pathlib import Path
from duelbox.core.errors import DuelboxError
from duelbox.serve import prefork
from duelbox.serve.visitors import PASTE, Visitors

fork, server, asked = os.fork, os.getpid(), []

def scarce():
    if os.getpid() != server and not asked:
        asked.append("once")
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return fork()

class Forked(prefork.Prefork):
    def __init__(self):
        self._line, theirs = socket.socketpair()
        if fork() == 0:
            self._line.close()
            prefork.fork_visitors(theirs.detach())
            os._exit(0)
        theirs.close()

def play(start, terminal, tell):
    os.write(tell, os.getpid().to_bytes(prefork.PROCESS_ID, prefork.BYTE_ORDER))
    os._exit(0)

async def visit():
    visitors = Visitors(Path(sys.argv[1]), Forked(), 1, 0, 512)
    try:
        await visitors.start_visit("a", {}, (80, 24))
    except DuelboxError as error:
        print(error.sentence)
    await visitors.end_visit(await visitors.start_visit("a", {}, (80, 24)))

os.fork, prefork._load, prefork._play = scarce, lambda: None, play
asyncio.run(visit())
"""


def test_a_visitor_for_whom_there_is_no_process_leaves_the_door_open_for_the_next(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", NO_ROOM, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(": Resource temporarily unavailable.\n")


# -- limits


async def test_a_cookie_has_two_places_and_an_address_its_own(visitors_of) -> None:
    visitors = visitors_of(READS_NOTHING, visitors=6, an_address=3)
    first = await visitors.start_visit("a", {}, (80, 24), "192.0.2.1")
    await visitors.start_visit("a", {}, (80, 24), "192.0.2.2")
    with pytest.raises(DuelboxError, match=r"2 visitors .* cookie or key"):
        await visitors.start_visit("a", {}, (80, 24), "192.0.2.3")
    for secret in ("b", "c"):
        await visitors.start_visit(secret, {}, (80, 24), "192.0.2.1")
    with pytest.raises(DuelboxError, match=r"3 visitors .* your address"):
        await visitors.start_visit("d", {}, (80, 24), "192.0.2.1")
    for secret in ("e", "f"):
        await visitors.start_visit(secret, {}, (80, 24), "192.0.2.4")
    with pytest.raises(DuelboxError, match="6 visitors are here, and no more fit"):
        await visitors.start_visit("g", {}, (80, 24), "192.0.2.5")
    ending = asyncio.create_task(visitors.end_visit(first))
    while not first.leaving:
        await asyncio.sleep(0)
    await visitors.start_visit("a", {}, (80, 24), "192.0.2.1")  # a visit that is ending holds no place
    await ending


def home_of(visitors: Visitors, secret: str) -> Path:
    return visitors.folder / hashlib.sha256(secret.encode()).hexdigest()[:32]


def age(home: Path, seconds: float) -> None:
    then = time.time() - seconds
    for one in (*home.rglob("*"), home):
        os.utime(one, (then, then))


async def test_homes_without_a_game_go_after_an_hour(visitors_of, monkeypatch: pytest.MonkeyPatch) -> None:
    visitors = visitors_of(READS_NOTHING, visitors=4)
    for secret in ("plays", "looks", "has just left", "is here", "puzzles"):
        visit = await visitors.start_visit(secret, {}, (80, 24))
        home = home_of(visitors, secret)
        monkeypatch.setenv("DUELBOX_HOME", str(home))
        command = [sys.executable, "-m", "duelbox", "play", "circle-duel", "--plain", "--p1", "Ann", "--p2", "Ben"]
        typed = "5\n" if secret == "plays" else ""
        await asyncio.to_thread(subprocess.run, command, input=typed, text=True, check=True, capture_output=True)
        with Store.open(home) as store:
            store.progress.add("puzzle" if secret == "puzzles" else "start", "home", True)
        if secret != "is here":
            await visitors.end_visit(visit)
        age(home, 3500 if secret == "has just left" else 3601)
    visitors._remove_empty_homes()
    stay = {"plays", "has just left", "is here", "puzzles"}
    assert {one for one in visitors.folder.iterdir() if one.is_dir()} == {home_of(visitors, one) for one in stay}


async def test_all_homes_together_have_a_size(visitors_of) -> None:
    visitors = visitors_of(READS_NOTHING, disk=1)
    for secret, size in (("a", 400_000), ("b", 400_000)):
        await visitors.end_visit(await visitors.start_visit(secret, {}, (80, 24)))
        (home_of(visitors, secret) / "picture.svg").write_bytes(bytes(size))
    await visitors.end_visit(await visitors.start_visit("c", {}, (80, 24)))
    (home_of(visitors, "c") / "picture.svg").write_bytes(bytes(150_000))
    with pytest.raises(DuelboxError, match="all visitors fill 1 MB"):
        await visitors.start_visit("d", {}, (80, 24))
    assert not home_of(visitors, "d").exists()
    await visitors.end_visit(await visitors.start_visit("a", {}, (80, 24)))  # an owner of a folder is let in
    age(home_of(visitors, "b"), 3601)
    await visitors.end_visit(await visitors.start_visit("d", {}, (80, 24)))
    assert not home_of(visitors, "b").exists()


async def test_no_file_grows_while_the_homes_are_full(visitors_of) -> None:
    visitors = visitors_of(GROWS, disk=1)
    holding = asyncio.create_task(visitors.hold_disk_limit())
    visit, shown = await visitors.start_visit("a", {}, (80, 24)), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    grown = home_of(visitors, "a") / "grows"
    await shown.see(b"full")
    assert 800_000 < grown.stat().st_size <= 1 << 20
    grown.unlink()
    await shown.see(b"room")
    await shown.see(b"full again")
    assert grown.stat().st_size <= 1 << 20
    holding.cancel()
    showing.cancel()


async def test_what_somebody_wrote_who_has_just_left_is_counted(visitors_of, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors_module, "_MEASURED", 2.0)  # the visit ends between two measurements
    monkeypatch.setattr(visitors_module, "_GRACE", 0.1)
    visitors = visitors_of(READS_NOTHING, disk=1)
    leaves = await visitors.start_visit("leaves", {}, (80, 24))
    await visitors.start_visit("stays", {}, (80, 24))
    holding = asyncio.create_task(visitors.hold_disk_limit())
    async with asyncio.timeout(60):
        while home_of(visitors, "stays").name not in visitors._sizes:
            await asyncio.sleep(0)
        (home_of(visitors, "leaves") / "picture.svg").write_bytes(bytes(1 << 20))
        await visitors.end_visit(leaves)
        while visitors._largest_file():
            await asyncio.sleep(0.01)
    holding.cancel()


@pytest.mark.parametrize("lines", ["", "digit-chain"])
async def test_a_visit_has_a_processor_time_and_is_told_its_end(tmp_path: Path, lines: str) -> None:
    prefork = Prefork()
    visitors = Visitors(tmp_path, prefork, 1, 0, 512, processor=1 / 60)
    environ = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
    visit, shown = await visitors.start_visit("a", environ, (80, 24), lines=lines), Shown()
    showing = asyncio.create_task(visit.show(shown.send))
    async with asyncio.timeout(60):
        while not showing.done():
            visit.type(b"?\n\x1b\t" * 100)
            await asyncio.sleep(0.01)
    assert showing.result() == "duelbox has used its 1 second of processor time, so it has closed. Every game is kept."
    await visitors.end_visit(visit)
    prefork.close()


async def test_a_folder_that_cannot_be_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    visitors = Visitors(tmp_path / "file", Small(""), 1, 0, 512)
    with pytest.raises(DuelboxError, match="There is no room for your games"):
        await visitors.start_visit("a", {}, (80, 24))
