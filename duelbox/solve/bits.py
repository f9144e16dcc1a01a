"""Sets of numbers as the bits of an integer."""

from __future__ import annotations

from collections.abc import Iterator


def each(bits: int) -> Iterator[int]:
    """Yield the bits of a set, lowest first."""
    while bits:
        bit = bits & -bits
        bits ^= bit
        yield bit


def numbers_in(bits: int) -> list[int]:
    """The numbers of a set in which bit n stands for n, ascending."""
    return [number for number in range(bits.bit_length()) if bits >> number & 1]
