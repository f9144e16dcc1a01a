"""Cookies, the password, and the pages that may use them."""

from __future__ import annotations

import hmac
import logging
import re
import secrets
from collections import OrderedDict
from typing import Final

from aiohttp import web

from duelbox.core.names import printable
from duelbox.relay.limits import MINUTE, Bucket, RecentlyUsed
from duelbox.relay.proxies import Proxies

COOKIE: Final = "duelbox"
_SECRET: Final = re.compile(r"[\w-]{43}", re.ASCII)
_YEAR: Final = 365 * 24 * 60 * 60
_WRONG_A_COOKIE: Final = 5
"""Wrong passwords a minute."""
_WRONG_AN_ADDRESS: Final = 60
"""More than a class mistypes, which has one address behind a router; so that nobody locks the others out."""
_MOST_LET_IN: Final = 10_000
_ORIGIN: Final = 100  # characters of a refused origin that the log shows
_ELSEWHERE: Final = """\
Only a page of this duelbox can do that.
Are you on its page? The server in between does not pass on its address.
Whoever runs that server can read: duelbox help visitors
"""

_log = logging.getLogger(__name__)


class Access:
    """Decides who is let in, by their address, cookie and password."""

    def __init__(self, proxies: Proxies, password: str = "") -> None:
        """An empty password means that none is needed."""
        self._proxies = proxies
        self._password = password.encode()
        self._wrong_by_cookie = RecentlyUsed(lambda: Bucket(_WRONG_A_COOKIE / MINUTE, _WRONG_A_COOKIE))
        self._wrong_by_address = RecentlyUsed(lambda: Bucket(_WRONG_AN_ADDRESS / MINUTE, _WRONG_AN_ADDRESS))
        self._let_in: OrderedDict[str, None] = OrderedDict()

    @property
    def asks(self) -> bool:
        """A password is needed."""
        return bool(self._password)

    def address(self, request: web.Request) -> str:
        """The client address that limits count."""
        return self._proxies.client(request.remote or "", ",".join(request.headers.getall("X-Forwarded-For", ())))

    # -- cookies

    def secret(self, request: web.Request) -> str:
        """The secret in the visitor's cookie; empty if there is none."""
        secret = request.cookies.get(self._cookie(request), "")
        return secret if _SECRET.fullmatch(secret) else ""

    def keep(self, request: web.Request, answer: web.StreamResponse) -> None:
        """Give the browser a secret if it has none."""
        if not self.secret(request):
            self._set_cookie(request, answer, secrets.token_urlsafe(32))

    def _set_cookie(self, request: web.Request, answer: web.StreamResponse, secret: str) -> None:
        name = self._cookie(request)
        secure = self._is_over_tls(request)
        answer.set_cookie(name, secret, max_age=_YEAR, httponly=True, samesite="Strict", secure=secure)

    def _cookie(self, request: web.Request) -> str:
        """The name of the cookie. Over TLS it is one that no other host, port or plain answer can set."""
        return f"__Host-{COOKIE}" if self._is_over_tls(request) else COOKIE

    def _is_over_tls(self, request: web.Request) -> bool:
        """A trusted proxy says so; a request could name https itself."""
        return self._proxies.trust(request.remote or "") and request.headers.get("X-Forwarded-Proto") == "https"

    # -- pages

    def check_origin(self, request: web.Request) -> None:
        """Refuse what a page of another server sends; browsers name the page with every form and websocket."""
        origin = request.headers.get("Origin", "")
        scheme, _, host = origin.partition("://")
        if host == request.host and (scheme == "https" or not self._is_over_tls(request)):
            return
        if origin:
            shown = printable(origin[:_ORIGIN])
            _log.warning(
                "A page at %s was refused: this is %s. A server in between has to pass on Host (duelbox help visitors)",
                shown,
                printable(request.host[:_ORIGIN]),
            )
        raise web.HTTPForbidden(text=_ELSEWHERE)

    # -- the password

    def lets_in(self, request: web.Request) -> bool:
        """The visitor needs no password, or has given it since the server started."""
        return not self._password or self.secret(request) in self._let_in

    def check_password(self, request: web.Request, password: str) -> None:
        """Refuse a wrong password, and any for a minute after too many."""
        address = self.address(request)
        by_cookie = self._wrong_by_cookie.of(self.secret(request) or address)
        by_address = self._wrong_by_address.of(address)
        if by_cookie.wait() > 0:
            raise web.HTTPTooManyRequests(text=f"You typed {_WRONG_A_COOKIE} wrong passwords. Wait a minute.\n")
        if by_address.wait() > 0:
            sentence = f"{_WRONG_AN_ADDRESS} wrong passwords came from your address. Wait a minute."
            raise web.HTTPTooManyRequests(text=f"{sentence}\n")
        if not hmac.compare_digest(password.encode(errors="replace"), self._password):
            by_cookie.take()
            by_address.take()
            raise web.HTTPForbidden(text="That is not the password. Go back and type it again.\n")

    def log_in(self, request: web.Request, answer: web.StreamResponse) -> str:
        """Let the visitor in with a new secret, and return it.

        The old one, which somebody else may have put into the browser, opens nothing any more.
        """
        self._let_in.pop(self.secret(request), None)
        secret = secrets.token_urlsafe(32)
        self._let_in[secret] = None
        if len(self._let_in) > _MOST_LET_IN:
            self._let_in.popitem(last=False)
        self._set_cookie(request, answer, secret)
        return secret

    def log_out(self, request: web.Request, answer: web.StreamResponse) -> None:
        """Let the visitor in no more, and have the browser forget the secret."""
        self._let_in.pop(self.secret(request), None)
        secure = self._is_over_tls(request)
        answer.del_cookie(self._cookie(request), secure=secure, httponly=True, samesite="Strict")
