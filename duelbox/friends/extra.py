"""The libraries that only playing across machines needs; duelbox is installed without them."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from duelbox.core.errors import DuelboxError

ONLY_RELAY = "DUELBOX_ONLY_RELAY"
"""The variable that makes a process a visitor's: it listens nowhere, and reaches this relay alone (empty: none)."""


def only_relay() -> str | None:
    """The one relay that a visitor's process may reach, empty for none; None where nothing is forbidden."""
    return os.environ.get(ONLY_RELAY)


def check_installed() -> None:
    """Raise DuelboxError, which says how to install them, where the libraries for matches elsewhere are missing."""
    need("Playing with a friend elsewhere", "net", "websockets", "cryptography")


def need(what: str, extra: str, *modules: str) -> None:
    """Refuse what these modules are needed for, where they are not installed."""
    try:
        for module in modules:
            import_module(module)
    except ImportError:
        raise not_installed(what, extra) from None


def not_installed(what: str, extra: str) -> DuelboxError:
    """How to install what is missing: with this Python, as the first pip on the path may be that of another."""
    how = f'{sys.executable or "python3"} -m pip install "duelbox[{extra}]"'
    return DuelboxError(f"{what} takes libraries that are not installed. To install them: {how}")
