"""`duelbox games --new`: the new game runs unchanged; bad folders and ids are refused."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from duelbox.commands.shared import topics
from tests.command_line import run
from tests.guest_games import TOY, WHOLE, new_game


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_is_written_runs_under_its_own_name(tmp_path: Path, installed: Callable[[Path], None]) -> None:
    folder = new_game("two-piles", tmp_path / "deep" / "mine")
    text = "".join((folder / name).read_text("utf-8") for name in files(folder))
    assert not re.search("two[-_]heaps|Two Heaps|class Heap", text)
    installed(folder)
    assert run("doctor", "--laws", "two-piles").out.startswith("two-piles holds all ")
    assert "Two Piles" in run("rules", "two-piles").out
    assert "Leave two even heaps" in run("solve", "two-piles").out


def test_the_readme_names_the_game_and_its_first_file(tmp_path: Path) -> None:
    folder = new_game("two-piles", tmp_path / "mine")
    readme = (folder / "README.md").read_text("utf-8")
    assert readme.startswith("# Two Piles\n")
    assert "duelbox play two-piles\n" in readme
    for file in re.findall(r"`(\S+/\S+)`", readme):
        assert (folder / file).is_file()


def test_what_is_written_is_in_good_style(tmp_path: Path) -> None:
    folder = new_game("a-b1", tmp_path / "mine")
    for command in (("check", "--select", "E,F,I,B", "--ignore", "I001"), ("format", "--check")):
        ran = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--line-length", "120", "--isolated", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize(
    "game_id",
    ["", "-", "-x", "x-", "a--b", "Kayles", "../up", "a/b", "a.b", "a_b", "1st", "é", "x" * 31, "a\nb", "a b", '"'],
)
def test_an_odd_id_is_refused_and_nothing_written(game_id: str, tmp_path: Path) -> None:
    ran = run("games", "--new", game_id, str(tmp_path / "new"))
    assert ran.status == 2
    assert ran.err.startswith("2 words have to follow --new") or "it takes small letters" in ran.err
    assert not list(tmp_path.glob("new*"))


def test_an_id_that_is_taken_is_refused(tmp_path: Path, installed: Callable[[Path], None]) -> None:
    installed(TOY)
    for game_id in ("circle-duel", "toy-heap"):
        ran = run("games", "--new", game_id, str(tmp_path / "new"))
        assert (ran.status, ran.out) == (2, "")
        assert "is taken" in ran.err
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "rules.py").write_text("mine")
    file = tmp_path / "file"
    file.write_text("mine")
    (link := tmp_path / "link").symlink_to(kept)
    (nowhere := tmp_path / "nowhere").symlink_to(tmp_path / "outside")
    for folder in (kept, file, link, nowhere, tmp_path, file / "below"):
        ran = run("games", "--new", "kayles", str(folder))
        assert (ran.status, ran.out) == (2, "")
        assert "cannot be made" in ran.err
    assert files(kept) == {"rules.py"}
    assert file.read_text() == "mine"
    assert not (tmp_path / "outside").exists()


def test_a_folder_without_leave_is_told_in_a_sentence(tmp_path: Path) -> None:
    ran = run("games", "--new", "kayles", "/proc/kayles")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("/proc/kayles cannot be made: ")


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    ran = run("games", "--new", "kayles", str(tmp_path / "new"))
    assert (ran.status, "No space left" in ran.err) == (2, True)
    assert not (tmp_path / "new").exists()


KEPT = {
    (module, name)
    for module, names in re.findall(r"(?m)^- `(duelbox\.[\w.]+)`: ((?:`\w+`[,\s]*)+)", topics()["own-games"])
    for name in re.findall(r"`(\w+)`", names)
}


def test_the_names_that_stay_are_there_and_guests_need_no_others() -> None:
    assert len(KEPT) > 40
    for module, name in KEPT:
        assert hasattr(import_module(module), name), (module, name)
    for guest in (WHOLE, TOY):
        for path in guest.rglob("*.py"):
            for module, names in re.findall(r"(?m)^from (duelbox\.[\w.]+) import (.*)$", path.read_text("utf-8")):
                for name in names.split(", "):
                    assert (module, name) in KEPT or f"{module}.{name}" in {one for one, _ in KEPT}, (path, name)
