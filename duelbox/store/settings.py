"""Settings: command line before environment, file and default. A bad value is reported and its default is used."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from duelbox import themes
from duelbox.core.errors import BadName
from duelbox.core.match import Rounds
from duelbox.core.model import Model, listed
from duelbox.core.names import printable
from duelbox.core.record import Name
from duelbox.core.session import DEFAULT_NAMES
from duelbox.relay.address import URL
from duelbox.store import files, terminals

Animation = Literal["none", "basic", "full"]
Pace = Literal["none", "30", "60"]
Notice = Literal["bell", "desktop", "off"]
Key = Annotated[str, Field(min_length=1, max_length=40)]
Command = Annotated[str, Field(min_length=1, max_length=4000)]


def _theme(name: object) -> object:
    if name not in themes.NAMES:
        raise ValueError(f"it should be {listed(list(map(repr, themes.NAMES)), 'or')}")
    return name


Theme = Annotated[str, BeforeValidator(_theme)]


def _different(names: tuple[str, str]) -> tuple[str, str]:
    """The names as they were saved, even some that could not be chosen now."""
    one, two = names
    if one.casefold() == two.casefold():
        raise BadName(f"Both players cannot be called {two}.")
    return names


Names = Annotated[tuple[Name, Name], AfterValidator(_different)]

RELAY = rf"^({URL})?$"
OF_FIELD = {
    "ascii": 'it should be true, false or "auto"',
    "large": 'it should be true, false or "teams"',
    "names": "it should be a list of two names",
    "relay": "it should be an address such as wss://relay.example.org",
}
OF_TYPE = {"bool": "it should be true or false", "int": "it should be a whole number"}
"""The values that would be right, in words, by the setting and by its type."""
PERSON = "person"
ELSEWHERE = "elsewhere"
"""A seat for a friend on another machine."""


def needs_ascii(environ: Mapping[str, str] = os.environ, widths: tuple[int, ...] = ()) -> bool:
    """True if the terminal lacks finer signs: the Linux console, and where a sign is not one cell wide.

    Without an answer of the terminal (`widths`) the locale decides: one without UTF-8, or with wide characters.
    """
    if environ.get("TERM") == "linux":
        return True
    if widths:
        return any(width != 1 for width in widths)
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "utf").lower()
    return "utf" not in locale or locale[:3] in ("ja_", "ko_", "zh_")


@cache
def _needs_ascii_here() -> bool:
    """`needs_ascii` of this process, worked out once for all the settings that are loaded in it."""
    known = terminals.known_terminal(files.find_folders().data)
    return needs_ascii(os.environ, known.widths if known else ())


First = Literal["player-1", "player-2", "chance"]
"""The player who begins."""


class LastUsed(Model):
    """The choices that a game was started with last."""

    players: tuple[str, str] = (PERSON, "peek")
    """The two seats: each a computer's level, or "person"."""
    options: dict[str, str] = Field(default_factory=dict)
    """House rules as in a position code, without the classic ones: {"size": "12"}."""
    rounds: Rounds = 1
    first: First = "player-1"
    chosen: bool = True
    """The player chose the level and the seat; else both follow the preset and the games played."""


class Settings(Model):
    """All settings; the field names are the keys of the file."""

    theme: Theme = "auto"
    ascii: bool | Literal["auto"] = "auto"
    """Draw with plain ASCII only; "auto": if this terminal needs it."""
    animation: Animation = "full"
    delay: int = Field(default=400, ge=0, le=10_000)
    """Milliseconds for which a computer waits before it moves."""
    confirm: bool = False
    """Ask before every move."""
    large: bool | Literal["teams"] = False
    """Show only board, story and prompt, in large figures, for a projector; two people may be called teams."""
    one_click: bool = False
    """Play with one click; else the first click chooses and the second plays."""
    open_hand: bool = True
    """Show one's own hidden numbers in a game against a computer."""
    voice: bool = True
    """Computers comment on some of their moves."""
    coach: bool = False
    """Against a computer, say at once that a move gives the win away, and offer to take it back."""
    pace: Pace = "none"
    """The seconds of a turn between two people at one screen; the clock only reminds."""
    notice: Notice = "bell"
    """The signal of the terminal that it is your turn, if you may be looking elsewhere."""
    relay: str = Field(default="", pattern=RELAY)
    """The address of the relay for friends elsewhere; if empty, this process is the relay."""
    game: str = ""
    """The game played last; empty before the first."""
    names: Names = DEFAULT_NAMES
    last: dict[str, LastUsed] = Field(default_factory=dict)
    """The last choices for each game."""
    presets: dict[str, dict[Name, str]] = Field(default_factory=dict)
    """The player's own presets, by game and name: their options as in a position code."""
    programs: dict[Name, Command] = Field(default_factory=dict)
    """Programs that play, by name, each with its command."""
    keymap: dict[str, Key] = Field(default_factory=dict)
    """Changed keys by the action they are for: {"undo": "u"}."""

    @property
    def plain(self) -> bool:
        """True if everything is drawn in ASCII."""
        return _needs_ascii_here() if self.ascii == "auto" else self.ascii


MOST = 1_000_000
"""The most bytes of a settings file."""
_IN_FILE_ONLY = ("game", "names", "last", "presets", "programs", "keymap")
FROM_TEXT = tuple(name for name in Settings.model_fields if name not in _IN_FILE_ONLY)
"""The settings that the environment can set."""

Changes = Mapping[tuple[str, ...], Any]
"""New values by their keys in the file; None removes a key."""

_HEADING = "# Settings of duelbox. Every key may be left out; what is not known here is kept.\n"


