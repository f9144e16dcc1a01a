"""Sequence Duel: the example of its description move by move, and the edge cases of every house rule."""

from __future__ import annotations

import pytest

from duelbox.core.errors import IllegalMove
from duelbox.core.model import ranges
from duelbox.core.picking import Pick
from duelbox.games.sequence_duel import rules
from tests.positions import at, expanded, legal

# The seed's example: who claims what, the numbers next to the rival's as they stand before, the line afterwards.
# At turn 4 its command-line sample shows 6 and 8 only; its turn-by-turn text, which says 6, 8, 9 and 11, is right.
SEED_GAME = [
    (1, 10, [], "1-9, 11-20", ([10], [])),
    (2, 13, [9, 11], "1-9, 11, 12, 14-20", ([10], [13])),
    (1, 7, [12, 14], "1-6, 8, 9, 11, 12, 14-20", ([10, 7], [13])),
    (2, 16, [6, 8, 9, 11], "1-6, 8, 9, 11, 12, 14, 15, 17-20", ([10, 7], [13, 16])),
]


def test_the_seeds_example_move_by_move() -> None:
    state = rules.start(rules.Options())
    assert state.open_to(0) == tuple(range(1, 21)) == state.open_to(1)
    for player, number, barred, line, claimed in SEED_GAME:
        seat = player - 1
        assert state.turn == seat
        unclaimed = [n for n in state.numbers if state.owner(n) is None]
        assert list(state.open_to(seat)) == [n for n in unclaimed if n not in barred]
        for near in barred:
            with pytest.raises(IllegalMove):
                rules.apply(state, seat, Pick(number=near))
        state, events = rules.apply(state, seat, Pick(number=number))
        assert [event.sentence for event in events] == [f"Player {player} claims {number}."]
        unclaimed = [n for n in state.numbers if state.owner(n) is None]
        assert (ranges(unclaimed), set(unclaimed)) == (line, expanded(line))
        assert [list(state.picked(one)) for one in (0, 1)] == list(claimed)
    assert state.outcome is None


@pytest.mark.parametrize(
    ("code", "winner", "reason"),
    [
        ("sequence-duel:size=5/2.4.1.5", 1, "Player 1 has no number left to claim."),
        ("sequence-duel:size=5/3.1.4", 0, "Player 2 has no number left to claim."),
        ("sequence-duel:size=5,ring=on/1.3.5", 0, "Player 2 has no number left to claim."),
        ("sequence-duel:size=6,ring=on/1.4.2.5", 1, "Player 1 has no number left to claim."),
    ],
)
def test_who_cannot_claim_loses(code: str, winner: int, reason: str) -> None:
    before, _, _ = code.rpartition(".")
    assert at(before).outcome is None
    outcome = at(code).outcome
    assert (outcome.winner, outcome.reason) == (winner, reason)


@pytest.mark.parametrize(
    ("code", "choices"),
    [
        ("sequence-duel/1", "3-20"),
        ("sequence-duel/20", "1-18"),
        ("sequence-duel:ring=on/1", "3-19"),
        ("sequence-duel:ring=on/20", "2-18"),
        ("sequence-duel:ring=on/1.19", "2-17"),
        ("sequence-duel/10.13", "1-9, 11, 15-20"),  # 9 and 11 are next to one's own 10
        ("sequence-duel:size=60/30", "1-28, 32-60"),
        ("sequence-duel:size=5/3.1", "4, 5"),
    ],
)
def test_what_is_next_to_what(code: str, choices: str) -> None:
    assert {int(text) for text in legal(code)} == expanded(choices)


def test_every_claim_has_its_owner() -> None:
    state = at("sequence-duel/10.13.7.16.1.20.4")
    assert [state.owner(number) for number in state.picks] == [0, 1, 0, 1, 0, 1, 0]
    assert (state.picked(0), state.picked(1)) == ((10, 7, 1, 4), (13, 16, 20))
    assert state.owner(2) is None
