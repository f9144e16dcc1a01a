"""duelbox over ssh: a visitor is known by their key, and can do nothing but play."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import asyncssh

from duelbox.core.errors import DuelboxError
from duelbox.relay.limited_socket import LimitedSocket
from duelbox.relay.proxies import client_network
from duelbox.serve.visitors import Visit, Visitors
from duelbox.store.files import reason, replace

Process = asyncssh.SSHServerProcess[bytes]

_KEY: Final = "duelbox_key"
_KEEPALIVE: Final = 15  # seconds between two checks that a client is still there
_LOGIN_WITHIN: Final = 30  # seconds to show a key
_CHUNK: Final = 1 << 12
_PASSED_ON: Final = ("NO_COLOR", "COLORTERM")
_REFUSED: Final = 2
_ONLY_DUELBOX: Final = "There is duelbox here, and nothing else: no commands, no files."
_NO_TERMINAL: Final = "duelbox needs a terminal: ssh -t"
_CUT: Final = "socket.send() raised exception."
_CLOSED: Final = (asyncssh.Error, ConnectionError, BrokenPipeError)


@asynccontextmanager
async def serve_ssh(visitors: Visitors, listening: LimitedSocket, keys: Path) -> AsyncIterator[int]:
    """Serve ssh clients whose key is in the file; yields the port."""
    _read_keys(keys)  # report mistakes in the file at once
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
    logging.getLogger("asyncio").addFilter(_is_no_cut)
    server = await asyncssh.create_server(
        lambda: _KeyCheck(keys),
        sock=listening,
        server_version="duelbox",
        server_host_keys=[_host_key(visitors.folder / "host_key")],
        process_factory=lambda process: _receive(visitors, process),
        encoding=None,
        line_editor=False,
        allow_scp=False,
        agent_forwarding=False,
        x11_forwarding=False,
        password_auth=False,
        kbdint_auth=False,
        host_based_auth=False,
        gss_host=None,
        login_timeout=_LOGIN_WITHIN,
        keepalive_interval=_KEEPALIVE,
        keepalive_count_max=2,
    )
    try:
        yield server.get_port()
    finally:
        server.close()
        await server.wait_closed()


def _is_no_cut(record: logging.LogRecord) -> bool:
    """The record is not about answers to a connection that was cut, which asyncssh still sends."""
    return record.msg != _CUT


def _read_keys(path: Path) -> asyncssh.SSHAuthorizedKeys:
    """Read the keys of a file like authorized_keys; raises DuelboxError."""
    try:
        return asyncssh.read_authorized_keys(str(path))
    except OSError as error:
        raise DuelboxError(f"The keys in {path} cannot be read: {reason(error)}.") from None
    except ValueError:
        raise DuelboxError(f"There is no key in {path}. A line of it looks like one of ~/.ssh/*.pub.") from None


def _host_key(path: Path) -> asyncssh.SSHKey:
    """The server's own key, created at the first start; raises DuelboxError."""
    try:
        if not path.exists():
            replace(path, asyncssh.generate_private_key("ssh-ed25519").export_private_key())
        return asyncssh.read_private_key(path)
    except (OSError, asyncssh.KeyImportError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not a key"
        raise DuelboxError(f"The server's own key, {path}, cannot be used: {why}.") from None


class _KeyCheck(asyncssh.SSHServer):
    """Checks a client's key; the base class refuses all other ways to log in."""

    def __init__(self, keys: Path) -> None:
        self._keys = keys
        self._shown = b""

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._conn = conn

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """The key is in the file as it is now. The key of the last call is the one that the client then signs with."""
        self._shown = key.public_data
        address = str(self._conn.get_extra_info("peername")[0])
        try:
            return _read_keys(self._keys).validate(key, address, address) is not None
        except DuelboxError:
            return False

    def auth_completed(self) -> None:
        self._conn.set_extra_info(**{_KEY: sha256(self._shown).hexdigest()})


def _refusal(process: Process) -> str:
    """A sentence for a client that wants something else than duelbox on a terminal; empty for all others."""
    if process.command or process.subsystem:
        return _ONLY_DUELBOX
    if not process.term_type:
        return _NO_TERMINAL
    return ""


async def _receive(visitors: Visitors, process: Process) -> None:
    sentence = _refusal(process)
    if not sentence:
        try:
            environ = {name: value for name, value in process.env.items() if name in _PASSED_ON}
            environ |= {"TERM": process.term_type or "", "LANG": "C.UTF-8"}
            address = client_network(str(process.get_extra_info("peername")[0]))
            visit = await visitors.start_visit(process.get_extra_info(_KEY), environ, process.term_size[:2], address)
        except DuelboxError as refusal:
            sentence = refusal.sentence
    if sentence:
        process.stderr.write(f"{sentence}\r\n".encode())
        process.exit(_REFUSED)
        return
    hearing = asyncio.create_task(_hear(process, visit))
    try:
        showing = asyncio.create_task(visit.show(lambda drawn: _draw(process, drawn)))
        await asyncio.wait((hearing, showing), return_when=asyncio.FIRST_COMPLETED)
        if showing.done() and not showing.exception():
            process.stdout.write(f"{showing.result()}\r\n".encode())
        showing.cancel()
        process.exit(0)
    finally:
        hearing.cancel()
        await visitors.end_visit(visit)


async def _draw(process: Process, drawn: bytes) -> None:
    process.stdout.write(drawn)
    await process.stdout.drain()


async def _hear(process: Process, visit: Visit) -> None:
    """Pass on keys and sizes until the connection ends."""
    with suppress(*_CLOSED):
        while not process.stdin.at_eof():
            try:
                visit.type(await process.stdin.read(_CHUNK))
            except asyncssh.TerminalSizeChanged as change:
                visit.resize(change.width, change.height)
            except (asyncssh.BreakReceived, asyncssh.SignalReceived):
                pass
