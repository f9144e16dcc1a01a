"""Proofs: a side is claimed, questions are answered by keys and by mouse, and what was reached is kept."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbox.bots import levels_of
from duelbox.core.code import parse_code
from duelbox.learn.puzzles import PRACTICE, puzzles_in
from duelbox.proof.checker import check
from duelbox.proof.deal import deal_of
from duelbox.proof.ladder import RUNGS
from duelbox.proof.line import read_proof
from duelbox.registry import find_game
from duelbox.solve.api import Stop
from duelbox.solve.sentences import TOO_LONG
from duelbox.ui.app import DuelboxApp
from duelbox.ui.hint_marks import signs_of_hint
from duelbox.ui.proofs import open_proof
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.proof_screen import ProofScreen
from duelbox.ui.screens.puzzle_screen import PuzzleScreen
from tests.ui.conftest import Started
from tests.ui.person import TIME_LIMIT, click_at, click_on, home_of, record_of, stop_calendar, text_of, until
from tests.ui.test_home_rows import keep_game

LINE = "sequence-duel:size=9"
"""A deal that the player who begins wins."""
PAIRS = "circle-duel:size=16,reach=2,without=6-9-12-13"
"""A deal that the player who answers wins."""
MATCHES = "1-16 2-3 4-5 7-8 10-11 14-15"
"""Partners that win it."""
TRAILS = "circle-duel:size=12,reach=2,trails=own"
KEYS = {"-": "minus", " ": "space"}


@pytest.fixture(autouse=True)
def _wait_for_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait until an answer is judged, however long it takes on a busy machine."""
    monkeypatch.setattr("duelbox.table.proof_playing.JUDGING", TIME_LIMIT)


def proof(app: DuelboxApp) -> ProofScreen:
    assert isinstance(app.screen, ProofScreen), text_of(app)
    return app.screen


async def to_prove(app: DuelboxApp, pilot: Pilot[Any], code: str) -> ProofScreen:
    open_proof(app, parse_code(code, find_game))
    await pilot.pause()
    return proof(app)


def answers_of(screen: ProofScreen, *, right: bool) -> list[str]:
    """The answers that win the question, or those that lose."""
    stage = screen.table.stage
    assert stage is not None
    assert stage.at is not None
    deal = deal_of(screen.table.code)
    spot = deal.after(stage.at)
    assert spot is not None
    winning = deal.right(spot, Stop())
    return [answer for answer in deal.next(spot) if (answer in winning) == right]


async def answer(pilot: Pilot[Any], text: str) -> None:
    await pilot.press(*text, "enter")


async def answer_all(pilot: Pilot[Any], screen: ProofScreen) -> None:
    while not screen.table.proved:
        await answer(pilot, answers_of(screen, right=True)[0])


async def name_pairs(pilot: Pilot[Any], pairs: str) -> None:
    await pilot.press("k", *(KEYS.get(char, char) for char in pairs), "enter")


async def test_a_deal_is_proved_by_keys_and_the_copied_line_is_a_proof(started: Started) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, LINE)
        assert "Who wins, whatever comes?" in text_of(app)
        await pilot.press("enter")
        assert "Your answer" in text_of(app)
        await answer_all(pilot, screen)
        shown = text_of(app)
        count = len(screen.table.walk.right)
        assert f"Whoever begins wins: {count} questions, 0 wrong." in shown
        await pilot.press("c")
        for_people, line = app.clipboard.split("\n")
        assert for_people == f"I proved a line of 9: {count} questions. Can you? {LINE}"
        assert check(read_proof(line)).proved
        await app.workers.wait_for_complete()
        assert app.store.progress.newest("proof")[LINE]["done"]


async def test_a_wrong_answer_is_refuted_and_the_question_stays(started: Started) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, PAIRS)
        await pilot.press("right", "enter")
        before = screen.session.moves
        wrong = answers_of(screen, right=False)[0]
        await answer(pilot, wrong)
        assert f"{wrong} loses: Oracle picks " in text_of(app)
        assert "0 right · 1 wrong" in text_of(app)
        assert screen.session.moves == before
        look = screen.look()
        assert look.worths[wrong].verdict == "loss"
        refuting = screen.table.walk.steps[-1].line[1]
        assert f"{wrong} loses: Oracle picks {refuting}, " in text_of(app)
        assert signs_of_hint(look.hint) == {refuting: "!"}


async def test_a_false_claim_is_refuted_on_the_board_and_enter_turns_round(started: Started) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, PAIRS)
        await pilot.press("enter")
        assert "Oracle wins, however you play." in text_of(app)
        assert screen.session.outcome is not None
        await pilot.press("enter")
        assert screen.table.walk.side == 1
        assert "Your answer" in text_of(app)


async def test_pairs_close_all_that_they_cover_in_one_wave(started: Started) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, PAIRS)
        await pilot.press("right", "enter")
        await name_pairs(pilot, MATCHES.replace("14-15", ""))
        assert "The rule breaks: " in text_of(app)
        assert not screen.table.proved
        await name_pairs(pilot, MATCHES)
        assert f"The rule closes 12 at once: pairs {MATCHES}." in text_of(app)
        assert "saved by a rule" in text_of(app)
        assert check(read_proof(screen.table.text_to_copy.split("\n")[1])).proved


