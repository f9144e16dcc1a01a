"""Rules that a player claims in a walk: typed, tried, and refuted by a search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from duelbox.core.errors import MoveError
from duelbox.core.model import listed, some
from duelbox.proof.api import Lemma, Map, NoProof, Proving
from duelbox.proof.deal import Deal, Spot

MOST_TRIED = 10_000
"""The positions in which a reply that breaks a rule is looked for."""
_PAIR = re.compile(r"([1-9][0-9]?)-([1-9][0-9]?)")


@dataclass(frozen=True)
class Rule:
    """A rule that is claimed."""

    lemma: Lemma
    images: Map
    text: str
    """The rule with its map, as it can be typed: "pairs 1-2 4-5"."""
    typed: str = ""
    """The rule without a map that need not be typed: "copy"."""


def parse_rule(text: str, proving: Proving, view: Any) -> list[Rule]:
    """The rules that a text may mean: one with typed pairs, or one for each map that need not be typed.

    Raises NoProof if it is no rule of the game.
    """
    words = " ".join(text.lower().split())[:400]
    for lemma in proving.lemmas:
        for name in (lemma.typed, *lemma.also):
            rest = words.removeprefix(name)
            if rest == words or (rest and not rest.startswith(" ")):
                continue
            if rest:
                images = _pairs(rest.split())
                return [Rule(lemma, images, f"{lemma.typed}{rest}", f"{lemma.typed}{rest}")]
            maps = lemma.offers(view)
            if not maps:
                raise NoProof(f"Name the {lemma.typed}, such as: {lemma.typed} 1-2 4-5.")
            return [Rule(lemma, images, _text(lemma, images), lemma.typed) for images in maps]
    names = [lemma.typed for lemma in proving.lemmas]
    raise NoProof(f"The rules you can claim here: {listed(names, 'or') or 'none'}.")


def _text(lemma: Lemma, images: Map) -> str:
    pairs = [f"{one}-{two}" for one, two in sorted(images.items()) if one <= two]
    return " ".join([lemma.typed, *pairs])


def _pairs(words: Sequence[str]) -> dict[int, int]:
    images: dict[int, int] = {}
    for word in words:
        match = _PAIR.fullmatch(word)
        if match is None:
            raise NoProof(f"A pair is two numbers, such as 1-2, not {word[:8]!a}.")
        one, two = int(match[1]), int(match[2])
        if one in images or two in images:
            raise NoProof(f"{some(sorted({one, two} & set(images)))} stands in two pairs.")
        images[one] = two
        images[two] = one
    return images


def broken(deal: Deal, start: Spot, rules: Sequence[Rule]) -> tuple[tuple[str, ...], str]:
    """The moves after which every one of these rules has no answer, and why the last has none; no moves if none is
    found."""
    line: tuple[str, ...] = ()
    why = ""
    for rule in rules:
        line, why = _breaking(deal, start, rule, MOST_TRIED // len(rules))
        if not line:
            break
    return line, why


def _breaking(deal: Deal, start: Spot, rule: Rule, most: int) -> tuple[tuple[str, ...], str]:
    images = rule.lemma.fitted(start.view, rule.images)
    met: set[tuple[Any, ...]] = set()
    stack: list[tuple[Spot, tuple[str, ...]]] = [(start, ())]
    while stack and len(met) < most:
        spot, path = stack.pop(0)
        if spot.view.turn is None or spot.shape in met:
            continue
        met.add(spot.shape)
        for move, after in deal.next(spot).items():
            line = (*path, move)
            if after.view.turn is None:
                return line, after.view.outcome.reason
            number = rule.lemma.reply(spot.view, images, int(move))
            if number is None:
                return line, f"the rule names no answer to {move}."
            try:
                answer = deal.game.parse_move(after.view, str(number))
                deal.game.apply(after.view, after.view.turn, answer)
            except MoveError as error:
                return line, error.sentence
            reply = deal.game.format_move(answer)
            stack.append((deal.next(after)[reply], (*line, reply)))
    return (), ""
