"""Join codes, with which a friend comes to a table.

A code is the number of a room and three words to read out, or the number and a long secret to paste.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from duelbox.core.errors import DuelboxError

Entropy = Callable[[int], bytes]
"""Returns so many random bytes, such as `os.urandom`."""

WORDS = 3
"""Words in a code: 30 bits, enough because a host allows only a few wrong guesses."""
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_LONG = 26
"""Letters that hold 128 bits."""
_MISREAD = str.maketrans("oil", "011")
_SHAPE = "A code looks like 7843-lagoon-honey-berry: a number, then three words."


class BadJoinCode(DuelboxError):
    """The text is not a join code."""


@dataclass(frozen=True, slots=True)
class JoinCode:
    """The room to meet in, and the secret that only the two players know."""

    room: str
    secret: str

    @property
    def spoken(self) -> bool:
        """The secret is three words rather than 26 letters: short enough to guess if nothing limited the tries."""
        return "-" in self.secret

    def __str__(self) -> str:
        return f"{self.room}-{self.secret}"


@cache
def code_words() -> tuple[str, ...]:
    """The 1,024 words of codes, in alphabetical order."""
    return tuple(files("duelbox.friends").joinpath("words.txt").read_text("ascii").split())


def words_of(chance: bytes, count: int) -> list[str]:
    """Words chosen by random bytes, two bytes for each."""
    return [code_words()[int.from_bytes(chance[2 * at : 2 * at + 2], "big") % len(code_words())] for at in range(count)]


def new_join_code(room: str, entropy: Entropy, *, spoken: bool = True) -> JoinCode:
    """A random code for this room: three words, or 26 letters if not `spoken`."""
    if spoken:
        return JoinCode(room, "-".join(words_of(entropy(2 * WORDS), WORDS)))
    return JoinCode(room, long_secret(entropy))


def long_secret(entropy: Entropy) -> str:
    """A random secret of 128 bits, as letters and digits."""
    bits = int.from_bytes(entropy(16), "big")
    return "".join(LETTERS[bits >> 5 * at & 31] for at in reversed(range(_LONG)))


def read_join_code(text: str) -> JoinCode:
    """Parse a typed join code, ignoring case and spaces; raises BadJoinCode."""
    parts = [part for part in re.split(r"[-\s]+", text.strip().lower()) if part]
    if not parts:
        raise BadJoinCode(_SHAPE)
    room, *rest = parts
    if re.fullmatch("w[0-9]{1,9}", room):
        raise BadJoinCode("That is a key for watchers. To look on with it: duelbox join --watch KEY")
    if not re.fullmatch(r"[0-9]{1,9}", room):
        raise BadJoinCode(f"A code begins with a number, not with {room[:24]!a}. {_SHAPE}")
    spoken = len(rest) == WORDS and all(re.fullmatch("[a-z]+", word) for word in rest)
    pasted = "".join(rest).translate(_MISREAD)
    if not spoken and len(pasted) == _LONG and set(pasted) <= set(LETTERS):
        return JoinCode(room, pasted)
    if len(rest) != WORDS:
        raise BadJoinCode(f"After the number come three words; here come {len(rest)}. {_SHAPE}")
    for word in rest:
        if word not in code_words():
            near = get_close_matches(word, code_words(), n=1)
            guess = f" Did you mean {near[0]}?" if near else ""
            raise BadJoinCode(f"{word[:24]!a} is not a word of codes.{guess}")
    return JoinCode(room, "-".join(rest))


def completions(text: str) -> tuple[str, ...]:
    """The text with its last word completed, once for each word that fits."""
    head, hyphen, last = text.lower().rpartition("-")
    if not hyphen or not last:
        return ()
    return tuple(f"{head}-{word}" for word in code_words() if word.startswith(last))
