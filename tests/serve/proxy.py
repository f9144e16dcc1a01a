"""Servers in front of `duelbox serve`, with the headers of its help page: a small one, and nginx."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tests.serve.server import PATIENCE, ROOT

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
_HELP = (ROOT / "duelbox/help/visitors.md").read_text(encoding="utf-8")
_PORT_OF_THE_HELP = "127.0.0.1:8000"


def location() -> str:
    """The `location` of nginx in the help page."""
    block = re.search(r"^    location / {.*?^    }$", _HELP, re.MULTILINE | re.DOTALL)
    assert block
    return block[0]


def headers_of_the_help() -> dict[str, str]:
    """The headers that nginx sets by the help page, with its variables."""
    return {name: value.strip('"') for name, value in re.findall(r"proxy_set_header (\S+) (\S+);", location())}


@asynccontextmanager
async def small_proxy(port: int, headers: Mapping[str, str], scheme: str = "http") -> AsyncIterator[str]:
    """Pass requests on to a port of this machine, with these headers; yields the address of the proxy."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except asyncio.IncompleteReadError:
            writer.close()
            return
        request, *lines = head.split("\r\n")[:-2]
        sent = dict(line.split(": ", 1) for line in lines)
        values = {
            "$http_host": sent["Host"],
            "$host": sent["Host"].rpartition(":")[0],
            "$proxy_host": f"127.0.0.1:{port}",
            "$http_upgrade": sent.get("Upgrade", ""),
            "$remote_addr": writer.get_extra_info("peername")[0],
            "$scheme": scheme,
        }
        passed = sent | {name: values.get(value, value) for name, value in headers.items()}
        if not values["$http_upgrade"]:
            passed["Connection"] = "close"
        upstream_reader, upstream = await asyncio.open_connection("127.0.0.1", port)
        upstream.write("\r\n".join([request, *(f"{name}: {value}" for name, value in passed.items())]).encode())
        upstream.write(b"\r\n\r\n")
        with suppress(ConnectionError):
            await asyncio.gather(_copy(reader, upstream), _copy(upstream_reader, writer))

    async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@asynccontextmanager
async def nginx(folder: Path, port: int, path: str = "/") -> AsyncIterator[str]:
    """nginx, set up as the help page says; yields the address of the page behind it."""
    assert NGINX
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        own = free.getsockname()[1]
    upstream = f"127.0.0.1:{port}"
    block = location().replace("location /", f"location {path}").replace(_PORT_OF_THE_HELP, upstream)
    if path != "/":
        block = block.replace(f"{upstream};", f"{upstream}/;")
    assert upstream in block
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"{'user root;' if os.getuid() == 0 else ''} daemon off; pid {folder}/pid; error_log {folder}/errors;"
        f"events {{}} http {{ access_log off; {temporary} server {{ listen 127.0.0.1:{own};\n{block}\n}} }}\n",
        encoding="utf-8",
    )
    process = await asyncio.create_subprocess_exec(NGINX, "-e", f"{folder}/errors", "-p", folder, "-c", configuration)
    try:
        async with asyncio.timeout(PATIENCE):
            while not (folder / "pid").exists():
                assert process.returncode is None, (folder / "errors").read_text(encoding="utf-8")
                await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{own}{path}".rstrip("/")
    finally:
        process.terminate()
        await process.wait()
