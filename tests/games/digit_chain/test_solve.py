"""The solver of Digit Chain Duel against slow searches written straight from the rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Literal

import pytest

from duelbox.core.picking import Pick
from duelbox.games.digit_chain import rules
from duelbox.games.digit_chain.solve.chains import ANY, PARTNER, Chains, Steps, Wild, packed, reached, rows
from duelbox.games.digit_chain.solve.verdicts import placed, stream
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.solve.bits import numbers_in
from tests.bench.measure import random_positions
from tests.effort import sampled, tries
from tests.games.reasons import recommended
from tests.positions import Patience, at

ZEROS: tuple[Literal["dead-end", "no-tens", "wild"], ...] = ("dead-end", "no-tens", "wild")
Numbers = frozenset[int]


BEGINNING = {digit: frozenset(number for number in range(100) if str(number)[0] == digit) for digit in "0123456789"}
LAST = {number: str(number)[-1] for number in range(100)}


def following(zero: str, pool: Numbers, last: str | None) -> Numbers:
    """The numbers that may follow one with this last digit (None: the first pick), by the rules."""
    return pool if last is None or (zero == "wild" and last == "0") else pool & BEGINNING[last]


def follows(zero: str, number: int, last: str | None) -> bool:
    """True if the rules let this number follow."""
    return number in following(zero, frozenset({number}), last)


@cache
def slow(zero: str, pool: Numbers, last: str | None) -> tuple[bool, int]:
    """True if the player to move wins, and the number of turns, by trying everything."""
    tried = [slow(zero, pool - {number}, LAST[number]) for number in following(zero, pool, last)]
    quick = [plies + 1 for rival_wins, plies in tried if not rival_wins]
    return (True, min(quick)) if quick else (False, max((plies + 1 for _, plies in tried), default=0))


@cache
def slow_win(zero: str, pool: Numbers, last: str | None) -> bool:
    """The same without the turns, which is faster."""
    return any(not slow_win(zero, pool - {number}, LAST[number]) for number in following(zero, pool, last))


def fresh(zero: str) -> Chains:
    """A search with an empty memory."""
    return (Wild if zero == "wild" else Chains)(Steps(Stop().check))


def last_of(view: rules.View) -> str | None:
    return None if view.current is None else str(view.current)[-1]


def small_view(rng: Random, most: int = 12) -> rules.View:
    """A position with few numbers left: of a few digits, so that many can follow each other, or of all digits."""
    while True:
        options = rules.Options(zero=rng.choice(ZEROS))
        digits = [0, *rng.sample(range(1, 10), rng.choice((3, 4, 4, 5, 9)))]
        some = [number for number in options.full_pool if {number // 10, number % 10} <= set(digits)]
        left = set(rng.sample(some, min(len(some), rng.randint(1, most))))
        gone = [number for number in options.full_pool if number not in left]
        picks = tuple(rng.sample(gone, min(len(gone), rng.randint(0, 2))))
        gaps = tuple(number for number in gone if number not in picks)
        view = rules.State(options=options, turn=rng.choice((0, 1)), gaps=gaps, picks=picks)
        if view.choices:
            return view


def played_out(rng: Random, most: int) -> rules.View:
    """A position with this many numbers left, from a game that began with twice as many."""
    while True:
        options = rules.Options(zero=rng.choice(ZEROS[1:]))
        left = set(rng.sample(options.full_pool, 2 * most))
        gaps = tuple(number for number in options.full_pool if number not in left)
        view = rules.State(options=options, turn=0, gaps=gaps, picks=())
        while view.turn is not None and len(view.pool) > most:
            view, _ = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
        if view.turn is not None:
            return view


def test_every_verdict_and_count_of_turns_is_the_slow_search_s() -> None:
    rng = Random(1)
    uncounted = moves = 0
    for index in range(tries(2_000)):
        view = played_out(rng, 11) if index % 6 == 0 else small_view(rng, 11)
        zero, pool = view.options.zero, frozenset(view.pool)
        analysis = analyse(rules.GAME, view)
        win, plies = slow(zero, pool, last_of(view))
        assert analysis.verdict == ("win" if win else "loss")
        assert analysis.plies in (plies, None)
        assert {int(move.move) for move in analysis.moves} == set(view.choices)
        for move in analysis.moves:
            rival_wins, left = slow(zero, pool - {int(move.move)}, move.move[-1])
            assert move.verdict == ("loss" if rival_wins else "win")
            assert move.plies in (left + 1, None)
            uncounted += move.plies is None
        moves += len(analysis.moves)
    assert uncounted < moves // 20
    slow.cache_clear()


def test_a_pair_more_or_less_never_changes_who_wins() -> None:
    rng = Random(2)
    for _ in range(tries(3_000)):
        view = small_view(rng, 9)
        zero, pool = view.options.zero, frozenset(view.pool)
        number = rng.choice([number for number in range(1, 100) if number % 10 and number not in pool])
        pair = {number, PARTNER[number]}
        if not pair & pool:
            assert slow_win(zero, pool | pair, last_of(view)) == slow_win(zero, pool, last_of(view))
    slow_win.cache_clear()


def test_partners_are_reverses_and_doubles() -> None:
    for number in range(1, 100):
        text = str(number)
        doubled = text * 2 if len(text) == 1 else text[0] if text[0] == text[1] else text[::-1]
        assert PARTNER[number] == (int(doubled) if number % 10 else 0)


def test_packing_goes_with_the_rules() -> None:
    rng = Random(3)
    for _ in range(sampled(20, 60)):
        options = rules.Options(zero=rng.choice(ZEROS), gaps=rng.randint(0, 60), seed=rng.randrange(10**6))
        view, wild = rules.start(options), options.zero == "wild"
        while view.turn is not None:
            place = placed(view)
            assert tuple(numbers_in(place[0] & rows(wild)[place[2]])) == view.choices
            move = rng.choice(rules.legal_moves(view))
            view, _ = rules.apply(view, view.turn, move)
            after = reached(place, move.number)
            assert after[:2] == placed(view)[:2]
            assert rows(wild)[after[2]] == rows(wild)[placed(view)[2]]


def test_the_pick_of_an_odd_pool_wins_however_much_of_it_is_left_out() -> None:
    rng = Random(4)
    searches = {zero: fresh(zero) for zero in ZEROS}
    for _ in range(tries(3_000)):
        view = small_view(rng, 10)
        zero, (_, left, digit) = view.options.zero, placed(view)
        odd = frozenset(number for number in view.pool if PARTNER[number] not in view.pool)
        for chains in (searches[zero], fresh(zero)):
            assert chains.wins(left, digit) == slow_win(zero, frozenset(view.pool), last_of(view))
            if chains.wins(left, digit):
                pick = chains.pick(left, digit)
                pick = pick if pick in odd else PARTNER[pick]
                assert pick in odd & set(view.choices)
                assert not slow_win(zero, odd - {pick}, LAST[pick])
    slow_win.cache_clear()


def test_moves_of_full_positions_are_worth_what_the_rival_is_not() -> None:
    """The value of each move equals that of the position after it, solved afresh."""
    rng = Random(5)
    counted = 0
    for view in random_positions("digit-chain", sampled(25, 60), seed=5):
        analysis = analyse(rules.GAME, view)
        assert analysis.verdict == analysis.moves[0].verdict
        for move in rng.sample(analysis.moves, min(4, len(analysis.moves))):
            after, _ = rules.apply(view, view.turn, Pick(number=int(move.move)))
            won = after.turn is None or next(stream(after, Stop())).verdict == "loss"
            assert move.verdict == ("win" if won else "loss")
            if move.plies is not None:
                counted += 1
                assert move.plies % 2 == won
                assert (move.plies == 1) == (after.turn is None)
    assert counted > sampled(20, 60)


def test_the_first_player_wins_classic_play_at_once() -> None:
    analysis = analyse(rules.GAME, rules.start(rules.Options()))
    assert (analysis.verdict, analysis.plies) == ("win", 1)
    assert [move.move for move in analysis.moves if move.verdict == "win"] == [str(ten) for ten in range(10, 100, 10)]


def test_without_tens_the_second_player_wins_by_pairs() -> None:
    analysis = analyse(rules.GAME, rules.start(rules.Options(zero="no-tens")))
    assert analysis.verdict == "loss"
    assert {move.verdict for move in analysis.moves} == {"loss"}
    assert len(analysis.moves) == 90


def test_the_same_position_is_always_told_the_same() -> None:
    for view in random_positions("digit-chain", sampled(8, 20), seed=7):
        assert [*stream(view, Stop())] == [*stream(view, Stop())]


ODD = "11 17 18 22 23 25 29 33 34 38 41 46 47 51 55 61 62 63 72 76 77 78 82 84 86 89 94 97 99"
"""No two of these cancel."""


def test_a_long_proof_looks_whether_it_is_to_stop() -> None:
    gaps = tuple(number for number in range(1, 100) if str(number) not in f"{ODD} 28".split())
    hard = rules.State(options=rules.Options(), turn=0, gaps=gaps, picks=(28,))
    with pytest.raises(Stopped):
        next(stream(hard, Patience(4)))


def test_the_reason_names_answers_that_win() -> None:
    rng = Random(4)
    kinds = {check_reason(small_view(rng), slow_win) for _ in range(sampled(350, 1_500))}
    slow_win.cache_clear()
    kinds |= {check_reason(view, searched) for view in random_positions("digit-chain", sampled(30, 250), seed=8)}
    for code in ("digit-chain:zero=no-tens", "digit-chain:zero=wild,gaps=45,seed=56/56"):
        kinds.add(check_reason(at(code), searched))
    assert kinds - {"pick, each", "pick, answers", "pick, few", "pick, tens"} == {
        *("pick, end", "pick, only", "pick, reverse", "pick, broken"),
        *("only", "tens", "reverse", "broken", "each", "answers"),
    }


SEARCHES = {zero: fresh(zero) for zero in ZEROS}


def searched(zero: str, pool: Numbers, last: str | None) -> bool:
    """The solver's own verdict, which other tests check against the slow search."""
    digit = ANY if last is None else int(last)
    return SEARCHES[zero].wins(packed(pool, digit)[1], digit)


