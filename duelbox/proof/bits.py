"""The bits of a proof in one base64url word, and the numbers and maps written in them."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping

from duelbox.proof.api import NoProof


class EndOfBits(Exception):
    """A word has no more bits to read."""


class WrongMap(Exception):
    """The bits of a map name a number that it cannot name."""


def width_of(choices: int) -> int:
    """The bits that the number of one of so many choices takes: none for one, two for three or four."""
    return max(choices - 1, 0).bit_length()


class BitWriter:
    """Bits that are written one after the other; the first bit of the word is 0."""

    def __init__(self) -> None:
        self._bits: list[str] = ["0"]

    def number(self, value: int, width: int) -> None:
        """Write a number in this many bits, the highest first."""
        if width:
            self._bits.append(f"{value:0{width}b}")

    def map(self, images: Mapping[int, int], last: int) -> None:
        """Write the image of each number up to the last; 0 for none, and nothing for the second of a pair."""
        for number in range(1, last + 1):
            image = images.get(number, 0)
            if image == 0 or image >= number:
                self.number(image, last.bit_length())

    @property
    def word(self) -> str:
        """The bits as a word, filled up with zeros to whole bytes."""
        bits = "".join(self._bits)
        size = (len(bits) + 7) // 8
        data = int(bits.ljust(size * 8, "0"), 2).to_bytes(size, "big")
        return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


class BitReader:
    """The bits of a word, read one after the other; raises NoProof where the text is no such word."""

    def __init__(self, word: str) -> None:
        try:
            data = urlsafe_b64decode(word + "=" * (-len(word) % 4))
            again = urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
        except ValueError:
            again = ""
        if not word or again != word:
            raise NoProof("The answers are damaged: they are no base64url word.")
        self._bits = "".join(f"{byte:08b}" for byte in data)
        self._at = 0
        if self.number(1):
            raise NoProof("The answers are damaged: their first bit is not 0.")

    def number(self, width: int) -> int:
        """The number in the next bits; raises EndOfBits."""
        end = self._at + width
        if end > len(self._bits):
            raise EndOfBits
        bits = self._bits[self._at : end]
        self._at = end
        return int(bits or "0", 2)

    def map(self, last: int) -> dict[int, int]:
        """The map in the next bits, in both directions; raises WrongMap and EndOfBits."""
        images: dict[int, int] = {}
        for number in range(1, last + 1):
            if number in images:
                continue
            image = self.number(last.bit_length())
            if image == 0:
                continue
            if not number <= image <= last or image in images:
                raise WrongMap
            images[number] = image
            images[image] = number
        return images

    @property
    def is_used_up(self) -> bool:
        """True if nothing is left but the zeros that fill the last byte."""
        rest = self._bits[self._at :]
        return len(rest) < 8 and "1" not in rest
