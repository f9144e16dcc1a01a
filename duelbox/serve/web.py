"""duelbox in a browser: a page with a terminal, and a websocket between the page and duelbox.

The terminal is xterm.js from textual-serve. The page of textual-serve is not used: it loads a font from other hosts,
and its server accepts websockets from any page.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import re
import secrets
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from aiohttp import WSCloseCode, WSMsgType, web, web_response
from aiohttp.typedefs import Handler, Middleware

from duelbox.core.errors import DuelboxError
from duelbox.registry import game_ids, title_of
from duelbox.relay.limited_socket import LimitedSocket
from duelbox.relay.limits import MINUTE, Bucket, RecentlyUsed
from duelbox.relay.proxies import Proxies
from duelbox.serve.visitors import Visit, Visitors

COOKIE: Final = "duelbox"
_SECRET: Final = re.compile(r"[\w-]{43}", re.ASCII)
_YEAR: Final = 365 * 24 * 60 * 60
_HEARTBEAT: Final = 15.0  # seconds between two checks that a page is still there
_REQUEST: Final = 30.0  # seconds in which a request must arrive
_LIST: Final = "<!-- games -->"
_TRIES: Final = 5  # of the password, per minute and address
_LARGEST_MESSAGE: Final = 1 << 20
_ENVIRONMENT: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
_REASON: Final = 123  # bytes of the reason for closing a websocket

_OURS: Final = {"/": "page.html", "/lines": "lines.html"}
_OURS.update({f"/{name}": name for name in ("page.js", "page.css", "lines.js")})
_THEIRS: Final = {"/xterm.js": "js/textual.js", "/xterm.css": "css/xterm.css"}

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


vars(web_response)["SERVER_SOFTWARE"] = "duelbox"  # hides versions, even in answers that no handler here makes


class Access:
    """Decides who is let in, by their address, cookie and password."""

    def __init__(self, proxies: Proxies, password: str = "") -> None:
        """An empty password means that none is needed."""
        self._proxies, self._password = proxies, password.encode()
        self._tries = RecentlyUsed(lambda: Bucket(_TRIES / MINUTE, _TRIES))
        self._let_in: set[str] = set()

    def address(self, request: web.Request) -> str:
        """The client address that limits count."""
        return self._proxies.client(request.remote or "", ",".join(request.headers.getall("X-Forwarded-For", ())))

    def secret(self, request: web.Request) -> str:
        """The secret in the visitor's cookie; empty if there is none."""
        secret = request.cookies.get(self._name(request)) or request.cookies.get(COOKIE, "")
        return secret if _SECRET.fullmatch(secret) else ""

    def keep(self, request: web.Request, answer: web.StreamResponse) -> str:
        """Store the secret in the browser, a new one if it has none; returns it."""
        name, secret = self._name(request), self.secret(request) or secrets.token_urlsafe(32)
        if request.cookies.get(name) != secret:
            secure = name != COOKIE
            answer.set_cookie(name, secret, max_age=_YEAR, httponly=True, samesite="Strict", secure=secure)
        return secret

    def lets_in(self, request: web.Request) -> bool:
        """The visitor needs no password, or has given it since the server started."""
        return not self._password or self.secret(request) in self._let_in

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """Check the password in a request, and let the visitor in."""
        async with asyncio.timeout(_REQUEST):
            password = str((await request.post()).get("password", ""))
        if not self._tries.of(self.address(request)).take():
            raise web.HTTPTooManyRequests(text=f"{_TRIES} passwords were tried within a minute. Wait a minute.\n")
        if not hmac.compare_digest(password.encode(errors="replace"), self._password):
            raise web.HTTPForbidden(text="That is not the password. Go back and type it again.\n")
        answer = web.Response(status=303, headers={"Location": "./"})
        self._let_in.add(self.keep(request, answer))
        return answer

    def _name(self, request: web.Request) -> str:
        """The name of the cookie. Over TLS, also as told by a trusted proxy, it is one that no other host can set."""
        over_tls = self._proxies.trust(request.remote or "") and request.headers.get("X-Forwarded-Proto") == "https"
        return f"__Host-{COOKIE}" if over_tls or request.secure else COOKIE


