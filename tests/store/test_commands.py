"""The commands `duelbox history`, `export`, `import` and `doctor`."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from duelbox.cli import main
from duelbox.core.record import PlayerInfo
from duelbox.core.record_reader import MAX_TEXT
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.store.files import read_regular
from duelbox.store.settings import _needs_ascii_here
from duelbox.store.store import EVERYTHING, Store
from duelbox.store.terminals import Terminal, keep_terminal
from duelbox.ui.terminal.crash_report import CrashReports
from tests.store.play import play_match

pytestmark = pytest.mark.usefixtures("quick")
Capsys = pytest.CaptureFixture[str]


@pytest.fixture
def ids(home: Path) -> list[str]:
    """The ids of a few saved matches, the latest first."""
    with Store.open(home) as store:
        for seed in range(6):
            play_match(store, Random(seed), lambda *_: None)
        return [one.id for one in store.history(limit=EVERYTHING)]


def test_an_empty_history(capsys: Capsys) -> None:
    assert main(["history"]) == 0
    assert tuple(capsys.readouterr()) == ("", "No saved games.\n")
    assert main(["history", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_the_history_is_a_line_each(ids: list[str], capsys: Capsys) -> None:
    assert main(["history"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == ids
    assert err == ""
    assert main(["history", "--limit", "2"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == ids[:2]
    assert err == "2 of 6; for more: --limit 6\n", "beside the output, which a program may read"
    assert main(["history", "--limit", "9" * 19]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 6


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_history_tells_the_round_that_is_played_or_was_the_last(home: Path, capsys: Capsys, rounds: int) -> None:
    """A match of two rounds: after the first, the list names the second; after both, there is no third."""
    game = find_game("digit-chain")
    with Store.open(home) as store:
        for begun in range(1, rounds + 1):
            saved = store.begin("digit-chain", (PlayerInfo(name="Ann"), PlayerInfo(name="Bob")), rounds)
            for number in range(begun):
                session = Session(game, game.Options())
                session.type("50")
                done = saved.sync(session, number)
                assert done is None or done.result()
            saved.close()
    assert main(["history"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == rounds
    told = [[tuple(map(int, one)) for one in re.findall(r"round (\d+) of (\d+)", line)] for line in lines]
    playing = [min(begun + 1, rounds) for begun in range(1, rounds + 1)]
    assert told == [[(one, rounds)] if rounds > 1 else [] for one in reversed(playing)]


def test_the_history_as_json_is_what_the_store_has(ids: list[str], home: Path, capsys: Capsys) -> None:
    assert main(["history", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    with Store.open(home) as store:
        for facts, summary in zip(told, store.history(), strict=True):
            assert facts["id"] == summary.id
            assert facts["result"] == summary.result
            assert facts["first"] == summary.first + 1
            assert [one["winner"] for one in facts["finished"]] == [
                None if one.winner is None else one.winner + 1 for one in summary.finished
            ]


@pytest.mark.parametrize("result", ["won", "lost", "drawn", "unfinished"])
def test_the_history_can_be_filtered(ids: list[str], home: Path, capsys: Capsys, result: str) -> None:
    with Store.open(home) as store:
        expected = [one.id for one in store.history() if (one.result or "unfinished") == result]
        game = store.history()[0].game
    assert main(["history", "--json", "--result", result]) == 0
    assert [one["id"] for one in json.loads(capsys.readouterr().out)] == expected
    assert main(["history", "--json", "--game", game.upper()]) == 0
    assert {one["game"] for one in json.loads(capsys.readouterr().out)} == {game}


def test_a_line_tells_players_score_and_result(home: Path, capsys: Capsys) -> None:
    game = find_game("circle-duel")
    with Store.open(home) as store:
        saved = store.begin(
            "circle-duel", (PlayerInfo(name="Ann"), PlayerInfo(name="Computer", level="hard")), rounds=3
        )
        for number in range(2):
            session = Session(game, game.Options())
            session.type("4")
            saved.sync(session, number)
            session.resign(number)
            saved.sync(session, number)
    main(["history"])
    line = capsys.readouterr().out
    assert line.split("  ")[2:] == ["circle-duel", "Ann - Computer (hard) 0:2", "unfinished, 2 moves, round 3 of 3\n"]


def test_export_and_import(
    ids: list[str], home: Path, tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(home) as store:
        match_id = next(one.id for one in store.history() if one.game != "number-duel")
        text = store.export(match_id)
    assert main(["export", match_id[:8]]) == 0
    exported = capsys.readouterr().out
    assert exported == f"{text}\n"
    file = tmp_path / "record.json"
    file.write_text(exported)
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "other"))
    assert main(["import", str(file)]) == 0
    new_id = capsys.readouterr().out.split()[-1].rstrip(".")
    assert main(["export", new_id]) == 0
    assert capsys.readouterr().out == exported
    assert main(["export", new_id, "--code"]) == 0
    with Store.open(tmp_path / "other") as store:
        assert capsys.readouterr().out.split() == [session.code() for session in store.load(new_id).sessions]


def test_import_reads_the_input_and_codes(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = b"\xef\xbb\xbfsequence-duel:size=30,ring=on/10.13.7\r\n"  # as editors on Windows begin a file
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
    assert main(["import", "-"]) == 0
    match_id = capsys.readouterr().out.split()[-1].rstrip(".")
    assert main(["export", match_id, "--code"]) == 0
    assert capsys.readouterr().out == "sequence-duel:size=30,ring=on/10.13.7\n"


@pytest.mark.parametrize(
    "command", [["export", "zzz"], ["import", "nowhere.json"], ["import", __file__], ["history", "--game", "chess"]]
)
def test_what_can_not_be_done_is_a_sentence(command: list[str], capsys: Capsys) -> None:
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_where_nothing_can_be_kept_import_says_so(
    tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"circle-duel/4")))
    assert main(["import", "-"]) == 1
    out, err = capsys.readouterr()
    assert "could not be kept" in out
    assert "cannot be kept" in err


def test_a_doctor_with_nothing_to_say(ids: list[str], home: Path, capsys: Capsys) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"{home / 'history.jsonl'}\n" in out
    assert "6 saved games" in out
    assert "whole" in out
    assert "wrong:" not in out


def test_a_doctor_names_every_fault(
    ids: list[str], home: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "settings.toml").write_text("delay = -5\n")
    (home / "history.jsonl").write_bytes(b"not a database")
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "delay is -5" in out
    assert "history.damaged-" in out
    assert main(["doctor"]) == 1
    assert "history.damaged-" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, "colours:   none, as NO_COLOR asks"),
        ({"COLORTERM": "truecolor"}, "colours:   16 million"),
        ({"TERM": "xterm-256color"}, "colours:   256"),
        ({"TERM": "dumb"}, "colours:   none"),
    ],
)
def test_a_doctor_looks_at_the_terminal(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], said: str
) -> None:
    for name in ("NO_COLOR", "COLORTERM", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert main(["doctor"]) == 0
    assert f"{said}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            Terminal((1, 1), 1 << 24),
            ("colours:   16 million, as the terminal", "a diamond is 1 cell wide, Braille 1 cell"),
        ),
        (
            Terminal((2, 1), 256),
            ("colours:   256", "a diamond is 2 cells wide, Braille 1 cell; boards are drawn in ASCII"),
        ),
        (Terminal(), ("colours:   16\n", "the terminal did not say")),
        (None, ("colours:   16\n", "not asked yet")),
    ],
)
def test_a_doctor_tells_what_the_terminal_answered(
    home: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch, answer: Terminal | None, said: tuple[str, ...]
) -> None:
    for name in ("NO_COLOR", "COLORTERM", "TERM"):
        monkeypatch.delenv(name, raising=False)
    if answer is not None:
        keep_terminal(home, answer)
    _needs_ascii_here.cache_clear()
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert [text for text in said if text not in out] == []
    assert "\nclipboard: none here\n" in out
    _needs_ascii_here.cache_clear()


def test_a_report_of_a_doctor_has_no_name_and_no_path(
    tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "annabel" / "duels"
    for name, value in {"HOME": home.parent, "USER": "annabel", "LOGNAME": "annabel", "DUELBOX_HOME": home}.items():
        monkeypatch.setenv(name, str(value))
    with Store.open() as store:
        saved = store.begin("circle-duel", (PlayerInfo(name="annabel"), PlayerInfo(name="Zoe of Annabel")))
        session = Session(find_game("circle-duel"), find_game("circle-duel").Options())
        session.type("4")
        assert saved.sync(session).result()
    (home / "settings.toml").write_text(
        'names = ["annabel", "Zoe"]\ndelay = 7\n[programs]\nannabel = "/opt/annabel/mine"\n'
    )
    with (home / "history.jsonl").open("ab") as file:
        file.write(b"damaged\n")
    CrashReports("duelbox", "1", home).file(crash_of_annabel(home))
    assert main(["doctor", "--report"]) == 0
    out = capsys.readouterr().out
    assert "annabel" not in out.lower()
    assert "zoe" not in out.lower()
    assert str(tmp_path) not in out
    assert "/" not in re.sub(r"crash:.*", "", out)
    assert "settings:  not as they come: delay, names, programs\n" in out
    assert "archive:   1 saved game, 0.0 MB, damaged\n" in out
    assert "wrong:     1; `duelbox doctor` names them\n" in out
    assert re.search(
        r"crash: +builtins.FileNotFoundError < duelbox/store/files.py:\d+ < duelbox/store/files.py:\d+\n", out
    )


def crash_of_annabel(home: Path) -> OSError:
    """An error whose message and traceback name the folder of a player."""
    try:
        read_regular(home / "not there", 10)
    except OSError as error:
        return error
    raise AssertionError


def test_all_games_are_taken_along_at_once(
    ids: list[str], home: Path, tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(home) as store:
        store.progress.add("lesson", "circle-duel/1", "a\n b")
        hidden = [one.id for one in store.history() if one.game == "number-duel" and not one.over]
        kept = {store.export(one.id) for one in store.history() if one.id not in hidden}
    assert main(["export", "all"]) == (1 if hidden else 0)
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == len(kept) + 1
    assert all(f"{one} is left out. The record tells both hands" in told.err for one in hidden)
    assert main(["export", "all", "--code"]) == (1 if hidden else 0)
    assert len(capsys.readouterr().out.splitlines()) >= len(kept)
    file = tmp_path / "all.jsonl"
    file.write_text(told.out)
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "other"))
    for added in (len(kept), 0):  # the second time, nothing is added
        assert main(["import", str(file)]) == 0
        assert capsys.readouterr().out == f"Of {len(kept) + 1} lines, {added} added a saved game.\n"
    with Store.open(tmp_path / "other") as store:
        assert {store.export(one.id) for one in store.history()} == kept
        assert store.progress.newest("lesson")["circle-duel/1"] == "a\n b"


def test_of_a_damaged_file_the_whole_lines_are_added(tmp_path: Path, capsys: Capsys) -> None:
    good = '{"duelbox":1,"game":"circle-duel","players":[{"name":"A"},{"name":"B"}],"rounds":1,"first":1,"played":[%s]}'
    one = '{"options":{"size":9},"moves":["%d"],"result":null,"started":"2026-01-01T00:00:00Z"}'
    games = [good % (one % number) for number in range(1, 10)]
    bad = ["{", "[]", '{"progress": 7}', good % (one % 99), "x" * (MAX_TEXT + 3), "\x1b[2J", "\udcff", "{}" * 9]
    lines = [line for pair in zip(games, [*bad, ""], strict=True) for line in pair]
    file = tmp_path / "games.jsonl"
    file.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    assert main(["import", str(file)]) == 1
    told = capsys.readouterr()
    assert told.out == "Of 17 lines, 9 added a saved game.\n"
    assert re.findall(r"(?m)^Line (\d+): ", told.err) == [str(number) for number in range(2, 17, 2)]
    assert told.err.isascii()
    assert max(map(len, told.err.splitlines())) < 300
    for wrong in (tmp_path, tmp_path / "none", "/dev/null"):
        assert main(["import", str(wrong)]) == 2
        assert not capsys.readouterr().out


def test_six_imports_at_once_lose_nothing_and_count_their_own(home: Path, tmp_path: Path) -> None:
    good = '{"duelbox":1,"game":"circle-duel","players":[{"name":"%s"},{"name":"B"}],"rounds":1,"first":1,'
    good += '"played":[{"options":{},"moves":["%d"],"result":null,"started":"2026-01-01T00:00:00Z"}]}'
    imports = []
    for name in "CDEFGH":
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(good % (f"{name}{at}", at % 9 + 1) + "\n" for at in range(300)))
        command = [sys.executable, "-m", "duelbox", "import", str(file)]
        imports.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    assert {started.communicate()[0] for started in imports} == {"Of 300 lines, 300 added a saved game.\n"}
    with Store.open(home) as store:
        assert store.count() == 1800
        assert store.notice is None


def test_of_many_faults_the_first_are_told(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("{}\n" * 500)
    assert main(["import", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    file.write_text('{"progress": []}\n' + "{}\n" * 500)
    assert main(["import", str(file)]) == 1
    assert len(told := capsys.readouterr().err.splitlines()) == 11
    assert told[-1] == "And 490 more."
