"""Settings: the order of their sources, sentences about bad values, and a file that keeps all else."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duelbox.store import settings as module
from duelbox.store.files import find_folders
from duelbox.store.settings import Config, LastUsed, Settings
from duelbox.store.terminals import Terminal
from tests.effort import sampled

FILE = """# my settings

theme = "light"   # for the balcony
delay = 250
future = { a = 1 }  # of a newer duelbox

[keymap]
# fingers
undo = "u"
"go back" = 'b'   # so be it

[last.circle-duel]
players = ["person", "hard"]
options = { size = "12", reach = "2" }
strange = true

[[mine]]
x = 1979-05-27
"""


@pytest.fixture
def path(home: Path) -> Path:
    home.mkdir()
    return home / "settings.toml"


def test_without_a_file_the_defaults_hold(home: Path) -> None:
    config = Config.load(environ={"DUELBOX_HOME": str(home)})
    assert config.settings == Settings()
    assert config.notices == ()
    assert not home.exists()


def test_a_file_is_read(home: Path, path: Path) -> None:
    path.write_text(FILE)
    config = Config.load(home, {})
    assert config.notices == ()
    assert config.settings == Settings(
        theme="light",
        delay=250,
        keymap={"undo": "u", "go back": "b"},
        last={"circle-duel": LastUsed(players=("person", "hard"), options={"size": "12", "reach": "2"})},
    )


def test_the_command_line_comes_before_the_environment_before_the_file_before_the_default(
    home: Path, path: Path
) -> None:
    for count in range(16):
        file, variable, flag = ({"delay": value} if count & bit else {} for bit, value in ((1, 1), (2, 20), (4, 300)))
        path.write_text("".join(f"{key} = {value}\n" for key, value in file.items()))
        config = Config.load(home, {f"DUELBOX_{k.upper()}": str(v) for k, v in variable.items()}, flag)
        assert config.settings.delay == {"delay": 400, **file, **variable, **flag}["delay"]
        assert config.notices == ()


@pytest.mark.parametrize(
    ("line", "key", "shown"),
    [
        ('theme = "drak"', "theme", "'drak'"),
        ("theme = 5", "theme", "5"),
        ('ascii = "yes"', "ascii", "'yes'"),
        ("ascii = 1", "ascii", "1"),
        ("delay = -1", "delay", "-1"),
        ("delay = 99999999999999999999", "delay", "99999999999999999999"),
        ("delay = 1.5", "delay", "1.5"),
        ("delay = true", "delay", "True"),
        ("delay = nan", "delay", "nan"),
        ("names = ['Ann']", "names", "('Ann',)"),
        ('names = ["Ann", "\\u001b[31m"]', "names", "U+001B"),
        ("names = 5", "names", "5"),
        ("names = ['Ann', 'ANN']", "names", "Both players cannot be called ANN."),
        ("keymap = 5", "keymap", "5"),
        ("[keymap]\nundo = 5", "keymap.undo", "5"),
        ("[keymap]\nundo = ''", "keymap.undo", "''"),
        ("[last.circle-duel]\nrounds = 0", "last.circle-duel.rounds", "0"),
        ("[last.circle-duel.options]\nsize = 12", "last.circle-duel.options.size", "12"),
        ("last = []", "last", "()"),
        ("delay = 1979-05-27", "delay", "1979"),
    ],
)
def test_a_bad_value_is_named_and_only_its_default_is_used(
    home: Path, path: Path, line: str, key: str, shown: str
) -> None:
    path.write_text(f'confirm = true\ngame = "digit-chain"\n{line}\n')
    config = Config.load(home, {})
    (notice,) = config.notices
    assert notice.startswith(f"{path}: {key} is ")
    assert shown in notice
    assert "\n" not in notice
    last = {"circle-duel": LastUsed()} if "circle-duel" in line else {}
    assert config.settings == Settings(confirm=True, game="digit-chain", last=last)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('ascii = "maybe"', 'true, false or "auto"'),
        ("coach = 1", "true or false"),
        ('delay = "x"', "a whole number"),
        ('names = ["Ann"]', "a list of two names"),
        ('relay = "here"', "an address such as wss://relay.example.org"),
    ],
)
def test_a_notice_says_what_would_be_right(home: Path, path: Path, line: str, wanted: str) -> None:
    path.write_text(line)
    (notice,) = Config.load(home, {}).notices
    assert notice.endswith(f", which is not used: it should be {wanted}.")


def test_every_bad_value_is_named(home: Path, path: Path) -> None:
    path.write_text('theme = 1\nascii = 2\ndelay = "x"\n[keymap]\na = 1\nb = "b"\nc = 2\n')
    config = Config.load(home, {"DUELBOX_ANIMATION": "wild"}, {"confirm": "maybe", "unknown": 5})
    starts = [f"{path}: {key} is" for key in ("theme", "ascii", "delay", "keymap.a", "keymap.c")]
    assert [notice.split(" is ")[0] + " is" for notice in config.notices] == [
        *starts,
        "DUELBOX_ANIMATION is",
        "--confirm is",
    ]
    assert config.settings == Settings(keymap={"b": "b"})


@pytest.mark.parametrize("text", ["theme = ", "[", "\ufffd\x00", "a = 1\na = 2", "x = " + "[" * 100_000])
def test_a_file_that_is_no_toml_is_named_and_kept(home: Path, path: Path, text: str) -> None:
    path.write_text(text)
    config = Config.load(home, {})
    assert config.settings == Settings()
    assert str(path) in config.notices[0]
    assert config.change(theme="dark") is None
    assert (home / "settings.unreadable-1.toml").read_text() == text
    assert tomllib.loads(path.read_text()) == {"theme": "dark"}


def test_bytes_that_are_no_text(home: Path, path: Path) -> None:
    path.write_bytes(b'theme = "\xff"')
    config = Config.load(home, {})
    assert len(config.notices) == 1
    config.change(delay=1)
    assert (home / "settings.unreadable-1.toml").read_bytes() == b'theme = "\xff"'


def test_a_folder_in_the_place_of_the_file(home: Path, path: Path) -> None:
    path.mkdir()
    config = Config.load(home, {})
    assert len(config.notices) == 1
    assert str(path) in str(config.change(theme="dark"))
    assert config.settings.theme == "dark"


@pytest.mark.parametrize(("text", "value"), [("on", True), ("OFF", False), ("1", True), ("0", False), ("true", True)])
def test_switches_in_the_environment(home: Path, text: str, value: bool) -> None:
    assert Config.load(home, {"DUELBOX_ASCII": text}).settings.ascii is value
    assert Config.load(home, {"DUELBOX_DELAY": "1"}).settings.delay == 1


def test_a_change_leaves_everything_else_in_the_file(home: Path, path: Path) -> None:
    path.write_text(FILE)
    config = Config.load(home, {"DUELBOX_ASCII": "on"})
    assert config.change(theme="dark") is None
    assert path.read_text() == FILE.replace('"light"', '"dark"')
    assert config.change(keymap={"undo": "z", "go back": "b", "redo": "y"}) is None
    after = FILE.replace('"light"', '"dark"').replace('undo = "u"', 'undo = "z"')
    after = after.replace("""'b'   # so be it""", '''"b"   # so be it\nredo = "y"''')
    assert path.read_text() == after
    assert "ascii" not in after, "what the environment says is not for the file"
    assert Config.load(home, {}).settings == config.settings.changed(ascii="auto")


