"""Number Circle: the example of its description move by move, and the edge cases of every house rule."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest

from duelbox.core.code import parse_code
from duelbox.games.number_circle import rules
from duelbox.registry import find_game
from duelbox.testing.laws import random_game
from tests.positions import at, legal, refused

# The example: the player, the move, the total before and after, and the operation that the text rules out.
SEED_GAME = [
    (1, "+2", 0, 2, None),
    (2, "+9", 0, 9, None),
    (1, "+3", 2, 5, None),
    (2, "-8", 9, 1, ("+8", "9 + 8 = 17 is above the target, 15.")),
    (1, "+4", 5, 9, None),
    (2, "+7", 1, 8, None),
    (1, "+5", 9, 14, None),
    (2, "+6", 8, 14, None),  # the description says "Cannot add 6", and in the same line that 14 is acceptable
    (1, "-6", 14, 8, ("+6", "14 + 6 = 20 is above the target, 15.")),
    (2, "-5", 14, 9, ("+5", "14 + 5 = 19 is above the target, 15.")),
    (1, "+7", 8, 15, None),
]


def test_the_seeds_example_move_by_move() -> None:
    state = rules.start(rules.Options())
    assert (state.target, state.totals, state.places) == (15, (0, 0), (1, 1))
    for player, text, before, total, ruled_out in SEED_GAME:
        seat = player - 1
        assert (state.turn, state.totals[seat]) == (seat, before)
        if ruled_out is not None:
            with pytest.raises(rules.IllegalMove, match=re.escape(ruled_out[1])):
                rules.apply(state, seat, rules.parse_move(state, ruled_out[0]))
        move = rules.parse_move(state, text)
        assert move in rules.legal_moves(state)
        state, events = rules.apply(state, seat, move)
        assert (state.totals[seat], state.places[seat]) == (total, move.number)
        done = "adds" if text[0] == "+" else "subtracts"
        told = f"Player {player} moves to {move.number} and {done} it: {before} {text[0]} {move.number} = {total}."
        assert [event.sentence for event in events] == [told]
    assert (state.outcome.winner, state.outcome.reason) == (0, "Player 1 reached 15 exactly.")


def test_turn_10_stands_on_6_and_came_from_7() -> None:
    """The description says "cannot return to number 6" but asks for "6, 7": the player stands on 6."""
    before_turn_10 = "number-circle/+2.+9.+3.-8.+4.+7.+5.+6.-6"
    assert at(before_turn_10).places[1] == 6
    assert {move.number for move in at(before_turn_10).open_to(1)} == {5}
    assert "6 is not next to 6, " in refused(before_turn_10, "-6")
    assert "5 and 7" in refused(before_turn_10, "-6")
    assert "came from 7 " in refused(before_turn_10, "-7")
    assert {move.number for move in at(before_turn_10 + ".-5").open_to(0)} == {7}, "at turn 11 only 7 is open, not 6"
    assert legal(before_turn_10 + ".-5") == ["+7", "-7"]


def test_a_classic_marker_never_turns_round() -> None:
    for seed in range(60):
        played = random_game(rules.GAME, rules.Options(), Random(seed))
        for seat in (0, 1):
            places = [1, *(move.number for move in played.moves[seat::2])]
            ways = {(after - before) % 9 for before, after in pairwise(places)}
            assert len(ways) <= 1, played.code
        assert all(len(events) == 1 for events in played.events), "and nobody ever passes"


@pytest.mark.parametrize(
    ("code", "moves"),
    [
        ("number-circle", "+2 -2 +9 -9"),
        ("number-circle/+2.+2", "+3 -3"),
        ("number-circle:backtracking=on/+2.+2", "+1 -1 +3 -3"),
        ("number-circle/-9.+2", "+8 -8"),
        ("number-circle:target=10/+9.+2", "-8"),
        ("number-circle:floor=0", "+2 +9"),
        ("number-circle:floor=0,target=10/+9.+2", "-8"),
        ("number-circle:sharing=off/+2", "+9 -9"),
        ("number-circle:sharing=off", "+2 -2 +9 -9"),
        ("number-circle:sharing=off,backtracking=on/+2.+9", "+1 -1 +3 -3"),
        ("number-circle:sharing=off,backtracking=on/+2.+9.+3.+1", "+4 -4 +2 -2"),
        ("number-circle:sharing=off,backtracking=on/+2.+9.+3.+1.+4.-2", "+3 -3 +5 -5"),
        ("number-circle:shared_total=on/+9", "+2 -2 -9"),
        ("number-circle:shared_total=on,floor=0/+2", "+2 -2 +9"),
    ],
)
def test_what_may_be_done(code: str, moves: str) -> None:
    assert sorted(legal(code)) == sorted(moves.split())


def test_totals_go_below_zero_without_a_floor_and_not_with_one() -> None:
    assert at("number-circle/-9.-2").totals == (-9, -2)
    assert refused("number-circle:floor=0", "-9").endswith(" +2 and +9.")
    assert refused("number-circle:floor=0", "-9").startswith("0 - 9 = -9 ")


def test_a_shared_total_is_one_for_both() -> None:
    state = at("number-circle:shared_total=on,target=11/+2")
    assert state.totals == (2, 2)
    outcome = at("number-circle:shared_total=on,target=11/+2.+9").outcome
    assert (outcome.winner, outcome.reason) == (1, "Player 2 reached 11 exactly.")


# Up the ring with target 10 and a floor: on 7 with 7, the next step would make 15 or -1.
STUCK = ["+2", "+3", "-4", "+5", "-6", "+7"]


def line(first: list[str], second: list[str]) -> str:
    return ".".join(text for pair in zip(first, second, strict=True) for text in pair)


def test_who_cannot_move_passes_and_may_then_turn_round() -> None:
    second = ["+9", "-8", "+7", "-6", "+5", "-4"]
    played = parse_code(f"number-circle:target=10,floor=0/{line(STUCK, second)}", find_game)
    moved, passed = (event.sentence for event in played.plies[-1].events)
    assert moved.startswith("Player 2 ")
    assert moved.endswith(": 7 - 4 = 3.")
    assert re.match("Player 1 .* passes", passed)
    state = played.state
    assert (state.turn, state.outcome) == (1, None), "the turn has come back"
    assert state.came_from == (None, 5)
    after, _ = rules.apply(state, 1, rules.Move(sign="+", number=3))
    assert [rules.format_move(move) for move in rules.legal_moves(after)] == ["-6"], "free to go back"


def test_both_may_pass_one_after_the_other() -> None:
    played = parse_code(f"number-circle:target=10,floor=0/{line(STUCK, STUCK)}", find_game)
    assert [(event.seat, event.kind) for event in played.plies[-1].events] == [
        (1, "stepped"),
        (0, "passed"),
        (1, "passed"),
    ]
    state = played.state
    assert (state.turn, state.came_from) == (0, (None, None))
    assert [rules.format_move(move) for move in rules.legal_moves(state)] == ["-6"]
    assert len(played.moves) == 12, "a pass has no place in the notation"


def test_two_who_are_stuck_even_when_free_to_turn_have_drawn() -> None:
    # No play leads here, but the rules decide it. On 8 with 4 to 6, the steps make more than 10 or less than 0.
    options = rules.Options(target=10, floor=0)
    state = rules.State(turn=0, options=options, target=10, totals=(13, 5), places=(9, 8))
    after, events = rules.apply(state, 0, rules.Move(sign="-", number=8))
    assert (after.turn, after.outcome.winner) == (None, None)
    assert re.match("Neither .* draw", after.outcome.reason)
    assert len(events) == 1


def test_one_who_is_stuck_for_good_passes_while_the_other_plays() -> None:
    options = rules.Options(target=10, floor=0)
    state = rules.State(turn=1, options=options, target=10, totals=(5, 3), places=(8, 3))
    after, events = rules.apply(state, 1, rules.Move(sign="+", number=2))
    assert [event.sentence for event in events[1:]] == ["Player 1 cannot move and passes."]
    assert (after.turn, after.totals) == (1, (5, 5))


@pytest.mark.parametrize("stuck", [0, 1])
def test_it_is_no_draw_while_either_could_turn_round(stuck: int) -> None:
    options = rules.Options(target=10, floor=0)
    places, totals = ((8, 3), (5, 3)) if stuck == 0 else ((3, 8), (3, 5))
    state = rules.State(turn=1 - stuck, options=options, target=10, totals=totals, places=places)
    after, events = rules.apply(state, 1 - stuck, rules.Move(sign="+", number=2))
    assert ([event.seat for event in events], after.turn) == ([1 - stuck, stuck], 1 - stuck)


def test_a_turn_may_pass_three_times() -> None:
    options = rules.Options(target=10, floor=0)
    state = rules.State(turn=1, options=options, target=10, totals=(5, 5), places=(8, 2))
    after, events = rules.apply(state, 1, rules.Move(sign="+", number=1))
    assert [event.seat for event in events] == [1, 0, 1, 0], "Player 2 stands on 1 with 6 and is not yet free to turn"
    assert [rules.format_move(move) for move in rules.legal_moves(after)] == ["+2", "-2"]


def test_a_drawn_target_is_any_of_ten_to_twenty() -> None:
    targets = [rules.start(rules.Options(target="drawn", seed=seed)).target for seed in range(1_100)]
    assert set(targets) == set(range(10, 21))
    assert all(60 < targets.count(target) < 140 for target in set(targets)), "each about as often"


def test_tug_of_war_is_what_the_rules_page_says() -> None:
    preset = next(preset for preset in rules.PRESETS if preset.id == "tug-of-war")
    assert preset.options == rules.Options(target=12, shared_total=True, floor=0)
