"""The move line: clicks and typing never mix into another move, and nothing is played by accident."""

from __future__ import annotations

from typing import Any

import pytest
from textual import events

from duelbox.table.state import TableState
from duelbox.ui.widgets.end_card import Face
from tests.ui.conftest import END_SECONDS, END_SECONDS_OF_PLAYERS, Started
from tests.ui.person import Acting, Keys, click_on, rows_of, table, text_of, until

ROWS = "digit-chain:zero=no-tens"


def at(app: object) -> TableState:
    return table(app).state


TYPED = {
    ROWS: (("right right down 2", "2"), ("down right 1 9", "19")),
    "circle-duel": (("right 9", "9"), ("right 1 0", "10"), ("a b c", "")),
    "circle-duel/4": (("9 enter 3", "3"),),
    "sequence-duel": (
        ("right right 1 5", "15"),
        ("- 1", "-1"),
        ("3 space 4", "3 4"),
        ("3 , 5", "3,5"),
        ("５", "５"),
        ("1 z b 2", "12"),
    ),
    "number-circle": (
        ("right +", "+2"),
        ("right -", "-2"),
        ("right - +", "+2"),
        ("+ 9 -", "-9"),
        ("9 +", "+9"),
        ("2 enter + 3", "+3"),
    ),
    "number-duel": (("3 2", "3x2"), ("right 4", "1x4"), ("right 4 0", "1x40"), ("right right 2 x 2", "2x2")),
    "number-duel:arrange=chosen": (("right enter 3 3 9 0 1 2", "132"),),
}


@pytest.mark.parametrize("code", TYPED)
async def test_what_is_typed_takes_the_place_of_what_was_pointed_at(started: Started, code: str) -> None:
    async with started(code, p1="Ann", p2="Bo") as (app, pilot):
        for keys, line in TYPED[code]:
            await pilot.press(*reset(app), *keys.split())
            assert at(app).line == line, keys


def on_card(app: Any) -> str:
    """The words on the card at the end."""
    return " ".join(" ".join(line.plain for line in app.screen.query_one(Face).lines).split())


def reset(app: object) -> list[str]:
    """Press Escape only while it closes something: on an empty line it leads home."""
    return ["escape"] if at(app).line or at(app).said or at(app).refusal else []


async def test_what_was_clicked_gives_way_to_what_is_typed(started: Started) -> None:
    async with started("sequence-duel", p1="Ann", p2="Bo") as (app, pilot):
        await click_on(pilot, " 13 ")
        await pilot.press("1", "7")
        assert at(app).line == "17"


