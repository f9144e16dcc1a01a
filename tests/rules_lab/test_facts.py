"""Facts about settings: known patterns, and each fact compared with the solver's answers for its deals."""

from __future__ import annotations

from typing import Any

import pytest

from duelbox.core.options import Options
from duelbox.proof.ladder import RUNGS
from duelbox.registry import find_game
from duelbox.rules_lab.facts import Layer, work_out
from duelbox.rules_lab.house_rules import house_rules, spiral
from duelbox.rules_lab.map_rows import read_map
from duelbox.solve import analyse
from duelbox.solve.api import Stop, Stopped
from tests.house_rules import SOLVED


def first(game_id: str, **rules: Any) -> float | None:
    """The chance of the first player."""
    game = find_game(game_id)
    return work_out(game, game.Options(**rules), "first").first


def test_lines_are_the_first_players_and_rings_exactly_when_odd() -> None:
    assert {first("sequence-duel", size=size) for size in range(5, 61)} == {1}
    assert [first("sequence-duel", size=size, ring=True) for size in range(5, 61)] == [n % 2 for n in range(5, 61)]


def test_own_trails_with_one_gap_are_a_chequerboard() -> None:
    found = [first("circle-duel", size=size, reach=2, trails="own", gaps=1) for size in range(9, 18)]
    assert found == [1 - size % 2 for size in range(9, 18)]


@pytest.mark.parametrize("game_id", SOLVED)
def test_every_house_rule_but_the_draw_is_on_the_map(game_id: str) -> None:
    game = find_game(game_id)
    keys = [one.key for one in house_rules(game)]
    assert keys == [key for key in game.Options.model_fields if key not in ("seed", "without", "deal")]
    for one in house_rules(game):
        assert getattr(game.Options(), one.key) in one.values


def test_settings_that_do_not_go_together_are_none() -> None:
    map_ = read_map("circle-duel", "size=12-30", "gaps=0-7")
    assert map_.setting(0, 6) == map_.game.Options(size=12, gaps=6)
    assert map_.setting(0, 7) is None
    assert read_map("circle-duel:reach=2,trails=own", "size=24-30", "gaps=0").setting(6, 0) is None


def test_a_map_is_worked_out_from_the_cursor_outwards() -> None:
    cells = list(spiral(4, 3, 3, 1))
    assert cells[0] == (3, 1)
    assert set(cells) == {(x, y) for x in range(4) for y in range(3)}
    assert [abs(x - 3) <= 1 for x, _ in cells] == sorted([abs(x - 3) <= 1 for x, _ in cells], reverse=True)


SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("circle-duel", {"size": 13, "reach": 2, "trails": "own", "gaps": 2}),
    ("circle-duel", {"size": 12, "gaps": 3}),
    ("number-circle", {"target": "drawn", "floor": 0, "shared_total": True}),
    ("digit-chain", {"zero": "wild", "gaps": 50}),
    ("number-duel", {"hand": 4}),
]


@pytest.mark.parametrize(("game_id", "rules"), SETTINGS)
def test_a_cell_is_what_the_solver_says_of_each_deal(game_id: str, rules: dict[str, Any]) -> None:
    game = find_game(game_id)
    options: Options = game.Options(**rules)
    found = work_out(game, options, "first", deals=5)
    seeds = range(1, found.deals + 1) if options.draws else [0]
    starts = [game.start(options.changed(seed=seed)) for seed in seeds]
    solved = [analyse(game, game.view(start, 0)) for start in starts]
    assert found.first == pytest.approx(float(sum(one.win for one in solved) / len(solved)))
    assert found.draw == pytest.approx(float(sum(one.draw for one in solved) / len(solved)))


def test_a_cell_ends_when_asked_and_when_late() -> None:
    game = find_game("circle-duel")
    options = game.Options(size=24, reach=2, trails="own", gaps=2)
    stop = Stop()
    stop.stop()
    with pytest.raises(Stopped):
        work_out(game, options, "first", stop=stop)
    found = work_out(game, options, "first", limit=0)
    assert (found.late, found.first) == (True, None)


def _pairs_off(free: frozenset[int], size: int, reach: int) -> bool:
    """All free numbers go into pairs of neighbours, tried one by one."""
    if not free:
        return True
    one, rest = min(free), free - {min(free)}
    near = [two for two in rest if min((two - one) % size, (one - two) % size) <= reach]
    return any(_pairs_off(rest - {two}, size, reach) for two in near)


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_shared_trails_are_the_first_players_where_free_numbers_do_not_pair_off(reach: int) -> None:
    game = find_game("circle-duel")
    for size in range(6, 13):
        for gaps in range(1, size // 2 + 1, 2):
            options = game.Options(size=size, reach=reach, gaps=gaps)
            starts = [game.start(options.changed(seed=seed)) for seed in range(1, 6)]
            alone = [not _pairs_off(frozenset(start.free), size, reach) for start in starts]
            assert first_of(options, 5) == pytest.approx(sum(alone) / 5)


def first_of(options: Options, deals: int) -> float | None:
    return work_out(find_game("circle-duel"), options, "first", deals=deals).first


def test_depth_is_the_questions_of_a_theorem_about_the_only_deal() -> None:
    def depth(game_id: str, **rules: Any) -> int | None:
        game = find_game(game_id)
        return work_out(game, game.Options(**rules), "depth").depth

    questions = {rung.code: rung.questions for rung in RUNGS}
    assert depth("sequence-duel", size=9) == questions["sequence-duel:size=9"]
    one_gap = questions["circle-duel:size=16,reach=2,trails=own,without=1"]
    assert depth("circle-duel", size=16, reach=2, trails="own", gaps=1) == one_gap
    assert depth("circle-duel", size=16, reach=2, gaps=4) is None, "Pairs has many deals"
    assert depth("number-duel") is None


@pytest.mark.parametrize("layer", ["first", "length", "changes", "one_rule", "choice"])
def test_a_cell_in_a_thread_ends_when_asked(layer: Layer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped in the middle of its work, and stops at that look."""
    game, stop, looks = find_game("circle-duel"), Stop(), []

    def check() -> None:
        looks.append(len(looks))
        if len(looks) > 5:
            raise Stopped

    monkeypatch.setattr(stop, "check", check)
    with pytest.raises(Stopped):
        work_out(game, game.Options(size=14, reach=2, trails="own", gaps=2), layer, stop=stop, limit=None)
    assert len(looks) <= 7
