"""The rules of a game as text for a terminal, made from Markdown."""

from __future__ import annotations

import re
import shutil
from functools import partial
from textwrap import fill

from duelbox.registry import rules_text

BLOCKS = r"\n\n(?!    )|(?<=\n)\n(?=    )"
"""Matches between two paragraphs, lists or drawings of a page; a drawing may have blank lines in it."""


def rules_page(game_id: str) -> str:
    """The rules of a game without Markdown signs, wrapped to the width of the terminal; drawings stay as they are.

    Raises DuelboxError for a guest without a page of rules.
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
