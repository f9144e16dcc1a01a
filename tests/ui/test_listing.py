"""Columns of a Listing, fitted to the width."""

from __future__ import annotations

import pytest
from textual.app import ComposeResult

from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.widgets.listing import Column, Listing, widths

COLUMNS = (Column("Name", least=4), Column("Game"), Column("Won", right=True, extra=1), Column("Best", extra=2))
ROWS = (("Alexandra", "Sequence", "3", "2"), ("Bo", "Digit", "12", "1"))


@pytest.mark.parametrize(
    ("room", "wanted"),
    [
        (100, [9, 8, 3, 4]),
        (32, [9, 8, 3, 4]),
        (31, [9, 8, 3, 0]),
        (26, [9, 8, 3, 0]),
        (25, [9, 8, 0, 0]),
        (20, [8, 8, 0, 0]),
        (16, [4, 8, 0, 0]),
        (1, [4, 8, 0, 0]),
    ],
)
def test_what_is_extra_goes_first_and_then_names_are_cut(room: int, wanted: list[int]) -> None:
    assert widths(COLUMNS, ROWS, room) == wanted


class Alone(TerminalApp):
    def compose(self) -> ComposeResult:
        yield Listing(*COLUMNS)

    def on_mount(self) -> None:
        self.query_one(Listing).fill((*ROWS, ("[b]Cy[/b]", "Digit", "1", "1")))


async def test_rows_are_plain_text_in_columns_that_follow_the_width() -> None:
    app = Alone()
    async with app.run_test(size=(40, 10)) as pilot:
        listing = app.query_one(Listing)
        lines = [listing.render_line(y).text.rstrip() for y in range(4)]
        assert lines == [
            " Name       Game      Won  Best",
            " Alexandra  Sequence    3  2",
            " Bo         Digit      12  1",
            " [b]Cy[/b]  Digit       1  1",
        ]
        listing.move_cursor(row=1)
        await pilot.resize_terminal(22, 10)
        assert [column.label.plain for column in listing.ordered_columns] == ["Name", "Game"]
        assert listing.render_line(1).text.rstrip() == " Alexandra  Sequence"
        await pilot.resize_terminal(19, 10)
        assert listing.render_line(1).text.rstrip() == " Alexa…  Sequence"
        assert listing.cursor_row == 1
        listing.fill(())
        assert listing.row_count == 0
