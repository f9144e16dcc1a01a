"""Odd things under the names of our files: each is refused in a sentence within two seconds, and nothing is touched."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import pairwise, product
from pathlib import Path

import pytest

from duelbox.cli import main
from duelbox.store.settings import Config
from duelbox.store.store import Store
from tests.store.play import assert_playable, is_sentence

ROOT = Path(__file__).parents[2]
ASIDE = ("damaged", "unreadable", ".v3.")
"""Parts of the names of files that were set aside."""
LIMIT = 2.0
"""Seconds of CPU for a start, for a game, and for a command; what waits for ever is ended by the test."""
ZEROS = 300_000_000


def fifo(path: Path) -> None:
    os.mkfifo(path)


def listener(path: Path) -> None:
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


def folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("precious")


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def full(path: Path) -> None:
    path.symlink_to("/dev/full")


def loop(path: Path) -> None:
    path.symlink_to(path)


def dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def link(path: Path) -> None:
    target = path.with_name("target")
    target.write_text("precious")
    target.chmod(0o644)
    path.symlink_to(target)


def zeros(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(ZEROS)
    path.chmod(0o600)


KINDS: tuple[Callable[[Path], None], ...] = (fifo, listener, folder, endless, full, loop, dangling, link, zeros)
NAMES = (
    *("history.jsonl", "history.cache.db", "history.cache.db-journal", "match.2345678923.jsonl", "match.2024.jsonl\n"),
    *("elsewhere.2345678923.jsonl", "relay.4000.db", "settings.toml", "terminals.json", "home.json", "lab.db"),
    *("history.index.seal", "history.index.db", "history.db", "crash.log"),
)


def seen(folder: Path) -> dict[str, object]:
    """Everything in a folder but what duelbox makes: kinds, sizes, rights, and the content of small files."""
    found: dict[str, object] = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() and status.st_size < 1000 else b""
        found[path.name] = (status.st_mode, status.st_size, content)
    return found


def judged(home: Path) -> tuple[str, float]:
    """Use a home as a player would; returns the sentences that were told, and the longest wait for one."""
    os.environ["DUELBOX_HOME"] = str(home)
    out = StringIO()
    clock = [time.process_time()]
    with Store.open() as store:
        clock.append(time.process_time())
        assert store.notice is None or is_sentence(store.notice), store.notice
        assert_playable(store)
    clock.append(time.process_time())
    config = Config.load()
    told = [store.notice, *config.notices, config.change(delay=5)]
    with redirect_stdout(out), redirect_stderr(out):
        assert main(["history"]) in (0, 1)
        clock.append(time.process_time())
        assert main(["doctor"]) in (0, 1)
        clock.append(time.process_time())
    assert "fault of its own" not in out.getvalue(), out.getvalue()
    longest = max(end - start for start, end in pairwise(clock))
    return " ".join(filter(None, told)), longest


def look_at_all(root: Path) -> None:
    """Judge every kind under every name, and print what went wrong."""
    for kind, name in product(KINDS, NAMES):
        home = root / f"{kind.__name__} {NAMES.index(name)}"
        home.mkdir(parents=True)
        kind(home / name)
        before = seen(home)
        fault = ""
        try:
            told, seconds = judged(home)
            after = seen(home)
            moved = {key for key in before if after.get(key) != before[key]}
            kept_aside = {value for key, value in after.items() if any(part in key for part in ASIDE)}
            if any(before[key] not in kept_aside for key in moved):
                fault = f"touched {moved}"
            if moved and "kept as" not in told and "is settings" not in told and name in ("history.jsonl",):
                fault = f"moved without a word: {told}"
            if (home / "nowhere").exists():
                fault = "made what a link leads to"
        except AssertionError as error:
            fault = f"{error!r}"
            seconds = 0.0
        if seconds > LIMIT:
            fault = f"{fault} {seconds:.1f} s"
        sys.stdout.write(json.dumps([kind.__name__, name, fault]) + "\n")
        sys.stdout.flush()
        if kind is zeros:
            for path in home.iterdir():
                path.unlink()


@pytest.mark.skipif(os.name == "nt", reason="rights and pipes are of another kind there")
def test_whatever_has_the_name_of_a_file_of_ours_is_not_waited_for_and_not_touched(tmp_path: Path) -> None:
    """Runs in another process, which can be killed if it hangs."""
    script = "import sys; from pathlib import Path; from tests.store.test_odd_files import look_at_all\n"
    script += "look_at_all(Path(sys.argv[1]))"
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=ROOT, check=False)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result for result in results if result[2]] == [], done.stderr[-2000:]
    assert len(results) == len(KINDS) * len(NAMES), done.stderr[-2000:]
