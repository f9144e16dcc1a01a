"""Programs as players: the four words, and programs that mean no good."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import duelbox
from duelbox.bots import program
from duelbox.bots.leftovers import MARK
from duelbox.bots.program import Program, ProgramFault, check_command
from duelbox.commands.shared import topics
from tests.bots.programs import FIRST, HOSTILE, all_end, command, state
from tests.command_line import run


def test_a_program_plays_by_its_legal_moves(tmp_path: Path) -> None:
    table = duelbox.Table("circle-duel/4.5")
    with Program(command(tmp_path, FIRST)) as player:
        assert player.ask(table) == "6"
        assert (player.name, player.info) == ("First", "1 moves")
        player.over("win")
        assert player.ask(duelbox.Table("number-duel:deal=31524-42513")) == "1x1"


def test_a_program_is_told_how_its_game_ended(tmp_path: Path) -> None:
    note = tmp_path / "note"
    notes = f"    elif word == 'over':\n        open({str(note)!r}, 'w').write(line)\n"
    table = duelbox.play("circle-duel:size=4/1.2", f"run:{command(tmp_path, FIRST + notes)}", "oracle")
    assert table.outcome is not None
    assert table.outcome.winner == 1
    assert note.read_text() == "over loss\n"


def test_a_program_sees_no_hidden_number(tmp_path: Path) -> None:
    echo = FIRST.replace('len(rest[1].split(".")), "moves"', "rest[2].strip()")
    infos = set()
    for theirs in ("42513", "54321"):
        with Program(command(tmp_path, echo)) as player:
            player.ask(duelbox.Table(f"number-duel:deal=31524-{theirs}"))
            infos.add(player.info)
    (info,) = infos
    assert "42513" not in info
    assert '"mine":[3,1,5,2,4]' in info


def test_a_program_may_ask_for_the_board_and_the_rules(tmp_path: Path) -> None:
    asks = """
import sys
print("ready Asks", flush=True)
sys.stdin.readline()
said = []
for line in iter(sys.stdin.readline, ""):
    if line.startswith("turn"):
        for question in ("board?", "rules?"):
            print(question, flush=True)
            while (answer := sys.stdin.readline().strip()) != ".":
                said.append(answer)
        print("info", said[-1], len(said) > 3, flush=True)
        print("move", line.split()[2].split(".")[0], flush=True)
