"""Measures if players can win by following a reason: `python -m tests.bench.follower [positions]`.

A follower reads the reason of a position once, makes its move, and answers the best opponent as the sentence says until
the end; when it says nothing, the follower plays at random. In Number Duel, a game of chance, a reason can be followed
if it names the best attack and what the next best one lacks.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.solve import analyse
from duelbox.solve.api import ONE, Analysis
from tests.games.claims import MATTERS, judge
from tests.house_rules import SOLVED

POSITIONS = 40
LONGEST = 12
PARTNER = {number: number % 10 * 10 + number // 10 if number > 9 else 11 * number for number in range(100)}


@dataclass
class Plan:
    """The moves and answers that a sentence names."""

    first: str | None = None
    answers: dict[str, str] = field(default_factory=dict)
    then: str | None = None
    """The answer to any other move."""
    way: list[str] = field(default_factory=list)
    """Moves to play one after the other, after any reply."""
    reverse: bool = False
    anything: bool = False

    def answer(self, reply: str, legal: list[str]) -> str | None:
        """The legal answer of the plan to this move, if it has one."""
        told = self.answers.get(reply) or (self.way[0] if self.way else self.then)
        if told is None and self.reverse:
            told = str(PARTNER[int(reply)])
            told = told if told in legal else str(int(reply) // 11)
        if told in legal:
            return told
        return legal[0] if self.anything else None


def read(text: str) -> Plan:
    """The plan in a sentence."""
    plan = Plan()
    if lead := re.match(r"(?:Claim|Pick|Play|Attack with) ([-+]?\d+)(?: at position (\d+))?", text):
        plan.first = f"{lead[1]}x{lead[2]}" if lead[2] else lead[1]
    if way := re.search(r"Your way from -?\d+ to \d+ is ([-+ \d]*)", text):
        plan.way = way[1].split()[1:]
    if then := re.search(r"Then (?:claim|play) ([-+]?\d+)", text):
        plan.then = then[1]
    if then := re.search(r"any (?:other )?pick with (\d+)", text):
        plan.then = then[1]
    if on := re.search(r"go on ([\d-]*\d)", text):
        plan.way = on[1].split("-")
    for many, answer in re.findall(r"((?:\d+, )*\d+ or \d+) with (\d+)", text):
        plan.answers |= dict.fromkeys(_numbers(many), answer)
    if but := re.search(r", but answers? ([^.]*)", text):
        for many, answer in re.findall(r"(\d[\d, orto]*) with (\d+)", but[1]):
            plan.answers |= dict.fromkeys(_numbers(many), answer)
        text = text.replace(but[0], "")
    for one, other in re.findall(r"(\d+(?: (?:to|then) \d+)*) with (\d+(?: (?:to|then) \d+)*)", text):
        pairs = list(zip(_counted(one), _counted(other), strict=True))
        plan.answers |= dict(pairs)
        if "its partner" in text:
            plan.answers |= {two: one for one, two in pairs}
    plan.answers |= dict(re.findall(r"([-+]\d) with ([-+]\d)", text))
    if "partner" in text and " with its partner: " in text:
        for one, other in re.findall(r"(?<!\d)(\d+)-(\d+)", text):
            plan.answers |= {one: other, other: one}
    if single := re.search(r"answer (\d+) with its partner (\d+)", text):
        plan.answers[single[1]] = single[2]
    if only := re.search(r"can only pick (\d+), and you can answer with (\d+)", text):
        plan.answers[only[1]] = only[2]
    plan.reverse = "number with its reverse" in text
    plan.anything = "whatever you claim" in text
    return plan


def _numbers(told: str) -> Iterator[str]:
    for part in re.split(r", | or ", told.strip(" ,")):
        first, _, last = part.partition(" to ")
        yield from map(str, range(int(first), int(last or first) + 1))


def _counted(span: str) -> list[str]:
    found: list[str] = []
    for part in span.split(" then "):
        first, _, last = part.partition(" to ")
        low, high = int(first), int(last or first)
        found += map(str, range(low, high + 1) if low <= high else range(low, high - 1, -1))
    return found


def restates(text: str) -> bool:
    """True if a sentence names no move and no number besides the verdict."""
    return not re.search(r"\d", re.sub(r"Player \d|within \d+ turns?|force \d+|hit \d+", "", text))


def positions(game_id: str, options: Any, count: int, seed: int) -> Iterator[tuple[Session, Analysis]]:
    """Positions of random games with these house rules."""
    game, rng, found = find_game(game_id), Random(seed), 0
    while found < count:
        drawn = options.changed(seed=rng.randrange(10**6)) if options.draws else options
        session = Session(game, drawn)
        for _ in range(rng.randrange(LONGEST)):
            if session.turn is not None:
                session.play(rng.choice(session.legal_moves()))
        if session.turn is not None and not getattr(session.view(session.turn), "arranging", False):
            found += 1
            yield session, analyse(game, session.view(session.turn))


def answers_all(session: Session, found: Analysis, plan: Plan) -> bool:
    """True if the sentence has a winning answer to every reply."""
    game, me = session.game, session.turn
    if plan.first is None:
        return False
    after = _after(game, session.view(me), plan.first)
    if after.turn is None:
        return after.outcome is not None and after.outcome.winner == me
    if after.turn == me:
        return plan.then is not None
    for reply in game.legal_moves(after):
        then = game.apply(after, after.turn, reply)[0]
        if then.turn != me:
            return False
        answer = plan.answer(game.format_move(reply), _legal(game, then))
        if answer is None or next(one for one in analyse(game, then).moves if one.move == answer).value != ONE:
            return False
    return True


def followed(session: Session, plan: Plan, rng: Random) -> bool:
    """True if the follower wins against the best opponent."""
    game, me, view, reply = session.game, session.turn, session.view(session.turn), ""
    plan.way, move = list(plan.way), plan.first
    for _ in range(200):
        if view.turn is None:
            return bool(view.outcome.winner == me)
        if view.turn == me:
            legal = _legal(game, view)
            if reply:
                move = plan.answer(reply, legal)
                if plan.way and move == plan.way[0]:
                    del plan.way[0]
            move = move if move in legal else rng.choice(legal)
            view, reply = _after(game, view, move), " "
        else:
            reply = analyse(game, view).moves[0].move
            view = _after(game, view, reply)
    return False


def _legal(game: Any, view: Any) -> list[str]:
    return [game.format_move(move) for move in game.legal_moves(view)]


def _after(game: Any, view: Any, move: str) -> Any:
    return game.apply(view, view.turn, game.parse_move(view, move))[0]


def told_in_full(found: Analysis, text: str) -> bool:
    """True if a reason in Number Duel names the best attack, what it beats and keeps, and what the next lacks."""
    plan = read(text)
    ends = "you win at once" in text
    return plan.first == found.moves[0].move and (ends or ("Next best" in text or "No attack does better" in text))


class Row(NamedTuple):
    """Counts of reasons that could be followed."""

    restate: int
    won: int
    """Won positions; in Number Duel, positions that are not lost."""
    answered: int
    """Those whose reason answers every reply; in Number Duel, those with a complete reason."""
    to_the_end: int
    """Those that the follower wins."""
    followed: int
    """Those with either."""
    longest: int


def row(game_id: str, options: Any, count: int, seed: int = 1) -> Row:
    """Count for one game with its house rules."""
    rng, restated, longest = Random(seed), 0, 0
    tally: list[tuple[bool, bool]] = []
    for session, found in positions(game_id, options, count, seed):
        restated += restates(found.reason)
        longest = max(longest, len(found.reason))
        plan = read(found.reason)
        if game_id == "number-duel":
            if found.verdict != "loss":
                tally.append((told_in_full(found, found.reason), False))
        elif found.value == ONE:
            tally.append((answers_all(session, found, plan), followed(session, plan, rng)))
    sums = [sum(column) for column in zip(*tally, strict=True)] or [0, 0]
    return Row(restated, len(tally), *sums, sum(map(any, tally)), longest)


def marks(game_id: str, options: Any, count: int, seed: int = 1) -> Counter[str]:
    """Marks of the judge for reasons where a choice matters: short and checkable, with an idea, separating, all three;
    and those that separate by the reply."""
    counts: Counter[str] = Counter()
    for session, found in positions(game_id, options, 20 * count, seed):
        if max(found.value - one.value for one in found.moves) < MATTERS:
            continue
        one = judge(session.game, session.view(session.turn), found)
        good = {"follow": one.follows, "idea": one.idea, "separate": bool(one.separates)}
        counts.update(mark for mark, held in good.items() if held)
        counts.update({"all": all(good.values()), "by reply": one.separates == "reply", "of": 1})
        if counts["of"] == count:
            break
    return counts


def main(count: int = POSITIONS) -> None:
    """Print a table of all games and presets."""
    for game_id in SOLVED:
        for preset in find_game(game_id).PRESETS:
            found = row(game_id, preset.options, count)
            share = f"{100 * found.followed / max(found.won, 1):.0f} % of {found.won}"
            parts = f"answers every reply {found.answered}, followed to the end {found.to_the_end}"
            print(f"{game_id:<14}{preset.name:<14}restate {found.restate} of {count}; can be followed {share}: {parts}")
            print(f"{'':28}judged {dict(marks(game_id, preset.options, count))}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else POSITIONS)
