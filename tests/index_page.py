"""The README as an index of packages shows it: `python -m tests.index_page [ADDRESS]` prints it.

An index has the text alone. Links and pictures lead to ADDRESS, where this folder is published; without an address the
pictures are left out, and links are their words. The lines that install from an index, a comment in the README, are
shown.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
LINKED_PICTURE = r"\[(!\[[^\]]*\]\([^)]+\))\]\([^)]+\)"
PICTURE = r"(?: · )?!\[[^\]]*\]\([^)]+\)"
LINK = r"\[([^\]]+)\]\((?!https:)[^)]+\)"


def index_page(readme: str, address: str = "") -> str:
    """The text with the lines for an index, and with links that lead somewhere from anywhere."""
    shown = re.sub(r"<!-- index\n(.*?)\n-->", r"\1", readme, flags=re.DOTALL)
    if address:
        return re.sub(r"\]\((?!https:)([^)]+)\)", rf"]({address.rstrip('/')}/\1)", shown)
    words = re.sub(LINKED_PICTURE, r"\1", shown)
    words = re.sub(PICTURE, "", words)
    return re.sub(LINK, r"\1", words)


if __name__ == "__main__":
    print(index_page(README.read_text("utf-8"), *sys.argv[1:2]), end="")
