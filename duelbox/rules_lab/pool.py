"""Facts worked out by other processes, one for each core; they end with this one, however it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any

from duelbox.core.code import read_code
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import find_game
from duelbox.relay.address import only_relay
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.cache import Cache
from duelbox.rules_lab.facts import DEALS, Facts, Step, WorkOut, work_out
from duelbox.solve.api import Stop, Stopped

_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from duelbox.rules_lab.pool import answer; answer()"
)
FAULT = "fault\n"
"""The answer to a job that failed."""
NICE = 5
"""The app is more urgent than its pool."""


def processes() -> int:
    """The number of processes for a long search: one for each core; one in all for the visitor of a server."""
    if only_relay() is not None:
        return 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


@contextmanager
def shared_work(cells: Path) -> Iterator[tuple[WorkOut, int]]:
    """A function that works facts out on all cores, with a cache in this file, and how many threads may call it."""
    count = processes()
    with ExitStack() as ends:
        work = None
        if count > 1:
            work = ends.enter_context(Pool(count)).work_out
        cache = ends.enter_context(closing(Cache(cells, work)))
        yield cache.work_out, count


class Pool:
    """Processes that work out facts, each asked by one thread at a time; use it in a `with` block, which ends them."""

    def __init__(self, count: int) -> None:
        self._lock = Lock()
        self._ended = False
        self._all = [_started() for _ in range(count)]
        self._idle: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
        for process in self._all:
            self._idle.put(process)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End all processes at once; whoever waits for one gets Stopped."""
        with self._lock:
            self._ended = True
        for process in self._all:
            process.kill()
        for process in self._all:
            process.wait()
        with suppress(Empty):
            while True:
                _close(self._idle.get_nowait())

    def work_out(
        self, game: AnyGame, options: Options, layer: Step, *, deals: int = DEALS, stop: Stop | None = None, **_: Any
    ) -> Facts:
        """The facts that `work_out` gives without a limit of time, worked out by another process.

        They are late if that process was killed. A fault of a guest is raised here.
        """
        (stop or Stop()).check()
        process = self._idle.get()
        line = _asked(process, f"{code_of(game, options)} {layer} {deals}")
        with self._lock:
            if not line or self._ended:
                _close(process)
            if self._ended:
                raise Stopped
            if not line:
                process.wait()
                process = _started()
                self._all.append(process)
            self._idle.put(process)
        if line == FAULT:
            return work_out(game, options, layer, deals=deals, stop=stop, limit=None)
        if not line:
            return Facts(late=True)
        return Facts.model_validate_json(line)


def _started() -> subprocess.Popen[str]:
    paths = [str(Path(path).absolute()) for path in sys.path]
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, json.dumps(paths)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # Ctrl+C is for this process, whose end is theirs
    )


def _close(process: subprocess.Popen[str]) -> None:
    """Close the pipes to a process that has ended."""
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            assert pipe is not None
            pipe.close()


def _asked(process: subprocess.Popen[str], job: str) -> str:
    """The line that answers this one; empty from a process that has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.write(f"{job}\n")
        process.stdin.flush()
        return process.stdout.readline()
    return ""


def answer() -> None:
    """Be a process of a pool: answer each line with facts, and end when the other end closes."""
    with suppress(AttributeError, OSError):
        os.nice(NICE)
    jobs: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(jobs,), daemon=True).start()
    while True:
        code, layer, deals = jobs.get().split(" ")
        setting = read_code(code, find_game)
        line = FAULT
        with suppress(Exception):
            facts = work_out(setting.game, setting.options, layer, deals=int(deals), limit=None)  # type: ignore[arg-type]
            line = f"{facts.model_dump_json(exclude_unset=True)}\n"
        sys.stdout.write(line)
        sys.stdout.flush()


def _listen(jobs: SimpleQueue[str]) -> None:
    """Take jobs in, and end this process, whatever it is doing, when there can be no more."""
    for line in sys.stdin:
        jobs.put(line.strip())
    os._exit(0)
