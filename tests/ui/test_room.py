"""A table for a projector: board, story and prompt in large figures, and nothing else; people may be teams."""

from __future__ import annotations

import pytest
from textual.content import Content

from duelbox.registry import find_game
from duelbox.table.players import as_teams, named_players, next_teams
from duelbox.ui.widgets.cells import large_digits
from duelbox.ui.widgets.lines import enlarged, enlarged_length
from tests.ui.conftest import Started
from tests.ui.person import click_on, rows_of, table, text_of, until


def names(app: object) -> list[str]:
    return [who.name for who in table(app).table.players]


async def test_a_room_shows_board_story_and_prompt_alone_in_large_figures(started: Started) -> None:
    sizes: dict[bool, int] = {}
    for large in (False, True):
        async with started("circle-duel:size=16", "Ann", "Bo", size=(120, 40), large=large) as (app, pilot):
            sizes[large] = table(app).board.regions()["4"].area
            await pilot.press("4", "enter", "5")
            shown = text_of(app)
            for around in ("esc Home", "duelbox", "Number Circle Duel", "1 picked", "Moves"):
                assert (around in shown) is not large
            below = "\n".join(rows_of(app)[-7:])
            for number in ("4", "5"):
                assert all(line in below for line in large_digits(number, 1)) is large
            await pilot.press("backspace", "9", "enter")
            told = table(app).state.prompts.note
            assert told
            assert told in text_of(app), "refusals are still told"
    assert sizes[True] > 1.5 * sizes[False]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
@pytest.mark.parametrize("plain", [False, True])
async def test_the_board_of_a_room_is_as_high_as_otherwise_or_higher(
    started: Started, size: tuple[int, int], plain: bool
) -> None:
    rows: dict[bool, int] = {}
    for large in (False, True):
        async with started("sequence-duel/10.13", "Ann", "Bo", size=size, large=large, ascii=plain) as (app, pilot):
            await pilot.press("4")
            rows[large] = table(app).board.size.height
            assert "Bo claims" in text_of(app)
            assert "Ann, your move" in text_of(app)
            assert not plain or text_of(app).isascii()
    assert rows[True] >= rows[False]


async def test_the_words_about_enter_are_clicked_beside_large_figures_too(started: Started) -> None:
    async with started("sequence-duel", "Ann", "Bo", large=True) as (app, pilot):
        await pilot.press("1", "3")
        await click_on(pilot, "Enter claims 13")
        assert table(app).session.code() == "sequence-duel/13"


async def test_the_card_of_the_end_stands_whole_in_a_room(started: Started) -> None:
    for size in ((60, 20), (80, 24), (120, 40)):
        async with started("sequence-duel:size=5/3", "Ann", "Bo", large=True, size=size) as (app, pilot):
            await pilot.press("1", "enter", "5", "enter")
            await until(pilot, lambda: "next game" in text_of(app))
            assert "Ann wins" in text_of(app)


async def test_two_people_may_be_teams_and_enter_calls_the_next_two(started: Started) -> None:
    async with started("sequence-duel:size=5", "Ann", "Bo", large="teams", size=(120, 40)) as (app, pilot):
        assert names(app) == ["Team 1", "Team 2"]
        first = table(app).session
        await pilot.press("3", "enter")
        assert "Team 1 claims" in text_of(app)
        await pilot.press("1", "enter", "5", "enter")
        await until(pilot, lambda: "Team 3 and Team 4" in text_of(app))
        table(app).state.began = 0.0
        await pilot.press("enter")
        await until(pilot, lambda: table(app).session is not first)
        assert names(app) == ["Team 3", "Team 4"]
        assert "Team 3, your move" in text_of(app)


async def test_a_person_against_a_computer_is_no_team(started: Started) -> None:
    async with started("sequence-duel:size=5", "Ann", "bot:1", large="teams") as (app, _):
        assert names(app) == ["Ann", "Dash"]
        assert table(app).table.with_next_teams() is None


def test_teams_go_on_with_the_next_numbers_and_others_are_no_teams() -> None:
    game = find_game("sequence-duel")
    ann, teams = (named_players(game, players) for players in (("Ann", "Bo"), ("Team 7", "Team 8")))
    assert [who.name for who in next_teams(teams)] == ["Team 9", "Team 10"]
    assert as_teams(teams) == teams
    assert next_teams(ann) is None
    assert [who.name for who in as_teams(ann)] == ["Team 1", "Team 2"]


def test_only_numbers_are_enlarged_and_keep_their_style() -> None:
    line = Content.assemble(("◆", "red"), " picks ", ("12", "bold"), ".")
    rows = enlarged(line)
    assert [row.cell_length for row in rows] == [enlarged_length(line)] * 3
    assert "picks" in rows[1].plain
    assert [any(span.style == "bold" for span in row.spans) for row in rows] == [True] * 3
    assert [row.plain.strip(" .") for row in rows][::2] == [large_digits("12", 1)[at] for at in (0, 2)]