@pytest.mark.parametrize("seed", range(sampled(6, 20)))
def test_what_was_changed_is_read_again(home: Path, seed: int) -> None:
    rng = Random(seed)
    config = Config.load(home, {})
    for _ in range(12):
        values = some_settings(rng)
        # The last choices for a game can be changed, but not removed.
        values["last"] = {**config.settings.last, **values.get("last", {})}
        assert config.change(**values) is None
        assert Config.load(home, {}).settings == config.settings
        assert Config.load(home, {}).notices == ()


def some_settings(rng: Random) -> dict[str, Any]:
    words = ("u", "ctrl+z", "a b", 'say "x"', "\\", "é漢", "#", "=", "[x]", "'", "\x7f", "a.b", "tab\t")
    keys = rng.sample(words, rng.randrange(4))
    every: dict[str, Any] = {
        "theme": rng.choice(("dark", "no-colour")),
        "ascii": rng.choice((True, False, "auto")),
        "delay": rng.randrange(10_000),
        "names": (rng.choice(("Ann", "Zoë", '"')), "漢字"),
        "keymap": {key: rng.choice(words) for key in keys},
        "last": {
            game: LastUsed(rounds=rng.randint(1, 99), options=dict.fromkeys(keys[: rng.randrange(3)], "x"))
            for game in rng.sample(("circle-duel", "my game", "x.y"), rng.randrange(3))
        },
    }
    return {key: every[key] for key in rng.sample(sorted(every), rng.randint(1, 3))}


