"""The terminal is asked what it can draw: its answers are found, and never become keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from duelbox.ui.terminal import questions
from duelbox.ui.terminal.driver import TerminalParser
from duelbox.ui.terminal.questions import FEW_COLOURS, FINE_COLOURS, MANY_COLOURS, Answer, Questions
from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[3]
ANSWER = "\x1b[?12;34;1R"
ANSWERS = (
    (ANSWER, ("place", "12;34;1")),
    ("\x1b[12;34R", ("place", "12;34")),
    ("\x1b[?64;1;22c", ("attributes", "64;1;22")),
    ("\x1bP1$r0;38:2::1:2:3m\x1b\\", ("colour", "0;38:2::1:2:3m")),
    ("\x1bP>|XTerm(379)\x1b\\", ("version", "XTerm(379)")),
)


class Clock:
    """Time that passes when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(questions, "monotonic", clock)
    monkeypatch.setattr("textual._parser.get_time", clock)
    return clock


def keys(messages: list[Message]) -> str:
    typed = [message for message in messages if isinstance(message, events.Key)]
    return "".join(key.character or f"<{key.key}>" for key in typed)


def answers(messages: list[Message]) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in messages if isinstance(message, Answer)]


# -- the parser


@pytest.mark.parametrize("pause", [0.0, 0.09])
@pytest.mark.parametrize(("sequence", "answer"), ANSWERS)
def test_an_answer_in_two_pieces_is_an_answer_wherever_it_is_cut(
    clock: Clock, pause: float, sequence: str, answer: tuple[str, str]
) -> None:
    for cut in range(len(sequence) + 1):
        parser = TerminalParser()
        told = parser.listen("a" + sequence[:cut])
        clock.now += pause
        told += parser.listen("")
        told += parser.listen(sequence[cut:] + "b")
        assert (keys(told), answers(told)) == ("ab", [answer])


@pytest.mark.parametrize(("sequence", "answer"), ANSWERS)
def test_an_answer_that_stops_on_its_way_goes_on_when_the_line_does(
    clock: Clock, sequence: str, answer: tuple[str, str]
) -> None:
    for cut in range(4, len(sequence)):
        parser = TerminalParser()
        told = parser.listen(sequence[:cut])
        clock.now += 0.9
        told += parser.listen("")
        told += parser.listen(sequence[cut:])
        assert (keys(told), answers(told)) == ("", [answer])


def test_answers_between_keys_leave_every_key_in_its_place() -> None:
    parser = TerminalParser()
    told = parser.listen(f"1{ANSWER}2\x1b[A{ANSWER}{ANSWER}3")
    assert keys(told) == "12<up>3"
    assert [type(message) for message in told].index(Answer) == 1
    assert len(answers(told)) == 3


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


KEYS = (
    ("\x1b[A", "up"),
    ("\x1b[5~", "pageup"),
    ("\x1b[1;5A", "ctrl+up"),
    ("\x1b[15;2~", "shift+f5"),
    ("\x1b[1;2P", "shift+f1"),
    ("\x1bOP", "f1"),
)


def test_keys_that_begin_like_an_answer_stay_keys() -> None:
    for sequence, key in KEYS:
        for cut in range(len(sequence) + 1):
            parser = TerminalParser()
            told = [*parser.listen(sequence[:cut]), *parser.listen(sequence[cut:])]
            assert [message.key for message in told if isinstance(message, events.Key)] == [key]


def test_a_report_of_the_mouse_that_a_slow_line_cuts_is_no_key(clock: Clock) -> None:
    report = "\x1b[<35;33;16M"
    for cut in range(3, len(report)):
        parser = TerminalParser()
        told = parser.listen(report[:cut])
        clock.now += 0.9
        told += [*parser.listen(""), *parser.listen(report[cut:] + "8")]
        assert keys(told) == "8"
        assert [(event.x, event.y) for event in told if isinstance(event, events.MouseMove)] == [(32, 15)]


