"""Plain ASCII: every screen shows only plain signs, and they still differ."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import cycle
from pkgutil import iter_modules

import pytest
from textual.content import Content
from textual.screen import Screen

from duelbox.commands.exam import screen_of
from duelbox.exam.league import League
from duelbox.learn.course_test import Answer, Question, Results
from duelbox.learn.homework import Homework, read_set
from duelbox.learn.puzzle_results import PUZZLES, PuzzleResult
from duelbox.table.rounds import RoundRow, rounds_table
from duelbox.ui import screens
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.ask_names import AskNameScreen, AskNamesScreen
from duelbox.ui.screens.homework import HandInScreen, HomeworkScreen
from duelbox.ui.screens.league_screen import LeagueGameScreen, LeagueScreen
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.screens.results_screen import results_of_test
from tests.effort import sampled
from tests.learn.test_homework import SET, work
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import record_of, table, text_of
from tests.ui.test_elsewhere import WITH_A_FRIEND

SCREENS: tuple[tuple[str, str | None, str], ...] = (
    ("HomeScreen", None, ""),
    ("NewGameScreen", None, "n down down"),
    ("AskNamesScreen", "sequence-duel", "names"),
    ("AskNameScreen", None, "name"),
    ("SettingsScreen", None, "s"),
    ("HelpScreen", "circle-duel", "question_mark"),
    ("HistoryScreen", None, "i"),
    ("ReviewScreen", None, "i enter right v"),
    ("MistakesScreen", None, "i enter rest m h"),
    ("MistakesScreen", None, "i enter rest m a enter"),
    ("YouScreen", None, "i tab"),
    ("RulesMapScreen", None, "n f3"),
    ("KeepPresetScreen", None, "n f3 right right k"),
    ("FindRulesScreen", None, "n f3 slash"),
    ("InvestigateScreen", None, "n f3 g k"),
    ("LessonScreen", None, "t 3 enter"),
    ("CourseTestScreen", None, "test h"),
    ("ResultsScreen", None, "results"),
    ("SittingScreen", None, "sitting rest"),
    ("MarksScreen", None, "marks rest"),
    ("MissedScreen", None, "marks rest down down enter"),
    ("LeagueScreen", None, "league rest"),
    ("LeagueGameScreen", None, "watched"),
    ("PuzzleScreen", None, "p enter h h"),
    ("PuzzleScreen", None, "p enter a enter enter"),
    ("SetScreen", None, "p"),
    ("HomeworkScreen", None, "homework h"),
    ("HandInScreen", None, "handed-in"),
    ("TextScreen", None, "pasted"),
    ("PuzzleScreen", None, "d"),
    ("CalendarScreen", None, "calendar"),
    ("PanelScreen", None, "calendar p"),
    ("PanelScreen", None, "solved calendar p"),
    ("RulesScreen", "number-duel", "question_mark question_mark"),
    ("Palette", None, "ctrl+p"),
    ("LocalScreen", "circle-duel:size=14,reach=2,gaps=3/10.11", "9 enter"),
    ("LocalScreen", "number-circle/+2.+9.+3.-8", "right"),
    ("LocalScreen", "sequence-duel/10.13.7.16", "1 2 enter"),
    ("LocalScreen", "sequence-duel/10.13.7.16", "v h h h"),
    ("LocalScreen", "digit-chain/26.61", "2 3 enter"),
    ("LocalScreen", "number-duel:deal=31524-42513/4x3.3x1", "5 x 2"),
    ("ProofScreen", None, "k right enter k"),
    ("ProofScreen", None, "down down down k enter"),
    ("HandoverScreen", "number-duel:deal=31524-42513", "space 5 x 2 enter enter"),
    ("PanelScreen", None, "rounds"),
)
SOLVED = PuzzleResult(grade=2, at_once=(True,), seconds=61, day="2026-11-20").model_dump(mode="json")
ROUNDS = rounds_table([RoundRow("", "Alice", "Bob", 9)])
RESULTS = Results("Two Trails", (Answer(Question("circle-duel/4.5", ("6",), "room"), "at once", 7),), 1)
SIZES = ((120, 40), (60, 20), (80, 24))
"""An odd number, so that a complete run shows each screen in two of them."""
OTHERS: dict[str, Callable[[DuelboxApp], None]] = {
    "calendar": lambda app: app.navigation.open("calendar"),
    "test": lambda app: app.navigation.open_test("circle-duel", "two-trails"),
    "results": lambda app: app.call_later(app.push_screen, results_of_test(RESULTS)),
    "sitting": lambda app: screen_of(app, 7, 3, ("me",)),
    "marks": lambda app: screen_of(app, 7, 3, ("bot:1",)),
    "league": lambda app: app.call_later(app.push_screen, LeagueScreen(league())),
    "watched": lambda app: app.call_later(app.push_screen, LeagueGameScreen(LeagueScreen(league()), league().session)),
    "names": lambda app: app.call_later(app.push_screen, AskNamesScreen(table(app).table, lambda: None)),  # type: ignore[arg-type]
    "name": lambda app: app.call_later(app.push_screen, AskNameScreen("Player 1", lambda _: None)),
    "homework": lambda app: app.call_later(app.push_screen, HomeworkScreen(Homework(read_set(SET), "Ann"), 0)),
    "handed-in": lambda app: app.call_later(app.push_screen, HandInScreen(Homework(read_set(SET), "Ann"))),
    "pasted": lambda app: app.call_later(app.navigation.paste, f"{work().line} {work().line[:50]}"),
    "solved": lambda app: app.store.progress.add(PUZZLES, "circle-duel/4.5", SOLVED),
    "rounds": lambda app: app.call_later(app.push_screen, PanelScreen("", map(Content, ROUNDS))),
}
"""Screens that the menu or the end of a match opens, each with what it needs."""


def league() -> League:
    """A short league of two levels."""
    return League(("bot:1", "bot:2"), 1)


def test_every_kind_of_screen_is_tried() -> None:
    modules = [import_module(f"{screens.__name__}.{one.name}") for one in iter_modules(screens.__path__)]
    kinds = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    ours = {kind for kind in kinds if issubclass(kind, Screen) and kind.__module__.startswith("duelbox.")}
    bases = {base for kind in ours for base in kind.__mro__[1:]}
    assert {kind.__name__ for kind in ours - bases - set(WITH_A_FRIEND)} <= {name for name, _, _ in SCREENS}


@pytest.mark.parametrize(
    ("screen", "size"),
    [*zip(SCREENS * sampled(1, 2), cycle(SIZES), strict=False), (SCREENS[0], (30, 9))],
    ids=str,
)
async def test_every_screen_is_plain(
    make_app: MakeApp, screen: tuple[str, str | None, str], size: tuple[int, int]
) -> None:
    kind, code, keys = screen
    app = make_app(code, "Alice", "Bob", rounds=3, ascii=True)
    app.store.import_text(record_of("sequence-duel:size=11/3.5.7.1.11.9"))
    async with app.run_test(size=size, tooltips=True, notifications=True) as pilot:
        for key in keys.split():
            if key == "rest":
                await app.workers.wait_for_complete()
            elif key in OTHERS:
                OTHERS[key](app)
            else:
                await pilot.press(key)
            await pilot.pause()
        assert type(app.screen).__name__ == kind
        app.notify("Something to know.")
        await pilot.pause()
        shown = text_of(app)
        assert shown.strip()
        assert not {sign for sign in shown if not sign.isascii()} - {"\N{NO-BREAK SPACE}"}


async def test_it_comes_and_goes_with_the_setting(started: Started) -> None:
    async with started() as (app, pilot):
        assert not text_of(app).isascii()
        app.change_settings(ascii=True)
        await pilot.press("s", "escape")
        assert {sign for sign in text_of(app) if not sign.isascii()} == set()
        app.change_settings(ascii=False)
        await pilot.press("s", "escape")
        assert not text_of(app).isascii()
