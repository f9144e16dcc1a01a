"""The solver of Sequence Duel against a slow search written straight from the rules."""

from __future__ import annotations

from random import Random

import pytest

from duelbox.games.sequence_duel import rules
from duelbox.games.sequence_duel.solve import verdicts as sequence_duel
from duelbox.games.sequence_duel.solve.line import line_of
from duelbox.games.sequence_duel.solve.verdicts import solve, stream
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Stop
from tests.effort import sampled, tries
from tests.games.sequence_duel.slow import Numbers, Position, next_to, open_to, random_view, slow
from tests.positions import at


def check_moves(analysis: Analysis, position: tuple[int, bool, Numbers, Numbers]) -> None:
    """Check verdicts, turns and the order of moves against the slow search."""
    size, ring, mine, theirs = position
    won, plies = slow(*position)
    assert (analysis.verdict, analysis.plies) == ("win" if won else "loss", plies)
    assert (analysis.win, analysis.draw) == (won, 0)
    assert sorted(int(move.move) for move in analysis.moves) == list(open_to(*position))
    for move in analysis.moves:
        rival_wins, left = slow(size, ring, theirs, mine | {int(move.move)})
        assert (move.verdict, move.plies) == ("loss" if rival_wins else "win", left + 1)
        assert (move.win, move.draw) == (not rival_wins, 0)
    ranks = [(-move.value, move.plies or 0, at > 0, int(move.move)) for at, move in enumerate(analysis.moves)]
    assert ranks == sorted(ranks, key=lambda rank: (rank[0], rank[1] if rank[0] else -rank[1], *rank[2:]))


def test_every_verdict_every_move_and_all_turns_are_the_slow_search_s() -> None:
    rng = Random(1)
    for _ in range(tries(2_500)):
        view = random_view(rng, range(5, 11))
        check_moves(analyse(rules.GAME, view), Position(view).facts)


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("size", range(1, 5))
def test_every_position_of_the_smallest_lines_and_rings(size: int, ring: bool) -> None:
    for owners in range(3**size):
        owner = {n + 1: (0, 1, -1)[owners // 3**n % 3] for n in range(size)}
        mine = frozenset(n for n in owner if owner[n] == 1)
        theirs = frozenset(n for n in owner if owner[n] == -1)
        touching = any(next_to(size, ring, n) & theirs for n in mine)
        if not touching and open_to(size, ring, mine, theirs):
            line = line_of(size, ring, {n: who for n, who in owner.items() if who})
            *_, last = solve(line, 0, Stop())
            check_moves(last, (size, ring, mine, theirs))


def test_late_positions_of_longer_lines() -> None:
    rng, seen = Random(2), 0
    while seen < sampled(120, 400):
        view = random_view(rng, range(12, 21))
        position = Position(view)
        if len(set(open_to(*position.facts)) | set(open_to(*position.turned))) <= 9:
            seen += 1
            check_moves(analyse(rules.GAME, view), position.facts)
    slow.cache_clear()


@pytest.mark.parametrize("size", range(5, 12))
def test_the_first_player_wins_lines_and_odd_rings_and_the_second_even_rings(size: int) -> None:
    for ring in (False, True):
        analysis = analyse(rules.GAME, rules.start(rules.Options(size=size, ring=ring)))
        check_moves(analysis, (size, ring, frozenset(), frozenset()))
        assert analysis.verdict == ("loss" if ring and size % 2 == 0 else "win")


@pytest.mark.parametrize("size", range(5, 61))
def test_verdict_and_reason_of_every_start_come_first_with_no_more_than_a_move_that_wins(size: int) -> None:
    for ring in (False, True):
        first = next(stream(rules.start(rules.Options(size=size, ring=ring)), Stop()))
        assert first.verdict == ("loss" if ring and size % 2 == 0 else "win")
        assert [move.verdict for move in first.moves] == ["win"] * (first.verdict == "win")
        assert not first.complete


def test_answers_do_not_depend_on_what_was_solved_before() -> None:
    rng = Random(4)
    views = [random_view(rng, range(5, 27)) for _ in range(60)]
    warm = [analyse(rules.GAME, view) for view in views]
    for view, analysis in zip(views, warm, strict=True):
        sequence_duel.forget()
        assert analyse(rules.GAME, view) == analysis


def test_turns_are_counted_up_to_a_limit() -> None:
    counted = [
        size for size in range(5, 41) if analyse(rules.GAME, rules.start(rules.Options(size=size, ring=True))).plies
    ]
    assert counted == list(range(5, sequence_duel.COUNTED + 2))


def test_the_moves_of_a_long_line_come_one_after_the_other() -> None:
    assert len(list(stream(at("sequence-duel:size=60/6.33.5"), Stop()))) > 4
