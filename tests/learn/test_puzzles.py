"""Puzzles: each has one right move, proved twice; alike positions are one puzzle; a seed makes the same ones."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest

from duelbox.bots import levels_of
from duelbox.core.code import parse_code
from duelbox.core.errors import MoveError
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.learn.puzzle_maker import (
    GUESS,
    RUN,
    SLIPS,
    essence_of,
    fault_of,
    guess_chance,
    level_chance,
    level_chances,
    make,
    run_of,
    search,
    varied,
)
from duelbox.learn.puzzles import DAILY, Puzzle, Solving, game_of, puzzles_in, right_moves
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve import analyse, solver_of
from tests.effort import sampled
from tests.golden.said import Said

SMALL = ("circle-duel:size=11,reach=2,trails=own", "sequence-duel:size=11", "digit-chain:zero=no-tens,gaps=60")


COUNT = sampled(2, 40)


@cache
def made(game_id: str, count: int = COUNT, seed: int = 3) -> tuple[Puzzle, ...]:
    return tuple(make(find_game(game_id), None, count, seed))


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_what_is_made_is_proved_and_made_again_the_same(game_id: str) -> None:
    puzzles = made(game_id)
    assert [fault_of(one) for one in puzzles] == [None] * COUNT
    assert made(game_id, COUNT // 2) == puzzles[: COUNT // 2]
    assert len({essence_of(parse_code(one.code, find_game)) for one in puzzles}) == COUNT


@pytest.mark.parametrize("house", SMALL)
def test_the_right_move_alone_wins_by_slow_search(house: str) -> None:
    """On small boards, every line is played out by the rules alone."""
    start = parse_code(house, find_game)
    puzzles = [*islice((one for seed in range(57) for one in search(start.game, start.options, seed)), sampled(3, 6))]
    assert puzzles
    for puzzle in puzzles:
        session = parse_code(puzzle.code, find_game)
        known: dict[Any, int] = {}
        wins = []
        for move in session.legal_moves():
            after = session.copy()
            after.play(move)
            if _loses(after, known):
                wins.append(session.game.format_move(move))
        assert wins == [puzzle.line[0]]


def _loses(session: Session, known: dict[Any, bool]) -> bool:
    """The player to move loses with best play, by trying everything; these games have no draws."""
    if session.turn is None:
        return True
    key = essence_of(session)
    if key not in known:
        known[key] = True
        for move in session.legal_moves():
            after = session.copy()
            after.play(move)
            if _loses(after, known):
                known[key] = False
                break
    return known[key]


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_positions_of_one_essence_are_worth_the_same(game_id: str) -> None:
    worth = defaultdict(set)
    count = 0
    for seed in range(sampled(36, 50)):
        rng, random = Rng(seed), Random(seed)
        game = find_game(game_id)
        session = Session(game, varied(game, rng))
        while session.turn is not None and len(session.plies) < 60:
            if len(session.legal_moves()) <= sampled(4, 6):
                found = analyse(game, session.view(session.turn))
                moves = sorted((str(one.win), str(one.draw)) for one in found.moves)
                worth[essence_of(session)].add((found.verdict, str(found.win), str(found.draw), tuple(moves)))
                count += 1
            session.play(random.choice(session.legal_moves()))
    assert {len(one) for one in worth.values()} == {1}
    assert len(worth) < count, "some came up again"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("circle-duel:size=12,without=3-7/5.6", "circle-duel:size=12,without=8-4/6.5"),
        ("number-circle/+2.+9", "number-circle/+2.+9"),
        ("number-circle:backtracking=on/+2.+2.-1.-1.+2.+2", "number-circle:backtracking=on/+2.+2.+3.+3.-2.-2"),
        ("sequence-duel:size=9/2.7", "sequence-duel:size=9/8.3"),
        ("sequence-duel:size=9,ring=on/2.7", "sequence-duel:size=9,ring=on/4.9"),
        ("digit-chain:zero=no-tens/12.23.31", "digit-chain:zero=no-tens/23.31.12.21.11"),
        ("number-duel:deal=31524-51234/2x5", "number-duel:deal=13524-15234/2x5"),
    ],
)
def test_mirrored_positions_are_one_puzzle(one: str, other: str) -> None:
    alike = essence_of(parse_code(one, find_game)) == essence_of(parse_code(other, find_game))
    assert alike == (not one.startswith("digit-chain")), "another pool is another puzzle"


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_higher_level_finds_no_fewer(game_id: str) -> None:
    for puzzle in made(game_id):
        session = parse_code(puzzle.code, find_game)
        assert all(one <= two + SLIPS for one, two in pairwise(level_chances(list(run_of(session, puzzle.line)))))
        right = right_moves(session).moves
        assert level_chance(session.game, session.view(session.turn), right, levels_of(game_id)[-1].id) == 1


@pytest.mark.parametrize(
    "house",
    ["number-circle", "number-circle:target=13,sharing=off,shared_total=on,floor=0", "number-circle:backtracking=on"],
)
def test_games_with_two_moves_a_turn_have_runs_of_right_moves(house: str) -> None:
    start = parse_code(house, find_game)
    found = [one for seed in range(sampled(24, 60)) for one in search(start.game, start.options, seed)]
    assert found
    for puzzle in found:
        session = parse_code(puzzle.code, find_game)
        run = list(run_of(session, puzzle.line))
        assert len(run) <= RUN
        chance = Fraction(1)
        for one, move in zip(run, puzzle.line[::2], strict=True):
            rated = analyse(one.game, one.view(one.turn)).moves
            assert [best.move for best in rated if best.value == rated[0].value] == [move]
            chance /= len(one.legal_moves())
        assert chance == guess_chance(run) <= GUESS


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_puzzle_names_the_idea_of_its_first_position(game_id: str) -> None:
    known = {idea.name for idea in solver_of(game_id).ideas}
    for puzzle in made(game_id):
        session = parse_code(puzzle.code, find_game)
        idea = analyse(session.game, session.view(session.turn)).idea
        assert puzzle.idea == (idea.name if idea else "")
        assert puzzle.idea in {*known, ""}
        assert "its idea is" in (fault_of(puzzle.changed(idea="another"), graded=False) or "")


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_the_first_position_has_an_essence_to_know_it_by(game_id: str) -> None:
    game = find_game(game_id)
    starts = {essence_of(Session(game, preset.options)) for preset in game.PRESETS}
    assert starts == {essence_of(Session(game, preset.options)) for preset in game.PRESETS}


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("sequence-duel/5.8.19.17.12.2.4", "Player 2 .* win"),
        (
            "circle-duel:size=15,reach=3,trails=own,gaps=4,seed=8802/6.14.9",
            "Player 2 .* win.* 15 .*three, .*each of you, four gaps",
        ),
        (
            "number-duel:victors_stay=on,seed=2370/4x2.4x3.5x2.3x5.4x2",
            "Player 2 .* draw.* winners stay",
        ),
    ],
)
def test_the_task_tells_the_house_rules(code: str, asked: str, said: Said) -> None:
    told = Solving(Puzzle(code=code, grade=1, line=("1",))).asked
    assert re.fullmatch(f"{asked}\\.", told)
    said(told)


def test_a_line_is_solved_move_by_move() -> None:
    puzzle = next(one for one in puzzles_in(DAILY) if game_of(one.code) == "sequence-duel" and len(one.line) >= 3)
    solving = Solving(puzzle, ("Ann", "Bob"))
    wrong = next(
        text
        for text in map(solving.session.game.format_move, solving.session.legal_moves())
        if text not in solving.right
    )
    before = solving.session.code()
    tried = solving.attempt(wrong)
    assert (tried.right, solving.session.code()) == (False, before)
    assert " claims " in tried.sentence
    with pytest.raises(MoveError):
        solving.attempt("no move")
    for text in puzzle.line[::2]:
        assert not solving.done
        assert solving.attempt(text).right
    assert solving.done
    assert solving.at_once == [False] + [True] * (len(puzzle.line) // 2)
    assert solving.session.log()[-len(puzzle.line) :] == tuple(
        (ply.seat, text) for ply, text in zip(solving.session.plies[-len(puzzle.line) :], puzzle.line, strict=True)
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"grade": 1}, "its grade is"),
        ({"line": ("1",)}, "is not the one right move"),
        ({"code": "sequence-duel"}, "this is no puzzle"),
        ({"code": "sequence-duel/99"}, "99"),
    ],
)
def test_a_false_puzzle_is_found_out(change: dict[str, Any], says: str) -> None:
    puzzle = next(one for one in make(find_game("sequence-duel"), None, 25, 2) if one.grade > 1)
    legal = parse_code(puzzle.code, find_game)
    if change.get("line"):
        change = {
            "line": (next(text for text in map(legal.game.format_move, legal.legal_moves()) if text != puzzle.line[0]),)
        }
    assert says in (fault_of(puzzle.changed(**change)) or "")
