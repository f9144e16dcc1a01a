"""Turning points, compared with slow judges of each game."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from duelbox.bots import choose
from duelbox.core.code import parse_code
from duelbox.core.model import Seat, Voice
from duelbox.core.session import Session
from duelbox.learn.mistakes import Mistake, before
from duelbox.learn.turning_points import (
    LARGEST,
    MUCH,
    SLOWER,
    JudgedMove,
    best_try,
    stream,
    summary,
    turning_points,
    why,
)
from duelbox.registry import find_game, games
from duelbox.solve import analyse
from duelbox.solve.api import Stop, Stopped
from tests.effort import sampled, tries
from tests.games.circle_duel.test_solve import slow as slow_circle
from tests.games.digit_chain.test_solve import slow_win
from tests.games.number_circle.slow import rated_by, slow_values, spot_of, table_of
from tests.games.number_duel.test_solve import HALF, NONE, ONE, attack, better, sides
from tests.games.sequence_duel.slow import Position
from tests.games.sequence_duel.slow import slow as slow_sequence
from tests.golden.said import Said

Worths = dict[str, Fraction]
"""The value of each move to its player: 1 for a win, 1/2 for a draw, or a chance."""


def circle_duel(view: Any) -> Worths:
    size, reach, free = view.options.size, view.options.reach, frozenset(view.free)
    return {str(one): Fraction(not slow_circle(size, reach, free - {one}, one)[0]) for one in view.choices}


def sequence_duel(view: Any) -> Worths:
    size, ring, mine, theirs = Position(view).facts
    return {
        str(one): Fraction(not slow_sequence(size, ring, theirs, mine | {one})[0]) for one in view.open_to(view.turn)
    }


def digit_chain(view: Any) -> Worths:
    zero, pool = view.options.zero, frozenset(view.pool)
    return {str(one): Fraction(not slow_win(zero, pool - {one}, str(one)[-1])) for one in view.choices}


@cache
def _circle_values(options: Any) -> Any:
    start = find_game("number-circle").start(options)
    return slow_values(table_of(start), spot_of(start))


def number_circle(view: Any) -> Worths:
    values, table, spot = _circle_values(view.options), table_of(view), spot_of(view)
    moves = map(find_game("number-circle").format_move, view.open_to(view.turn))
    return {move: Fraction(rated_by(values, table, spot, int(move))[0] + 1, 2) for move in moves}


def number_duel(view: Any) -> Worths:
    mine, theirs = sides(view)
    faces = view.faces[1 - view.turn]
    return {
        f"{number}x{at}": better(attack(view.victors_stay, mine, theirs, number, face))[0]
        for number in mine[0] | mine[1]
        for at, face in enumerate(faces, 1)
    }


JUDGES: dict[str, tuple[Callable[[Any], Worths], Callable[[Random], dict[str, Any]]]] = {
    "circle-duel": (
        circle_duel,
        lambda rng: {"size": rng.randint(7, 10), "reach": 2, "gaps": rng.randrange(4)},
    ),
    "number-circle": (
        number_circle,
        lambda rng: {"shared_total": True, "floor": 0, "backtracking": True, "sharing": rng.random() < 0.5},
    ),
    "sequence-duel": (sequence_duel, lambda rng: {"size": rng.randint(7, 10), "ring": rng.random() < 0.5}),
    "digit-chain": (
        digit_chain,
        lambda rng: {"zero": "no-tens", "without": _few_left(rng)},
    ),
    "number-duel": (number_duel, lambda rng: {"hand": rng.choice((3, 4)), "victors_stay": rng.random() < 0.5}),
}


def _few_left(rng: Random) -> tuple[int, ...]:
    """Gaps that leave only these digits after a first pick of 1 to 3."""
    away = [number for number in range(10, 40) if number % 10 > 3]
    return (*away, *rng.sample([11, 12, 13, 21, 22, 23, 31, 32, 33], rng.randrange(4)))


def planted(game_id: str, seed: int, most: int = 24) -> tuple[Session, dict[int, tuple[Fraction, Fraction]]]:
    """A game of best moves with some mistakes: the values of each move and of the best one, by the slow judge."""
    rate, draw = JUDGES[game_id]
    rng, game = Random(seed), find_game(game_id)
    session = Session(game, game.Options.from_values({**draw(rng)}))
    told: dict[int, tuple[Fraction, Fraction]] = {}
    if game_id == "digit-chain":
        session.type(rng.choice("123"))
    while session.turn is not None and len(told) < most:
        worths = rate(session.view(session.turn))
        best = max(worths.values())
        wrong = [move for move, worth in worths.items() if worth < best]
        pool = wrong if wrong and rng.random() < 0.5 else [move for move in worths if worths[move] == best]
        move = rng.choice(sorted(pool))
        session.type(move)
        told[len(session.plies)] = worths[move], best
    return session, told


@pytest.mark.parametrize("game_id", JUDGES)
def test_planted_mistakes_are_found_exactly(game_id: str) -> None:
    turned = 0
    for seed in range(tries(200)):
        session, told = planted(game_id, seed)
        judged = turning_points(session)
        assert [one.ply for one in judged][-len(told) :] == list(told)
        lost = {ply: best - worth for ply, (worth, best) in told.items()}
        chance = game_id == "number-duel"
        large = max(lost.values())
        wrong = {ply for ply, cost in lost.items() if cost >= MUCH or (cost == large >= LARGEST and chance)}
        if chance and large < MUCH:
            wrong = {min(wrong)} if wrong else set()
        assert {one.ply for one in judged if one.turning and one.ply in told} == wrong
        turned += len(wrong)
        for one in judged[-len(told) :]:
            worth, best = told[one.ply]
            assert (one.worth.value, one.best.value) == (worth, best)
            assert (one.kind == "threw-win") == (not chance and worth < best == ONE)
            assert (one.kind == "threw-draw") == (not chance and worth < best == HALF)
            assert (one.move in one.best_moves) == (worth == best) or one.kind == "slow"
    assert turned > tries(40)


@pytest.mark.parametrize("seed", range(6))
def test_what_was_lost_and_what_luck_brought_add_up_to_the_result(seed: int) -> None:
    """Losses and luck of all moves add up to the outcome of the game, which is found without them."""
    session = between("number-duel", {"victors_stay": bool(seed % 2), "seed": seed}, "23", seed)
    judged = turning_points(session)
    assert session.outcome is not None
    worth = judged[0].best.value
    for one in judged:
        assert one.luck is not None
        worth += (one.luck - one.lost) * (1 if one.seat == 0 else -1)
    winner = session.outcome.winner
    assert worth == (HALF if winner is None else ONE if winner == 0 else NONE)


def test_luck_is_nought_on_the_whole() -> None:
    """The mean effect of a reveal over all possible hands is the expected one."""
    game = find_game("number-duel")
    for first in ("1x1", "2x1", "3x2"):
        lucks = []
        for rival in ("123", "132", "213", "231", "312", "321"):
            session = Session(game, game.Options.from_texts({"hand": "3", "deal": f"123-{rival}"}))
            session.type(first)
            (one,) = turning_points(session)
            lucks.append(one.luck)
        assert sum(filter(None, lucks), NONE) == 0
        assert any(lucks)


def between(game_id: str, values: dict[str, Any], levels: str, seed: int, most: int = 80) -> Session:
    """A game of two computers."""
    game = find_game(game_id)
    session = Session(game, game.Options.from_values(values))
    while session.turn is not None and len(session.plies) < most:
        text = choose(game, session.view(session.turn), levels[session.turn], seed * 1000 + len(session.plies)).move
        session.type(text)
    return session


def test_a_lost_position_is_nobodys_mistake() -> None:
    for seed in range(sampled(10, 30)):
        session = between("circle-duel", {}, "15" if seed % 2 else "51", seed)
        assert {one.kind for one in turning_points(session)} == {"no-choice"}
        assert re.fullmatch("No choice .*: Player 2 .* turn 1 .*", summary(turning_points(session)))


def kinds(code: str) -> list[tuple[str, str]]:
    return [(one.move, one.kind) for one in turning_points(_session(code))]


def _session(code: str) -> Session:
    from duelbox.core.code import parse_code

    played = parse_code(code, find_game)
    session = Session(played.game, played.options)
    for move in played.moves:
        session.play(move)
    return session


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("circle-duel:size=10,reach=2,without=3-7-9/4.6.5", "fine"),
        ("circle-duel:size=10,reach=2,without=3-7-9/4.6.8", "threw-win"),
        ("sequence-duel:size=10,ring=on/1.5.9.3.8", "threw-win"),
        ("number-circle:target=12/+2.+9.-3", "threw-win"),
        ("sequence-duel:size=5/3", "only-move"),
        ("digit-chain/26.61", "threw-win"),
        ("number-duel:deal=31524-51234/1x1.2x1.2x1", "lost-chance"),
        ("digit-chain/26.60", "only-move"),
        ("number-duel:hand=3,deal=231-132/1x2.3x1", "fine"),
    ],
)
def test_the_kind_of_the_last_move(code: str, expected: str) -> None:
    assert kinds(code)[-1][1] == expected


TUG = find_game("number-circle").PRESETS[1].options


def test_slow_is_a_win_that_takes_four_turns_more() -> None:
    slow = fine = 0
    for seed in range(sampled(15, 40)):
        rng, session = Random(seed), Session(find_game("number-circle"), TUG)
        while session.turn is not None and len(session.plies) < 60:
            session.play(rng.choice(session.legal_moves()))
        for one in turning_points(session):
            if one.worth.verdict != "win" or one.best.plies is None or one.worth.plies is None:
                continue
            late = one.worth.plies - one.best.plies
            assert (one.kind == "slow") == (late >= SLOWER)
            assert (one.move in one.best_moves) == (late == 0 or one.kind != "slow")
            slow, fine = slow + (late >= SLOWER), fine + (0 < late < SLOWER)
    assert slow > 5
    assert fine


def test_the_largest_loss_of_a_game_counts_from_five_points() -> None:
    found = 0
    for seed in range(sampled(20, 60)):
        judged = turning_points(between("number-duel", {"seed": seed}, "45", seed))
        small = [one for one in judged if one.turning and one.lost < MUCH]
        if small:
            assert (len(small), small[0].lost) == (1, max(one.lost for one in judged))
            assert small[0].lost >= LARGEST
            found += 1
        elif not any(one.turning for one in judged):
            assert max(one.lost for one in judged) < LARGEST
    assert found


def test_a_secret_order_is_not_told_while_the_game_is_on() -> None:
    session = _session("number-duel:arrange=chosen,hand=3/312.213.3x1")
    assert [one.move for one in turning_points(session)] == ["•••", "•••", "3x1"]


PRESETS = [(game.INFO.id, preset.id) for game in games() for preset in game.PRESETS[: sampled(2, 9)]]


@pytest.mark.parametrize(("game_id", "preset_id"), PRESETS)
def test_every_move_of_a_whole_game_is_judged_and_it_stops_at_once(game_id: str, preset_id: str) -> None:
    options = next(one for one in find_game(game_id).PRESETS if one.id == preset_id).options
    session = between(game_id, options.model_dump(), "23", 7)
    assert [one.ply for one in turning_points(session)] == list(range(1, len(session.plies) + 1))
    stop = Stop()
    moves = stream(session, stop=stop)
    assert next(moves).ply == 1
    stop.stop()
    with pytest.raises(Stopped):
        list(moves if len(session.plies) > 1 else stream(session, stop=stop))


# -- in words


def thrown(best: str, worth: str, move: str, ply: int, seat: Seat = 0) -> JudgedMove:
    one = _example()
    values = {"win": (ONE, NONE), "draw": (NONE, ONE), "loss": (NONE, NONE)}
    rated = {
        verdict: replace(one.worth, verdict=verdict, win=win, draw=draw) for verdict, (win, draw) in values.items()
    }
    kind = "fine" if best == worth else "threw-win" if best == "win" else "threw-draw"
    analysis = replace(one.analysis, moves=(rated[best],))
    return replace(one, ply=ply, seat=seat, move=move, kind=kind, worth=rated[worth], analysis=analysis)


@cache
def _example() -> JudgedMove:
    return turning_points(_session("sequence-duel:size=9/1"))[0]


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ([("win", "loss", "5", 3), ("win", "loss", "7", 9)], "win .*twice.*; 7 .* turn 9"),
        ([("win", "loss", "5", 3)], "win .*once.*; 5 .* turn 3"),
        (
            [("win", "draw", "5", 3), ("draw", "loss", "8", 6)],
            "twice.*; 8 .*the draw .* turn 6",
        ),
        ([("win", "draw", "5", 3)], "5 .*the win .* turn 3"),
        ([("draw", "draw", "5", 1)], "Nobody .* draw .* first turn"),
        ([("win", "win", "5", 1)], "Nobody .* Player 1 .* turn 1"),
        ([("loss", "loss", "5", 1)], "Nobody .* Player 2 .* turn 1"),
        ([], "^$"),
    ],
)
def test_a_game_in_a_line(moves: list[tuple[str, str, str, int]], line: str, said: Said) -> None:
    told = summary([thrown(*move) for move in moves])
    assert re.search(line, told)
    said(told)


def test_a_game_of_chance_in_a_line() -> None:
    line = summary(turning_points(_session("number-duel:deal=31524-51234/1x1.2x1.2x1")))
    assert line.startswith("2x1 at turn 3 cost Player 1 the most: ")
    assert " Luck favoured Player " in line


# -- the reason belongs to the move


EXPLAINED = "circle-duel:size=15,reach=2,trails=own,gaps=2,seed=8017/7"
"""11 wins soonest; the reason explains 10."""


@pytest.mark.parametrize(
    ("move", "review", "mistake"),
    [
        ("11", "11 was as good as 10.", "10 does as well."),
        ("10", "10 was right. You can make ", "You can make "),
    ],
)
def test_a_reason_is_given_to_the_move_that_it_explains(move: str, review: str, mistake: str) -> None:
    session = parse_code(f"{EXPLAINED}.{move}", find_game)
    assert why(turning_points(session)[-1]).startswith(review)
    before = parse_code(EXPLAINED, find_game)
    analysis = analyse(before.game, before.view(before.turn))
    assert (analysis.moves[0].move, analysis.advice) == ("11", "10")
    missed = Mistake(before, analysis, analysis.moves[-1].move)
    assert missed.right[0] == "10"
    assert missed.attempt(move).sentence.startswith(mistake)
    assert "Pick" not in missed.attempt(move).sentence


def test_a_slow_win_that_is_explained_is_not_recommended_again() -> None:
    judged = turning_points(parse_code("sequence-duel/12.9.11", find_game))[-1]
    assert judged.kind == "slow"
    assert judged.analysis.advice == judged.worth.move
    assert why(judged).startswith("11 was right, though 7 wins 4 turns sooner. ")


def test_a_loss_without_a_mistake_is_told_by_its_best_trap_and_its_first_moves() -> None:
    """Each trap of the loser is counted again, by the solver's verdict after every answer."""
    told = 0
    for seed in range(sampled(25, 150)):
        session = parse_code(f"circle-duel:size=10,reach=2,trails=own,gaps=2,seed={seed}", find_game)
        while session.turn is not None:
            view = session.view(session.turn)
            session.type(analyse(session.game, view).moves[0].move)
        judged, loser = turning_points(session), 1 - session.outcome.winner
        text = best_try(session, judged, Voice(("Ann", "Ben")), Stop())
        first = judged[0].analysis
        right = sum(one.value == 1 for one in first.moves)
        if loser == 1:
            start = f"Ann had won from the start: {right} of {len(first.moves)} first moves win"
        else:
            start = f"Ann had lost from the start: all {len(first.moves)} first moves lose."
        assert text.startswith(start), text
        traps = {one.ply: counted(session, one) for one in judged if one.seat == loser}
        best = min(right / every for counts in traps.values() for right, every in counts.values())
        found = re.search(r"(Ann|Ben)'s best try at turn (\d+) was (\d+): only (\d+) of (\d+) answers wins?\.", text)
        assert (found is None) == (best == 1)
        if found:
            assert traps[int(found[2])][found[3]] == (int(found[4]), int(found[5]))
            assert int(found[4]) / int(found[5]) == best
            told += 1
    assert told > 3


def counted(session: Session, one: JudgedMove) -> dict[str, tuple[int, int]]:
    """For each move of a lost position, the number of answers that win, and of all answers."""
    counts: dict[str, tuple[int, int]] = {}
    for rated in one.analysis.moves:
        position = before(session, one.ply)
        position.type(rated.move)
        if position.turn is not None:
            answers = analyse(position.game, position.view(position.turn)).moves
            counts[rated.move] = sum(answer.value == 1 for answer in answers), len(answers)
    return counts or {"": (1, 1)}
