"""Guests' games with faults outside of their rules: the faulty part is left out and named, and the game goes on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from duelbox import registry
from duelbox.bots import choose
from duelbox.learn.lessons import lessons_of
from duelbox.registry import GuestFault, find_game
from duelbox.solve import NoSolver, analyse, can_solve, solver_of
from duelbox.solve.api import Stop, Stopped
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.ui.app import DuelboxApp
from tests.command_line import play, run
from tests.guest_games import WHOLE

Install = Callable[[Path], None]
FAULTS = ("1 / 0", "exit(3)", "(_ for _ in ()).throw(KeyboardInterrupt)", "(_ for _ in ()).throw(RecursionError)")


def two_heaps_with(folder: Path, name: str, text: str) -> Path:
    """A guest with every part, and an addition to one of its modules."""
    from shutil import copytree

    copytree(WHOLE, folder / "guest")
    module = folder / "guest" / "duelbox_two_heaps" / name
    module.write_text(f"{module.read_text('utf-8') if module.exists() else ''}\n{text}\n", encoding="utf-8")
    return folder / "guest"


@pytest.mark.parametrize("fault", FAULTS[:2])
def test_a_solver_that_fails_is_left_out(installed: Install, tmp_path: Path, fault: str) -> None:
    installed(two_heaps_with(tmp_path, "solve.py", f"SOLVE = Solver(lambda view, stop: {fault})"))
    game = find_game("two-heaps")
    with pytest.raises(GuestFault) as told:
        analyse(game, game.start(game.Options()))
    sentence = told.value.sentence
    assert sentence.startswith("The game's duelbox_two_heaps.solve has a fault, and is left out: ")
    assert sentence.endswith(" of solve.py.")
    with pytest.raises(NoSolver, match=r"duelbox_two_heaps\.solve has a fault"):
        solver_of("two-heaps")
    assert not can_solve("two-heaps")
    for asked in (("solve", "two-heaps"), ("review", "two-heaps/a1.b2")):
        ran = run(*asked)
        assert ran.status in (1, 2)
        assert "duelbox_two_heaps.solve has a fault" in ran.err
    told_in_lines = play("two-heaps", "verdict", "a", "1")
    assert told_in_lines.status == 0
    assert "takes 1 from heap a" in told_in_lines.out or "a1" in told_in_lines.out


def test_a_stream_that_fails_in_the_middle_and_what_it_quotes(installed: Install, tmp_path: Path) -> None:
    source = """
def secretive(view, stop):
    yield from stream(view, stop)
    raise ValueError("they hold 7 and 9")

SOLVE = Solver(secretive)
"""
    installed(two_heaps_with(tmp_path, "solve.py", source))
    game = find_game("two-heaps")
    with pytest.raises(GuestFault) as told:
        analyse(game, game.start(game.Options()))
    assert "ValueError at line" in told.value.sentence
    assert "7" not in told.value.sentence.partition("ValueError at line")[0]
    assert "they hold" not in told.value.sentence


HANGS = """
def hangs(*_):
    from time import sleep
    while True:
        sleep(0.01)
