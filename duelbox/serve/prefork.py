"""A process that has loaded duelbox and forks once for each visitor, so that they share its memory.

It is separate from the server, whose threads, connections and terminals must not be forked.
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
    """The connection to the forking process, which ends when the connection closes."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        if os.fork() == 0:
            self._line.close()
            with suppress(KeyboardInterrupt):
                _wait_for_visitors(theirs)
            os._exit(0)
        theirs.close()

    def fork(self, environ: Mapping[str, str], memory: int, terminal: int, tell: int, lines: str = "") -> None:
        """Start duelbox on this terminal, with this environment and at most `memory` megabytes.

        `lines` is the game to play in lines of text; empty for the full screen.

        The process writes its id to `tell`, and at its end its status in a byte. Fork no other before the id has come:
        requests have no other answer.
        """
        socket.send_fds(self._line, [json.dumps((dict(environ), memory, lines)).encode()], [terminal, tell])

    def close(self) -> None:
        """End the forking process; visitors who are here stay."""
        self._line.close()


def _wait_for_visitors(line: socket.socket) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, whose end is the end of this process
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children need no waiting
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
        except OSError:  # the visit ends because both pipes close
            child = -1
        if child == 0:
            line.close()
            environ, memory, lines = json.loads(request)
            _play(environ, memory, terminal, tell, lines)
        os.close(terminal)
        os.close(tell)


def _load() -> None:
    """Import everything a visitor may need."""
    from importlib import import_module

    import duelbox.ui
    from duelbox import registry

    for module in walk_packages(duelbox.ui.__path__, f"{duelbox.ui.__name__}."):
        import_module(module.name)
    for game_id in registry.game_ids():
        for name in _PARTS:
            with suppress(DuelboxError):  # a broken guest game says so where it is used
                registry.part(game_id, name, object)


def _play(environ: dict[str, str], memory: int, terminal: int, tell: int, lines: str) -> NoReturn:
    """Run the visitor's duelbox until this process ends."""
    status = _STATUS_OF_A_FAULT
    try:
        os.login_tty(terminal)
        os.write(tell, os.getpid().to_bytes(PROCESS_ID, BYTE_ORDER))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # leave no core dump
        resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
        with suppress(ValueError, OSError):  # the system may allow less already
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

    return run_app(then=lambda app: app.navigation.come_back())


def _in_lines(game: str) -> int:
    """Play in the line mode; the page shows what is typed, so the terminal does not echo it."""
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
    setup, players = read_new_game(game), (None, "bot:sparring")
    with Store.open() as store:
        table = LocalTable.from_arguments(store, None, setup, players, Match(rounds=MAX_ROUNDS), open_ended=True)
        return LineMatch(Console(sys.stdin, sys.stdout), table, store, named_players(setup.game, players)).to_the_end()
