"""Clean names of players, and other text that is safe to print on a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from duelbox.core.errors import BadName

MAX_CELLS = 24
MAX_CHARACTERS = 2 * MAX_CELLS  # combining marks take no cell, so cells alone would not limit a name

# Letters and marks that draw nothing, though Unicode does not call them controls.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")


def printable(text: object) -> str:
    """A text without effect on a terminal: characters that can't be printed become escapes."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in str(text))


def quoted(text: str) -> str:
    """Quote a typed text in a message: shortened, and escaped if it can't be printed."""
    short = text if len(text) <= 24 else text[:23] + "…"
    return ascii(short) if not short.isprintable() else f"'{short}'"


def cells(text: str) -> int:
    """The number of terminal cells that a text takes."""
    return sum(_cells_of(char, first=at == 0) for at, char in enumerate(text))


def _cells_of(char: str, *, first: bool) -> int:
    """The cells that a character adds to a text; a skin tone colours the figure before it."""
    if not first and "\U0001f3fb" <= char <= "\U0001f3ff":
        return 0
    if unicodedata.combining(char) or unicodedata.category(char) == "Mn" or _ends_a_syllable(char):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 1


def _ends_a_syllable(char: str) -> bool:
    """True for the vowels and last consonants of Korean, which are drawn into the syllable before them."""
    return "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7ff"


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of texts as lines with aligned columns."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(text + " " * (width - cells(text)) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _printable(char: str) -> bool:
    # Category C: controls, escapes, bidirectional marks, surrogates, unassigned. Z: separators other than the space.
    # Variation selectors and enclosing marks may be drawn wider than they are counted.
    category = unicodedata.category(char)
    if category[0] == "C" or (category[0] == "Z" and char != " ") or category == "Me" or char in _BLANK:
        return False
    return not ("\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef")


def clean_name(text: str) -> str:
    """The name in NFC without spaces around it; raises BadName if it can't be shown."""
    name = unicodedata.normalize("NFC", text).strip(" ")
    if not name:
        raise BadName("A name needs at least one character.")
    if len(name) > MAX_CHARACTERS:
        raise BadName(f"A name has at most {MAX_CHARACTERS} characters; this one has {len(name)}.")
    if unicodedata.combining(name[0]):
        raise BadName("A name begins with a letter, not with an accent that stands on one.")
    for at, char in enumerate(name, 1):
        if not _printable(char):
            raise BadName(f"A name is printable text; character {at} (U+{ord(char):04X}) is not.")
    if cells(name) > MAX_CELLS:
        raise BadName(f"A name has at most {MAX_CELLS} cells; this one has {cells(name)}.")
    return name


def check_name(text: str, rival: str | None) -> str:
    """A clean name that differs from the other player's; raises BadName."""
    name = clean_name(text)
    if rival is not None and name.casefold() == rival.casefold():
        raise BadName(f"Both players cannot be called {name}.")
    return name
