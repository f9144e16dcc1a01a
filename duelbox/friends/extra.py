"""The libraries that only playing across machines needs; duelbox is installed without them."""

from __future__ import annotations

import sys
from importlib import import_module

from duelbox.core.errors import DuelboxError
from duelbox.relay.address import only_relay


def check_installed() -> None:
    """Raise DuelboxError where no friend elsewhere can be met: the libraries are missing, or this is not allowed."""
    if only_relay() == "":
        raise DuelboxError("No friend elsewhere can be met from here: whoever serves this duelbox has named no relay.")
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