"""
    with Program(command(tmp_path, asks)) as player:
        player.ask(duelbox.Table("circle-duel/4.5"))
        assert player.info == "If you cannot, you lose. True"


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_program_that_means_no_good_costs_a_sentence_and_leaves_nothing(
    hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, sentence = HOSTILE[hostile]
    if hostile == "mute":
        monkeypatch.setattr(program, "START", 0.5)
    player = Program(command(tmp_path, source), seconds=1.5)
    begun = time.monotonic()
    with pytest.raises(ProgramFault, match=sentence):
        player.ask(duelbox.Table("circle-duel/4.5"))
    assert time.monotonic() - begun < 60
    assert all_end(player)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_child_that_went_away_by_itself_ends_too(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    source = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen(['sleep', '300'], start_new_session=True)\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n"
        f"{FIRST}"
    )
    with Program(command(tmp_path, source)) as player:
        player.ask(duelbox.Table("circle-duel/4.5"))
        child = int(note.read_text())
        assert state(child) != "Z"
    for _ in range(100):
        if state(child) == "Z":
            break
        time.sleep(0.05)
    assert state(child) == "Z"


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("./nowhere", r"\./nowhere cannot be started: No such file"),
        ("/etc/passwd", "cannot be started: Permission denied"),
        ("'half", "cannot be read: No closing quotation"),
        ("", "run: needs a command"),
        ("a\0b", "cannot be started: embedded null byte"),
    ],
)
def test_a_program_that_cannot_be_started_is_told(told: str, sentence: str) -> None:
    with pytest.raises(ProgramFault, match=sentence):
        Program(told).ask(duelbox.Table("circle-duel"))


def test_a_program_gets_none_of_our_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOX_SECRET", "x")
    names = '[name for name in __import__("os").environ if "DUEL" in name]'
    with Program(command(tmp_path, FIRST.replace('len(rest[1].split("."))', names))) as player:
        player.ask(duelbox.Table("circle-duel/4.5"))
        assert player.info == f"['{MARK}'] moves"


def example(language: str) -> str:
    """The program of this language on its page of help."""
    page = topics()["programs"]
    part = re.search(rf"## {language}\n\n((?:    .*\n|\n)+)", page)
    assert part is not None
    return "\n".join(line[4:] for line in part[1].rstrip().splitlines())


@pytest.mark.parametrize("language", ["Python", "C", "awk"])
def test_the_programs_of_the_page_play(language: str, tmp_path: Path) -> None:
    file = tmp_path / "first"
    if language == "Python":
        asked = command(tmp_path, example("Python"))
    elif language == "C":
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("there is no C compiler")
        (tmp_path / "first.c").write_text(example("C"))
        subprocess.run([compiler, "-o", str(file), str(tmp_path / "first.c")], check=True)
        asked = str(file)
    else:
        if shutil.which("awk") is None:
            pytest.skip("there is no awk")
        file.write_text(example("awk"))
        asked = f"awk -f {file}"
        if "mawk" in os.path.realpath(str(shutil.which("awk"))):
            asked = f"mawk -W interactive -f {file}"
    table = duelbox.play("number-duel", f"run:{asked}", "dash", seed=3)
    assert table.outcome is not None
    first = duelbox.Table(table.code().partition("/")[0]).legal[0]
    assert table.log()[0] == (0, first)


def test_the_json_of_the_page_is_what_a_program_is_told() -> None:
    told = re.search(r'\{"game":"number-duel"(?:.*\n)+?\n', topics()["programs"])
    assert told is not None
    shown = json.loads(told[0])
    seen = json.loads(duelbox.Table("number-duel:hand=3,seed=4/1x1").seen().model_dump_json())
    del seen["rules"]
    assert shown == seen


def test_a_program_sits_an_exam(tmp_path: Path) -> None:
    ran = run("exam", f"run:{command(tmp_path, FIRST)}", "--positions", "20", "--json")
    assert '"name": "First"' in ran.out
    assert run("exam", "bot:6", "--positions", "5").status == 2
    assert run("exam", "run:x", "--write", "-").status == 2


ASKED = {
    "play": ("play", "circle-duel", "--plain", "--p2"),
    "play on the screen": ("play", "circle-duel", "--p1"),
    "exam": ("exam", "--positions", "2", "--plain"),
    "league": ("exam", "--league", "bot:1"),
    "host": ("host", "circle-duel", "--plain", "--run"),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("missing", ["./nowhere", "/etc/passwd"])
def test_a_program_that_is_not_there_is_refused_before_a_table_opens(asked: str, missing: str) -> None:
    player = f"run:{missing}"
    if asked == "host":
        player = missing
    ran = run(*ASKED[asked], player)
    reason = "No such file or directory"
    if missing == "/etc/passwd":
        reason = "Permission denied"
    assert ran.status == 2
    assert ran.out == ""
    assert f"{missing} cannot be started: {reason}." in ran.err


def test_a_program_of_an_interpreter_is_found_by_its_first_word() -> None:
    check_command("python3 ./nowhere.py --fast")
    check_command(f"'{sys.executable}' nowhere.py")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_killed_duelbox_leaves_no_program_behind(tmp_path: Path) -> None:
    deaf = command(tmp_path, FIRST.replace("import sys", "import sys, time") + "time.sleep(300)", "deaf")
    source = (
        "import sys, time, duelbox\n"
        "from duelbox.bots.program import Program\n"
        f"player = Program({deaf!r})\n"
        "player.ask(duelbox.Table('circle-duel'))\n"
        "print(player._process.pid, flush=True)\n"
        "time.sleep(300)\n"
    )
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True) as app:
        assert app.stdout is not None
        pid = int(app.stdout.readline())
        assert state(pid) != "Z"
        app.kill()
    for _ in range(400):
        if state(pid) == "Z":
            break
        time.sleep(0.01)
    assert state(pid) == "Z"


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit")
def test_memory_is_limited_only_if_asked(tmp_path: Path) -> None:
    eats = 'eaten = bytearray(200 * 1024 * 1024); print("info"'
    hungry = command(tmp_path, FIRST.replace('print("info"', eats))
    with Program(hungry, memory=150) as player, pytest.raises(ProgramFault, match="ended by itself"):
        player.ask(duelbox.Table("circle-duel/4.5"))
    assert player.last_error == "MemoryError"
    with Program(hungry) as player:
        assert player.ask(duelbox.Table("circle-duel/4.5")) == "6"
