"""The mistakes of levels 2 to 4 against the levels next to them, and in how many turns they are refuted.

`python -m tests.bench.level_mistakes [--games N] [--first SEED] [WORD…]` prints a line for each preset and level: the
share of wrong moves where a choice matters, and of those the shares that lose within 4, 6, 8 and 12 turns. In Sequence
Duel the turns are those until nothing is in play any more, since from there on everybody can count. It stops with an
error where a slip is told that is none, or an answer that does not refute it. WORD selects presets by their names.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from duelbox.bots import choose
from duelbox.bots.api import Choice
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve import analyse
from duelbox.solve.api import ONE, Rated
from tests.bench.ladder import LEVELS, LONGEST

WITHIN = (4, 6, 8, 12)
ENDLESS = 999
"""The turns of a mistake whose end nobody counts."""


def in_play(state: Any) -> bool:
    """A number is open to both players of Sequence Duel."""
    return bool(set(state.open_to(0)) & set(state.open_to(1)))


def turns_until_clear(game: AnyGame, state: Any, rated: Rated) -> int:
    """The turns until a mistake is refuted, the mistake included."""
    if game.INFO.id != "sequence-duel":
        return rated.plies or ENDLESS
    after, _ = game.apply(state, state.turn, game.parse_move(state, rated.move))
    turns = 1
    while after.turn is not None and in_play(after):
        best = analyse(game, after).moves[0].move
        after, _ = game.apply(after, after.turn, game.parse_move(after, best))
        turns += 1
    return turns


def judge(game: AnyGame, state: Any, choice: Choice, counts: Counter[str], turns: Counter[int]) -> None:
    """Count a choice that matters; a slip that is told has to be one."""
    view = game.view(state, state.turn)
    rated = {one.move: one for one in analyse(game, view).moves}
    values = {one.value for one in rated.values()}
    made = rated[choice.move]
    if choice.unseen:
        after, _ = game.apply(view, view.turn, game.parse_move(view, choice.move))
        answers = {one.move: one.value for one in analyse(game, after).moves}
        assert made.value < max(values), (state, choice)
        assert all(answers[one] == ONE for one in choice.unseen), (state, choice)
        counts["slips"] += 1
    if len(values) == 1:
        return
    counts["choices"] += 1
    if made.value < max(values):
        counts["mistakes"] += 1
        turns[turns_until_clear(game, state, made)] += 1


def play(game: AnyGame, options: Options, level: int, seed: int, counts: Counter[str], turns: Counter[int]) -> None:
    """Play a game of a level against the one below, itself or the one above, and judge its choices."""
    state: Any = game.start(options.changed(seed=(seed + 1) // 2) if options.draws else options)
    rival = level - 1 + seed % 3
    for turn in range(LONGEST):
        if state.turn is None:
            return
        mine = state.turn == seed // 3 % 2
        view = game.view(state, state.turn)
        choice = choose(game, view, LEVELS[level if mine else rival], seed * 1000 + turn)
        if mine:
            judge(game, state, choice, counts, turns)
        state, _ = game.apply(state, state.turn, game.parse_move(view, choice.move))


def main() -> None:
    """Play, judge, print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("words", nargs="*")
    args = parser.parse_intermixed_args()
    for game_id in BUILT_IN:
        game = find_game(game_id)
        for preset in game.PRESETS:
            name = f"{game_id}/{preset.id}"
            if game.INFO.hidden or (args.words and not any(word in name for word in args.words)):
                continue
            for level in (2, 3, 4):
                counts: Counter[str] = Counter()
                turns: Counter[int] = Counter()
                for seed in range(args.first, args.first + args.games):
                    play(game, preset.options, level, seed, counts, turns)
                wrong = counts["mistakes"] / max(counts["choices"], 1)
                shares = [sum(turns[turn] for turn in turns if turn <= most) for most in WITHIN]
                near = " ".join(
                    f"{share / max(counts['mistakes'], 1):4.0%} in {most}"
                    for share, most in zip(shares, WITHIN, strict=True)
                )
                print(
                    f"{name:28} {level}  wrong {wrong:4.0%}  mistakes {counts['mistakes']:4}  {near}"
                    f"  slips told {counts['slips']}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
