"""Computer players: their moves are legal and repeatable, see the next turn, and fit the level's character."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest

from duelbox.bots import choose, levels_of
from duelbox.bots.api import Choice
from duelbox.core.code import parse_code
from duelbox.core.model import other
from duelbox.registry import find_game
from duelbox.solve import analyse
from duelbox.solve.api import ONE, Stop, Stopped
from tests.bots.scenes import (
    LAST,
    LEVELS,
    SCENES,
    Scene,
    choice,
    choices,
    level_of,
    opening,
    played,
    ratings,
    scenes,
    share_of_points,
)
from tests.effort import SHARE, sampled
from tests.games.slow_rules import Judge, NumberDuel, judge_of
from tests.house_rules import WITH_COMPUTERS

over_games = pytest.mark.parametrize("game_id", WITH_COMPUTERS)
over_levels = pytest.mark.parametrize("level", LEVELS)

# -- moves


@over_games
@over_levels
def test_moves_are_legal_by_the_slow_rules(game_id: str, level: str) -> None:
    for scene, chosen in choices(game_id, level):
        assert chosen.move in scene.judge.moves()


@pytest.fixture
def _time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away the time limits, as the machine may be slow."""
    for limit in ("duelbox.bots.SECONDS", "duelbox.bots.perfect_play.SPARE"):
        monkeypatch.setattr(limit, 600.0)


@over_games
@over_levels
@pytest.mark.usefixtures("_time")
def test_the_same_seed_with_time_is_the_same_game(game_id: str, level: str) -> None:
    def game(seed: int) -> list[Choice]:
        found, scene = [], opening(game_id, Random(f"game {game_id}"), seed)
        while scene.state.turn is not None and len(found) < LAST:
            found.append(scene.choice(level))
            scene = scene.after(found[-1].move)
        return found

    assert game(5) == game(5)


@over_games
def test_another_seed_can_be_another_move(game_id: str) -> None:
    assert any(
        len({choose(scene.game, scene.view, "planner", seed).move for seed in range(8)}) > 1
        for scene in scenes(game_id)
    )


