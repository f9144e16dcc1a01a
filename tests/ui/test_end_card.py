"""The card at the end of a game: its words, its height, and its place beside the numbers of the board."""

from __future__ import annotations

import random
from typing import Any

import pytest
from textual.geometry import Region

from duelbox.core.match import Match
from duelbox.core.model import Seat
from duelbox.core.session import Session
from duelbox.table.end_card import card, drawn_lead
from duelbox.table.new_game import read_new_game
from duelbox.ui.screens.table_layout import OVER, TALL
from duelbox.ui.widgets.end_card import EndCard, Face
from tests.ui.conftest import Started
from tests.ui.person import table, text_of, until

RINGS = ("circle-duel:size=16,reach=2,trails=own,gaps=1,seed=3", "number-circle:target=13,shared_total=on,floor=0")
ROWS = ("sequence-duel", "digit-chain", "number-duel:seed=5")
WON = "number-duel:hand=3,deal=132-321/3x2.3x1"
HELPED = "circle-duel:size=13,reach=2,trails=own,gaps=2,seed=8/10.4.12.6.13.5.2.7.1.8"


def played(code: str, seed: int) -> str:
    """A game by these rules without its last move, and the last move."""
    session: Session = read_new_game(code).session
    chance = random.Random(seed)
    while session.turn is not None:
        session.play(chance.choice(session.legal_moves()))
    return session.code()


async def shown(app: Any, pilot: Any) -> EndCard:
    await until(pilot, lambda: table(app).state.judged is not None)
    await pilot.pause()
    card: EndCard = app.screen.query_one(EndCard)
    assert card.display
    return card


def covered(app: Any, card: EndCard) -> set[str]:
    """The numbers of the board below the blank region of the card."""
    board = table(app).board
    at = board.region.offset
    return {name for name, region in board.drawing().targets.items() if region.translate(at).overlaps(card.region)}


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
@pytest.mark.parametrize("code", [*RINGS, *ROWS])
async def test_it_covers_no_number_of_the_board(started: Started, code: str, size: tuple[int, int]) -> None:
    async with started(played(code, 2), p1="Ann", p2="bot:2", size=size) as (app, pilot):
        card = await shown(app, pilot)
        board = table(app).board
        drawing = board.drawing()
        face: Region = app.screen.query_one(Face).region
        assert card.region.contains_region(face)
        if any(room.translate(board.region.offset).contains_region(card.region) for room in drawing.rooms):
            return
        if drawing.track and size[1] < TALL:
            assert card.region.y >= board.region.bottom - OVER, "a ring without room for it loses its lowest rows"
            return
        assert (card.region.x, card.region.width) == (board.region.x, board.region.width), "rows, from edge to edge"
        rows = drawing.canvas.dump().split("\n")[card.region.y - board.region.y :][: card.region.height]
        assert not any(row.strip() for row in rows), text_of(app)


async def test_a_ring_has_it_in_its_middle_over_the_old_words(started: Started) -> None:
    async with started(played(RINGS[0], 2), p1="Ann", p2="bot:2") as (app, pilot):
        card, board = await shown(app, pilot), table(app).board
        assert card.region in [room.translate(board.region.offset) for room in board.drawing().rooms]
        assert "you reach" not in text_of(app)
        await pilot.press("u")
        assert "you reach" in text_of(app)
        await pilot.press("y")
        face = app.screen.query_one(Face).region
        assert abs((face.x - card.region.x) - (card.region.right - face.right)) <= 1


async def test_a_ring_without_room_has_it_over_its_lowest_rows_with_all_its_words(started: Started) -> None:
    async with started("circle-duel/4.5.6.7.8.9.10.1.2.3", p1="Ann", p2="bot:2", size=(80, 24)) as (app, pilot):
        card = await shown(app, pilot)
        assert not card.inside
        assert (card.region.y, card.region.bottom) == (14, 22)
        assert "Who could win" in text_of(app)
        assert "copy the game" in text_of(app)


@pytest.mark.parametrize("code", [RINGS[0], *ROWS])
async def test_a_note_does_not_move_it(started: Started, code: str) -> None:
    async with started(played(code, 2), p1="Ann", p2="bot:2") as (app, pilot):
        await shown(app, pilot)
        before = app.screen.query_one(Face).region
        table(app).say("A hand of cards that was dealt cannot be undone, since both have seen what stood there by now.")
        await pilot.pause()
        assert app.screen.query_one(Face).region == before
        assert "cannot be undone" in " ".join(text_of(app).split())


async def test_the_bar_says_who_could_win(started: Started) -> None:
    won = "sequence-duel/11.3.9.18.6.15.13.1.20.4.7.16.8.2.10.17.12"
    async with started(won, p1="Ann", p2="bot:2") as (app, pilot):
        await shown(app, pilot)
        assert "you, from turn 1" in text_of(app)
    async with started(HELPED, p1="Ann", p2="bot:2", delay=10_000) as (app, pilot):
        await shown(app, pilot)
        assert "Peek, from turn 5" in text_of(app)