def test_two_terminals_change_different_settings(home: Path) -> None:
    one, two = Config.load(home, {}), Config.load(home, {})
    one.change(theme="dark")
    two.change(delay=5)
    assert Config.load(home, {}).settings == Settings(theme="dark", delay=5)


def test_a_file_that_can_not_be_written_is_a_sentence(home: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(FILE)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    config = Config.load(home, {})
    said = config.change(theme="dark")
    assert said is not None
    assert "No space left" in said
    assert config.settings.theme == "dark"
    assert path.read_text() == FILE
    assert [one.name for one in home.iterdir()] == ["settings.toml"]


def test_a_link_stays_a_link_and_rights_stay(home: Path, path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text(FILE)
    real.chmod(0o640)
    path.symlink_to(real)
    Config.load(home, {}).change(theme="dark")
    assert path.is_symlink()
    assert '"dark"' in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_bad_change_is_refused(home: Path) -> None:
    config = Config.load(home, {})
    with pytest.raises(ValueError, match="delay"):
        config.change(delay=-1)
    assert config.settings == Settings()
    assert not home.exists()


def test_every_variable_is_a_setting() -> None:
    assert set(module.FROM_TEXT) <= set(Settings.model_fields)


@pytest.mark.parametrize("home", ["/somewhere", "~/games"])
def test_one_home_for_everything(home: str) -> None:
    folders = find_folders(environ={"DUELBOX_HOME": home})
    assert folders.data == folders.config == Path(home).expanduser()
    assert find_folders("/other", {"DUELBOX_HOME": home}).data == Path("/other").absolute()


def test_without_a_home_the_platform_decides() -> None:
    folders = find_folders(environ={})
    assert folders.data.is_absolute()
    assert "duelbox" in folders.data.parts
    assert "duelbox" in folders.config.parts


@pytest.mark.parametrize(
    ("environ", "plain"),
    [
        ({"TERM": "linux", "LANG": "en_GB.UTF-8"}, True),
        ({"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}, False),
        ({"TERM": "xterm", "LANG": "C.utf8"}, False),
        ({"TERM": "xterm", "LC_ALL": "C", "LANG": "en_GB.UTF-8"}, True),
        ({"TERM": "xterm", "LANG": "de_DE.ISO-8859-1"}, True),
        ({"TERM": "xterm", "LANG": "ja_JP.UTF-8"}, True),
        ({"TERM": "xterm"}, False),
    ],
)
def test_terminals_without_the_finer_signs_get_ascii_by_themselves(
    environ: dict[str, str], plain: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert Config.load(tmp_path, environ).settings.plain is plain
    (tmp_path / "settings.toml").write_text(f"ascii = {str(not plain).lower()}\n")
    assert Config.load(tmp_path, environ).settings.plain is not plain
    (tmp_path / "settings.toml").write_text('ascii = "auto"\n')
    config = Config.load(tmp_path, environ)
    assert config.settings.plain is plain
    assert not config.notices


@pytest.mark.parametrize(
    ("locale", "widths", "plain"),
    [
        ("en_GB.UTF-8", (1, 1), False),
        ("en_GB.UTF-8", (2, 1), True),
        ("en_GB.UTF-8", (1, 3), True),
        ("ja_JP.UTF-8", (1, 1), False),
        ("C", (1, 1), False),
    ],
)
def test_the_answer_of_a_terminal_decides_about_ascii(
    locale: str, widths: tuple[int, int], plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LC_ALL", locale)
    config = Config.load()
    config.keep_terminal(Terminal(widths))
    assert config.settings.plain is plain
    monkeypatch.setenv("TERM", "linux")
    assert Config.load().settings.plain, "its font lacks the signs"
