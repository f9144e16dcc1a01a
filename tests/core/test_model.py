"""Models and words: checked copies, a turn or an outcome, numbers in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from duelbox.core.model import SEATS, Event, Outcome, Position, listed, other, ranges, with_seat
from duelbox.core.options import MAX_SEED
from duelbox.core.seeds import random_seed, with_fresh_seed
from duelbox.registry import find_game
from tests.positions import at, expanded


def test_a_position_has_either_a_turn_or_an_outcome() -> None:
    won = Outcome(winner=0, reason="It was so.")
    assert Position(turn=0).outcome is None
    assert Position(turn=None, outcome=won).turn is None
    for turn, outcome in ((None, None), (0, won)):
        with pytest.raises(ValidationError, match="either a turn or an outcome"):
            Position(turn=turn, outcome=outcome)


def test_copies_are_checked_in_names_and_values() -> None:
    state = at("circle-duel/4")
    assert state.changed(picks=(4, 5)).picks == (4, 5)
    assert state.picks == (4,)
    for wrong in ({"pick": (4,)}, {"picks": [4]}, {"picks": ("4",)}, {"turn": 2}, {"turn": "0"}):
        with pytest.raises(ValidationError):
            state.changed(**wrong)
    with pytest.raises(ValidationError, match="frozen"):
        state.turn = 1


def test_a_kind_of_event_must_tell_itself() -> None:
    with pytest.raises(NotImplementedError):
        _ = Event(seat=0).sentence
    assert not Event.reveals
    assert SEATS == (0, 1)


def test_the_other_seat_and_the_item_of_a_seat() -> None:
    assert (other(0), other(1)) == (1, 0)
    assert (with_seat(("a", "b"), 0, "c"), with_seat(("a", "b"), 1, "c")) == (("c", "b"), ("a", "c"))


def test_things_are_listed_in_words() -> None:
    assert [listed("abc"[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listed([1, 2, 3], "or") == "1, 2 or 3"


def test_runs_of_three_are_shortened() -> None:
    assert ranges([]) == ""
    assert ranges([1, 2, 4, 5, 6, 9]) == "1, 2, 4-6, 9"
    assert ranges([*range(1, 10), 11, 12, *range(14, 21)]) == "1-9, 11, 12, 14-20"


@given(st.sets(st.integers(1, 99), min_size=1))
def test_ranges_tell_every_number_once(numbers: set[int]) -> None:
    told = ranges(sorted(numbers))
    assert expanded(told) == numbers
    assert sum(len(expanded(word)) for word in told.split(", ")) == len(numbers)


def test_fresh_seeds_are_short_where_codes_are_typed_and_long_where_hands_are_secret() -> None:
    circle, duel = find_game("circle-duel"), find_game("number-duel")
    assert with_fresh_seed(circle, circle.Options()) == circle.Options(), (
        "nothing is drawn, so there is nothing to seed"
    )
    seeds = [with_fresh_seed(circle, circle.Options(gaps=3)).seed for _ in range(50)]
    assert all(1 <= seed < 1_000_000 for seed in seeds)
    secret = [with_fresh_seed(duel, duel.Options(hand=4, seed=7)).seed for _ in range(50)]
    assert all(1 <= seed <= MAX_SEED for seed in secret)
    assert max(secret) > 2**48, "too many to try them all"
    assert len({*seeds, *secret, random_seed()}) > 98
