"""`duelbox help`: every topic, command and game has a page, and the pages are true."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tomllib

import pytest

from duelbox import __version__
from duelbox.arguments import GROUPS, parser_of_all
from duelbox.commands.shared import commands_of, topics, what_commands_do
from duelbox.registry import BUILT_IN, rules_text
from duelbox.store.settings import Settings
from duelbox.table.presets import preset_faults
from duelbox.themes import COLOURS
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.table_keys import checked_keymap
from tests.command_line import run

WIDTH = 80
TOPICS = topics()
COMMANDS = {name: commands_of(parser_of_all())[name] for name in what_commands_do(parser_of_all())}


def code_blocks(page: str) -> list[str]:
    """The indented blocks of a page, without the indent."""
    return [re.sub(r"(?m)^    ", "", block) for block in re.findall(r"(?m)(?:^(?: {4}.*)?\n)+", page) if block.strip()]


def commands_on(page: str) -> list[list[str]]:
    """The commands in the blocks of a page, without the remarks behind them."""
    lines = [re.split(r" {2,}|[|>]", line)[0] for block in code_blocks(page) for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if re.match(r"duelbox\b", line) and "..." not in line]


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_fits_every_terminal_and_begins_with_what_it_is_about(name: str) -> None:
    page = TOPICS[name]
    assert run("help", name).out == page
    assert re.match(r"# [A-Z].*\n\n", page)
    assert page.isascii()
    assert page.endswith("\n")
    assert max(map(len, page.splitlines())) <= WIDTH
    assert name not in COMMANDS
    assert name not in BUILT_IN


@pytest.mark.parametrize("name", TOPICS)
def test_the_commands_of_a_topic_are_understood(name: str) -> None:
    for command in commands_on(TOPICS[name]):
        if not re.search(r"\b[A-Z]{2,}\b", " ".join(command)):
            parser_of_all().parse_args(command)


def test_help_lists_every_topic_command_and_game() -> None:
    listed = run("help").out
    for name in (*TOPICS, *COMMANDS, *BUILT_IN):
        assert re.search(rf"(?m)(^|[ ,]){name}(,|$| )", listed), name
    assert max(map(len, listed.splitlines())) <= WIDTH


def test_help_of_a_command_is_the_help_of_the_command() -> None:
    for name in COMMANDS:
        assert run("help", name).out == run(name, "--help").out


def test_help_of_a_game_is_its_rules() -> None:
    for name in BUILT_IN:
        assert run("help", name.upper()).out == run("rules", name).out


@pytest.mark.parametrize("columns", [30, 80, 132])
def test_rules_are_text_as_wide_as_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for name in BUILT_IN:
        page = rules_text(name)
        drawn = [line.strip("\n") for line in page.splitlines() if line.startswith("    ")]
        lines = run("rules", name).out.splitlines()
        assert [line for line in lines if line.startswith("    ")] == drawn
        assert all(len(line) <= columns for line in lines if line not in drawn and " " in line.strip(" -"))
        assert not any(line.startswith("#") or "`" in line for line in lines)
        assert letters("".join(lines).replace("*", "")) == letters(page.replace("*", ""))


def test_rules_lessons_and_the_doctor_answer_in_json() -> None:
    told = json.loads(run("rules", "Circle-Duel", "--json").out)
    assert (told["game"], told["rules"]) == ("circle-duel", rules_text("circle-duel"))
    assert {one["lesson"] for one in json.loads(run("learn", "circle-duel", "--json").out)} >= {1, 2, 3}
    (one,) = json.loads(run("learn", "circle-duel", "2", "--json").out)
    assert one["lesson"] == 2
    ran = run("doctor", "--json")
    found = json.loads(ran.out)
    assert found["found"]["duelbox"].partition(" ")[0] == __version__
    assert (ran.status, found["wrong"]) == (0, [])
    assert run("learn", "circle-duel", "99", "--json").status == 2


def test_help_on_what_is_not_there_says_what_is() -> None:
    ran = run("help", "\x1bcods")
    assert ran.status == 2
    assert "'\\x1bcods'" in ran.err
    for name in (*TOPICS, *COMMANDS, *BUILT_IN):
        assert name in ran.err


def test_the_keys_of_the_page_of_keys_do_what_it_says() -> None:
    home, table = re.split(r"\n## .*\n", TOPICS["keys"])[1:]
    for part, screen in ((home, HomeScreen), (table, TableScreen)):
        bound = {key for one in screen.BINDINGS for key in getattr(one, "key", "").split(",")}
        told = {key.lower() for key in re.findall(r"(?m)^- `?(\w+)`?:", part)}
        assert len(told) > 5
        assert told <= bound


def test_the_settings_of_the_page_of_settings_are_settings() -> None:
    block = next(block for block in code_blocks(TOPICS["settings"]) if "theme =" in block)
    told = tomllib.loads(block)
    assert checked_keymap(told["keymap"])[1] == ()
    read = Settings(**{key: tuple(value) if isinstance(value, list) else value for key, value in told.items()})
    assert not [*preset_faults(read)]
    assert read.changed(keymap={}, presets={}, programs={}) == Settings()
    assert set(Settings.model_fields) - set(told) == {"game", "last"}


def test_the_python_of_the_page_of_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in code_blocks(TOPICS["python"]):
        exec(block.replace("range(1000)", "range(10)"), names)
    said = capsys.readouterr().out
    assert said.startswith("win Claim ")
    assert "Counter({0: " in said
    assert {names["winner"](game_id, 1) for game_id in BUILT_IN} <= {0, 1, None}
    assert str(names["picture"]).startswith("<svg")


# -- the man page


def man(*options: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("groff") is None:
        pytest.skip("there is no groff here")
    page = run("help", "--man").out
    command = ["groff", "-man", "-Tascii", "-rHY=0", "-P-c", "-P-b", "-P-u", *options]
    return subprocess.run(command, input=page, capture_output=True, text=True, check=True)


def letters(text: str) -> str:
    """The text without formatting, capitals and line breaks."""
    return re.sub(r"[\s`#-]", "", text).casefold()


def test_the_man_page_has_every_command_option_and_topic() -> None:
    told = " ".join(man().stdout.split())
    for name, parser in {"duelbox": parser_of_all(), **COMMANDS}.items():
        assert f" {name} " in told
        for option in (name for one in parser._actions for name in one.option_strings if one.dest != "help"):
            assert f" {option} " in told, option
    for page in TOPICS.values():
        for line in page.splitlines():
            assert letters(line) in letters(told), line


def test_the_man_page_asks_nothing_that_groff_does_not_know() -> None:
    assert man("-ww").stderr == ""


def test_the_page_on_settings_names_every_theme() -> None:
    told = re.search(r'theme = "auto" +# (.*)', TOPICS["settings"])
    assert told is not None
    assert tuple(told[1].split(", ")) == tuple(COLOURS)


def test_an_older_word_works_as_before_and_no_list_names_it() -> None:
    assert run("rules", "circle-duel").out == run("help", "circle-duel").out
    assert run("rules", "circle-duel:reach=2", "--json").out == run("help", "circle-duel:reach=2", "--json").out
    watched = run("join", "--watch", "42-fir-oak-elm")
    assert (watched.status, watched.err) == (2, run("watch", "42-fir-oak-elm").err)
    for listed in (run("--help").out, run("help").out):
        assert not re.search(r"(?m)\b(rules|watch)\b +(print|watch)|, (rules|watch),", listed)


def test_every_command_stands_in_one_group() -> None:
    names = [name for names in GROUPS.values() for name in names]
    assert sorted(names) == sorted(COMMANDS)
    assert len(GROUPS) == 5


def test_what_would_be_ignored_beside_watch_is_refused() -> None:
    assert "leave out --name" in run("join", "--watch", "w42-a", "--name", "Ann").err
    assert "duelbox join --watch KEY" in run("join", "--watch").err
    assert "takes a game or a code" in run("help", "--json").err
