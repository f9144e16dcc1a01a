"""The door for browsers: one page with a terminal in it, and the line between that and duelbox.

The terminal is the one that textual-serve brings (xterm.js). Its page is not used: it asks other hosts for a font, and
its server talks to whoever asks, from whichever page.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import secrets
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Final

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.typedefs import Handler, Middleware

from duelbox.core.errors import DuelboxError
from duelbox.serve.house import House, Visit

COOKIE: Final = "duelbox"
_SECRET: Final = re.compile(r"[\w-]{43}", re.ASCII)
_YEAR: Final = 365 * 24 * 60 * 60
_HEARTBEAT: Final = 15.0  # seconds between two questions whether a page is still there
_LARGEST_MESSAGE: Final = 1 << 20
_ENVIRONMENT: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
_REASON: Final = 123  # bytes that a closing line may give as its reason

_OURS: Final = {"/": "page.html", "/page.js": "page.js", "/page.css": "page.css"}
_THEIRS: Final = {"/xterm.js": "js/textual.js", "/xterm.css": "css/xterm.css"}

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@asynccontextmanager
async def open_door(house: House, host: str, port: int, names: Collection[str]) -> AsyncIterator[int]:
    """Answer browsers; gives the port. Raises OSError where that is not to be had."""
    app = web.Application(middlewares=[_guard(names)])
    for address, name in _OURS.items():
        app.router.add_get(address, _page(Path(str(files(__package__).joinpath(name)))))
    for address, name in _THEIRS.items():
        path = Path(str(files("textual_serve").joinpath("static", name)))
        if not path.is_file():
            raise DuelboxError(f"This textual-serve has no {name}; duelbox needs version 1.1.")
        app.router.add_get(address, _page(path))
    app.router.add_get("/line", _line(house))
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def _guard(names: Collection[str]) -> Middleware:
    """Answer only to names that are ours: a page from elsewhere can make its own name lead to this machine."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not _is_ours(request.host, names):
            sentence = "This duelbox does not go by that name. Whoever started it can say: duelbox serve --name NAME"
            return web.Response(status=403, text=f"{sentence}\n", headers=_HEADERS)
        try:
            answer = await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(_HEADERS)
            raise
        if not answer.prepared:
            answer.headers.update(_HEADERS)
        return answer

    return guard


def _is_ours(host: str, names: Collection[str]) -> bool:
    """Is this an address in figures, this machine, or a name that we were told?"""
    name = host.rpartition(":")[0] if re.search(r":\d+\Z", host) else host
    with suppress(ValueError):
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        return True
    return name.lower().removesuffix(".") in {"localhost", *(one.lower() for one in names)}


def _page(path: Path) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        answer = web.FileResponse(path, headers={"Cache-Control": "no-cache"})
        if path.suffix == ".html" and not _SECRET.fullmatch(request.cookies.get(COOKIE, "")):
            secret = secrets.token_urlsafe(32)
            answer.set_cookie(COOKIE, secret, max_age=_YEAR, httponly=True, samesite="Strict", secure=request.secure)
        return answer

    return handle


def _line(house: House) -> Handler:
    """The line to a page: text is what it says, bytes are what it is to draw."""

    async def handle(request: web.Request) -> web.StreamResponse:
        secret = request.cookies.get(COOKIE, "")
        # A browser always says which page opens a line; it must be ours.
        if request.headers.get("Origin", "").partition("://")[2] != request.host or not _SECRET.fullmatch(secret):
            raise web.HTTPForbidden(text="Only the page of this duelbox can open this line.\n")
        line = web.WebSocketResponse(heartbeat=_HEARTBEAT, max_msg_size=_LARGEST_MESSAGE, compress=False)
        await line.prepare(request)
        size = _whole(request.query.get("width"), 80), _whole(request.query.get("height"), 24)
        try:
            visit = await house.welcome(secret, _ENVIRONMENT, size)
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
            await house.farewell(visit)
        return line

    return handle


async def _show(visit: Visit, line: web.WebSocketResponse) -> None:
    with suppress(ConnectionError):
        await _hang_up(line, WSCloseCode.OK, await visit.show(line.send_bytes))


async def _hang_up(line: web.WebSocketResponse, code: WSCloseCode, sentence: str) -> None:
    reason = sentence.encode()[:_REASON].decode(errors="ignore")
    await line.close(code=code, message=reason.encode())


async def _take(visit: Visit, line: web.WebSocketResponse, text: str) -> None:
    """Do what the page says; what it cannot have said is ignored."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return
    match said:
        case ["stdin", str(typed)]:
            await visit.type(typed.encode(errors="replace"))
        case ["resize", {"width": int(width), "height": int(height)}]:
            visit.resize(width, height)
        case ["ping", str(mark)]:
            await line.send_json(["pong", mark])


def _whole(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 5 else otherwise
