"""The check: on which Pythons and with which libraries it runs."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.check import told_of_pythons
from tests.environments import PROJECT, PROMISED, oldest_allowed, pythons, scripts

WORKFLOW = (Path(__file__).parents[2] / ".github" / "workflows" / "check.yml").read_text("utf-8")


def test_the_promised_pythons_begin_with_the_oldest_that_can_install_it() -> None:
    assert PROJECT["requires-python"] == f">={PROMISED[0]}"
    assert [f"3.{minor}" for minor in range(11, 11 + len(PROMISED))] == [*PROMISED]


def test_the_workflow_runs_the_check_of_the_readme_on_every_promised_python() -> None:
    checked, _, oldest = WORKFLOW.partition("  oldest:")
    (matrix,) = re.findall(r"python: \[(.*)\]", checked)
    assert set(PROMISED) <= set(re.findall(r'"([0-9.]+)"', matrix))
    assert "run: sh .ci/run" in checked
    assert "run: python -m tests.check --oldest" in oldest
    assert f'python-version: "{PROMISED[0]}"' in oldest


@pytest.mark.skipif(os.name == "nt", reason="the programs of environments have other names")
@pytest.mark.parametrize("where", ["on the PATH", "of pyenv"])
def test_the_pythons_of_a_machine_are_found_and_other_programs_are_passed_over(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = tmp_path / "versions" / "some"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    others = tmp_path / "others"
    others.mkdir()
    for name, text in (("python3.11", "#!/bin/sh\nexit 3\n"), ("python3.12", "no program"), ("python3.13", None)):
        if text is None:
            (others / name).mkdir()
        else:
            (others / name).write_text(text)
            (others / name).chmod(0o755)
    folders = [others, tmp_path / "missing"]
    if where == "on the PATH":
        folders.append(scripts(environment))
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path if where == "of pyenv" else tmp_path / "missing"))
    here = pythons.__wrapped__()
    assert [*here] == [platform.python_version()]
    assert Path(here[platform.python_version()]).parent == scripts(environment)


def test_the_check_says_which_pythons_it_ran_on_and_which_not() -> None:
    assert told_of_pythons("3.12.1", ["3.11.7", "3.13.0"], everywhere=False) == (
        "Python 3.12.1. Also here: 3.11.7, 3.13.0; --long runs the tests on each. Not here: 3.14."
    )
    assert told_of_pythons("3.12.1", ["3.11.7", "3.13.0", "3.14.0"], everywhere=True) == (
        "Python 3.12.1, 3.11.7, 3.13.0, 3.14.0."
    )
    assert told_of_pythons("3.11.7", [], everywhere=False) == "Python 3.11.7. Not here: 3.12, 3.13, 3.14."


def test_the_oldest_libraries_are_those_that_duelbox_names_with_its_extras() -> None:
    constraints = oldest_allowed()
    assert all(re.fullmatch(r"[\w-]+==[0-9.]+", constraint) for constraint in constraints)
    names = {constraint.partition("==")[0] for constraint in constraints}
    assert {"textual", "pydantic", "websockets", "nats-py", "zeroconf", "aiohttp", "asyncssh"} <= names
    assert not names & {"duelbox", "pytest", "ruff", "easyAI"}
