"""`duelbox serve` as a browser sees it: who is let in, what each visitor sees, and what remains afterwards."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.command_line import run
from tests.serve.server import PATIENCE, ROOT, Server, Visitor, serving
from tests.ui.terminal.pty import ODD

pytestmark = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), "--port", "0") as one:
        yield one


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as one:
        yield one


async def get(session: aiohttp.ClientSession, address: str, host: str | None = None) -> aiohttp.ClientResponse:
    async with session.get(address, headers={} if host is None else {"Host": host}) as answer:
        await answer.read()
        return answer


# -- playing


async def test_a_page_loaded_again_is_back_at_its_table_once(server: Server) -> None:
    jar = aiohttp.CookieJar(unsafe=True)
    async with Visitor(server, jar, size=(80, 24)) as visitor:
        await visitor.see("Number Circle Duel")
        await visitor.type("3")
        await visitor.see("Sequence Duel", "Your move")
        await visitor.type("9\r")
        await visitor.see("9")
        await visitor.see("Undo")
    async with Visitor(server, jar, size=(80, 24)) as visitor:
        await visitor.see("Sequence Duel", "Undo")
        await visitor.type("\x1b\x1b")
        await visitor.see("Continue")
    async with Visitor(server, jar, size=(80, 24)) as visitor:
        await visitor.see("Continue")


async def test_a_game_in_lines_of_text_is_one_link_away(server: Server, session: aiohttp.ClientSession) -> None:
    async with session.get(f"{server.address}/") as page:
        assert 'href="lines"' in await page.text()
    async with session.get(f"{server.address}/lines") as page:
        assert '<a href="?game=digit-chain">Digit Chain Duel</a>' in await page.text()
    async with (
        asyncio.timeout(PATIENCE),
        session.ws_connect(
            f"{server.address}/line?lines=digit-chain&width=80&height=24", origin=server.address
        ) as line,
    ):
        said = b""
        for asked, typed in ((b"enter your name", "Ann"), (b"from the pool", "26"), (b" picks ", "")):
            while asked not in said:
                said += (await line.receive()).data
            await line.send_json(["stdin", f"{typed}\n"])
        assert b"\x1b[?1049h" not in said
    for lines in ("no-such", "--help"):
        with pytest.raises(aiohttp.WSServerHandshakeError, match="404"):
            await session.ws_connect(f"{server.address}/line?lines={lines}", origin=server.address)


async def test_ctrl_c_and_the_end_of_the_input_leave_lines_of_text(
    server: Server, session: aiohttp.ClientSession
) -> None:
    for key in ("\x03", "\x04"):
        async with session.get(f"{server.address}/lines"):
            pass
        address = f"{server.address}/line?lines=digit-chain&width=80&height=24"
        async with asyncio.timeout(PATIENCE), session.ws_connect(address, origin=server.address) as line:
            said = b""
            while b"enter your name" not in said:
                said += (await line.receive()).data
            await line.send_json(["stdin", key])
            while (last := await line.receive()).type is aiohttp.WSMsgType.BINARY:
                pass
            assert last.extra == "duelbox has closed. Every game is kept."


async def test_nothing_on_the_pages_names_a_place_of_the_server(session: aiohttp.ClientSession, server: Server) -> None:
    for name in ("", "lines", "page.js", "lines.js", "why.js", "page.css"):
        async with session.get(f"{server.address}/{name}") as page:
            assert not re.search(r"""(href|src|action)="/|["'`(]/\w""", await page.text()), "a path of its own has room"


async def test_a_visitor_plays_by_keys_and_clicks(server: Server) -> None:
    async with Visitor(server, size=(80, 24)) as visitor:
        await visitor.see("Number Circle Duel")
        await visitor.type("\x1a\x1b[Df")  # Ctrl+Z stops nothing; left: the classic ring, without gaps
        await visitor.see("Number Circle Duel", "Player 1, your move")
        await visitor.type("5\r")
        await visitor.see("Player 2, your move")
        await visitor.click_on("│  6  │")
        await visitor.see("picks 6")
        await visitor.click_on("┃  6  ┃")
        await visitor.see("Player 1, your move")
        await visitor.resize(70, 22)
        await visitor.see("Player 1, your move")
        assert max(len(line.rstrip()) for line in visitor.screen.lines) <= 70


