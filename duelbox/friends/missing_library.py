"""The libraries that only playing across machines needs; duelbox is installed without them."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

from duelbox.core.errors import DuelboxError
from duelbox.relay.address import only_relay


def check_friends_available() -> None:
    """Raise DuelboxError where no friend elsewhere can be met: the libraries are missing, or this is not allowed."""
    if only_relay() == "":
        raise DuelboxError("No friend elsewhere can be met from here: whoever serves this duelbox has named no relay.")
    require("Playing with a friend elsewhere", "net", "websockets", "cryptography")


def require(what: str, extra: str, *modules: str) -> None:
    """Refuse what these modules are needed for, where they are not installed."""
    if not all(find_spec(module) for module in modules):
        raise missing_library(what, extra)


def missing_library(what: str, extra: str) -> DuelboxError:
    """The refusal, with the command that installs what is missing."""
    how = "To start duelbox with them" if _passing() else "To install them"
    return DuelboxError(f"{what} takes libraries that are not installed. {how}: {_command(extra)}")


def _passing() -> bool:
    """This duelbox was not installed: pipx or uvx keep it for a while."""
    folder = Path(sys.prefix).parent
    return folder.name.startswith("archive-v") or (_is_here("pipx_metadata.json") and folder.name != "venvs")


def _is_here(name: str) -> bool:
    return (Path(sys.prefix) / name).exists()


def _command(extra: str) -> str:
    """The command that adds an extra to this duelbox by what installed it, so that an upgrade keeps it."""
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
    """The command that installs a package of one's own beside duelbox, to be worked on."""
    if _is_here("pipx_metadata.json"):
        return f"pipx inject --editable duelbox {folder}"
    if _is_here("uv-receipt.toml"):
        return f'uv tool install --force --with-editable {folder} "duelbox{_source()}"'
    return f"{_pip()} -e {folder}"


def _pip() -> str:
    """The installing command of this very Python: the first pip on the path may be that of another."""
    python = sys.executable or "python3"
    return f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"


def _source() -> str:
    """The place that duelbox was installed from, as a requirement has it; empty for an index, or where it has gone."""
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.request import url2pathname

    try:
        told = json.loads(distribution("duelbox").read_text("direct_url.json") or "{}")
        url, commit = told.get("url", ""), told.get("vcs_info", {}).get("commit_id")
    except (PackageNotFoundError, ValueError):
        return ""
    if commit:
        return f" @ git+{url}@{commit}"
    gone = url.startswith("file:") and not Path(url2pathname(url.removeprefix("file://"))).exists()
    return f" @ {url}" if url and not gone else ""
