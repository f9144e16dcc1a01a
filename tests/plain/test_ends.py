"""The end of a match elsewhere, in lines."""

from __future__ import annotations

from pathlib import Path

from tests.plain.test_line_elsewhere import in_lines
from tests.table.elsewhere import two, until


async def test_the_reason_of_an_end_that_is_no_move_is_said_once(tmp_path: Path) -> None:
    async with two(tmp_path, "number-duel:hand=3") as (ann, bob):
        waits, moves = (bob, ann) if ann.my_turn else (ann, bob)
        async with in_lines(waits) as (_, told):
            moves.propose("draw")
            await until(lambda: bool(waits.offered))
            waits.answer(waits.offered.id, yes=True)
            await until(lambda: "Score:" in told.getvalue())
            assert told.getvalue().count("Both players agreed on a draw.") == 1
