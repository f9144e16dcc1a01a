"""Environments for the tests: the Pythons on this machine, and the oldest allowed dependencies."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.effort import LONG

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
PROMISED = tuple(re.findall(r"Python :: (3\.[0-9]+)", "\n".join(PROJECT["classifiers"])))
"""The versions of Python that duelbox promises to run on, such as 3.11."""

_PROGRAM = re.compile(r"python3(\.1[1-9]|\.[2-9][0-9])?(\.exe)?")
# Without ensurepip it cannot make an environment; without `final` it is unfinished, and few libraries know it yet.
_ASK = """
import ensurepip, platform, sys
if sys.version_info < (3, 11) or sys.version_info.releaselevel != "final": sys.exit(1)
print(platform.python_version())
print(sys.executable)
"""


@cache
def pythons() -> dict[str, str]:
    """The Pythons from 3.11 on that are on this machine: the program of each, by its version such as 3.12.1."""
    programs: dict[str, str] = {}
    for candidate in _candidates():
        with suppress(OSError, subprocess.TimeoutExpired):  # a file with such a name may be anything
            answer = subprocess.run(
                [candidate, "-c", _ASK], env=outside(), capture_output=True, text=True, timeout=60, check=False
            )
            if answer.returncode == 0:
                version, program = answer.stdout.splitlines()
                programs.setdefault(version, program)
    return dict(sorted(programs.items(), key=lambda item: [int(part) for part in item[0].split(".")]))


def _candidates() -> Iterator[Path]:
    """The programs named like a Python 3, on the PATH and kept by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    on_path = [Path(folder) for folder in os.get_exec_path()]
    # The shims of pyenv only start one of its versions, and take long.
    for folder in (*(folder for folder in on_path if folder != pyenv / "shims"), *sorted(pyenv.glob("versions/*/bin"))):
        for program in sorted(folder.glob("python3*")):
            if _PROGRAM.fullmatch(program.name):
                yield program


def outside() -> dict[str, str]:
    """The environment variables for programs of another Python: without those of this one, its coverage and effort."""
    left_out = ("PYTHON", "COV", "VIRTUAL_ENV", LONG)
    return {name: value for name, value in os.environ.items() if not name.startswith(left_out)}


def scripts(environment: Path) -> Path:
    """The folder of an environment's programs."""
    return environment / ("Scripts" if os.name == "nt" else "bin")


def oldest_allowed() -> list[str]:
    """The lowest version of each library that duelbox may use, with all its extras, as constraints for pip."""
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    needed = [*PROJECT["dependencies"]]
    for extra in re.findall(r"\w+", everything.removeprefix("duelbox")):
        needed += [requirement for requirement in extras[extra] if not requirement.startswith("duelbox[")]
    floors = [re.match(r"([\w-]+)>=([0-9.]+)", requirement) for requirement in needed]
    return [f"{floor[1]}=={floor[2]}" for floor in floors]
