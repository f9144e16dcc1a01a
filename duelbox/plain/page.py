"""Pages of Markdown as text for a terminal."""

from __future__ import annotations

import re
import shutil
from functools import partial
from textwrap import fill

from duelbox.registry import rules_text

BLOCKS = r"\n\n(?!    )|(?<=\n)\n(?=    )"
"""Between two paragraphs, lists or drawings of a page; a drawing is one, blank lines and all."""


def rules_page(game_id: str) -> str:
    """The rules of a game without the marks of Markdown, wrapped as wide as the terminal is; drawings stay as they are.

    Raises DuelboxError where a guest brings none.
    """
    filled = partial(fill, width=max(20, shutil.get_terminal_size().columns), break_on_hyphens=False)
    blocks: list[str] = []
    for block in re.split(BLOCKS, rules_text(game_id).strip("\n")):
        if block.lstrip("\n").startswith(("    ", "|")):
            blocks.append(block.strip("\n"))
            continue
        text = re.sub(r"`(.+?)`|\*\*(.+?)\*\*|^#+ (.*)$", lambda found: found[found.lastindex or 0], block)
        items = re.split(r"\n(?=- )", text)
        blocks.append("\n".join(filled(item, subsequent_indent="  " * item.startswith("- ")) for item in items))
    return "\n\n".join(blocks) + "\n"