def test_alt_and_p_is_a_key_as_early_as_without_answers(clock: Clock) -> None:
    parser = TerminalParser()
    told = parser.listen("\x1bP")
    clock.now += 0.1
    told += [*parser.listen(""), *parser.listen("1")]
    assert [message.key for message in told if isinstance(message, events.Key)] == ["alt+shift+p", "1"]


@pytest.mark.parametrize(
    "nonsense", ["\x1b[?R", "\x1b[?;R", "\x1b[?1R", "\x1b[?1;2;3;4R", "\x1b[?999999;1R", "\x1b[?1;;2R"]
)
def test_a_nonsense_answer_is_neither_place_nor_key(nonsense: str) -> None:
    told = TerminalParser().listen(f"a{nonsense}b")
    assert keys(told) == "ab"
    assert [message.place for message in told if isinstance(message, Answer)] == [None]


@pytest.mark.parametrize("half", ["\x1b[?12;3", "\x1b[12;3", "\x1bP1$r0;38:2", "\x1bP>|XTer", "\x1bP>|XTerm\x1b"])
def test_half_an_answer_is_dropped_after_a_pause(clock: Clock, half: str) -> None:
    parser = TerminalParser()
    told = parser.listen(half)
    clock.now += 1.0
    told += parser.listen("")
    assert not parser.is_waiting
    told += parser.listen("45")
    assert keys(told) == "45"


@pytest.mark.parametrize("beginning", ["\x1b[?", "\x1b[", "\x1bP>|", "\x1bP1$r"])
def test_an_answer_without_an_end_holds_no_more_than_a_line(beginning: str) -> None:
    parser = TerminalParser()
    parser.listen(beginning + "1" * 5000)
    assert "k" in keys([*parser.listen("\x1b"), *parser.listen("[A"), *parser.listen("k")])


# -- the questions


def screen(*rows: str) -> list[Strip]:
    return [Strip([Segment(row, Style(bgcolor="blue"))]) for row in rows]


def place(x: int, y: int) -> Answer:
    return Answer("place", f"{y + 1};{x + 1}")


FINE = Answer("colour", "0;38:2::1:2:3m")
VERSION, LAST = Answer("version", "XTerm(379)"), Answer("attributes", "64;22")


def known(question: Questions) -> tuple[tuple[int, ...], int]:
    return question.widths, question.colours


def test_the_answers_are_known_when_the_last_has_come() -> None:
    question = Questions("◆⠿", screen("text", " " * 20), {})
    strays = (place(6, 0), place(8, 1), place(6, 9), Answer("place", "nonsense"))
    for answer in (place(6, 1), place(6, 1), *strays, place(2, 1), VERSION, FINE):
        assert not question.take(answer)
    assert question.take(LAST)
    assert known(question) == ((2, 2), FINE_COLOURS)


def test_answers_that_come_twice_say_nothing_new() -> None:
    question = Questions("◆⠿", screen("text", " " * 20), {})
    told = [question.take(answer) for answer in (place(1, 1), place(5, 1), FINE, LAST) * 3]
    assert told == [False, False, False, True] + [False] * 8
    assert known(question) == ((1, 1), FINE_COLOURS)


def test_a_last_answer_to_somebody_else_does_not_end_the_questions() -> None:
    question = Questions("◆⠿", screen("text", " " * 20), {})
    assert question.take(LAST)
    assert known(question) == ((), FEW_COLOURS)
    assert [question.take(answer) for answer in (place(1, 1), place(5, 1), VERSION, FINE)] == [False, True, True, True]
    assert known(question) == ((1, 1), FINE_COLOURS)


@pytest.mark.parametrize(
    ("answer", "colours"),
    [
        (VERSION, MANY_COLOURS),
        (FINE, FINE_COLOURS),
        (Answer("colour", "38;2;1;2;3m"), FINE_COLOURS),
        (Answer("colour", "0;38:5:16m"), FEW_COLOURS),
        (Answer("colour", "0m"), FEW_COLOURS),
        (Answer("colour", ""), FEW_COLOURS),
    ],
)
def test_a_terminal_has_the_colours_that_it_shows(answer: Answer, colours: int) -> None:
    question = Questions("◆⠿", [], {})
    question.take(answer)
    question.take(LAST)
    assert known(question) == ((), colours)


