"""Runs work in another Python process with a time limit; measures its time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from time import perf_counter

HOME = Path(__file__).parent.parent.parent
KIB = 1 if sys.platform == "darwin" else 1024
"""The unit of `ru_maxrss`."""


@dataclass(frozen=True)
class Ran:
    """The result of a child: exit status (negative if killed), output, seconds, and bytes of memory."""

    status: int
    out: str
    errors: str
    cpu: float
    wall: float
    peak: int


def run(*args: str, typed: str = "", limit: float | None = None) -> Ran:
    """Run `python ARGS` in the folder of the project; kill it after `limit` seconds."""
    with TemporaryFile("w+") as given, TemporaryFile("w+") as out, TemporaryFile("w+") as errors:
        given.write(typed)
        given.seek(0)
        began = perf_counter()
        process = subprocess.Popen([sys.executable, *args], stdin=given, stdout=out, stderr=errors, cwd=HOME)
        timer = Timer(limit or 1e6, process.kill)
        timer.daemon = True
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = perf_counter() - began
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        for file in (out, errors):
            file.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        return Ran(process.returncode, out.read(), errors.read(), cpu, wall, usage.ru_maxrss * KIB)
