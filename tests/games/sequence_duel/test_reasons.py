"""Why a Sequence Duel is won or lost: every sentence held to the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random

import pytest

from duelbox.games.sequence_duel.solve.verdicts import stream
from duelbox.solve.api import Analysis, Stop
from tests.effort import tries
from tests.games.reasons import recommended
from tests.games.sequence_duel.slow import Numbers, Position, open_to, private, random_view, slow
from tests.positions import at, expanded


def test_every_reason_is_true() -> None:
    rng = Random(5)
    kinds: dict[str, int] = {}
    for _ in range(tries(2_500)):
        view = random_view(rng, range(5, 12))
        for analysis in stream(view, Stop()):
            kind = check_reason(Position(view), analysis)
            kinds[kind] = kinds.get(kind, 0) + 1
    assert set(kinds) == {
        "nothing contested", "at most for you", "at most for the rival", "no answer left", "at most afterwards",
        "opposite", "rival matches", "you match", "claim that wins", "claim that wins, early", "best try", "every try",
    }  # fmt: skip


def check_reason(position: Position, analysis: Analysis) -> str:
    """Hold the sentence to the rules, and name its kind."""
    text, rival = analysis.reason, position.rival
    assert analysis.verdict == ("win" if slow(*position.facts)[0] else "loss")
    if claim := recommended(analysis):
        assert not slow(*position.after(int(claim)))[0]
        return check_claim(position, analysis, int(claim))
    mine, theirs = private(*position.facts), private(*position.turned)
    if told := re.match(rf"Only safe numbers are left: you have ([0-9]+|none), {rival} has ([0-9]+|none)\.", text):
        assert (told[1], told[2]) == (str(len(mine) or "none"), str(len(theirs) or "none"))
        assert mine == set(open_to(*position.facts))
        assert theirs == set(open_to(*position.turned))
        assert (f"{rival} runs out first" in text) == (len(mine) > len(theirs))
        return "nothing contested"
    if told := re.fullmatch(
        rf"You have ([0-9]+) safe numbers?, {rival} has at most ([0-9]+) claims? left\. You win whatever you claim\.",
        text,
    ):
        assert (int(told[1]), int(told[2])) == (len(mine), len(open_to(*position.turned)))
        assert int(told[1]) > int(told[2])
        return "at most for the rival"
    assert analysis.verdict == "loss"
    if told := re.fullmatch(
        rf"{rival} has ([0-9]+) safe numbers?, you have at most ([0-9]+) claims? left(, and it is your turn)?\.", text
    ):
        assert (int(told[1]), int(told[2])) == (len(theirs), len(open_to(*position.facts)))
        assert int(told[2]) <= int(told[1])
        assert bool(told[3]) == (told[1] == told[2])
        return "at most for you"
    if told := re.fullmatch(
        rf"{rival} can answer every claim with its partner opposite, such as 1 with ([0-9]+)\.", text
    ):
        half = position.size // 2
        pairs = {number: (number + half - 1) % position.size + 1 for number in range(1, position.size + 1)}
        assert int(told[1]) == pairs[1]
        follow(position.turned, pairs)
        return "opposite"
    if text.startswith(f"{rival} can answer every claim with its partner: "):
        follow(position.turned, pairs_in(text, position))
        return "rival matches"
    return check_loss(position, analysis)


def check_claim(position: Position, analysis: Analysis, number: int) -> str:
    text, rival = analysis.reason, position.rival
    size, ring, theirs, mine = position.after(number)
    kept, left = private(size, ring, mine, theirs), open_to(size, ring, theirs, mine)
    if "cannot claim any number" in text:
        assert not left
        return "no answer left"
    if told := re.search(
        rf"Then you have ([0-9]+) safe numbers?, {rival} has at most ([0-9]+) claims? left( and has to claim first)?\. "
        r"You win whatever you claim next\.$",
        text,
    ):
        assert (int(told[1]), int(told[2])) == (len(kept), len(left))
        assert int(told[2]) <= int(told[1])
        assert bool(told[3]) == (told[1] == told[2])
        return "at most afterwards"
    if "with its partner: " in text:
        assert ("in the middle" in text) == (not position.mine and not position.theirs)
        follow((size, ring, mine, theirs), pairs_in(text, position))
        return "you match"
    made = expanded(told[1]) if (told := re.search(r"makes ([0-9, and]+) safe for you", text)) else set()
    assert made == kept - private(*position.facts)
    shut = expanded(told[1]) if (told := re.search(rf"closes ([0-9, and]+) to {rival}\.", text)) else set()
    assert shut == set(open_to(*position.turned)) - set(left) - {number} - made
    wins = [move for move in analysis.moves if move.verdict == "win"]
    if analysis.complete:
        assert ("the only claim that wins" in text) == (len(wins) == 1)
    if later := re.search(r"You can also claim ([0-9]+)(?:, in .*,)? and answer .*, but that wins later\.$", text):
        wins_later = next(move for move in wins if move.move == later[1])
        assert (wins_later.plies or 0) > (analysis.plies or 0) > 0
    if "Then claim" in text:
        answers = answers_in(text, "Then claim", left)
        for claim, answer in answers.items():
            assert answer in open_to(size, ring, mine, theirs | {claim})
            assert not slow(size, ring, theirs | {claim}, mine | {answer})[0]
        check_shown(analysis, answers)
        return "claim that wins"
    assert not analysis.complete
    assert f"you win whatever {rival} claims" in text
    check_standing(text, size, ring, mine, theirs)
    return "claim that wins, early"


def answers_in(text: str, lead: str, claims: Iterable[int]) -> dict[int, int]:
    """Each of these claims with its answer: the first one told, but for those named."""
    told = re.search(rf"{lead} ([0-9]+)(?:, but answers? ([^.]*))?\.", text)
    assert told
    answers = dict.fromkeys(claims, int(told[1]))
    for after, answer in re.findall(r"([0-9][0-9, orto]*) with ([0-9]+)", told[2] or ""):
        for claim in expanded(after.replace(" or ", ", ").replace(" to ", "-")):
            assert claim in answers
            answers[claim] = int(answer)
    return answers


def check_shown(analysis: Analysis, answers: dict[int, int]) -> None:
    shown = analysis.mark("pairs")
    assert {int(one): int(two) for one, two in shown.pairs} == answers


def check_loss(position: Position, analysis: Analysis) -> str:
    size, ring, mine, theirs = position.facts
    text, plies = analysis.reason, [move.plies for move in analysis.moves]
    if analysis.complete:
        answers = answers_in(text, f"Every claim loses: {position.rival} then claims", open_to(*position.facts))
        for claim, answer in answers.items():
            assert answer in open_to(size, ring, theirs, mine | {claim})
            assert not slow(size, ring, mine | {claim}, theirs | {answer})[0]
        check_shown(analysis, answers)
        how = "longest" if plies.count(plies[0]) == 1 else "as long as any"
        assert text.endswith(f". {analysis.moves[0].move} lasts {how}.")
        return "every try"
    told = re.match(rf"Every claim loses\. Try ([0-9]+); {position.rival} wins by claiming ([0-9]+), with ", text)
    assert told
    number, answer = int(told[1]), int(told[2])
    size, ring, theirs, mine = position.after(number)
    assert answer in open_to(size, ring, theirs, mine)
    assert not slow(size, ring, mine, theirs | {answer})[0]
    check_standing(text, size, ring, mine, theirs | {answer})
    return "best try"


def check_standing(text: str, size: int, ring: bool, mine: Numbers, theirs: Numbers) -> None:
    told = re.search(
        r"[Ww]ith (nothing|[0-9, -]+) in play(?: and no safe number|, ([0-9]+|no) safe numbers? for you)"
        r"(?: and ([0-9]+|none) for )?", text
    )  # fmt: skip
    assert told
    kept, lost = private(size, ring, mine, theirs), private(size, ring, theirs, mine)
    both = {*open_to(size, ring, mine, theirs)} & {*open_to(size, ring, theirs, mine)}
    assert (set() if told[1] == "nothing" else expanded(told[1])) == both
    assert (told[2], told[3]) == ((str(len(kept) or "no"), str(len(lost) or "none")) if kept or lost else (None, None))


def pairs_in(text: str, position: Position) -> dict[int, int]:
    """The numbers that answer each other, of "... partner: 1 to 4 with 9 to 6, ..."."""
    pairs: dict[int, int] = {}
    for told in re.findall(r"([0-9][0-9to hen]*) with ([0-9][0-9to hen]*)", text):
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


@pytest.mark.parametrize("size", range(5, 61))
def test_who_starts_on_a_line_wins_in_a_mirror(size: int) -> None:
    """As the rules say, of every line that may be set."""
    first = next(stream(at(f"sequence-duel:size={size}"), Stop()))
    told = re.match(r"Claim ([0-9]+), in the middle\. Answer every claim with its partner: ", first.reason)
    assert told
    assert abs(2 * int(told[1]) - size - 1) <= 1
    position = Position(at(f"sequence-duel:size={size}/{told[1]}"))
    pairs = pairs_in(first.reason, position)
    assert all(abs(pairs[number] - pairs[number + 1]) == 1 for number in pairs if number + 1 in pairs)
    assert set(pairs) >= {*open_to(position.size, position.ring, position.mine, position.theirs)}
    if size <= 16:
        follow(position.turned, pairs)