def test_signs_are_asked_after_below_the_first_row_or_not_at_all() -> None:
    console = Console()
    assert "\x1b[2;1H" in Questions("◆⠿", screen(" " * 20, " " * 20), {}).sequence(console)
    for rows in (("full of words",), (" " * 20, "full of words")):
        sequence = Questions("◆⠿", screen(*rows), {}).sequence(console)
        assert "◆" not in sequence
        assert sequence.endswith("\x1b[c")


def test_the_question_for_colours_is_left_out_where_it_would_show_or_not_matter() -> None:
    environs = {"TERM": "xterm"}, {"TERM": "screen.xterm-256color"}, {"TERM": "xterm", "NO_COLOR": "1"}
    asked = [Questions("◆⠿", [], environ).sequence(Console()) for environ in environs]
    assert ["$q" in sequence for sequence in asked] == [True, False, False]


# -- in a terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """The sample app, which asks how wide ◆ and a braille sign are, and lists what it is told."""
    env = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "TERM": "xterm", "COLORTERM": ""}
    with Terminal.python("-m", "tests.ui.terminal.sample_app", "asks", env=env, cwd=tmp_path) as terminal:
        yield terminal


def type_and_enter(terminal: Terminal, text: str) -> None:
    terminal.send(f"{text}\r")
    terminal.see(f"<{text}>")


@pytest.mark.parametrize("wide", ["", "◆", "◆⠿"])
def test_a_terminal_that_answers_at_once_is_understood(terminal: Terminal, wide: str) -> None:
    terminal.screen.wide = wide
    terminal.send("".join(terminal.asked()))
    terminal.see(f"widths ({1 + ('◆' in wide)}, {1 + ('⠿' in wide)})")
    type_and_enter(terminal, "words")


@pytest.mark.parametrize("with_version", [True, False])
def test_a_terminal_gets_the_colours_that_it_has(terminal: Terminal, with_version: bool) -> None:
    terminal.screen.has_fine_colours = with_version
    if not with_version:
        terminal.screen.version = ""
    terminal.send("".join(terminal.asked()))
    if with_version:
        terminal.see("16777216 colours at last")
        before = len(terminal.raw)
        type_and_enter(terminal, "words")
        assert b"38;2;" in terminal.raw[before:]
    else:
        terminal.see("16 colours")
        type_and_enter(terminal, "words")
        assert b"38;2;" not in terminal.raw.replace(b"38;2;1;2;3m\x1bP", b"")
        assert "at last" not in terminal.screen.text


def test_the_question_is_not_seen(terminal: Terminal) -> None:
    terminal.asked()
    terminal.settle()
    assert terminal.screen.unseen == "◆⠿"
    assert "◆" not in terminal.screen.text
    assert terminal.raw.index(b"press me") < terminal.raw.index(b"\x1b[?6n")


def test_late_answers_amid_typing_lose_no_key(terminal: Terminal) -> None:
    all_answers = terminal.asked()
    terminal.insist(lambda: type_and_enter(terminal, "early"), "<early>")
    for answer in all_answers:
        terminal.send("k" + answer[:5])
        terminal.settle(0.3)
        terminal.send(answer[5:])
    terminal.send("\r")
    terminal.see("widths (1, 1), 16777216 colours at last", f"<{'k' * len(all_answers)}>")
    terminal.send("".join(all_answers) + "again\r")
    terminal.see("<again>")


def test_a_terminal_that_never_answers_takes_typing_as_ever(terminal: Terminal) -> None:
    terminal.asked()
    type_and_enter(terminal, "words")
    assert "widths" not in terminal.screen.text


def test_nonsense_for_an_answer_changes_nothing(terminal: Terminal) -> None:
    terminal.asked()
    terminal.send("a\x1b[?99;99Rb\x1b[?0;0;0Rc\x1b[?Rd\x1bP1$r999;mmm\x1b\\e\x1b[99999;99999R\r")
    terminal.see("<abcde>")
    assert "widths" not in terminal.screen.text
