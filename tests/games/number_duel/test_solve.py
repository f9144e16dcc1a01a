"""Number Duel's solver against a slow search written straight from the rules, in fractions, position by position."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from duelbox.games.number_duel import rules
from duelbox.games.number_duel.solve.odds import CERTAIN, chances, odds, turned
from duelbox.games.number_duel.solve.verdicts import stream
from duelbox.solve.api import Analysis, Rated, Stop, Stopped
from tests.told import at

ONE, HALF, NONE = Fraction(1), Fraction(1, 2), Fraction(0)
Chances = tuple[Fraction, Fraction, Fraction]
"""Of a win, of a draw, of a loss."""
Known = frozenset[int]
Side = tuple[Known, Known]
"""What a player has hidden, and what is known."""


def better(one: Chances) -> tuple[Fraction, Fraction]:
    """What both players want: wins and half the draws, and of equals the fewer draws."""
    win, draw, _ = one
    return win + draw / 2, -draw


def struck(stays: bool, mine: Side, theirs: Side, number: int, target: int) -> Chances:
    """The chances of an attack on a number that turns out to be this one."""
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
    """The chances of the player to move, by trying every number on everything."""
    faces: list[int | None] = [*theirs[1], *([None] if theirs[0] else [])]
    tried = [attack(stays, mine, theirs, number, face) for number in mine[0] | mine[1] for face in faces]
    return max(tried, key=better)


def sides(view: rules.View) -> tuple[Side, Side]:
    """The hands of the player to move and of the other, from the faces and what has gone alone."""
    assert view.turn is not None
    both = []
    for seat in (view.turn, 1 - view.turn):
        known = frozenset(face for face in view.faces[seat] if face is not None)
        gone = {one.number for one in view.gone[seat]}
        both.append((frozenset(range(1, view.hand + 1)) - gone - known, known))
    return both[0], both[1]


def solved(view: rules.View) -> Analysis:
    *_, last = stream(view, Stop())
    assert last.complete
    return last


def played(rng: Random, options: rules.Options, least: int = 0) -> rules.View:
    """What the player to move sees after some random attacks, before the game is over."""
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
@pytest.mark.parametrize(("hand", "least", "count"), [(3, 0, 400), (4, 0, 600), (5, 3, 250)])
def test_every_chance_of_every_move_is_the_slow_search_s(hand: int, least: int, count: int, stays: bool) -> None:
    rng = Random(hand)
    for _ in range(count):
        view = played(rng, rules.Options(hand=hand, victors_stay=stays), least)
        mine, theirs = sides(view)
        analysis = solved(view)
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
def test_every_position_of_two_hands_of_four_has_the_slow_value(stays: bool) -> None:
    """Reachable or not: the normal form must never join positions of different worth."""
    for statuses in product("hkg", repeat=8):
        hands = [
            tuple(frozenset(n + 1 for n in range(4) if half[n] == kind) for kind in "hk")
            for half in (statuses[:4], statuses[4:])
        ]
        mine, theirs = ((hidden, known) for hidden, known in hands)
        if any(mine) and any(theirs):
            packed = [(as_bits(hidden), as_bits(hidden | known)) for hidden, known in (mine, theirs)]
            value = odds(stays).value(packed[0], packed[1], lambda: None)
            assert chances(value) == slow(stays, mine, theirs)[:2]
            assert turned(turned(value)) == value
    slow.cache_clear()


def as_bits(numbers: Known) -> int:
    return sum(1 << number - 1 for number in numbers)


def test_the_first_player_s_chances_in_the_classic_game() -> None:
    analysis = solved(rules.view(rules.start(rules.Options()), 0))
    assert analysis.verdict == "chance"
    assert (analysis.win, analysis.draw) == (Fraction(61, 160), Fraction(3, 160))
    assert 1 - analysis.win - analysis.draw == Fraction(3, 5)
    assert analysis.moves[0].value == analysis.value
    assert CERTAIN % 160 == 0


@pytest.mark.parametrize(("hand", "stays"), [(3, False), (3, True), (4, False)])
def test_over_all_deals_best_play_wins_as_often_as_foretold(hand: int, stays: bool) -> None:
    """The model against the real game: every pair of hidden orders, played out with the solver's moves."""
    orders = list(permutations(range(1, hand + 1)))
    told = solved(rules.view(rules.start(rules.Options(hand=hand, victors_stay=stays)), 0))
    best: dict[Any, str] = {}
    wins = draws = 0
    for deal in product(orders, repeat=2):
        state = rules.start(rules.Options(hand=hand, victors_stay=stays, deal=deal))
        while state.turn is not None:
            view = rules.view(state, state.turn)
            public = view.faces, view.gone, view.turn
            if public not in best:
                best[public] = solved(view).moves[0].move
            state, _ = rules.apply(state, state.turn, rules.parse_move(view, best[public]))
        assert state.outcome is not None
        wins += state.outcome.winner == 0
        draws += state.outcome.winner is None
    assert (Fraction(wins, len(orders) ** 2), Fraction(draws, len(orders) ** 2)) == (told.win, told.draw)


