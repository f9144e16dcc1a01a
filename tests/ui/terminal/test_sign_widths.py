"""The terminal is asked how wide it draws signs: its answers are found, and never become keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from duelbox.ui.terminal import sign_widths
from duelbox.ui.terminal.driver import TerminalParser
from duelbox.ui.terminal.sign_widths import CursorPlace, WidthQuestion
from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[3]
ANSWER = "\x1b[?12;34;1R"


class Clock:
    """Time that passes when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(sign_widths, "monotonic", clock)
    monkeypatch.setattr("textual._parser.get_time", clock)
    return clock


def keys(messages: list[Message]) -> str:
    typed = [message for message in messages if isinstance(message, events.Key)]
    return "".join(key.character or f"<{key.key}>" for key in typed)


def places(messages: list[Message]) -> list[tuple[int, int]]:
    return [(message.x, message.y) for message in messages if isinstance(message, CursorPlace)]


# -- the parser


@pytest.mark.parametrize("pause", [0.0, 0.09])
def test_an_answer_in_two_pieces_is_an_answer_wherever_it_is_cut(clock: Clock, pause: float) -> None:
    for cut in range(len(ANSWER) + 1):
        parser = TerminalParser()
        told = parser.listen("a" + ANSWER[:cut])
        clock.now += pause
        told += parser.listen("")
        told += parser.listen(ANSWER[cut:] + "b")
        assert (keys(told), places(told)) == ("ab", [(33, 11)])


def test_an_answer_that_stops_in_its_numbers_goes_on_when_the_line_does(clock: Clock) -> None:
    for cut in range(3, len(ANSWER)):
        parser = TerminalParser()
        told = parser.listen(ANSWER[:cut])
        clock.now += 0.9
        told += parser.listen("")
        told += parser.listen(ANSWER[cut:])
        assert (keys(told), places(told)) == ("", [(33, 11)])


def test_answers_between_keys_leave_every_key_in_its_place() -> None:
    parser = TerminalParser()
    told = parser.listen(f"1{ANSWER}2\x1b[A{ANSWER}{ANSWER}3")
    assert keys(told) == "12<up>3"
    assert [type(message) for message in told].index(CursorPlace) == 1
    assert len(places(told)) == 3


def test_an_answer_within_a_paste_is_not_pasted() -> None:
    parser = TerminalParser()
    told = parser.listen(f"\x1b[200~two {ANSWER}words\x1b[201~")
    assert [message.text for message in told if isinstance(message, events.Paste)] == ["two words"]


def test_escape_is_a_key_as_early_as_without_answers(clock: Clock) -> None:
    parser = TerminalParser()
    told = parser.listen("\x1b")
    assert parser.is_waiting
    clock.now += 0.1
    told += parser.listen("")
    assert keys(told) == "\x1b"
    assert not parser.is_waiting


def test_keys_that_begin_like_an_answer_stay_keys() -> None:
    for sequence, key in (("\x1b[A", "up"), ("\x1b[5~", "pageup"), ("\x1bOP", "f1")):
        for cut in range(len(sequence) + 1):
            parser = TerminalParser()
            told = [*parser.listen(sequence[:cut]), *parser.listen(sequence[cut:])]
            assert [message.key for message in told if isinstance(message, events.Key)] == [key]


@pytest.mark.parametrize(
    "nonsense", ["\x1b[?R", "\x1b[?;R", "\x1b[?1R", "\x1b[?1;2;3;4R", "\x1b[?999999;1R", "\x1b[?1;;2R"]
)
def test_a_nonsense_answer_is_neither_answer_nor_key(nonsense: str) -> None:
    told = TerminalParser().listen(f"a{nonsense}b")
    assert (keys(told), places(told)) == ("ab", [])


def test_half_an_answer_is_dropped_after_a_pause(clock: Clock) -> None:
    parser = TerminalParser()
    told = parser.listen("\x1b[?12;3")
    clock.now += 1.0
    told += parser.listen("")
    assert not parser.is_waiting
    told += parser.listen("45")
    assert keys(told) == "45"


# -- the question


def screen(*rows: str) -> list[Strip]:
    return [Strip([Segment(row, Style(bgcolor="blue"))]) for row in rows]


def test_widths_are_known_when_every_sign_has_an_answer() -> None:
    question = WidthQuestion("◆⠿", screen("text", " " * 20))
    assert question.take(CursorPlace(6, 1)) is None
    assert question.take(CursorPlace(6, 1)) is None
    assert question.take(CursorPlace(6, 0)) is None
    assert question.take(CursorPlace(8, 1)) is None
    assert question.take(CursorPlace(2, 1)) == (2, 2)


def test_nothing_is_asked_where_no_cell_is_blank() -> None:
    from rich.console import Console

    assert WidthQuestion("◆⠿", screen("full of words")).sequence(Console()) == ""


# -- in a terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """The sample app, which asks how wide ◆ and a braille sign are, and types what it gets."""
    env = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    with Terminal.python("-m", "tests.ui.terminal.sample_app", "asks", env=env, cwd=tmp_path) as terminal:
        yield terminal


def asked(terminal: Terminal) -> list[str]:
    terminal.until(lambda: len(terminal.screen.answers) == 2, "two questions")
    return terminal.screen.answers


def type_and_enter(terminal: Terminal, text: str) -> None:
    terminal.send(f"{text}\r")
    terminal.see(f"<{text}>")


@pytest.mark.parametrize("wide", ["", "◆", "◆⠿"])
def test_a_terminal_that_answers_at_once_is_understood(terminal: Terminal, wide: str) -> None:
    terminal.screen.wide = wide
    terminal.send("".join(asked(terminal)))
    terminal.see(f"widths ({1 + ('◆' in wide)}, {1 + ('⠿' in wide)})")
    type_and_enter(terminal, "words")


def test_the_question_is_not_seen(terminal: Terminal) -> None:
    asked(terminal)
    terminal.settle()
    assert terminal.screen.unseen == "◆⠿"
    assert "◆" not in terminal.screen.text
    assert terminal.raw.index(b"press me") < terminal.raw.index(b"\x1b[?6n")


def test_a_late_answer_amid_typing_loses_no_key(terminal: Terminal) -> None:
    first, second = asked(terminal)
    terminal.insist(lambda: type_and_enter(terminal, "early"), "<early>")
    terminal.send("la")
    terminal.send(first + "te")
    terminal.send(second[:4])
    terminal.settle(0.3)
    terminal.send(second[4:] + "r\r")
    terminal.see("<later>", "widths (1, 1)")


def test_a_terminal_that_never_answers_takes_typing_as_ever(terminal: Terminal) -> None:
    asked(terminal)
    type_and_enter(terminal, "words")
    assert "widths" not in terminal.screen.text


def test_nonsense_for_an_answer_changes_nothing(terminal: Terminal) -> None:
    asked(terminal)
    terminal.send("a\x1b[?99;99Rb\x1b[?0;0;0Rc\x1b[?R\r")
    terminal.see("<abc>")
    assert "widths" not in terminal.screen.text
