"""The signs and counts of verdicts and hints on boards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.core.record import PlayerInfo
from duelbox.core.rng import Rng
from duelbox.registry import find_game
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Mark, Rated, Stop, Verdict
from duelbox.table.hints import analysed as take_analysis
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.state import TableState
from duelbox.ui.game_board import Look, board_of, worths_of
from duelbox.ui.glyphs import UNICODE
from duelbox.ui.hint_marks import hint_marks, signs_of_hint
from duelbox.ui.screens.table import look_of
from duelbox.ui.widgets.board import Drawing
from tests.guest_games import WHOLE

GAMES = ("circle-duel:size=14,reach=2", "number-circle", "sequence-duel", "digit-chain:zero=no-tens", "number-duel")


def analysed(code: str) -> Analysis:
    played = parse_code(code, find_game)
    state: Any = played.state
    return analyse(played.game, played.game.view(state, state.turn), Stop())


def test_what_answers_many_moves_is_no_heap_of_letters() -> None:
    found = analysed("sequence-duel/10.13")
    assert found.advice == "3"
    assert signs_of_hint(hint_marks(found, 2)) == {"2": "!", "3": "?", "4": "!", "6": "?"}, (
        "what the claim makes, and what to compare"
    )
    assert Look(seat=0, hint=hint_marks(found, 2)).pairs == ()


def test_one_answer_to_several_moves_is_marked_once() -> None:
    shared = Mark("pairs", pairs=(("-8", "+4"), ("+8", "+4"), ("-6", "-2")))
    assert signs_of_hint((shared,)) == {"4": "!"}


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_a_hint_draws_at_most_two_signs_on_a_number(code: str, seed: int) -> None:
    played, rng = parse_code(code, find_game), Rng(seed)
    state: Any = played.state
    for _ in range(2 + seed):
        moves = played.game.legal_moves(played.game.view(state, state.turn))
        after, _ = played.game.apply(state, state.turn, rng.choice(moves))
        state = after if after.turn is not None else state
    found = analyse(played.game, played.game.view(state, state.turn), Stop())
    for step in (1, 2):
        said = signs_of_hint(hint_marks(found, step))
        assert all(len(sign.split()) <= 2 for sign in said.values()), said


@pytest.mark.parametrize(
    ("verdict", "plies", "win", "draw", "figure"),
    [
        ("win", 3, "1", "0", "3"),
        ("win", None, "1", "0", ""),
        ("draw", None, "0", "1", ""),
        ("chance", None, "1/2", "6/25", "62%"),
        ("chance", None, "1/1000", "0", "1%"),
        ("chance", None, "999/1000", "0", "99%"),
    ],
)
def test_a_figure_says_how_soon_or_how_often(
    verdict: Verdict, plies: int | None, win: str, draw: str, figure: str
) -> None:
    move = Rated("7", verdict, plies, Fraction(win), Fraction(draw))
    told = worths_of(Analysis(0, verdict, plies, move.win, move.draw, (move,), "Because."))
    assert (told["7"].verdict, told["7"].figure) == (verdict, figure)


@pytest.mark.parametrize(
    "code",
    [
        *GAMES,
        "digit-chain/26.61",
        "circle-duel/4.5",
        "number-duel:deal=31524-42513/4x3.3x1",
        "number-duel:hand=3,arrange=chosen",
    ],
)
def test_after_resigning_no_board_offers_a_move(code: str) -> None:
    players = (PlayerInfo(name="Ann"), PlayerInfo(name="Dash", level="dash"))
    now = LocalTable(read_new_game(code), players)
    state = TableState(now, board_of(now.game.INFO.id))
    assert stops_of(state)
    state.table.session.resign()
    assert stops_of(state) == ()
    assert state.view().turn is None
    assert "nothing left" not in painted(state).canvas.dump()


def painted(state: TableState) -> Drawing:
    scene = state.input.scene(state.view(), look_of(state, UNICODE))
    return state.input.widget().paint(scene, 78, 16, None)


def stops_of(state: TableState) -> tuple[str, ...]:
    """The targets of the arrow keys."""
    return painted(state).cursor_stops


def test_the_move_that_the_text_recommends_stands_out() -> None:
    found = analysed("sequence-duel/7.17.2.14.8")
    doubled = [move for move, worth in worths_of(found).items() if worth.best]
    assert doubled == [found.advised] == ["11"]
    at = TableState(
        LocalTable(read_new_game("sequence-duel/7.17.2.14.8"), (PlayerInfo(name="Ann"), PlayerInfo(name="Bo"))),
        board_of("sequence-duel"),
    )
    at.verdict_on = True
    take_analysis(at, found)
    own = next(one.plies for one in found.moves if one.move == "11")
    assert own
    assert found.plies
    assert own > found.plies
    assert f"in {own} turns at most" in at.prompts.verdict
    assert at.prompts.note.startswith("Claim 11.")
    assert at.prompts.note.endswith(f" {found.moves[0].move} is quicker.")


def test_a_guests_board_draws_verdicts_and_hints_as_the_others_do(installed: Any) -> None:
    installed(WHOLE)
    game, found = find_game("two-heaps"), analysed("two-heaps")
    view = game.view(game.start(game.Options()), 0)

    def drawn(**marks: Any) -> dict[str, str]:
        """The cells of all moves as text."""
        board, look = board_of("two-heaps"), Look(seat=0, **marks)
        drawing = board.widget().paint(board.scene(view, look), 60, 12, None)
        rows = ["".join(row) for row in drawing.canvas._chars]
        return {move: rows[at.y][at.x : at.right] for move, at in drawing.targets.items()}

    assert drawn()["b7"] == "[ 7]"
    rated = {one.move: one.verdict for one in found.moves}
    verdicts = drawn(worths=worths_of(found))
    assert {move: cell[0] for move, cell in verdicts.items()} == {move: UNICODE.verdict(rated[move]) for move in rated}
    assert verdicts[found.advice][-1] == "*"
    assert drawn(hint=(Mark("region", moves=("a3", "b2")),))["a3"] == "? 3 "
