"""The questions of the line mode: names, words, wrong answers, and rounds."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from duelbox.core.code import parse_code
from duelbox.core.session import Session
from duelbox.plain.line_match import HELP
from duelbox.plain.line_table import KEYS
from duelbox.plain.rules_page import rules_page
from duelbox.registry import find_game
from duelbox.table.local import LocalTable
from tests.command_line import play, run

# -- names


def test_names_may_be_left_out() -> None:
    assert "Player 1 will go first." in play("circle-duel", "", "", options=()).out
    assert "Player 1 will go first." in play("circle-duel", options=()).out
    ran = play("circle-duel", "Cy", options=("--p2", "Di"))
    assert "Player 2, enter" not in ran.out
    assert "Cy will go first." in ran.out


def test_whoever_ends_the_input_of_a_terminal_at_a_name_leaves() -> None:
    out = run("play", "circle-duel", "--plain", typed="Ann\n", terminal=True).out
    assert "Player 2, enter" in out
    assert "will go first" not in out
    assert "The game stops here." in out


# -- the words, at every prompt


def questions(out: str) -> list[str]:
    """The printed lines that end with the typed text."""
    return [line for line in out.splitlines() if re.match(r"(Choose|Select|Type the)\b.*:", line)]


@pytest.mark.parametrize("word", ["help", "rules", "board", "moves", "code", "HELP"])
@pytest.mark.parametrize(
    ("code", "typed"),
    [("circle-duel/4", ()), ("number-circle", ()), ("number-circle", ("2",)), ("digit-chain:zero=wild/50", ())],
)
def test_a_word_changes_nothing_and_the_question_comes_again(word: str, code: str, typed: tuple[str, ...]) -> None:
    plain, asked = play(code, *typed).out, play(code, *typed, word).out
    question = questions(plain)[-1]
    assert questions(asked)[-2:] == [f"{question}{word}", question]
    said = asked[len(plain[: plain.rindex(question)]) + len(question) + len(word) + 1 : asked.rindex(question)]
    session = Session(find_game(code.partition("/")[0].partition(":")[0]), parse_code(code, find_game).options)
    wanted = {"help": HELP, "rules": rules_page(session.game.INFO.id).rstrip(), "code": code}
    assert said.strip() == wanted.get(word.lower(), said.strip()) != ""


def test_the_rules_and_the_help_name_each_other() -> None:
    words = re.findall(r"^  (\w+) ", HELP, re.MULTILINE)
    assert {"help", "rules", "board", "moves", "undo", "redo", "hint", "verdict", "resign", "quit"} <= set(words)
    assert len(words) == len(set(words))
    for word in words:
        assert "is not a move" not in play("sequence-duel", word).out
    assert "is not a move" in play("sequence-duel", "word").out


@pytest.mark.parametrize(("key", "word"), KEYS.items())
def test_the_keys_of_the_screen_do_what_they_do_there(key: str, word: str) -> None:
    def told(asked: str) -> str:
        return play("sequence-duel", "10", asked).out.replace(f"select a number: {asked}\n", "")

    assert told(key) == told(word) != told("13")


def test_a_key_is_a_name_where_a_name_is_asked_for_and_yes_is_yes() -> None:
    out = run("play", "circle-duel:size=4", "--plain", typed="h\nq\n1\n2\n3\n4\ny\n").out
    assert re.findall(r"(?m)^(\w+) will go first", out) == ["h", "q"]
    assert out.count("\nh's turn.") >= 2


# -- rounds


def test_later_rounds_are_dealt_anew_and_the_deal_of_a_secret_game_does_not_follow_from_the_last() -> None:
    def seeds(*options: str) -> list[int]:
        typed = ["", "resign", ""] * 4
        out = play("number-duel:hand=3", *typed, options=("--rounds", "4", *options)).out
        return [int(seed) for seed in re.findall(r"seed=(\d+)", out)]

    drawn = seeds("--p1", "Ann", "--p2", "Ben")
    assert all(abs(one - two) > 1 for one, two in pairwise(drawn))
    assert seeds("--p1", "Ann", "--p2", "Ben", "--seed", "7") == [7, 8, 9, 10]


def test_a_match_ends_with_a_table_of_its_rounds() -> None:
    options = ("--p1", "Ann", "--p2", "Béatrice", "--rounds", "3")
    out = play("digit-chain:gaps=3,seed=5", "50", "", "resign", "", "11", "resign", "", options=options).out
    rows = [line.split() for line in out.splitlines() if re.match(r"\d+ .* \d+$", line)]
    assert rows == [["1", "1", "Ann", "Ann", "1"], ["2", "1", "Béatrice", "Ann", "0"], ["3", "2", "Ann", "Ann", "1"]]
    assert len({line.index("Ann", 8) for line in out.splitlines() if line.startswith(("1 ", "3 "))}) == 1, "columns"


def test_two_computers_play_their_match_without_being_asked() -> None:
    out = play("sequence-duel:size=5", "", options=("--p1", "bot:1", "--p2", "bot:2", "--rounds", "3")).out
    assert "Press Enter for round" not in out
    assert out.count("The code of this game") == 3
    assert "Round  First  Winner" in out
    assert out.endswith("Press Enter to finish: \nGoodbye.\n")


def test_a_terminal_is_cleared_behind_each_hand_and_what_is_none_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    args = ("play", "number-duel:hand=3,deal=312-123", "--plain", "--p1", "Ann", "--p2", "Ben")
    for term, terminal in (("xterm", True), ("dumb", True), ("xterm", False)):
        monkeypatch.setenv("TERM", term)
        monkeypatch.setattr("duelbox.plain.console._TWICE", 0)
        monkeypatch.setattr("duelbox.plain.console._forget_keys", lambda _: None)
        out = run(*args, typed="\n3x2\n\n", terminal=terminal).out
        clears = (term, terminal) == ("xterm", True)
        assert out.count("\x1b[3J") == (2 if clears else 0)
        assert ("cannot clear this screen" in out.partition("Your numbers by position")[0]) != clears
        hands = out.split("\x1b[H\x1b[2J\x1b[3J") if clears else re.split(r"\n{50,}", out)
        assert ["Your numbers by position: 3, 1, 2" in part for part in hands] == [True, False, False]
        assert "Your numbers" not in hands[-1], "whoever leaves leaves no hand on the screen"


def test_an_offer_of_a_draw_takes_the_hand_away_before_the_other_answers() -> None:
    out = play("number-duel:hand=3,deal=312-123", "", "draw", "undo", "resign", "no", "").out
    mine, theirs, *_ = re.split(r"\n{50,}", out)
    assert "Your numbers by position: 3, 1, 2" in mine
    offered, _, after = theirs.partition("Ben said no.")
    assert "Your numbers" not in offered
    assert re.findall("yes or no: (.*)\n(.*)", offered)[:2] == [
        ("undo", "Type yes or no."),
        ("resign", "Type yes or no."),
    ]
    assert re.search("Ann, press Enter .*\nAnn's Turn\n", after), "it is her turn again"


def test_a_fault_leaves_no_hand_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: LocalTable, move: str) -> None:
        raise RuntimeError(move)

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("duelbox.plain.console._TWICE", 0)
    monkeypatch.setattr("duelbox.plain.console._forget_keys", lambda _: None)
    monkeypatch.setattr(LocalTable, "play", fail)
    args = ("play", "number-duel:hand=3,deal=312-123", "--plain", "--p1", "Ann", "--p2", "Ben")
    ran = run(*args, typed="\n3x2\n", terminal=True)
    before, _, after = ran.out.partition("\x1b[3J")
    assert ("Your numbers by position: 3, 1, 2" in before, "Your numbers" in after) == (True, False)
    assert (ran.status, "a fault of its own" in ran.err) == (1, True)
