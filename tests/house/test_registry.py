"""A sixth game in another package, found by its entry point; and the faults reported of incomplete ones."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from configparser import ConfigParser
from pathlib import Path
from random import Random

import pytest

from duelbox import registry
from duelbox.bots import bot_of, choose, find_level, levels_of
from duelbox.cli import main
from duelbox.commands.doctor import PARTS
from duelbox.core.code import parse_code
from duelbox.core.errors import UnknownGame
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.record_reader import open_record
from duelbox.core.session import Session
from duelbox.registry import find_game, talk_of
from duelbox.rules_lab.preset_facts import mismatches
from duelbox.solve import NoSolver, can_solve, solver_of
from duelbox.testing.laws import LAWS, random_game
from duelbox.ui.game_board import board_of
from duelbox.ui.general_board import ChoiceBoard
from tests.command_line import run
from tests.golden.said import Said
from tests.guest_games import TOY, WHOLE, toy_with
from tests.house_rules import GAME_IDS, house_rules
from tests.positions import NOON

ROOT = Path(__file__).parents[2]
Install = Callable[[Path], None]


def test_a_strangers_game_is_found_and_holds_every_law(installed: Callable[[Path], None]) -> None:
    installed(TOY)
    assert registry.game_ids() == (*GAME_IDS, "toy-heap")
    game = registry.find_game("toy-heap")
    assert game in list(registry.games())
    for seed in range(200):
        rng = Random(seed)
        trail = random_game(game, house_rules("toy-heap", rng), rng)
        for law in LAWS:
            law(trail, Random(seed))


def test_a_guest_of_one_folder_brings_everything(installed: Install) -> None:
    installed(WHOLE)
    assert "duelbox_two_heaps; brings everything\n" in run("doctor").out
    for asked, said in (
        (("doctor", "--laws", "two-heaps"), "two-heaps holds all"),
        (("rules", "two-heaps"), "Two Heaps"),
        (("solve", "two-heaps"), "Leave two even heaps"),
    ):
        ran = run(*asked)
        assert (ran.status, ran.err) == (0, "")
        assert said in ran.out
    game = find_game("two-heaps")
    assert not mismatches(game)
    for level in levels_of("two-heaps"):
        told = run("play", "two-heaps", "--plain", "--p1", f"bot:{level.id}", "--p2", "bot:oracle")
        assert "wins the game!" in told.out, told
    assert choose(game, game.start(game.Options()), "oracle", 0).move == "b2", "it leaves five and five"


@pytest.mark.parametrize("toy", [TOY, WHOLE], ids=lambda toy: toy.name)
def test_what_a_stranger_copies_is_what_is_tested(toy: Path) -> None:
    project = tomllib.loads((toy / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = ConfigParser()
    (metadata,) = toy.glob("*.dist-info")
    points.read(metadata / "entry_points.txt")
    assert project["entry-points"] == {"duelbox.games": dict(points["duelbox.games"])}
    assert project["name"] == metadata.name.removesuffix("-1.0.dist-info").replace("_", "-")


def test_a_strangers_game_is_played_saved_and_opened(installed: Callable[[Path], None]) -> None:
    installed(TOY)
    played = parse_code("toy-heap:heap=7/3.3.1", registry.find_game)
    assert played.state.outcome.reason == "Player 1 took the last counter."
    session = Session(played.game, played.options, ("Ann", "Bob"))
    for move in played.moves:
        session.play(move)
    assert session.code() == "toy-heap:heap=7/3.3.1"
    players = (PlayerInfo(name="Ann"), PlayerInfo(name="Bob"))
    record = Record(game="toy-heap", players=players, played=(recorded_round(session, 1, 0, NOON, NOON),))
    assert open_record(record.to_json(), registry.find_game).record == record


def test_the_command_line_finds_it_too() -> None:
    def duelbox(*arguments: str) -> str:
        paths = {**os.environ, "PYTHONPATH": os.pathsep.join((str(TOY), str(ROOT)))}
        command = [sys.executable, "-m", "duelbox", *arguments]
        return subprocess.run(command, env=paths, capture_output=True, text=True, check=True).stdout

    (line,) = duelbox("show", "--json", "toy-heap/3.3").splitlines()
    shown = json.loads(line)
    assert (shown["game"], shown["turn"], shown["legal"], shown["outcome"]) == ("toy-heap", 1, ["1", "2", "3"], None)
    listed = {game["id"]: game for game in json.loads(duelbox("games", "--json"))}
    assert list(listed) == [*GAME_IDS, "toy-heap"]
    assert [preset["name"] for preset in listed["toy-heap"]["presets"]] == ["Classic", "Big Heap"]


# -- missing parts


def package(folder: Path, name: str, source: str) -> None:
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    points = f"[duelbox.games]\nbroken = {name}\ncircle-duel = {name}\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "source", "says"),
    [
        (
            "duelbox_broken_a",
            "GAME = 1",
            "lacks GAME",
        ),
        (
            "duelbox_broken_b",
            "from duelbox.core.game import Game\nGAME = Game('INFO')",
            "'PRESETS', 'EVENTS'",
        ),
        (
            "duelbox_broken_c",
            "import nowhere",
            "ModuleNotFoundError",
        ),
        (
            "duelbox_broken_d",
            "import time\ntime.sleep(60)",
            "more than 0.5 seconds",
        ),
    ],
)
def test_a_strangers_game_that_is_not_whole_says_what_is_missing_and_stops_nobody(
    installed: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str, says: str, said: Said
) -> None:
    if "sleep" in source:
        monkeypatch.setattr(registry, "_PATIENCE", 0.5)
    package(tmp_path, name, source)
    installed(tmp_path)
    with pytest.raises(UnknownGame) as refused:
        registry.find_game("broken")
    assert name in refused.value.sentence
    assert says in refused.value.sentence
    said(refused.value.sentence)
    assert registry.game_ids() == GAME_IDS
    assert [game.INFO.id for game in registry.games()] == list(GAME_IDS), "ours are there, and cannot be replaced"


def test_a_game_that_is_not_there_is_refused_with_a_guess() -> None:
    with pytest.raises(UnknownGame, match=r"no game 'sequence'\. .*circle-duel, "):
        registry.find_game("sequence")
    with pytest.raises(UnknownGame, match="Did you mean number-circle"):
        registry.find_game("number-cirle")
    with pytest.raises(UnknownGame, match=r"There is no game '\\x1b\[2J'"):
        registry.find_game("\x1b[2J")


# -- faults of one guest leave the others alone

BROKEN = "import nowhere_at_all\n"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"rules": "\nraise SystemExit(3)\n"},
            "toy-heap cannot be played: duelbox_toy",
        ),
        (
            {"rules": "\ndef start(options): raise KeyboardInterrupt\n"},
            "toy-heap cannot begin: duelbox_toy",
        ),
        ({"point": "heap"}, "must be called 'toy-heap'"),
        (
            {"rules": "\ndef start(options): return 1 / 0\n"},
            "duelbox_toy raises Zero",
        ),
        (
            {"rules": "\ndef legal_moves(view): return 1 / 0\n"},
            "duelbox_toy raises Zero",
        ),
        (
            {"point": "Toy Heap", "rules": "\nINFO = INFO.changed(id='Toy Heap')\n"},
            "'Toy Heap' cannot be played",
        ),
    ],
)
def test_a_guest_that_can_not_be_played_says_why_and_stops_nobody(
    installed: Install, tmp_path: Path, changes: dict[str, str], says: str, said: Said
) -> None:
    installed(toy_with(tmp_path, **changes))
    with pytest.raises(UnknownGame) as refused:
        registry.find_game(changes.get("point", "toy-heap"))
    assert says in refused.value.sentence
    said(refused.value.sentence)
    assert registry.game_ids() == GAME_IDS
    assert refused.value.sentence in run("games").out
    ran = run("doctor")
    assert (ran.status, refused.value.sentence in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("name", "find"),
    [("solve", solver_of), ("bot", bot_of), ("board", board_of), ("talk", lambda game_id: talk_of(find_game(game_id)))],
)
def test_a_broken_module_of_a_guest_is_not_taken_for_none(
    installed: Install, tmp_path: Path, name: str, find: Callable[[str], object]
) -> None:
    installed(toy_with(tmp_path, **{name: BROKEN}))
    with pytest.raises((NoSolver, UnknownGame), match=rf"duelbox_toy\.{name} cannot be loaded: .*nowhere_at_all"):
        find("toy-heap")
    assert registry.game_ids() == (*GAME_IDS, "toy-heap"), "it is played without"
    assert not can_solve("toy-heap")
    assert levels_of("toy-heap") == ()
    assert find("circle-duel"), "ours have theirs"


@pytest.mark.parametrize(("name", "kind"), PARTS.items())
def test_a_module_that_brings_something_else_is_refused(
    installed: Install, tmp_path: Path, name: str, kind: type, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(toy_with(tmp_path, **{name: f"{name.upper()} = 1\n"}))
    lacks = rf"duelbox_toy\.{name} lacks {name.upper()}, which is a {kind.__module__}\.{kind.__name__}\."
    with pytest.raises(UnknownGame, match=lacks):
        registry.part("toy-heap", name, kind)
    assert main(["doctor"]) == 1
    assert re.search(lacks, capsys.readouterr().out)


def test_doctor_says_what_a_guest_brings_and_lacks(installed: Install, capsys: pytest.CaptureFixture[str]) -> None:
    installed(TOY)
    assert main(["doctor"]) == 0
    lacks = "runs the package duelbox_toy; lacks talk.py, solve.py, bot.py, board.py, rules.md and facts.json"
    assert re.search(f"toy-heap: +{lacks}", capsys.readouterr().out)


def test_who_asks_for_a_computer_that_can_not_be_loaded_is_told_so(installed: Install, tmp_path: Path) -> None:
    installed(toy_with(tmp_path, bot=BROKEN))
    with pytest.raises(UnknownGame, match=r"duelbox_toy\.bot cannot be loaded"):
        find_level("toy-heap", "1")


def test_a_sixth_game_of_our_own_needs_nothing_beside_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(TOY)
    monkeypatch.setitem(registry.BUILT_IN, "toy-heap", "duelbox_toy")
    assert board_of("toy-heap").widget is ChoiceBoard
    game = find_game("toy-heap")
    assert talk_of(game).board(game.start(game.Options())) == "Left: 12"
    assert (bot_of("toy-heap"), can_solve("toy-heap")) == (None, False)


def test_a_guest_of_one_file_has_nothing_beside_its_rules(installed: Install, tmp_path: Path) -> None:
    installed(toy_with(tmp_path, point="toy-heap = duelbox_toy.lone\n#", lone="from duelbox_toy import GAME\n"))
    assert registry.text_beside("toy-heap", "rules.md") is None
    assert main(["rules", "toy-heap"]) == 2
    assert board_of("toy-heap").widget is ChoiceBoard


def test_facts_are_verified_where_there_is_a_solver(
    installed: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("duelbox.commands.games.games", lambda: [find_game("toy-heap")])
    installed(TOY)
    assert main(["games", "--verify"]) == 0
    assert re.fullmatch(r"toy-heap: not verified\. .*no solver.*\n", capsys.readouterr().out)
    guest = toy_with(tmp_path)
    (guest / "duelbox_toy" / "facts.json").write_text(
        '{"classic": {"deals": 1, "first": 1.0, "draw": 0.0, "plies": 5}}'
    )
    installed(guest)
    assert main(["games", "--verify"]) == 1, "facts that nobody can work out again"
