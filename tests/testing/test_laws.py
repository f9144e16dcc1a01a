"""The laws find what they are for: each is shown games that break it, and says so to whoever asks `doctor --laws`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from duelbox import registry
from duelbox.core.errors import BadNotation, IllegalMove
from duelbox.core.game import AnyGame
from duelbox.registry import find_game
from duelbox.testing import LAWS, broken_laws
from duelbox.testing.part_laws import PART_LAWS
from tests.command_line import Ran, run
from tests.guest_games import TOY, WHOLE, toy_with

Mutant = Callable[[AnyGame], dict[str, Any]]
TICKS = count(1)
ALL = len(LAWS) + len(PART_LAWS)


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
    "every_legal_move_has_a_number": (
        "toy-heap",
        lambda game: {"every_move": lambda options: game.legal_moves(game.start(options))[:1]},
        " has no number",
    ),
    "a_packed_game_agrees_with_its_models": (
        "sequence-duel",
        lambda game: {"legal_moves": then(game.legal_moves, lambda moves: [*moves][::-1])},
        "the legal moves are",
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
        assert run("doctor", "--laws", game_id) == Ran(0, f"{game_id.lower()} holds all {ALL} laws.\n", "")
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


def test_one_world_alone_is_told() -> None:
    """A `worlds` that always deals the same cards passes every other law of a single position."""
    game = find_game("number-duel")
    dealt: dict[str, Any] = {}

    def always_the_same(view: Any, rng: Any) -> Any:
        return dealt.setdefault(view.model_dump_json(), game.worlds(view, rng))

    (said,) = broken_laws(replace(game, worlds=always_the_same), seeds=2)
    assert said == "A player who knows less can think of several worlds. But worlds always gives the same one."


# -- what lies beside the rules


def test_a_whole_guest_holds_the_laws_of_its_parts(installed: Callable[..., None]) -> None:
    installed(WHOLE)
    assert run("doctor", "--laws", "two-heaps") == Ran(0, f"two-heaps holds all {ALL} laws.\n", "")


PARTS_BROKEN = {
    "a_solver_rates_every_legal_move": (
        "solve",
        "from duelbox.solve.api import Solver\n"
        "from duelbox.solve.rating import analysis_from, rated\n"
        "SOLVE = Solver(lambda view, stop: iter((analysis_from(view.turn, 1, 1, (rated('1', 1, 1),), 'It wins.'),)))\n",
        "not every legal move is rated once",
    ),
    "a_computer_makes_legal_moves": (
        "bot",
        "from duelbox.bots.api import Bot, Choice, Level\n"
        "BOT = Bot((Level('dash', 'Dash', 'Runs.'),), lambda *_: Choice('99', 'Why not?'))\n",
        "dash makes the move '99'",
    ),
    "words_fit_every_position": (
        "talk",
        "from dataclasses import replace\n"
        "from duelbox.core.talk import default_talk\n"
        "from duelbox_toy.rules import GAME\n"
        "TALK = replace(default_talk(GAME), question=lambda view, answers: 'And? ')\n",
        "the questions do not end",
    ),
    "a_board_draws_every_position": (
        "board",
        "from dataclasses import replace\n"
        "from duelbox.ui.general_board import general_board\n"
        "from duelbox_toy.rules import GAME\n"
        "BOARD = replace(general_board(GAME), score=lambda view, seat: 1 // 0)\n",
        "board.py, line 4, raises ZeroDivisionError",
    ),
}


@pytest.mark.parametrize("law", PARTS_BROKEN)
def test_a_part_that_breaks_its_law_is_told(law: str, installed: Callable[..., None], tmp_path: Path) -> None:
    name, source, says = PARTS_BROKEN[law]
    installed(toy_with(tmp_path, **{name: source}))
    ran = run("doctor", "--laws", "toy-heap")
    assert ran.status == 1
    asked = next(one for one in PART_LAWS if one.__name__ == law).__doc__
    assert ran.out.startswith(f"broken:    {asked} But {says}"), ran.out


def test_a_lesson_that_cannot_be_taken_is_told(installed: Callable[..., None], tmp_path: Path) -> None:
    guest = toy_with(tmp_path)
    (guest / "duelbox_toy" / "lessons").mkdir()
    (guest / "duelbox_toy" / "lessons" / "1-fours.toml").write_text("title = 1\n", encoding="utf-8")
    installed(guest)
    ran = run("doctor", "--laws", "toy-heap")
    assert (ran.status, "The lesson 1-fours of toy-heap cannot be read" in ran.out) == (1, True)
