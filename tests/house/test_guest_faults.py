"""Guests' games with faults: each ends its table or its command with a sentence, and home and all else go on."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copytree
from time import monotonic
from types import SimpleNamespace

import pytest
from textual import events

from duelbox.bots import choose
from duelbox.core.errors import DuelboxError
from duelbox.learn.lessons import lessons_of
from duelbox.registry import GuestFault, find_game, guest_fault
from duelbox.solve import analyse, can_solve
from duelbox.solve.api import Stop, Stopped
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.players import named_players, with_default_names
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.home import HomeScreen
from tests.command_line import play, run
from tests.guest_games import WHOLE
from tests.ui.terminal.pty import TIME_LIMIT, Terminal

ROOT = Path(__file__).parents[2]
Install = Callable[[Path], None]
FAULTS = ("1 / 0", "exit(3)", "(_ for _ in ()).throw(KeyboardInterrupt)", "(_ for _ in ()).throw(RecursionError)")


def two_heaps_with(folder: Path, name: str, text: str) -> Path:
    """A guest with every part, and an addition to one of its modules."""
    copytree(WHOLE, folder / "guest")
    module = folder / "guest" / "duelbox_two_heaps" / name
    module.write_text(f"{module.read_text('utf-8') if module.exists() else ''}\n{text}\n", encoding="utf-8")
    return folder / "guest"


def failing_after_a_move(function: str, fault: str) -> str:
    """An addition to the rules whose function fails from the second turn on, so that the game can begin."""
    return f"""
from dataclasses import replace

def failing(position, *rest):
    return GAME_{function}(position, *rest) if position.a + position.b == 12 else {fault}

GAME_{function} = GAME.{function}
GAME = replace(GAME, {function}=failing)
"""


ENDLESS = {
    "busy": "all(True for _ in iter(int, 1))",
    "asleep": "__import__('time').sleep(1000)",
}
"""Calls that never return."""


# -- commands and lines


@pytest.mark.parametrize("fault", FAULTS[:2])
def test_a_solver_that_fails_ends_the_command_with_its_package_and_line(
    installed: Install, tmp_path: Path, fault: str
) -> None:
    installed(two_heaps_with(tmp_path, "solve.py", f"SOLVE = Solver(lambda view, stop: {fault})"))
    for asked in (("solve", "two-heaps"), ("review", "two-heaps/a1.b2"), ("lab", "two-heaps", "--deals", "2")):
        ran = run(*asked)
        assert ran.status == 1
        assert ran.err.startswith("The game's duelbox_two_heaps.solve has a fault: ")
        assert ran.err.endswith(" of solve.py.\n")
    assert run("solve", "circle-duel/4.5").status == 0


@pytest.mark.parametrize("fault", FAULTS)
def test_a_solver_that_fails_ends_a_match_in_lines(installed: Install, tmp_path: Path, fault: str) -> None:
    installed(two_heaps_with(tmp_path, "solve.py", f"SOLVE = Solver(lambda view, stop: {fault})"))
    ran = play("two-heaps", "verdict", "a", "1")
    assert ran.status == 1
    assert ran.err.startswith("The game's duelbox_two_heaps.solve ")


def test_a_fault_in_the_middle_of_an_analysis_quotes_no_value(installed: Install, tmp_path: Path) -> None:
    source = """
def secretive(view, stop):
    yield from stream(view, stop)
    raise ValueError("they hold 7 and 9")

