"""How much is tried: `python -m tests.check` tries a share of what `python -m tests.check --long` tries."""

from __future__ import annotations

import os

LONG = "DUELBOX_TESTS_LONG"
"""The variable that asks for everything."""
SHARE = 1 if os.environ.get(LONG) else 16


def tries(most: int) -> int:
    """How often to try what may be tried so often."""
    return -(-most // SHARE)


def sampled(few: int, most: int) -> int:
    """How often to try what is slow: few times, or with everything asked for, as often as it was promised."""
    return few if SHARE > 1 else most