def check_reason(view: rules.View, wins: Callable[[str, Numbers, str | None], bool]) -> str:
    """Check the sentences against the rules; the kind of the last one."""
    told = kind = ""
    for analysis in stream(view, Stop()):
        recommended(analysis)
        if analysis.reason != told:
            told, kind = analysis.reason, check_sentence(view, analysis, wins)
    shown = analysis.mark("pairs")
    assert (shown is None) == ("end" in kind)
    if shown is not None:
        picked = set(view.picks) | ({int(analysis.advice)} if analysis.verdict == "win" else set())
        pool, last = frozenset(view.pool) - picked, analysis.advice[-1]
        last = last if analysis.verdict == "win" else last_of(view)
        assert {int(one) for one, _ in shown.pairs} == following(view.options.zero, pool, last)
        for one, two in shown.pairs:
            assert not wins(view.options.zero, pool - {int(one), int(two)}, two[-1])
    return kind


def check_sentence(view: rules.View, analysis: Analysis, wins: Callable[[str, Numbers, str | None], bool]) -> str:
    zero, pool, last, text = view.options.zero, frozenset(view.pool), last_of(view), analysis.reason
    assert view.turn is not None
    text = text.partition(" After ")[0]  # the judge of reasons checks the answer to a losing pick
    pick = re.match("Pick ([0-9]+)", text)
    assert bool(pick) == (analysis.verdict == "win")
    if pick:
        assert int(pick[1]) in view.choices
        pool, last, text = pool - {int(pick[1])}, pick[1][-1], text[pick.end() :]
        assert not wins(zero, pool, last)
    choices = following(zero, pool, last)
    if re.fullmatch(r"\.", text):
        return "early"
    if pick and not choices:
        check_end(text, zero, pool, pick[1])
        return "pick, end"
    return ("pick, " if pick else "") + check_answers(text, zero, pool, last, choices, wins)