SOLVE = Solver(secretive)
"""
    installed(two_heaps_with(tmp_path, "solve.py", source))
    ran = run("solve", "two-heaps")
    assert "ValueError at line" in ran.err
    assert "they hold" not in ran.out + ran.err


def test_a_solver_that_is_told_to_stop_has_no_fault(installed: Install) -> None:
    installed(WHOLE)
    game, stop = find_game("two-heaps"), Stop()
    stop.stop()
    with pytest.raises(Stopped):
        analyse(game, game.start(game.Options()), stop)
    assert can_solve("two-heaps")


@pytest.mark.parametrize("chosen", [*FAULTS[:2], "Choice('z9', 'Why not?')", "Choice(None, 'Why not?')", "None"])
def test_a_computer_that_fails_or_cheats_ends_its_match(installed: Install, tmp_path: Path, chosen: str) -> None:
    source = f"from duelbox.bots.api import Choice\nBOT = Bot(LEVELS, lambda view, level, seed, stop: {chosen})"
    installed(two_heaps_with(tmp_path, "bot.py", source))
    game = find_game("two-heaps")
    with pytest.raises((GuestFault, ZeroDivisionError, SystemExit)) as raised:
        choose(game, game.start(game.Options()), "oracle", 7)
    fault = guest_fault(raised.value)
    assert fault is not None
    assert fault.sentence.startswith("The game's duelbox_two_heaps.bot has a fault: ")
    ran = run("play", "two-heaps", "--plain", "--p1", "bot:5", "--p2", "bot:oracle")
    assert (ran.status, ran.err) == (1, f"{fault.sentence}\n")


@pytest.mark.parametrize("field", ["welcome", "board", "turn", "question", "choices", "after", "ending", "line"])
def test_words_that_fail_end_a_match_in_lines(installed: Install, tmp_path: Path, field: str) -> None:
    source = f"from dataclasses import replace\nTALK = replace(TALK, {field}=lambda *_: 1 / 0)"
    installed(two_heaps_with(tmp_path, "talk.py", source))
    ran = play("two-heaps:first=1,second=1", "board", "moves", "a", "1", "b", "1")
    assert ran.status == 1
    assert ran.err.startswith("The game's duelbox_two_heaps.talk has a fault: ZeroDivisionError at line ")


@pytest.mark.parametrize("function", ["apply", "view", "legal_moves"])
@pytest.mark.parametrize("fault", FAULTS[:2])
def test_rules_that_fail_end_a_match_in_lines(installed: Install, tmp_path: Path, function: str, fault: str) -> None:
    installed(two_heaps_with(tmp_path, "rules.py", failing_after_a_move(function, fault)))
    ran = play("two-heaps", "a", "1", "b", "1")
    assert ran.status == 1
    assert ran.err.startswith("The game's duelbox_two_heaps.rules has a fault: ")


def test_a_lesson_that_cannot_be_read_is_refused_by_its_name(installed: Install, tmp_path: Path) -> None:
    guest = two_heaps_with(tmp_path, "rules.py", "")
    (guest / "duelbox_two_heaps" / "lessons").mkdir()
    (guest / "duelbox_two_heaps" / "lessons" / "1-heaps.toml").write_bytes(b"\xff\xfe")
    installed(guest)
    with pytest.raises(DuelboxError, match=r"1-heaps\.toml of the package duelbox_two_heaps is not UTF-8\."):
        lessons_of("two-heaps")
    assert run("learn", "two-heaps").status == 2


# -- the screen


@asynccontextmanager
async def at_home() -> AsyncIterator[DuelboxApp]:
    """The app at home. Without a Pilot, which waits for an answer of every widget, even of one that has failed."""
    with Store.open() as store:
        app = DuelboxApp(Config.load(), store)
        async with app.run_test(size=(120, 40), notifications=True):
            yield app


def open_two_heaps(app: DuelboxApp, p1: str | None = None) -> None:
    """Open a table with the guest."""
    new_game = read_new_game("two-heaps")
    players = with_default_names(named_players(new_game.game, (p1, None)))
    app.call_later(app.navigation.open_table, LocalTable(new_game, players, None, app.store))


def press(app: DuelboxApp, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


async def until(app: DuelboxApp, condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    latest = monotonic() + TIME_LIMIT
    while not condition():
        assert monotonic() < latest, f"{app.screen_stack} {[note.message for note in app._notifications]}"
        await asyncio.sleep(0.01)


def table_code(app: DuelboxApp) -> str:
    """The code of the game on the table; empty if no table is open."""
    table = getattr(app.screen, "table", None)
    return table.session.code() if table else ""


async def is_told_at_home(app: DuelboxApp, module: str) -> None:
    """Wait for the sentence about a fault of this module, and for home, which still opens another game."""
    await until(app, lambda: any(module in note.message for note in app._notifications))
    assert isinstance(app.screen, HomeScreen)
    assert app.return_code is None
    press(app, "1")
    await until(app, lambda: not isinstance(app.screen, HomeScreen))
    assert app.screen.table.game.INFO.id == "circle-duel"  # type: ignore[attr-defined]


BOARDS = {
    "scene": "BOARD = GameBoard(OwnBoard, lambda view, look: {}, score, begins=begins)",
    "score": "BOARD = GameBoard(OwnBoard, scene, lambda view, seat: {}, begins=begins)",
    "paint": "OwnBoard.paint = staticmethod(lambda *_: {})",
    "widget": "BOARD = GameBoard(lambda: {}, scene, score, begins=begins)",
    "begins": "BOARD = GameBoard(OwnBoard, scene, score, begins=lambda view, line: {})",
    "render_line": "OwnBoard.render_line = lambda *_: {}",
    "watch_scene": "OwnBoard.watch_scene = lambda *_: {}",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("part", ["scene", "paint"])
async def test_a_board_that_fails_ends_its_table(installed: Install, tmp_path: Path, part: str, fault: str) -> None:
    installed(two_heaps_with(tmp_path, "board.py", BOARDS[part].format(fault)))
    async with at_home() as app:
        open_two_heaps(app)
        await is_told_at_home(app, "duelbox_two_heaps.board")


async def test_a_board_that_takes_no_letter_ends_its_table(installed: Install, tmp_path: Path) -> None:
    installed(two_heaps_with(tmp_path, "board.py", BOARDS["begins"].format("1 / 0")))
    async with at_home() as app:
        open_two_heaps(app)
        await until(app, lambda: table_code(app))
        press(app, "a")
        await is_told_at_home(app, "duelbox_two_heaps.board")


async def test_a_board_that_cannot_be_made_opens_no_table(installed: Install, tmp_path: Path) -> None:
    installed(two_heaps_with(tmp_path, "board.py", BOARDS["widget"].format("1 / 0")))
    async with at_home() as app:
        open_two_heaps(app)
        await is_told_at_home(app, "duelbox_two_heaps.board")


@pytest.mark.parametrize("part", ["score", "watch_scene"])
async def test_a_widget_that_fails_ends_its_table(installed: Install, tmp_path: Path, part: str) -> None:
    installed(two_heaps_with(tmp_path, "board.py", BOARDS[part].format("1 / 0")))
    async with at_home() as app:
        open_two_heaps(app)
        await is_told_at_home(app, "duelbox_two_heaps.board")


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_verdict_that_fails_ends_its_table(installed: Install, tmp_path: Path, fault: str) -> None:
    installed(two_heaps_with(tmp_path, "solve.py", f"SOLVE = Solver(lambda view, stop: {fault})"))
    async with at_home() as app:
        open_two_heaps(app)
        await until(app, lambda: table_code(app))
        press(app, "v")
        await is_told_at_home(app, "duelbox_two_heaps.solve")


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_computer_that_fails_ends_its_table(installed: Install, tmp_path: Path, fault: str) -> None:
    installed(two_heaps_with(tmp_path, "bot.py", f"BOT = Bot(LEVELS, lambda view, level, seed, stop: {fault})"))
    async with at_home() as app:
        open_two_heaps(app, "bot:oracle")
        await is_told_at_home(app, "duelbox_two_heaps.bot")


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("function", ["apply", "view", "legal_moves"])
async def test_rules_that_fail_end_their_table(installed: Install, tmp_path: Path, function: str, fault: str) -> None:
    installed(two_heaps_with(tmp_path, "rules.py", failing_after_a_move(function, fault)))
    async with at_home() as app:
        open_two_heaps(app)
        await until(app, lambda: table_code(app))
        press(app, "a", "1", "enter", "b", "1", "enter")
        await is_told_at_home(app, "duelbox_two_heaps.rules")


async def test_a_search_that_does_not_stop_is_left_behind(installed: Install, tmp_path: Path) -> None:
    source = "def endless(view, stop):\n    from time import sleep\n    while True:\n        sleep(0.01)\n"
    installed(two_heaps_with(tmp_path, "solve.py", f"{source}\nSOLVE = Solver(endless)"))
    async with at_home() as app:
        open_two_heaps(app)
        await until(app, lambda: table_code(app))
        press(app, "v", "a", "1", "enter")
        await until(app, lambda: table_code(app) == "two-heaps/a1")


async def test_a_guest_whose_facts_fail_says_so_in_its_row(installed: Install, tmp_path: Path) -> None:
    source = """
