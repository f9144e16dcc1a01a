"""Number Circle's solver against slow searches written straight from the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

import pytest

from duelbox.games.number_circle import rules
from duelbox.games.number_circle.solve.moves import FREE, House
from duelbox.games.number_circle.solve.separate_totals import LONGEST, alone
from duelbox.games.number_circle.solve.shared_total import FAR
from duelbox.games.number_circle.solve.verdicts import stream
from duelbox.solve.api import Analysis, Stop, Stopped
from tests.games.number_circle.slow import (
    Spot,
    Table,
    assert_all_equal,
    forced,
    house_rules,
    played,
    put,
    slow_after,
    slow_moves,
    slow_values,
    solved,
    spot_of,
    table_of,
    worth,
)
from tests.told import at


@pytest.mark.parametrize("backtracking", [False, True])
@pytest.mark.parametrize("sharing", [False, True])
@pytest.mark.parametrize("target", [10, 13, 15, 18, 20])
def test_one_total_with_a_floor_is_the_slow_game_solved_in_full(target: int, sharing: bool, backtracking: bool) -> None:
    rng = Random(target)
    options = rules.Options(target=target, sharing=sharing, backtracking=backtracking, shared_total=True, floor=0)
    values = slow_values(table_of(rules.start(options)), spot_of(rules.start(options)))
    for _ in range(100):
        assert_all_equal(played(rng, options), values)


@pytest.mark.parametrize(
    ("target", "backtracking", "sharing"),
    [(10, False, False), (10, False, True), (10, True, False), (10, True, True), (13, True, False), (17, False, True)],
)
def test_a_total_each_with_a_floor_is_the_slow_game_solved_in_full(
    target: int, backtracking: bool, sharing: bool
) -> None:
    rng = Random(3)
    options = rules.Options(target=target, sharing=sharing, backtracking=backtracking, floor=0)
    values = slow_values(table_of(rules.start(options)), spot_of(rules.start(options)))
    assert max(plies for _, plies in values.values()) <= LONGEST
    assert all(sign for sign, _ in values.values())
    for _ in range(250):
        assert_all_equal(played(rng, options), values)


@pytest.mark.parametrize("backtracking", [False, True])
@pytest.mark.parametrize("sharing", [False, True])
def test_one_total_without_a_floor_is_the_slow_game_cut_off_far_down(sharing: bool, backtracking: bool) -> None:
    rng = Random(4)
    options = rules.Options(target=12, sharing=sharing, backtracking=backtracking, shared_total=True)
    values = slow_values(table_of(rules.start(options)), spot_of(rules.start(options)), deepest=12 - FAR - 12)
    compared = 0
    for _ in range(150):
        view = played(rng, options)
        if view.totals[0] >= 12 - FAR:
            assert_all_equal(view, values)
            compared += 1
    assert compared > 90


@pytest.mark.parametrize(("backtracking", "sharing"), product((False, True), repeat=2))
def test_from_far_below_either_player_can_keep_the_shared_total_down_for_ever(
    backtracking: bool, sharing: bool
) -> None:
    """Least rises that a player who plays only against them can hold the total to: they grow no further than `FAR`."""
    table = Table(10**6, backtracking, sharing, True, None)
    spots = [
        Spot(stand, came, (0, 0), turn)
        for stand in product(range(1, 10), repeat=2)
        for came in product(*((0, here % 9 + 1, (here - 2) % 9 + 1) for here in stand))
        for turn in (0, 1)
        if sharing or stand[0] != stand[1] or stand == (1, 1)
    ]
    steps: dict[Spot, list[tuple[int, Spot]]] = {}
    for spot in spots:
        changes = slow_moves(table, spot, spot.turn)
        after = [(change, moved(spot, change)) for change in changes]
        steps[spot] = after or [(0, spot._replace(came=put(spot.came, spot.turn, 0), turn=1 - spot.turn))]
    rises = dict.fromkeys(spots, 0)
    grown = True
    while grown:
        assert max(rises.values()) <= FAR
        choose = (min, max)
        found = {
            spot: max(0, choose[spot.turn](change + rises[after] for change, after in steps[spot])) for spot in spots
        }
        grown = found != rises
        rises = found


def moved(spot: Spot, change: int) -> Spot:
    seat = spot.turn
    return Spot(put(spot.stand, seat, abs(change)), put(spot.came, seat, spot.stand[seat]), spot.totals, 1 - seat)


@pytest.mark.parametrize("sharing", [False, True])
def test_a_total_each_without_a_floor_is_what_trying_everything_finds(sharing: bool) -> None:
    rng = Random(5)
    found = 0
    for _ in range(400):
        view = played(rng, house_rules(rng, shared_total=False, floor=None, sharing=sharing))
        most = 6 if view.options.backtracking else 9
        table, spot, analysis = table_of(view), spot_of(view), solved(view)
        assert analysis.plies is not None
        slow = forced(table, spot, most)
        assert slow == (worth(analysis.verdict, analysis.plies) if analysis.plies <= most else (0, 0))
        found += slow != (0, 0)
        for move in analysis.moves:
            after = slow_after(table, spot, int(move.move))
            if after == "hit":
                assert worth(move.verdict, move.plies) == (1, 1)
            elif isinstance(after, Spot) and move.plies is not None and move.plies <= most:
                sign, plies = forced(table, after, most - 1)
                assert worth(move.verdict, move.plies) == (sign if after.turn == spot.turn else -sign, plies + 1)
    assert found > 130


def test_without_a_floor_passes_come_in_pairs() -> None:
    """The race counts on it: the players take strict turns, however often they block each other."""
    rng = Random(6)
    passes = 0
    for _ in range(500):
        view = rules.start(rules.Options(target=20, sharing=False))
        for _ in range(60):
            if view.turn is not None:
                view, events = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
                assert len(events) in (1, 3)
                passes += len(events) - 1
    assert passes > 100


def test_the_classic_race_takes_these_many_turns_of_one_s_own() -> None:
    house = House(backtracking=False, sharing=True, widest=None)
    fewest = [alone(house, (0, FREE, target)) for target in range(10, 21)]
    assert fewest == [4, 6, 4, 6, 4, 6, 5, 2, 7, 5, 5]
    for target, turns in zip(range(10, 21), fewest, strict=True):
        analysis = solved(rules.start(rules.Options(target=target)))
        assert turns is not None
        assert (analysis.verdict, analysis.plies) == ("win", 2 * turns - 1)


def test_tug_of_war_is_decisive_for_every_target() -> None:
    tug = {"shared_total": True, "sharing": False, "floor": 0}
    analyses = [
        solved(rules.start(house_rules(Random(0), target=target, backtracking=False, **tug)))
        for target in range(10, 21)
    ]
    assert "draw" not in {analysis.verdict for analysis in analyses}
    assert max(analysis.plies or 0 for analysis in analyses) == 24


def test_best_play_in_tug_of_war_lasts_twenty_six_turns_with_its_passes() -> None:
    longest = 0
    for target in range(10, 21):
        view = rules.start(rules.Options(target=target, shared_total=True, sharing=False, floor=0))
        turns = 0
        while view.turn is not None:
            best = solved(view).moves[0]
            view, events = rules.apply(view, view.turn, rules.parse_move(view, best.move))
            turns += len(events)
        longest = max(longest, turns)
    assert longest == 26


def test_far_apart_totals_are_settled_by_the_race() -> None:
    def with_totals(first: int, second: int, **house: bool) -> rules.View:
        return rules.start(rules.Options(target=20, **house)).changed(totals=(first, second), places=(3, 6))

    assert solved(with_totals(-9_000, -9_500)).verdict == "win"
    assert solved(with_totals(-9_500, -9_000)).verdict == "loss"
    near = solved(with_totals(-3, -900, sharing=False))
    assert near.verdict == "win"
    assert near.plies is not None
    assert near.plies < 30


@pytest.mark.parametrize("backtracking", [False, True])
def test_far_positions_without_sharing_are_worth_what_their_moves_lead_to(backtracking: bool) -> None:
    """Every move, against the position after it, which is solved by itself."""
    rng = Random(9)
    signs: set[int] = set()
    for _ in range(25):
        view = rules.start(rules.Options(target=rng.randrange(10, 21), sharing=False, backtracking=backtracking))
        away = rng.choice((0.5, 0.7, 0.9))
        for _ in range(rng.randrange(10, 50)):
            assert view.turn is not None
            moves = rules.legal_moves(view)
            down = [move for move in moves if move.sign == "-"]
            view, _ = rules.apply(view, view.turn, rng.choice(down if rng.random() < away else moves))
            if view.turn is None:
                break
        else:
            analysis = solved(view)
            for move in analysis.moves:
                after, _ = rules.apply(view, view.turn, rules.parse_move(view, move.move))
                sign, plies = worth(solved(after).verdict, solved(after).plies) if after.outcome is None else (-1, 0)
                assert worth(move.verdict, move.plies) == (-sign, plies + 1)
            assert worth(analysis.verdict, analysis.plies) == worth(analysis.moves[0].verdict, analysis.moves[0].plies)
            signs.add(worth(analysis.verdict, analysis.plies)[0])
    assert signs == {-1, 1}


def test_a_race_too_far_from_the_target_is_given_up() -> None:
    for backtracking in (False, True):
        house = rules.Options(sharing=False, backtracking=backtracking)
        with pytest.raises(Stopped):
            solved(rules.start(house).changed(totals=(-3_000, -3_000), places=(3, 6)))
        assert solved(rules.start(house).changed(totals=(-10, -3_000), places=(3, 6))).verdict == "win"


def test_moves_come_best_first_one_by_one_after_the_verdict() -> None:
    rng = Random(7)
    for _ in range(150):
        view = played(rng, house_rules(rng))
        *partial, last = stream(view, Stop())
        assert [len(one.moves) for one in partial] == list(range(len(last.moves)))
        assert {one.complete for one in partial} == {False}
        assert {one.verdict for one in partial} == {last.verdict}
        for before, after in zip(last.moves, last.moves[1:], strict=False):
            assert before.value >= after.value
            if before.verdict == after.verdict != "draw":
                assert ((before.plies or 0) <= (after.plies or 0)) == (
                    before.verdict == "win"
                ) or before.plies == after.plies


def test_the_reason_is_true() -> None:
    rng = Random(8)
    kinds: set[str] = set()
    for _ in range(1_200):
        view = played(rng, house_rules(rng))
        for analysis in (next(stream(view, Stop())), solved(view)):
            kinds.add(check_reason(view, analysis))
    assert kinds == {"hit", "race", "force", "way", "answers", "draw"}


def check_reason(view: rules.View, analysis: Analysis) -> str:
    """Hold the sentence to the rules, and name its kind."""
    text, table, spot = analysis.reason, table_of(view), spot_of(view)
    rival = f"Player {2 - spot.turn}"
    assert text.endswith(".")
    assert "!" not in text
    lead = re.match(r"Play ([+-][0-9])", text)
    assert not lead or lead[1] == analysis.moves[0].move
    turns = [lone_moves(table, spot, seat) for seat in (spot.turn, 1 - spot.turn)]
    without = [lone_moves(table, spot, seat, passes=False) for seat in (spot.turn, 1 - spot.turn)]
    if "need" in text:
        assert text.count("(passes included)") == (turns[0] != without[0]) + (turns[1] != without[1]) or "each" in text
        text = text.replace(" (passes included)", "")
    if hit := re.fullmatch(r"([+-][0-9]) hits ([0-9]+), and you win at once\.", text):
        assert slow_after(table, spot, int(hit[1])) == "hit"
        return "hit"
    if race := re.search(
        r"[Yy]ou need ([0-9]+) of your own moves to hit [0-9]+, " + rival + r" needs ([0-9]+) moves?\.", text
    ):
        mine, theirs = int(race[1]), int(race[2])
        assert [mine, theirs] == turns
        assert (analysis.verdict == "win") == (mine < theirs)
        if turns == without and view.options.floor is None:
            assert analysis.plies == (2 * mine - 1 if mine < theirs else 2 * theirs)
        return "race"
    if race := re.search(
        r"[Yy]ou and " + rival + r" need ([0-9]+) moves? each to hit [0-9]+, and you go first\.", text
    ):
        assert turns == [int(race[1])] * 2
        assert analysis.verdict == "win"
        return "race"
    if told := re.search(r"force ([0-9]+) in at most ([0-9]+) turns, (?:yours|.*'s) included", text):
        assert (int(told[1]), int(told[2])) == (view.target, analysis.plies)
        assert (f"{rival} can force" in text) == (analysis.verdict == "loss")
        if lone := re.search(r"you would need ([0-9]+) moves? and " + rival + " ([0-9]+) moves?", text):
            assert [int(lone[1]), int(lone[2])] == turns
        first, second = (float("inf") if needed is None else needed for needed in turns)
        agrees = (first <= second) == (analysis.verdict == "win")
        assert bool(lone) == (not table.shared and agrees)
        assert ("in each other's way" in text) == (not table.shared and not agrees)
        return "force" if agrees else "way"
    if answers := re.findall(r"([+-][0-9]) answers ([+-][0-9])", text):
        assert {int(move) for _, move in answers} == set(slow_moves(table, spot, spot.turn))
        for answer, move in answers:
            after = slow_after(table, spot, int(move))
            assert isinstance(after, Spot)
            assert after.turn != spot.turn
            assert slow_after(table, after, int(answer)) == "hit"
        return "answers"
    assert text.startswith(f"Neither player can force {view.target}")
    held = re.findall(r"[+-][0-9]", text)
    if analysis.complete:
        draws = [move.move for move in analysis.moves if move.verdict == "draw"]
        assert draws == (held or [move.move for move in analysis.moves])
    return "draw"


@cache
def lone_moves(table: Table, spot: Spot, seat: int, *, passes: bool = True) -> int | None:
    """The moves of one player with the other's marker off the ring, by trying everything."""
    lone = table._replace(sharing=True)
    front = {(spot.stand[seat], spot.came[seat], spot.totals[seat])}
    for turns in range(1, 40):
        following: set[tuple[int, int, int]] = set()
        for stand, came, total in front:
            changes = slow_moves(lone, Spot((stand, 0), (came, 0), (total, 0), 0), 0)
            if table.target - total in changes:
                return turns
            following |= {(abs(change), stand, total + change) for change in changes}
            if passes and not changes:
                following.add((stand, 0, total))
        front = following
    return None


def test_the_sentence_a_player_reads() -> None:
    def reason(code: str) -> str:
        return solved(at(code)).reason

    assert reason("number-circle") == "Play +2: you and Player 2 need 6 moves each to hit 15, and you go first."
    assert reason("number-circle:target=13,floor=0/+9.+9.-8") == (
        "You need 13 of your own moves (passes included) to hit 13, Player 1 needs 12 moves (passes included)."
    )
    assert reason("number-circle:target=17/+9.+2") == "+8 hits 17, and you win at once."
    assert reason("number-circle:target=11,shared_total=on,sharing=off,floor=0") == (
        "Whatever you do, Player 2 hits 11 next: +9 answers +2 and +2 answers +9."
    )


def test_a_search_that_is_told_to_stop_stops() -> None:
    for code in ("number-circle", "number-circle:sharing=off", "number-circle:shared_total=on"):
        stop = Stop()
        analyses: Iterator[Analysis] = stream(at(code), stop)
        next(analyses)
        stop.stop()
        with pytest.raises(Stopped):
            next(analyses)
    view = rules.start(rules.Options(sharing=False)).changed(totals=(-900, -900))
    with pytest.raises(Stopped):
        list(stream(view, Stop(seconds=0.05)))
