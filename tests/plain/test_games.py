"""Games in lines: secrets, random games of every kind, and guests without words of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.core.errors import CodeError
from duelbox.core.model import Position
from duelbox.core.session import Session
from duelbox.core.talk import default_talk
from duelbox.plain import line_table
from duelbox.registry import find_game
from tests.command_line import play, told_after
from tests.effort import sampled
from tests.golden.said import Said
from tests.guest_games import TOY, toy_with
from tests.house_rules import GAME_IDS, house_rules

# -- secrets


def segments(out: str) -> Iterator[tuple[str, str]]:
    """The parts of a transcript, each with the player who can see it: "Ann", "Ben", or "" for both."""
    for part in re.split(r"\n{50,}", out):
        public, *private = re.split(r"(?=^(?:Ann|Ben)'s Turn\n)", part, flags=re.MULTILINE)
        yield "", public
        for one in private:
            yield one[:3], one


def seen_by_ann(code: str) -> Any:
    played = parse_code(code, find_game)
    states = (played.start, *(ply.state for ply in played.plies))
    return [played.game.view(state, 0) for state in states], tuple(ply.events for ply in played.plies)


@pytest.mark.parametrize("seed", range(sampled(5, 12)))
def test_two_worlds_that_a_player_cannot_tell_apart_read_the_same(seed: int) -> None:
    rng = Random(seed)
    game = find_game("number-duel")
    orders = list(permutations("12345"))
    mine, theirs = rng.choice(orders), rng.choice(orders)
    rules = rng.choice(("", ",victors_stay=on"))

    def code(order: tuple[str, ...], moves: list[str]) -> str:
        return f"number-duel:deal={''.join(mine)}-{''.join(order)}{rules}/{'.'.join(moves)}".rstrip("/")

    moves: list[str] = []
    while len(moves) < 3:
        state = parse_code(code(theirs, moves), find_game).state
        if state.turn is None:
            break
        moves.append(game.format_move(rng.choice(game.legal_moves(game.view(state, state.turn)))))
    typed = [line for move in moves for line in ("", *move.split("x"))] + ["", "9", "code", "undo", "moves", "board"]

    def seen(order: tuple[str, ...]) -> list[str]:
        out = play(code(order, []), *typed).out
        return [text for who, text in segments(out) if who != "Ben"]

    real = seen(theirs)
    worlds = [order for order in orders if order != theirs and same_game(code(order, moves), code(theirs, moves))]
    assert worlds
    for order in rng.sample(worlds, min(len(worlds), 6)):
        assert seen(order) == real


def same_game(one: str, two: str) -> bool:
    """The same moves are legal in both games, and show Ann the same."""
    try:
        return bool(seen_by_ann(one) == seen_by_ann(two))
    except CodeError:
        return False


@pytest.mark.parametrize("options", [("--p1", "Ann", "--p2", "Ben"), ("--p1", "Ann", "--p2", "bot:1")])
def test_the_board_shows_ones_own_numbers_to_nobody_else(options: tuple[str, ...]) -> None:
    shared = options[-1] == "Ben"
    out = play("number-duel:hand=3,deal=312-231", "board", *([""] if shared else []), "board", options=options).out
    boards = re.findall(r"^  Number   (.*)$", out, re.MULTILINE)
    hidden, mine = "  ?  ?  ?", "  3  1  2"
    assert boards == ([hidden, hidden] if shared else [mine, hidden]) + [mine, hidden]


# -- whole games, of every kind


def answers(game_id: str, text: str, rng: Random) -> tuple[str, ...]:
    """The lines that make a move: the whole move, or an answer to each question."""
    if text == "resign":
        return (text,)
    if game_id == "number-circle" and rng.randrange(2):
        return (text[1:], text[0])
    if game_id == "number-duel" and rng.randrange(2):
        return tuple(text.split("x"))
    return (text,)


def random_game(game_id: str, rng: Random) -> Session:
    """A game of random moves under random house rules; a long one is left unfinished."""
    session = Session(find_game(game_id), house_rules(game_id, rng))
    while session.turn is not None:
        if len(session.plies) == 40:
            session.resign()
        else:
            session.play(rng.choice(session.legal_moves()))
    return session


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("general", [False, True])
def test_random_games_end_where_they_should(game_id: str, general: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if general:
        monkeypatch.setattr(line_table, "talk_of", default_talk)
    rng = Random(game_id)
    for _ in range(sampled(4, 8)):
        session = random_game(game_id, rng)
        typed: list[str] = []
        for ply in session.plies:
            text = "resign" if ply.move is None else session.game.format_move(ply.move)
            hand_over = ("",) if session.game.INFO.hidden else ()
            typed += [*hand_over, *((text,) if general else answers(game_id, text, rng))]
        settings = ",".join(f"{key}={value}" for key, value in ({"seed": "0"} | session.options.texts()).items())
        start = f"{game_id}:{settings}" if session.options.draws else session.code().partition("/")[0]
        out = play(start, *typed).out
        assert f"The code of this game: {session.code()}\n" in out
        winner = session.outcome.winner
        assert ("The game is a draw." if winner is None else f"{('Ann', 'Ben')[winner]} wins the game!") in out


# -- guests


def test_a_guest_without_words_plays_and_says_so(installed: Callable[[Path], None], said: Said) -> None:
    installed(TOY)
    out = play("toy-heap:heap=5", "1", "2", "rules", "moves", "2").out
    assert "Left: 5\n" in out
    assert "Ann takes 1.\n" in out
    assert re.search(r"\bno\b.* rules", told_after(out, "rules"))
    assert "Ann wins the game!\n" in out
    said(out)


def test_the_general_words_cut_a_long_list_of_moves_short() -> None:
    game = find_game("digit-chain")
    choices = default_talk(game).choices(game.start(game.Options()))
    assert choices.endswith(", 59, 60 and 39 more")


def test_what_a_spectator_may_not_know_is_left_out_of_the_general_board() -> None:
    class Seen(Position):
        pile: int
        mine: int | None

    board = default_talk(find_game("number-duel")).board
    assert board(Seen(turn=0, pile=3, mine=None)) == "Pile: 3"
    assert board(Seen(turn=0, pile=3, mine=7)) == "Pile: 3\nMine: 7"


def test_a_guest_that_fails_at_a_move_is_told_in_a_sentence_that_quotes_nothing(
    installed: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = "def apply(state: State, seat: Seat, move: Move) -> Any:\n    raise ValueError(31500 + 24)\n"
    installed(toy_with(tmp_path, rules=f"from typing import Any\n\n\n{failing}\n"))
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "home"))
    ran = play("toy-heap:heap=5", "1")
    report = tmp_path / "home" / "crash.log"
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert ran.err.startswith("The game's duelbox_toy.rules has a fault: ValueError at line ")
    assert "builtins.ValueError" in report.read_text()
    assert "31524" not in ran.err + report.read_text()
