"""The mistakes of levels 2 to 4 against a random player, with a coach's comment on those they could see.

`python -m tests.bench.level_mistakes [--games N] [WORD…]` prints counts by game, level and kind, the turns until a
refutation, and twenty random examples. The coach knows only the rules, not what the level overlooked.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections import Counter
from random import Random
from typing import Any

from duelbox.bots import choose
from duelbox.core.code import format_code
from duelbox.core.model import listed
from duelbox.core.rng import Rng
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve import analyse
from duelbox.solve.api import ONE
from tests.bench.ladder import LEVELS, LONGEST

PASSED = {
    "far": "far from where you were looking",
    "used": "what would answer it is used already",
    "exception": "the one right move of many",
}


def number(text: str) -> int:
    """The number in a move."""
    return int(text.lstrip("+-"))


def overlooked(why: str, moves: list[str]) -> list[str]:
    """The moves that a reason calls overlooked."""
    found = re.search(r"I did not look at ([-+\d, and]+)\.|I looked at ([-+\d, and]+) only", why)
    if not found:
        return []
    text = found[1] or found[2]
    named = set(re.findall(r"[-+]?\d+", re.sub(r"(?<!\d)\d+-\d+", "", text)))
    for low, high in re.findall(r"(?<!\d)(\d+)-(\d+)", text):
        named |= set(map(str, range(int(low), int(high) + 1)))
    return [move for move in moves if (move in named) == bool(found[1])]


def apart(view: Any, one: int, two: int) -> int:
    """The distance of two numbers on the board."""
    size, steps = len(view.numbers), abs(one - two)
    return min(steps, size - steps) if view.numbers[-1] != 99 and getattr(view.options, "ring", True) else steps


def coach(game_id: str, before: Any, made: str, after: Any, refuting: list[str], answers: int) -> tuple[str, str]:
    """The kind of a slip and the coach's comment; two empty texts if no kind fits."""
    numbers = list(map(number, refuting))
    if game_id == "digit-chain":
        gone = [one for one in numbers if int(str(one % 10) + str(one // 10 or one % 10)) not in after.pool]
        if len(gone) == len(numbers):
            return "used", f"Your reverse of {listed(refuting)} is used already: {made} loses to it."
    elif game_id == "circle-duel" and not before.own:
        mine = set(after.picked(before.turn if after is not before else 1 - before.turn))
        if all(mine & set(after.neighbours(one)) for one in numbers):
            return "used", f"After {listed(refuting)} you have used up what you would answer with."
    elif game_id == "number-circle":
        here = after.places[before.turn if after is not before else 1 - before.turn]
        if all(min(abs(one - here), 9 - abs(one - here)) > 2 for one in numbers):
            return "far", f"Look where the other marker stands, far from yours: {listed(refuting)} refutes {made}."
        if all(text[0] == "-" for text in refuting):
            return "exception", f"You looked for what they add; {listed(refuting)} subtracts."
    else:
        limit = 4 if game_id == "sequence-duel" else 2 * before.options.reach
        last = after.picks[-2:] if game_id == "sequence-duel" else after.picks[-1:]
        if all(min(apart(after, one, place) for place in last) > limit for one in numbers):
            return "far", f"{listed(refuting)} is far from {made}, where you were looking, and refutes it."
    if len(refuting) == 1 and answers >= 3:
        return "exception", f"Of {answers} answers to {made} only {refuting[0]} refutes it."
    return "", ""


def main() -> None:
    """Play, judge, print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("words", nargs="*")
    args = parser.parse_intermixed_args()
    counts: Counter[tuple[str, int, str]] = Counter()
    turns: Counter[tuple[int, int]] = Counter()
    slips = []
    for game_id in BUILT_IN:
        game = find_game(game_id)
        if game.INFO.hidden or (args.words and game_id not in args.words):
            continue
        for preset in game.PRESETS:
            for level in (2, 3, 4):
                for seed in range(1, args.games + 1):
                    options = preset.options.changed(seed=seed) if preset.options.draws else preset.options
                    state: Any = game.start(options)
                    moves: list[Any] = []
                    while state.turn is not None and len(moves) < LONGEST:
                        draw = seed * 1000 + len(moves)
                        legal = {game.format_move(move): move for move in game.legal_moves(state)}
                        if state.turn == seed % 2:
                            text = Rng(draw).choice(list(legal))
                        else:
                            chosen = choose(game, state, LEVELS[level], draw)
                            text = chosen.move
                            found = {one.move: one for one in analyse(game, state).moves}
                            thrown = max(one.value for one in found.values()) - found[text].value
                            if thrown > 0:
                                within = "of your answers" in chosen.why or "your answers" in chosen.why
                                kind, said = "beyond its sight", ""
                                missed = overlooked(chosen.why, list(legal))
                                wins = [one.move for one in found.values() if one.value == ONE and one.move in missed]
                                if wins and not within:
                                    kind, said = coach(game_id, state, text, state, wins, len(found))
                                    said = said and f"You passed over {listed(wins)}: {PASSED[kind]}."
                                    kind = kind or "no kind fits"
                                    code = format_code(game, options, moves)
                                    slips.append((code, LEVELS[level], text, 0, kind, said))
                                if within:
                                    after, _ = game.apply(state, state.turn, legal[text])
                                    answers = analyse(game, after).moves
                                    lost = found[text].plies
                                    near = [one for one in answers if one.value == ONE]
                                    soon = [one.move for one in near if (one.plies or 99) <= (lost or 99)]
                                    kind, said = coach(game_id, state, text, after, soon, len(answers))
                                    kind = kind or "no kind fits"
                                    code = format_code(game, options, moves)
                                    slips.append((code, LEVELS[level], text, lost or 0, kind, said))
                                    turns[level, lost or 0] += 1
                                counts[game_id, level, kind] += 1
                        moves.append(legal[text])
                        state, _ = game.apply(state, state.turn, legal[text])
    for key, count in sorted(counts.items()):
        print(*key, count)
    print("refuted within (level, turns):", dict(sorted(turns.items())))
    for slip in Random(22).sample(slips, min(20, len(slips))):
        print(*slip, sep=" | ")


if __name__ == "__main__":
    main()
