"""The solver of Number Duel against a slow search in fractions, written straight from the rules."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from duelbox.games.number_duel import rules
from duelbox.games.number_duel.solve.odds import CERTAIN, OddsFile, chances, odds_path, turned
from duelbox.games.number_duel.solve.reasons import IDEAS
from duelbox.games.number_duel.solve.verdicts import stream
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Rated, Stop
from tests.effort import SHARE, sampled, tries
from tests.games.number_duel.make_odds import Search, worked_out
from tests.games.reasons import recommended
from tests.positions import at

ONE, HALF, NONE = Fraction(1), Fraction(1, 2), Fraction(0)
Chances = tuple[Fraction, Fraction, Fraction]
"""The chances of a win, of a draw, and of a loss."""
Known = frozenset[int]
Side = tuple[Known, Known]
"""A player's hidden numbers, and the known ones."""


def better(one: Chances) -> tuple[Fraction, Fraction]:
    """The aim of both players: wins and half the draws; among equals, fewer draws."""
    win, draw, _ = one
    return win + draw / 2, -draw


def struck(stays: bool, mine: Side, theirs: Side, number: int, target: int) -> Chances:
    """The chances after an attack on a number that turns out to be this one."""
    hidden, known = mine[0] - {number}, mine[1] - {number}
    if number > target and stays:
        known |= {number}
    their_hidden, their_known = theirs[0] - {target}, theirs[1] - {target}
    if number < target:
        their_known |= {target}
    mine_left, theirs_left = hidden | known, their_hidden | their_known
    if not mine_left and not theirs_left:
        return (ONE, NONE, NONE) if number > target else (NONE, ONE, NONE)
    if not theirs_left:
        return ONE, NONE, NONE
    if not mine_left:
        return NONE, NONE, ONE
    win, draw, loss = slow(stays, (their_hidden, their_known), (hidden, known))
    return loss, draw, win


def attack(stays: bool, mine: Side, theirs: Side, number: int, face: int | None) -> Chances:
    met = [face] if face is not None else sorted(theirs[0])
    outcomes = [struck(stays, mine, theirs, number, target) for target in met]
    win, draw, loss = (sum(parts, NONE) / len(met) for parts in zip(*outcomes, strict=True))
    return win, draw, loss


@cache
def slow(stays: bool, mine: Side, theirs: Side) -> Chances:
    """The chances of the player to move, by trying every number on every target."""
    faces: list[int | None] = [*theirs[1], *([None] if theirs[0] else [])]
    tried = [attack(stays, mine, theirs, number, face) for number in mine[0] | mine[1] for face in faces]
    return max(tried, key=better)


def sides(view: rules.View) -> tuple[Side, Side]:
    """The hands of the player to move and of the other, from public facts alone."""
    assert view.turn is not None
    both = []
    for seat in (view.turn, 1 - view.turn):
        known = frozenset(face for face in view.faces[seat] if face is not None)
        gone = {one.number for one in view.gone[seat]}
        both.append((frozenset(range(1, view.hand + 1)) - gone - known, known))
    return both[0], both[1]


def played(rng: Random, options: rules.Options, least: int = 0) -> rules.View:
    """The view of the player to move after some random attacks; the game is not over."""
    while True:
        state, attacks = rules.start(options.model_copy(update={"seed": rng.randrange(10**6)})), 0
        for _ in range(rng.randint(least, 2 * options.hand - 1)):
            if state.turn is not None:
                move = rng.choice(rules.legal_moves(rules.view(state, state.turn)))
                state, _ = rules.apply(state, state.turn, move)
                attacks += 1
        if state.turn is not None and attacks >= least:
            return rules.view(state, state.turn)


