"""A process that has duelbox loaded and forks once for each visitor, so that what all of them read is in memory once.

It runs beside the server rather than in it: a process with threads, open connections and other people's terminals is
not one to fork from.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import sys
import termios
from collections.abc import Mapping
from contextlib import suppress
from pkgutil import walk_packages
from typing import Final, NoReturn

from duelbox.core.errors import DuelboxError

PROCESS_ID: Final = 4  # bytes
BYTE_ORDER: Final = "little"
_LARGEST_FILE: Final = 64 << 20  # bytes
_PARTS: Final = ("talk", "solve", "bot", "board")
_STATUS_OF_A_FAULT: Final = 1
_STATUS_OF_A_REFUSAL: Final = 2


class Prefork:
    """The line to that process; it ends when the line does."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        if os.fork() == 0:
            self._line.close()
            with suppress(KeyboardInterrupt):
                _wait_for_visitors(theirs)
            os._exit(0)
        theirs.close()

    def fork(self, environ: Mapping[str, str], memory: int, terminal: int, tell: int, lines: str = "") -> None:
        """Start duelbox on this terminal, with this environment and so many megabytes that may be written to.

        `lines` is a game to play in lines of text, instead of the full screen.

        Into `tell` it writes its process id and, in the end, its status: a byte. Nobody else may be asked for until
        the process id has come: requests have no other end.
        """
        socket.send_fds(self._line, [json.dumps((dict(environ), memory, lines)).encode()], [terminal, tell])

    def close(self) -> None:
        """Let the process end; who is there may stay."""
        self._line.close()


def _wait_for_visitors(line: socket.socket) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server; this ends with it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how the children ended
    gc.disable()
    _load()
    gc.collect()
    gc.freeze()
    while True:
        request, descriptors, _, _ = socket.recv_fds(line, 1 << 16, 2)
        if not request:
            return
        terminal, tell = descriptors
        try:
            child = os.fork()
        except OSError:  # no room for one more process: their line closes, which says so
            child = -1
        if child == 0:
            line.close()
            environ, memory, lines = json.loads(request)
            _play(environ, memory, terminal, tell, lines)
        os.close(terminal)
        os.close(tell)


def _load() -> None:
    """Import all that a visitor can come to need."""
    from importlib import import_module

    import duelbox.ui
    from duelbox import registry

    for module in walk_packages(duelbox.ui.__path__, f"{duelbox.ui.__name__}."):
        import_module(module.name)
    for game_id in registry.game_ids():
        for name in _PARTS:
            with suppress(DuelboxError):  # a guest's that can't be loaded says so where it is used
                registry.part(game_id, name, object)


def _play(environ: dict[str, str], memory: int, terminal: int, tell: int, lines: str) -> NoReturn:
    """Be the visitor's duelbox, to the end of this process."""
    status = _STATUS_OF_A_FAULT
    try:
        os.login_tty(terminal)
        os.write(tell, os.getpid().to_bytes(PROCESS_ID, BYTE_ORDER))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no picture of it is left behind
        resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
        with suppress(ValueError, OSError):  # a system may allow less than that already
            resource.setrlimit(resource.RLIMIT_DATA, (memory << 20, memory << 20))
        os.environ.clear()
        os.environ.update(environ)
        os.umask(0o077)
        os.chdir(environ["HOME"])
        sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc] # noqa: SIM115
        sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # type: ignore[misc] # noqa: SIM115
        sys.stderr = sys.__stderr__ = open(2, "w", closefd=False)  # type: ignore[misc] # noqa: SIM115
        status = _in_lines(lines) if lines else _on_screen()
    except DuelboxError as error:
        sys.stdout.write(f"{error.sentence}\r\n")
        sys.stdout.flush()
        status = _STATUS_OF_A_REFUSAL
    finally:
        with suppress(OSError):
            os.write(tell, bytes((status,)))
        os._exit(status)


def _on_screen() -> int:
    from duelbox.ui.app import run_app

    return run_app(None, then=lambda app: app.navigation.come_back())


def _in_lines(game: str) -> int:
    """The line mode; the page shows what is typed, so the terminal does not say it again."""
    from duelbox.core.match import MAX_ROUNDS, Match
    from duelbox.plain.console import Console
    from duelbox.plain.match import LineMatch
    from duelbox.store.store import Store
    from duelbox.table.local import LocalTable
    from duelbox.table.new_game import read_new_game
    from duelbox.table.players import named_players

    modes = termios.tcgetattr(0)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(0, termios.TCSANOW, modes)
    asked, players = read_new_game(game), (None, "bot:sparring")
    with Store.open() as store:
        table = LocalTable.opened(store, None, asked, players, Match(rounds=MAX_ROUNDS), open_ended=True)
        return LineMatch(Console(sys.stdin, sys.stdout), table, store, named_players(asked.game, players)).to_the_end()
