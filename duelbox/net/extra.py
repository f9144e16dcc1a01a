"""The libraries that only playing across machines needs; duelbox is installed without them."""

from __future__ import annotations

from importlib import import_module

from duelbox.core.errors import DuelboxError


def need(what: str, extra: str, *modules: str) -> None:
    """Refuse what these modules are needed for, where they are not installed."""
    try:
        for module in modules:
            import_module(module)
    except ImportError:
        raise DuelboxError(
            f'{what} takes libraries that are not installed. To install them: pip install "duelbox[{extra}]".'
        ) from None
