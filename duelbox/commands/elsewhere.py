"""`duelbox host` and `join`: matches with friends elsewhere, on the full screen or in lines."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from functools import partial
from typing import TYPE_CHECKING

from duelbox.commands.shared import above_home, check_alone, has_screen, keep_secrets
from duelbox.core.errors import BadName, DuelboxError
from duelbox.core.match import check_rounds
from duelbox.core.names import chosen_name
from duelbox.friends import lobby, unfinished
from duelbox.friends.join_code import read_join_code
from duelbox.friends.live_match import LiveMatch
from duelbox.friends.missing_library import check_friends_available
from duelbox.friends.watch_key import read_watch_key
from duelbox.plain.console import Console
from duelbox.store.programs import known_programs
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.table.new_game import read_new_game
from duelbox.table.players import NAME_ASKED, lacks_name, names_with
from duelbox.table.programs import program_player, startable

if TYPE_CHECKING:
    from duelbox.plain.line_elsewhere import Opens


def _check(args: Namespace) -> None:
    keep_secrets(lines=args.plain)
    check_friends_available()
    if args.nearby:
        check_alone(args, "--nearby", "needs no relay", ("relay",))


def _meet(args: Namespace, name: str, opens: Opens, instead: str) -> int:
    """Play or watch a match, in lines or on the full screen; without a terminal, `instead` is named."""
    if not args.plain:
        return above_home(lambda app: app.navigation.meet(name, opens), instead)
    from duelbox.plain.line_elsewhere import play_elsewhere

    asyncio.run(play_elsewhere(opens, name))
    return 0


def _name(args: Namespace, saved: str, usage: str) -> str:
    """The name that the friend reads: given, saved, or typed now by somebody who has none and was never asked."""
    if args.name:
        return chosen_name(args.name)
    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        if not lacks_name(store, saved):
            return saved
        if console.interactive and sys.stdout.isatty() and (args.plain or has_screen()):
            name = _asked_name(console, saved)
            store.progress.add(*NAME_ASKED, True)
            return name
    if args.plain:
        console.say(f"Your friend reads {saved} as your name. For another: {usage} --name NAME")
        console.flush()
    return saved


def _asked_name(console: Console, usual: str) -> str:
    """Ask for a name until one can be taken, and keep it in the settings; an empty answer takes the usual one."""
    while True:
        console.write(f"Your name, for your friend to read (Enter: {usual}): ")
        answer = console.read()
        if not answer:
            return usual
        try:
            name = chosen_name(answer)
        except BadName as error:
            console.say(error.sentence)
            continue
        config = Config.load()
        if trouble := config.change(names=names_with(name, config.settings.names)):
            console.say(trouble)
        return name


def host(args: Namespace) -> int:
    """Host a match: print the code for a friend, wait, and play."""
    _check(args)
    asked, settings = read_new_game(args.game, args.preset), Config.load().settings
    check_rounds(args.rounds)
    command = ""
    if args.run is None:
        name = _name(args, settings.names[0], "duelbox host")
    else:
        known = known_programs(settings)
        command = startable(args.run, known)
        name = chosen_name(args.name or program_player(args.run, known).name)
    opens = partial(
        lobby.host,
        session=asked.for_friend,
        name=name,
        rounds=args.rounds,
        lesson=args.lesson,
        relay="" if args.nearby else args.relay or settings.relay,
        paste=args.paste,
        near=args.nearby,
        watch=args.watch,
        command=command,
    )
    return _meet(args, name, opens, "duelbox host GAME --plain")


def join(args: Namespace) -> int:
    """Join a match by its code; without a code, go on with the last match, or forget one."""
    if args.watch:
        check_alone(args, "--watch", "only looks on", ("name", "forget"))
        if args.code is None:
            raise DuelboxError("--watch takes the key that a player gives you: duelbox join --watch KEY")
        return watch(args)
    if args.forget is not None:
        if args.code is not None:
            raise DuelboxError("--forget takes the number of a match that waits, and no code: leave that out.")
        return _forget(args.forget)
    _check(args)
    settings = Config.load().settings
    name = lobby.guest_name(settings.names)
    if args.code is not None:
        read_join_code(args.code.partition("@")[0])
        name = _name(args, name, "duelbox join")

    async def opens(store: Store) -> LiveMatch:
        if args.code is not None:
            return await lobby.join(store, args.code, args.relay or settings.relay, near=args.nearby)
        if not (waiting := unfinished.away(store)):
            raise DuelboxError("There is no match to go on with. To join a friend: duelbox join CODE")
        return await unfinished.go_on(store, waiting[0].path)

    return _meet(args, name, opens, "duelbox join CODE --plain")


def _forget(number: int) -> int:
    """Forget the waiting match of this number; for 0, list all that wait."""
    with Store.open() as store:
        waiting = unfinished.away(store)
        listed = "\n".join(f"{at}  {one.title} {one.sentence}" for at, one in enumerate(waiting, 1))
        if not number:
            how = "To forget one for good: duelbox join --forget N"
            sys.stdout.write(f"{listed}\n{how}\n" if waiting else "No match waits.\n")
        elif number > len(waiting):
            raise DuelboxError(f"{len(waiting) or 'No'} matches wait, and none has the number {number}.")
        else:
            unfinished.forget(store, waiting[number - 1].path)
            sys.stdout.write(f"Forgotten: {waiting[number - 1].title} {waiting[number - 1].sentence}.\n")
    return 0


def watch(args: Namespace) -> int:
    """Watch a match by its key."""
    _check(args)
    relay = args.relay or Config.load().settings.relay
    read_watch_key(args.code.partition("@")[0])
    return _meet(
        args, "", lambda _: lobby.watch(args.code, relay, near=args.nearby), "duelbox join --watch KEY --plain"
    )