from dataclasses import replace

BEGUN = []

def failing(options):
    BEGUN.append(options)
    return start(options) if len(BEGUN) == 1 else 1 / 0

GAME = replace(GAME, start=failing)
"""
    installed(two_heaps_with(tmp_path, "rules.py", source))
    async with at_home() as app:
        assert isinstance(app.screen, HomeScreen)
        row = app.screen.facts.games[-1]
        assert (row.id, row.next_step) == ("two-heaps", "has a fault")
        assert row.goal.startswith("The game's duelbox_two_heaps.rules has a fault: ZeroDivisionError at line ")


async def test_a_fault_of_ours_is_no_guests_and_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path))
    with Store.open(tmp_path) as store:
        app = DuelboxApp(Config.load(tmp_path), store)
        reported: list[BaseException] = []
        stand_in = SimpleNamespace(file=lambda error: reported.append(error) or "reported")
        monkeypatch.setattr(app, "crash_reports", stand_in)
        with pytest.raises(DuelboxError, match="not meant to be seen"):
            async with app.run_test():
                app._handle_exception(DuelboxError("not meant to be seen"))
        assert [str(error) for error in reported] == ["not meant to be seen"]
        assert app.return_code == 1


# -- in a terminal of its own


@pytest.mark.parametrize("fault", ["1 / 0", "exit(3)"])
def test_a_line_that_cannot_be_drawn_ends_its_table(tmp_path: Path, fault: str) -> None:
    guest = two_heaps_with(tmp_path, "board.py", BOARDS["render_line"].format(fault))
    with on_a_terminal(tmp_path, guest) as terminal:
        terminal.see("The game's duelbox_two_heaps.board has a fault")
        goes_on_at_home(terminal)


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize("function", ["apply", "view"])
def test_ctrl_c_ends_a_table_whose_rules_never_return(tmp_path: Path, function: str, kind: str) -> None:
    guest = two_heaps_with(tmp_path, "rules.py", failing_after_a_move(function, ENDLESS[kind]))
    with on_a_terminal(tmp_path, guest) as terminal:
        terminal.see("Player 1, your move")
        terminal.send("a1\rb1\r")
        is_stopped_by_ctrl_c(terminal, "duelbox_two_heaps.rules")


@pytest.mark.parametrize("kind", ENDLESS)
def test_ctrl_c_ends_a_table_whose_board_is_never_painted(tmp_path: Path, kind: str) -> None:
    source = f"""