def check_answers(
    text: str,
    zero: str,
    pool: Numbers,
    last: str | None,
    choices: Numbers,
    wins: Callable[[str, Numbers, str | None], bool],
) -> str:
    """Check a lost position: the text tells how to answer the choices."""
    told = {int(a): int(b) for a, b in re.findall("([0-9]+) with ([0-9]+)", text.partition(" After ")[0])}
    if only := re.search("can only pick ([0-9]+), and .* can answer (?:it )?with ([0-9]+)(.*)", text):
        told = {int(only[1]): int(only[2])}
        assert choices == {int(only[1])}
        after = pool - {int(only[1]), int(only[2])}
        if ended := not following(zero, after, only[2][-1]):
            check_end(only[3], zero, after, only[2])
        assert ended == (len(only[3]) > 1)
    few = re.search("then has only [0-9]+ numbers?|[0-9]+ of Player [12]'s numbers have their reverse", text)
    assert told or few
    for number, answer in told.items():
        assert number in choices
        assert answer in pool - {number}
        assert follows(zero, answer, str(number)[-1])
        assert not wins(zero, pool - {number, answer}, str(answer)[-1])
    if only:
        return "only"
    if "one that ends in 0 and wins" in text:
        assert zero == "dead-end"
        assert all(10 * (number % 10) in pool for number in choices)
        return "tens"
    if "number with its reverse" in text:
        assert all(PARTNER[number] in pool for number in choices)
        return "reverse"
    if counts := re.search("([0-9]+) of ([0-9]+) numbers with their reverse\\. The rest", text):
        whole = {number for number in choices if PARTNER[number] in pool}
        assert (len(whole), len(choices)) == (int(counts[1]), int(counts[2]))
        assert set(told) == choices - whole
        return "broken"
    if counts := re.search("([0-9]+) of Player [12]'s ([0-9]+) numbers ha(?:ve their|s its) reverse", text):
        whole = {number for number in choices if PARTNER[number] in pool}
        assert (len(whole), len(choices)) == (int(counts[1]), int(counts[2]))
        assert set(told) == choices - whole
        return "broken"
    if few:
        return "few"
    if count := re.search("each of (?:Player [12]'s )?([0-9]+) numbers", text):
        assert int(count[1]) == len(choices) >= len(told)
        return "each"
    assert set(told) == choices
    return "answers"


