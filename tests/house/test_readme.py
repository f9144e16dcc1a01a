"""The README: every command is run, every key is pressed, every example is tried."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from duelbox.arguments import parser_of_all
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.table import TableScreen
from tests.command_line import run
from tests.index_page import index_page
from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TWO_SCREENS = 120
"""Most lines of the README, with pictures and the command of the check."""
QUIT = "\x11"
MEETINGS = ("host", "join", "relay", "serve")
"""Commands that wait for another person; other tests run them."""
COMMANDS = sorted(
    {
        code.split("|")[0].strip()
        for code in re.findall(r"(?m)`(duelbox\b[^`]*)`|^(?:\S*/)?(duelbox.*)$", README)
        for code in code
        if code
    }
)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= TWO_SCREENS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_does_what_is_said(command: str, tmp_path: Path) -> None:
    words = shlex.split(command)[1:]
    if words in (["play"], ["show"]):  # they are named with a code in mind
        words.append("circle-duel/4.5.6")
    if words[:1] and words[0] in MEETINGS:
        parser_of_all().parse_args(words)
    elif not words or words == ["exam", "me"] or (words[0] == "play" and "--plain" not in words):
        home = {"DUELBOX_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        with Terminal(sys.executable, "-m", "duelbox", *words, env=home, cwd=tmp_path) as terminal:
            terminal.see("Menu")
            terminal.send(QUIT)
            assert terminal.wait() == 0
    else:
        ran = run(*words)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out


def test_every_key_is_one() -> None:
    bound = {key for one in (*TableScreen.BINDINGS, *HomeScreen.BINDINGS) for key in getattr(one, "key", "").split(",")}
    keys = [key for row in re.findall(r"(?m)^\| (`.*?) \|", README) for key in re.findall(r"`([^`]+)`", row)]
    told = {key for key in (*keys, *re.findall(r"`(\w)`", README)) if len(key) == 1} - {"?"}
    assert told >= {"h", "v", "u", "y", "n", "t", "p", "d", "e", "s"}
    assert told <= bound
    assert "question_mark" in bound


def test_the_examples_say_what_is_so() -> None:
    """Games to play instead of the thousand of the last example, to save time."""
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(block.splitlines()) <= 20
    block = block.replace("range(1000)", "range(40)").replace("Counter({1: 670, 0: 330})", "Counter({1: 26, 0: 14})")
    test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_picture_is_whole_and_asks_nobody_for_anything() -> None:
    shown = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", README)
    assert len(shown) > 8
    for about, picture in shown:
        assert len(about.split()) > 2, "what is to be seen, for those who cannot"
        drawn = (ROOT / picture).with_suffix(".svg")
        assert drawn.stat().st_size < 1_000_000
        text = drawn.read_text(encoding="utf-8")
        ElementTree.fromstring(text)
        assert re.findall(r'https?://[^"<]*', text) == ["http://www.w3.org/2000/svg"]


def test_the_first_picture_is_soon_there_and_leads_to_a_game() -> None:
    still, game = re.findall(r"\[!\[[^\]]+\]\(([^)]+)\)\]\(([^)]+)\)", README)[0]
    assert (ROOT / still).stat().st_size < 200_000
    assert "<animate" in (ROOT / game).read_text(encoding="utf-8") or "@keyframes" in (ROOT / game).read_text("utf-8")


def test_an_index_shows_lines_that_work_there_and_no_dead_link() -> None:
    page = index_page(README)
    assert "\npipx install duelbox" in page
    assert "\nuvx duelbox\n" in page
    assert "pipx install duelbox" not in re.sub(r"<!--.*?-->", "", README, flags=re.DOTALL)
    assert not re.search(r"!\[|\]\((?!https:)", page)
    assert set(re.findall(r"\((https:[^)]+)\)", page)) == set(re.findall(r"\((https:[^)]+)\)", README))


def test_an_index_shows_the_pictures_of_a_folder_that_is_published() -> None:
    page = index_page(README, "https://example.org/duelbox/")
    targets = re.findall(r"\]\(([^)]+)\)", page)
    ours = [target.removeprefix("https://example.org/duelbox/") for target in targets if "example.org" in target]
    assert all(target.startswith("https:") for target in targets)
    assert "screenshots/home.png" in ours
    assert all((ROOT / urlsplit(target).path).exists() for target in ours)


def test_every_picture_can_be_made_anew() -> None:
    made = set(re.findall(r'Picture\(\s*"([\w-]+)"', (ROOT / "screenshots" / "make.py").read_text(encoding="utf-8")))
    assert {file.stem for file in (ROOT / "screenshots").glob("*.[sp][vn]g")} == made


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"(?<!!)\[[^\]]+\]\(([^)]+)\)", README):
        parts = urlsplit(target)
        assert parts.scheme in ("", "https")
        assert parts.netloc if parts.scheme else (ROOT / parts.path).exists(), target


def test_the_extras_are_in_one_table() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - {"all", "dev", "rivals", "test"}
    assert set(re.findall(r"(?m)^\| `(\w{2,})` \|", README)) == extras
    (everything,) = project["optional-dependencies"]["all"]
    assert everything == f"duelbox[{','.join(name for name in project['optional-dependencies'] if name in extras)}]"
