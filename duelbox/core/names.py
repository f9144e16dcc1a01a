"""Clean names of players, and other text that is safe to print on a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from duelbox.core.errors import BadName

MAX_CELLS = 24
MAX_CHARACTERS = 2 * MAX_CELLS  # combining marks take no cell, so cells alone would not limit a name

# Letters and marks that draw nothing, though Unicode does not call them controls.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")

_BEGINNINGS = ("bot:", "run:")
"""Beginnings of texts that name a computer or a program instead of a person."""

# Letters of other scripts, and signs, that look like these.
_LOOK_ALIKE = {
    "A": "ΑАᎪꓮ", "B": "ΒВᏴꓐ", "C": "СϹᏟꓚ", "D": "Ꭰꓓ", "E": "ΕЕᎬꓰ", "F": "Ϝꓝ", "G": "ԌᏀꓖ", "H": "ΗНᎻꓧ", "I": "ΙІӀᏆꓲ",
    "J": "ЈᎫꓙ", "K": "ΚКᏦꓗ", "L": "Ꮮꓡ", "M": "ΜМᎷꓟ", "N": "Νꓠ", "O": "ΟОՕꓳ", "P": "ΡРᏢꓑ", "R": "ᎡꓣƦ", "S": "ЅՏᏚꓢ",
    "T": "ΤТᎢꓔ", "U": "Սꓴ", "V": "ѴᏙꓦ", "W": "ԜᎳꓪ", "X": "ΧХꓫ", "Y": "ΥҮУꓬ", "Z": "ΖᏃꓜ",
    "a": "αаɑ", "b": "Ьь", "c": "сϲ", "d": "ԁ", "e": "еҽ", "g": "ɡց", "h": "һհ", "i": "ιіı", "j": "јϳ", "k": "κк",
    "l": "ӏ", "n": "ոη", "o": "οоօσ", "p": "ρр", "q": "ԛզ", "s": "ѕ", "u": "υսц", "v": "νѵ", "w": "ԝω", "x": "хχ",
    "y": "уүγ", "'": "‘’ʼʹ′´`", "-": "‐‑‒–—−", ":": "։׃∶ː",
}  # fmt: skip
_LATIN = {ord(char): letter for letter, chars in _LOOK_ALIKE.items() for char in chars}
_STROKES = str.maketrans("I1|0", "lllO")


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


def chosen_name(text: str) -> str:
    """A clean name that a person chooses now, not a word of the table such as `You` or `bot:3`; raises BadName."""
    name = clean_name(text)
    if "you" in _readings(name):
        raise BadName("Everybody is You on their own screen. Choose another name.")
    if is_word_of_the_table(name):
        raise BadName(f"A name cannot begin with {' or '.join(_BEGINNINGS)}.")
    return name


def is_word_of_the_table(name: str) -> bool:
    """True for `You`, `bot:3`, `run:…` and what looks like them."""
    readings = _readings(name)
    return "you" in readings or any(reading.startswith(_BEGINNINGS) for reading in readings)


def check_name(text: str, rival: str | None) -> str:
    """A name that a person chooses now, and that looks different from the other player's; raises BadName."""
    name = chosen_name(text)
    if rival is not None and name.casefold() == rival.casefold():
        raise BadName(f"Both players cannot be called {name}.")
    if rival is not None and alike(name, rival):
        raise BadName("This name looks like the other player's. Choose another name.")
    return name


def alike(one: str, two: str) -> bool:
    """True for two names that a reader may take for the same."""
    return not _readings(one).isdisjoint(_readings(two))


def _readings(name: str) -> set[str]:
    """The texts that a name may be read as: spaces left out, in small letters, with letters of one look made one."""
    plain = unicodedata.normalize("NFKC", name).replace(" ", "")
    latin = plain.translate(_LATIN)
    strokes = latin.translate(_STROKES)
    return {plain.casefold(), latin.casefold(), strokes.casefold()}


def told_apart(one: str, two: str) -> str:
    """The second name, with a 2 behind it if both look alike."""
    if not alike(one, two):
        return two
    while cells(two) > MAX_CELLS - 2 or len(two) > MAX_CHARACTERS - 2:
        two = two[:-1]
    return clean_name(f"{two} 2")
