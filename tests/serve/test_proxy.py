"""`duelbox serve` behind another server, set up as the help page says, and set up wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.effort import SHARE
from tests.serve.proxy import NGINX, headers_of_the_help, nginx, small_proxy
from tests.serve.server import Server, Visitor, serving

pytestmark = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc")
PASSWORD = "open sesame"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("behind")
    (folder / "password").write_text(PASSWORD, encoding="utf-8")
    options = ("--port", "0", "--proxy", "127.0.0.1", "--password", str(folder / "password"))
    with serving(folder, *options) as one:
        yield one


async def log_in(address: str, jar: aiohttp.CookieJar) -> int:
    """Type the password into the page at this address."""
    headers = {"Origin": "/".join(address.split("/")[:3])}
    async with (
        aiohttp.ClientSession(cookie_jar=jar, headers=headers) as session,
        session.post(f"{address}/", data={"password": PASSWORD}, allow_redirects=False) as answer,
    ):
        return answer.status


async def play(server: Server, address: str) -> None:
    """Log in at this address, and play a move."""
    jar = aiohttp.CookieJar(unsafe=True)
    assert await log_in(address, jar) == 303
    async with Visitor(server, jar, page=address) as visitor:
        await visitor.see("Puzzles")
        await visitor.type("\x1b[Df")  # left: the classic ring, in which nothing is drawn at random
        await visitor.see("Player 1, your move")
        await visitor.type("5\r")
        await visitor.see("Player 2, your move")
    await server.alone()


async def test_behind_a_server_with_the_headers_of_the_help_page_one_plays(server: Server) -> None:
    async with small_proxy(server.port, headers_of_the_help()) as address:
        await play(server, address)


@pytest.mark.skipif(SHARE > 1, reason="tried with --long; a small proxy with the same headers is always tried")
@pytest.mark.skipif(NGINX is None, reason="there is no nginx here (Debian has it: apt install nginx)")
@pytest.mark.parametrize("path", ["/", "/duelbox/"])
async def test_behind_nginx_as_the_help_page_has_it_one_plays(server: Server, tmp_path: Path, path: str) -> None:
    async with nginx(tmp_path / "nginx", server.port, path) as address:
        await play(server, address)


@pytest.mark.parametrize("host", ["$host", "$proxy_host"])
async def test_a_server_that_does_not_pass_on_the_host_is_named_in_page_log_and_answer(
    tmp_path: Path, host: str
) -> None:
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    with serving(tmp_path, "--port", "0", "--password", str(tmp_path / "password")) as server:
        async with (
            small_proxy(server.port, headers_of_the_help() | {"Host": host}) as address,
            aiohttp.ClientSession(headers={"Origin": address}) as session,
        ):
            seen = "127.0.0.1" if host == "$host" else f"127.0.0.1:{server.port}"
            async with session.post(f"{address}/", data={"password": PASSWORD}) as answer:
                assert answer.status == 403
                assert "The server in between" in await answer.text()
            for _ in range(3):
                with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                    await session.ws_connect(f"{address}/line", origin=address)
        (line,) = server.log.read_text(encoding="utf-8").splitlines()
        assert f"A page at {address} was refused: this is {seen}." in line


async def test_the_page_has_the_address_it_was_asked_at_to_compare(tmp_path: Path) -> None:
    """A browser does not tell a page why its line was refused, so the page compares; see `why.js`."""
    with serving(tmp_path, "--port", "0", "--name", "games.example") as server:
        async with aiohttp.ClientSession() as session:
            for host in (f"127.0.0.1:{server.port}", "games.example", "localhost:1", "[::1]:2"):
                for name in ("", "lines"):
                    async with session.get(f"{server.address}/{name}", headers={"Host": host}) as page:
                        assert f'data-host="{host}"' in await page.text()
