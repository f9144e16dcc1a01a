"""Number Circle Duel: the example of its description move by move, and the edge cases of every house rule."""

from __future__ import annotations

import re

import pytest

from duelbox.core.errors import IllegalMove, OptionError
from duelbox.core.model import other
from duelbox.core.picking import Pick
from duelbox.games.circle_duel import rules
from tests.positions import at, legal

# The example: the picks, the neighbours of the last number as the text states them, and the ring afterwards.
SEED_GAME = [
    (1, 4, None, [1, 2, 3, 5, 6, 7, 8, 9, 10]),
    (2, 5, {3: "free", 5: "free"}, [1, 2, 3, 6, 7, 8, 9, 10]),
    (1, 6, {4: "claimed", 6: "free"}, [1, 2, 3, 7, 8, 9, 10]),
    (2, 7, {5: "claimed", 7: "free"}, [1, 2, 3, 8, 9, 10]),
    (1, 8, {6: "claimed", 8: "free"}, [1, 2, 3, 9, 10]),
    (2, 9, {7: "claimed", 9: "free"}, [1, 2, 3, 10]),
    (1, 10, {8: "claimed", 10: "free"}, [1, 2, 3]),
    (2, 1, {9: "claimed", 1: "free"}, [2, 3]),
    (1, 2, {10: "claimed", 2: "free"}, [3]),
    (2, 3, {1: "claimed", 3: "free"}, []),
]


def test_the_seeds_example_move_by_move() -> None:
    state = rules.start(rules.Options())
    assert state.free == tuple(range(1, 11)) == state.choices
    last = None
    for player, number, neighbours, circle in SEED_GAME:
        assert state.turn == player - 1
        assert state.last == last
        if neighbours is not None:
            assert last is not None
            assert state.neighbours(last) == tuple(sorted(neighbours))
            free = [near for near, word in neighbours.items() if word == "free"]
            assert state.choices == tuple(sorted(free))
            for near, word in neighbours.items():
                assert (near in state.picks) == (word == "claimed")
        state, events = rules.apply(state, player - 1, Pick(number=number))
        assert [event.sentence for event in events] == [f"Player {player} picks {number}."]
        assert list(state.free) == circle
        last = number
    assert state.outcome.winner == 1
    assert re.match("Player 1 .* 3 ", state.outcome.reason)
    assert (state.picked(0), state.picked(1)) == ((4, 6, 8, 10, 2), (5, 7, 9, 1, 3))


def test_one_is_next_to_two_and_ten() -> None:
    assert at("circle-duel").neighbours(1) == (2, 10)
    assert legal("circle-duel/1") == ["2", "10"]


def test_every_line_of_the_classic_game_is_won_by_the_second_player() -> None:
    lines = [[first] for first in range(1, 11)]
    ended = 0
    while lines:
        state = at("circle-duel/" + ".".join(map(str, line := lines.pop())))
        if state.outcome is None:
            lines += [[*line, number] for number in state.choices]
        else:
            ended += 1
            assert (state.outcome.winner, len(line)) == (1, 10)
    assert ended == 20, "ten first picks, two ways round"


@pytest.mark.parametrize(
    ("code", "choices"),
    [
        ("circle-duel:reach=2/1", [2, 3, 9, 10]),
        ("circle-duel:reach=3/9", [1, 2, 6, 7, 8, 10]),
        ("circle-duel:reach=3,size=4/1", [2, 3, 4]),
        ("circle-duel:reach=3,size=7/4", [1, 2, 3, 5, 6, 7]),
        ("circle-duel:reach=2,size=5/3.5", [1, 2, 4]),
        ("circle-duel:size=30/30", [1, 29]),
        ("circle-duel:without=3-5/4", []),
        ("circle-duel:without=5/4", [3]),
        ("circle-duel:without=5,reach=2/4", [2, 3, 6]),  # 5 is gone, and 7 is still three steps away
        ("circle-duel:without=1-2-3-4-5", [6, 7, 8, 9, 10]),
        ("circle-duel:size=12,reach=2,without=3-7-9/4.6", [5, 8]),
        ("circle-duel:trails=own/4", [1, 2, 3, 5, 6, 7, 8, 9, 10]),
        ("circle-duel:trails=own/4.8", [3, 5]),
        ("circle-duel:trails=own/4.8.5", [7, 9]),
        ("circle-duel:size=15,reach=2,trails=own/4.9.5", [7, 8, 10, 11]),
        ("circle-duel:size=15,reach=2,trails=own/4.9.5.8", [3, 6, 7]),
    ],
)
def test_reach_and_gaps(code: str, choices: list[int]) -> None:
    assert legal(code) == list(map(str, choices))


def test_a_first_pick_between_gaps_wins_at_once() -> None:
    outcome = at("circle-duel:size=4,without=2-4/1").outcome
    assert outcome.winner == 0
    assert re.match("Player 2 .* 1 ", outcome.reason)


def test_a_move_made_by_hand_is_checked_like_a_typed_one() -> None:
    state = at("circle-duel/4.5")
    for number in (0, -1, 11, 10**30):
        with pytest.raises(IllegalMove, match=f"no {number} .*1 to 10"):
            rules.apply(state, 0, Pick(number=number))


def test_gaps_are_drawn_from_the_seed_and_stay_out() -> None:
    drawn = set()
    for seed in range(60):
        state = rules.start(rules.Options(size=12, gaps=4, seed=seed))
        assert len(set(state.gaps)) == 4
        assert list(state.gaps) == sorted(state.gaps)
        assert set(state.free) == set(range(1, 13)) - set(state.gaps)
        drawn.add(state.gaps)
    assert len(drawn) > 50
    assert {gap for gaps in drawn for gap in gaps} == set(range(1, 13)), "every number can be a gap"


def test_the_picks_of_both_are_kept_apart() -> None:
    state = at("circle-duel:reach=2/1.3.5.7")
    assert (state.picked(0), state.picked(1)) == ((1, 5), (3, 7))
    assert (state.last, state.turn, other(0)) == (7, 0, 1)


def test_with_own_trails_who_cannot_move_on_their_turn_loses() -> None:
    outcome = at("circle-duel:size=5,trails=own/1.2.5.3").outcome
    assert outcome is None
    outcome = at("circle-duel:size=5,trails=own/1.2.5.3.4").outcome
    assert outcome.winner == 0
    assert re.match("Player 2 .* 3 ", outcome.reason)


@pytest.mark.parametrize(
    ("texts", "free"),
    [
        ({"size": "17", "reach": "3"}, 17),
        ({"size": "25", "reach": "2"}, 25),
        ({"size": "22", "reach": "3", "gaps": "5"}, 17),
    ],
)
def test_own_trails_stay_as_small_as_can_be_rated(texts: dict[str, str], free: int) -> None:
    with pytest.raises(OptionError) as error:
        rules.Options.from_texts({**texts, "trails": "own"})
    most = rules.MOST_FREE[int(texts["reach"])]
    told = re.findall(r"=?\w+", error.value.sentence)
    assert [one for one in told if one.isdigit() or one[0] == "="] == [
        "=own",
        f"={texts['reach']}",
        str(most),
        str(free),
    ]
    assert rules.Options.from_texts({**texts, "size": str(int(texts["size"]) - 1), "trails": "own"})
    assert rules.Options.from_texts(texts)
