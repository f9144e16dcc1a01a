"""`duelbox relay`: runs a relay, where players on different machines meet, until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import signal
import ssl
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duelbox.commands.shared import private_folder
from duelbox.core.errors import DuelboxError
from duelbox.core.names import printable
from duelbox.friends.missing_library import require

if TYPE_CHECKING:
    from duelbox.relay.room_log import RoomLog
    from duelbox.relay.server import Relay

FILE = "relay.server.db"
EVERY = 60
"""Seconds between two status lines; on a terminal one line is updated each second."""
CLEAR = "\r\x1b[K"
"""Clears the status line before something else is written there."""


def run(args: Namespace) -> int:
    """Run the relay until a signal ends it."""
    require("A relay", "net", "websockets")
    _log(args.addresses)
    with suppress(asyncio.CancelledError):
        asyncio.run(_serve(args))
    return 0


async def _serve(args: Namespace) -> None:
    from duelbox.relay.server import serving

    loop, me = asyncio.get_running_loop(), asyncio.current_task()
    assert me
    loop.set_exception_handler(_complain)
    tls = _tls(args.tls) if args.tls else None
    with suppress(NotImplementedError, AttributeError):  # the system lacks these signals
        loop.add_signal_handler(signal.SIGTERM, me.cancel)
        if tls:
            loop.add_signal_handler(signal.SIGHUP, _renew, tls, args.tls)
    log: RoomLog | None = None
    if args.nats:
        require("A relay on NATS", "nats", "nats")
        from duelbox.relay.jetstream import JetStreamRoomLog

        log = await JetStreamRoomLog.open(args.nats)
    path = None if log else Path(args.file) if args.file else private_folder() / FILE
    async with serving(args.listen, path, log=log, tls=tls, proxies=args.proxy) as relay:
        sys.stderr.write(f"The relay is at {relay.address}. To host a game there: duelbox host GAME --relay ADDRESS\n")
        await _tell(relay)


async def _tell(relay: Relay) -> None:
    """Print the numbers of rooms and players when they change."""
    terminal = sys.stderr.isatty()
    printed, entries = "", 0
    while True:
        rate, entries = (relay.kept - entries) / (1 if terminal else EVERY), relay.kept
        line = ", ".join(f"{name} {count:,}" for name, count in relay.status.items()) + f" ({rate:.1f} a second)"
        if terminal or line != printed:
            sys.stderr.write(f"{CLEAR}{line}" if terminal else f"{line}\n")
            sys.stderr.flush()
            printed = line
        await asyncio.sleep(1 if terminal else EVERY)


def _tls(files: list[str]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _load(context, files)
    return context


def _load(context: ssl.SSLContext, files: list[str]) -> None:
    try:
        context.load_cert_chain(*files)
    except (OSError, ValueError) as error:  # SSLError is an OSError
        named = " and ".join(printable(file) for file in files)
        raise DuelboxError(f"{named} cannot be used for TLS: {printable(error.args[-1])}.") from error


def _renew(context: ssl.SSLContext, files: list[str]) -> None:
    try:
        _tls(files)  # tried first: bad files would leave the context without a key
        _load(context, files)
    except DuelboxError as error:
        logging.getLogger("duelbox.relay").warning("%s", error.sentence)


def _complain(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an exception outside of any request, such as a lack of sockets, on one line."""
    error = context.get("exception")
    logging.getLogger("duelbox.relay").warning("%s: %s", context["message"], printable(error))


def _log(addresses: bool) -> None:
    from duelbox.relay.limits import OnceAMinute

    handler = logging.StreamHandler()
    where = " [%(address)s]" if addresses else ""
    clear = CLEAR if sys.stderr.isatty() else ""
    handler.addFilter(OnceAMinute())
    handler.setFormatter(logging.Formatter(f"{clear}%(asctime)s %(message)s{where}", defaults={"address": "-"}))
    log = logging.getLogger("duelbox.relay")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
