"""A process that has loaded duelbox and forks once for each visitor, so that they share its memory.

It is separate from the server, whose threads, connections and terminals must not be forked. It is started anew, with
few variables: a process, and all that it forks, shows for ever the ones it was started with, in /proc.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pkgutil import walk_packages
from typing import Final, NoReturn

from duelbox import startup
from duelbox.core.errors import INTERRUPTED, DuelboxError

PROCESS_ID: Final = 4  # bytes
BYTE_ORDER: Final = "little"
PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH")
"""Variables of the server that its visitors' processes have, too."""
LARGEST_FILE: Final = 64 << 20
"""Bytes that a file of a visitor may have."""
ENDED: Final = 0
USED_UP: Final = 24
"""Status of a process that has used its processor time."""
_FAULT: Final = 1
_REFUSAL: Final = 2
_LIBRARIES: Final = "LD_LIBRARY_PATH"  # some Pythons do not start without it
_PROGRAM: Final = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from duelbox.serve.prefork import fork_visitors
fork_visitors(int(sys.argv[2]))
"""
_PARTS: Final = ("talk", "solve", "bot", "board")
_LAST_SECONDS: Final = 10  # of the processor, for a process to end when it has used its time


@dataclass(frozen=True)
class Start:
    """A new process: its environment, limits, and the game to play in lines of text, or "" for the full screen."""

    environ: Mapping[str, str]
    memory: int
    """Megabytes."""
    processor: int = 0
    """Seconds of processor time; 0 for any."""
    largest_file: int = LARGEST_FILE
    lines: str = ""


class Prefork:
    """The connection to the forking process, which ends when the connection closes."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 # the working directory is ""
        environ = {name: os.environ[name] for name in (*PASSED_ON, _LIBRARIES) if name in os.environ}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, json.dumps(paths), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                env=environ,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl+C is for the server, whose end is the end of this process
            )

    def fork(self, start: Start, terminal: int, tell: int) -> None:
        """Start duelbox on this terminal.

        The process writes its id to `tell`, and at its end its status in a byte. Fork no other before the id has come:
        requests have no other answer.
        """
        socket.send_fds(self._line, [json.dumps(asdict(start)).encode()], [terminal, tell])

    def close(self) -> None:
        """End the forking process; visitors who are here stay."""
        self._line.close()
        self._process.terminate()
        self._process.wait()


def fork_visitors(descriptor: int) -> None:
    """Be the forking process at the other end of a connection."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children need no waiting
    startup.skip_plugin_search()
    gc.disable()
    _load()
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=descriptor) as line:
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
                _play(Start(**json.loads(request)), terminal, tell)
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


def _play(start: Start, terminal: int, tell: int) -> NoReturn:
    """Run the visitor's duelbox until this process ends."""
    status = _FAULT
    try:
        os.login_tty(terminal)
        os.write(tell, os.getpid().to_bytes(PROCESS_ID, BYTE_ORDER))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _limit(start, tell)
        os.environ.clear()
        os.environ.update(start.environ)
        os.umask(0o077)
        os.chdir(start.environ["HOME"])
        sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc] # noqa: SIM115
        sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # type: ignore[misc] # noqa: SIM115
        sys.stderr = sys.__stderr__ = open(2, "w", closefd=False)  # type: ignore[misc] # noqa: SIM115
        status = _in_lines(start.lines) if start.lines else _on_screen()
    except DuelboxError as error:
        sys.stdout.write(f"{error.sentence}\r\n")
        sys.stdout.flush()
        status = _REFUSAL
    except KeyboardInterrupt:
        status = INTERRUPTED
    finally:
        if status == INTERRUPTED:  # Ctrl+C is a way to leave
            status = ENDED
        with suppress(OSError):
            os.write(tell, bytes((status,)))
        os._exit(status)


def _limit(start: Start, tell: int) -> None:
    """Limit what this process may use."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # leave no core dump
    resource.setrlimit(resource.RLIMIT_FSIZE, (start.largest_file, LARGEST_FILE))
    with suppress(ValueError, OSError):  # the system may allow less already
        resource.setrlimit(resource.RLIMIT_DATA, (start.memory << 20, start.memory << 20))
    if start.processor:

        def leave(*_: object) -> None:
            os.write(tell, bytes((USED_UP,)))
            os.kill(os.getpid(), signal.SIGTERM)

        signal.signal(signal.SIGXCPU, leave)
        resource.setrlimit(resource.RLIMIT_CPU, (start.processor, start.processor + _LAST_SECONDS))


def _on_screen() -> int:
    from duelbox.ui.app import run_app

    return run_app(then=lambda app: app.navigation.come_back())


def _in_lines(game: str) -> int:
    """Play in the line mode; the page shows what is typed, so the terminal does not echo it."""
    from duelbox.core.match import MAX_ROUNDS, Match
    from duelbox.plain.console import Console
    from duelbox.plain.line_match import LineMatch
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
