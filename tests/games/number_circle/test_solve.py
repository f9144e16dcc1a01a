"""The solver of Number Circle against slow searches written straight from the rules."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from duelbox.core.model import player
from duelbox.games.number_circle import rules
from duelbox.games.number_circle.solve.backwards import FAR
from duelbox.games.number_circle.solve.steps import FREE, route
from duelbox.games.number_circle.solve.verdicts import stream
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Stop, Stopped
from tests.effort import sampled, tries
from tests.games.number_circle.slow import (
    Spot,
    Table,
    assert_all_equal,
    forced,
    house_rules,
    lone_moves,
    played,
    put,
    slow_after,
    slow_moves,
    slow_values,
    spot_of,
    table_of,
    worth,
)
from tests.games.reasons import recommended
from tests.positions import at


@pytest.mark.parametrize("backtracking", [False, True])
@pytest.mark.parametrize("sharing", [False, True])
@pytest.mark.parametrize("target", [10, 18, 13, 15, 20][: sampled(2, 5)])
def test_one_total_with_a_floor_is_the_slow_game_solved_in_full(target: int, sharing: bool, backtracking: bool) -> None:
    rng = Random(target)
    options = rules.Options(target=target, sharing=sharing, backtracking=backtracking, shared_total=True, floor=0)
    values = slow_values(table_of(rules.start(options)), spot_of(rules.start(options)))
    for _ in range(tries(250)):
        assert_all_equal(played(rng, options), values)


@pytest.mark.parametrize(
    ("target", "backtracking", "sharing"),
    [(10, False, False), (10, True, True), (13, True, False), (10, False, True), (10, True, False), (17, False, True)][
        : sampled(2, 6)
    ],
)
def test_a_total_each_with_a_floor_is_the_slow_game_solved_in_full(
    target: int, backtracking: bool, sharing: bool
) -> None:
    rng = Random(3)
    options = rules.Options(target=target, sharing=sharing, backtracking=backtracking, floor=0)
    values = slow_values(table_of(rules.start(options)), spot_of(rules.start(options)))
    assert all(sign for sign, _ in values.values())
    for _ in range(tries(250)):
        assert_all_equal(played(rng, options), values)


@pytest.mark.parametrize(
    ("sharing", "backtracking"), [(False, True), (True, False), (False, False), (True, True)][: sampled(2, 4)]
)
def test_one_total_without_a_floor_is_the_slow_game_cut_off_far_down(sharing: bool, backtracking: bool) -> None:
    rng = Random(4)
    options = rules.Options(target=12, sharing=sharing, backtracking=backtracking, shared_total=True)
    values = slow_values(table_of(rules.start(options)), spot_of(rules.start(options)), deepest=12 - FAR - 12)
    compared = 0
    for _ in range(tries(150)):
        view = played(rng, options)
        if view.totals[0] >= 12 - FAR:
            assert_all_equal(view, values)
            compared += 1
    assert compared > tries(90)


@pytest.mark.parametrize(("backtracking", "sharing"), product((False, True), repeat=2))
def test_from_far_below_either_player_can_keep_the_shared_total_down_for_ever(
    backtracking: bool, sharing: bool
) -> None:
    """The least rises to which a player can hold the total; none is greater than `FAR`."""
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
    for _ in range(tries(400)):
        view = played(rng, house_rules(rng, shared_total=False, floor=None, sharing=sharing))
        most = 6 if view.options.backtracking else 9
        table, spot, analysis = table_of(view), spot_of(view), analyse(rules.GAME, view)
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
    assert found > tries(130)


def test_without_a_floor_passes_come_in_pairs() -> None:
    """The race relies on it: the players take strict turns, however often they block each other."""
    rng = Random(6)
    passes = 0
    for _ in range(tries(500)):
        view = rules.start(rules.Options(target=20, sharing=False))
        for _ in range(60):
            if view.turn is not None:
                view, events = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
                assert len(events) in (1, 3)
                passes += len(events) - 1
    assert passes > 100


def test_the_classic_race_takes_these_many_turns_of_one_s_own() -> None:
    fewest = [len(route(False, (0, FREE, target))) for target in range(10, 21)]
    assert fewest == [4, 6, 4, 6, 4, 6, 5, 2, 7, 5, 5]
    for target, turns in zip(range(10, 21), fewest, strict=True):
        analysis = analyse(rules.GAME, rules.start(rules.Options(target=target)))
        assert (analysis.verdict, analysis.plies) == ("win", 2 * turns - 1)


def test_tug_of_war_is_decisive_for_every_target() -> None:
    tug = {"shared_total": True, "sharing": False, "floor": 0}
    analyses = [
        analyse(rules.GAME, rules.start(house_rules(Random(0), target=target, backtracking=False, **tug)))
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
            best = analyse(rules.GAME, view).moves[0]
            view, events = rules.apply(view, view.turn, rules.parse_move(view, best.move))
            turns += len(events)
        longest = max(longest, turns)
    assert longest == 26


def test_far_apart_totals_are_settled_by_the_race() -> None:
    def with_totals(first: int, second: int, **house: bool) -> rules.View:
        return rules.start(rules.Options(target=20, **house)).changed(totals=(first, second), places=(3, 6))

    assert analyse(rules.GAME, with_totals(-9_000, -9_500)).verdict == "win"
    assert analyse(rules.GAME, with_totals(-9_500, -9_000)).verdict == "loss"
    near = analyse(rules.GAME, with_totals(-3, -900, sharing=False))
    assert near.verdict == "win"
    assert near.plies is not None
    assert near.plies < 30


@pytest.mark.parametrize("backtracking", [False, True])
def test_far_positions_without_sharing_are_worth_what_their_moves_lead_to(backtracking: bool) -> None:
    """Every move against the position after it, solved by itself."""
    rng = Random(9)
    signs: set[int] = set()
    for _ in range(sampled(4, 25)):
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
            analysis = analyse(rules.GAME, view)
            for move in analysis.moves:
                after, _ = rules.apply(view, view.turn, rules.parse_move(view, move.move))
                found = None if after.outcome else analyse(rules.GAME, after)
                sign, plies = worth(found.verdict, found.plies) if found else (-1, 0)
                assert worth(move.verdict, move.plies) == (-sign, plies + 1)
            assert worth(analysis.verdict, analysis.plies) == worth(analysis.moves[0].verdict, analysis.moves[0].plies)
            signs.add(worth(analysis.verdict, analysis.plies)[0])
    assert signs == {-1, 1}


def test_a_race_too_far_from_the_target_is_given_up() -> None:
    for backtracking in (False, True):
        house = rules.Options(sharing=False, backtracking=backtracking)
        with pytest.raises(Stopped):
            analyse(rules.GAME, rules.start(house).changed(totals=(-3_000, -3_000), places=(3, 6)))
        assert analyse(rules.GAME, rules.start(house).changed(totals=(-10, -3_000), places=(3, 6))).verdict == "win"


def test_the_reason_is_true() -> None:
    rng = Random(2)
    kinds: set[str] = set()
    for _ in range(sampled(130, 1_200)):
        view = played(rng, house_rules(rng))
        early, last = next(stream(view, Stop())), analyse(rules.GAME, view)
        kinds |= {check_early(view, early), check_reason(view, last)}
    assert kinds == {"force", "ways", "loss", "judged"}


def check_early(view: rules.View, analysis: Analysis) -> str:
    """Check the sentence before any move is rated."""
    if "step" in analysis.reason:
        return check_ways(view, analysis)
    assert view.turn is not None
    who = {"win": "You", "loss": player(view.rival), "draw": "Neither player"}[analysis.verdict]
    soon = f" within {analysis.plies} turn{'s' * (analysis.plies != 1)}" if analysis.plies else ""
    assert analysis.reason == f"{who} can force {view.target}{soon}."
    return "force"


def check_reason(view: rules.View, analysis: Analysis) -> str:
    """Check the sentence of a race or a lost position against the rules; the kind of the sentence."""
    text, table, spot = analysis.reason, table_of(view), spot_of(view)
    recommended(analysis)
    if rules_of_a_race(view) and "at once" not in text:
        return check_ways(view, analysis)
    if analysis.verdict != "loss":
        return "judged"  # the judge of reasons checks it
    told = dict(re.findall(r"([+-][0-9]) with ([+-][0-9]|a pass)", text))
    for change in slow_moves(table, spot, spot.turn):
        replied = slow_after(table, spot, change)
        assert isinstance(replied, Spot)
        answer = told.pop(f"{change:+}")
        if answer == "a pass":
            assert replied.turn == spot.turn
            continue
        assert replied.turn != spot.turn
        after = slow_after(table, replied, int(answer))
        assert (after == "hit") or "hit" not in text
        if isinstance(after, Spot):
            assert found(view, after) * (1 if after.turn == replied.turn else -1) == 1
    assert not told
    return "loss"


def rules_of_a_race(view: rules.View) -> bool:
    table = table_of(view)
    return table.sharing and not table.shared and table.floor is None


def found(view: rules.View, spot: Spot) -> int:
    """The value for the player to move: by trying everything if that decides soon, else by the solver."""
    sign, _ = forced(table_of(view), spot, 5)
    if sign:
        return sign
    after = view.changed(
        places=spot.stand, came_from=tuple(came or None for came in spot.came), totals=spot.totals, turn=spot.turn
    )
    return {"win": 1, "draw": 0, "loss": -1}[analyse(rules.GAME, after).verdict]


def check_ways(view: rules.View, analysis: Analysis) -> str:
    """Check that the winner's way is a shortest one, added up right, and not longer than the other's."""
    table, spot, text = table_of(view), spot_of(view), analysis.reason
    assert rules_of_a_race(view)
    winner = spot.turn if analysis.verdict == "win" else 1 - spot.turn
    lengths = [lone_moves(table, spot, seat) or 0 for seat in (winner, 1 - winner)]
    if winner == spot.turn:
        compared = re.search(r"([0-9]+) steps?(?:, and you go first| to Player [12]'s ([0-9]+))\.$", text)
        assert compared
        assert (int(compared[1]), int(compared[2] or compared[1])) == (lengths[0], lengths[1])
    else:
        compared = re.match(r"Player [12] needs ([0-9]+) steps?, you ([0-9]+) steps?: ", text)
        assert compared
        assert [int(compared[1]), int(compared[2])] == lengths
        assert lengths[0] < lengths[1]
    shown = analysis.mark("route")
    if shown:
        assert check_way(table, spot, winner, " ".join(shown.moves)) == lengths[0]
    if added := re.search(
        r"([-0-9+]+) = ([0-9]+)(?:, ([0-9]+) too many, so ([0-9, and]+) (?:is|are) subtracted)?", text
    ):
        assert sum(map(int, re.findall("-?[0-9]+", added[1]))) == int(added[2])
        lost = [int(one) for one in re.findall("[0-9]+", added[4] or "")]
        assert int(added[2]) - 2 * sum(lost) == view.target
        assert int(added[3] or 0) == 2 * sum(lost)
    if lead := re.match(r"Play ([+-][0-9])\.", text):
        assert lead[1] == analysis.moves[0].move
        assert shown is None or lead[1] == shown.moves[0]
    return "ways"


def check_way(table: Table, spot: Spot, seat: int, told: str) -> int | None:
    """Walk a way step by step; its length, if it is told to the end."""
    steps, lone = told.removesuffix(" and so on").split(), table._replace(sharing=True)
    stand, came, total = spot.stand[seat], spot.came[seat], spot.totals[seat]
    for step in map(int, steps):
        assert step in slow_moves(lone, Spot((stand, 0), (came, 0), (total, 0), 0), 0)
        stand, came, total = abs(step), stand, total + step
    if "so on" in told:
        assert len(steps) == 9
        return lone_moves(table, spot, seat)
    assert total == table.target
    return len(steps)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("target=12,shared_total=on,floor=0/+9", "Answer +8 with -8. Then fork: answer +7 with -7."),
        ("target=12,shared_total=on,floor=0/+2.+2.+3", "Answer -4 with -4. Then answer +5 with +5: you hit 12."),
        ("sharing=off,shared_total=on,floor=0/+9.+2.-8.-3.+7.-4.+6.+5.-7", "out of reach. With +4 it may be 1."),
        ("target=12,shared_total=on,floor=0/+9.-2.-3.+1", "After -4 Player 1 plays +2 and wins within 10 turns."),
    ],
)
def test_a_reason_says_what_a_losing_step_lacks(code: str, says: str) -> None:
    view = at(f"number-circle:{code}")
    assert analyse(rules.GAME, view).reason.endswith(says)
