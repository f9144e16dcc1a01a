"""`duelbox watch`: watch a match of two who play elsewhere."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duelbox.sitting.watching import Watching


def run(args: Namespace) -> int:
    """Watch with a key: on the full screen, or in lines."""
    from duelbox.commands.host import own_settings
    from duelbox.commands.play import above_home
    from duelbox.net.words import read_watch_key
    from duelbox.sitting.invite import check_installed
    from duelbox.sitting.watching import watch

    check_installed()
    relay = args.relay or own_settings().relay
    read_watch_key(args.key.partition("@")[0])

    def opens() -> Coroutine[Any, Any, Watching]:
        return watch(args.key, relay, near=args.nearby)

    if args.plain:
        return _plain(opens)
    return above_home(lambda app: app.ways.meet("", joins=opens), "duelbox watch KEY --plain")


def _plain(opens: Callable[[], Coroutine[Any, Any, Watching]]) -> int:
    from duelbox.plain.console import Console
    from duelbox.plain.watching import LineWatching
    from duelbox.plain.watching import run as play

    console = Console(sys.stdin, sys.stdout)

    async def match() -> None:
        await LineWatching(console, await opens()).play()

    return play(match())
