"""The reasons of Sequence Duel: every sentence is checked against the rules."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from duelbox.games.sequence_duel import rules
from duelbox.games.sequence_duel.solve.verdicts import stream
from duelbox.solve.api import Analysis, Stop
from tests.effort import sampled, tries
from tests.games.reasons import recommended
from tests.games.sequence_duel.slow import Numbers, Position, open_to, private, random_view, slow
from tests.positions import at


def test_every_reason_is_true() -> None:
    rng = Random(5)
    kinds: dict[str, int] = {}
    for _ in range(tries(2_500)):
        view = random_view(rng, range(5, 12))
        for analysis in stream(view, Stop()):
            kind = check_reason(Position(view), analysis)
            kinds[kind] = kinds.get(kind, 0) + 1
    assert set(kinds) == {
        "early",
        "nothing contested", "at most for you", "at most for the rival", "no answer left", "at most afterwards",
        "opposite", "rival copies", "you copy", "balance", "best try", "every try",
    }  # fmt: skip


def test_the_stakes_of_longer_lines_are_counted_as_the_rules_count() -> None:
    rng, found = Random(8), 0
    for _ in range(sampled(160, 600)):
        view = rules.start(rules.Options(size=rng.randrange(24, 40), ring=rng.random() < 0.5))
        for _ in range(rng.randrange(2, 8)):
            view, _events = rules.apply(view, view.mover, rng.choice(rules.legal_moves(view)))
        *_, last = stream(view, Stop())
        if claim := recommended(last):
            found += check_stakes(Position(view), last.reason, int(claim))
    assert found


def check_reason(position: Position, analysis: Analysis) -> str:
    """Check the sentence against the rules; the kind of the sentence."""
    text = analysis.reason
    if not analysis.complete and re.fullmatch(r"Claim [0-9]+\.|Every claim loses\.", text):
        return "early"
    assert analysis.verdict == ("win" if slow(*position.facts)[0] else "loss")
    if claim := recommended(analysis):
        assert not slow(*position.after(int(claim)))[0]
        return check_claim(position, analysis, int(claim))
    mine, theirs = private(*position.facts), private(*position.turned)
    if told := re.match(r"Only safe numbers are left: you have ([0-9]+|none), Player [12] has ([0-9]+|none)\.", text):
        assert (told[1], told[2]) == (str(len(mine) or "none"), str(len(theirs) or "none"))
        assert mine == set(open_to(*position.facts))
        assert theirs == set(open_to(*position.turned))
        assert (" runs out first" in text) == (len(mine) > len(theirs))
        return "nothing contested"
    if told := re.fullmatch(
        r"You have ([0-9]+) safe numbers?, Player [12] has at most ([0-9]+) claims? left: you win whatever you claim\.",
        text,
    ):
        assert (int(told[1]), int(told[2])) == (len(mine), len(open_to(*position.turned)))
        assert int(told[1]) > int(told[2])
        return "at most for the rival"
    assert analysis.verdict == "loss"
    if told := re.fullmatch(
        r"Player [12] has ([0-9]+) safe numbers?, you have at most ([0-9]+) claims? left(, and it is your turn)?\.",
        text,
    ):
        assert (int(told[1]), int(told[2])) == (len(theirs), len(open_to(*position.facts)))
        assert int(told[2]) <= int(told[1])
        assert bool(told[3]) == (told[1] == told[2])
        return "at most for you"
    if told := re.fullmatch(
        r"Player [12] can copy: every number has its partner opposite, such as 1 with ([0-9]+)\.", text
    ):
        half = position.size // 2
        pairs = {number: (number + half - 1) % position.size + 1 for number in range(1, position.size + 1)}
        assert int(told[1]) == pairs[1]
        follow(position.turned, pairs)
        return "opposite"
    if " can copy: every number has its partner, " in text:
        check_copy(position.turned, analysis)
        return "rival copies"
    return check_loss(position, analysis)


def check_copy(copier: tuple[int, bool, Numbers, Numbers], analysis: Analysis) -> None:
    """Play by the partners against everything; if no partners are drawn, only the named ones are tried."""
    named = re.findall(r"([0-9]+) with ([0-9]+)", analysis.reason)
    if shown := analysis.mark("pairs", "mirror"):
        pairs = {int(one): int(two) for one, two in shown.pairs}
        assert len(pairs) == len(set(pairs.values()))
        assert all(pairs[int(one)] == int(two) for one, two in named)
        assert ("and so on" in analysis.reason) == (len(pairs) > 2 * len(named))
        follow(copier, pairs)


def check_claim(position: Position, analysis: Analysis, number: int) -> str:
    text = analysis.reason
    size, ring, theirs, mine = position.after(number)
    left = open_to(size, ring, theirs, mine)
    if "cannot claim any number" in text:
        assert not left
        return "no answer left"
    if "you then have" in text:  # the judge of reasons counts
        return "at most afterwards"
    if "copy: answer each with its partner" in text:
        assert ("in the middle" in text) == (not position.mine and not position.theirs)
        check_copy((size, ring, mine, theirs), analysis)
        return "you copy"
    check_stakes(position, text, number)
    return "balance"


def only(size: int, ring: bool, mine: Numbers, theirs: Numbers) -> tuple[set[int], set[int]]:
    """The numbers that only one of the two can claim at present."""
    one, two = set(open_to(size, ring, mine, theirs)), set(open_to(size, ring, theirs, mine))
    return one - two, two - one


def check_stakes(position: Position, text: str, number: int) -> bool:
    """Count the stakes of the two stretches, if they are told."""
    told = re.search(r"At stake: ([0-9]+) in ([0-9-]+), ([0-9]+) in ([0-9-]+)\.", text)
    if told is None:
        return False
    assert int(told[1]) > int(told[3])
    assert number in around(told[2], position.size)
    assert [int(told[1]), int(told[3])] == [stake(position, around(told[at], position.size)) for at in (2, 4)]
    return True


def around(span: str, size: int) -> set[int]:
    """The numbers of "30-3", on a ring past its end."""
    first, _, last = span.partition("-")
    low, high = int(first), int(last or first)
    return {*range(low, high + 1)} if low <= high else {*range(low, size + 1), *range(1, high + 1)}


def stake(position: Position, numbers: set[int]) -> int:
    """The best gain of either player in these numbers, by trying every claim."""
    size, ring, mine, theirs = position.facts

    def best(one: Numbers, two: Numbers) -> int:
        def lead(own: Numbers) -> int:
            first, second = only(size, ring, own, two)
            return len(first & numbers) - len(second & numbers)

        claims = [number for number in open_to(size, ring, one, two) if number in numbers]
        return max((lead(one | {number}) - lead(one) for number in claims), default=0)

    return best(mine, theirs) + best(theirs, mine)


def check_loss(position: Position, analysis: Analysis) -> str:
    size, ring, mine, theirs = position.facts
    shown = analysis.mark("pairs")
    answers = {int(one): int(two) for one, two in shown.pairs} if shown else {}
    for claim, answer in answers.items():
        assert answer in open_to(size, ring, theirs, mine | {claim})
        assert not slow(size, ring, mine | {claim}, theirs | {answer})[0]
    if told := re.fullmatch(r"Every claim loses: Player [12] answers ([0-9]+) with ([0-9]+)\.", analysis.reason):
        claim, answer = int(told[1]), int(told[2])
        assert not answers or answers[claim] == answer
        assert not slow(size, ring, mine | {claim}, theirs | {answer})[0]
        return "best try"
    told = re.fullmatch(
        r"Player [12] can answer (every claim|([0-9]+) of your ([0-9]+) claims) with ([0-9]+)\.", analysis.reason
    )
    assert told
    replies = list(answers.values())
    assert set(answers) == set(open_to(*position.facts))
    assert replies.count(int(told[4])) == int(told[2] or len(replies))
    assert int(told[3] or len(replies)) == len(replies)
    return "every try"


@cache
def _follows(size: int, ring: bool, mine: Numbers, theirs: Numbers, pairs: tuple[tuple[int, int], ...]) -> bool:
    """True if the pairs, and private numbers by private ones, answer whatever the rival claims."""
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


@pytest.mark.parametrize("size", range(5, 61))
def test_who_starts_on_a_line_wins_in_a_mirror(size: int) -> None:
    """The rules say so of every line that may be set."""
    first = next(stream(at(f"sequence-duel:size={size}"), Stop()))
    told = re.match(r"Claim ([0-9]+), in the middle, and copy: ", first.reason)
    assert told
    middle = int(told[1])
    assert abs(2 * middle - size - 1) <= 1
    position = Position(at(f"sequence-duel:size={size}/{middle}"))
    named = [(int(one), int(two)) for one, two in re.findall("([0-9]+) with ([0-9]+)", first.reason)]
    (total,) = {one + two for one, two in named}
    if size <= 16:
        pairs = {one: total - one for one in range(1, size + 1) if 1 <= total - one <= size and one != middle}
        follow(position.turned, pairs)