@pytest.mark.parametrize("stays", [False, True])
@pytest.mark.parametrize(("hand", "least", "count"), [(3, 0, 800), (4, 0, 1_200), (5, 3, 500)])
def test_every_chance_of_every_move_is_the_slow_search_s(hand: int, least: int, count: int, stays: bool) -> None:
    rng = Random(hand)
    for _ in range(tries(count)):
        view = played(rng, rules.Options(hand=hand, victors_stay=stays), least)
        mine, theirs = sides(view)
        analysis = analyse(rules.GAME, view)
        assert_chances(analysis, slow(stays, mine, theirs))
        assert view.turn is not None
        faces = view.faces[1 - view.turn]
        assert {move.move for move in analysis.moves} == {
            f"{number}x{position}" for number in mine[0] | mine[1] for position in range(1, len(faces) + 1)
        }
        for move in analysis.moves:
            number, position = map(int, move.move.split("x"))
            assert_chances(move, attack(stays, mine, theirs, number, faces[position - 1]))
    slow.cache_clear()


def assert_chances(told: Analysis | Rated, expected: Chances) -> None:
    win, draw, _loss = expected
    assert (told.win, told.draw) == (win, draw)
    verdicts = {(1, 0): "win", (0, 1): "draw", (0, 0): "loss"}
    assert told.verdict == verdicts.get((win, draw), "chance")


@pytest.mark.parametrize("stays", [False, True])
def test_every_position_of_two_small_hands_has_the_slow_value(stays: bool) -> None:
    """Including positions that no game reaches: the normal form must never join positions of different value."""
    most = sampled(3, 4)
    search = Search(stays).odds
    for statuses in product("hkg", repeat=2 * most):
        hands = [
            tuple(frozenset(n + 1 for n in range(most) if half[n] == kind) for kind in "hk")
            for half in (statuses[:most], statuses[most:])
        ]
        mine, theirs = ((hidden, known) for hidden, known in hands)
        if any(mine) and any(theirs):
            packed = [(as_bits(hidden), as_bits(hidden | known)) for hidden, known in (mine, theirs)]
            value = search.value(packed[0], packed[1])
            assert chances(value) == slow(stays, mine, theirs)[:2]
            assert turned(turned(value)) == value
    slow.cache_clear()


def as_bits(numbers: Known) -> int:
    return sum(1 << number - 1 for number in numbers)


def test_the_first_player_s_chances_in_the_classic_game() -> None:
    analysis = analyse(rules.GAME, rules.view(rules.start(rules.Options()), 0))
    assert analysis.verdict == "chance"
    assert (analysis.win, analysis.draw) == (Fraction(61, 160), Fraction(3, 160))
    assert 1 - analysis.win - analysis.draw == Fraction(3, 5)
    assert analysis.moves[0].value == analysis.value
    assert CERTAIN % 160 == 0


@pytest.mark.parametrize(("hand", "stays"), [(3, False), (3, True), (4, False)])
def test_over_all_deals_best_play_wins_as_often_as_foretold(hand: int, stays: bool) -> None:
    """The model against the real game: all pairs of hidden orders, played with the solver's moves."""
    orders = list(permutations(range(1, hand + 1)))
    told = analyse(rules.GAME, rules.view(rules.start(rules.Options(hand=hand, victors_stay=stays)), 0))
    best: dict[Any, str] = {}
    wins = draws = 0
    for deal in product(orders, repeat=2):
        state = rules.start(rules.Options(hand=hand, victors_stay=stays, deal=deal))
        while state.turn is not None:
            view = rules.view(state, state.turn)
            public = view.faces, view.gone, view.turn
            if public not in best:
                best[public] = analyse(rules.GAME, view).moves[0].move
            state, _ = rules.apply(state, state.turn, rules.parse_move(view, best[public]))
        wins += state.outcome.winner == 0
        draws += state.outcome.winner is None
    assert (Fraction(wins, len(orders) ** 2), Fraction(draws, len(orders) ** 2)) == (told.win, told.draw)


