"""Settings: command line > environment > file > default, each bad value named and replaced by its default alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from duelbox.core.model import Model

Theme = Literal["auto", "dark", "light", "high-contrast", "colour-blind", "no-colour"]
Animation = Literal["none", "basic", "full"]
Key = Annotated[str, Field(min_length=1, max_length=40)]


class LastUsed(Model):
    """What a game was started with last."""

    opponent: str = "person"
    """"person", or the computer's level."""
    options: dict[str, str] = Field(default_factory=dict)
    """As in a position code, the classic ones left out: {"size": "12"}."""
    rounds: int = Field(default=1, ge=1, le=99)
    first: Literal["player-1", "player-2", "chance"] = "player-1"


class Settings(Model):
    """Everything that can be set; the field names are the keys of the file."""

    theme: Theme = "auto"
    ascii: bool = False
    """Draw with plain ASCII only."""
    animation: Animation = "full"
    delay: int = Field(default=400, ge=0, le=10_000)
    """How long the computer seems to think, in milliseconds."""
    confirm: bool = False
    """Ask before every move."""
    one_click: bool = False
    """One click plays; else the first click chooses and the second plays."""
    game: str = "circle-duel"
    """The game played last."""
    names: tuple[str, str] = ("Player 1", "Player 2")
    last: dict[str, LastUsed] = Field(default_factory=dict)
    """By game."""
    keymap: dict[str, Key] = Field(default_factory=dict)
    """Keys by what they do, where they differ from the built-in ones: {"undo": "u"}."""


class Config:
    """The settings in force, and the file behind them."""

    settings: Settings
    notices: tuple[str, ...]
    """Every bad value, named with file (or variable), key and reason."""

    @classmethod
    def load(
        cls,
        home: str | Path | None = None,
        environ: Mapping[str, str] = os.environ,
        flags: Mapping[str, Any] | None = None,
    ) -> Self:
        """Read them; never raises. `flags` are from the command line, None values meaning not given.

        The environment has DUELBOX_THEME, DUELBOX_ASCII=on, DUELBOX_DELAY=0 and so on.
        """
        raise NotImplementedError

    def change(self, **values: Any) -> str | None:
        """Change settings, now and in the file, and nothing else there; a sentence if the file can't be written."""
        raise NotImplementedError
