"""Proofs as lines: written, read, checked, and refused with the moves that refute them."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from random import Random
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import Seat, other
from duelbox.proof.api import Proving
from duelbox.proof.checker import check
from duelbox.proof.line import Proof, checksum, read_proof
from duelbox.proof.writer import Claim, write_proof
from duelbox.registry import find_game, part
from tests.effort import tries
from tests.proof import second_checker
from tests.proof.slow import Judge

WON: dict[str, Seat] = {
    "circle-duel": 1,
    "circle-duel:size=7": 0,
    "circle-duel:reach=2,without=3-4": 1,
    "circle-duel:size=9,reach=2,trails=own/3.5": 0,
    "sequence-duel:size=8": 0,
    "sequence-duel:size=6,ring=on": 1,
    "digit-chain/11.15": 0,
}
"""Positions and the seats that win them."""
CLAIMS = ()
"""Proofs in which rules are claimed."""


def summed(code: str, side: str, answers: str) -> str:
    """A line with a sum that fits."""
    line = f"duelbox proof 1 {code} {side} {answers}"
    return f"{line} {checksum(line)}"


def proved(code: str, side: Seat) -> Proof:
    """A proof with the first winning answers of a slow judge."""
    game = find_game(code.partition("/")[0].partition(":")[0])
    judge = Judge(game)

    def answer(view: Any) -> Any:
        for move in game.legal_moves(view):
            after, _ = game.apply(view, view.turn, move)
            if after.outcome or not judge.wins(after):
                return move
        raise AssertionError(f"{code} is lost")

    return write_proof(code, side, answer)


@pytest.mark.parametrize(("code", "side"), WON.items())
def test_a_proof_is_written_read_and_accepted(code: str, side: Seat) -> None:
    proof = proved(code, side)
    again = read_proof(f"  {proof.line.removeprefix('duelbox ')}\n")
    assert again == proof
    verdict = check(again)
    assert verdict.proved
    assert verdict.sentence.startswith(f"Proved: Player {side + 1} wins {code}: ")


def claimed(code: str, images: dict[int, int]) -> Proof:
    """A proof by partners alone."""
    proving = part("circle-duel", "proof", Proving)
    assert proving is not None
    claim = Claim(proving.lemmas[0], images)
    return write_proof(code, 1, lambda view: None, lambda view: claim)


def test_a_rule_closes_all_that_it_covers() -> None:
    verdict = check(claimed("circle-duel:size=6", {1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5}))
    assert verdict.sentence == "Proved: Player 2 wins circle-duel:size=6: 1 position."


def test_a_rule_that_does_not_hold_is_refused_with_its_reason() -> None:
    proof = claimed("circle-duel:size=6", {1: 2, 2: 1, 3: 4, 4: 3})
    assert check(proof).sentence == "Not proved: partners does not hold. 5 has no partner."


def mutated(proof: Proof, rng: Random) -> Proof:
    """The proof with a bit turned, letters lost or added, another side or another position; its sum is made good."""
    way = rng.randrange(8)
    if way == 0:
        return proof.changed(side=1 - proof.side)
    if way == 1:
        return proof.changed(code=rng.choice(list(WON)))
    data = bytearray(urlsafe_b64decode(proof.answers + "=" * (-len(proof.answers) % 4)))
    if way == 2:
        del data[rng.randrange(len(data)) :]
    elif way == 3:
        data.append(rng.randrange(256))
    else:
        bit = rng.randrange(1, 8 * len(data))
        data[bit // 8] ^= 128 >> bit % 8
    return proof.changed(answers=urlsafe_b64encode(data).rstrip(b"=").decode("ascii"))


def test_a_mutated_proof_is_refused_with_a_true_line_or_still_proves() -> None:
    rng = Random(5)
    proofs = [proved(code, side) for code, side in WON.items()]
    proofs += [claimed("circle-duel:size=6", {1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5})]
    proofs += [read_proof(line) for line in CLAIMS]
    accepted = refused = 0
    for _ in range(tries(2000)):
        proof = mutated(rng.choice(proofs), rng)
        if not proof.answers:
            continue
        verdict = check(read_proof(proof.line))
        assert second_checker.holds(proof.line) == verdict.proved, proof.line
        session = parse_code(proof.code, find_game)
        if verdict.proved:
            accepted += 1
            winner = session.turn
            if not Judge(session.game).wins(session.state):
                winner = other(session.turn)
            assert winner == proof.side, proof.line
            continue
        refused += 1
        for move in verdict.at:
            session.type(move)
        if session.outcome:
            assert session.outcome.winner != proof.side
            assert session.outcome.reason == verdict.fault
    assert accepted > 3
    assert refused > 30


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A proof is a line: duelbox proof 1 CODE SIDE ANSWERS SUM."),
        ("duelbox proof", "A proof is a line: .* This one has 0 words after proof, not 5."),
        ("proof 2 circle-duel 2 AAA 41c1793c", "This proof has format '2', and this duelbox reads format 1."),
        ("proof 1 circle-duel 3 AAA 41c1793c", "The side is 1 or 2, not '3'."),
        ("proof 1 circle-duel 1 AAA 41c1793c", "The line is damaged: its sum does not fit. Copy it again, whole."),
        ("proof 1 circle-duel 2 A\u00c4A 41c1793c", "The line is damaged: a proof is printable ASCII."),
        ("proof 1 circle-duel 2 AAA 41c1793c more", "A proof is a line: .* This one has 6 words after proof, not 5."),
        (summed("circle-duel", "2", "A"), "The answers are damaged: they are no base64url word."),
        (summed("circle-duel", "2", "AAB"), "The answers are damaged: they are no base64url word."),
        (summed("circle-duel", "2", "A=A"), "The answers are damaged: they are no base64url word."),
        (summed("circle-duel", "2", "gAA"), "The answers are damaged: their first bit is not 0."),
        (summed("number-circle", "2", "AAA"), "Number Circle may go round in circles, so there are no proofs of it."),
        (summed("number-duel", "2", "AAA"), "Number Duel has chance, so there are no proofs of it."),
        (summed("circle-duel:size=4/1.2.3.4", "2", "AAA"), "The game is over there: nothing is left to prove."),
        (summed("circle-duel:size=4/1.3", "2", "AAA"), "Move 2, '3': .*"),
        (summed("no-game", "2", "AAA"), "There is no game 'no-game'.*"),
        (summed("circle-duel:gaps=2", "2", "AAA"), "The gaps of a proof are named, not drawn: .*"),
        ("proof 1 " + "9" * 300_000, "The line of a proof has at most 250,000 characters."),
    ],
)
def test_a_text_that_is_no_proof_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(DuelboxError) as refused:
        check(read_proof(text))
    assert re.fullmatch(sentence, refused.value.sentence)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (summed("circle-duel", "2", "AA"), "Not proved: after 7: the answers end here, and the game goes on."),
        (summed("circle-duel", "2", "AAAA"), "Not proved: answers are left over at its end."),
        (
            summed("circle-duel", "1", "AAAA"),
            "Not proved: after 1 2 3 4 5 6 7 8 9 10: Player 1 cannot move: nothing next to 10 is left.",
        ),
    ],
)
def test_a_line_that_proves_nothing_is_refused_at_its_moves(line: str, sentence: str) -> None:
    assert check(read_proof(line)).sentence == sentence


def test_a_walk_stops_at_a_hundred_thousand_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.proof.checker.MOST_POSITIONS", 50)
    verdict = check(read_proof(summed("circle-duel", "2", "AAA")))
    assert verdict.sentence == "Not proved: it goes on after 50 positions, where every check stops."