async def test_who_comes_back_at_once_is_at_their_own_table_and_nobodys_else(server: Server) -> None:
    async with Visitor(server) as ann, Visitor(server) as ben:
        await ann.see("Puzzles")
        await ann.type("\x1b[Df")  # left: the classic ring, in which nothing is drawn at random
        await ann.see("your move")
        await ann.type("5\r")
        await ann.see("Player 2, your move")
        await ben.see("Puzzles")
        assert "Continue" not in ben.screen.text
    async with Visitor(server, ann.jar) as ann, Visitor(server, ben.jar) as ben:
        await ann.see("Player 2, your move")
        await ben.see("Puzzles")
        assert "Continue" not in ben.screen.text


async def test_leaving_duelbox_and_closing_the_page_end_its_process(server: Server) -> None:
    await server.alone()  # visitors of earlier tests may still be leaving
    async with Visitor(server) as visitor:
        await visitor.see("Puzzles")
        assert len(server.processes()) == 1
        await visitor.type("\x11")
        assert await visitor.end() == "duelbox has closed. Every game is kept."
        await server.alone()
    async with Visitor(server) as visitor:
        await visitor.see("Puzzles")
    await server.alone()


async def test_each_has_a_folder_of_no_name_and_a_process_that_knows_nothing_of_the_server(server: Server) -> None:
    await server.alone()  # visitors of earlier tests may still be leaving
    async with Visitor(server) as visitor:
        await visitor.see("Puzzles")
        (secret,) = (cookie.value for cookie in visitor.jar)
        assert set(server.processes().values()) <= set(server.folders)
        assert not [one for one in server.home.rglob("*") if secret in one.name]
        assert {one.stat().st_mode & 0o077 for one in (server.home / "visitors", *server.folders)} == {0}
        ((process, home),) = server.processes().items()
        theirs = {str(one.readlink()) for one in Path(f"/proc/{server.process.pid}/fd").iterdir()}
        opened = {str(one.readlink()) for one in Path(f"/proc/{process}/fd").iterdir()}
        shared = [one for one in opened & theirs if one.startswith(("socket:", "pipe:"))]
        assert len(shared) == 1  # the pipe that reports the end to the server
        limits = Path(f"/proc/{process}/limits").read_text(encoding="utf-8")
        assert re.search(rf"Max data size +{512 << 20} +{512 << 20} ", limits)
        assert re.search(r"Max core file size +0 +0 ", limits)
        assert home in server.folders
        started_with = Path(f"/proc/{process}/environ").read_text(encoding="utf-8").split("\0")
        few = {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "LD_LIBRARY_PATH", ""}
        assert {variable.partition("=")[0] for variable in started_with} <= few


# -- hostile commands of a page


ODD_WORDS: dict[str, Any] = {
    "no list": "hello",
    "empty": [],
    "unknown": ["launch", 1],
    "a number typed": ["stdin", 7],
    "half a character": ["stdin", "\ud83d"],
    "no size": ["resize", {"width": 0, "height": -4}],
    "size of a building": ["resize", {"width": 10**9, "height": 10**9}],
    "no numbers": ["resize", {"width": "80", "height": None}],
    "nothing to resize": ["resize", 80, 24],
    "an odd ping": ["ping", {"a": 1}],
}


async def test_nothing_odd_upsets_it(server: Server) -> None:
    async with Visitor(server) as visitor:
        await visitor.see("Puzzles")
        for word in ODD_WORDS.values():
            await visitor.line.send_json(word)
        for text in ("", "{", "[" * 100_000, '["stdin", "\\ud800"]'):
            await visitor.line.send_str(text)
        await visitor.line.send_bytes(b"\xff\x00")
        for odd in ODD.values():
            await visitor.type(odd.decode("latin-1"))
        await visitor.type("\x1b[201~\x1b\x1b")
        await asyncio.sleep(1.5)  # an endless paste is given up after a second
        while not visitor.reason:  # some of these keys may have opened a screen with another way out
            await visitor.type("\x11")
            await asyncio.sleep(0.5)
        assert await visitor.end() == "duelbox has closed. Every game is kept."


async def test_a_flood_of_keys_and_mouse_is_survived(server: Server) -> None:
    async with Visitor(server) as visitor:
        await visitor.see("Puzzles")
        for _ in range(3):
            await visitor.type("\x1b[<35;40;12M\x1b[<35;41;13M" * 1_000)
            await visitor.type("\t" * 5_000)
        await visitor.type("\x11")
        assert await visitor.end() == "duelbox has closed. Every game is kept."


# -- who may connect


