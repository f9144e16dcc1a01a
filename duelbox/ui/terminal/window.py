"""Control sequences by which a terminal names its window and tells something to whoever looks elsewhere."""

from __future__ import annotations

import os
from collections.abc import Mapping

KEEP_TITLE, GIVE_TITLE_BACK = "\x1b[22;2t", "\x1b[23;2t"
"""Put the title of the window on the terminal's stack, and take it from there."""


def titled(text: str) -> str:
    """Name the window."""
    return f"\x1b]2;{text}\x07"


def notice(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Show a notice on the desktop; through tmux, where that lets sequences pass."""
    old = environ.get("TERM", "").startswith(("rxvt", "foot"))
    sequence = f"\x1b]777;notify;{text};\x07" if old else f"\x1b]9;{text}\x07"
    return f"\x1bPtmux;\x1b{sequence}\x1b\\" if "TMUX" in environ else sequence
