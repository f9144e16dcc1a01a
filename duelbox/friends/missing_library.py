"""Checks for optional libraries, and the command that installs one that is missing."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

from duelbox.core.errors import DuelboxError
from duelbox.relay.address import only_relay


def check_friends_available() -> None:
    """Raise DuelboxError if matches elsewhere are impossible: libraries are missing, or a server forbids them."""
    if only_relay() == "":
        raise DuelboxError("No friend elsewhere can be met from here: whoever serves this duelbox has named no relay.")
    require("Playing with a friend elsewhere", "net", "websockets", "cryptography")


def require(what: str, extra: str, *modules: str) -> None:
    """Raise DuelboxError if one of these modules is not installed."""
    if not all(find_spec(module) for module in modules):
        raise missing_library(what, extra)


def missing_library(what: str, extra: str) -> DuelboxError:
    """The refusal, with the command that installs the missing libraries."""
    how = "To start duelbox with them" if _passing() else "To install them"
    return DuelboxError(f"{what} takes libraries that are not installed. {how}: {_command(extra)}")


def _passing() -> bool:
    """pipx or uvx run this duelbox from a cache, without installing it."""
    folder = Path(sys.prefix).parent
    return folder.name.startswith("archive-v") or (_is_here("pipx_metadata.json") and folder.name != "venvs")


def _is_here(name: str) -> bool:
    return (Path(sys.prefix) / name).exists()


def _command(extra: str) -> str:
    """The command that adds an extra by the tool that installed duelbox, so that an upgrade keeps it."""
    wanted = f'"duelbox[{extra}]{_source()}"'
    if _is_here("pipx_metadata.json"):
        return f"pipx run --spec {wanted} duelbox" if _passing() else f"pipx install --force {wanted}"
    if _passing():
        return f"uvx --from {wanted} duelbox"
    if _is_here("uv-receipt.toml"):
        return f"uv tool install --force {wanted}"
    if _is_here("../uv.lock"):
        return f'uv add "duelbox[{extra}]"'
    return f'{_pip()} "duelbox[{extra}]"'


def editable_install(folder: str) -> str:
    """The command that installs the player's own package in editable mode beside duelbox."""
    if _is_here("pipx_metadata.json"):
        return f"pipx inject --editable duelbox {folder}"
    if _is_here("uv-receipt.toml"):
        return f'uv tool install --force --with-editable {folder} "duelbox{_source()}"'
    return f"{_pip()} -e {folder}"


def _pip() -> str:
    """The install command of this Python; the first pip on the path may belong to another."""
    python = sys.executable or "python3"
    return f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"


def _source() -> str:
    """The source of this installation as part of a requirement; empty for an index, or if it is gone."""
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.request import url2pathname

    try:
        origin = json.loads(distribution("duelbox").read_text("direct_url.json") or "{}")
        url, commit = origin.get("url", ""), origin.get("vcs_info", {}).get("commit_id")
    except (PackageNotFoundError, ValueError):
        return ""
    if commit:
        return f" @ git+{url}@{commit}"
    gone = url.startswith("file:") and not Path(url2pathname(url.removeprefix("file://"))).exists()
    return f" @ {url}" if url and not gone else ""