painted = OwnBoard.paint

def paint(scene, *rest):
    return painted(scene, *rest) if len(scene.heaps[0][1]) != 4 else {ENDLESS[kind]}

OwnBoard.paint = staticmethod(paint)
"""
    with on_a_terminal(tmp_path, two_heaps_with(tmp_path, "board.py", source)) as terminal:
        terminal.see("Player 1, your move")
        terminal.send("a1\r")
        is_stopped_by_ctrl_c(terminal, "duelbox_two_heaps.board")


def on_a_terminal(home: Path, guest: Path) -> Terminal:
    """The full screen at a table with the guest."""
    paths = os.pathsep.join((str(guest), str(ROOT)))
    env = {"DUELBOX_HOME": str(home / "home"), "HOME": str(home), "PYTHONPATH": paths}
    return Terminal.python("-m", "duelbox", "play", "two-heaps", env=env, size=(120, 40))


def is_stopped_by_ctrl_c(terminal: Terminal, module: str) -> None:
    """Press Ctrl+C until the sentence shows."""
    terminal.insist(lambda: terminal.send("\x03"), f"The game's {module} was stopped")
    goes_on_at_home(terminal)


def goes_on_at_home(terminal: Terminal) -> None:
    """Home is there, plays another game, and quits."""
    terminal.see("Today", "Circle Duel")
    terminal.send("1")
    terminal.see("Number Circle Duel", "Your move")
    terminal.send("\x11")
    assert terminal.wait() == 0
    assert terminal.left_on == set()
