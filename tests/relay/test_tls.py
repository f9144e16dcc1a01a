"""TLS by the relay itself: members check its certificate, and a renewed certificate is loaded."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from duelbox.commands.relay import _load, _renew, _tls
from duelbox.core.errors import DuelboxError
from duelbox.friends.client import open_room
from duelbox.relay.server import serving
from duelbox.relay.wire import RoomRefused
from tests.relay.clients import connected, entries


def certificate(folder: Path, name: str) -> list[str]:
    """The files of a self-signed certificate for 127.0.0.1 and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    files = [folder / f"{name}.crt", folder / f"{name}.key"]
    files[0].write_bytes(made.public_bytes(pem))
    files[1].write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return [str(file) for file in files]


async def test_a_relay_speaks_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = certificate(tmp_path, "first")
    async with serving(tls=_tls(files)) as relay:
        assert relay.address.startswith("wss://127.0.0.1:")
        with pytest.raises(RoomRefused, match="who it is: self-signed"):
            await open_room(relay.address)
        monkeypatch.setenv("SSL_CERT_FILE", files[0])
        async with connected(await open_room(relay.address)) as (room,):
            assert await room.append(1, b"sealed") == 1
            assert len(await entries(room, 1)) == 1


LATE = """
import sys
from duelbox import startup
startup.load_rare_modules_later()
import asyncio
assert "_ssl" not in sys.modules
from duelbox.friends.client import open_room
print(asyncio.run(open_room(sys.argv[1])).key)
"""


async def test_a_relay_is_trusted_by_what_is_loaded_with_the_first_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = certificate(tmp_path, "first")
    async with serving(tls=_tls(files)) as relay:
        command = (sys.executable, "-c", LATE, relay.address)
        refused = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
        assert "who it is: self-signed" in refused.stderr
        monkeypatch.setenv("SSL_CERT_FILE", files[0])
        opened = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
        assert opened.stdout.strip(), opened.stderr


async def test_a_renewed_certificate_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = certificate(tmp_path, "old"), certificate(tmp_path, "new")
    context = _tls(old)
    monkeypatch.setenv("SSL_CERT_FILE", new[0])
    async with serving(tls=context) as relay:
        with pytest.raises(RoomRefused, match="cannot prove who it is"):
            await open_room(relay.address)
        _renew(context, [new[0], str(tmp_path / "none.key")])  # logged, and nothing changes
        with pytest.raises(RoomRefused, match="cannot prove who it is"):
            await open_room(relay.address)
        _renew(context, new)
        await open_room(relay.address)


def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    (mine, _), (_, other) = certificate(tmp_path, "mine"), certificate(tmp_path, "other")
    with pytest.raises(DuelboxError, match=r"cannot be used for TLS: .*KEY_VALUES_MISMATCH"):
        _load(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), [mine, other])