async def test_the_page_and_all_it_loads_come_from_here(server: Server, session: aiohttp.ClientSession) -> None:
    page = await get(session, f"{server.address}/")
    text = await page.text()
    loaded = re.findall(r'(?:src|href)="([^"]*)"', text)
    assert {one for one in loaded if not one.startswith("data:")} == {
        "lines",
        "page.css",
        "page.js",
        "why.js",
        "xterm.css",
    }
    for address in ("/page.css", "/page.js", "/why.js", "/xterm.css", "/xterm.js"):
        answer = await get(session, f"{server.address}{address}")
        assert (answer.status, answer.headers["X-Content-Type-Options"]) == (200, "nosniff")
    for name in ("page.html", "page.css", "page.js", "lines.html", "lines.js", "why.js"):
        assert not re.search("https?://|@import|url\\(", (ROOT / "duelbox/serve" / name).read_text(encoding="utf-8"))
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"https?:|\*", policy)


async def test_a_cookie_is_given_once_and_kept_from_scripts(server: Server, session: aiohttp.ClientSession) -> None:
    cookie = (await get(session, f"{server.address}/")).cookies["duelbox"]
    assert (cookie["httponly"], cookie["samesite"], len(cookie.value)) == (True, "Strict", 43)
    assert "duelbox" not in (await get(session, f"{server.address}/")).cookies
    async with aiohttp.ClientSession(cookies={"duelbox": "../../etc"}) as odd:
        assert len((await get(odd, f"{server.address}/")).cookies["duelbox"].value) == 43


async def test_no_answer_tells_versions(server: Server, session: aiohttp.ClientSession) -> None:
    for address in ("/", "/nowhere", "/line", "/xterm.js"):
        assert (await get(session, f"{server.address}{address}")).headers["Server"] == "duelbox"
    for asked in (b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(asked)
        answer = await asyncio.wait_for(reader.read(4096), PATIENCE)
        assert b"400" in answer
        assert b"Python" not in answer
        assert b"aiohttp" not in answer
        writer.close()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil", ""])
async def test_a_name_that_is_not_ours_gets_no_answer(
    server: Server, session: aiohttp.ClientSession, host: str
) -> None:
    for address in ("/", "/page.js", "/line", "/nowhere"):
        answer = await get(session, f"{server.address}{address}", host)
        assert answer.status in (400, 403)
        assert "duelbox" not in answer.cookies


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "192.168.1.7", "LOCALHOST"])
async def test_addresses_and_this_machine_are_ours(server: Server, session: aiohttp.ClientSession, host: str) -> None:
    answer = await get(session, f"{server.address}/", host.format(port=server.port))
    assert answer.status == 200


@pytest.mark.parametrize(
    ("origin", "cookie"),
    [
        ("http://evil.example", "a" * 43),
        ("https://evil.example", "a" * 43),
        ("null", "a" * 43),
        (None, "a" * 43),
        ("http://127.0.0.1:1", "a" * 43),
        ("ours", ""),
        ("ours", "../../../../../../tmp/elsewhere/elsewhere/el"),
        ("ours", "a" * 44),
    ],
)
async def test_only_our_page_with_a_cookie_of_ours_gets_a_line(server: Server, origin: str | None, cookie: str) -> None:
    before = server.folders
    async with aiohttp.ClientSession(cookies={"duelbox": cookie} if cookie else {}) as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{server.address}/line", origin=server.address if origin == "ours" else origin)
    assert refused.value.status == 403
    assert server.folders == before


# -- limits, and the end


async def test_no_more_visitors_than_were_asked_for_by_a_name_that_was_told_with_settings_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUELBOX_ASCII", "on")
    monkeypatch.setenv("DUELBOX_THEME", "no-colour")
    with serving(tmp_path, "--port", "0", "--visitors", "1", "--name", "games.example") as server:
        async with Visitor(server) as first:
            await first.see("Puzzles")
            await first.type("1")
            await first.see("Your move")
            assert first.screen.text.isascii()
            async with Visitor(server) as second:
                assert re.match("1 visitor .*no more", await second.end())
        await server.alone()
        async with Visitor(server) as second:
            await second.see("Puzzles")
            named = await get(second.session, f"{server.address}/", "Games.Example:80")
            assert named.status == 200