async def test_enter_plays_no_number_that_was_touched_while_a_rule_was_named(started: Started) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, LINE)
        await pilot.press("enter")
        await answer(pilot, answers_of(screen, right=True)[0])
        asked = screen.table.stage
        await pilot.press("right", "k")
        assert "Your rule   copy across the middle" in text_of(app)
        await pilot.press("right")
        assert "Your rule   only safe numbers are left" in text_of(app)
        await pilot.press("right", "left", "2")
        assert "Your rule   copy across the middle" in text_of(app)
        free = screen.board.cursor_stops()[0]
        await click_at(pilot, *screen.board.offset_of(free) + screen.board.region.offset)
        assert screen.board.target is None
        await pilot.press("enter", "enter")
        assert "The rule breaks: " in text_of(app)
        assert screen.table.stage == asked
        assert screen.table.walk.steps[-1].kind == "rule"


async def test_escape_is_called_back_while_a_rule_is_named_and_goes_back(started: Started) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, PAIRS)
        await pilot.press("right", "enter", "k")
        assert "esc Back" in text_of(app)
        await pilot.press("escape")
        assert screen.table.phase == "asked"
        assert "esc Leave" in text_of(app)


async def test_a_proof_is_done_by_mouse_alone(started: Started) -> None:
    async with started(size=(60, 20)) as (app, pilot):
        screen = await to_prove(app, pilot, PAIRS)
        await click_on(pilot, "who answers")
        await click_on(pilot, "who answers")
        wrong = answers_of(screen, right=False)[0]
        for _ in range(2):
            await click_at(pilot, *screen.board.offset_of(wrong) + screen.board.region.offset)
        assert "0 right · 1 wrong" in text_of(app)
        await click_on(pilot, "Claim a rule")
        for number in MATCHES.replace("-", " ").split():
            await click_at(pilot, *screen.board.offset_of(number) + screen.board.region.offset)
        await click_on(pilot, "Enter claims")
        assert screen.table.proved
        await click_on(pilot, "copy")
        assert "pairs" in app.clipboard or "a rule saved" in app.clipboard


async def test_a_proof_that_was_left_goes_on_the_next_day_where_it_stood(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_calendar(monkeypatch, date(2027, 1, 6))
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, TRAILS)
        await pilot.press("right", "enter")
        await answer(pilot, answers_of(screen, right=True)[0])
        await answer(pilot, answers_of(screen, right=False)[0])
        await pilot.press("h", "escape", "escape")
        await app.workers.wait_for_complete()
        assert isinstance(app.screen, HomeScreen)
        number = [rung.code for rung in RUNGS].index(TRAILS) + 1
        assert f"proof {number} of {len(RUNGS)}: k" in text_of(app)
        before = screen.table.walk
        asked = screen.table.stage
    stop_calendar(monkeypatch, date(2027, 1, 7))
    async with started() as (app, pilot):
        assert "Thu 7 Jan" in text_of(app)
        await pilot.press("k")
        screen = proof(app)
        assert "You go on where you left: 1 answer stands." in text_of(app)
        assert (screen.table.walk, screen.table.stage, screen.table.hints) == (before, asked, 1)


async def test_an_answer_is_saved_before_it_is_shown(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, TRAILS)
        await pilot.press("right", "enter")
        seen = []
        show = ProofScreen.show

        def note(self: ProofScreen, *shown: Any) -> None:
            kept = app.store.progress.newest("proof")[TRAILS]["walk"]
            seen.append(len(kept["steps"]) == len(self.table.walk.steps))
            show(self, *shown)

        monkeypatch.setattr(ProofScreen, "show", note)
        await answer(pilot, answers_of(screen, right=True)[0])
        await answer(pilot, answers_of(screen, right=False)[0])
        assert seen
        assert all(seen)


async def test_undo_takes_one_answer_back_and_redo_gives_it_again(started: Started) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, TRAILS)
        await pilot.press("right", "enter")
        await pilot.press("u")
        assert "You have not answered yet." in text_of(app)
        await answer(pilot, answers_of(screen, right=True)[0])
        first = screen.table.stage
        await answer(pilot, answers_of(screen, right=True)[0])
        second = screen.table.stage
        await pilot.press("u")
        assert screen.table.stage == first
        await pilot.press("y")
        assert screen.table.stage == second


async def test_undo_says_which_answer_it_takes_back_and_that_wrong_ones_stay(started: Started) -> None:
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, LINE)
        await pilot.press("enter")
        await answer(pilot, answers_of(screen, right=False)[0])
        await pilot.press("u")
        assert "No answer stands yet; a wrong one stays counted." in text_of(app)
        first = answers_of(screen, right=True)[0]
        await answer(pilot, first)
        await answer(pilot, answers_of(screen, right=False)[0])
        await pilot.press("u")
        assert f"Your answer {first} is undone." in text_of(app)
        assert screen.session.moves == ()
        await pilot.press("y")
        assert f"Your answer {first} stands again." in text_of(app)
        screen = await to_prove(app, pilot, PAIRS)
        await pilot.press("right", "enter")
        await name_pairs(pilot, MATCHES)
        await pilot.press("u")
        assert "Your rule is undone." in text_of(app)


