"""`duelbox join`: sit down at a friend's table, or go on with a match."""

from __future__ import annotations

import sys
from argparse import Namespace

from duelbox.core.errors import DuelboxError


def run(args: Namespace) -> int:
    """Join by the code, or without one go on with the match played last."""
    from duelbox.commands.host import own_settings
    from duelbox.core.names import clean_name
    from duelbox.core.session import DEFAULT_NAMES
    from duelbox.plain.console import Console
    from duelbox.plain.elsewhere import LineElsewhere
    from duelbox.plain.elsewhere import run as play
    from duelbox.sitting.invite import away, check_installed, go_on, join
    from duelbox.store.store import Store

    check_installed()
    console, store = Console(sys.stdin, sys.stdout), Store.open()
    settings = own_settings()
    name = clean_name(args.name or settings.names[settings.names[0] == DEFAULT_NAMES[0]])

    async def match() -> None:
        if args.code is None:
            found = away(store)
            if not found:
                raise DuelboxError("There is no match to go on with. To join a friend: duelbox join CODE")
            sitting = await go_on(store, found[0].path)
        else:
            sitting = await join(store, args.code, args.relay or settings.relay, near=args.nearby)
        await LineElsewhere(console).play(sitting, name)

    try:
        return play(match())
    finally:
        store.close()
