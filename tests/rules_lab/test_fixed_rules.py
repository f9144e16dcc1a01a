"""Fixed rules and middling players: known results, and slow judges of the solvers' partners and wins."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from duelbox.core.game import GameInfo
from duelbox.core.model import Outcome
from duelbox.core.rng import Rng
from duelbox.registry import find_game
from duelbox.rules_lab.facts import Facts, work_out
from duelbox.rules_lab.fixed_rules import best_fixed_rule
from duelbox.rules_lab.players import answers, play
from duelbox.solve import rate_moves, solver_of, stream
from duelbox.solve.api import Solver, Stop
from tests.guest_games import WHOLE

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


# -- moves that are no numbers


class Chomp:
    """Square Chomp: whoever bites the corner 1-1 loses. Moves are written "2-3"."""

    @dataclass(frozen=True)
    class State:
        left: frozenset[tuple[int, int]]
        turn: int | None = 0
        outcome: Outcome | None = None

    INFO = GameInfo(id="chomp", title="Chomp", goal="Leave the corner.", good_for="mirrors")

    @staticmethod
    def view(state: Any, seat: int | None) -> Any:
        return state

    @staticmethod
    def legal_moves(view: Any) -> list[tuple[int, int]]:
        return sorted(view.left)

    @staticmethod
    def format_move(move: tuple[int, int]) -> str:
        return f"{move[0]}-{move[1]}"

    @staticmethod
    def parse_move(view: Any, text: str) -> tuple[int, int]:
        row, column = text.split("-")
        return int(row), int(column)

    @classmethod
    def apply(cls, state: Any, seat: int, move: tuple[int, int]) -> tuple[Any, tuple[()]]:
        left = frozenset(one for one in state.left if one[0] < move[0] or one[1] < move[1])
        if not left:
            return cls.State(left, None, Outcome(winner=1 - seat, reason="")), ()
        return cls.State(left, 1 - seat), ()

    @classmethod
    def start(cls, size: int) -> Any:
        return cls.State(frozenset((row, column) for row in range(1, size + 1) for column in range(1, size + 1)))


@cache
def wins(state: Chomp.State) -> bool:
    """The player to move wins, by looking at every play."""
    afters = (Chomp.apply(state, 0, move)[0] for move in state.left)
    return any(after.left and not wins(Chomp.State(after.left)) for after in afters)


@pytest.mark.parametrize("size", [3, 4])
def test_the_mirror_wins_square_chomp(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def worth(game: Any, view: Any, stop: Stop) -> tuple[Fraction, Fraction]:
        return Fraction(wins(Chomp.State(view.left))), Fraction(0)

    monkeypatch.setattr("duelbox.rules_lab.players.worth", worth)
    monkeypatch.setattr("duelbox.rules_lab.fixed_rules.solver_of", lambda game_id: Solver(stream, repr))
    monkeypatch.setattr("duelbox.rules_lab.fixed_rules.NODES", 20_000)
    game: Any = Chomp
    share, rule, proved = best_fixed_rule(game, [Chomp.start(size)], Stop())
    assert (share, rule, proved) == (1, "plays 2-2 first and then copies every move in the mirror", True)


def test_a_rule_that_wins_only_with_the_right_first_move_says_so() -> None:
    game = find_game("circle-duel")
    deals = [game.start(game.Options(size=7, reach=2, trails="own", gaps=gaps, seed=4)) for gaps in (2, 3)]
    share, rule, proved = best_fixed_rule(game, deals[:1], Stop())
    assert (share, rule, proved) == (1, "plays 6 first and then leaves the fewest answers", True)
    rated = {one.move: one.verdict for one in rate_moves(game, deals[0], Stop()).moves}
    left = {move: answers(game, game.apply(deals[0], 0, game.parse_move(deals[0], move))[0], 0) for move in rated}
    fewest = [move for move in left if left[move] == min(left.values())]
    assert "loss" in {rated[move] for move in fewest}, "another move that leaves as few loses"
    assert best_fixed_rule(game, deals, Stop())[1] == "begins with the right move and then leaves the fewest answers"


def test_two_equal_heaps_are_copied_in_the_mirror(installed: Any) -> None:
    installed(WHOLE)
    found = one_rule("two-heaps", first=6, second=6)
    assert (found.one_rule, found.rule, found.proved) == (1, "copies every move in the mirror", True)
