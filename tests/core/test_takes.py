"""The checks of arguments: what fits, and the sentence for what does not."""

from __future__ import annotations

import math
from typing import Any

import pytest

from duelbox.core.errors import BadArgument
from duelbox.core.session import Session
from duelbox.core.takes import (
    REAL,
    SEAT,
    SEATS_OF_PEOPLE,
    TEXT,
    TWO_NAMES,
    WHOLE,
    Kind,
    instance,
    is_some,
    shown,
    takes,
    whole,
)
from duelbox.registry import find_game

FITS: list[tuple[Kind, tuple[Any, ...], tuple[Any, ...]]] = [
    (TEXT, ("", "x"), (None, 4, b"x")),
    (WHOLE, (0, -3, 10**30), (True, 1.0, "1", None)),
    (REAL, (0, 1.5, math.inf), (True, math.nan, "1", None)),
    (SEAT, (0, 1), (2, -1, 0.0, None, True)),
    (SEAT.or_none(), (0, 1, None), (2, "0")),
    (SEATS_OF_PEOPLE, ((), (0,), {0, 1}), (0, "0", (2,), None)),
    (TWO_NAMES, (("A", "B"), ["A", "A"]), ("AB", ("A",), ("A", 4), None, {"A", "B"})),
    (whole(1, 5), (1, 5), (0, 6, True)),
    (instance(dict, "a dict"), ({},), ([],)),
    (Kind("some", lambda value: is_some(value, ("a", "b"))), (("a",), ["a", "b"]), ((), "a", ("c",), (4,), None)),
]


@pytest.mark.parametrize(("kind", "right", "wrong"), FITS, ids=lambda part: getattr(part, "words", ""))
def test_a_kind_takes_what_fits_and_names_what_does_not(
    kind: Kind, right: tuple[Any, ...], wrong: tuple[Any, ...]
) -> None:
    for value in right:
        kind.check("f", "x", value)
    for value in wrong:
        with pytest.raises(BadArgument, match=r"f\(x\) takes .*, not ") as refusal:
            kind.check("f", "x", value)
        assert kind.words in refusal.value.sentence


class Untold:
    """A value that cannot be told."""

    def __repr__(self) -> str:
        raise ValueError


def test_a_value_that_cannot_be_told_is_named_by_its_kind() -> None:
    assert shown(Untold()) == "this Untold"
    assert len(shown("x" * 1000)) <= 40


def test_a_function_is_called_with_what_fits_alone() -> None:
    @takes(count=WHOLE)
    def twice(count: int, *, by: int = 2) -> int:
        return count * by

    assert twice(3, by=4) == 12
    with pytest.raises(BadArgument, match=r"twice\(count\) takes a whole number, not 'x'"):
        twice("x")  # type: ignore[arg-type]
    for wrong in ((), (1, 2)):
        with pytest.raises(BadArgument, match=r"twice\(\) takes count, by: "):
            twice(*wrong)  # type: ignore[arg-type]


def test_a_session_refuses_a_seat_that_is_none_and_stays_as_it_is() -> None:
    game = find_game("circle-duel")
    session = Session(game, game.Options())
    move = session.legal_moves()[0]
    before = (session.code(), session.turn)
    for wrong in (2, -1, "0"):
        calls: tuple[Any, ...] = (session.resign, session.view, lambda seat: session.play(move, seat))
        for call in calls:
            with pytest.raises(BadArgument):
                call(wrong)
        assert (session.code(), session.turn) == before
    with pytest.raises(BadArgument, match=r"Session\(names\) takes two names"):
        Session(game, game.Options(), ("A",))