class Config:
    """The settings in force, and the file behind them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings = Settings()
        """The settings in force."""
        self.notices: tuple[str, ...] = ()
        """A sentence for each bad value, with its file or variable, key and reason."""

    @classmethod
    def load(
        cls,
        home: str | Path | None = None,
        environ: Mapping[str, str] = os.environ,
        flags: Mapping[str, Any] | None = None,
    ) -> Self:
        """Read the settings; raises DuelboxError only for a home that cannot exist.

        `flags` are from the command line, None values meaning not given.

        The environment has DUELBOX_THEME, DUELBOX_ASCII=on, DUELBOX_DELAY=0 and so on.
        """
        _needs_ascii_here.cache_clear()  # the process may have a terminal of its own since the last time
        config = cls(files.find_folders(home, environ).settings)
        files.close_to_others(config.path.parent)
        config._use(config._file(), lambda key: f"{files.shown(config.path)}: {printable(key)}")
        variables = {name: environ.get(_variable(name)) for name in FROM_TEXT}
        config._use(variables, _variable, strict=False)
        config._use(flags or {}, lambda key: f"--{key.replace('_', '-')}", strict=False)
        return config

    def change(self, **values: Any) -> str | None:
        """Change settings here and in the file; returns a sentence if the file can't be written."""
        before, self.settings = self.settings, self.settings.changed(**values)
        known, wanted = (
            dict(_leaves(one.model_dump(mode="json", include=set(values)))) for one in (before, self.settings)
        )
        try:
            self._write({path: wanted.get(path) for path in {**known, **wanted}})
        except (OSError, ValueError, RuntimeError) as error:  # the last for a link to itself
            return (
                f"{files.shown(self.path)} cannot be changed: {files.reason(error)}. The setting holds until you quit."
            )
        return None

    @staticmethod
    def keep_terminal(terminal: terminals.Terminal) -> None:
        """Keep this terminal's answer, which decides if "auto" means ASCII; waits for the disk."""
        terminals.keep_terminal(files.find_folders().data, terminal)
        _needs_ascii_here.cache_clear()

    # -- reading

    def _file(self) -> dict[str, Any]:
        try:
            text = files.read_regular(self.path, MOST, link=True).decode()
            return tomllib.loads(text)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            why = "it is nested too deep" if isinstance(error, RecursionError) else files.reason(error)
            self._note(f"{files.shown(self.path)} cannot be read, so the defaults are used: {why}.")
            return {}

    def _use(self, values: Mapping[str, Any], called: Callable[[str], str], *, strict: bool = True) -> None:
        """Accept valid values and report others; `called` names a key for the sentence. Text sources are not strict."""
        given = {name: value for name, value in values.items() if value is not None}
        known = {name: _tuples(value) for name, value in given.items() if name in Settings.model_fields}
        current = {name: getattr(self.settings, name) for name in Settings.model_fields}
        while True:
            try:
                self.settings = Settings.model_validate({**current, **known}, strict=strict)
                return
            except ValidationError as error:
                first = error.errors()[0]
                table = known
                value = known
                path: list[str] = []
                for part in first["loc"]:  # down to the bad entry of a table, or to a whole list
                    if not isinstance(value, dict) or part not in value:
                        break
                    table, value = value, value[part]
                    path.append(str(part))
                if first["type"] != "extra_forbidden":  # unknown keys inside a table stay like others
                    said = first["msg"].replace("Input", "it").split(", unable")[0]
                    wanted = OF_FIELD.get(path[0]) or OF_TYPE.get(first["type"].partition("_")[0]) or said
                    own = first["type"] == "value_error"  # a sentence of ours
                    why = (said.removeprefix("Value error, ") if own else wanted).rstrip(".")
                    shown = repr(value) if len(repr(value)) <= 40 else f"{repr(value)[:39]}…"
                    self._note(f"{called('.'.join(path))} is {shown}, which is not used: {why}.")
                del table[path[-1]]

    def _note(self, sentence: str) -> None:
        self.notices = (*self.notices, sentence)

    # -- writing

    def _write(self, changes: Changes) -> None:
        files.make_private_folder(self.path.parent)
        try:
            text = files.read_regular(self.path, MOST, link=True).decode()
            tomllib.loads(text)
        except FileNotFoundError:
            text = _HEADING
        except (ValueError, RecursionError):
            path = self.path.resolve()
            files.rename(path, files.free_path(path, "unreadable"))
            text = _HEADING
        files.replace(self.path, changed_text(text, changes).encode(), link=True)


def _variable(name: str) -> str:
    return f"DUELBOX_{name.upper()}"


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _tuples(one) for name, one in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _leaves(values: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, name))
        else:
            yield (*path, name), value


def changed_text(text: str, changes: Changes) -> str:
    """Set values in the text of a TOML file, or remove those that are None; comments, order and other keys stay.

    Raises ValueError if that is impossible. tomlkit makes the change; tomllib, another parser, verifies the result.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    expected, document = tomllib.loads(text), tomlkit.parse(text)
    try:
        for table in (expected, document):
            for path, value in changes.items():
                _set(table, path, value)
        after = tomlkit.dumps(document)
        if tomllib.loads(after) == expected:
            return after.strip("\n") + "\n"
    except (TOMLKitError, TypeError, AttributeError):  # a value or several tables in place of one table
        pass
    raise ValueError("it is written in a way that cannot be changed without harm")


def _set(table: Any, path: tuple[str, ...], value: Any) -> None:
    *way, key = path
    for name in way:
        if name not in table:
            if value is None:
                return
            table[name] = {}
        table = table[name]
    if isinstance(table.get(key), Mapping):
        raise TypeError  # the comments of the table would be lost
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value
