"""`duelbox serve`: opens the full screen to visitors, in browsers or over ssh."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import signal
import sys
from argparse import Namespace
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from duelbox.commands.shared import is_here, private_folder
from duelbox.core.errors import DuelboxError
from duelbox.friends.missing_library import missing_library
from duelbox.relay.address import MAX_PORT, relay_at

if TYPE_CHECKING:
    from duelbox.relay.limited_socket import LimitedSocket
    from duelbox.relay.proxies import Proxies
    from duelbox.serve.prefork import Prefork
    from duelbox.serve.visitors import Visitors

_PARTS = ("fcntl", "resource", "termios")
_NO_LOGIN = "There is no login: whoever can open the page"
_LOGIN = "Whoever knows the password"
_LEAST_MEMORY = 128  # megabytes; a process begins with 80, and threads need some


def run(args: Namespace) -> int:
    """Serve visitors until a signal ends it."""
    if not hasattr(os, "fork") or not all(map(is_here, _PARTS)):
        raise DuelboxError(
            "duelbox serve needs pseudo-terminals, as Linux and macOS have them. On Windows, start it in WSL."
        )
    port = args.port if args.ssh is None else args.ssh
    if port > MAX_PORT:
        raise DuelboxError(f"A port is a number from 0 to {MAX_PORT}, not {port}.")
    for what, given, least in (
        ("--visitors", args.visitors, 1),
        ("--per-address", args.per_address, 1),
        ("--memory", args.memory, _LEAST_MEMORY),
        ("--disk", args.disk, 1),
    ):
        if given is not None and given < least:
            raise DuelboxError(f"{what} is a number from {least} up, not {given}.")
    if (args.ssh is None) != (args.keys is None):
        raise DuelboxError("--ssh PORT and --keys FILE belong together: the file says whose keys open the door.")
    if args.ssh is not None and args.password is not None:
        raise DuelboxError("--password is for browsers; over ssh, the keys say who may come in.")
    if args.relay is not None:
        args.relay = relay_at(args.relay)
    module, extra = ("textual_serve", "web") if args.ssh is None else ("asyncssh", "ssh")
    if not is_here(module):
        raise missing_library("Serving", extra)

    from duelbox.serve.prefork import Prefork

    prefork = Prefork()
    try:
        return asyncio.run(_serve(args, port, prefork))
    finally:
        prefork.close()


async def _serve(args: Namespace, port: int, prefork: Prefork) -> int:
    from duelbox.relay.limited_socket import LimitedSocket
    from duelbox.relay.limits import OnceAMinute
    from duelbox.relay.proxies import Proxies
    from duelbox.serve.visitors import Visitors
    from duelbox.store.files import reason

    handler = logging.StreamHandler()
    handler.addFilter(OnceAMinute())
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s", handlers=[handler])
    folder = private_folder("visitors")
    an_address = args.per_address or (args.visitors + 1) // 2
    limits = {"an_address": an_address, "disk": args.disk, "processor": args.processor, "relay": args.relay or ""}
    visitors = Visitors(folder, prefork, args.visitors, args.idle, args.memory, **limits)
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    try:
        proxies = Proxies(args.proxy)
        # a browser opens several connections for a page, and keeps one open
        listening = LimitedSocket(args.host, port, 500 + 8 * args.visitors, 40 + 8 * an_address, proxies)
        async with _door(args, listening, visitors, proxies) as port:
            _announce(args, port)
            tasks = [asyncio.create_task(visitors.sweep()), asyncio.create_task(visitors.hold_disk_limit())]
            await stopping.wait()
            for task in tasks:
                task.cancel()
            await visitors.close()
    except OSError as error:
        raise DuelboxError(f"Port {port} of {args.host} cannot be opened: {reason(error)}.") from None
    return 0


def _door(
    args: Namespace, listening: LimitedSocket, visitors: Visitors, proxies: Proxies
) -> AbstractAsyncContextManager[int]:
    """The server for visitors, which gives the port when it is entered."""
    if args.ssh is None:
        from duelbox.serve.access import Access
        from duelbox.serve.web import serve_browsers

        return serve_browsers(visitors, listening, args.name, Access(proxies, _password(args.password)))
    from duelbox.serve.ssh import serve_ssh

    return serve_ssh(visitors, listening, Path(args.keys))


def _password(file: str | None) -> str:
    """The first line of the file; empty if no file is named. Raises DuelboxError."""
    if file is None:
        return ""
    from duelbox.store.files import read_regular, reason

    try:
        first = read_regular(Path(file), 1000).decode().partition("\n")[0].strip()
    except (OSError, ValueError) as error:
        raise DuelboxError(f"The password in {file} cannot be read: {reason(error)}.") from None
    if not first:
        raise DuelboxError(f"There is no password in {file}; its first line is the password.")
    return first


def _announce(args: Namespace, port: int) -> None:
    """Print the address, the people who can play there, and how to stop it."""
    host, alone = args.host, args.host == "localhost"
    with suppress(ValueError):
        alone = ipaddress.ip_address(host).is_loopback
    if args.ssh is None:
        shown = f"[{host}]" if ":" in host else host
        where = f"duelbox is at http://{shown}:{port}/"
        safety = f"{_NO_LOGIN if args.password is None else _LOGIN} can play."
    else:
        where = f"duelbox is at ssh -p {port} {host}"
        safety = f"Whoever has a key in {args.keys} can play."
    whom = "for this machine only" if alone else "for everybody who can reach this machine"
    open_line = "" if alone or args.ssh is not None else " Nothing is encrypted: put a web server with https before it."
    sys.stdout.write(f"{where}, {whom}.\n{safety}{open_line}\nCtrl+C ends it.\n")
    sys.stdout.flush()
