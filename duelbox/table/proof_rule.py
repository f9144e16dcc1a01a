"""The rule that a player names in a proof: which one, and the pairs that are typed or clicked for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from duelbox.proof.api import Lemma

LONGEST = 120
"""The most characters of pairs."""
_SIGNS = "0123456789- ,"
_PAIR = re.compile(r"(\d+)-(\d+)")
_WORDS = {
    "pairs": "every number has a partner",
    "copy": "copy across the middle",
    "count": "only safe numbers are left",
    "reverse": "answer every number with its reverse",
}
"""The rules in words, by the word that is typed for each."""


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule that is being named."""

    lemma: Lemma
    line: str = ""
    """The pairs as typed so far."""

    @property
    def takes_pairs(self) -> bool:
        """The player types the pairs; other maps follow from the board."""
        return self.lemma.typed == "pairs"

    @property
    def words(self) -> str:
        """The rule in words."""
        return _WORDS.get(self.lemma.typed, self.lemma.name)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs that are whole; of two with the same number the later one."""
        taken: set[str] = set()
        pairs = []
        for one, two in reversed(_PAIR.findall(self.line)):
            if one != two and not taken & {one, two}:
                taken |= {one, two}
                pairs.append((one, two))
        return tuple(reversed(pairs))

    def typed(self, char: str) -> NamedRule | None:
        """The rule after a character; None if it is no part of a pair."""
        if not self.takes_pairs or char not in _SIGNS or len(self.line) >= LONGEST:
            return None
        if char == "," or (char == " " and not self.line.rstrip()):
            char = ""
        return replace(self, line=self.line + char)

    def erased(self) -> NamedRule:
        """The rule without its last character."""
        return replace(self, line=self.line[:-1])

    def clicked(self, number: str) -> NamedRule:
        """The rule after a click on a number: the second one makes a pair, and a click on a pair takes it away."""
        kept = [f"{one}-{two}" for one, two in self.pairs if number not in (one, two)]
        begun = re.search(r"(\d+)-$", self.line)
        if len(kept) < len(self.pairs) or (begun is not None and begun[1] == number):
            return replace(self, line="".join(f"{pair} " for pair in kept))
        last = f"{number}-"
        if begun is not None:
            last = f"{begun[1]}-{number} "
        return replace(self, line="".join(f"{pair} " for pair in kept) + last)

    @property
    def text(self) -> str:
        """The rule as it is claimed: its word, and the typed pairs."""
        return " ".join([self.lemma.typed, *("-".join(pair) for pair in self.pairs)])


def pairs_of(text: str) -> tuple[tuple[str, str], ...]:
    """The pairs in the text of a rule."""
    return tuple((one, two) for one, two in _PAIR.findall(text))
