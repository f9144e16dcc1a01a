"""Pictures of every screen, in sizes and themes: as SVG, and as text that reads well in a diff.

`pytest tests/ui/test_snapshots.py --snapshot-update` takes them again; look at them before you commit them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbox.learn.daily import daily
from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.ui.app import DuelboxApp
from tests.effort import SHARE
from tests.ui.conftest import PEEK_SECONDS, MakeApp
from tests.ui.person import record_of, rows_of, stop_calendar, text_of, until

pytestmark = pytest.mark.pinned

HERE = Path(__file__).parent
TEXTS = HERE / "screens"
TODAY = date(2027, 1, 6)
WIDE, USUAL, SMALL = (120, 40), (80, 24), (60, 20)
KEPT = (
    record_of("circle-duel/4.5.6.7.8.9.10.1.2.3", ("Ann", "Bo"), day=0),
    record_of("number-duel:hand=3,deal=123-321/3x1.2x1.2x1", ("Ann", "Cy"), day=1),
    record_of("digit-chain/26.61.19.90", ("Alexandra", "Bo"), day=2),
    record_of("sequence-duel:size=5/3.1.5", ("Ann", "Bo"), day=3),
)
MISTAKEN = (record_of("sequence-duel:size=11/3.5.7.1.11.9", ("Ann", "Bo")),)
TO_MISTAKES = "i enter rest m"
UNFINISHED = record_of("sequence-duel/10.13.7.16", ("Ann", "Bo"), day=4)


@dataclass(frozen=True)
class Picture:
    """A screen to picture; `shows` is text that stands on it once it is complete."""

    name: str
    shows: str
    code: str | None = None
    keys: str = ""
    size: tuple[int, int] = USUAL
    theme: str = "dark"
    kept: tuple[str, ...] = ()
    p1: str | None = "Alice"
    p2: str | None = "Bob"
    settings: dict[str, Any] = field(default_factory=dict)
    days: tuple[int, ...] = ()
    """The days on which all puzzles were solved, counted back from today."""


HANDS = "number-duel:deal=31524-42513"
RING = "circle-duel:size=14,reach=2,gaps=3/10.11"
ONE_GAP = "circle-duel:size=12,reach=2,trails=own,gaps=1"
TESTED = "n f3 g enter rest k down right right enter plus rest"
PAIRS = "circle-duel:size=16,reach=2,without=6-9-12-13"
SOME_PAIRS = "1 minus 1 6 space 2 minus 3 space"
ALL_PAIRS = f"{SOME_PAIRS} 4 minus 5 space 7 minus 8 space 1 0 minus 1 1 space 1 4 minus 1 5"
PICTURES = (
    Picture("home", "Continue", kept=(UNFINISHED,)),
    Picture("home-small", "5 Number Duel", size=SMALL, theme="light"),
    Picture("new-game", "second always", "circle-duel", "n down down down down", theme="light", p2="bot:2"),
    Picture(
        "circle-duel", "Alice, your move", "circle-duel:size=14,reach=2,gaps=3/10.11", size=WIDE, theme="colour-blind"
    ),
    Picture("number-circle", "Enter", "number-circle/+2.+9.+3.-8", "right"),
    Picture("refusal", "next to", "sequence-duel/10.13.7.16", "1 2 enter", SMALL, "high-contrast"),
    Picture("digit-chain", "Enter", "digit-chain:zero=no-tens,gaps=20,seed=7/26.61.19", "9 1", theme="no-colour"),
    Picture("number-duel", "Enter", f"{HANDS}/4x3.3x1", "5 x 2", p2="bot:1", settings={"ascii": True}),
    Picture("looking", "lie open", f"{HANDS}/4x3.3x1", "space", SMALL, "light", p2="bot:1"),
    Picture("verdict", "can win", "sequence-duel:size=21,ring=on/10.13.7.16", "v", theme="light"),
    Picture("hint", "Hint 3", RING, "h rest h rest h", SMALL),
    Picture("handover", "Pass the screen", HANDS, "space 5 x 2 enter enter"),
    Picture("result", "wins", "circle-duel/4.5.6.7.8.9.10.1.2", "3 enter"),
    Picture("end-of-a-line", "wins", "sequence-duel:size=5/3.1", "5 enter", SMALL),
    Picture("end-of-a-race", "wins", "number-circle:target=12/-9.+9.+8.-8.+7.-7", "+ 6 enter"),
    Picture("end-of-a-chain", "wins", "digit-chain/26.61.19", "9 0 enter", theme="light"),
    Picture("end-of-hands", "You win", "number-duel:hand=3,deal=123-321/3x1.2x1", "2 x 1 enter", WIDE, p2="bot:1"),
    Picture("names", "asked only once", "sequence-duel:size=5/3.1.5", "enter", p1=None, p2=None),
    Picture(
        "names-refused",
        "looks like",
        "sequence-duel:size=5/3.1.5",
        "enter A l down A 1 enter",
        SMALL,
        "light",
        p1=None,
        p2=None,
    ),
    Picture("help", "Keys", "circle-duel", "question_mark", WIDE),
    Picture("settings", "The chosen row", None, "s", theme="colour-blind"),
    Picture("history", "4 games", None, "i", kept=KEPT),
    Picture("review", "turn ", None, "i down down enter right right", SMALL, "no-colour", kept=KEPT),
    Picture("mistake", "What keeps the win?", None, TO_MISTAKES, kept=MISTAKEN),
    Picture("mistake-wrong", "Not yet", None, f"{TO_MISTAKES} h 1 1 enter", theme="light", kept=MISTAKEN),
    Picture("mistake-right", "is right", None, f"{TO_MISTAKES} 1 0 enter", SMALL, "high-contrast", kept=MISTAKEN),
    Picture("mistake-end", "1 shown", None, f"{TO_MISTAKES} a enter enter m m", SMALL, "no-colour", kept=MISTAKEN),
    Picture("plot", "turn ", None, "i enter rest right right v", theme="light", kept=MISTAKEN),
    Picture("plot-plain", "!", None, "i enter rest o o right w", kept=KEPT[1:2], settings={"ascii": True}),
    Picture("lesson", "Begin far", None, "t", theme="high-contrast"),
    Picture("lesson-right", "is right", None, "down t + 8 enter", SMALL, "light"),
    Picture("puzzle", "Your move:", None, "d", theme="no-colour"),
    Picture("second-of-the-day", "2 of 3", None, "d n", SMALL, "light"),
    Picture("calendar", "3 days in a row", None, "d", days=(0, 1, 2, 5)),
    Picture("calendar-small", "Still to do", None, "d down", SMALL, "no-colour", days=(0, 2), settings={"ascii": True}),
    Picture("proof-claim", "Who wins, whatever comes?", None, "k"),
    Picture("proof-wrong", "loses: ", PAIRS, "v rest k right enter 2 enter", theme="light"),
    Picture("proof-rule", "Enter claims", PAIRS, f"v rest k right enter k {SOME_PAIRS}", SMALL),
    Picture("proof-end", "Proved", PAIRS, f"v rest k right enter k {ALL_PAIRS} enter", theme="colour-blind"),
    Picture("proof-line", "Your answer", None, "down down k enter enter 5 enter", WIDE, settings={"ascii": True}),
    Picture("you", "Ask yourself", None, "i tab", WIDE, "light", kept=KEPT),
    Picture("map", "Their games", "circle-duel:size=12,reach=2,gaps=5", "n f3"),
    Picture("map-no-colour", "Their games", "sequence-duel:size=9,ring=on", "n f3 2", theme="no-colour"),
    Picture("keep", "Keep", "circle-duel:size=12,gaps=2", "n k O d d"),
    Picture("keep-refused", "already", "circle-duel:size=12,gaps=2", "n k C l a s s i c enter", SMALL, "light"),
    Picture("elsewhere", "The chosen row", None, "o"),
    Picture("elsewhere-join", "Tab: lagoon", None, "o 7 8 4 3 - l a g o", SMALL, "light"),
    Picture("elsewhere-host", "read to your friend", None, "o up right", theme="high-contrast"),
    Picture("investigate", "None broke it", ONE_GAP, TESTED),
    Picture("investigate-small", "picks win", ONE_GAP, f"{TESTED} enter", SMALL, settings={"ascii": True}),
    Picture("investigate-why", "Why it", "circle-duel:size=12,reach=2,gaps=1", f"{TESTED} w", theme="light"),
    Picture("too-small", "This window has 59x13", size=(59, 13)),
)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the clock and the names inside the pictures the same everywhere."""

    def steady(app: DuelboxApp, *, title: str | None = None, simplify: bool = False) -> str:
        svg = export(app, title=title, simplify=simplify)
        # Rich numbers classes by more than the look of a style; fonts are not compared.
        return re.sub(r"@font-face\s*\{.*?\}\s*", "", re.sub(r"terminal-\d+", "duelbox", svg), flags=re.DOTALL)

    export = DuelboxApp.export_screenshot
    monkeypatch.setattr(DuelboxApp, "export_screenshot", steady)
    monkeypatch.setattr(PEEK_SECONDS, 3600)
    monkeypatch.setattr("duelbox.table.trial_table.TAKEN_BACK", 3600)
    monkeypatch.setattr("duelbox.table.proof_playing.JUDGING", 60)
    stop_calendar(monkeypatch, TODAY)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def solve_day(app: DuelboxApp, back: int) -> None:
    """Keep the results of a day on which all puzzles were solved at once, so many days ago."""
    day = TODAY - timedelta(days=back)
    for puzzle in daily(day):
        result = PuzzleResult(grade=puzzle.grade, at_once=(True,), seconds=61, day=day.isoformat())
        app.store.progress.add("puzzle", puzzle.code, result.model_dump(mode="json"))