async def test_a_full_disk_limit_keeps_files_from_growing_until_there_is_room(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--disk", "1") as server:
        async with Visitor(server) as visitor:
            await visitor.see("Puzzles")
            await visitor.type("\x1b[Df")  # left: the classic ring, in which nothing is drawn at random
            await visitor.see("Player 1, your move")
            (home,) = server.folders
            picture = home / "picture.svg"
            picture.write_bytes(bytes(900_000))
            (process,) = server.processes()
            limits = Path(f"/proc/{process}/limits")
            async with asyncio.timeout(PATIENCE):
                while not re.search(r"Max file size +0 ", limits.read_text(encoding="utf-8")):
                    await asyncio.sleep(0.05)
            await visitor.type("5\r")
            await visitor.see("The disk is full, so nothing can be saved in ~.")
            picture.unlink()
            async with asyncio.timeout(PATIENCE):
                while re.search(r"Max file size +0 ", limits.read_text(encoding="utf-8")):
                    await asyncio.sleep(0.05)
            await visitor.type("6\r")
            await visitor.see("What you play is saved again.")
        await server.alone()
        assert r"\"moves\":2" in (home / "history.jsonl").read_text(encoding="utf-8")


async def test_a_visitor_with_games_can_come_in_while_the_disk_limit_is_reached(tmp_path: Path) -> None:
    jar = aiohttp.CookieJar(unsafe=True)
    with serving(tmp_path, "--port", "0", "--disk", "1") as server:
        async with Visitor(server, jar) as visitor:
            await visitor.see("Puzzles")
        (home,) = server.folders
        (home / "picture.svg").write_bytes(bytes(900_000))
        await server.alone()
        async with Visitor(server) as stranger:
            assert await stranger.end() == "The games of all visitors fill 1 MB, and no more fit."
        before = {path: path.stat().st_size for path in home.rglob("*")}
        async with Visitor(server, jar) as visitor:
            await visitor.see("Puzzles")
            await visitor.type("\x1b[Df")
            await visitor.see("Player 1, your move")
            await visitor.type("5\r")
            await visitor.see("Player 2, your move", "nothing can be saved in ~")
        await server.alone()
        assert sum(path.stat().st_size for path in home.rglob("*")) <= sum(before.values())


async def test_the_end_of_the_server_ends_all_and_keeps_every_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path, "--port", "0") as server:
        async with Visitor(server) as ann, Visitor(server) as ben:
            for visitor in (ann, ben):
                await visitor.see("Puzzles")
                await visitor.type("\x1b[Df")  # left: the classic ring, in which nothing is drawn at random
                await visitor.see("your move")
                await visitor.type("5\r")
                await visitor.see("Player 2, your move")
            server.process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(server.process.wait, 30) == 0
            assert not server.processes()
            assert await ann.end()
        assert "127.0.0.1" in server.said
        assert "no login" in server.said
        for folder in server.folders:
            monkeypatch.setenv("DUELBOX_HOME", str(folder))
            assert "unfinished" in run("history").out


async def test_a_server_that_is_killed_takes_everybody_along(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as server:
        async with Visitor(server) as visitor:
            await visitor.see("Puzzles")
            server.process.kill()
            await asyncio.to_thread(server.process.wait)
            await server.alone()


# -- refusals


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--port", "65536"), "from 0 to 65535, not 65536"),
        (("--visitors", "0"), "--visitors is a number from 1 up"),
        (("--per-address", "0"), "--per-address is a number from 1 up"),
        (("--disk", "0"), "--disk is a number from 1 up, not 0."),
        (("--relay", "ws://127.0.0.1:8999/latest/meta-data?x="), "is no address of a relay: it is a host"),
        (("--ssh", "1", "--keys", "k", "--password", "p"), "--password is for browsers"),
        (("--proxy", "me"), "'me' is no address or network."),
        (("--memory", "127"), "--memory is a number from 128 up"),
        (("--ssh", "2222"), "--keys FILE belong together"),
        (("--keys", "keys"), "--keys FILE belong together"),
    ],
)
def test_what_cannot_be_served_is_refused(args: tuple[str, ...], sentence: str) -> None:
    ran = run("serve", *args)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for args, missing, extra in (((), "textual_serve", "web"), (("--ssh", "1", "--keys", "k"), "asyncssh", "ssh")):
        monkeypatch.setattr("duelbox.commands.serve.is_here", lambda module, missing=missing: module != missing)
        ran = run("serve", *args)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.endswith(f'{sys.executable} -m pip install "duelbox[{extra}]"\n')


def test_a_port_that_is_taken_is_told_in_a_sentence(server: Server) -> None:
    command = [sys.executable, "-m", "duelbox", "serve", "--port", str(server.port)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"Port {server.port} of 127.0.0.1 cannot be opened: ")
    assert "Traceback" not in ran.stderr
