"""`duelbox host`: open a table for a friend elsewhere."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duelbox.sitting.invite import Waiting
    from duelbox.store.settings import Settings
    from duelbox.store.store import Store


def run(args: Namespace) -> int:
    """Open it, tell the code, and play: on the full screen, or in lines."""
    from duelbox.commands.play import above_home
    from duelbox.core.match import check_rounds
    from duelbox.core.names import clean_name
    from duelbox.sitting.invite import check_installed, host
    from duelbox.sitting.opening import opening

    check_installed()
    asked, settings = opening(args.game, args.preset), own_settings()
    check_rounds(args.rounds)
    name = clean_name(args.name or settings.names[0])
    relay = "" if args.nearby else args.relay or settings.relay

    def opens(store: Store) -> Coroutine[Any, Any, Waiting]:
        return host(
            store,
            asked,
            name,
            args.rounds,
            lesson=args.lesson,
            relay=relay,
            paste=args.paste,
            near=args.nearby,
            watch=args.watch,
        )

    if args.plain:
        from duelbox.plain.elsewhere import played

        return played(opens, name)
    return above_home(lambda app: app.ways.meet(name, hosts=lambda: opens(app.store)), "duelbox host GAME --plain")


def own_settings() -> Settings:
    """The settings: what whoever sits here is called, and the relay to meet at."""
    from duelbox.store.settings import Config

    return Config.load().settings
