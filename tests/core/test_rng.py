"""The generator: the published outputs of splitmix64, and deals that must never change."""

from __future__ import annotations

from itertools import permutations

import pytest

from duelbox.core.code import parse_code
from duelbox.core.rng import Rng
from duelbox.registry import find_game

# Seed 1234567 is the sample of the published test; 0 and 2**64 - 1 come from the authors' own program.
PUBLISHED = {
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    2**64 - 1: [0xE4D971771B652C20, 0xE99FF867DBF682C9],
}


@pytest.mark.parametrize("seed", PUBLISHED)
def test_the_published_outputs(seed: int) -> None:
    rng = Rng(seed)
    assert [rng.next64() for _ in PUBLISHED[seed]] == PUBLISHED[seed]


def test_seeds_are_taken_in_64_bits() -> None:
    assert Rng(2**64 + 5).next64() == Rng(5).next64()
    assert Rng(-1).next64() == Rng(2**64 - 1).next64()


# Written down once; a change breaks every seed that people have shared.
DEALS = {
    "circle-duel:gaps=3": (3, 4, 7),
    "circle-duel:gaps=5,seed=1": (2, 3, 5, 9, 10),
    "circle-duel:size=14,reach=2,gaps=3,seed=2024": (3, 6, 12),
    "circle-duel:size=30,gaps=15,seed=9223372036854775807": (3, 5, 7, 12, 14, 15, 18, 19, 20, 22, 23, 26, 27, 29, 30),
    "digit-chain:gaps=8": (1, 5, 27, 54, 65, 71, 90, 92),
    "digit-chain:gaps=20,seed=7": (5, 7, 10, 12, 17, 19, 24, 25, 26, 33, 40, 49, 50, 57, 65, 68, 75, 83, 88, 95),
    "digit-chain:zero=no-tens,gaps=20,seed=7": (
        2, 3, 6, 7, 9, 15, 17, 25, 31, 42, 49, 52, 59, 66, 69, 77, 79, 86, 87, 99,
    ),
    "digit-chain:gaps=60,seed=123456789012": (
        1, 3, 5, 6, 9, 11, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 29, 30, 32, 33, 34, 35, 37, 38, 39, 41, 42, 43, 46,
        47, 51, 52, 54, 55, 57, 58, 60, 62, 64, 65, 66, 67, 68, 69, 70, 72, 73, 78, 79, 80, 82, 84, 86, 87, 89, 90,
        93, 96, 98, 99,
    ),
    "number-circle:target=drawn": 11,
    "number-circle:target=drawn,seed=1": 19,
    "number-circle:target=drawn,seed=2": 16,
    "number-circle:target=drawn,seed=99999": 12,
    "number-duel": ((3, 4, 2, 5, 1), (2, 1, 4, 5, 3)),
    "number-duel:seed=1": ((3, 2, 5, 4, 1), (3, 5, 4, 1, 2)),
    "number-duel:hand=3,seed=5": ((2, 1, 3), (1, 2, 3)),
    "number-duel:hand=7,seed=77": ((5, 3, 7, 4, 2, 1, 6), (5, 3, 1, 2, 4, 6, 7)),
    "number-duel:seed=9223372036854775807": ((1, 2, 3, 4, 5), (2, 3, 1, 5, 4)),
}  # fmt: skip


def test_below_is_in_range_and_fair() -> None:
    rng = Rng(1)
    for limit in (1, 2, 3, 7, 60, 99):
        drawn = [rng.below(limit) for _ in range(300 * limit)]
        assert set(drawn) == set(range(limit))
        assert max(drawn.count(number) for number in range(limit)) < 400


def test_words_past_the_last_whole_multiple_are_drawn_again() -> None:
    class Fixed(Rng):
        def __init__(self, words: list[int]) -> None:
            super().__init__(0)
            self.words = words

        def next64(self) -> int:
            return self.words.pop(0)

    assert 2**64 % 10 == 6
    assert Fixed([2**64 - 1, 2**64 - 6, 2**64 - 7]).below(10) == (2**64 - 7) % 10
    assert Fixed([2**64 - 1]).below(8) == 7, "nothing is thrown away where the limit divides evenly"


def test_shuffles_reach_every_order() -> None:
    orders = [Rng(seed).shuffled("abcd") for seed in range(4_800)]
    counts = [orders.count(order) for order in permutations("abcd")]
    assert min(counts) > 140
    assert max(counts) < 260


def test_a_sample_keeps_the_order_and_repeats_nothing() -> None:
    for seed in range(50):
        chosen = Rng(seed).sample("abcdefgh", 5)
        assert list(chosen) == sorted(set(chosen))
        assert len(chosen) == 5
    assert Rng(0).sample("abc", 0) == ()
    assert Rng(0).sample("abc", 3) == ("a", "b", "c")
    assert {Rng(seed).choice("abc") for seed in range(40)} == set("abc")


DEALT = {"circle-duel": "gaps", "digit-chain": "gaps", "number-circle": "target", "number-duel": "hands"}


@pytest.mark.parametrize("code", DEALS)
def test_deals_are_held_for_ever(code: str) -> None:
    game_id, _, _ = code.partition(":")
    assert getattr(parse_code(code, find_game).start, DEALT[game_id]) == DEALS[code]


def test_a_deal_follows_from_the_published_words() -> None:
    order = [1, 2, 3, 4, 5]
    for last, word in zip((4, 3, 2, 1), PUBLISHED[0], strict=False):
        swap = word % (last + 1)
        order[last], order[swap] = order[swap], order[last]
    assert tuple(order) == DEALS["number-duel"][0]