def test_while_arranging_every_order_is_worth_what_the_game_is() -> None:
    classic = analyse(rules.GAME, rules.view(rules.start(rules.Options(hand=4)), 0))
    state = rules.start(rules.Options(hand=4, arrange="chosen"))
    first = analyse(rules.GAME, rules.view(state, 0))
    assert [move.move for move in first.moves] == [
        rules.format_move(one) for one in rules.legal_moves(rules.view(state, 0))
    ]
    assert {(move.win, move.draw) for move in first.moves} == {(classic.win, classic.draw)}
    state, _ = rules.apply(state, 0, rules.Arrange(order=(3, 1, 4, 2)))
    second = analyse(rules.GAME, rules.view(state, 1))
    assert (second.turn, second.draw) == (1, classic.draw)
    assert second.win == 1 - classic.win - classic.draw
    assert len(second.moves) == 24


def test_moves_come_best_first_after_the_verdict_and_plies_only_at_the_very_end() -> None:
    rng = Random(7)
    ends = 0
    for _ in range(tries(400)):
        view = played(rng, rules.Options(hand=rng.randint(3, 6), victors_stay=rng.random() < 0.5))
        *partial, last = stream(view, Stop())
        assert partial
        assert {(one.verdict, one.win, one.complete) for one in partial} == {(last.verdict, last.win, False)}
        assert all(one.moves[0].value == last.value for one in partial)
        assert [move.value for move in last.moves] == sorted((move.value for move in last.moves), reverse=True)
        mine, theirs = (len(hidden | known) for hidden, known in sides(view))
        for move in last.moves:
            assert move.plies in (None, 1)
            assert move.plies is None or (move.verdict != "chance" and 1 in (mine, theirs))
            ends += move.plies == 1
    assert ends > tries(40)


def test_the_reason_is_true() -> None:
    rng = Random(8)
    kinds: set[str] = set()
    for _ in range(sampled(250, 1_500)):
        view = played(rng, rules.Options(hand=rng.randint(3, 5), victors_stay=rng.random() < 0.5))
        kinds |= check_reason(view, analyse(rules.GAME, view))
    for code in (
        "number-duel:hand=6,seed=235605369006973465/3x6.2x4.1x2.6x3",
        "number-duel:hand=4,arrange=chosen/2314.1432.3x2.4x2.2x2",
    ):
        state = at(code)
        view = rules.view(state, state.turn)
        kinds |= check_reason(view, analyse(rules.GAME, view))
    assert kinds == {"lost", "ends", "compared", *(idea.name for idea in IDEAS)}


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (
            "number-duel:hand=6,seed=780147/5x4",
            "5 such attacks take 10 and cost 20. Worse is 6 at position 1: 5 such attacks take 16 and cost 30.",
        ),
        ("number-duel:seed=400960/4x3.1x1.3x2", "Worse is 3 at position 1: it beats 1 of 2 hidden numbers."),
    ],
)
def test_a_count_is_told_against_a_worse_attack_by_name(code: str, says: str) -> None:
    state = at(code)
    assert says in analyse(rules.GAME, rules.view(state, state.turn)).reason


def check_reason(view: rules.View, analysis: Analysis) -> set[str]:
    """Check every clause of the sentence; the kind of the last one."""
    text, best = analysis.reason, analysis.moves[0]
    recommended(analysis)
    mine, theirs = (sorted(hidden | known) for hidden, known in sides(view))
    assert (analysis.verdict == "loss") == text.startswith("Every attack loses. ")
    if analysis.verdict == "loss":
        told = re.match(r"Every attack loses\. Try (\d) at position (\d): (.*)\.", text)
        assert told
        assert f"{told[1]}x{told[2]}" == best.move
        check_deed(view, best.move, told[3])
        return {"lost"}
    told = re.match(r"Attack with (\d) at position (\d): (.*?)(, and you win at once|\. (.*)|)\.$", text)
    assert told
    assert f"{told[1]}x{told[2]}" == best.move
    check_deed(view, best.move, told[3])
    if told[4].startswith(","):
        assert (best.verdict, best.plies) == ("win", 1)
        return {"ends"}
    if analysis.idea is None:
        assert told[5] is None or told[5].startswith("Worse is ")  # the judge of reasons checks the rest
        return {"compared"}
    check_argument(view, best.move, told[5], mine, theirs)
    return {analysis.idea.name}


