"""`duelbox` and `duelbox play`: the full screen, or the line mode."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from duelbox.commands.shared import check_alone, has_screen, keep_secrets, on_screen
from duelbox.core.errors import DuelboxError

if TYPE_CHECKING:
    from argparse import Namespace

    from duelbox.core.match import Player
    from duelbox.core.record import PlayerInfo
    from duelbox.store.store import Store
    from duelbox.table.local import LocalTable
    from duelbox.table.new_game import NewGame

DEFAULTS: dict[str, Any] = {
    "command": ("play", "run"),
    **dict.fromkeys(("go_on", "game", "plain", "p1", "p2", "memory", "rounds", "seed", "preset", "first")),
}
"""The arguments of `duelbox` without words, which opens the full screen."""
_ASKED = ("game", "preset", "seed", "p1", "p2", "memory", "rounds", "first")


def run(args: Namespace) -> int:
    """Open the named game, the saved one, or home."""
    if args.go_on is not None:
        check_alone(args, "--continue", "goes on with a game as it was saved", _ASKED)
    _check_programs(args)
    if args.plain:
        return _plain(args)
    asked = args.go_on is not None or any(getattr(args, one) is not None for one in _ASKED)
    if asked and not has_screen() and (game := _game(args)):
        from duelbox.table.players import named_players

        # report bad players now, not only after a terminal was found
        named_players(game.game, (args.p1, args.p2), _programs(args))

    def opened(run_app: Callable[..., int]) -> int:
        return run_app(partial(_table, args, _game(args)) if asked else None, theme=args.theme)

    return on_screen(opened, "duelbox play GAME --plain")


def _plain(args: Namespace) -> int:
    from duelbox.plain.console import Console
    from duelbox.plain.line_match import LineMatch
    from duelbox.store.store import Store
    from duelbox.table.players import named_players

    keep_secrets(lines=True)
    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        game = _game(args)
        table = _table(args, game, store)
        named: Sequence[PlayerInfo | None] = table.players
        if game and not table.saved:
            named = named_players(game.game, (args.p1, args.p2), _programs(args))
        return LineMatch(console, table, store, named).to_the_end()


def _table(args: Namespace, game: NewGame | None, store: Store) -> LocalTable:
    """The table of the arguments; without a number of rounds there is one, and in lines as many as wanted."""
    from duelbox.core.match import MAX_ROUNDS, Match
    from duelbox.table.local import LocalTable

    open_ended = bool(args.plain) and args.rounds is None
    match = Match(rounds=args.rounds or (MAX_ROUNDS if open_ended else 1), first=_first(args))
    asked = args.p1, args.p2
    return LocalTable.from_arguments(
        store, args.go_on, game, asked, match, open_ended=open_ended, programs=_programs(args), memory=args.memory
    )


def _asked_programs(args: Namespace) -> list[str]:
    """The players of the arguments that are programs."""
    named = [text for text in (args.p1, args.p2) if text is not None]
    if not named:  # home is painted before records are loaded
        return []
    from duelbox.core.record import RUN

    return [text for text in named if text.startswith(RUN)]


def _check_programs(args: Namespace) -> None:
    """Raise DuelboxError if a program that is to play is not there, or cannot be started."""
    asked = _asked_programs(args)
    if asked:
        from duelbox.table.programs import with_commands

        with_commands(asked)


def _programs(args: Namespace) -> Mapping[str, str]:
    """The commands of the programs that settings and packages name; none are looked up if no program is to play."""
    if not _asked_programs(args):
        return {}
    from duelbox.store.programs import known_programs
    from duelbox.store.settings import Config

    return known_programs(Config.load().settings)


def _game(args: Namespace) -> NewGame | None:
    """The game or position of the arguments; None to go on with a saved match. Raises DuelboxError."""
    return _read_game(args) if args.go_on is None else None


def _read_game(args: Namespace) -> NewGame:
    from duelbox.core.match import check_rounds
    from duelbox.table.new_game import read_new_game

    if args.game is None:
        raise DuelboxError("Name a game, such as: duelbox play circle-duel --plain (all of them: duelbox games).")
    game = read_new_game(args.game, args.preset, args.seed)
    check_rounds(args.rounds)
    return game


def _first(args: Namespace) -> Player:
    """The player who moves first, as named or by a coin; a seed decides the coin."""
    if args.first == "coin":
        from duelbox.core.match import coin_flip
        from duelbox.core.seeds import random_seed

        return coin_flip(random_seed() if args.seed is None else args.seed)
    return 1 if args.first == "2" else 0
