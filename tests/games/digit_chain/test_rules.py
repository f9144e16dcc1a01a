"""Digit Chain Duel: the example of its description move by move, and the edge cases of every house rule."""

from __future__ import annotations

import re

import pytest

from duelbox.core.picking import Pick
from duelbox.games.digit_chain import rules
from tests.positions import at, expanded, legal

# The example: the picks; the digit to begin with follows from the last number.
SEED_GAME = [(1, 26), (2, 61), (1, 19), (2, 94), (1, 42), (2, 28), (1, 83), (2, 37), (1, 75), (2, 54)]
SEED_CODE = "digit-chain/" + ".".join(str(number) for _, number in SEED_GAME)


def test_the_seeds_example_move_by_move() -> None:
    state = rules.start(rules.Options())
    assert (state.pool, state.current, state.digit) == (tuple(range(1, 100)), None, None)
    taken: list[int] = []
    for player, number in SEED_GAME:
        assert state.turn == player - 1
        assert state.current == (taken[-1] if taken else None)
        if taken:
            assert state.digit == taken[-1] % 10 == int(str(number)[0])
            assert all(str(n).startswith(str(state.digit)) for n in state.choices)
        state, events = rules.apply(state, player - 1, Pick(number=number))
        taken.append(number)
        assert [event.sentence for event in events] == [f"Player {player} picks {number}."]
        assert state.pool == tuple(n for n in range(1, 100) if n not in taken)
    assert (state.picked(0), state.picked(1)) == ((26, 19, 42, 83, 75), (61, 94, 28, 37, 54))


def test_at_the_eleventh_turn_the_game_is_still_on() -> None:
    """The description says that no number beginning with 4 remains, but only 42 and 54 are gone."""
    state = at(SEED_CODE)
    assert (state.turn, state.outcome) == (0, None)
    assert set(state.choices) == {4, 40, 41, *range(43, 50)}


def test_after_47_come_7_72_and_79() -> None:
    assert {"7", "72", "79"} <= set(legal("digit-chain/47"))
    assert {int(text) for text in legal("digit-chain/47")} == {7, *range(70, 80)}


@pytest.mark.parametrize(
    ("code", "choices"),
    [
        ("digit-chain", "1-99"),
        ("digit-chain/7", "70-79"),
        ("digit-chain/77", "7, 70-76, 78, 79"),
        ("digit-chain:zero=no-tens", "1-9, 11-19, 21-29, 31-39, 41-49, 51-59, 61-69, 71-79, 81-89, 91-99"),
        ("digit-chain:zero=no-tens/13", "3, 31-39"),
        ("digit-chain:zero=wild/10", "1-9, 11-99"),
        ("digit-chain:zero=wild/10.20", "1-9, 11-19, 21-99"),
        ("digit-chain:zero=wild/12", "2, 20-29"),
        ("digit-chain:without=2-20-21/12", "22-29"),
        ("digit-chain:zero=wild,without=1-99/50", "2-49, 51-98"),
    ],
)
def test_what_may_follow(code: str, choices: str) -> None:
    assert {int(text) for text in legal(code)} == expanded(choices)


@pytest.mark.parametrize("number", range(10, 100, 10))
def test_a_number_ending_in_0_wins_at_once(number: int) -> None:
    outcome = at(f"digit-chain/{number}").outcome
    assert outcome.winner == 0
    assert re.match("Player 2 .* begins with 0", outcome.reason)
    if number < 90:
        first = f"digit-chain/{number // 10}"
        assert at(f"{first}.{number}").outcome.winner == 1
    assert at(f"digit-chain:zero=wild/{number}").outcome is None
    assert at("digit-chain:zero=no-tens").pool.count(number) == 0


def test_a_digit_that_has_run_out_loses() -> None:
    outcome = at("digit-chain:without=9-90-91-92-93-94-95-96-97-98-99/19").outcome
    assert outcome.winner == 0
    assert re.match("Player 2 .* beginning with 9 ", outcome.reason)


def test_an_empty_pool_loses_even_after_a_wild_0() -> None:
    # At most sixty numbers may be gaps; a state can have more and ends sooner.
    gaps = tuple(n for n in range(1, 100) if n not in (1, 10, 12, 20))
    state = rules.State(turn=0, options=rules.Options(zero="wild"), gaps=gaps)
    for seat, number in ((0, 10), (1, 1), (0, 12), (1, 20)):
        state, _ = rules.apply(state, seat, Pick(number=number))
    assert state.outcome.winner == 1
    assert re.match("Player 1 .* empty", state.outcome.reason)


def test_gaps_are_drawn_from_the_pool_that_is_played() -> None:
    for seed in range(40):
        state = rules.start(rules.Options(zero="no-tens", gaps=60, seed=seed))
        assert len(set(state.gaps)) == 60
        assert len(state.pool) == 30
        assert not any(number % 10 == 0 for number in (*state.gaps, *state.pool))
