"""Our files: other users cannot read them, only regular files are opened, and no temporary file stays."""

from __future__ import annotations

import io
import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from duelbox.cli import main
from duelbox.store import files
from duelbox.store.settings import MOST, Config, Settings
from duelbox.store.store import Store
from tests.store.play import assert_playable, is_sentence

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.usefixtures("quick"),
    pytest.mark.skipif(os.name == "nt", reason="rights and pipes are of another kind there"),
]


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o177])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def rights(folder: Path) -> set[tuple[bool, str]]:
    return {(path.is_dir(), oct(stat.S_IMODE(path.stat().st_mode))) for path in (folder, *folder.rglob("*"))}


PRIVATE = {(True, "0o700"), (False, "0o600")}


@pytest.mark.usefixtures("_umask")
def test_nobody_else_can_read_what_is_kept(home: Path) -> None:
    """History, index, a damaged file and settings are private under every umask."""
    deep = home / "a" / "b"
    for _ in range(2):
        with Store.open(deep) as store:
            assert_playable(store)
        Config.load(deep, {}).change(theme="dark")
        (deep / "history.jsonl").write_bytes(b"\xff" * 5000)
    assert {path.name.partition("-20")[0] for path in deep.iterdir()} >= {
        *("history.jsonl", "history.cache.db", "history.damaged", "settings.toml")
    }
    assert rights(home) == PRIVATE


def test_what_stands_open_is_closed_and_a_doctor_looks(
    home: Path, played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Config.load(home, {}).change(theme="dark")
    for path in (home, *home.iterdir()):
        path.chmod(0o777)
    Config.load(home, {})
    assert rights(home) == PRIVATE
    (home / "stranger").touch()
    for path in (home, *home.iterdir()):
        path.chmod(0o755)
    with Store.open(home):
        pass
    open_still = {path.name for path in (home, *home.iterdir()) if path.stat().st_mode & 0o077}
    assert open_still == {home.name, "stranger"}, "a folder with other things in it is not only ours"
    assert main(["doctor"]) == 0


def test_a_doctor_names_what_can_not_be_closed(
    home: Path, played: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "history.jsonl").chmod(0o644)
    monkeypatch.setattr(Path, "chmod", lambda *_: None)
    monkeypatch.setattr(os, "fchmod", lambda *_: None)
    assert main(["doctor"]) == 1
    assert f"wrong:     {home / 'history.jsonl'} can be read by others.\n" in capsys.readouterr().out


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


def link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to(path.with_name("pipe"))


def listener(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(path.parent)
        server.bind(path.name)


def link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def test_nothing_hangs_at_what_is_no_regular_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in another process, which can be killed if it hangs."""
    monkeypatch.chdir(tmp_path)
    kinds: tuple[Callable[[Path], None], ...] = (
        *(pipe, device, terminal, link_to_a_pipe, listener, link_to_itself, Path.mkdir),
    )
    names = ("history.jsonl", "history.cache.db-journal", "history.cache.db", "settings.toml")
    places = [tmp_path / f"{kind.__name__} {name}" / name for kind in kinds for name in names]
    for kind, place in zip((kind for kind in kinds for _ in names), places, strict=True):
        place.parent.mkdir()
        kind(place)
    script = (
        "import os, sys; from duelbox.store.store import Store; from duelbox.store.settings import Config\n"
        "from tests.store.play import assert_playable\n"
        "for home in sys.argv[1:]:\n"
        "    os.environ['DUELBOX_HOME'] = home; s = Store.open()\n"
        "    assert_playable(s); print(s.notice, flush=True); s.close()\n"
        "    c = Config.load(); print(c.notices, c.change(delay=5), flush=True)"
    )
    command = [sys.executable, "-c", script, *(str(place.parent) for place in places)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=ROOT)
    said = done.stdout.splitlines()
    for place, notice, told in zip(places, said[::2], said[1::2], strict=True):
        if place.name == "settings.toml":
            assert "settings.toml cannot be read" in told
            assert "cannot be changed" in told
        elif place.name == "history.jsonl":
            assert is_sentence(notice)
        else:
            assert notice == "None", "without an index, all is kept all the same"
        assert place.is_symlink() or not place.is_file()


def test_a_settings_file_is_not_read_without_end(home: Path) -> None:
    home.mkdir()
    path = home / "settings.toml"
    path.write_text("delay = 5\n" + "#" * (MOST - 10))
    assert Config.load(home, {}).settings == Settings(delay=5)
    path.write_text("delay = 5\n" + "#" * MOST)
    config = Config.load(home, {})
    assert "larger than 1,000,000 bytes" in config.notices[0]
    assert "larger than 1,000,000 bytes" in str(config.change(delay=6))
    assert path.stat().st_size == MOST + 10


def test_what_a_killed_writer_left_is_removed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config.load(home, {})
    config.change(delay=1)
    old, new = home / ".settings.toml.abc", home / ".settings.toml.def"
    for path in (old, new):
        path.touch()
    os.utime(old, (0, 0))
    config.change(delay=2)
    assert not old.exists()
    assert new.exists(), "another terminal may be writing it just now"
    monkeypatch.setattr(files, "LEFT", -1.0)
    config.change(delay=3)
    assert sorted(path.name for path in home.iterdir()) == ["settings.toml"]


@pytest.mark.parametrize("command", ["doctor", "history", "play"])
def test_the_path_of_a_home_can_not_act_on_a_terminal(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "a\x1b[31m\n\u202e"
    monkeypatch.setenv("DUELBOX_HOME", str(home))
    home.mkdir()
    (home / "history.jsonl").write_bytes(b"noise" * 1000)
    (home / "settings.toml").write_text("delay = -1")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    main([command, *(["--plain", "circle-duel"] if command == "play" else [])])
    said = "".join(capsys.readouterr())
    assert "\\x1b[31m\\n\\u202e" in said
    assert "\x1b[31m" not in said
    assert "\u202e" not in said


def test_a_home_of_nobody_is_a_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOX_HOME", "~nobody9/x")
    for command in (["history"], ["doctor"], ["play", "circle-duel", "--plain"]):
        assert main(command) == 2
        assert re.fullmatch("DUELBOX_HOME .* ~nobody9/x, .*no such home.*\\n", capsys.readouterr().err)
