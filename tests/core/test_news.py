"""News and offers: plain values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from duelbox.core import news
from duelbox.core.code import parse_code
from duelbox.core.offer import Offer
from duelbox.registry import find_game


def test_news_are_values_that_nobody_changes() -> None:
    session = parse_code("circle-duel/4.5", find_game)
    moved = news.Moved(0, session.plies[0])
    assert moved == news.Moved(0, session.plies[0]) != news.Moved(1, session.plies[1])
    with pytest.raises(FrozenInstanceError):
        moved.by = 1  # type: ignore[misc]


@pytest.mark.parametrize(("kind", "word"), [("undo", "undo"), ("draw", "draw"), ("rematch", "rematch")])
def test_an_offer_names_who_asks_for_what_and_who_answered(kind: str, word: str) -> None:
    offer = Offer(7, 0, kind)  # type: ignore[arg-type]
    assert offer.asks("Ann").startswith("Ann ")
    assert word in offer.asks("Ann")
    assert offer.answered("Ben", yes=False) == "Ben said no."
    assert word in offer.lapsed("Your")
    assert (offer.answered("Ben", yes=True) == "Ben said yes.") == (kind != "undo")
