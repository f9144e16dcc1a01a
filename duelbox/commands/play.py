"""`duelbox` and `duelbox play`: the full screen, or the line mode."""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError

if TYPE_CHECKING:
    from duelbox.core.match import Player
    from duelbox.table.opening import Opening
    from duelbox.ui.app import DuelboxApp

_NO_TERMINAL = "The full screen needs a terminal, and there is none here. For lines of text:"
_ASKED = ("game", "preset", "seed", "p1", "p2", "rounds", "first")
_NO_CONTROL = "The full screen cannot control this terminal: this Python has no termios. For lines of text:"


def run(args: Namespace) -> int:
    """Open what was asked for."""
    if args.go_on is not None:
        check_alone(args, "--continue", "goes on with a game as it was saved", _ASKED)
    if args.plain:
        return _plain(args)
    if not _has_screen() and args.go_on is None and (asked := _asked(args)):
        from duelbox.table.opening import seated

        seated(asked.game, (args.p1, args.p2))  # so that who mends the one thing is not told the other next
    return _on_screen(lambda run_app: _opened(args, run_app))


def check_alone(args: Namespace, option: str, why: str, others: Iterable[str]) -> None:
    """Refuse what this option leaves no room for, rather than do without it and not say so."""
    given = [f"--{one}" if one != "game" else "GAME" for one in others if getattr(args, one) is not None]
    if given:
        from duelbox.core.model import listed

        raise DuelboxError(f"{option} {why}: leave out {listed(given)}.")


def _has_screen() -> bool:
    """Whether there is a terminal that a full screen fits."""
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def is_here(module: str) -> bool:
    """Whether this Python has the module."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def above_home(then: Callable[[DuelboxApp], None], instead: str) -> int:
    """Run the full screen with something above home; raises DuelboxError, with what to do instead, without a screen."""
    return _on_screen(lambda run_app: run_app(None, then=then), instead)


def _on_screen(run: Callable[[Callable[..., int]], int], instead: str = "duelbox play GAME --plain") -> int:
    """Run the full screen, and keep the terminal whole."""
    if not _has_screen():
        raise DuelboxError(f"{_NO_TERMINAL} {instead}")
    if sys.platform != "win32" and not is_here("termios"):
        raise DuelboxError(f"{_NO_CONTROL} {instead}")
    from duelbox.ui.terminal.watcher import watched

    def opened() -> int:
        # Looking for garbage is a twelfth of the start, and finds none; the app resumes it after its first paint.
        gc.disable()
        try:
            from duelbox.ui.app import run_app

            return run(run_app)
        finally:
            gc.enable()

    return watched(opened, "duelbox")


def _opened(args: Namespace, run_app: Callable[..., int]) -> int:
    if args.go_on is not None:
        return run_app(None, go_on=args.go_on, theme=args.theme)
    asked = _asked(args)
    return run_app(asked, (args.p1, args.p2), rounds=args.rounds or 1, first=_first(args), theme=args.theme)


def _asked(args: Namespace) -> Opening | None:
    """The game or position that was asked for, if any; raises DuelboxError."""
    return _opening(args) if any(getattr(args, one) is not None for one in _ASKED) else None


def _plain(args: Namespace) -> int:
    from duelbox.core.match import MAX_ROUNDS, Match
    from duelbox.plain.console import Console
    from duelbox.plain.match import LineMatch
    from duelbox.store.store import Store
    from duelbox.table.local import LocalTable
    from duelbox.table.opening import called, seated

    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        if args.go_on is not None:
            sitting = LocalTable.resumed(store, store.to_go_on(args.go_on).id)
            return LineMatch(console, sitting, store, sitting.players).run()
        asked = _opening(args)
        named = seated(asked.game, (args.p1, args.p2))
        match = Match(rounds=args.rounds or MAX_ROUNDS, first=_first(args))
        sitting = LocalTable.of(asked, called(named), match, store, open_ended=args.rounds is None)
        return LineMatch(console, sitting, store, named).run()


def _opening(args: Namespace) -> Opening:
    from duelbox.core.match import check_rounds
    from duelbox.table.opening import opening

    if args.game is None:
        raise DuelboxError("Name a game, such as: duelbox play circle-duel --plain (all of them: duelbox games).")
    asked = opening(args.game, args.preset, args.seed)
    check_rounds(args.rounds)
    return asked


def _first(args: Namespace) -> Player:
    """Who moves first: as told, or by a coin that the seed, if there is one, decides."""
    from duelbox.core.chance import chance
    from duelbox.core.match import coin_flip

    if args.first == "coin":
        return coin_flip(chance() if args.seed is None else args.seed)
    return 1 if args.first == "2" else 0
