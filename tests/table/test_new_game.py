"""The player's own presets: valid and invalid lines in the settings, and the places that know them."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbox.registry import find_game
from duelbox.store.settings import Config
from duelbox.table.new_game import read_new_game
from duelbox.table.presets import find_preset, known_preset, own_presets, preset_faults
from tests.command_line import run

CIRCLE = find_game("circle-duel")
LINE = "size=21,reach=2,trails=own,gaps=3"
FILE = f"""
[presets.circle-duel]
"Odd One" = "{LINE}"
"[red]x[/]" = "gaps=1"
Crowded = "size=99"
Moved = "size=12/4"
Leap = "size=13"
LEAP = "size=14"
"Two  lines" = 7
"esc\\u001b[31m" = "gaps=2"

[presets.chess]
Mine = "size=8"
"""
FAULTS = {
    "Crowded": "size takes a number from 4 to 30, not '99'.",
    "Moved": "It has moves in it",
    "Leap": "Number Circle Duel has a preset Leap already.",
    "Two  lines": "which is not used: it should be a valid string",
    "esc\\x1b[31m": "A name is printable text",
    "chess.Mine": "There is no game 'chess'.",
}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text(FILE)
    monkeypatch.setenv("DUELBOX_HOME", str(home))
    return Config.load()


def test_good_lines_are_presets_and_each_bad_one_has_a_sentence(config: Config) -> None:
    own = own_presets(config.settings, CIRCLE)
    assert [(one.name, one.id, one.kind) for one in own] == [
        ("Odd One", "odd-one", "your own"),
        ("[red]x[/]", "[red]x[/]", "your own"),
    ]
    assert known_preset(config.settings, CIRCLE, read_new_game(f"circle-duel:{LINE},seed=5").session.options) == own[0]
    faults = [*config.notices, *preset_faults(config.settings)]
    assert len(faults) == len(FAULTS) + 1, "LEAP, too"
    for name, why in FAULTS.items():
        assert any(name in fault and why in fault for fault in faults), (name, faults)
    assert all(fault.isprintable() for fault in faults)


def test_the_command_line_knows_them(config: Config) -> None:
    assert find_preset(CIRCLE, "ODD one", config.settings).name == "Odd One"
    assert read_new_game("circle-duel", "odd-one").for_friend.code() == f"circle-duel:{LINE}", "for a friend elsewhere"
    listed = run("games")
    assert f"    odd-one: {own_presets(config.settings, CIRCLE)[0].about}\n      Your own.\n" in listed.out
    assert f"circle-duel:{LINE}\n" in listed.out
    assert listed.err.count("\n") == 5, "what cannot be used is said beside the list"
    assert "odd-one" in run("games", "--json").out
    assert "odd-one\n" in run("completion", "bash", "duelbox play circle-duel --preset odd").out
    played = run("play", "circle-duel", "--preset", "odd-one", "--plain")
    assert f"Its code: circle-duel:{LINE},seed=" in played.out
    missing = run("play", "circle-duel", "--preset", "crowded", "--plain")
    assert missing.status == 2
    assert "Crowded is not used: size takes" in missing.err
    assert "Crowded is not used" in run("doctor").out
