"""The match as two friends agree on it is a value, equal on both sides and for a watcher after each message."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError

import pytest

from duelbox.friends import messages as m
from duelbox.friends.effects import applied
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.ledger import Ledger
from duelbox.friends.side import WatcherSide
from tests.friends.rooms import WATCH, Pair, hello_of, play_some_move
from tests.friends.test_lossy import CODES


@pytest.mark.parametrize("code", CODES)
def test_both_sides_and_a_watcher_agree_after_every_message(code: str) -> None:
    pair, rng, watcher = Pair(code, 7, rounds=2, answer=False), random.Random(7), WatcherSide(WATCH)
    pair.guest.answer_invitation("Bob", "1")
    known: dict[int, Ledger] = {}
    while pair.host.ledger.stage != "over":
        mover = pair.mover()
        if mover is not None:
            play_some_move(mover, rng)
        for machine in pair.machines:
            machine.put(pair.log)
        for side in (pair.host, pair.guest, watcher):
            for entry in pair.log.entries[side.since :]:
                side.receive(entry)
                assert known.setdefault(entry.seq, side.ledger) == side.ledger
    assert pair.host.stopped is pair.guest.stopped is watcher.stopped is None
    assert len(known) == len(pair.log.entries)


def test_a_match_does_not_change_when_the_next_is_made_from_it() -> None:
    hello = hello_of("sequence-duel")
    empty = Ledger("place")
    asked, _ = applied(empty, m.HOST, hello)
    assert empty == Ledger("place")
    assert asked.stage == "asked"
    with pytest.raises(FrozenInstanceError):
        asked.stage = "play"
    with pytest.raises(Cheat):
        applied(asked, m.HOST, hello)
    assert applied(empty, m.HOST, hello) == (asked, ())
