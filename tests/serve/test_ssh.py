"""`duelbox serve --ssh` with a client on this machine: which keys are let in, and what they can do."""

from __future__ import annotations

import asyncio
import re
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from asyncssh.constants import MSG_GLOBAL_REQUEST
from asyncssh.packet import Boolean, String

from tests.serve.server import PATIENCE, ROOT, Server, serving
from tests.ui.terminal.pty import Screen

pytestmark = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc")

Key = asyncssh.SSHKey | asyncssh.SSHKeyPair
ANN, BEN, STRANGER = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(3))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    keys = folder / "keys"
    keys.write_bytes(ANN.export_public_key() + BEN.export_public_key())
    with serving(folder, "--ssh", "0", "--keys", str(keys)) as one:
        yield one


def connected(server: Server, *keys: Key, name: str = "anybody") -> asyncssh.connection._ACMWrapper:
    return asyncssh.connect(
        "127.0.0.1", server.port, username=name, client_keys=list(keys), known_hosts=None, config=None, agent_path=None
    )


@dataclass
class Guest:
    """A client at the other end of an ssh connection."""

    connection: asyncssh.SSHClientConnection
    process: asyncssh.SSHClientProcess[str]
    screen: Screen

    def type(self, text: str) -> None:
        self.process.stdin.write(text)

    async def see(self, *texts: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not all(text in self.screen.text for text in texts):
                    read = await self.process.stdout.read(1 << 16)
                    assert read, f"the line was cut instead of {texts}"
                    self.screen.feed(read)
        except TimeoutError:
            raise AssertionError(f"waited {PATIENCE:.0f} s for {texts}\n{self.screen.text}") from None

    async def rest(self) -> str:
        async with asyncio.timeout(PATIENCE):
            return await self.process.stdout.read()

    async def click_on(self, text: str) -> None:
        await self.see(text)
        x, y = self.screen.find(text)
        self.type(f"\x1b[<0;{x + 2};{y + 1}M\x1b[<0;{x + 2};{y + 1}m")


@asynccontextmanager
async def visiting(server: Server, *keys: Key, name: str = "anybody", **options: Any) -> AsyncIterator[Guest]:
    async with connected(server, *keys, name=name) as connection:
        options = {"term_type": "xterm-256color", "term_size": (80, 24)} | options
        process = await connection.create_process(**options)
        yield Guest(connection, process, Screen(80, 24))
        process.close()


async def start_a_game(guest: Guest) -> None:
    await guest.see("Number Circle Duel")
    guest.type("\x1b[Df")  # left: the classic ring, in which nothing is drawn at random
    await guest.see("Player 1, your move")
    guest.type("5\r")
    await guest.see("Player 2, your move")


async def test_keys_clicks_and_sizes_arrive(server: Server) -> None:
    async with visiting(server, ANN, env={"COLORTERM": "truecolor"}) as ann:
        await ann.see("Number Circle Duel")
        ann.type("\x1b[Df")  # left: the classic ring, in which nothing is drawn at random
        await ann.see("Player 1, your move")
        ann.type("5\r")
        await ann.click_on("│  6  │")
        await ann.click_on("┃  6  ┃")
        await ann.see("Player 1, your move")
        ann.screen.resize(50, 12)
        ann.process.change_terminal_size(50, 12)
        await ann.see("duelbox needs 60x20.", "50x12")
        ann.type("\x11")
        assert "duelbox has closed. Every game is kept." in await ann.rest()
        assert (await ann.process.wait()).exit_status == 0


async def test_a_key_is_who_you_are_and_a_lost_line_keeps_the_game(server: Server) -> None:
    await server.alone()  # visitors of earlier tests may still be leaving
    async with visiting(server, BEN, name="ben") as ben:
        await start_a_game(ben)
        assert len(server.processes()) == 1
        ben.connection.abort()
    await server.alone()
    async with visiting(server, BEN, name="root") as ben, visiting(server, ANN, name="ben") as ann:
        await ben.see("Undo")
        await ann.see("Number Circle Duel")
        assert len(set(server.processes().values())) == 2
    await server.alone()
    assert {one.stat().st_mode & 0o077 for one in server.folders} == {0}


async def test_other_keys_and_other_ways_in_are_refused(server: Server) -> None:
    await server.alone()  # visitors of earlier tests may still be leaving
    with pytest.raises(asyncssh.PermissionDenied):
        async with connected(server, STRANGER):
            pass
    for way in ({"password": "duelbox"}, {}):
        with pytest.raises(asyncssh.PermissionDenied):
            async with asyncssh.connect(
                "127.0.0.1", server.port, username="ann", client_keys=None, known_hosts=None, config=None, **way
            ):
                pass
    assert not server.processes()


async def test_a_key_that_is_only_shown_opens_nobodys_folder(server: Server) -> None:
    """Offer Ben's public key signed by another key, then log in with Ann's."""
    await server.alone()  # visitors of earlier tests may still be leaving
    (forged,) = asyncssh.load_keypairs(BEN)
    (other,) = asyncssh.load_keypairs(STRANGER)
    forged.sign = other.sign
    with pytest.raises(asyncssh.PermissionDenied):
        async with connected(server, forged):
            pass
    async with visiting(server, ANN) as ann:
        await ann.see("Number Circle Duel")
        homes = set(server.processes().values())
    await server.alone()
    async with visiting(server, forged, ANN) as ann:
        await ann.see("Number Circle Duel")
        assert set(server.processes().values()) == homes


async def test_there_is_no_shell_no_command_and_no_file(server: Server) -> None:
    await server.alone()  # visitors of earlier tests may still be leaving
    async with connected(server, ANN) as connection:
        for command in ("id", "duelbox history", "scp -t /tmp"):
            ran = await connection.run(command, term_type="xterm")
            assert (ran.exit_status, ran.stdout) == (2, "")
            assert "There is duelbox here, and nothing else" in str(ran.stderr)
        without = await connection.run()
        assert (without.exit_status, without.stderr) == (2, "duelbox needs a terminal: ssh -t\r\n")
        with pytest.raises((asyncssh.Error, OSError)):
            async with connection.start_sftp_client():
                pass
    assert not server.processes()


async def test_nothing_is_forwarded(server: Server, tmp_path: Path) -> None:
    async with connected(server, ANN) as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection("127.0.0.1", server.port)
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_port("", 0, "127.0.0.1", server.port)
        with pytest.raises((asyncssh.ChannelOpenError, OSError)):
            await connection.open_unix_connection("/tmp/x")


async def test_a_line_that_is_cut_under_a_flood_is_no_line_in_the_log(server: Server) -> None:
    """The answers to all that has arrived are written to a connection that has gone."""
    for _ in range(10):
        async with connected(server, ANN) as connection:
            for _ in range(300):
                connection.send_packet(MSG_GLOBAL_REQUEST, String(b"keepalive@openssh.com"), Boolean(True))
            transport = connection._transport
            at_once = struct.pack("ii", 1, 0)
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            transport.abort()
    async with visiting(server, ANN) as ann:
        await ann.see("Number Circle Duel")
    assert server.log.read_text(encoding="utf-8") == ""


async def test_visitors_over_ssh_are_counted_too(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_bytes(ANN.export_public_key())
    with serving(tmp_path, "--ssh", "0", "--keys", str(keys), "--visitors", "1") as server:
        assert "Whoever has a key in" in server.said
        async with visiting(server, ANN) as first:
            await first.see("Number Circle Duel")
            async with connected(server, ANN) as connection:
                refused = await connection.run(term_type="xterm", encoding="utf-8")
                assert re.fullmatch(r"1 visitor .*no more.*\r\n", refused.stderr)
            keys.write_bytes(BEN.export_public_key())  # the file is read again for each login
            with pytest.raises(asyncssh.PermissionDenied):
                async with connected(server, ANN):
                    pass
        async with connected(server, BEN) as connection:
            first_key = connection.get_server_host_key()
    assert (server.home / "visitors/host_key").stat().st_mode & 0o077 == 0
    with serving(tmp_path, "--ssh", "0", "--keys", str(keys)) as server:
        async with connected(server, BEN) as connection:
            assert connection.get_server_host_key() == first_key


def test_a_file_without_keys_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "none").write_text("nonsense")
    for name, sentence in (("missing", "cannot be read"), ("none", "no key")):
        command = [sys.executable, "-m", "duelbox", "serve", "--ssh", "0", "--keys", str(tmp_path / name)]
        ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert sentence in ran.stderr
        assert "Traceback" not in ran.stderr
