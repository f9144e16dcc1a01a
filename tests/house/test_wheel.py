"""The wheel and the source archive: their files, and that they work without this folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from duelbox import __version__
from tests.effort import SHARE
from tests.environments import PROMISED, outside, pythons, scripts

ROOT = Path(__file__).parents[2]
WHEEL = f"duelbox-{__version__}-py3-none-any.whl"
MOST_BYTES = 1_500_000
"""The largest size; CONTRIBUTING states the present one."""
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
"""The files beside the package that it is built from; building leaves no other beside them."""
BUILD = "import sys; from setuptools import build_meta as b; out = sys.argv[1]; b.build_wheel(out); b.build_sdist(out)"
long_only = pytest.mark.skipif(SHARE > 1, reason="tried by --long: it takes longer, and fetches what duelbox needs")


def done(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """Run a command, which must succeed, and return its output."""
    ran = subprocess.run(
        command, cwd=cwd, env={**outside(), **environment}, capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with wheel and source archive, built from the tracked files alone."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("out")
    for name in FILES:
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "duelbox", source / "duelbox", ignore=shutil.ignore_patterns("__pycache__"))
    done(sys.executable, "-c", BUILD, out, cwd=source)
    assert {item.name for item in source.iterdir()} - {"duelbox.egg-info"} == {*FILES, "duelbox"}
    return out


def ours(path: Path) -> set[str]:
    files = (file.relative_to(path.parent) for file in path.rglob("*") if file.is_file())
    return {file.as_posix() for file in files if "__pycache__" not in file.parts}


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    info = f"duelbox-{__version__}.dist-info"
    about = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt", "licenses/LICENSE"}
    with ZipFile(built / WHEEL) as wheel:
        names = set(wheel.namelist())
    assert names == ours(ROOT / "duelbox") | {f"{info}/{name}" for name in about}
    assert (built / WHEEL).stat().st_size < MOST_BYTES


@long_only
def test_the_source_archive_builds_the_same_wheel(built: Path, tmp_path: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as source:
        source.extractall(tmp_path, filter="data")
    again = tmp_path / "again"
    again.mkdir()
    done(sys.executable, "-c", BUILD, again, cwd=tmp_path / f"duelbox-{__version__}")
    with ZipFile(built / WHEEL) as one, ZipFile(again / WHEEL) as other:
        assert {item.filename: item.CRC for item in one.infolist()} == {
            item.filename: item.CRC for item in other.infolist()
        }


def try_out(duelbox: Path | str, home: Path, *before: str) -> None:
    """Run the usual first commands, which together read every kind of file in the package."""
    asked = {
        ("--version",): f"duelbox {__version__}\n",
        ("help", "codes"): "# Position codes",
        ("solve", "number-duel:hand=3,deal=123-321/3x1"): "Player 2 is to move",
        ("games", "--facts"): "always wins",
        ("puzzle", "--daily", "2027-01-06", "--json"): '"positions"',
    }
    for command, said in asked.items():
        assert said in done(*before, duelbox, *command, cwd=home, DUELBOX_HOME=str(home / "kept"))


def test_the_wheel_runs_in_an_environment_of_its_own(built: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    done(sys.executable, "-m", "venv", "--without-pip", fresh)
    python = scripts(fresh) / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "-q")
    done(*pip, "install", "--no-deps", "--no-index", built / WHEEL)
    # The dependencies come from this environment, so that nothing is downloaded; duelbox itself is not in it.
    packages = Path(done(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])").strip())
    (packages / "lent.pth").write_text(sysconfig.get_paths()["purelib"])
    where = done(
        python, "-c", "import duelbox; print(duelbox.__file__, duelbox.Table('circle-duel/4').legal)", cwd=tmp_path
    )
    assert where == f"{packages / 'duelbox' / '__init__.py'} ('3', '5')\n"
    try_out(scripts(fresh) / "duelbox", tmp_path)


@long_only
@pytest.mark.parametrize("version", PROMISED)
def test_the_wheel_can_be_installed_in_every_python(built: Path, tmp_path: Path, version: str) -> None:
    here = [program for known, program in pythons().items() if known.startswith(f"{version}.")]
    if not here:
        pytest.skip(f"there is no Python {version} here")
    done(here[0], "-m", "venv", tmp_path / "fresh")
    done(scripts(tmp_path / "fresh") / "python", "-m", "pip", "install", "-q", built / WHEEL)
    try_out(scripts(tmp_path / "fresh") / "duelbox", tmp_path)


@long_only
@pytest.mark.parametrize("tool", [("pipx", "run", "--spec"), ("uvx", "--from")], ids=lambda tool: tool[0])
def test_the_wheel_runs_without_being_installed(built: Path, tmp_path: Path, tool: tuple[str, ...]) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"there is no {tool[0]} here")
    try_out("duelbox", tmp_path, *tool, str(built / WHEEL))


@long_only
@pytest.mark.parametrize("tool", ["pip", "pipx", "uvx"])
def test_the_lines_for_an_index_install_from_one(built: Path, tmp_path: Path, tool: str) -> None:
    """A folder is an index: a page with the links of each package."""
    page = tmp_path / "simple" / "duelbox" / "index.html"
    page.parent.mkdir(parents=True)
    shutil.copy(built / WHEEL, page.parent)
    page.write_text(f'<!doctype html><a href="{WHEEL}">{WHEEL}</a>')
    index = page.parent.parent.as_uri()
    asked = f"duelbox=={__version__}"
    if tool == "uvx":
        before = ("uvx", "--index", index, "--from", asked)
    elif tool == "pipx":
        before = ("pipx", "run", f"--pip-args=--extra-index-url {index}", "--spec", asked)
    else:
        done(sys.executable, "-m", "venv", tmp_path / "fresh")
        python = scripts(tmp_path / "fresh") / "python"
        done(python, "-m", "pip", "install", "-q", "--extra-index-url", index, asked)
        try_out(scripts(tmp_path / "fresh") / "duelbox", tmp_path)
        return
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool} here")
    try_out("duelbox", tmp_path, *before)
