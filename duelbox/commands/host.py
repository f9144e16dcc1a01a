"""`duelbox host`: open a table for a friend elsewhere."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError

if TYPE_CHECKING:
    from duelbox.store.settings import Settings


def run(args: Namespace) -> int:
    """Open it, tell the code, and play."""
    from duelbox.plain.console import Console
    from duelbox.plain.elsewhere import LineElsewhere
    from duelbox.plain.elsewhere import run as play
    from duelbox.sitting.invite import check_installed, host
    from duelbox.sitting.opening import opening
    from duelbox.store.store import Store

    check_installed()
    asked = opening(args.game, args.preset)
    _check_rounds(args.rounds)
    console, store = Console(sys.stdin, sys.stdout), Store.open()
    settings = own_settings()
    name, relay = args.name or settings.names[0], "" if args.nearby else args.relay or settings.relay

    async def match() -> None:
        table = LineElsewhere(console)
        waiting = await host(
            store, asked, name, args.rounds, lesson=args.lesson, relay=relay, paste=args.paste, near=args.nearby
        )
        try:
            sitting = await table.wait(waiting)
        except BaseException:
            await waiting.close()
            raise
        await table.play(sitting, name)

    try:
        return play(match())
    finally:
        store.close()


def _check_rounds(rounds: int) -> None:
    from duelbox.core.match import MAX_ROUNDS

    if not 1 <= rounds <= MAX_ROUNDS:
        raise DuelboxError(f"A match has 1 to {MAX_ROUNDS} rounds, not {rounds}.")


def own_settings() -> Settings:
    """The settings: what whoever sits here is called, and the relay to meet at."""
    from duelbox.store.settings import Config

    return Config.load().settings