def check_end(text: str, zero: str, pool: Numbers, pick: str) -> None:
    """Check that the text says why nothing follows the pick."""
    if pick[-1] != "0":
        assert re.fullmatch(f": .* no .* {pick[-1]} .*", text)
        assert not any(str(number)[0] == pick[-1] for number in pool)
    elif zero == "wild":
        assert text == ": then no number is left."
        assert not pool
    else:
        assert re.fullmatch(": .* ends in 0, .* no .* 0.*", text)


@pytest.mark.parametrize(
    "code",
    [
        "digit-chain:zero=wild,gaps=46,seed=837933/37.73.32.20",
        "digit-chain:zero=wild,gaps=46,seed=682257/99.9.93.37.73.30.4",
    ],
)
def test_few_numbers_with_their_reverse_convince_by_the_answer_to_a_wrong_pick(code: str) -> None:
    found = analyse(rules.GAME, at(code))
    assert found.instead is not None
    assert found.reason.endswith(found.instead.sentence)
    kept = re.search(r"has the reverse of ([0-9]+) of your ([0-9]+)\. Player [12] answers (.*)\.", found.reason)
    if kept is None:
        assert "has the reverse of all you can pick" in found.reason
        return
    assert kept[3].count(" with ") == int(kept[2]) - int(kept[1])


def test_the_fewest_numbers_are_fewer_than_after_every_losing_pick() -> None:
    found = analyse(rules.GAME, at("digit-chain:zero=wild,gaps=46,seed=797576"))
    assert "then has only 4 numbers." in found.reason
