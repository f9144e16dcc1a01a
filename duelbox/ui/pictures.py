"""Keeping a picture of the screen in a file, wherever it can be written."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

__all__ = ["keep_picture", "places"]


def places() -> tuple[Path, ...]:
    """Folders to try: downloads, if there are any, then where duelbox was started, then home."""
    found: list[Path] = []
    with suppress(RuntimeError, OSError):  # nobody's home; a folder that has gone
        found += [Path.home() / "Downloads"]
    with suppress(OSError):
        found += [Path.cwd()]
    with suppress(RuntimeError):
        found += [Path.home()]
    return tuple(found)


def keep_picture(svg: str, folders: tuple[Path, ...], now: datetime) -> str:
    """Write it to the first of these folders that takes it; a sentence that says where, or why not."""
    why = "There is no folder for the picture."
    for folder in folders:
        try:
            return f"Saved as {_written(svg, folder, f'duelbox-{now:%Y-%m-%d-%H%M%S}')}"
        except OSError as error:
            why = f"The picture cannot be saved in {folder}: {error.strerror or error}."
    return why


def _written(svg: str, folder: Path, name: str) -> Path:
    for number in count(1):
        path = folder / f"{name}{f'-{number}' if number > 1 else ''}.svg"
        with suppress(FileExistsError), path.open("x", encoding="utf-8") as file:
            file.write(svg)
            break
    return path
