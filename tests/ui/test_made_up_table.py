"""A new kind of table is one file: this one asks who wins, and neither the screens nor the state know of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from duelbox.core.code import parse_code
from duelbox.core.match import Match
from duelbox.core.news import PositionChanged
from duelbox.core.session import Session
from duelbox.plain.line_elsewhere import LineElsewhere
from duelbox.plain.line_match import LineMatch
from duelbox.plain.line_trial import LineTrial
from duelbox.plain.line_watching import LineWatching
from duelbox.registry import find_game
from duelbox.store.settings import Settings
from duelbox.table.base import BaseTable
from duelbox.table.lesson_table import LessonTable
from duelbox.table.local import LocalTable
from duelbox.table.mistakes_table import MistakesTable
from duelbox.table.prompts import Prompts, story
from duelbox.table.puzzle_table import PuzzleTable
from duelbox.table.refusals import Refusals, unless
from duelbox.table.remote import RemoteTable
from duelbox.table.review_table import ReviewTable
from duelbox.table.state import TableState
from duelbox.table.trial_table import people_in
from duelbox.table.verb import Verb, Verbs
from duelbox.table.watched import WatchedTable
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.lesson_screen import LessonScreen
from duelbox.ui.screens.local_table import LocalScreen
from duelbox.ui.screens.mistakes_screen import MistakesScreen
from duelbox.ui.screens.puzzle_screen import PuzzleScreen
from duelbox.ui.screens.remote_table import RemoteScreen
from duelbox.ui.screens.review_screen import ReviewScreen
from duelbox.ui.screens.task_screen import TaskScreen
from tests.ui.conftest import Started
from tests.ui.person import click_on, text_of

GUESS_VERBS = Verbs()


class GuessTable(BaseTable):
    """Asks whether the player to move can win; nobody moves."""

    verbs: ClassVar[Mapping[str, Verb]] = GUESS_VERBS

    def __init__(self, session: Session) -> None:
        super().__init__(session, people_in(session), Match(), session.options)
        self.guess = ""

    @property
    def my_turn(self) -> bool:
        return False

    def title(self, settings: Settings) -> str:
        return "Guess"

    def why_not_typed(self, state: TableState) -> str:
        return ""

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        note = f"You said {self.guess}." if self.guess else "Who wins here?"
        return Prompts("", (), state.said or note, refusals, story=story(state))


def _before_a_guess(table: GuessTable, state: TableState) -> str | None:
    return unless(not table.guess, "You have guessed already.")


@GUESS_VERBS.verb("1", "First", _before_a_guess)
def first(table: GuessTable, state: TableState) -> None:
    table.guess = table.session.names[0]
    table.happened.append(PositionChanged())


@GUESS_VERBS.verb("2", "Second", _before_a_guess)
def second(table: GuessTable, state: TableState) -> None:
    table.guess = table.session.names[1]
    table.happened.append(PositionChanged())


GUESS_VERBS.place("rules", "r", "Rules")
GUESS_VERBS.place("leave", "escape", "Leave", display="esc")


class GuessScreen(TaskScreen[GuessTable]):
    """Opens a place of its own."""

    def open_rules(self) -> None:
        self.say("The rules are read here.")


def session_of(code: str) -> Session:
    return parse_code(code, find_game)


async def test_a_made_up_table_has_its_own_keys_words_and_refusals(started: Started) -> None:
    async with started() as (app, pilot):
        screen = GuessScreen(GuessTable(session_of("circle-duel/4.5")))
        app.push_screen(screen)
        await pilot.pause()
        shown = text_of(app)
        assert "Guess" in shown
        assert "Who wins here?" in shown
        await pilot.press("r")
        assert "The rules are read here." in text_of(app)
        await click_on(pilot, "Second")
        assert "You said Player 2." in text_of(app)
        await pilot.press("1")
        assert "You have guessed already." in text_of(app)
        assert screen.table.guess == "Player 2"
        await pilot.press("u", "h", "v", "enter", "9")
        assert screen.session.code() == "circle-duel/4.5", "no key of a match works here"
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.parametrize(
    ("table", "screen"),
    [
        (LocalTable, LocalScreen),
        (RemoteTable, RemoteScreen),
        (WatchedTable, RemoteScreen),
        (LessonTable, LessonScreen),
        (PuzzleTable, PuzzleScreen),
        (MistakesTable, MistakesScreen),
        (ReviewTable, ReviewScreen),
    ],
)
def test_a_screen_has_each_place_that_a_key_of_its_table_opens(table: type[BaseTable], screen: type[Any]) -> None:
    for verb in table.verbs.values():
        elsewhere = issubclass(table, RemoteTable) and verb.id in ("level", "more")  # refused there
        here = table is LocalTable and verb.id in table.absent
        if verb.opens and verb.key and not (elsewhere or here):
            assert hasattr(screen, f"open_{verb.opens}"), verb.id


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        (LocalTable, LineMatch),
        (RemoteTable, LineElsewhere),
        (WatchedTable, LineWatching),
        (LessonTable, LineTrial),
        (PuzzleTable, LineTrial),
        (MistakesTable, LineTrial),
    ],
)
def test_lines_have_each_place_that_a_word_of_their_table_opens(table: type[BaseTable], lines: type[Any]) -> None:
    for verb in table.verbs.values():
        if verb.opens and verb.help:
            assert hasattr(lines, f"open_{verb.opens}"), verb.word


async def test_a_made_up_table_needs_no_screen_of_its_own_to_be_shown(started: Started) -> None:
    async with started() as (app, pilot):
        screen: TaskScreen[Any] = TaskScreen(GuessTable(session_of("sequence-duel/5.8")))
        app.push_screen(screen)
        await pilot.pause()
        await pilot.press("1")
        assert "You said Player 1." in text_of(app)
