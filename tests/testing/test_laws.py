"""The laws find what they are for: each is shown games that break it, and says so to whoever asks `doctor --laws`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from duelbox import registry
from duelbox.core.errors import BadNotation, IllegalMove
from duelbox.core.game import AnyGame
from duelbox.registry import find_game
from duelbox.testing import LAWS, broken_laws
from tests.command_line import Ran, run
from tests.guest_games import TOY

Mutant = Callable[[AnyGame], dict[str, Any]]
TICKS = count(1)


def then(function: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
    """The function, and a change to what it gives."""
    return lambda *given: change(function(*given))


def told_too_much(game: AnyGame) -> Callable[..., Any]:
    """A refusal that says what the other one holds."""

    def apply(state: Any, seat: Any, move: Any) -> Any:
        try:
            return game.apply(state, seat, move)
        except IllegalMove as error:
            raise IllegalMove(f"They hold {', '.join(map(str, state.hands[1 - seat]))}.") from error

    return apply


def of_whoever_is_to_move(game: AnyGame) -> Callable[..., Any]:
    return lambda state, seat, move: game.apply(state, seat if state.turn is None else state.turn, move)


def nameless(made: Any) -> Any:
    state, events = made
    return (state.changed(outcome=state.outcome.changed(reason="it is over")) if state.outcome else state), events


# By law: the game, what is wrong with it, and what is said.
BROKEN: dict[str, tuple[str, Mutant, str]] = {
    "start_is_a_function_of_its_options": (
        "toy-heap",
        lambda game: {"start": then(game.start, lambda state: state.changed(left=1 + next(TICKS) % 9))},
        "the same options began another game",
    ),
    "turn_is_none_iff_there_is_an_outcome": (
        "toy-heap",
        lambda game: {"apply": then(game.apply, nameless)},
        "the reason is no sentence",
    ),
    "legal_moves_are_there_iff_the_game_is_on": (
        "toy-heap",
        lambda game: {"legal_moves": then(game.legal_moves, lambda moves: [*moves, *moves])},
        "a move, or its text, is listed twice",
    ),
    "listed_moves_apply_and_round_trip_as_text": (
        "toy-heap",
        lambda game: {"format_move": lambda move: f"take {move.number}"},
        " is not printable ASCII without spaces",
    ),
    "every_other_text_is_refused_and_changes_nothing": (
        "toy-heap",
        lambda game: {"parse_move": lambda view, text: game.legal_moves(view)[0]},
        "was taken for '1'",
    ),
    "apply_never_touches_its_input": (
        "toy-heap",
        lambda game: {"apply": then(game.apply, lambda made: (made[0], made[1] * (1 + next(TICKS) % 2)))},
        "the same move had another effect",
    ),
    "moves_out_of_turn_and_after_the_end_are_refused": (
        "toy-heap",
        lambda game: {"apply": of_whoever_is_to_move(game)},
        "the wrong player could move",
    ),
    "everything_survives_json": ("toy-heap", lambda game: {"EVENTS": ()}, "Taken is not in EVENTS"),
    "a_code_tells_the_whole_game": (
        "toy-heap",
        lambda game: {"parse_move": lambda view, text: game.parse_move(view, text.strip("3"))},
        "raises CodeError",
    ),
    "a_session_plays_the_same_game": (
        "toy-heap",
        lambda game: {"apply": then(game.apply, lambda made: (made[0], made[1] * (1 + next(TICKS) % 2)))},
        "had another effect when it was typed",
    ),
    "nothing_leaks": (
        "number-duel",
        lambda game: {"apply": told_too_much(game)},
        "is told what is secret",
    ),
}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_game_that_breaks_a_law_is_told(law: Any, installed: Callable[..., None]) -> None:
    installed(TOY)
    game_id, mutant, says = BROKEN[law.__name__]
    game = find_game(game_id)
    found = broken_laws(replace(game, **mutant(game)), seeds=8)
    (said,) = [one for one in found if one.startswith(law.__doc__.splitlines()[0])]
    assert says in said
    assert f" Seen in {game_id}" in said, said


def test_doctor_runs_the_laws_on_ours_and_on_a_guest(
    installed: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(TOY)
    for game_id in ("circle-duel", "TOY-HEAP"):
        assert run("doctor", "--laws", game_id) == Ran(0, f"{game_id.lower()} holds all {len(LAWS)} laws.\n", "")
    toy = find_game("toy-heap")
    monkeypatch.setattr(registry, "find_game", lambda game_id: replace(toy, EVENTS=()))
    ran = run("doctor", "--laws", "toy-heap")
    assert (ran.status, ran.out.count("broken:")) == (1, 1)
    monkeypatch.undo()
    assert run("doctor", "--laws", "nowhere").status == 2


def test_a_long_quotation_is_cut_short(installed: Callable[..., None]) -> None:
    installed(TOY)

    def echo(view: Any, text: str) -> Any:
        if not text.strip().isascii() or not text.strip().isdigit() or len(text) > 9:
            raise BadNotation(f"{text!r} is no number.")
        return game.parse_move(view, text)

    game = find_game("toy-heap")
    (said,) = broken_laws(replace(game, parse_move=echo), seeds=8)
    assert "not a sentence: \"'9999" in said
    assert len(said) < 700


def test_a_game_that_stumbles_is_told_where(installed: Callable[..., None]) -> None:
    installed(TOY)

    def stumble(*given: Any) -> Any:
        return 1 // 0

    (said,) = broken_laws(replace(find_game("toy-heap"), apply=stumble), seeds=3)
    assert "test_laws.py, line" in said
    assert "ZeroDivisionError" in said
