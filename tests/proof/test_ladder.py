"""The ladder of theorems: every proof on it holds, and takes the questions that it says."""

from __future__ import annotations

from itertools import pairwise

import pytest

from duelbox.proof import walk as walks
from duelbox.proof.checker import check
from duelbox.proof.deal import deal_of
from duelbox.proof.ladder import RUNGS, Rung
from duelbox.proof.line import read_proof
from tests.effort import SHARE
from tests.proof import second_checker

MOST = 80
"""The most questions of a rung."""
FEW = 7
"""Rungs with more questions are walked in the long tests alone."""
FEW_POSITIONS = 300
"""Proofs with more positions are judged by the second checker in the long tests alone."""


def test_the_ladder_goes_up_and_no_position_stands_on_it_twice() -> None:
    assert len(RUNGS) >= 12
    assert all(one.questions <= two.questions for one, two in pairwise(RUNGS))
    assert RUNGS[0].questions >= 1
    assert RUNGS[-1].questions <= MOST
    assert len({rung.code for rung in RUNGS}) == len({rung.name for rung in RUNGS}) == len(RUNGS)
    assert {rung.code.partition(":")[0] for rung in RUNGS} == {"circle-duel", "sequence-duel", "digit-chain"}


@pytest.mark.parametrize("rung", RUNGS, ids=[rung.name for rung in RUNGS])
def test_the_proof_of_a_rung_holds(rung: Rung) -> None:
    proof = read_proof(rung.proof)
    verdict = check(proof)
    assert verdict.proved
    assert verdict.code == proof.code == rung.code
    if SHARE == 1 or verdict.positions < FEW_POSITIONS:
        assert second_checker.holds(rung.proof)


@pytest.mark.parametrize(
    "rung", [rung for rung in RUNGS if SHARE == 1 or rung.questions < FEW], ids=lambda rung: rung.name
)
def test_answering_as_the_proof_takes_the_questions_of_the_rung(rung: Rung) -> None:
    walk = walks.choose(walks.begin(rung.code), read_proof(rung.proof).side)
    deal = deal_of(rung.code)
    while (at := walks.look(walk).at) is not None:
        spot = deal.after(at)
        assert spot is not None
        walk = walks.answer(walk, str(spot.number_of(deal.known[spot.shape])))
    assert len(walk.right) == rung.questions
    assert check(walks.proof_of(walk)).proved
