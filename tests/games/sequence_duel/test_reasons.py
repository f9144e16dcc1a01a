"""Why a Sequence Duel is won or lost: every sentence held to the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from duelbox.core.model import Seat
from duelbox.games.sequence_duel.solve.verdicts import stream
from duelbox.solve.api import Analysis, Stop
from tests.games.sequence_duel.slow import Numbers, Position, open_to, private, random_view, slow, solved
from tests.told import at, expanded


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
    if told := re.match(r"Nothing is undecided any more: ([0-9]+|no) numbers? (?:is|are) yours for sure", text):
        assert told[1] == str(len(mine) or "no")
        assert re.search(rf"sure and {len(theirs) or 'no'} numbers? {rival}'s,", text)
        assert mine == set(open_to(*position.facts))
        assert theirs == set(open_to(*position.turned))
        return "nothing contested"
    if told := re.fullmatch(
        rf"([0-9]+) numbers? (?:is|are) yours for sure, and {rival} can claim at most ([0-9]+) more .*", text
    ):
        assert (int(told[1]), int(told[2])) == (len(mine), len(open_to(*position.turned)))
        assert int(told[1]) > int(told[2])
        return "at most for the rival"
    assert analysis.verdict == "loss"
    if told := re.fullmatch(
        rf"You can claim at most ([0-9]+) more numbers?, while ([0-9]+) numbers? (?:is|are) {rival}'s for sure.*", text
    ):
        assert (int(told[1]), int(told[2])) == (len(open_to(*position.facts)), len(theirs))
        assert int(told[1]) <= int(told[2])
        assert text.endswith("you have to claim first.") == (told[1] == told[2])
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
        rf"then {rival} can claim at most ([0-9]+) more numbers?, while ([0-9]+) numbers? (?:is|are) yours", text
    ):
        assert (int(told[1]), int(told[2])) == (len(open_to(size, ring, theirs, mine)), len(kept))
        assert int(told[1]) <= int(told[2])
        assert text.endswith(f"{rival} has to claim first.") == (told[1] == told[2])
        return "at most afterwards"
    if told := re.search(
        rf"nothing is undecided, ([0-9]+) numbers? (?:is|are) yours for sure and ([0-9]+) numbers? {rival}'s", text
    ):
        assert text.endswith(f"{rival} has to claim first.") == (told[1] == told[2])
        assert (int(told[1]), int(told[2])) == (len(kept), len(open_to(size, ring, theirs, mine)))
        assert kept == set(open_to(size, ring, mine, theirs))
        return "nothing contested afterwards"
    if "with its match: " in text:
        assert ("in the middle" in text) == (not position.mine and not position.theirs)
        follow((size, ring, mine, theirs), pairs_in(text, position))
        return "you match"
    made = expanded(told[1]) if (told := re.search(r"makes ([0-9, and]+) yours", text)) else set()
    assert made == kept - private(*position.facts)
    shut = expanded(told[1]) if (told := re.search(rf"{rival} out of ([0-9, and]+);", text)) else set()
    assert shut == set(open_to(*position.turned)) - set(open_to(size, ring, theirs, mine)) - {number} - made
    wins = [move for move in analysis.moves if move.verdict == "win"]
    if analysis.complete:
        assert number == int(analysis.moves[0].move)
        assert ("the only claim that wins" in text) == (len(wins) == 1)
    end = re.search(rf"no answer saves {rival}(?:; ([0-9]+)(?:, in the middle,)? wins too, .*, but later)?\.$", text)
    assert end
    if end[1]:
        later = next(move for move in wins if move.move == end[1])
        assert (later.plies or 0) > (analysis.plies or 0) > 0
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
    told = re.search(
        r"with (nothing|[0-9, -]+) undecided(?: and no number anybody's|, ([0-9]+|no) numbers? yours) for sure"
        r"(?: and ([0-9]+|no) numbers? )?", text
    )  # fmt: skip
    assert told
    kept, lost = private(size, ring, mine, theirs), private(size, ring, theirs, mine)
    anyone = {*open_to(size, ring, mine, theirs), *open_to(size, ring, theirs, mine)}
    assert (set() if told[1] == "nothing" else expanded(told[1])) == anyone - kept - lost
    assert (told[2], told[3]) == ((str(len(kept) or "no"), str(len(lost) or "no")) if kept or lost else (None, None))
    if told[1] == "nothing":
        assert "it is your turn, so you" in text
        assert len(kept) <= len(lost)


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
        ("sequence-duel", "Take 2: it makes 1 yours for sure and keeps Player 2 out of 3; with 3-20 undecided"),
        ("sequence-duel:size=17", "Take 9, in the middle, then answer every claim with its match: 1 to 8 match 17"),
        ("sequence-duel:ring=on", "Player 2 can answer every claim with the number opposite, such as 1 with 11."),
        ("sequence-duel:ring=on/10", "Take 20, then answer every claim with its match: 1 to 9 match 11 to 19."),
        ("sequence-duel:size=5/3.1", "Take 4: then Player 2 cannot claim any number."),
        ("sequence-duel/10.13.7", "Every claim loses: 16 holds out longest, but Player 1 answers 19; with"),
        ("sequence-duel/5.9", "Take 11: it keeps Player 2 out of 10 and 12; with 1-4, 6-8, 12-20 undecided and no"),
    ],
)
def test_the_sentence_a_player_reads(code: str, start: str) -> None:
    assert solved(at(code)).reason.startswith(start)


def test_the_middle_is_told_of_even_where_another_claim_wins_sooner() -> None:
    assert solved(at("sequence-duel")).reason.endswith("; 10, in the middle, wins too, in a mirror, but later.")


@pytest.mark.parametrize("size", range(5, 61))
def test_who_starts_on_a_line_wins_in_a_mirror(size: int) -> None:
    """As the rules say, of every line that may be set."""
    first = next(stream(at(f"sequence-duel:size={size}"), Stop()))
    told = re.match(r"Take ([0-9]+), in the middle, then answer every claim with its match: ", first.reason)
    assert told
    assert abs(2 * int(told[1]) - size - 1) <= 1
    position = Position(at(f"sequence-duel:size={size}/{told[1]}"))
    pairs = pairs_in(first.reason, position)
    assert all(abs(pairs[number] - pairs[number + 1]) == 1 for number in pairs if number + 1 in pairs)
    assert set(pairs) >= {*open_to(position.size, position.ring, position.mine, position.theirs)}
    if size <= 16:
        follow(position.turned, pairs)


def test_the_second_player_s_sentences_name_player_1() -> None:
    view = at("sequence-duel/1")
    seat: Seat = 1
    assert view.turn == seat
    assert "Player 2" not in solved(view).reason
