"""Control sequences for the title of the terminal's window and for desktop notices."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress

KEEP_TITLE, GIVE_TITLE_BACK = "\x1b[22;2t", "\x1b[23;2t"
"""Save the title of the window on the terminal's stack, and restore it from there."""

SMALL = 6
"""The width in pixels of cells in which a filled circle and a diamond look alike, as in xterm's own font."""


def has_small_cells(terminal: int = 1) -> bool:
    """True if the kernel knows that the cells of this terminal are small."""
    if sys.platform == "win32":
        return False
    import struct
    from fcntl import ioctl
    from termios import TIOCGWINSZ

    with suppress(OSError):
        _, columns, width, _ = struct.unpack("HHHH", ioctl(terminal, TIOCGWINSZ, bytes(8)))
        pixels: int = width // max(1, columns)
        return 0 < pixels <= SMALL
    return False


def titled(text: str) -> str:
    """The sequence that sets the title of the window."""
    return f"\x1b]2;{text}\x07"


def notice(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The sequence that shows a notice on the desktop, wrapped for tmux if need be."""
    old = environ.get("TERM", "").startswith(("rxvt", "foot"))
    sequence = f"\x1b]777;notify;{text};\x07" if old else f"\x1b]9;{text}\x07"
    return f"\x1bPtmux;\x1b{sequence}\x1b\\" if "TMUX" in environ else sequence
