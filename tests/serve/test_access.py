"""The password of `duelbox serve`, its cookies, and pages of other servers that would use them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from duelbox.relay.limited_socket import LimitedSocket
from duelbox.relay.proxies import Proxies
from duelbox.serve import web
from duelbox.serve.access import Access
from duelbox.serve.visitors import Visitors
from tests.serve.server import PATIENCE, ROOT, Server, Visitor, serving

pytestmark = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc")
PASSWORD = "open sesame"
PLANTED = "a" * 43
OVER_TLS = {"X-Forwarded-Proto": "https"}


class Door:
    """A server that asks for a password, and browsers that come to it."""

    def __init__(self, server: Server, headers: dict[str, str] | None = None) -> None:
        self.server, self.headers = server, headers or {}
        scheme = "https" if headers == OVER_TLS else "http"
        self.origin = server.address.replace("http", scheme)

    @asynccontextmanager
    async def browser(self, cookies: dict[str, str] | None = None) -> AsyncIterator[aiohttp.ClientSession]:
        """A browser with these cookies, and no others."""
        jar = aiohttp.CookieJar(unsafe=True, treat_as_secure_origin=[self.server.address])
        async with aiohttp.ClientSession(cookie_jar=jar, cookies=cookies, headers=self.headers) as session:
            yield session

    async def post(
        self, session: aiohttp.ClientSession, where: str = "", password: str = PASSWORD, origin: str | None = "ours"
    ) -> aiohttp.ClientResponse:
        """Send the form of a page; the answer is read, and no redirection followed."""
        headers = {}
        if origin is not None:
            headers["Origin"] = self.origin if origin == "ours" else origin
        address = f"{self.server.address}/{where}"
        async with session.post(address, data={"password": password}, headers=headers, allow_redirects=False) as answer:
            await answer.read()
            return answer

    async def is_in(self, session: aiohttp.ClientSession) -> bool:
        """The browser gets the page of the game, and its line."""
        async with session.get(f"{self.server.address}/") as page:
            shown = 'id="terminal"' in await page.text()
        try:
            async with session.ws_connect(f"{self.server.address}/line", origin=self.origin):
                opened = True
        except aiohttp.WSServerHandshakeError:
            opened = False
        assert shown == opened
        return opened


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("locked")
    (folder / "password").write_text(f"{PASSWORD} \n", encoding="utf-8")
    options = ("--port", "0", "--proxy", "127.0.0.1", "--password", str(folder / "password"))
    with serving(folder, *options) as server:
        yield server


@pytest.fixture
def door(locked: Server) -> Door:
    return Door(locked)


def secret_of(answer: aiohttp.ClientResponse) -> str:
    """The secret in the cookie that an answer sets."""
    (cookie,) = answer.cookies.values()
    return cookie.value


# -- cookies


async def test_whoever_planted_the_cookie_is_not_let_in_by_another_ones_login(door: Door) -> None:
    async with door.browser({"duelbox": PLANTED}) as victim, door.browser({"duelbox": PLANTED}) as attacker:
        answer = await door.post(victim)
        assert answer.status == 303
        assert secret_of(answer) != PLANTED
        assert await door.is_in(victim)
        assert not await door.is_in(attacker)


async def test_each_login_has_a_new_secret_and_ends_the_old_one(door: Door) -> None:
    async with door.browser() as session:
        first = secret_of(await door.post(session))
        second = secret_of(await door.post(session))
        assert first != second
        assert await door.is_in(session)
    async with door.browser({"duelbox": first}) as old:
        assert not await door.is_in(old)


@pytest.mark.parametrize("name", ["duelbox", "__Secure-duelbox"])
async def test_over_tls_a_cookie_that_any_host_can_set_is_nobodys(locked: Server, name: str) -> None:
    plain, over_tls = Door(locked), Door(locked, OVER_TLS)
    async with plain.browser() as session:
        let_in = secret_of(await plain.post(session))
    async with over_tls.browser({name: let_in}) as session:
        assert not await over_tls.is_in(session)
        answer = await over_tls.post(session)
        (cookie,) = answer.cookies.values()
        assert cookie.key == "__Host-duelbox"
        assert cookie.value != let_in
        assert (cookie["secure"], cookie["httponly"], cookie["path"], cookie["domain"]) == (True, True, "/", "")
        assert await over_tls.is_in(session)


async def test_a_request_that_names_https_itself_is_not_over_tls(door: Door) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", door.server.port)
    host = door.server.address.removeprefix("http://")
    writer.write(f"GET https://{host}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        answer = (await reader.read()).decode()
    writer.close()
    assert "Set-Cookie: duelbox=" in answer


# -- pages of other servers


FOREIGN = ["http://evil.example", "https://evil.example", "null", None, "http://127.0.0.1:1", "http://127.0.0.1"]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_no_other_page_logs_anybody_in_or_out(door: Door, origin: str | None) -> None:
    async with door.browser() as session:
        assert (await door.post(session, origin=origin)).status == 403
        assert not await door.is_in(session)
        assert (await door.post(session)).status == 303
        assert (await door.post(session, "logout", origin=origin)).status == 403
        assert await door.is_in(session)


async def test_over_tls_a_page_without_tls_is_another_page(locked: Server) -> None:
    over_tls = Door(locked, OVER_TLS)
    async with over_tls.browser() as session:
        assert (await over_tls.post(session, origin=locked.address)).status == 403
        assert not await over_tls.is_in(session)


async def test_a_refused_origin_is_one_line_in_the_log_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    with serving(tmp_path, "--port", "0", "--password", str(tmp_path / "password")) as server:
        door = Door(server)
        async with door.browser() as session:
            for number in range(5):
                answer = await door.post(session, origin=f"http://127.0.0.1:{number}\u202e")
                assert answer.status == 403
                assert "The server in between" in await answer.text()
    (line,) = server.log.read_text(encoding="utf-8").splitlines()
    assert line.isprintable()
    assert f"A page at http://127.0.0.1:0\\u202e was refused: this is 127.0.0.1:{server.port}." in line
    assert "duelbox help visitors" in line


async def test_a_browser_says_from_where_our_own_form_comes(door: Door) -> None:
    """With `no-referrer` a browser would send `Origin: null` with a form."""
    async with door.browser() as session, session.get(f"{door.server.address}/") as page:
        assert 'type="password"' in await page.text()
        assert page.headers["Referrer-Policy"] == "same-origin"


# -- logging out


async def test_logging_out_ends_the_visit_and_forgets_the_browser(door: Door) -> None:
    await door.server.alone()
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        secret = secret_of(await door.post(session))
        async with session.get(f"{door.server.address}/") as page:
            assert 'action="logout"' in await page.text()
        async with Visitor(door.server, jar) as visitor:
            await visitor.see("Puzzles")
            answer = await door.post(session, "logout")
            assert (answer.status, answer.headers["Location"]) == (303, "./")
            assert await visitor.end()
        assert not [cookie for cookie in jar if cookie.key == "duelbox"]
        assert not await door.is_in(session)
    async with door.browser({"duelbox": secret}) as copied:
        assert not await door.is_in(copied)
        assert (await door.post(copied)).status == 303
    await door.server.alone()


async def test_without_a_password_there_is_nothing_to_log_out_of(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as server:
        async with aiohttp.ClientSession() as session:
            for address in ("", "lines"):
                async with session.get(f"{server.address}/{address}") as page:
                    assert "logout" not in await page.text()
            for address in ("", "logout"):
                assert (await Door(server).post(session, address)).status in (404, 405)


async def test_games_are_there_after_the_next_login(tmp_path: Path) -> None:
    """Logins are forgotten with the server; the folder of a cookie goes along with its next login."""
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    options = ("--port", "0", "--password", str(tmp_path / "password"))
    jar = aiohttp.CookieJar(unsafe=True)
    for run in ("first", "second"):
        with serving(tmp_path, *options) as server:
            async with aiohttp.ClientSession(cookie_jar=jar) as session:
                assert not await Door(server).is_in(session)
                assert (await Door(server).post(session)).status == 303
            async with Visitor(server, jar) as visitor:
                if run == "first":
                    await visitor.see("Puzzles")
                    await visitor.type("\x1b[Df")  # left: the classic ring, in which nothing is drawn at random
                    await visitor.see("Player 1, your move")
                    await visitor.type("5\r")
                await visitor.see("Player 2, your move")
            assert len(server.folders) == 1


# -- guessed passwords


async def test_a_cookie_has_five_wrong_passwords_a_minute(door: Door) -> None:
    async with door.browser() as guesser, door.browser() as other:
        for session in (guesser, other):
            async with session.get(f"{door.server.address}/"):
                pass
        wrong = ["", "open", "open sesam", "open sesame!", "open-sesame"]
        assert [(await door.post(guesser, password=one)).status for one in wrong] == [403] * 5
        refused = await door.post(guesser)
        assert refused.status == 429
        assert "Wait a minute" in await refused.text()
        assert (await door.post(other)).status == 303


@asynccontextmanager
async def waiting_room(tmp_path: Path) -> AsyncIterator[str]:
    """The address of a server in this process."""
    listening = LimitedSocket("127.0.0.1", 0, 100, 100, Proxies())
    visitors = Visitors(tmp_path, None, 1, 0, 512)  # type: ignore[arg-type]
    access = Access(Proxies(), PASSWORD)
    async with web.serve_browsers(visitors, listening, (), access) as port, asyncio.timeout(PATIENCE):
        yield f"http://127.0.0.1:{port}"


async def knock(address: str, password: str, cookies: dict[str, str] | None = None) -> int:
    async with (
        aiohttp.ClientSession(cookies=cookies) as session,
        session.post(
            address, data={"password": password}, headers={"Origin": address}, allow_redirects=False
        ) as answer,
    ):
        return answer.status


async def test_a_class_behind_one_address_gets_in_although_many_mistype(tmp_path: Path) -> None:
    async with waiting_room(tmp_path) as address:
        for pupil in range(25):
            cookies = {"duelbox": f"{pupil:043}"}
            assert await knock(address, "open sesam", cookies) == 403
            assert await knock(address, "Open sesame", cookies) == 403
        for pupil in range(25, 40):
            assert await knock(address, PASSWORD, {"duelbox": f"{pupil:043}"}) == 303
        for pupil in range(25):
            assert await knock(address, PASSWORD, {"duelbox": f"{pupil:043}"}) == 303


async def test_an_address_has_sixty_wrong_passwords_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("duelbox.relay.limits.monotonic", lambda: now)
    async with waiting_room(tmp_path) as address:
        answers = [await knock(address, "wrong", {"duelbox": f"{number:043}"}) for number in range(70)]
        assert answers == [403] * 60 + [429] * 10
        assert await knock(address, PASSWORD, {"duelbox": PLANTED}) == 429
        now += 61
        assert await knock(address, PASSWORD, {"duelbox": PLANTED}) == 303


async def test_without_a_cookie_an_address_has_five_wrong_passwords(tmp_path: Path) -> None:
    async with waiting_room(tmp_path) as address:
        assert [await knock(address, "wrong") for _ in range(7)] == [403] * 5 + [429] * 2
        assert await knock(address, PASSWORD, {"duelbox": PLANTED}) == 303


async def test_of_more_than_it_remembers_the_first_to_come_types_the_password_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.serve.access._MOST_LET_IN", 2)
    async with waiting_room(tmp_path) as address:
        browsers = [aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) for _ in range(3)]
        for browser in browsers:
            form = {"password": PASSWORD}
            async with browser.post(address, data=form, headers={"Origin": address}, allow_redirects=False) as answer:
                assert answer.status == 303
        let_in = []
        for browser in browsers:
            async with browser.get(address) as page:
                let_in.append('id="terminal"' in await page.text())
            await browser.close()
    assert let_in == [False, True, True]


# -- forms that no page sends


FORM = "application/x-www-form-urlencoded"
MALFORMED = {
    "no boundary": ("multipart/form-data", b"password=open+sesame"),
    "a part without a name": (
        "multipart/form-data; boundary=x",
        b"--x\r\nContent-Disposition: form-data\r\n\r\nopen sesame\r\n--x--\r\n",
    ),
    "no part": ("multipart/form-data; boundary=x", b""),
    "half a part": ("multipart/form-data; boundary=x", b"--x\r\nContent-Disp"),
    "a nested part": (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Type: multipart/mixed; boundary=y\r\nContent-Disposition: form-data; name="a"\r\n\r\n--y--',
    ),
    "an unknown charset": (f"{FORM}; charset=klingon", b"password=open+sesame"),
    "a charset that is none": (f"{FORM}; charset=base64", b"password=open+sesame"),
    "another type": ("application/json", b'{"password": "open sesame"}'),
    "a type that is none": (";;;=", b"password=open+sesame"),
    "no password": (FORM, b"word=open+sesame"),
    "nothing": (FORM, b""),
    "too many fields": (FORM, b"a=1&" * 1000),
    "bytes": (FORM, bytes(range(128, 256))),
}


@pytest.mark.parametrize("case", MALFORMED)
async def test_a_form_that_no_page_sends_is_refused_in_a_sentence(door: Door, case: str) -> None:
    kind, body = MALFORMED[case]
    headers = {"Content-Type": kind, "Origin": door.origin}
    before = door.server.log.read_text(encoding="utf-8")
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{door.server.address}/", data=body, headers=headers, allow_redirects=False) as answer,
    ):
        assert answer.status == 400
        assert (await answer.text()).endswith(".\n")
    assert door.server.log.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("password", ["é" * 5000, "\ud800".encode("utf-8", "surrogatepass")])
async def test_an_odd_password_is_a_wrong_one(door: Door, password: str | bytes) -> None:
    async with aiohttp.ClientSession() as session:
        data = {"password": password} if isinstance(password, str) else b"password=" + password
        headers = {"Origin": door.origin, "Content-Type": FORM}
        async with session.post(f"{door.server.address}/", data=data, headers=headers) as answer:
            assert answer.status in (403, 413)
            assert "Traceback" not in door.server.log.read_text(encoding="utf-8")


async def test_a_form_that_never_arrives_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(web, "_REQUEST", 0.3)
    async with waiting_room(tmp_path) as address:
        host = address.removeprefix("http://")
        reader, writer = await asyncio.open_connection(*host.split(":"))
        head = f"POST / HTTP/1.1\r\nHost: {host}\r\nOrigin: {address}\r\nContent-Type: {FORM}\r\nContent-Length: 20\r\n"
        writer.write(f"{head}\r\npassword".encode())
        answer = await reader.read()
        writer.close()
    assert b" 408 " in answer
    assert not caplog.records


# -- the file with the password


@pytest.mark.parametrize(("content", "sentence"), [(None, "cannot be read: No such file"), ("\n", "no password in")])
def test_a_file_without_a_password_is_told(tmp_path: Path, content: str | None, sentence: str) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    command = [sys.executable, "-m", "duelbox", "serve", "--port", "0", "--password", str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert sentence in ran.stderr
