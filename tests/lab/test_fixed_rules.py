"""Fixed rules and middling players: known results, and slow judges of the solvers' partners and wins."""

from __future__ import annotations

from typing import Any

import pytest

from duelbox.core.rng import Rng
from duelbox.lab.facts import Facts, work_out
from duelbox.lab.players import play
from duelbox.registry import find_game
from duelbox.solve import solver_of, stream
from duelbox.solve.api import Stop

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("circle-duel", {"size": 14, "reach": 2, "gaps": 3}),
    ("circle-duel", {"size": 11, "reach": 2, "trails": "own", "gaps": 2}),
    ("sequence-duel", {"size": 17}),
    ("sequence-duel", {"size": 18, "ring": True}),
    ("digit-chain", {"zero": "no-tens", "without": (12, 21, 7, 77, 45, 54)}),
]


def one_rule(game_id: str, deals: int = 3, **rules: Any) -> Facts:
    game = find_game(game_id)
    return work_out(game, game.Options(**rules), "one_rule", deals=deals, limit=None)


@pytest.mark.parametrize(
    ("game_id", "rules"),
    [
        *(("sequence-duel", {"size": size, "ring": True}) for size in (6, 22, 36)),
        *(("sequence-duel", {"size": size}) for size in (7, 20)),
        *(("circle-duel", {"size": 10}), ("circle-duel", {"size": 16, "reach": 2, "gaps": 4})),
        *(("digit-chain", {"zero": "no-tens"}), ("digit-chain", {}), ("number-circle", {})),
    ],
)
def test_rules_that_are_proved_to_win_always(game_id: str, rules: dict[str, Any]) -> None:
    found = one_rule(game_id, **rules)
    assert (found.one_rule, found.proved) == (1, True), found


def test_no_rule_wins_where_choices_matter() -> None:
    assert one_rule("circle-duel", 20, size=13, reach=2, trails="own", gaps=2).one_rule == 0
    assert one_rule("number-circle", target=13, shared_total=True, sharing=False, floor=0).one_rule == 0
    assert one_rule("number-duel").one_rule == 0


def test_games_won_are_no_proof() -> None:
    """Leaving the fewest answers wins every game tried on this ring, although the rule is refuted."""
    found = one_rule("sequence-duel", size=31, ring=True)
    assert (found.one_rule, found.rule, found.proved) == (1, "leaves the fewest answers", False)


@pytest.mark.parametrize(("game_id", "rules"), SETTINGS)
def test_the_verdict_alone_and_the_partners_agree_with_the_solver(game_id: str, rules: dict[str, Any]) -> None:
    game, solver, proofs = find_game(game_id), solver_of(game_id), 0
    for seed in range(12):
        options = game.Options(**rules)
        state, rng = game.start(options.changed(seed=seed) if options.draws else options), Rng(seed)
        while state.turn is not None:
            won = next(stream(game, state)).verdict == "win"
            if solver.wins is not None:
                assert solver.wins(state, Stop()) == won
            if solver.partners(state)[1]:
                assert not won
                proofs += 1
                _copies(game_id, state, rng)
            state = game.apply(state, state.turn, rng.choice(game.legal_moves(state)))[0]
    assert proofs or rules.get("trails") == "own"


def _copies(game_id: str, state: Any, rng: Rng) -> None:
    """Play on at random, every move answered with its partner: the answering player wins."""
    game, loser = find_game(game_id), state.turn
    partners = solver_of(game_id).partners(state)[0]
    while state.turn is not None:
        move = rng.choice(game.legal_moves(state))
        state = game.apply(state, loser, move)[0]
        state = game.apply(state, state.turn, game.parse_move(state, partners[game.format_move(move)]))[0]
    assert state.outcome.winner != loser


@pytest.mark.parametrize(
    ("game_id", "rules", "figures"),
    [
        ("circle-duel", {"size": 15, "reach": 2, "trails": "own", "gaps": 2}, (1.5, 10.9, 0.5)),
        ("number-circle", {"target": 13, "shared_total": True, "sharing": False, "floor": 0}, (1.05, 18.3, 0.35)),
        ("number-duel", {}, (1.75, 5.45, 0.35)),
    ],
)
def test_the_players_of_the_lab_never_change(
    game_id: str, rules: dict[str, Any], figures: tuple[float, float, float]
) -> None:
    game = find_game(game_id)
    found = work_out(game, game.Options(**rules), "changes", deals=10, limit=None)
    assert (found.changes, found.length, found.first_won) == pytest.approx(figures)
    assert work_out(game, game.Options(**rules), "length", deals=10, limit=None).length == found.length


def test_players_see_an_end_that_is_one_turn_away() -> None:
    game = find_game("digit-chain")
    assert {play(game, game.Options(), number, Stop()).turns for number in range(1, 11)} == {1}