async def complete(pilot: Pilot[Any], shows: str) -> None:
    """Wait for the text of the picture, and for computers and solvers."""
    await until(pilot, lambda: shows in text_of(pilot.app))
    await until(pilot, lambda: not any(worker.is_running for worker in pilot.app.workers))
    await pilot.pause()


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_the_screen_looks_as_it_did(
    picture: Picture, make_app: MakeApp, snap_compare: Any, request: pytest.FixtureRequest
) -> None:
    app = make_app(picture.code, picture.p1, picture.p2, theme=picture.theme, **picture.settings)
    for record in picture.kept:
        app.store.import_text(record)
    for back in picture.days:
        solve_day(app, back)
    texts = []

    async def ready(pilot: Pilot[Any]) -> None:
        for key in picture.keys.split():
            if key == "rest":
                await until(pilot, lambda: not any(worker.is_running for worker in app.workers))
            else:
                await pilot.press(key)
        await complete(pilot, picture.shows)
        app.screen.refresh()  # a panel is painted over the screen below it as well, which it may have been drawn before
        await pilot.pause()
        texts.append("\n".join(rows_of(app)) + "\n")

    same = snap_compare(app, run_before=ready, terminal_size=picture.size)
    golden = TEXTS / f"{picture.name}.txt"
    if request.config.getoption("update_snapshots"):
        TEXTS.mkdir(exist_ok=True)
        golden.write_text(texts[0], encoding="utf-8")
    assert texts[0] == golden.read_text(encoding="utf-8"), "if it is meant to look so now: --snapshot-update"
    assert same, "the same text in other colours: see the report"


