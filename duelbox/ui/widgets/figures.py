"""Large numbers drawn with blocks: three by five dots a sign."""

from __future__ import annotations

from functools import lru_cache

_SIGNS = {
    "0": "75557",
    "1": "26227",
    "2": "71747",
    "3": "71717",
    "4": "55711",
    "5": "74717",
    "6": "74757",
    "7": "71111",
    "8": "75757",
    "9": "75717",
    "-": "00700",
    " ": "00000",
}
"""Five rows of three dots; each row an octal digit."""
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


@lru_cache(maxsize=256)
def big(text: str, scale: int) -> tuple[str, ...]:
    """A number as lines: three of them at scale 1 (half a line a dot), five at scale 2 (two cells a dot)."""
    rows = [_dots(text, row) for row in range(5)]
    if scale == 2:
        return tuple("".join("██" if dot else "  " for dot in row) for row in rows)
    blank = [False] * len(rows[0])
    pairs = zip(rows[::2], [*rows[1::2], blank], strict=True)
    return tuple("".join(_HALVES[dots] for dots in zip(*pair, strict=True)) for pair in pairs)


def _dots(text: str, row: int) -> list[bool]:
    """One row of dots, with a gap between signs."""
    out: list[bool] = []
    for sign in text:
        bits = int(_SIGNS.get(sign, _SIGNS[" "])[row])
        out += [False] * bool(out) + [bool(bits & bit) for bit in (4, 2, 1)]
    return out
