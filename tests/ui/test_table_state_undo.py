"""Undo, rematch and viewers at a table without a screen: against people, against computers, after a reveal."""

from __future__ import annotations

from fractions import Fraction

import pytest

from duelbox.core.errors import CannotUndo
from duelbox.core.game import preset_of
from duelbox.core.rng import Rng
from duelbox.registry import game_ids
from duelbox.table.local import LocalTable
from tests.ui.test_table_state import CHOSEN, DEAL, OVER, PASSES, make, play, prompt, state, working

# -- undo


def random_play(game_id: str, players: tuple[str, str], seed: int, moves: int) -> LocalTable:
    now, rng = play(game_id, *players), Rng(seed)
    while now.session.turn is not None and (len(now.session.plies) < moves or now.computer_to_move):
        now.session.play(rng.choice(now.session.legal_moves()))
    return now


@pytest.mark.parametrize("players", [("Ann", "Dash"), ("Dash", "Bo")])
@pytest.mark.parametrize("game_id", ["circle-duel", "number-circle", "sequence-duel", "digit-chain", PASSES])
def test_undo_goes_back_to_your_own_last_choice_and_redo_forth(game_id: str, players: tuple[str, str]) -> None:
    for seed in range(8):
        now = random_play(game_id, players, seed, 6)
        me = now.people[0]
        while now.why_not("undo") is None:
            before = now.session.code()
            own = [at for at, ply in enumerate(now.session.plies) if ply.seat == me]
            now.undo()
            assert now.session.turn == me
            assert len(now.session.plies) == own[-1]
            now.redo()
            assert now.session.code() == before
            now.undo()
        assert all(ply.seat != me for ply in now.session.plies), "the computer's opening stays"


def test_there_is_nothing_of_yours_in_the_computers_opening() -> None:
    now = play("circle-duel/4", "Dash", "Bo")
    assert now.why_not("undo") == "You have made no move yet that could be undone."
    with pytest.raises(CannotUndo, match="no move yet"):
        now.undo()
    assert now.session.code() == "circle-duel/4"


def test_between_people_or_computers_undo_takes_one_turn() -> None:
    for players in (("Ann", "Bo"), ("Dash", "Peek")):
        now = play("circle-duel/4.5", *players)
        now.undo()
        assert now.session.code() == "circle-duel/4"


@pytest.mark.parametrize("players", [("Ann", "Bo"), ("Ann", "Dash"), ("Dash", "Peek")])
def test_a_reveal_is_never_taken_back(players: tuple[str, str]) -> None:
    now = play(f"{DEAL}/3x2.2x4", *players)
    assert now.why_not("undo") is not None
    with pytest.raises(CannotUndo):
        now.undo()


# -- rules by name


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("circle-duel", "Classic"),
        ("number-duel:seed=7", "Classic"),
        (DEAL, "Classic"),
        ("number-duel:hand=3,deal=123-321", None),
        ("sequence-duel:size=21", None),
        ("digit-chain:zero=no-tens,gaps=20,seed=7", "Long Chain"),
    ],
)
def test_rules_are_known_by_their_preset_whatever_was_drawn(code: str, name: str | None) -> None:
    now = play(code)
    preset = preset_of(now.game, now.options)
    assert (preset.name if preset else None) == name


def test_a_rematch_swaps_the_starter_and_keeps_the_game_before() -> None:
    now = play(OVER)
    again = now.rematch()
    assert again.match.first == 1
    assert again.previous is now
    assert again.who(0).name == "Bo"
    assert again.score.points(0) == Fraction(0)
    assert again.rematch().match.first == 0


# -- the seat that looks


@pytest.mark.parametrize("game_id", game_ids())
def test_a_person_against_the_computer_sees_with_their_own_eyes(game_id: str) -> None:
    for players, seat in ((("Ann", "Dash"), 0), (("Dash", "Bo"), 1)):
        at = state(game_id, *players)
        assert at.viewer == seat
        at.table.session.play(at.table.session.legal_moves()[0])
        at.position_changed()
        assert at.viewer == seat
        assert at.may_move == (at.table.session.turn == seat)
        assert at.awaiting == ""
    assert state(game_id, "Dash", "Peek").viewer is None


def test_two_people_at_an_open_game_need_no_handover() -> None:
    at = state("circle-duel")
    for turn, move in ((0, "4"), (1, "5"), (0, "6")):
        assert (at.viewer, at.awaiting, at.may_move) == (turn, "", True)
        make(at, move)


def test_the_screen_changes_hands_between_two_secrets() -> None:
    at = state(CHOSEN)
    for order, seat in (("231", 0), ("123", 1)):
        assert (at.viewer, at.may_move) == (seat, True)
        make(at, order)
        assert (at.viewer, at.may_move, at.awaiting) == (None, False, "pass")
        assert prompt(at) == (f"Pass to {('Bo', 'Ann')[seat]}", "Enter covers the table")
        assert working(at) <= {"play", "help"}
        at.set_line("")
        assert at.awaiting == "pass", "nothing but passing on lets go of it"
        at.seat_front()
        assert at.awaiting == ""


def test_who_ended_the_game_keeps_the_screen() -> None:
    at = state(f"{CHOSEN}/123.321.3x1.2x1")
    at.seat_front()
    make(at, "2x1")
    assert at.table.session.outcome is not None
    assert (at.viewer, at.awaiting) == (0, "")


def test_looking_ends_with_the_move() -> None:
    at = state(DEAL)
    at.peek = True
    make(at, "3x2")
    assert not at.peek
