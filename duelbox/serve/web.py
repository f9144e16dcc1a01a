"""duelbox in a browser: a page with a terminal, and a websocket between the page and duelbox.

The terminal is xterm.js from textual-serve. The page of textual-serve is not used: it loads a font from other hosts,
and its server accepts websockets from any page.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from aiohttp import WSCloseCode, WSMsgType, web, web_response
from aiohttp.typedefs import Handler, Middleware

from duelbox.core.errors import DuelboxError
from duelbox.registry import game_ids, title_of
from duelbox.relay.limited_socket import LimitedSocket
from duelbox.serve.access import Access
from duelbox.serve.visitors import Visit, Visitors

_HEARTBEAT: Final = 15.0  # seconds between two checks that a page is still there
_REQUEST: Final = 30.0  # seconds in which a request must arrive
_GAMES: Final = "<!-- games -->"
_HOST: Final = "<!-- host -->"
_LOG_OUT: Final = "<!-- log out -->"
_LOG_OUT_FORM: Final = """\
<form method="post" action="logout">
        <button type="submit">Log out</button>
        This browser then forgets you, and your games here.
      </form>"""
_FORM: Final = "application/x-www-form-urlencoded"
_FIELDS: Final = 10
_LARGEST_MESSAGE: Final = 1 << 20
_ENVIRONMENT: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
_REASON: Final = 123  # bytes of the reason for closing a websocket

_OURS: Final = {"/": "page.html", "/lines": "lines.html"}
_OURS.update({f"/{name}": name for name in ("page.js", "page.css", "lines.js", "why.js")})
_THEIRS: Final = {"/xterm.js": "js/textual.js", "/xterm.css": "css/xterm.css"}

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


vars(web_response)["SERVER_SOFTWARE"] = "duelbox"  # hides versions, even in answers that no handler here makes


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
    if access.asks:
        app.router.add_post("/", _log_in(visitors, access))
        app.router.add_post("/logout", _log_out(visitors, access))
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
        answer: web.StreamResponse
        if path.suffix == ".html":
            shown = path if access.lets_in(request) else path.with_name("password.html")
            answer = web.Response(text=_filled_in(shown, request, access), content_type="text/html")
            access.keep(request, answer)
        else:
            answer = web.FileResponse(path)
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    return handle


def _filled_in(path: Path, request: web.Request, access: Access) -> str:
    """The text of a page, with the games, the address it was asked at, and a way to log out."""
    games = (f'<li><a href="?game={one}">{escape(title_of(one))}</a></li>' for one in game_ids())
    text = path.read_text("utf-8")
    text = text.replace(_GAMES, "\n        ".join(games))
    text = text.replace(_HOST, escape(request.host))
    return text.replace(_LOG_OUT, _LOG_OUT_FORM if access.asks else "")


def _log_in(visitors: Visitors, access: Access) -> Handler:
    """Takes the form with the password; the games of the cookie go along to its new secret."""

    async def handle(request: web.Request) -> web.StreamResponse:
        access.check_origin(request)
        access.check_password(request, await _password(request))
        answer = web.Response(status=303, headers={"Location": "./"})
        before = access.secret(request)
        await visitors.move(before, access.log_in(request, answer))
        return answer

    return handle


async def _password(request: web.Request) -> str:
    """The password in the form of the page; no other form is read."""
    try:
        async with asyncio.timeout(_REQUEST):
            body = await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(text="Your password did not arrive in time.\n") from None
    refusal = web.HTTPBadRequest(text="This is not the form of the page.\n")
    if request.content_type != _FORM or (request.charset or "utf-8").lower() != "utf-8":
        raise refusal
    try:
        fields = parse_qs(
            body.decode(errors="replace"), keep_blank_values=True, max_num_fields=_FIELDS, errors="replace"
        )
    except ValueError:
        raise refusal from None
    if "password" not in fields:
        raise refusal
    return fields["password"][0]


def _log_out(visitors: Visitors, access: Access) -> Handler:
    """Takes the form that logs out; the visits of this browser end."""

    async def handle(request: web.Request) -> web.StreamResponse:
        access.check_origin(request)
        answer = web.Response(status=303, headers={"Location": "./"})
        access.log_out(request, answer)
        await visitors.end_visits(access.secret(request))
        return answer

    return handle


def _line(visitors: Visitors, access: Access) -> Handler:
    """The websocket of a page: its text frames are commands of the page, bytes are what to draw."""

    async def handle(request: web.Request) -> web.StreamResponse:
        access.check_origin(request)
        secret = access.secret(request)
        if not secret or not access.lets_in(request):
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
