"""Parser, crash reports and palette of TerminalApp; test_processes tests it as a whole."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.terminal.crash_report import CrashReports, describe
from duelbox.ui.terminal.driver import TerminalParser
from tests.golden.said import Said
from tests.ui.person import mouse
from tests.ui.terminal.pty import ODD

SECRET = "hand 7 4 9"


class Reported(TerminalApp):
    """An app that writes its crash reports to a folder of the test."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.crash_reports = CrashReports("duelbox", "1", folder)

    def compose(self) -> ComposeResult:
        yield Static("here")


# -- the parser


def heard(*pieces: str) -> list[Message]:
    parser = TerminalParser()
    return [message for piece in pieces for message in parser.listen(piece)]


@pytest.mark.parametrize("data", ODD.values(), ids=ODD.keys())
def test_whatever_is_typed_can_be_written(data: bytes) -> None:
    for message in heard(data.decode(errors="replace"), "x"):
        if isinstance(message, events.Key):
            f"{message.key}{message.character}".encode()


def test_a_paste_is_known_to_be_open_however_it_is_cut() -> None:
    whole = "\x1b[200~two words\x1b[201~"
    for cut in range(len(whole) + 1):
        parser = TerminalParser()
        pasted = [*parser.listen(whole[:cut]), *parser.listen(whole[cut:])]
        assert [message.text for message in pasted if isinstance(message, events.Paste)] == ["two words"]
        assert not parser.pasting
    opened = TerminalParser()
    opened.listen("\x1b[200~two words")
    assert opened.pasting
    assert opened.is_waiting


def test_a_paste_whose_end_is_held_up_halfway_is_one_paste_and_what_follows_are_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = count()
    monkeypatch.setattr("textual._parser.get_time", lambda: next(clock))  # later input comes too late
    start, rest = "\x1b[200~", "two words\x1b[201~"
    for cut in range(len(rest)):
        parser = TerminalParser()
        told = [*parser.listen(start + rest[:cut]), *parser.listen(""), *parser.listen(rest[cut:]), *parser.listen("k")]
        assert [message.text for message in told if isinstance(message, events.Paste)] == ["two words"]
        assert [message.key for message in told if isinstance(message, events.Key)] == ["k"]


# -- crashes


def failing() -> Exception:
    hidden = SECRET
    try:
        try:
            raise ValueError(hidden)
        except ValueError as error:
            raise KeyError(hidden) from error
    except KeyError as error:
        return error


def test_a_report_tells_where_and_which_kind_but_no_value() -> None:
    told = describe(ExceptionGroup(SECRET, [failing(), OSError(13, "Permission denied")]))
    assert SECRET not in told
    assert "in failing" in told
    assert told.index("builtins.ValueError") < told.index("builtins.KeyError")
    assert "Permission denied" in told


def test_a_report_that_cannot_be_written_is_still_one_sentence(tmp_path: Path, said: Said) -> None:
    (tmp_path / "file").touch()
    sentence = CrashReports("duelbox", "1", tmp_path / "file").file(failing())
    assert "could not be written" in sentence
    assert SECRET not in sentence
    said(CrashReports("duelbox").file(failing()))
    assert "more memory than there is for it" in CrashReports("duelbox").file(MemoryError())


async def fail_twice(app: App[int]) -> None:
    async with app.run_test() as pilot:
        app.call_later(lambda: app._handle_exception(failing()))
        app.call_later(lambda: app._handle_exception(ValueError(SECRET)))
        await pilot.pause()


async def test_an_app_that_fails_says_so_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = Reported(tmp_path)
    with pytest.raises(KeyError):
        await fail_twice(app)
    assert app.return_code == 1
    assert SECRET not in capsys.readouterr().err
    assert "KeyError" in (tmp_path / "crash.log").read_text()


def fail_late() -> None:
    raise failing()


async def test_what_fails_in_a_screen_on_its_way_out_is_only_noted(tmp_path: Path) -> None:
    app = Reported(tmp_path)
    async with app.run_test() as pilot:
        await app.push_screen(leaving := Screen[None]())
        leaving.call_later(fail_late)
        app.pop_screen()
        await pilot.pause()
    assert not app.return_code
    assert "fail_late" in (tmp_path / "crash.log").read_text()


# -- the palette


async def test_a_click_beside_the_palette_closes_it(tmp_path: Path) -> None:
    app = Reported(tmp_path)
    async with app.run_test(size=(40, 12)) as pilot:
        app.action_command_palette()
        await pilot.pause()
        palette = app.screen
        palette.post_message(mouse(events.Click, 60, 30))
        await pilot.pause()
        assert app.screen is palette
        palette.post_message(mouse(events.Click, 1, 11))
        await pilot.pause()
        assert app.screen is not palette
