"""`duelbox help benchmarks`: each figure of the audit is worked out here once more."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import duelbox
from duelbox.commands.shared import topics
from duelbox.registry import find_game
from duelbox.rules_lab.facts import Facts, work_out
from tests.effort import sampled

PAGE = " ".join(topics()["benchmarks"].split())
OPEN = ("circle-duel", "number-circle", "sequence-duel", "digit-chain")
"""The games that hide nothing."""
BLIND = "+2 +3 +4 +5 -6 +7"


def facts(game_id: str, layer: str) -> Facts:
    game = find_game(game_id)
    return work_out(game, game.Options(), layer, limit=None)  # type: ignore[arg-type]


def chance(seed: int) -> Callable[[duelbox.Seen], str]:
    """A player who draws each move."""
    drawn = random.Random(seed)
    return lambda seen: drawn.choice(seen.legal)


def wins(game_id: str, seat: int, games: int) -> int:
    """The games that chance wins in a seat against exact play."""
    won = 0
    for seed in range(games):
        if seat == 0:
            table = duelbox.play(game_id, chance(seed), "oracle", seed=seed)
        else:
            table = duelbox.play(game_id, "oracle", chance(seed), seed=seed)
        assert table.outcome is not None
        won += table.outcome.winner == seat
    return won


@pytest.mark.parametrize(
    ("game_id", "first", "rule"),
    [
        ("circle-duel", 0, "answers every move with its partner"),
        ("number-circle", 1, f"plays {BLIND} blindly"),
        ("sequence-duel", 1, "plays 10 first and then answers every move with its partner"),
        ("digit-chain", 1, "leaves the fewest answers"),
    ],
)
def test_one_rule_wins_every_game_of_four(game_id: str, first: int, rule: str) -> None:
    found = facts(game_id, "one_rule")
    assert (found.one_rule, found.rule, found.proved) == (1, rule, True)
    assert facts(game_id, "first").first == first


def test_number_circle_duel_is_decided_by_the_seat() -> None:
    assert wins("circle-duel", 1, sampled(6, 60)) == sampled(6, 60)
    assert "won 60 of 60 games as second against exact play" in PAGE
    assert facts("circle-duel", "choice").choice == 0
    assert "The choice matters in 0 of 100 positions" in PAGE


def test_six_moves_win_number_circle_blindly() -> None:
    plan = BLIND.split()
    assert f"{BLIND}, blindly" in PAGE
    for seed in range(10):
        table = duelbox.play("number-circle", lambda seen: plan[len(seen.moves) // 2], chance(seed))
        assert table.outcome is not None
        assert table.outcome.winner == 0
        assert len(table.moves) == 2 * len(plan) - 1


def test_sequence_duel_falls_to_the_middle_and_a_copy() -> None:
    for seed in range(10):
        opponent = chance(seed)
        table = duelbox.play(
            "sequence-duel", lambda seen: "10" if not seen.moves else str(21 - int(seen.moves[-1])), opponent
        )
        assert table.outcome is not None
        assert table.outcome.winner == 0
    assert "10, then 21 less the other number" in PAGE


def test_one_first_pick_in_eleven_wins_digit_chain_at_once() -> None:
    found = duelbox.Table("digit-chain").solve()
    winning = [move for move in found.moves if move.verdict == "win" and move.plies == 1]
    assert [int(move.move) % 10 for move in winning] == [0] * 9
    assert f"{len(winning)} of {len(found.moves)} first picks do" in PAGE
    assert len(found.moves) == 11 * len(winning)


def test_number_duel_stays_open() -> None:
    first, choice = facts("number-duel", "first"), facts("number-duel", "choice")
    assert first.first is not None
    assert choice.choice is not None
    assert f"the first player wins {100 * first.first:.0f} of 100 deals" in PAGE
    assert f"matters in {100 * choice.choice:.0f} of 100 positions" in PAGE
    assert facts("number-duel", "one_rule").one_rule == 0


@pytest.mark.skipif(sampled(0, 1) == 0, reason="80 games against exact play, with --long")
def test_chance_wins_some_games_against_exact_play() -> None:
    won = {(game_id, seat): wins(game_id, seat, 20) for game_id in OPEN for seat in (0, 1)}
    assert f"chance won {sum(won.values())} of 160 games" in PAGE
    assert (won["circle-duel", 1], won["digit-chain", 0]) == (20, 4)
    assert "20 by its seat in Number Circle Duel, 4 by a first pick" in PAGE