"""


def test_a_solver_that_does_not_stop_is_left_behind(installed: Install, tmp_path: Path) -> None:
    source = f"{HANGS}\ndef first(view, stop):\n    yield from stream(view, stop)\n    hangs()\n\nSOLVE = Solver(first)"
    installed(two_heaps_with(tmp_path, "solve.py", source))
    game = find_game("two-heaps")
    with pytest.raises(GuestFault, match=r"duelbox_two_heaps\.solve has a fault, and is left out: DoesNotStop"):
        analyse(game, game.start(game.Options()), Stop(0.1))
    assert not can_solve("two-heaps")


def test_a_computer_that_does_not_stop_takes_what_comes(installed: Install, tmp_path: Path) -> None:
    installed(two_heaps_with(tmp_path, "bot.py", f"{HANGS}\nBOT = Bot(LEVELS, hangs)"))
    game = find_game("two-heaps")
    choice = choose(game, game.start(game.Options()), "oracle", 7)
    assert choice.why.startswith("The game's duelbox_two_heaps.bot has a fault, and is left out: DoesNotStop")


def test_a_solver_that_is_told_to_stop_has_no_fault(installed: Install) -> None:
    installed(WHOLE)
    game, stop = find_game("two-heaps"), Stop()
    stop.stop()
    with pytest.raises(Stopped):
        analyse(game, game.start(game.Options()), stop)
    assert can_solve("two-heaps")


@pytest.mark.parametrize("chosen", [*FAULTS[:2], "Choice('z9', 'Why not?')", "Choice(None, 'Why not?')", "None"])
def test_a_computer_that_fails_takes_what_comes_and_says_so(installed: Install, tmp_path: Path, chosen: str) -> None:
    source = f"from duelbox.bots.api import Choice\nBOT = Bot(LEVELS, lambda view, level, seed, stop: {chosen})"
    installed(two_heaps_with(tmp_path, "bot.py", source))
    game = find_game("two-heaps")
    view = game.start(game.Options())
    for _ in range(2):
        choice = choose(game, view, "oracle", 7)
        assert choice.move in map(game.format_move, game.legal_moves(view))
        assert choice.why.startswith("The game's duelbox_two_heaps.bot has a fault, and is left out: ")
    ran = run("play", "two-heaps", "--plain", "--p1", "bot:5", "--p2", "bot:oracle")
    assert ran.status == 0
    assert "wins the game!" in ran.out


@pytest.mark.parametrize("field", ["welcome", "board", "turn", "question", "choices", "after", "ending", "line"])
def test_words_that_fail_give_way_to_those_that_fit_any_game(installed: Install, tmp_path: Path, field: str) -> None:
    source = f"from dataclasses import replace\nTALK = replace(TALK, {field}=lambda *_: 1 / 0)"
    installed(two_heaps_with(tmp_path, "talk.py", source))
    ran = play("two-heaps:first=1,second=1", "help", "board", "moves", "a", "1", "a1", "b", "1", "b1")
    assert ran.status == 0
    assert "Its code: two-heaps:first=1,second=1/a1" in ran.out or "/a1.b1" in ran.out
    ran = run("play", "two-heaps:first=1,second=1", "--plain", "--p1", "bot:dash", "--p2", "bot:oracle")
    assert "wins the game!" in ran.out
    assert registry.fence_of("two-heaps", "talk").sentence.startswith("The game's duelbox_two_heaps.talk has a fault")


def test_a_lesson_that_fails_is_told(installed: Install, tmp_path: Path) -> None:
    guest = two_heaps_with(tmp_path, "rules.py", "")
    (guest / "duelbox_two_heaps" / "lessons").mkdir()
    (guest / "duelbox_two_heaps" / "lessons" / "1-heaps.toml").write_bytes(b"\xff\xfe")
    installed(guest)
    with pytest.raises(
        GuestFault, match=r"duelbox_two_heaps\.lessons has a fault, and is left out: UnicodeDecodeError"
    ):
        lessons_of("two-heaps")
    assert run("learn", "two-heaps").status == 2


BOARDS = {
    "scene": "BOARD = GameBoard(HeapBoard, lambda view, look: 1 / 0, score, begins=begins)",
    "score": "BOARD = GameBoard(HeapBoard, scene, lambda view, seat: 1 / 0, begins=begins)",
    "paint": "HeapBoard.paint = staticmethod(lambda *_: 1 / 0)",
    "widget": "BOARD = GameBoard(lambda: 1 / 0, scene, score, begins=begins)",
    "begins": "BOARD = GameBoard(HeapBoard, scene, score, begins=lambda view, line: 1 / 0)",
}


@pytest.mark.parametrize("part", BOARDS)
async def test_a_board_that_fails_gives_way_to_one_that_fits_any_game(
    installed: Install, tmp_path: Path, part: str
) -> None:
    installed(two_heaps_with(tmp_path, "board.py", BOARDS[part]))
    from duelbox.table.local import LocalTable
    from duelbox.table.new_game import read_new_game
    from duelbox.table.players import with_default_names

    with Store.open() as store:
        app = DuelboxApp(
            Config.load(),
            store,
            LocalTable(read_new_game("two-heaps"), with_default_names((None, None)), None, store),
        )
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            await pilot.press("a", "1", "enter")
            await pilot.pause()
            session = app.screen.table.session  # type: ignore[attr-defined]
            assert session.code() == "two-heaps/a1"
            assert registry.fence_of("two-heaps", "board").sentence.startswith(
                "The game's duelbox_two_heaps.board has a fault"
            )
            assert "duelbox_two_heaps.board" in "\n".join(
                strip.text for strip in app.screen._compositor.render_strips(app.screen.size)
            )


@pytest.mark.parametrize("method", ["render_line", "watch_scene", "stops", "on_key", "picture", "drawing"])
async def test_of_a_guest_s_widget_only_the_painting_is_taken(installed: Install, tmp_path: Path, method: str) -> None:
    installed(two_heaps_with(tmp_path, "board.py", f"HeapBoard.{method} = lambda *_: 1 / 0"))
    from duelbox.table.local import LocalTable
    from duelbox.table.new_game import read_new_game
    from duelbox.table.players import with_default_names

    with Store.open() as store:
        app = DuelboxApp(
            Config.load(),
            store,
            LocalTable(read_new_game("two-heaps"), with_default_names((None, None)), None, store),
        )
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("a", "1", "enter", "left")
            await pilot.pause()
            assert app.screen.table.session.code() == "two-heaps/a1"  # type: ignore[attr-defined]
            strips = app.screen._compositor.render_strips(app.screen.size)
            assert re.search("a: .*2", "\n".join(strip.text for strip in strips))
    assert not registry.fence_of("two-heaps", "board").sentence


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_verdict_that_fails_is_told_on_the_screen(installed: Install, tmp_path: Path, fault: str) -> None:
    installed(two_heaps_with(tmp_path, "solve.py", f"SOLVE = Solver(lambda view, stop: {fault})"))
    from duelbox.table.local import LocalTable
    from duelbox.table.new_game import read_new_game
    from duelbox.table.players import with_default_names

    with Store.open() as store:
        app = DuelboxApp(
            Config.load(),
            store,
            LocalTable(read_new_game("two-heaps"), with_default_names((None, None)), None, store),
        )
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await pilot.press("v")
            async with asyncio.timeout(30):
                while "duelbox_two_heaps.solve" not in "\n".join(
                    strip.text for strip in app.screen._compositor.render_strips(app.screen.size)
                ):
                    await pilot.pause(0.05)
            await pilot.press("h")
            await pilot.press("a", "1", "enter")
            await pilot.pause()
            assert app.screen.table.session.code() == "two-heaps/a1"  # type: ignore[attr-defined]


async def test_a_fault_of_ours_is_no_guests_and_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbox.core.errors import DuelboxError

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
