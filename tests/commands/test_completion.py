"""`duelbox completion`: its candidates, and real completion in bash, zsh and fish."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbox import themes
from duelbox.arguments import parser_of_all
from duelbox.commands.completion import _VALUES, SCRIPTS, candidates
from duelbox.commands.shared import commands_of, topics, what_commands_do
from duelbox.learn.lessons import lessons_of
from duelbox.registry import BUILT_IN, find_game
from duelbox.store.store import Store
from tests.command_line import run
from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[2]
COMMANDS = {name: commands_of(parser_of_all())[name] for name in what_commands_do(parser_of_all())}


def offered(*words: str) -> list[str]:
    return [one.word for one in candidates(parser_of_all(), list(words))]


def options_of(parser: ArgumentParser) -> set[str]:
    return {name for one in parser._actions for name in one.option_strings if name.startswith("--")}


def test_every_command_and_every_option_is_offered() -> None:
    assert offered("") == list(COMMANDS)
    assert set(offered("--")) == options_of(parser_of_all())
    for name, parser in COMMANDS.items():
        assert offered(name) == [name, *(other for other in COMMANDS if other.startswith(name) and other != name)]
        assert set(offered(name, "-")) == options_of(parser)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("play", [*BUILT_IN]),
        ("play --plain", [*BUILT_IN]),
        ("play circle-duel --preset", [one.id for one in find_game("circle-duel").PRESETS]),
        ("play circle-duel:size=12/4 --preset", [one.id for one in find_game("circle-duel").PRESETS]),
        ("play circle-duel --p1", ["bot:dash", "bot:peek", "bot:counter", "bot:planner", "bot:oracle"]),
        ("play --rounds", []),
        ("--theme", [*themes.NAMES]),
        ("puzzle --grade", ["1", "2", "3", "4", "5"]),
        ("worksheet circle-duel --grade", ["1", "2", "3", "4", "5"]),
        ("puzzle circle-duel --idea", ["partners", "odd one out", "room", "the number both need", "shut in"]),
        ("learn number-circle", [one.name for one in lessons_of("number-circle")]),
        ("history --result", ["won", "lost", "drawn", "unfinished"]),
        ("help", [*topics(), *COMMANDS, *BUILT_IN]),
        ("completion", [*SCRIPTS]),
        ("import", []),
        ("games", []),
    ],
)
def test_what_may_come_next(line: str, found: list[str]) -> None:
    assert offered(*line.split(), "") == found


def test_an_option_is_offered_once_and_its_value_behind_an_equals_sign_too() -> None:
    assert "--plain" not in offered("play", "--plain", "--")
    assert "--theme" not in offered("--theme=dark", "--")
    assert offered("play", "number-duel", "--preset=cl") == ["--preset=classic"]


def test_house_rules_are_offered_behind_a_game() -> None:
    rules = [option.name for option in find_game("circle-duel").Options.infos()]
    assert offered("play", "circle-duel:") == [f"circle-duel:{name}=" for name in rules]
    assert offered("show", "circle-duel/4", "circle-duel:size=9,re") == ["circle-duel:size=9,reach="]
    assert "circle-duel:size=9,size=" not in offered("show", "circle-duel:size=9,")
    assert offered("review", "circle-duel:trails=") == ["circle-duel:trails=shared", "circle-duel:trails=own"]
    assert offered("host", "circle-duel:reach=") == [f"circle-duel:reach={number}" for number in (1, 2, 3)]
    for nothing in ("circle-duel:size=", "circle-duel:no=", "no-game:", "circle-duel:reach=2/", "circle-duel:,,="):
        assert offered("show", nothing) == []


def test_saved_games_are_offered_and_looking_for_them_makes_no_folder(tmp_path: Path) -> None:
    assert offered("export", "") == []
    assert not (tmp_path / "home").exists()
    with Store.open() as store:
        going_on = store.import_text("circle-duel/4.5")
        over = store.import_text("circle-duel/1.2.3.4.5.6.7.8.9.10")
    assert set(offered("export", "")) == set(offered("review", "")) == {going_on, over}
    assert offered("play", "--continue", "") == [going_on, *BUILT_IN]
    assert offered("export", over[:7]) == [over]
    assert offered("history", "--opponent", "") == ["Player 1", "Player 2"]


def test_every_argument_with_values_of_its_own_is_one_of_the_parsers() -> None:
    assert set(_VALUES) <= {one.dest for parser in (parser_of_all(), *COMMANDS.values()) for one in parser._actions}


def test_a_shell_is_told_a_name_so_that_it_stays_one_word() -> None:
    with Store.open() as store:
        store.import_text("circle-duel/4.5")
    asked = "duelbox history --opponent 'Pl"
    assert run("completion", "bash", asked.replace("'", "")).out == "Player\\ 1\nPlayer\\ 2\n"
    assert run("completion", "bash", asked).status == 0, "a quotation mark that is still open"
    assert run("completion", "zsh", "duelbox play --p1 bot:d").out.startswith("bot\\:dash:")
    assert run("completion", "fish", "duelbox import ").out == ""


# -- in real shells

TYPED = {
    "play digi": "play digit-chain",
    "play circle-duel --p2 bot:da": "play circle-duel --p2 bot:dash",
    "--theme=hi": "--theme=high-contrast",
    "import some-f": "import some-file.json",
    "show circle-duel:siz": "show circle-duel:size=",
    "play circle-duel:size=9,trails=o": "play circle-duel:size=9,trails=own",
    "export ": "export {saved}",
}
START = {
    "bash": ("--noprofile", "--rcfile", "rc", "-i"),
    "zsh": ("-i",),
    "fish": ("--no-config", "-C", "source rc"),
}
RC = {
    "bash": 'eval "$(duelbox completion bash)"\n',
    "zsh": 'autoload -Uz compinit\ncompinit -u -D\nbindkey -e\neval "$(duelbox completion zsh)"\n',
    "fish": "duelbox completion fish | source\n",
}


@pytest.fixture
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    """A running shell with completion, in a folder of its own."""
    name = request.param
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name} here")
    duelbox = tmp_path / "bin" / "duelbox"
    duelbox.parent.mkdir()
    duelbox.write_text(f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {sys.executable} -m duelbox "$@"\n')
    duelbox.chmod(0o755)
    for rc in ("rc", ".zshrc"):
        (tmp_path / rc).write_text(RC[name])
    (tmp_path / "some-file.json").touch()
    home = {"HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "DUELBOX_HOME": str(tmp_path / "home")}
    path = {"PATH": f"{duelbox.parent}:/usr/local/bin:/usr/bin:/bin", "TERM": "xterm"}
    with Terminal(name, *START[name], size=(120, 24), env={**home, **path}, cwd=tmp_path) as terminal:
        yield terminal


@pytest.mark.parametrize("shell", SCRIPTS, indirect=True)
def test_a_real_shell_completes(shell: Terminal, tmp_path: Path) -> None:
    with Store.open() as store:
        saved = store.import_text("circle-duel/4.5")
    told = tmp_path / "told"
    for typed, whole in TYPED.items():
        # complete, then print the words of the line instead of running it
        shell.send(f"duelbox {typed}\t\x01printf '%s\\n' \x05 > telling; mv telling told\r")
        shell.until(told.exists, f"the words of {typed!r}")
        assert told.read_text().split() == ["duelbox", *whole.format(saved=saved).split()]
        told.unlink()


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_says_where_it_goes(name: str) -> None:
    script = run("completion", name).out
    assert re.search(rf"# .* ~/.*duelbox completion {name}", script)
