"""A computer's answer to an offered draw betrays nothing about its hidden hand."""

from __future__ import annotations

from random import Random

import pytest

from duelbox.bots import agrees
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.registry import find_game
from tests.effort import sampled

GAME = find_game("number-duel")


@pytest.mark.parametrize("level", ["dash", "peek", "counter", "planner", "oracle"])
@pytest.mark.parametrize("stay", [False, True])
def test_the_answer_is_the_same_in_every_world_that_looks_alike(level: str, stay: bool) -> None:
    rng, told = Random(level), set[bool]()
    for seed in range(sampled(5, 12)):
        session = Session(GAME, GAME.Options(hand=4, seed=seed, victors_stay=stay))
        while session.turn is not None:
            view, seat = session.view(session.turn), 1 - session.turn
            said = agrees(GAME, view, level, seat)
            told.add(said)
            for asker in (0, 1):
                world = GAME.worlds(session.view(asker), Rng(rng.getrandbits(32)))
                there = GAME.view(world, session.turn)
                assert agrees(GAME, there, level, seat) == said
            session.play(rng.choice(session.legal_moves()))
    assert told >= ({True, False} if level in ("planner", "oracle") else {True})