@over_levels
def test_a_solver_that_gives_up_still_leaves_a_move(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(*_: object) -> None:
        raise Stopped

    scene = scenes("number-circle")[0]
    for name in ("duelbox.bots.levels.analyse", "duelbox.bots.perfect_play.stream"):
        monkeypatch.setattr(name, give_up)
    found = choose(scene.game, scene.view, level, 1)
    assert found.move in scene.judge.moves()
    assert (level == "oracle") == ("too far away for me" in found.why)
    stop = Stop()
    stop.stop()
    with pytest.raises(Stopped):
        choose(scene.game, scene.view, level, 1, stop)


@over_games
@over_levels
def test_when_time_is_over_a_level_says_the_best_it_has(
    game_id: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.bots.SECONDS", 0.0)
    for scene in scenes(game_id)[:20]:
        assert scene.choice(level).move in scene.judge.moves()


@over_games
def test_with_no_time_to_spare_the_top_level_still_plays_a_right_move(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.bots.perfect_play.SPARE", 0.0)
    for scene in scenes(game_id):
        rated = ratings(scene)
        assert rated[scene.choice("oracle").move].value == max(one.value for one in rated.values())


def test_a_win_whose_turns_nobody_counts_is_played_without_looking_further(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in ("sequence-duel:size=60/1", "sequence-duel:size=60/15.11", "sequence-duel:size=60"):
        found = parse_code(code, find_game)
        view = found.game.view(found.state, found.state.turn)
        monkeypatch.setattr("duelbox.games.sequence_duel.solve.verdicts._Solution._rated", None)
        assert "whatever you do" in choose(found.game, view, "oracle", 1).why


def test_the_top_level_of_number_duel_wins_at_once_rather_than_later() -> None:
    found = parse_code("number-duel:seed=248887/2x5.2x4.4x4.3x1.3x3", find_game)
    view = found.game.view(found.state, found.state.turn)
    best = {one.move for one in analyse(found.game, view).moves if (one.verdict, one.plies) == ("win", 1)}
    wins = {one.move for one in analyse(found.game, view).moves if one.verdict == "win"}
    assert best < wins
    assert {choose(found.game, view, "oracle", seed).move for seed in range(20)} <= best


# -- the next turn

FEW = 24


def worlds(scene: Scene) -> list[Scene]:
    """All worlds that the player to move cannot rule out, or some of them if they are many."""
    state = scene.state
    if not isinstance(scene.judge, NumberDuel) or scene.view.arranging:
        return [scene]
    rival = other(state.turn)
    orders = [*permutations(scene.view.hidden(rival))]
    found = []
    for order in orders if len(orders) <= FEW else orders[:: len(orders) // FEW]:
        rest = iter(order)
        hand = tuple(next(rest) if face is None else face for face in scene.view.faces[rival])
        hands = (state.hands[0], hand) if rival else (hand, state.hands[1])
        judge = NumberDuel(scene.judge.hand, scene.judge.victors_stay, [list(one) for one in hands])
        judge.turn = state.turn
        found.append(Scene(scene.game, state.changed(hands=hands), judge, scene.seed))
    return found


def wins_at_once(scene: Scene, text: str) -> bool:
    """A move wins at once in every world."""
    return all(world.judge.after(text).result == scene.judge.turn for world in worlds(scene))


def loses_at_once(scene: Scene, text: str) -> bool:
    """In every world, a move loses at once or gives the rival a win at once."""
    me = scene.judge.turn
    for world in worlds(scene):
        after = world.after(text)
        if after.judge.turn == me or after.judge.result in (me, "draw"):
            return False
        if after.judge.result == "on" and not any(wins_at_once(after, answer) for answer in after.judge.moves()):
            return False
    return True


def small(scene: Scene) -> bool:
    """The worlds are few enough to look at all of them."""
    if not isinstance(scene.judge, NumberDuel):
        return True
    return not scene.view.arranging and len(scene.view.hidden(other(scene.state.turn))) <= 4


@cache
def endings(game_id: str) -> list[tuple[int, set[str], set[str]]]:
    """The scenes that one or two turns decide, with the winning and the losing moves."""
    found = []
    for at, scene in enumerate(scenes(game_id)):
        if small(scene):
            moves = scene.judge.moves()
            winning = {text for text in moves if wins_at_once(scene, text)}
            losing = {text for text in moves if loses_at_once(scene, text)}
            if winning or 0 < len(losing) < len(moves):
                found.append((at, winning, losing))
    assert len(found) >= SCENES // 8
    return found


@over_games
@pytest.mark.parametrize("level", LEVELS[1:])
def test_from_the_second_level_up_no_win_in_one_is_missed_and_a_loss_in_one_only_by_a_slip_that_is_told(
    game_id: str, level: str
) -> None:
    for at, winning, losing in endings(game_id):
        chosen = choice(game_id, at, level)
        if winning:
            assert chosen.move in winning, scenes(game_id)[at].state
        else:
            assert chosen.move not in losing or re.search("did not (see|look)", chosen.why), scenes(game_id)[at].state


def test_the_first_level_does_miss_wins() -> None:
    assert any(
        winning and choice(game_id, at, "dash").move not in winning
        for game_id in WITH_COMPUTERS
        for at, winning, _ in endings(game_id)
    )


# -- the last level


@over_games
@pytest.mark.usefixtures("_time")
def test_the_top_level_with_time_plays_the_best_there_is_and_the_quickest_win(game_id: str) -> None:
    for scene in scenes(game_id):
        rated = ratings(scene)
        best = max(rated.values(), key=lambda one: (one.value, one.win))
        mine = rated[scene.choice("oracle").move]
        assert (mine.value, mine.win) == (best.value, best.win)
        if mine.value == ONE:
            assert mine.plies == min(
                (one.plies for one in rated.values() if one.value == ONE and one.plies), default=None
            )


Worth = tuple[int, int]
"""1 for a win of the player to move, 0 for a loss; and the turns to the end."""


_KNOWN: dict[str, Worth] = {}


def worth(judge: Judge) -> Worth:
    """By the slow rules: a winner hurries, a loser holds out."""
    key = repr((type(judge), sorted(vars(judge).items())))
    if judge.result != "on":
        _KNOWN[key] = int(judge.result == judge.turn), 0
    if key not in _KNOWN:
        found = list(prospects(judge).values())
        wins = [turns for won, turns in found if won]
        _KNOWN[key] = (1, min(wins)) if wins else (0, max(turns for _, turns in found))
    return _KNOWN[key]


def prospects(judge: Judge) -> dict[str, Worth]:
    """The value of each move to its player, its own turn included."""
    found = {}
    for text in judge.moves():
        won, turns = worth(judge.after(text))
        found[text] = 1 - won, turns + 1
    return found


def hope(judge: Judge, me: int, depth: int) -> Fraction:
    """The share of answers, without plainly wrong ones, that give the game away."""
    if judge.result != "on" or judge.turn == me:
        return Fraction(0)
    found = prospects(judge)
    if any(won and turns <= 4 for won, turns in found.values()):
        return Fraction(0)
    best = max(won for won, _ in found.values())
    answers = [text for text, (won, turns) in found.items() if won or turns > 4] or list(found)
    gains = Fraction(0)
    for text in answers:
        if found[text][0] < best or depth == 1:
            gains += best - found[text][0]
        else:
            then = judge.after(text)
            gains += max((hope(then.after(move), me, depth - 1) for move in then.moves()), default=Fraction(0))
    return gains / len(answers)


SMALL = {
    "circle-duel": [{"size": 18, "reach": 2, "gaps": 6, "seed": seed} for seed in range(sampled(14, 40))],
    "sequence-duel": [{"size": size, "ring": ring} for size in (6, 7, 8, 9) * sampled(1, 5) for ring in (False, True)],
}


@pytest.mark.parametrize("game_id", SMALL)
def test_a_lost_top_level_sets_the_best_trap_and_then_holds_out_longest(game_id: str) -> None:
    lost = tricky = 0
    for seed, rules in enumerate(SMALL[game_id]):
        rng = Random(seed)
        options = find_game(game_id).Options(**rules)
        state = find_game(game_id).start(options)
        scene = Scene(find_game(game_id), state, judge_of(game_id, options, state), seed)
        for at in played(scene, rng)[-9:]:
            moves = at.judge.moves()
            found = prospects(at.judge)
            if any(won for won, _ in found.values()) or not 1 < len(moves) <= 12:
                continue
            depth = 2 if len(moves) <= 4 else 1
            ranks = {text: (hope(at.judge.after(text), at.judge.turn, depth), found[text][1]) for text in moves}
            assert ranks[at.choice("oracle").move] == max(ranks.values()), (at.state, ranks)
            lost += 1
            tricky += len({rank for rank, _ in ranks.values()}) > 1
    assert lost >= 5
    assert tricky


# -- character


Liking = Callable[[Any, str], Any]


def ways_on(view: Any, number: int, gone: int = 0) -> list[int]:
    """The free numbers next to this one, without one that is gone."""
    return [near for near in view.neighbours(number) if near in view.free and near != gone]


def answers(view: Any, number: int) -> int:
    """The number of numbers that may follow this one."""
    after = view.changed(picks=(*view.picks, number))
    return len(after.choices)


def ways_on_from(view: Any, number: int) -> int:
    """The number of picks that may follow the picks after this one."""
    return sum(len(ways_on(view, near, number)) for near in ways_on(view, number))


def nearest(view: Any, number: int) -> int:
    """The distance of a claim to the nearest of the rival."""
    size = view.options.size
    steps = [abs(number - one) for one in view.picked(other(view.turn))]
    return min([min(step, size - step) if view.options.ring else step for step in steps], default=0)


def goes_on(view: Any, number: int) -> bool:
    """The pick is in reach clockwise of the last pick, and next to a free number."""
    size = view.options.size
    beside = {number % size + 1, (number - 2) % size + 1}
    ahead = [(view.picks[-1] + step) % size + 1 for step in range(view.options.reach)] if view.picks else []
    return number in ahead and not beside.isdisjoint(view.free)


LIKES: dict[tuple[str, str], Liking] = {
    ("circle-duel", "dash"): lambda view, text: (
        min(len(ways_on(view, int(text))), 3 if view.options.reach > 2 else 1) if view.own else goes_on(view, int(text))
    ),
    ("circle-duel", "counter"): lambda view, text: 0 if view.own else len(ways_on(view, int(text))),
    ("circle-duel", "peek"): lambda view, text: (
        ways_on_from(view, int(text)) if view.own else len(ways_on(view, int(text)))
    ),
    ("number-circle", "dash"): lambda view, text: text[0] == "+" and view.totals[view.turn] < 1,
    ("number-circle", "peek"): lambda view, text: (
        (text[0] == "+") == (view.totals[view.turn] < 6)
        if view.options.shared_total
        else text[0] == "+" and view.totals[view.turn] < 4
    ),
    ("number-circle", "counter"): lambda view, text: (
        text[0] == "+" and view.totals[view.turn] < (6 if view.options.shared_total else 10)
    ),
    ("sequence-duel", "peek"): lambda view, text: -nearest(view, int(text)),
    ("digit-chain", "dash"): lambda view, text: (
        int(text) % 2 == 1 or (view.options.zero == "dead-end" and text[-1] == "0")
    ),
    ("digit-chain", "peek"): lambda view, text: answers(view, int(text)) < 4,
    ("number-duel", "dash"): lambda view, text: text.endswith("x1"),
}


@pytest.mark.parametrize(("game_id", "level"), LIKES)
def test_a_short_sighted_level_plays_what_it_says_it_likes(game_id: str, level: str) -> None:
    for scene, chosen in choices(game_id, level):
        if game_id == "number-duel" and scene.view.arranging:
            continue
        moves = scene.judge.moves()
        if level != "dash":
            if any(wins_at_once(scene, text) for text in moves):
                continue
            if re.search("did not see|saw that|felt wrong", chosen.why):
                continue
            moves = [text for text in moves if not loses_at_once(scene, text)] or [chosen.move]
        like = LIKES[game_id, level]
        assert like(scene.view, chosen.move) == max(like(scene.view, text) for text in moves)


def test_the_planner_of_number_circle_takes_from_its_own_total_only_for_what_it_saw() -> None:
    taken = 0
    for scene, chosen in choices("number-circle", "planner"):
        adds = any(text.startswith("+") for text in scene.judge.moves())
        if adds and chosen.move.startswith("-") and not scene.view.options.shared_total:
            assert re.search("saw|wins|did not see|felt wrong", chosen.why)
            taken += 1
    assert taken


def test_the_planner_of_sequence_duel_spreads_out_on_a_line_and_knows_no_far_end_of_a_ring() -> None:
    game = find_game("sequence-duel")

    def claimed(ring: bool) -> set[str]:
        state = game.start(game.Options(size=30, ring=ring))
        for seat, text in enumerate(("8", "22")):
            state, _ = game.apply(state, seat, game.parse_move(state, text))
        made = [choose(game, game.view(state, 0), "planner", seed) for seed in range(12)]
        return {one.move for one in made if ring or "It looked good" not in one.why}

    assert claimed(ring=False) == {"29"}
    assert len(claimed(ring=True)) > 4


@pytest.mark.parametrize("size", [12, 19, 20])
def test_the_planner_of_sequence_duel_that_holds_the_middle_copies_what_it_does_not_overlook(size: int) -> None:
    game, copied = find_game("sequence-duel"), 0
    for seed in range(12):
        state, rng = game.start(game.Options(size=size)), Random(seed)
        state, _ = game.apply(state, 0, game.parse_move(state, str((size + 1) // 2)))
        claim = rng.choice(game.legal_moves(state))
        state, _ = game.apply(state, 1, claim)
        chosen = choose(game, game.view(state, 0), "planner", seed)
        assert chosen.move == str(size + 1 - claim.number) or re.search("did not see|felt wrong", chosen.why)
        copied += chosen.move == str(size + 1 - claim.number)
    assert copied >= 6


PLAYED = [(game_id, preset.id) for game_id in WITH_COMPUTERS for preset in find_game(game_id).PRESETS]
DECIDED = [("circle-duel", "classic"), ("digit-chain", "classic")]
"""Positions before the first move, which are equal for both players."""


@pytest.mark.skipif(SHARE > 1, reason="tried by --long: it takes minutes")
@pytest.mark.parametrize(("game_id", "preset"), [one for one in PLAYED if one not in DECIDED])
def test_every_level_beats_the_one_below(game_id: str, preset: str) -> None:
    game = find_game(game_id)
    options = next(one.options for one in game.PRESETS if one.id == preset)
    for lower, upper in pairwise(LEVELS):
        assert share_of_points(game, options, level_of(game, upper), level_of(game, lower), 60) > 0.5, upper


@over_games
def test_every_level_has_a_line_of_its_own(game_id: str) -> None:
    assert tuple(level.id for level in levels_of(game_id)) == LEVELS
    lines = {level.line for level in levels_of(game_id)}
    assert len(lines) == len(LEVELS)
    assert all(line.endswith(".") for line in lines)
