"""Control sequences for the title of the terminal's window and for desktop notices."""

from __future__ import annotations

import os
from collections.abc import Mapping

KEEP_TITLE, GIVE_TITLE_BACK = "\x1b[22;2t", "\x1b[23;2t"
"""Save the title of the window on the terminal's stack, and restore it from there."""


def titled(text: str) -> str:
    """The sequence that sets the title of the window."""
    return f"\x1b]2;{text}\x07"


def notice(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The sequence that shows a notice on the desktop, wrapped for tmux if need be."""
    old = environ.get("TERM", "").startswith(("rxvt", "foot"))
    sequence = f"\x1b]777;notify;{text};\x07" if old else f"\x1b]9;{text}\x07"
    return f"\x1bPtmux;\x1b{sequence}\x1b\\" if "TMUX" in environ else sequence