def test_every_picture_is_taken() -> None:
    assert sorted(path.stem for path in TEXTS.glob("*.txt")) == sorted(picture.name for picture in PICTURES)
    svgs = (HERE / "__snapshots__" / "test_snapshots").glob("*.svg")
    wanted = sorted(f"test_the_screen_looks_as_it_did[{picture.name}]" for picture in PICTURES)
    assert sorted(path.stem for path in svgs) == wanted


@pytest.mark.skipif(SHARE > 1, reason="takes as long as ten others: python -m tests.check --long")
def test_pictures_are_the_same_on_anybodys_machine(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('theme = "light"\nascii = true\nnames = ["Zoe", "Yan"]\n', encoding="utf-8")
    habits = {"DUELBOX_HOME": str(tmp_path), "NO_COLOR": "1", "TEXTUAL_THEME": "dracula", "TZ": "Asia/Tokyo"}
    habits |= {"TEXTUAL_ANIMATIONS": "full", "COLORTERM": "", "COLUMNS": "50", "PYTHONHASHSEED": "7"}
    names = ("too-small", "history", "number-circle", "home-small")
    tests = [f"{__file__}::test_the_screen_looks_as_it_did[{name}]" for name in names]
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", *tests]
    ran = subprocess.run(command, env={**os.environ, **habits}, cwd=HERE.parents[1], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
    assert f"{len(names)} passed" in ran.stdout
