"""A listening socket with limits that hold before any handshake."""

from __future__ import annotations

import os
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from duelbox.relay.proxies import Proxies, client_network

_RESERVED = 64
"""Files that a process needs beside its connections."""


class LimitedSocket(socket.socket):
    """A listening socket that counts connections by address from their first byte on.

    It closes connections over the limit at once. A trusted proxy has many clients, so only the total limits it.
    """

    def __init__(self, host: str, port: int, most: int, an_address: int, proxies: Proxies) -> None:
        """Listen at the first address of the host; raises OSError."""
        try:
            candidates = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except UnicodeError as error:
            raise OSError(0, "the name cannot be that of a machine") from error
        family, kind, proto, _, where = min(candidates, key=lambda one: one[0] != socket.AF_INET)
        super().__init__(family, kind, proto)
        self._most = min(most, file_limit() - _RESERVED)
        self._an_address = an_address
        self._proxies = proxies
        self._spare = os.open(os.devnull, os.O_RDONLY)
        self.count: Counter[str] = Counter()
        """Open connections by address."""
        try:
            if os.name == "posix":
                self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                self.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            self.bind(where)
        except OSError:
            self.close()
            raise

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection; raises BlockingIOError if it had to be refused."""
        try:
            handle, address = self._accept()  # type: ignore[attr-defined]
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            raise
        except OSError as error:  # no file is left: use the spare one to refuse the connection
            os.close(self._spare)
            with suppress(OSError):
                os.close(self._accept()[0])  # type: ignore[attr-defined]
            self._spare = os.open(os.devnull, os.O_RDONLY)
            raise BlockingIOError from error
        connection = _Counted(self.family, self.type, self.proto, fileno=handle)
        name = client_network(str(address[0]))
        full = self.count.total() >= self._most
        if full or (self.count[name] >= self._an_address and not self._proxies.trust(str(address[0]))):
            connection.close()
            raise BlockingIOError
        self.count[name] += 1
        connection.closed = partial(self._forget, name)
        return connection, address

    def close(self) -> None:
        """Stop listening."""
        spare, self._spare = self._spare, -1
        if spare >= 0:
            os.close(spare)
        super().close()

    def _forget(self, name: str) -> None:
        self.count[name] -= 1
        if not self.count[name]:
            del self.count[name]


class _Counted(socket.socket):
    """A connection that reports when it is closed."""

    closed: Callable[[], None] | None = None

    def close(self) -> None:
        closed, self.closed = self.closed, None
        if closed is not None:
            closed()
        super().close()


def file_limit() -> int:
    """The number of files this process may open, after raising it to what the system allows."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != most:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return soft if soft != resource.RLIM_INFINITY else 1 << 20
    return 1 << 20