@asynccontextmanager
async def serve_browsers(
    visitors: Visitors, listening: LimitedSocket, names: Collection[str], access: Access
) -> AsyncIterator[int]:
    """Serve browsers; yields the port."""
    app = web.Application(middlewares=[_guard(names)], client_max_size=4096)
    app.on_response_prepare.append(_add_headers)
    for address, name in _OURS.items():
        app.router.add_get(address, _page(Path(str(files(__package__).joinpath(name))), access))
    for address, name in _THEIRS.items():
        path = Path(str(files("textual_serve").joinpath("static", name)))
        if not path.is_file():
            raise DuelboxError(f"This textual-serve has no {name}; duelbox needs version 1.1.")
        app.router.add_get(address, _page(path, access))
    app.router.add_get("/line", _line(visitors, access))
    app.router.add_post("/", access.ask)
    runner = web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        shutdown_timeout=1.0,
        keepalive_timeout=_REQUEST,
        handler_cancellation=True,  # otherwise a closed connection is noticed only at the next write
    )
    await runner.setup()
    try:
        await web.SockSite(runner, listening).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def _guard(names: Collection[str]) -> Middleware:
    """Answer only to the server's own names, since other pages can make their name lead to this machine."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not _is_ours(request.host, names):
            sentence = "This duelbox does not go by that name. Whoever started it can say: duelbox serve --name NAME"
            raise web.HTTPForbidden(text=f"{sentence}\n")
        return await handler(request)

    return guard


async def _add_headers(request: web.Request, answer: web.StreamResponse) -> None:
    answer.headers.update(_HEADERS)


def _is_ours(host: str, names: Collection[str]) -> bool:
    """The host is an IP address, this machine, or one of the names given for the server."""
    name = host.rpartition(":")[0] if re.search(r":\d+\Z", host) else host
    with suppress(ValueError):
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        return True
    return name.lower().removesuffix(".") in {"localhost", *(one.lower() for one in names)}


def _page(path: Path, access: Access) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        begins = path.suffix == ".html"
        asks = begins and not access.lets_in(request)
        shown = path.with_name("password.html") if asks else path
        answer = web.Response(text=_with_games(shown), content_type="text/html") if begins else web.FileResponse(shown)
        answer.headers["Cache-Control"] = "no-cache"
        if begins and not asks:
            access.keep(request, answer)
        return answer

    return handle


def _with_games(path: Path) -> str:
    """The text of a page, with a link to each game where it lists them."""
    links = (f'<li><a href="?game={one}">{escape(title_of(one))}</a></li>' for one in game_ids())
    return path.read_text("utf-8").replace(_LIST, "\n        ".join(links))


def _line(visitors: Visitors, access: Access) -> Handler:
    """The websocket of a page: its text frames are commands of the page, bytes are what to draw."""

    async def handle(request: web.Request) -> web.StreamResponse:
        secret = access.secret(request)
        # A browser always names the page that opens a websocket; it must be this server's.
        ours = request.headers.get("Origin", "").partition("://")[2] == request.host
        if not (ours and secret and access.lets_in(request)):
            raise web.HTTPForbidden(text="Only the page of this duelbox can open this line.\n")
        if (lines := request.query.get("lines", "")) not in ("", *game_ids()):
            raise web.HTTPNotFound(text="There is no game of that name here.\n")
        line = web.WebSocketResponse(heartbeat=_HEARTBEAT, max_msg_size=_LARGEST_MESSAGE, compress=False)
        await line.prepare(request)
        size = _whole(request.query.get("width"), 80), _whole(request.query.get("height"), 24)
        try:
            visit = await visitors.start_visit(secret, _ENVIRONMENT, size, access.address(request), lines)
        except DuelboxError as refusal:
            await _hang_up(line, WSCloseCode.TRY_AGAIN_LATER, refusal.sentence)
            return line
        showing = asyncio.create_task(_show(visit, line))
        try:
            async for message in line:
                if message.type is WSMsgType.TEXT:
                    await _take(visit, line, message.data)
        except ConnectionError:
            pass
        finally:
            showing.cancel()
            await visitors.end_visit(visit)
        return line

    return handle


async def _show(visit: Visit, line: web.WebSocketResponse) -> None:
    with suppress(ConnectionError):
        await _hang_up(line, WSCloseCode.OK, await visit.show(line.send_bytes))


async def _hang_up(line: web.WebSocketResponse, code: WSCloseCode, sentence: str) -> None:
    reason = sentence.encode()[:_REASON].decode(errors="ignore")
    await line.close(code=code, message=reason.encode())


async def _take(visit: Visit, line: web.WebSocketResponse, text: str) -> None:
    """Carry out a command of the page; ignores anything else."""
    try:
        command = json.loads(text)
    except (ValueError, RecursionError):
        return
    match command:
        case ["stdin", str(typed)]:
            visit.type(typed.encode(errors="replace"))
        case ["resize", {"width": int(width), "height": int(height)}]:
            visit.resize(width, height)
        case ["ping", str(mark)]:
            await line.send_json(["pong", mark])


def _whole(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 5 else otherwise
