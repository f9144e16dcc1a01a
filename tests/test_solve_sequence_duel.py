"""Sequence Duel's solver against a slow search written straight from the rules, and its reasons held to the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from duelbox.core.model import Seat
from duelbox.games.sequence_duel import rules
from duelbox.solve import sequence_duel
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.solve.sequence_duel import solve, stream
from duelbox.solve.sequence_line import line_of
from tests.told import at, expanded

Numbers = frozenset[int]


@cache
def next_to(size: int, ring: bool, number: int) -> Numbers:
    near = {number - 1, number + 1}
    if ring:
        near = {(one - 1) % size + 1 for one in near}
    return frozenset(near & set(range(1, size + 1)))


@cache
def open_to(size: int, ring: bool, mine: Numbers, theirs: Numbers) -> tuple[int, ...]:
    left = set(range(1, size + 1)) - mine - theirs
    return tuple(number for number in sorted(left) if not next_to(size, ring, number) & theirs)


@cache
def slow(size: int, ring: bool, mine: Numbers, theirs: Numbers) -> tuple[bool, int]:
    """Whether the player to move wins, and in how many turns, by trying everything."""
    tried = [slow(size, ring, theirs, mine | {number}) for number in open_to(size, ring, mine, theirs)]
    quick = [plies + 1 for rival_wins, plies in tried if not rival_wins]
    return (True, min(quick)) if quick else (False, max((plies + 1 for _, plies in tried), default=0))


def private(size: int, ring: bool, mine: Numbers, theirs: Numbers) -> set[int]:
    """What only one player can ever claim: open to that player, and next to nothing the rival may claim or has."""
    rival = set(open_to(size, ring, theirs, mine))
    return {n for n in open_to(size, ring, mine, theirs) if n not in rival and not next_to(size, ring, n) & rival}


class Position:
    """A view as the slow search takes it."""

    def __init__(self, view: rules.View) -> None:
        assert view.turn is not None
        self.size, self.ring = view.options.size, view.options.ring
        self.mine, self.theirs = frozenset(view.claimed(view.turn)), frozenset(view.claimed(1 - view.turn))
        self.rival = f"Player {2 - view.turn}"

    @property
    def facts(self) -> tuple[int, bool, Numbers, Numbers]:
        return self.size, self.ring, self.mine, self.theirs

    @property
    def turned(self) -> tuple[int, bool, Numbers, Numbers]:
        return self.size, self.ring, self.theirs, self.mine

    def after(self, number: int) -> tuple[int, bool, Numbers, Numbers]:
        """As the rival finds it."""
        return self.size, self.ring, self.theirs, self.mine | {number}


def solved(view: rules.View) -> Analysis:
    *_, last = stream(view, Stop())
    assert last.complete
    return last


def random_view(rng: Random, sizes: range) -> rules.View:
    while True:
        view = rules.start(rules.Options(size=rng.choice(sizes), ring=rng.random() < 0.4))
        for _ in range(rng.randrange(view.options.size)):
            if view.turn is not None:
                view, _ = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
        if view.turn is not None:
            return view


def check_moves(analysis: Analysis, position: tuple[int, bool, Numbers, Numbers]) -> None:
    """Hold verdicts, turns, and the order of moves to the slow search."""
    size, ring, mine, theirs = position
    won, plies = slow(*position)
    assert (analysis.verdict, analysis.plies) == ("win" if won else "loss", plies)
    assert (analysis.win, analysis.draw) == (won, 0)
    assert sorted(int(move.move) for move in analysis.moves) == list(open_to(*position))
    for move in analysis.moves:
        rival_wins, left = slow(size, ring, theirs, mine | {int(move.move)})
        assert (move.verdict, move.plies) == ("loss" if rival_wins else "win", left + 1)
        assert (move.win, move.draw) == (not rival_wins, 0)
    ranks = [(-move.value, move.plies or 0, int(move.move)) for move in analysis.moves]
    assert ranks == sorted(ranks, key=lambda rank: (rank[0], rank[1] if rank[0] else -rank[1], rank[2]))


def test_every_verdict_every_move_and_all_turns_are_the_slow_search_s() -> None:
    rng = Random(1)
    for _ in range(2_500):
        view = random_view(rng, range(5, 11))
        check_moves(solved(view), Position(view).facts)


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("size", range(1, 5))
def test_every_position_of_the_smallest_lines_and_rings(size: int, ring: bool) -> None:
    for owners in range(3**size):
        owner = {n + 1: (0, 1, -1)[owners // 3**n % 3] for n in range(size)}
        mine = frozenset(n for n in owner if owner[n] == 1)
        theirs = frozenset(n for n in owner if owner[n] == -1)
        touching = any(next_to(size, ring, n) & theirs for n in mine)
        if not touching and open_to(size, ring, mine, theirs):
            line = line_of(size, ring, {n: who for n, who in owner.items() if who})
            *_, last = solve(line, 0, Stop())
            check_moves(last, (size, ring, mine, theirs))


def test_late_positions_of_longer_lines() -> None:
    rng, seen = Random(2), 0
    while seen < 400:
        view = random_view(rng, range(12, 21))
        position = Position(view)
        if len(set(open_to(*position.facts)) | set(open_to(*position.turned))) <= 9:
            seen += 1
            check_moves(solved(view), position.facts)
    slow.cache_clear()


@pytest.mark.parametrize("size", range(5, 12))
def test_the_first_player_wins_lines_and_odd_rings_and_the_second_even_rings(size: int) -> None:
    for ring in (False, True):
        analysis = solved(rules.start(rules.Options(size=size, ring=ring)))
        check_moves(analysis, (size, ring, frozenset(), frozenset()))
        assert analysis.verdict == ("loss" if ring and size % 2 == 0 else "win")


@pytest.mark.parametrize("size", range(5, 61))
def test_verdict_and_reason_of_every_start_come_first_without_moves(size: int) -> None:
    for ring in (False, True):
        first = next(stream(rules.start(rules.Options(size=size, ring=ring)), Stop()))
        assert first.verdict == ("loss" if ring and size % 2 == 0 else "win")
        assert (first.moves, first.complete) == ((), False)


def test_moves_are_added_and_nothing_said_is_taken_back() -> None:
    rng = Random(3)
    long_ones = [rules.start(rules.Options(size=44)), at("sequence-duel:size=44/9"), at("sequence-duel:size=40/1.20.9")]
    for view in [*(random_view(rng, range(5, 31)) for _ in range(200)), *long_ones]:
        sequence_duel.forget()
        analyses = list(stream(view, Stop()))
        assert [one.complete for one in analyses] == [False] * (len(analyses) - 1) + [True]
        assert {(one.turn, one.verdict, one.win) for one in analyses} == {
            (view.turn, analyses[-1].verdict, analyses[-1].win)
        }
        told: dict[str, str] = {}
        for one in analyses:
            now = {move.move: str(move.verdict) for move in one.moves}
            assert told.items() <= now.items()
            told = now
        assert len(told) == len(rules.legal_moves(view))
        assert analyses[-1].moves[0].verdict == analyses[-1].verdict
        if view == long_ones[0]:
            assert len(analyses) > 4


def test_answers_do_not_depend_on_what_was_solved_before() -> None:
    rng = Random(4)
    views = [random_view(rng, range(5, 27)) for _ in range(60)]
    warm = [solved(view) for view in views]
    for view, analysis in zip(views, warm, strict=True):
        sequence_duel.forget()
        assert solved(view) == analysis


def test_turns_are_counted_up_to_a_limit() -> None:
    counted = [size for size in range(5, 41) if solved(rules.start(rules.Options(size=size, ring=True))).plies]
    assert counted == list(range(5, sequence_duel.COUNTED + 2))


def test_a_search_that_is_told_to_stop_stops() -> None:
    sequence_duel.forget()
    stop = Stop()
    analyses = stream(rules.start(rules.Options(size=60)), stop)
    assert next(analyses).verdict == "win"
    stop.stop()
    with pytest.raises(Stopped):
        list(analyses)


# --- reasons --------------------------------------------------------------------------------------------------------


def test_every_reason_is_true() -> None:
    rng = Random(5)
    kinds: dict[str, int] = {}
    for _ in range(2_500):
        view = random_view(rng, range(5, 12))
        for analysis in stream(view, Stop()):
            kind = check_reason(Position(view), analysis)
            kinds[kind] = kinds.get(kind, 0) + 1
    assert set(kinds) == {
        "nothing contested", "at most for you", "at most for the rival", "no answer left", "at most afterwards",
        "nothing contested afterwards", "opposite", "rival matches", "you match", "claim that wins", "best try",
    }  # fmt: skip


def check_reason(position: Position, analysis: Analysis) -> str:
    """Hold the sentence to the rules, and name its kind."""
    text, rival = analysis.reason, position.rival
    assert text.endswith(".")
    assert "!" not in text
    assert analysis.verdict == ("win" if slow(*position.facts)[0] else "loss")
    if take := re.match(r"Take ([0-9]+)", text):
        assert analysis.verdict == "win"
        assert not slow(*position.after(int(take[1])))[0]
        return check_claim(position, analysis, int(take[1]))
    mine, theirs = private(*position.facts), private(*position.turned)
    if told := re.match(r"Nothing is contested any more: you have ([0-9]+|no) private", text):
        assert told[1] == str(len(mine) or "no")
        assert f"{rival} has {len(theirs) or 'none'}," in text
        assert mine == set(open_to(*position.facts))
        assert theirs == set(open_to(*position.turned))
        return "nothing contested"
    if told := re.fullmatch(
        rf"You have ([0-9]+) private numbers?, and {rival} can claim at most ([0-9]+) more .*", text
    ):
        assert (int(told[1]), int(told[2])) == (len(mine), len(open_to(*position.turned)))
        assert int(told[1]) > int(told[2])
        return "at most for the rival"
    assert analysis.verdict == "loss"
    if told := re.fullmatch(
        rf"You can claim at most ([0-9]+) more numbers?, and {rival} has ([0-9]+) private .*", text
    ):
        assert (int(told[1]), int(told[2])) == (len(open_to(*position.facts)), len(theirs))
        assert int(told[1]) <= int(told[2])
        return "at most for you"
    if told := re.fullmatch(
        rf"{rival} can answer every claim with the number opposite, such as 1 with ([0-9]+)\.", text
    ):
        half = position.size // 2
        pairs = {number: (number + half - 1) % position.size + 1 for number in range(1, position.size + 1)}
        assert int(told[1]) == pairs[1]
        follow(position.turned, pairs)
        return "opposite"
    if text.startswith(f"{rival} can answer every claim with its match: "):
        follow(position.turned, pairs_in(text, position))
        return "rival matches"
    return check_loss(position, analysis)


def check_claim(position: Position, analysis: Analysis, number: int) -> str:
    text, rival = analysis.reason, position.rival
    size, ring, theirs, mine = position.after(number)
    kept = private(size, ring, mine, theirs)
    if "cannot claim any number" in text:
        assert not open_to(size, ring, theirs, mine)
        return "no answer left"
    if told := re.search(
        rf"then {rival} can claim at most ([0-9]+) more numbers?, and you have ([0-9]+) private", text
    ):
        assert (int(told[1]), int(told[2])) == (len(open_to(size, ring, theirs, mine)), len(kept))
        assert int(told[1]) <= int(told[2])
        return "at most afterwards"
    if told := re.search(
        rf"nothing is contested, with ([0-9]+) private numbers? for you and ([0-9]+) for {rival}", text
    ):
        assert (int(told[1]), int(told[2])) == (len(kept), len(open_to(size, ring, theirs, mine)))
        assert kept == set(open_to(size, ring, mine, theirs))
        return "nothing contested afterwards"
    if "with its match: " in text:
        assert ("in the middle" in text) == (not position.mine and not position.theirs)
        follow((size, ring, mine, theirs), pairs_in(text, position))
        return "you match"
    made = expanded(told[1]) if (told := re.search(r"makes ([0-9, and]+) private", text)) else set()
    assert made == kept - private(*position.facts)
    shut = expanded(told[1]) if (told := re.search(rf"{rival} out of ([0-9, and]+);", text)) else set()
    assert shut == set(open_to(*position.turned)) - set(open_to(size, ring, theirs, mine)) - {number} - made
    wins = [move for move in analysis.moves if move.verdict == "win"]
    if analysis.complete:
        assert number == int(analysis.moves[0].move)
        assert ("the only claim that wins" in text) == (len(wins) == 1)
    assert text.endswith(f"no answer saves {rival}.")
    check_standing(text, size, ring, mine, theirs)
    return "claim that wins"


def check_loss(position: Position, analysis: Analysis) -> str:
    told = re.match(rf"Every claim loses: (?:after )?([0-9]+).*? {position.rival} answers ([0-9]+);", analysis.reason)
    assert told
    number, answer = int(told[1]), int(told[2])
    size, ring, theirs, mine = position.after(number)
    assert answer in open_to(size, ring, theirs, mine)
    assert not slow(size, ring, mine, theirs | {answer})[0]
    if analysis.complete:
        plies = [move.plies for move in analysis.moves]
        assert number == int(analysis.moves[0].move)
        assert ("longest" in analysis.reason) == (plies.count(plies[0]) == 1)
        assert ("as long as any" in analysis.reason) == (plies.count(plies[0]) > 1)
    check_standing(analysis.reason, size, ring, mine, theirs | {answer})
    return "best try"


def check_standing(text: str, size: int, ring: bool, mine: Numbers, theirs: Numbers) -> None:
    told = re.search(r"with (nothing|[0-9, -]+) contested and ([0-9]+|no) private numbers?(?: to ([0-9]+))?", text)
    assert told
    kept, lost = private(size, ring, mine, theirs), private(size, ring, theirs, mine)
    anyone = {*open_to(size, ring, mine, theirs), *open_to(size, ring, theirs, mine)}
    assert (set() if told[1] == "nothing" else expanded(told[1])) == anyone - kept - lost
    assert (told[2], told[3]) == ((str(len(kept)), str(len(lost))) if kept or lost else ("no", None))


def pairs_in(text: str, position: Position) -> dict[int, int]:
    """The numbers that answer each other, of "... match: 1 to 4 match 9 to 6, ..."."""
    pairs: dict[int, int] = {}
    for told in re.findall(r"([0-9][0-9to hen]*) match ([0-9][0-9to hen]*)", text):
        one, other = (list(counted(span)) for span in told)
        pairs |= dict(zip(one, other, strict=True)) | dict(zip(other, one, strict=True))
    assert pairs
    assert len(pairs) == len(set(pairs.values()))
    return pairs


def counted(span: str) -> Iterator[int]:
    """The numbers of "19 to 20 then 1 to 3", in order."""
    for part in span.strip().split(" then "):
        first, _, last = part.partition(" to ")
        low, high = int(first), int(last or first)
        yield from range(low, high + 1) if low <= high else range(low, high - 1, -1)


@cache
def _follows(size: int, ring: bool, mine: Numbers, theirs: Numbers, pairs: tuple[tuple[int, int], ...]) -> bool:
    """Whether answering by these pairs, and private numbers by private ones, is possible whatever the rival claims."""
    answers = dict(pairs)
    for number in open_to(size, ring, theirs, mine):
        after = theirs | {number}
        spare = sorted(private(size, ring, mine, after) - set(answers))
        reply = answers.get(number, spare[0] if spare else None)
        if reply not in open_to(size, ring, mine, after):
            return False
        if not _follows(size, ring, mine | {reply}, after, pairs):
            return False
    return True


def follow(position: tuple[int, bool, Numbers, Numbers], pairs: dict[int, int]) -> None:
    """Play by the pairs against everything the rival could claim."""
    assert _follows(*position, tuple(sorted(pairs.items())))


@pytest.mark.parametrize(
    ("code", "start"),
    [
        ("sequence-duel", "Take 10, in the middle, then answer every claim with its match: 1 to 9 match 20 to 12."),
        ("sequence-duel:ring=on", "Player 2 can answer every claim with the number opposite, such as 1 with 11."),
        ("sequence-duel:ring=on/10", "Take 20, then answer every claim with its match: 1 to 9 match 11 to 19."),
        ("sequence-duel:size=5/3.1", "Take 4: then Player 2 cannot claim any number."),
        ("sequence-duel/10.13.7", "Every claim loses: 16 holds out longest, but Player 1 answers 19; with"),
        ("sequence-duel/5.9", "Take 11: it keeps Player 2 out of 10 and 12; with 1-4, 6-8, 12-20 contested and no"),
    ],
)
def test_the_sentence_a_player_reads(code: str, start: str) -> None:
    assert solved(at(code)).reason.startswith(start)


def test_the_second_player_s_sentences_name_player_1() -> None:
    view = at("sequence-duel/1")
    seat: Seat = 1
    assert view.turn == seat
    assert "Player 2" not in solved(view).reason
