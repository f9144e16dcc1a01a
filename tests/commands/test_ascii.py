"""Commands print plain ASCII without colour, for any terminal, pipe or printer."""

from __future__ import annotations

import pytest

from duelbox.arguments import parser_of_all
from duelbox.commands.completion import SCRIPTS
from duelbox.commands.shared import commands_of, topics
from duelbox.registry import BUILT_IN
from duelbox.store.store import Store
from tests.command_line import run

CODES = ("number-circle/+2.+9", "digit-chain/26.61", "number-duel:deal=31524-42513/4x3", "sequence-duel:size=7/3.5.7.1")
OVER = "circle-duel/4.5.6.7.8.9.10.1.2.3"
TYPED = "hint\nverdict\nwhy\nanswer\nhelp\n1\n2\n?\nskip\nquit\n"
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("show", OVER, *CODES),
    ("solve", OVER, *CODES),
    *(("review", code) for code in (OVER, *CODES)),
    ("games", "--facts"),
    ("lab", "circle-duel", "--x", "size=6-9", "--y", "gaps=0-2"),
    ("learn",),
    ("progress",),
    ("lab", "sequence-duel", "--x", "size=9-11", "--y", "ring"),
    ("puzzle", "--daily", "2027-01-06", "--plain"),
    ("worksheet", "circle-duel", "--md", "--answers", "--puzzles", "2"),
    ("history",),
    ("prove", "sequence-duel:size=9"),
    ("export", "progress"),
    ("import", "-"),
    ("doctor",),
    ("doctor", "--report"),
    ("exam", "--positions", "5"),
    ("help",),
    ("help", "--man"),
    *(("help", name) for name in topics()),
    *(("completion", shell) for shell in SCRIPTS),
    *((command, game, *plain) for game in BUILT_IN for command, *plain in (("rules",), ("learn", "--plain"))),
    *(("play", game, "--plain", "--p1", "bot:1", "--p2", "bot:5", "--rounds", "1") for game in BUILT_IN),
    *(("play", code, "--plain") for code in CODES),
)
ELSEWHERE = {"host", "join", "relay", "serve", "watch"}
"""Commands that wait for other people; they have tests of their own."""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_prints_plain_signs(command: tuple[str, ...]) -> None:
    with Store.open() as store:
        store.import_text(OVER)
    ran = run(*command, typed=CODES[0] if "import" in command else TYPED)
    assert ran.status == 0, ran.err
    assert ran.out
    assert not {sign for sign in ran.out + ran.err if not (sign.isascii() and (sign.isprintable() or sign == "\n"))}


def test_no_command_is_forgotten() -> None:
    assert {command[0] for command in COMMANDS} - {"--help"} == set(commands_of(parser_of_all())) - ELSEWHERE
