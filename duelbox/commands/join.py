"""`duelbox join`: sit down at a friend's table, or go on with a match."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from duelbox.core.errors import DuelboxError

if TYPE_CHECKING:
    from duelbox.sitting.elsewhere import Elsewhere
    from duelbox.store.store import Store


def run(args: Namespace) -> int:
    """Join by the code, or without one go on with the match played last: on the full screen, or in lines."""
    from duelbox.commands.host import own_settings
    from duelbox.commands.play import above_home
    from duelbox.core.names import clean_name
    from duelbox.net.words import read_code
    from duelbox.sitting.invite import check_installed, guest_name, join

    check_installed()
    settings = own_settings()
    name = clean_name(args.name or guest_name(settings.names))
    if args.code is not None:
        read_code(args.code.partition("@")[0])

    def opens(store: Store) -> Coroutine[Any, Any, Elsewhere]:
        if args.code is None:
            return _last(store)
        return join(store, args.code, args.relay or settings.relay, near=args.nearby)

    if args.plain:
        from duelbox.plain.elsewhere import played

        return played(opens, name)
    return above_home(lambda app: app.ways.meet(name, joins=lambda: opens(app.store)), "duelbox join CODE --plain")


async def _last(store: Store) -> Elsewhere:
    """The match that was played last."""
    from duelbox.sitting.invite import away, go_on

    found = away(store)
    if not found:
        raise DuelboxError("There is no match to go on with. To join a friend: duelbox join CODE")
    return await go_on(store, found[0].path)
