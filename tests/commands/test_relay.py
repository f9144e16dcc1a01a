"""`duelbox relay`: it prints its address, answers health checks, and refuses bad arguments with a sentence."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from duelbox.friends.client import open_room
from tests.command_line import run


@contextmanager
def relay(*args: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A relay in its own process, and its address."""
    command = [sys.executable, "-m", "duelbox", "relay", "--listen", "127.0.0.1:0", *args]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            found = re.search(r"The relay is at (\S+)\.", process.stderr.readline())
            assert found
            yield process, found[1]
        finally:
            process.kill()


async def test_it_serves_until_it_is_told_to_stop() -> None:
    with relay() as (process, address):
        await open_room(address)
        with urllib.request.urlopen(f"{address.replace('ws', 'http', 1)}/health") as answer:
            assert answer.read() == b'{"rooms": 1, "connections": 0, "entries": 0}\n'
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=30)
        assert process.returncode == 0
    assert re.search(r"room \d{4}: host has joined\n", told)
    assert "127.0.0.1" not in told
    assert Path(os.environ["DUELBOX_HOME"], "relay.server.db").stat().st_mode & 0o077 == 0


async def test_it_logs_addresses_when_asked() -> None:
    with relay("--addresses") as (process, address):
        await open_room(address)
        process.send_signal(signal.SIGTERM)
        assert "host has joined [127.0.0.1]" in process.communicate(timeout=30)[1]


def test_two_relays_do_not_share_a_file() -> None:
    with relay():
        ran = run("relay", "--listen", "127.0.0.1:0")
    assert ran.status == 2
    assert re.search(r"relay\.server\.db .*another relay", ran.err)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--listen", "here"), "'here' is no address"),
        (("--listen", "127.0.0.1:99999"), "'127.0.0.1:99999' is no address"),
        (("--listen", "192.0.2.1:80"), "cannot listen at 192.0.2.1:80: "),
        (("--tls", "none.pem", "none.key"), "TLS: No such file"),
        (("--proxy", "me"), "'me' is no address or network."),
        (("--file", "/nowhere/relay.db"), "/nowhere/relay.db cannot be"),
        (("--file", __file__), "file is not a database."),
    ],
)
def test_what_it_cannot_use_is_named(args: tuple[str, str], sentence: str) -> None:
    ran = run("relay", *args)
    assert ran.status == 2
    assert sentence in ran.err
    assert "Traceback" not in ran.err


def test_another_programs_database_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    assert "it belongs to another program" in run("relay", "--file", str(path)).err
    assert path.read_bytes() == before


def test_without_the_libraries_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "websockets", None)
    ran = run("relay")
    assert ran.status == 2
    assert ran.err.endswith(f' {sys.executable} -m pip install "duelbox[net]"\n')


def test_nats_at_a_wrong_address_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.relay.jetstream.RETRY_FOR", 1.0)
    ran = run("relay", "--listen", "127.0.0.1:0", "--nats", "nats://127.0.0.1:1")
    assert ran.status == 2
    assert re.fullmatch(r"NATS cannot be reached: .*Connect call failed.*\n", ran.err)
