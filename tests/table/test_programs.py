"""Programs at a table without a screen: their names and commands, and what may never start one."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbox.core.errors import BadName, DuelboxError
from duelbox.core.match import Match
from duelbox.core.record import PROGRAM, PlayerInfo
from duelbox.registry import find_game
from duelbox.store.settings import LastUsed
from duelbox.store.store import Store
from duelbox.table.local import LocalTable, new_table
from duelbox.table.new_game import last_players, read_new_game
from duelbox.table.players import named_players
from duelbox.table.programs import Programs, commands_in, commands_of, program_player, with_commands

KNOWN = {"greedy": "./greedy --fast"}
CIRCLE = find_game("circle-duel")


@pytest.mark.parametrize(
    ("text", "name", "command"),
    [
        ("run:greedy", "greedy", "./greedy --fast"),
        ("run:./greedy --fast", "greedy", "./greedy --fast"),
        ("run:python3 -u /x/first.py 3", "first", "python3 -u /x/first.py 3"),
        ("run:mawk -W interactive -f first.awk", "first", "mawk -W interactive -f first.awk"),
        ("run:./you", "Program", "./you"),
        ("run:'half", "Program", "'half"),
        ("run:./\x1b[31m", "Program", "./\x1b[31m"),
    ],
)
def test_a_program_is_named_by_the_settings_or_by_its_file(text: str, name: str, command: str) -> None:
    assert program_player(text, KNOWN) == PlayerInfo(name=name, level=PROGRAM)
    assert commands_of((None, text), KNOWN) == {1: command}


def test_players_of_an_exam_are_named_by_the_settings_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text('[programs]\ngreedy = "sh greedy --fast"\n')
    assert with_commands(["bot:3", "run:greedy", "run:sh x"]) == ["bot:3", "run:sh greedy --fast", "run:sh x"]


@pytest.mark.parametrize("who", ["run:./x", "run:greedy"])
def test_a_name_or_a_level_that_looks_like_a_command_starts_nothing(who: str) -> None:
    last = LastUsed(players=("person", who))
    one, two = last_players(CIRCLE, last, ("Ann", who))
    assert (one.level, two.level) == (None, None)
    imported = PlayerInfo(name="Ann", level=who), PlayerInfo(name=who)
    assert commands_in(imported) == {}


@pytest.mark.parametrize("text", ["run:./x", "circle-duel:run=./x", "circle-duel/run:./x", "bot:3"])
def test_a_code_that_looks_like_a_command_is_refused(text: str) -> None:
    with pytest.raises(DuelboxError):
        read_new_game(text)


def test_a_program_needs_a_command() -> None:
    with pytest.raises(DuelboxError, match="run: needs a command"):
        program_player("run: ", KNOWN)


def test_two_programs_of_one_name_are_told_apart() -> None:
    one, two = named_players(CIRCLE, ("run:greedy", "run:./greedy"), KNOWN)
    assert one is not None
    assert two is not None
    assert (one.name, two.name) == ("greedy", "greedy 2")


def test_run_is_no_name_where_no_programs_play() -> None:
    with pytest.raises(BadName, match="cannot begin with"):
        named_players(CIRCLE, ("run:greedy", None))


def test_a_record_names_a_program_and_starts_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path))
    note = tmp_path / "started"
    command = f"sh -c 'touch {note}'"
    with Store.open(tmp_path) as store:
        asked = read_new_game("circle-duel")
        table = LocalTable.from_arguments(store, None, asked, (None, f"run:{command}"), Match(), programs={})
        table.play("4")
        saved = table.save()
        assert saved is not None
        assert saved.result()
        assert command not in (tmp_path / f"match.{table.saved_as}.jsonl").read_text()
        with pytest.raises(DuelboxError, match="sh is a program: name it in"):
            LocalTable.resumed(store, table.saved_as or "")
        (tmp_path / "settings.toml").write_text('[programs]\nsh = "./mine"\n')
        again = LocalTable.resumed(store, table.saved_as or "")
        program = again.programs.of(1)
        assert program is not None
        assert program.command == "./mine"
    assert not note.exists()


def test_games_of_programs_count_for_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        asked = read_new_game("circle-duel:size=4/1.2.3")
        players = PlayerInfo(name="first", level=PROGRAM), PlayerInfo(name="Ann")
        table = LocalTable(asked, players, Match(), store)
        table.play("4")
        saved = table.save()
        assert saved is not None
        assert saved.result()
        assert table.session.outcome is not None
        assert store.latest_played() == ()
        assert store.statistics() == ()


def test_a_turn_tried_again_and_other_rules_keep_the_program() -> None:
    asked = read_new_game("circle-duel/4.5")
    players = PlayerInfo(name="Ann"), PlayerInfo(name="greedy", level=PROGRAM)
    table = LocalTable(asked, players, Match(first=1))
    table.programs = Programs({1: "./greedy"})
    assert table.is_program(0)
    again = table.retry_from(1)
    assert again.is_program(0)
    assert again.programs.of(0) is not None
    assert again.programs.of(1) is None
    options = CIRCLE.Options(size=12)
    other = new_table(None, CIRCLE, options, table.players, LastUsed(), table)  # type: ignore[arg-type]
    assert other.programs.of(1) is not None
    next_one = table.rematch()
    assert next_one.is_program(1)
    assert next_one.programs.of(1) is not None