async def test_a_key_ends_what_plays_itself(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    for pace in ("SHOWN", "ALL_SHOWN"):
        monkeypatch.setattr(f"duelbox.table.proof_playing.{pace}", 3600)
    async with started(animation="full") as (app, pilot):
        screen = await to_prove(app, pilot, PAIRS)
        await pilot.press("right", "enter")
        assert screen.table.phase == "playing"
        await pilot.press("escape")
        assert screen.table.phase == "asked"
        assert isinstance(app.screen, ProofScreen)


async def test_k_proves_the_position_of_a_table_once_its_verdict_is_shown(started: Started) -> None:
    async with started(f"{LINE}/1.9", p2="bot:1") as (app, pilot):
        await pilot.press("k")
        assert "v shows who wins here. Then k proves it." in text_of(app)
        await pilot.press("v", "k")
        assert proof(app).table.code == f"{LINE}/1.9"
        await pilot.press("escape")
        assert "Your move" in text_of(app)


async def test_games_that_cannot_be_proved_say_why(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("down", "k")
        assert "Number Circle may go round in circles" in text_of(app)
        await pilot.press("up", "up", "k")
        assert "Number Duel has chance" in text_of(app)


async def test_a_pasted_proof_is_shown_as_a_walk(started: Started) -> None:
    proof_of_line = next(rung.proof for rung in RUNGS if rung.code == LINE)
    async with started() as (app, pilot):
        app.navigation.paste(f"I proved a line of 9. Can you?\n{proof_of_line}")
        await until(pilot, lambda: isinstance(app.screen, ProofScreen))
        await pilot.pause()
        screen = proof(app)
        count = len(screen.table.answers)
        assert f"Answer 1 of {count}" in text_of(app)
        await pilot.press("right", "right", "left", "enter")
        assert f"Answer 3 of {count}" in text_of(app)
        assert screen.session.turn == screen.table.side
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_a_pasted_proof_that_fails_says_where(started: Started) -> None:
    lame = next(read_proof(rung.proof) for rung in RUNGS if rung.code == LINE).changed(side=1)
    async with started() as (app, pilot):
        app.navigation.paste(lame.line)
        await until(pilot, lambda: [one for one in app._notifications if "Not proved: " in one.message])
        assert isinstance(app.screen, HomeScreen)


async def test_k_proves_the_position_of_a_review_and_of_a_solved_puzzle(started: Started) -> None:
    async with started() as (app, pilot):
        app.store.import_text(record_of("sequence-duel:size=9/5.1.3.8", ("Ann", "Bo"), resigned=True))
        await pilot.press("i", "enter")
        await until(pilot, lambda: "turn" in text_of(app))
        await pilot.press("home", "k")
        assert proof(app).table.code == LINE
        await pilot.press("escape", "escape", "escape")
        puzzle = next(one for one in puzzles_in(PRACTICE) if one.game_id == "sequence-duel" and len(one.line) == 1)
        app.navigation.open_puzzles([puzzle])
        await pilot.pause()
        await pilot.press("k")
        assert not isinstance(app.screen, ProofScreen), "it would tell who wins"
        await pilot.press(*puzzle.line[0], "enter", "enter", "k")
        assert proof(app).table.code == puzzle.code
        await pilot.press("escape")
        assert isinstance(app.screen, PuzzleScreen)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_home_names_the_key_of_proofs_and_every_key_beside_it(started: Started, size: tuple[int, int]) -> None:
    async with started(size=size) as (app, pilot):
        assert "k Prove" not in text_of(app), "a newcomer learns first"
    async with started("sequence-duel", size=size) as (app, pilot):
        await pilot.press("5", "enter")
        app.navigation.go_home()
        await until(pilot, lambda: "Continue" in text_of(app))
        keys = text_of(app).split("\n")[-1]
        for key in ("k Prove", "p Puzzles", "n New", "? Help", "q Quit"):
            assert key in keys
        await pilot.press("up")
        assert home_of(app).row.id == "number-circle"
        assert "k Prove" not in text_of(app), "it has no proofs"


async def test_home_asks_for_a_proof_after_two_wins_in_a_row_without_help(started: Started) -> None:
    async with started() as (app, pilot):
        level = levels_of("sequence-duel")[0]
        for minute in (1, 2):
            keep_game(app.store, level, "3.1.5", minute)
        await home_of(app).find_anew()
        await pilot.press("down", "down")
        assert "You won the last two." in text_of(app)
        await click_on(pilot, "Prove it: a ring of 9")
        assert proof(app).table.code == RUNGS[0].code


async def test_a_position_that_takes_too_long_is_given_up(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.table.proof_playing.MOST_SECONDS", 0)
    async with started() as (app, pilot):
        screen = await to_prove(app, pilot, "circle-duel:size=21,reach=2,trails=own")
        await pilot.press("enter")
        assert TOO_LONG in text_of(app)
        assert screen.table.phase == "side"
