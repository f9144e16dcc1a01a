"""The hands of Number Duel as drawn in little room."""

import random
import re

import pytest

from duelbox.core.session import Session
from duelbox.games.number_duel import GAME as NUMBER_DUEL
from tests.ui.board_positions import Position


@pytest.mark.parametrize("seed", range(4))
def test_no_fact_about_a_hand_is_cut_off_in_a_narrow_window(seed: int) -> None:
    options, rng = NUMBER_DUEL.Options(hand=7, seed=seed), random.Random(seed)
    session = Session(NUMBER_DUEL, options)
    while session.turn is not None:
        view = NUMBER_DUEL.view(session.state, session.turn)
        if any(view.gone):
            lines = Position("", session.code()).draw(60, 13).canvas.dump().split("\n")
            (row,) = (line for line in lines if re.search("lost|spent", line))
            told = [(word, spread(numbers)) for word, numbers in re.findall("(lost|spent) ([0-9 -]+)", row)]
            words = {"removed": "lost", "spent": "spent"}
            gone = [(words[how], {one.number for one in hand if one.how == how}) for hand in view.gone for how in words]
            assert sorted(told, key=str) == sorted((one for one in gone if one[1]), key=str), row
        session.play(rng.choice(NUMBER_DUEL.legal_moves(view)))


def spread(numbers: str) -> set[int]:
    """The numbers of "1-3 5"."""
    runs = (one.partition("-") for one in numbers.split())
    return {number for first, _, last in runs for number in range(int(first), int(last or first) + 1)}