def test_while_arranging_every_order_is_worth_what_the_game_is() -> None:
    classic = solved(rules.view(rules.start(rules.Options(hand=4)), 0))
    state = rules.start(rules.Options(hand=4, arrange="chosen"))
    first = solved(rules.view(state, 0))
    assert [move.move for move in first.moves] == [
        rules.format_move(one) for one in rules.legal_moves(rules.view(state, 0))
    ]
    assert {(move.win, move.draw) for move in first.moves} == {(classic.win, classic.draw)}
    state, _ = rules.apply(state, 0, rules.Arrange(order=(3, 1, 4, 2)))
    second = solved(rules.view(state, 1))
    assert (second.turn, second.draw) == (1, classic.draw)
    assert second.win == 1 - classic.win - classic.draw
    assert len(second.moves) == 24


def test_moves_come_best_first_after_the_verdict_and_plies_only_at_the_very_end() -> None:
    rng = Random(7)
    ends = 0
    for _ in range(400):
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
    assert ends > 40


def test_the_reason_is_true() -> None:
    rng = Random(8)
    kinds: set[str] = set()
    for _ in range(1_500):
        view = played(rng, rules.Options(hand=rng.randint(3, 5), victors_stay=rng.random() < 0.5))
        kinds |= check_reason(view, solved(view))
    for code in (
        "number-duel:hand=6,seed=235605369006973465/3x6.2x4.1x2.6x3",
        "number-duel:hand=4,arrange=chosen/2314.1432.3x2.4x2.2x2",
    ):
        state = at(code)
        view = rules.view(state, state.turn)
        kinds |= check_reason(view, solved(view))
    attacks = {"takes", "tie", "waste", "sure", "times", "never", "nothing"}
    assert kinds == attacks | {"lost", "last", "ends", "keeps", "highest", "spared", "best"}


def check_reason(view: rules.View, analysis: Analysis) -> set[str]:
    """Hold both halves of the sentence to the position, and name their kinds."""
    text, best = analysis.reason, analysis.moves[0]
    assert text.endswith(".")
    assert "!" not in text
    mine, theirs = (sorted(hidden | known) for hidden, known in sides(view))
    assert (analysis.verdict == "loss") == ("can win whatever you do" in text or "no strike of it wins" in text)
    if analysis.verdict == "loss":
        halves = re.sub("Player [12]", "", text).split(", and ")
        told = [{int(digit) for digit in re.findall("[0-9]", half)} for half in halves]
        assert told == [{*mine}, {*theirs}]
        return {"last" if len(mine) == 1 else "lost"}
    if text.endswith(", and you win at once."):
        assert (best.verdict, best.plies) == ("win", 1)
        return {check_attack(view, best.move, text), "ends"}
    attack_told, rest = text[:-1].split("; ")
    kind = check_attack(view, best.move, attack_told)
    assert kind in {"takes", "tie", "sure", "times", "never"} or "keeps" in rest  # what takes nothing is explained
    return {kind, check_rest(view, analysis, rest)}