def check_argument(view: rules.View, move: str, told: str, mine: list[int], theirs: list[int]) -> None:
    """Check that the idea fits this attack, by the numbers themselves."""
    number, met = met_by(view, move)
    if "swap" in told:
        assert met == [number]
        assert [one for one in mine if one >= max(theirs)] == [number] == [max(theirs)]
    elif "stays" in told:
        assert view.victors_stay
        assert all(number >= one for one in met)
    elif counts := re.match(r"You are ahead, (\d) to (\d)", told):
        assert (int(counts[1]), int(counts[2])) == (len(mine), len(theirs))
        assert len(mine) > len(theirs)
        assert all(number >= one for one in met)
    elif "this is your smallest" in told:
        assert number == mine[0]
    elif "one in three" in told:
        enough = [one for one in mine if 3 * sum(two < one for two in met) >= len(met)]
        assert enough[0] == number
    elif "smallest" in told:  # the judge of reasons checks the counts
        beaten = met[0] if len(met) == 1 else "anything there"
        assert told.startswith(f"It is your smallest that beats {beaten}")
        assert next(one for one in mine if one > met[0]) == number


def check_deed(view: rules.View, move: str, told: str) -> None:
    """Check the clause about the effect of an attack."""
    number, met = met_by(view, move)
    wins, ties = sum(one < number for one in met), number in met
    if len(met) > 1:
        many = f"all {wins}" if wins == len(met) else f"{wins or 'none'} of {len(met)}"
        assert told == f"it beats {many} hidden numbers{f' and ties with the {number}' if ties else ''}"
    elif ties:
        assert re.fullmatch(f"it ties with the {number} .*both.*", told)
    else:
        assert told == f"it {'beats' if wins else 'cannot beat'} the {met[0]} there"


def worth(move: Rated) -> tuple[Fraction, Fraction]:
    return move.value, -move.draw


def met_by(view: rules.View, move: str) -> tuple[int, list[int]]:
    """The number that attacks, and the numbers that it may meet, ascending."""
    number, position = map(int, move.split("x"))
    (_, (hidden, _)), rival = sides(view), 1 - (view.turn or 0)
    face = view.faces[rival][position - 1]
    return number, sorted(hidden) if face is None else [face]


@pytest.mark.parametrize("stays", [False, True])
def test_of_equal_strikes_the_first_takes_most_or_has_an_idea(stays: bool) -> None:
    rng = Random(9)
    for _ in range(tries(400)):
        view = played(rng, rules.Options(hand=rng.randint(3, 5), victors_stay=stays))
        analysis = analyse(rules.GAME, view)
        worth = [(one.win, one.draw, one.plies) for one in analysis.moves]
        taken = [takes(view, one.move) for at, one in enumerate(analysis.moves) if worth[at] == worth[0]]
        assert taken[0] == max(taken) or analysis.idea is not None


def takes(view: rules.View, move: str) -> Fraction:
    """The chance that an attack wins."""
    number, met = met_by(view, move)
    return Fraction(sum(one < number for one in met), len(met))


@pytest.mark.parametrize("stays", [False, True])
def test_what_is_kept_is_what_is_worked_out(stays: bool) -> None:
    kept = OddsFile(odds_path(stays).read_bytes())
    if SHARE == 1:
        assert {position: kept.value(position) for position in kept.positions} == worked_out(stays)
    search = Search(stays)
    for position in Random(1).sample(sorted(kept.positions), 200):
        assert kept.value(position) == search[position], position


def test_a_position_that_no_game_comes_to_is_not_taken_for_another() -> None:
    kept = OddsFile(odds_path(False).read_bytes())
    known = set(kept.positions)
    for position in (max(known) + 1, next(one for one in range(max(known)) if one not in known)):
        with pytest.raises(KeyError):
            kept.value(position)
