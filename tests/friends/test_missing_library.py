"""The command that installs a missing library fits how duelbox was installed, and survives an upgrade."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.friends.missing_library import require

Advice = Callable[..., str]
PYTHON = "/opt/py/bin/python"
LACKING = "no_such_library"


@pytest.fixture
def advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Advice:
    """The sentence for a duelbox in this folder, with these files beside it, installed from `source`."""

    def told(folder: str, *files: str, source: str = "") -> str:
        prefix = tmp_path / folder
        prefix.mkdir(parents=True, exist_ok=True)
        for name in files:
            (prefix / name).touch()
        monkeypatch.setattr(sys, "prefix", str(prefix))
        monkeypatch.setattr(sys, "executable", PYTHON)
        monkeypatch.setattr(metadata, "distribution", lambda _: SimpleNamespace(read_text=lambda _: source or None))
        with pytest.raises(DuelboxError) as refused:
            require("This", "net", "json", LACKING)
        return refused.value.sentence.removeprefix("This takes libraries that are not installed. ")

    return told


FOLDER = '{"url": "file://%s", "dir_info": {}}'
COMMIT = '{"url": "https://example.org/it.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}'


def test_it_fits_how_duelbox_was_installed(advice: Advice) -> None:
    assert advice("venv") == f'To install them: {PYTHON} -m pip install "duelbox[net]"'
    assert advice("project/.venv", "../uv.lock") == 'To install them: uv add "duelbox[net]"'
    assert advice("venvs/duelbox", "pipx_metadata.json") == 'To install them: pipx install --force "duelbox[net]"'
    assert advice("tools/duelbox", "uv-receipt.toml") == 'To install them: uv tool install --force "duelbox[net]"'
    assert advice("archive-v0/x") == 'To start duelbox with them: uvx --from "duelbox[net]" duelbox'
    cached = advice("pipx/.cache/x", "pipx_metadata.json")
    assert cached == 'To start duelbox with them: pipx run --spec "duelbox[net]" duelbox'


def test_it_names_the_place_that_duelbox_came_from(advice: Advice, tmp_path: Path) -> None:
    tool = ("tools/duelbox", "uv-receipt.toml")
    assert advice(*tool, source=FOLDER % tmp_path).endswith(f'"duelbox[net] @ file://{tmp_path}"')
    assert advice(*tool, source=COMMIT).endswith('"duelbox[net] @ git+https://example.org/it.git@abc"')
    for lost in (FOLDER % (tmp_path / "gone"), "{", "{}"):
        assert advice(*tool, source=lost).endswith('"duelbox[net]"')


def test_a_place_without_pip_is_one_of_uv(advice: Advice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pip", None)
    assert advice("venv") == f'To install them: uv pip install --python {PYTHON} "duelbox[net]"'
