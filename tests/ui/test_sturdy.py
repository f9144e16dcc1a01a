"""What stands between Textual and the terminal, piece by piece; the whole of it is in test_terminal."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from time import monotonic

import pytest
import textual.timer
from rich._wrap import divide_line
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import OptionList, Static

from duelbox.ui import crash
from duelbox.ui.driver import SturdyParser
from duelbox.ui.sturdy import SturdyApp
from tests.ui.acting import mouse
from tests.ui.pty import ODD

SECRET = "hand 7 4 9"


class Reported(SturdyApp):
    """An app whose reports go to a folder of the test."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.crash_folder = folder

    def compose(self) -> ComposeResult:
        yield Static("here")


# -- the parser


def heard(*pieces: str) -> list[Message]:
    parser = SturdyParser()
    return [message for piece in pieces for message in parser.listen(piece)]


@pytest.mark.parametrize("data", ODD.values(), ids=ODD.keys())
def test_whatever_is_typed_can_be_written(data: bytes) -> None:
    for message in heard(data.decode(errors="replace"), "x"):
        if isinstance(message, events.Key):
            f"{message.key}{message.character}".encode()


def test_a_paste_is_known_to_be_open_however_it_is_cut() -> None:
    whole = "\x1b[200~two words\x1b[201~"
    for cut in range(len(whole) + 1):
        parser = SturdyParser()
        pasted = [*parser.listen(whole[:cut]), *parser.listen(whole[cut:])]
        assert [message.text for message in pasted if isinstance(message, events.Paste)] == ["two words"]
        assert not parser.pasting
    opened = SturdyParser()
    opened.listen("\x1b[200~two words")
    assert opened.pasting
    assert opened.is_waiting


def test_the_mouse_counts_cells_whatever_size_is_claimed() -> None:
    (click,) = (m for m in heard("\x1b[48;24;80;0;0t", "\x1b[<0;7;5M") if isinstance(m, events.MouseDown))
    assert (click.x, click.y) == (6, 4)


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
    told = crash.describe(ExceptionGroup(SECRET, [failing(), OSError(13, "Permission denied")]))
    assert SECRET not in told
    assert "in failing" in told
    assert told.index("builtins.ValueError") < told.index("builtins.KeyError")
    assert "Permission denied" in told


def test_a_report_that_cannot_be_written_is_still_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sentence = crash.file_report(failing(), tmp_path / "file")
    assert "could not be written" in sentence
    assert SECRET not in sentence
    assert crash.file_report(failing(), None) == "duelbox has run into a fault of its own and had to stop."


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


# -- repairs


def test_a_long_word_has_room_in_no_columns() -> None:
    assert divide_line("unbreakable", 0) == divide_line("unbreakable", 1)


async def test_a_single_shot_is_fired_however_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, fired = 0, []

    def late() -> float:
        nonlocal asked
        asked += 1
        return monotonic() + (0 if asked == 1 else 3600)

    app = Reported(tmp_path)
    async with app.run_test():
        monkeypatch.setattr(textual.timer._time, "get_time", late)
        timer = Timer(app, 0.001, callback=lambda: fired.append(True), repeat=0)
        timer._start()
        assert timer._task
        await timer._task
    assert fired == [True]


async def test_a_click_on_an_option_that_is_gone_chooses_nothing(tmp_path: Path) -> None:
    app = Reported(tmp_path)
    async with app.run_test() as pilot:
        options = OptionList("one", "two")
        await app.screen.mount(options)
        for number, chosen in ((2, 0), (1, 1)):
            click = mouse(events.Click, 1, 1)
            click._style = Style(meta={"option": number})
            options.post_message(click)
            await pilot.pause()
            assert options.highlighted == chosen
        assert app.return_code is None


async def test_a_click_beside_a_palette_that_shrank_is_for_nobody(tmp_path: Path) -> None:
    app = Reported(tmp_path)
    async with app.run_test(size=(40, 12)) as pilot:
        app.action_command_palette()
        await pilot.pause()
        palette = app.screen
        palette.post_message(mouse(events.Click, 60, 30))
        await pilot.pause()
        assert app.return_code is None
        assert app.screen is palette
        palette.post_message(mouse(events.Click, 1, 11))
        await pilot.pause()
        assert app.screen is not palette


async def test_garbage_is_collected_again_after_the_first_paint(tmp_path: Path) -> None:
    gc.disable()
    try:
        async with Reported(tmp_path).run_test() as pilot:
            await pilot.pause()
            assert gc.isenabled()
    finally:
        gc.unfreeze()
        gc.enable()


async def test_a_key_ahead_of_its_screen_waits_for_it(tmp_path: Path) -> None:
    class Late(Screen[None]):
        BINDINGS = [Binding("x", "mark", "Mark", priority=True)]  # noqa: RUF012

        async def on_mount(self) -> None:
            await asyncio.sleep(0.05)
            await self.mount(Static("blank", id="mark"))

        def action_mark(self) -> None:
            self.query_one("#mark", Static).update("marked")

    app = Reported(tmp_path)
    async with app.run_test() as pilot:
        app.push_screen(Late())
        app.post_message(events.Key("x", "x"))
        await pilot.pause()
        assert app.return_code is None
        assert str(app.screen.query_one("#mark", Static).content) == "marked"
