"""Laws: the shortest pattern of winners along a row of a map, and the laws that are proved for every value.

A law says nothing beyond the cells it was read from, unless `laws.json` beside the rules of the game proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.model import Model, listed
from duelbox.core.options import Options, written
from duelbox.registry import text_beside
from duelbox.rules_lab.facts import Facts
from duelbox.rules_lab.house_rules import HouseRule
from duelbox.rules_lab.map import Map, winner_of

FILE = "laws.json"
LEAST_CELLS, LEAST_PERIODS = 6, 3
"""A law holds in at least so many cells, and for so many periods."""
Who = Literal["first", "second", "draw"]
Row = Mapping[int, Who | None]
"""The winner at each value that was looked at; None where not all deals go the same way."""


class Pattern(NamedTuple):
    """The winners from one value of a row to its last, in periods."""

    start: int
    end: int
    period: int
    who: dict[int, Who]
    """The winner for each rest that values leave when divided by the period."""

    def at(self, value: int) -> Who:
        """The winner at a value."""
        return self.who[value % self.period]


class Proof(Model):
    """A law that is proved for every value from `start` on."""

    axis: str
    where: dict[str, tuple[Any, ...]]
    """The values of other house rules for which it holds; a rule that is not named may have any."""
    start: int = Field(alias="from")
    period: int
    who: dict[int, Who]
    lemma: str
    """The name of the idea behind it, by which tests find the proof."""
    why: tuple[str, ...]
    """The proof in a few sentences."""
    picture: str = ""
    """A code that shows it."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Numbers of that code that answer each other."""


_PROOFS = TypeAdapter(tuple[Proof, ...])


@dataclass(frozen=True, slots=True)
class Law:
    """A pattern of winners in a row of a map."""

    rule: HouseRule
    fixed: dict[str, Any]
    """The other house rules."""
    pattern: Pattern
    deals: int
    """The most deals that were solved in one of its cells."""
    proof: Proof | None

    def row(self) -> dict[str, Any]:
        """The law as a line of JSON."""
        start, end, period, who = self.pattern
        proved = "checked"
        if self.proof is not None:
            proved = "proved"
        return {
            "axis": self.rule.key,
            "fixed": self.fixed,
            "from": start,
            "to": end,
            "period": period,
            "who": {str(rest): winner for rest, winner in sorted(who.items())},
            "proved": proved,
            "cells": end - start + 1,
        }

    def place(self, map_: Map) -> str:
        """The other house rules: "Number of gaps 1, longest step 2, trails own"."""
        rules = (one for one in (map_.x, map_.y, *map_.fixed) if one.key in self.fixed)
        told = ", ".join(f"{one.label} {written(self.fixed[one.key])}" for one in rules)
        return told[:1].upper() + told[1:].lower()

    def sentences(self) -> str:
        """The law in words: its cells, the winners, and how far that is known."""
        known = "Checked there."
        if self.deals > 1:
            known = f"Checked there, in {self.deals} draws each."
        if self.proof is not None:
            known = f"Proved from {self.proof.start} on."
        start, end, *_ = self.pattern
        return f"{self.rule.label} {start} to {end}: {_winners(self.pattern)}. {known}"


def pattern_of(row: Row) -> Pattern | None:
    """The pattern with the smallest start, and then the smallest period, that fits a row to its end; None if no pattern
    has enough cells."""
    known = _without_gaps(row)
    for at in range(len(known) - LEAST_CELLS + 1):
        start, end = known[at], known[-1]
        if any(row[value] is None for value in known[at:]):
            continue
        for period in range(1, len(known[at:]) // LEAST_PERIODS + 1):
            who = {value % period: winner for value in known[at : at + period] if (winner := row[value])}
            found = Pattern(start, end, period, who)
            if all(row[value] == found.at(value) for value in row if value >= start):
                return found
    return None


def _without_gaps(row: Row) -> list[int]:
    """The values from the first that was looked at, up to the first that was not."""
    known = list[int]()
    for value in sorted(row):
        if known and value > known[-1] + 1:
            break
        known.append(value)
    return known


def laws_on(map_: Map, facts: Callable[[Options], Facts | None]) -> Iterator[Law]:
    """The laws of the rows and then of the columns of a map, by the known facts about who wins."""
    wide, high = map_.size
    for row in range(high):
        yield from _law(map_.put(0, row), map_.x, [(column, row) for column in range(wide)], facts)
    if map_.y.key:
        for column in range(wide):
            yield from _law(map_.put(column, 0), map_.y, [(column, row) for row in range(high)], facts)


def _law(
    map_: Map, rule: HouseRule, places: list[tuple[int, int]], facts: Callable[[Options], Facts | None]
) -> Iterator[Law]:
    """The law of one row or column, if it has one."""
    winners = dict[int, Who | None]()
    deals = dict[int, int]()
    for value, place in zip(rule.values, places, strict=True):
        options = map_.setting(*place)
        if options is None or type(value) is not int:
            continue
        known = facts(options)
        if known is not None and known.first is not None:
            winners[value] = who_wins(known)
            deals[value] = known.deals
    pattern = pattern_of(winners)
    if pattern is not None:
        fixed = {
            one.key: map_.values[one.key] for one in (map_.x, map_.y, *map_.fixed) if one.key not in ("", rule.key)
        }
        most = max(deals[value] for value in range(pattern.start, pattern.end + 1))
        yield Law(rule, fixed, pattern, most, proof_of(map_.game, rule.key, fixed, pattern))


def who_wins(facts: Facts) -> Who | None:
    """The result of all deals with best play, if they have the same."""
    if facts.draw == 1:
        return "draw"
    winner = winner_of(facts)
    if winner == "neither":
        return None
    return winner


def proof_of(game: AnyGame, axis: str, fixed: Mapping[str, Any], pattern: Pattern) -> Proof | None:
    """The proof that this pattern holds for every value, if the game has one."""
    for proof in proofs(game):
        if proof.axis != axis or proof.start > pattern.start:
            continue
        if any(fixed.get(key) not in values for key, values in proof.where.items()):
            continue
        if proof.period == pattern.period and proof.who == pattern.who:
            return proof
    return None


def proofs(game: AnyGame) -> tuple[Proof, ...]:
    """The proved laws of a game; empty without a file that can be read."""
    try:
        text = text_beside(game.INFO.id, FILE)
        if text is None:
            return ()
        return _PROOFS.validate_json(text)
    except (DuelboxError, ValueError):  # a guest's file
        return ()


def _winners(pattern: Pattern) -> str:
    """The winners in words: "first when odd, second when even"."""
    if pattern.period == 1:
        return _player(pattern.who[0]).replace(" wins", " always wins")
    parts = list[str]()
    for winner in dict.fromkeys(pattern.at(pattern.start + at) for at in range(pattern.period)):
        rests = [rest for rest, one in sorted(pattern.who.items()) if one == winner]
        parts.append(f"{_player(winner)} when {_values(pattern, rests)}")
    return ", ".join(parts)


def _values(pattern: Pattern, rests: list[int]) -> str:
    """The values with these rests in words, such as "even" or "a multiple of 3"."""
    period = pattern.period
    if period == 2:
        return ("even", "odd")[rests[0]]
    if rests == [0]:
        return f"a multiple of {period}"
    start, *_ = pattern
    first = [value for value in range(start, start + period) if value % period in rests]
    return f"{listed([*map(str, first)], 'or')} and every {period} more"


def _player(who: Who) -> str:
    if who == "draw":
        return "a draw"
    return f"the {who} player wins"