async def test_escape_takes_the_cursor_off_and_enter_then_does_nothing(started: Started) -> None:
    async with started("number-circle", p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("right", "escape")
        assert table(app).board.target is None
        await pilot.press("enter")
        assert (at(app).line, at(app).table.session.plies) == ("", ())


async def test_enter_never_swaps_what_is_typed_for_something_else(started: Started) -> None:
    async with started("number-circle", p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("right", "escape", "9", "enter", "enter")
        assert (at(app).line, at(app).table.session.plies) == ("9", ())
        assert table(app).board.target is None


async def test_enter_completes_what_can_go_on_in_one_way_only(started: Started) -> None:
    async with started("number-circle:backtracking=on,floor=0,shared_total=on/+2", p1="Ann", p2="Bo") as (app, pilot):
        moves = [at(app).table.session.game.format_move(move) for move in at(app).table.session.legal_moves()]
        single = next(move for move in moves if sum(other[1:] == move[1:] for other in moves) == 1)
        await pilot.press(*single[1:], "enter")
        assert at(app).line == single
        await pilot.press("enter")
        assert at(app).table.session.log()[-1][1] == single


# -- order of texts


async def test_a_hint_and_the_verdict_are_told_though_a_move_was_refused(acting: Acting) -> None:
    async with acting("circle-duel/4", p1="Ann", p2="Bo") as person:
        for label in ("Hint", "Verdict"):
            await person.pilot.press("9", "enter")
            assert "9 is not next to" in text_of(person.app)
            await person.do(label)
            # A late message would replace the next refusal.
            await until(person.pilot, lambda: "Working it out" not in text_of(person.app))
            assert "9 is not next to" not in text_of(person.app)


async def test_the_third_click_plays_where_moves_are_confirmed(started: Started) -> None:
    async with started("circle-duel", p1="Ann", p2="Bo", confirm=True) as (app, pilot):
        for _ in range(3):
            assert not at(app).table.session.plies
            await click_on(pilot, "│4 " if "│4 " in text_of(app) else " 4 ")
        assert [text for _, text in at(app).table.session.log()] == ["4"]


async def test_what_is_no_move_is_refused_in_words_and_plays_nothing(started: Started) -> None:
    async with started("sequence-duel", p1="Ann", p2="Bo") as (app, pilot):
        for keys in ("minus 1", "3 space 4", "3 , 5", "５"):
            await pilot.press(*keys.split())
            assert "is not a move" in " ".join(text_of(app).split())
            await pilot.press("enter")
            assert table(app).session.plies == ()
            await pilot.press("escape")
        await pilot.press("3", "enter")
        assert table(app).session.code() == "sequence-duel/3"


async def test_a_pasted_code_is_laid_on_the_table_and_a_pasted_move_into_the_line(started: Started) -> None:
    async with started("sequence-duel", p1="Ann", p2="Bo") as (app, pilot):
        for text, line, said in ((" 13\n", "13", "Enter claims 13"), ("13 14", "13 14", "is not a move")):
            await pilot.press(*reset(app))
            app.post_message(events.Paste(text))
            await pilot.pause()
            assert table(app).state.line == line
            assert said in text_of(app)
        old = table(app).session
        app.post_message(events.Paste("circle-duel:size=12/4.5"))
        await pilot.pause()
        assert table(app).session.code() == "circle-duel:size=12/4.5"
        app.post_message(events.Paste("circle-duel:size=999"))
        await pilot.pause()
        assert any("size takes a number" in toast.message for toast in app._notifications)
        assert table(app).session.code() == "circle-duel:size=12/4.5"
        await pilot.press("u", "u", "u")
        assert table(app).session is old
        await pilot.press("escape", "b")
        app.post_message(events.Paste("digit-chain/26"))
        await pilot.pause()
        assert table(app).session.code().startswith("digit-chain/26")


# -- after the game


async def test_what_is_typed_after_the_game_starts_no_rematch_unseen(started: Started) -> None:
    async with started(OVER, p1="Ann", p2="Bo") as (app, pilot):
        over = table(app)
        await pilot.press("3")
        assert "nothing more is played" in on_card(app)
        await pilot.press("enter")
        assert app.screen is over
        assert "The game was over. Press Enter again." in on_card(app)
        assert "nothing next to 4 is left" in on_card(app), "the reason of the end stays"
        await pilot.press("enter")
        assert app.screen is not over


@pytest.mark.parametrize(("keys", "winner", "rounds"), [("4 enter", "Bo", 1), ("4 enter", "Bo", 2), ("g g", "Ann", 1)])
async def test_enter_twice_by_mistake_leaves_the_result_on_the_screen(
    started: Started, monkeypatch: pytest.MonkeyPatch, keys: str, winner: str, rounds: int
) -> None:
    assert 0.2 <= END_SECONDS_OF_PLAYERS <= 2, "long enough for a second press, not so long that Enter seems dead"
    monkeypatch.setattr(END_SECONDS, 3600)
    async with started("circle-duel:size=4/1.2.3", p1="Ann", p2="Bo", rounds=rounds) as (app, pilot):
        over = app.screen
        await pilot.press(*keys.split(), "enter")
        assert app.screen is over
        assert f"╭─ {winner} wins" in text_of(app)
        monkeypatch.setattr(END_SECONDS, 0)
        await pilot.press("enter")
        assert f"╭─ {winner} wins" not in text_of(app)
        assert "your move" in text_of(app)


async def test_a_round_of_an_open_game_begins_without_passing_the_screen(started: Started) -> None:
    async with started("circle-duel", p1="Ann", p2="Bo", rounds=2) as (app, pilot):
        await pilot.press("g", "g", "enter")
        assert table(app).state.may_move
        assert "Bo, your move" in text_of(app)
        assert "Pass" not in rows_of(app)[-1]


OVER = "circle-duel:size=4/1.2.3.4"


async def test_each_offer_after_the_game_can_be_clicked(started: Started) -> None:
    async with started(OVER, p1="Ann", p2="Bo", size=(98, 40)) as (app, pilot):
        await click_on(pilot, "c copy the game")
        assert f"Copied {OVER}" in text_of(app)
        await click_on(pilot, "↵ next game")
        assert "Bo, your move" in text_of(app)


async def test_beside_the_offers_a_click_changes_nothing(started: Started) -> None:
    async with started(OVER, p1="Ann", p2="Bo") as (app, pilot):
        before = rows_of(app)
        await click_on(pilot, "Bo wins")
        assert rows_of(app) == before


async def test_a_new_game_taken_back_can_be_had_again(acting: Acting) -> None:
    async with acting("circle-duel/4", p1="Ann", p2="Bo") as person:
        old = table(person.app).session
        await person.do("New")
        await person.do("Start")
        new = table(person.app).session
        await person.pilot.press("7", "enter", "8", "enter")
        for _ in range(3):
            await person.do("Undo")
        assert table(person.app).session is old
        assert "leads back to the new one" in text_of(person.app)
        for _ in range(3):
            await person.do("Redo")
        assert table(person.app).session is new
        assert new.code() == "circle-duel/7.8"


async def test_a_rematch_that_the_computer_began_can_be_taken_back(started: Started) -> None:
    async with started(OVER, p1="Ann", p2="bot:1") as (app, pilot):
        old = table(app).session
        await pilot.press("enter")
        await until(pilot, lambda: table(app).session.plies)
        await Keys(pilot).do("Undo")
        assert table(app).session is old


# -- names of keys


async def test_keys_are_called_what_they_do_now(started: Started) -> None:
    async with started(OVER, p1="Ann", p2="Bo", rounds=2) as (app, pilot):
        assert "↵ round 2 of 2" in text_of(app)
        await pilot.press("enter", "g", "g")
        assert "↵ next game" in text_of(app)
    async with started("number-duel:deal=31524-51234", p1="Ann", p2="Bo") as (app, pilot):
        for key, label in (("x", "Look"), ("space", "Hide")):
            await pilot.press(key)
            assert f" {label} " in rows_of(app)[-1]
        await pilot.press(*"3x2", "enter")
        assert " Pass " in rows_of(app)[-1]


async def test_there_is_nothing_to_look_at_before_the_order_is_made(started: Started) -> None:
    async with started("number-duel:arrange=chosen", p1="Ann", p2="Bo") as (app, _):
        assert " Look " not in rows_of(app)[-1]
        assert "Put your numbers, 1 to 5, in order." in text_of(app)


async def test_why_is_about_a_move_that_stands(started: Started) -> None:
    async with started("circle-duel", p1="Ann", p2="bot:1") as (app, pilot):
        await pilot.press("4", "enter")
        await until(pilot, lambda: len(table(app).session.plies) == 2)
        await Keys(pilot).do("Why")
        await Keys(pilot).do("Undo")
        assert not at(app).prompts.works("why")


async def test_up_and_down_change_the_sign_where_no_number_lies_that_way(started: Started) -> None:
    async with started("number-circle/+2.+2", p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("right", "down")
        first = at(app).line
        await pilot.press("up")
        assert {first, at(app).line} == {"+3", "-3"}


async def test_two_long_names_are_both_whole(started: Started) -> None:
    async with started("circle-duel/4", p1="Bartholomew The Third XX", p2="Maximiliana of Habsburg", size=(60, 20)) as (
        app,
        _,
    ):
        assert any("Bartholomew The Third XX" in row and "Maximiliana of Habsburg" in row for row in rows_of(app))


async def test_a_game_that_is_over_can_be_looked_at_again(acting: Acting) -> None:
    async with acting("circle-duel:size=4/1.2.3", p1="Ann", p2="Bo") as person:
        await person.pilot.press("4", "enter")
        over = person.app.screen
        await person.do("Review")
        await person.do("Forward")
        assert "before turn 2 of 4" in text_of(person.app)
        await person.do("Leave")
        assert person.app.screen is over


async def test_two_computers_stop_where_their_move_was_taken_back(started: Started) -> None:
    async with started("circle-duel/4.5.6.7.8.9.10.1.2.3", p1="bot:1", p2="bot:2") as (app, pilot):
        await Keys(pilot).do("Undo")
        await pilot.pause(0.1)
        assert len(table(app).session.plies) == 9
        assert table(app).session.outcome is None
        assert " Go on " in rows_of(app)[-1]


async def test_a_key_that_does_nothing_now_says_why(started: Started) -> None:
    async with started("circle-duel", p1="Ann", p2="Bo") as (app, pilot):
        for key, said in (("enter", "Type a number"), ("u", "Nothing has been played yet.")):
            await pilot.press(key)
            assert said in text_of(app)


async def test_a_letter_that_means_nothing_is_not_typed(started: Started) -> None:
    async with started("sequence-duel") as (app, pilot):
        await pilot.press("p")
        assert at(app).line == ""
        await pilot.press("z", "5", "p", "enter")
        assert at(app).table.session.code() == "sequence-duel/5"