def check_rest(view: rules.View, analysis: Analysis, rest: str) -> str:
    """What else speaks for the strike."""
    mine, theirs = (sorted(hidden | known) for hidden, known in sides(view))
    number, _, place = analysis.moves[0].move.partition("x")
    if spared := re.fullmatch(r"your ([0-9]) would take more, but is worth more kept", rest):
        other = next(move for move in analysis.moves if move.move == f"{spared[1]}x{place}")
        assert int(spared[1]) > int(number)
        assert (other.value, -other.draw) < (analysis.value, -analysis.draw)
        return "spared"
    if rest == "no strike does better":
        return "best"
    kept = re.match(r"striking with it keeps your ((?:[0-9](?:, | and )?)+)", rest)
    assert kept
    assert [int(one) for one in re.findall("[0-9]", kept[1])][: len(mine) - 1] == [n for n in mine if n != int(number)]
    if higher := re.search(r"([0-9]) is higher than all Player [12] has left", rest):
        assert int(higher[1]) in mine
        assert int(higher[1]) > theirs[-1]
        return "highest"
    return "keeps"


@pytest.mark.parametrize("stays", [False, True])
def test_of_equal_strikes_the_first_takes_most(stays: bool) -> None:
    rng = Random(9)
    for _ in range(400):
        view = played(rng, rules.Options(hand=rng.randint(3, 5), victors_stay=stays))
        analysis = solved(view)
        worth = [(one.win, one.draw, one.plies) for one in analysis.moves]
        taken = [takes(view, one.move) for at, one in enumerate(analysis.moves) if worth[at] == worth[0]]
        assert taken[0] == max(taken)


def takes(view: rules.View, move: str) -> Fraction:
    """How often an attack takes what it meets."""
    number, position = map(int, move.split("x"))
    (_, (hidden, _)), rival = sides(view), 1 - (view.turn or 0)
    face = view.faces[rival][position - 1]
    met = hidden if face is None else {face}
    return Fraction(sum(one < number for one in met), len(met))


def check_attack(view: rules.View, move: str, told: str) -> str:
    number, position = map(int, move.split("x"))
    (_, (hidden, _)), rival = sides(view), 1 - (view.turn or 0)
    face = view.faces[rival][position - 1]
    assert told.startswith(f"Your {number} ")
    if one := re.search(r"the (known|hidden) ([0-9])", told):
        target = int(one[2])
        assert face == target if one[1] == "known" else (face is None and hidden == {target})
        if "for certain" in told:
            assert number > target
            return "takes"
        assert number == target if "each other" in told else number < target
        return "tie" if "each other" in told else "waste"
    assert face is None
    wins, ties = sum(target < number for target in hidden), int(number in hidden)
    if "whatever is hidden" in told:
        assert wins == len(hidden)
        return "sure"
    if "beats nothing that is hidden" in told:
        assert (wins, ties) == (0, 0)
        return "nothing"
    counted = re.search(r"([0-9]) times? in ([0-9])", told)
    assert counted
    assert int(counted[2]) == len(hidden)
    if "never beats" in told:
        assert (wins, ties) == (0, int(counted[1]))
        return "never"
    assert (int(counted[1]), "ties once" in told) == (wins, bool(ties))
    return "times"


def test_the_sentence_a_player_reads() -> None:
    def reason(code: str) -> str:
        state = at(code)
        return solved(rules.view(state, state.turn)).reason

    assert reason("number-duel") == (
        "Your 2 beats what is hidden 1 time in 5, and ties once; your 3 would take more, but is worth more kept."
    )
    assert reason("number-duel:hand=3,deal=123-321/1x1.2x1") == (
        "Your 3 is your last number, and Player 2 has 1 and 3 left: no strike of it wins."
    )
    assert reason("number-duel:hand=4,seed=6147655578437056674/4x1.3x1") == (
        "Your 1 never beats what is hidden, but ties 1 time in 2; "
        "striking with it keeps your 3, and 3 is higher than all Player 2 has left."
    )


@pytest.mark.parametrize("seconds", [None, 0.01])
def test_a_search_that_is_told_to_stop_stops_and_can_be_asked_again(seconds: float | None) -> None:
    odds.cache_clear()
    stop = Stop(seconds)
    if seconds is None:
        stop.stop()
    with pytest.raises(Stopped):
        next(stream(rules.view(rules.start(rules.Options(hand=6)), 0), stop))
    assert solved(rules.view(rules.start(rules.Options()), 0)).win == Fraction(61, 160)