@pytest.mark.parametrize("turns", range(1, 90))
def test_the_bar_of_the_lead_ends_in_the_colour_of_who_leads_at_the_end(turns: int) -> None:
    lead: list[Seat | None] = [0] * (turns - 1) + [1]
    for room in (1, 7, 24, 60):
        drawn = drawn_lead(lead, room)
        assert drawn[-1] == 1, "the last turn alone changed hands"
        assert len(drawn) <= min(turns, room)


async def test_the_computer_names_its_own_mistake(started: Started) -> None:
    code = played("sequence-duel", 5)
    async with started(code, p1="Ann", p2="bot:2") as (app, pilot):
        await shown(app, pilot)
        slips = [one for one in table(app).state.judged or () if one.turning and one.seat == 1]
        said = " ".join(text_of(app).replace("│", "").split())
        assert slips
        assert f"“At turn {slips[-1].ply} I played {slips[-1].move}; {slips[-1].best.move} would have won.”" in said


async def test_in_the_second_seat_the_computer_names_its_own_mistake_and_not_mine(started: Started) -> None:
    async with started(played("sequence-duel", 5), p1="Ann", p2="bot:2") as (app, pilot):
        await shown(app, pilot)
        state = table(app).state
        state.table.match = Match(first=1)
        state.table.sit_down(state.table.players)
        slips = [one for one in state.judged or () if one.turning and one.seat == 0]
        text = card(state, "", "")
        assert slips
        assert text is not None
        assert [words.partition(" I played")[0] for kind, words in text.lines if kind == "computer"] == [
            f"Peek: \u201cAt turn {slips[-1].ply}"
        ]


async def test_a_win_with_help_is_not_flawless(started: Started) -> None:
    code = "sequence-duel/11.3.9.18.6.15.13.1.20.4.7.16.8.2.10.17"
    async with started(code, p1="Ann", p2="bot:2") as (app, pilot):
        await pilot.press("h", "h", "h", "enter")
        await shown(app, pilot)
        said = " ".join(text_of(app).replace("│", "").split())
        assert "Flawless" not in said
        assert "Won with help. Peek has no number left to claim." in said
        assert "Right moves, with help: 5 of 5" in said
        assert "Only a win without help counts on the ladder." in said


async def test_a_match_has_its_points_in_the_title(started: Started) -> None:
    won = "sequence-duel/11.3.9.18.6.15.13.1.20.4.7.16.8.2.10.17"
    async with started(won, p1="Ann", p2="bot:2", rounds=5) as (app, pilot):
        await pilot.press("1", "2", "enter")
        assert "1 : 0 after round 1" in next(row for row in text_of(app).split("\n") if "╭─ You win" in row)


async def test_it_unfolds_from_its_middle_and_any_key_ends_that(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.ui.widgets.end_card.UNFOLD", 3600)
    won = "sequence-duel/11.3.9.18.6.15.13.1.20.4.7.16.8.2.10.17"
    for level in ("full", "none"):
        async with started(won, p1="Ann", p2="bot:2", animation=level) as (app, pilot):
            await pilot.press("1", "2", "enter")
            await until(pilot, lambda: table(app).state.judged is not None)
            table(app).board.finish_motion()
            await pilot.pause()
            face, card = app.screen.query_one(Face), app.screen.query_one(EndCard)
            folded = face.region
            assert (folded.height < card.region.height) == (level == "full")
            assert ("n another" not in text_of(app)) == (level == "full")
            await pilot.press("down")
            assert face.region.height == card.region.height
            assert abs(2 * folded.y + folded.height - 2 * face.region.y - face.region.height) <= 1
            assert "n another" in text_of(app)


@pytest.mark.parametrize(
    ("code", "again"),
    [("digit-chain/26.61", "try turn 3 again"), ("sequence-duel/10.13", "try turn 3 again"), (WON, "")],
)
async def test_who_resigns_a_won_game_is_told_so_and_may_try_it_again(started: Started, code: str, again: str) -> None:
    async with started(code, p1="Ann", p2="bot:2") as (app, pilot):
        await pilot.press("g", "g")
        await shown(app, pilot)
        said = " ".join(text_of(app).replace("│", "").split())
        assert "You resigned a game you could still win." in said
        assert "No slip" not in said
        assert (again in said) if again else "try turn" not in said
        assert "You resigned." not in said


async def test_after_the_game_nothing_is_said_twice_and_the_computer_has_a_name(started: Started) -> None:
    async with started(HELPED, p1="Ann", p2="bot:2", size=(80, 24)) as (app, pilot):
        await shown(app, pilot)
        assert text_of(app).lower().count("another") == 1
        local, plies = table(app).table, table(app).session.plies
        local.remarks.note(len(plies), plies[-1].move, "It is near.", "")
        table(app).sync()
        await pilot.press("w")
        assert "Peek: It is near." in text_of(app)


@pytest.mark.parametrize("code", ROWS)
async def test_the_reason_for_the_end_stands_on_the_card_alone(started: Started, code: str) -> None:
    async with started(played(code, 2), p1="Ann", p2="bot:2") as (app, pilot):
        await shown(app, pilot)
        reason = table(app).session.outcome.reason
        words = " ".join(text_of(app).replace("│", "").split())
        told = [one for one in ("cannot move", "no number left", "last numbers are gone") if one in words]
        assert len(told) == 1, reason
        assert words.count(told[0]) == 1
