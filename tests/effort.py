"""The effort of random tests: `python -m tests.check` runs a share of what `--long` runs."""

from __future__ import annotations

import os

LONG = "DUELBOX_TESTS_LONG"
"""The environment variable set by `--long`."""
SHARE = 1 if os.environ.get(LONG) else 16


def tries(most: int) -> int:
    """The number of tries: a share of `most`, or all with `--long`."""
    return -(-most // SHARE)


def sampled(few: int, most: int) -> int:
    """The number of tries of a slow test: few, or as many as promised with `--long`."""
    return few if SHARE > 1 else most
