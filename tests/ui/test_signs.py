"""The signs on the numbers of all boards."""

from __future__ import annotations

from typing import Any

import pytest

from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.cells import sign_of


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_hollow_sign_on_a_number_is_that_of_the_only_player_who_can_take_it(seat: Any, glyphs: Glyphs) -> None:
    """The signs go with the seat, in every game, whoever looks."""
    assert sign_of(Cell(5, open_to=(seat,)), glyphs) == (glyphs.hollow[seat], f"seat-{seat}")
    assert sign_of(Cell(5, open_to=(0, 1)), glyphs) == ("", "")
    assert sign_of(Cell(5), glyphs)[0] not in glyphs.hollow
