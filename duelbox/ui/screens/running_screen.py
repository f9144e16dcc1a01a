"""The base of tables that fill while their players are at work: an exam that is sat, a league that is played."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event as Flag
from typing import ClassVar, TypeVar

from textual import events, on

from duelbox.core.errors import DuelboxError
from duelbox.exam.league import League
from duelbox.exam.room import Room
from duelbox.solve.api import Stopped
from duelbox.ui.screens.list_screen import ListScreen
from duelbox.ui.screens.results_screen import write_table
from duelbox.ui.terminal.background import in_background
from duelbox.ui.yielding_stop import YieldingStop

R = TypeVar("R")
BETWEEN = 0.1
"""Seconds between two reports of progress."""


class RunningScreen(ListScreen[R]):
    """A table of players; they work in a thread until all is done or the table is left."""

    SPARE: ClassVar[tuple[str, ...]] = ("copy", "export")

    def __init__(self, job: Room | League) -> None:
        super().__init__()
        self._job = job
        self.stop = YieldingStop(None, Flag())
        """Stops the players when the table is left."""

    @property
    def whole(self) -> bool:
        """All is done."""
        raise NotImplementedError

    @property
    def file_name(self) -> str:
        """The name of the file into which the table is exported."""
        raise NotImplementedError

    def work(self) -> None:
        """Let the players work, and report their progress; runs in a thread."""
        raise NotImplementedError

    @on(events.Mount)
    def begin(self) -> None:
        """Let the players work, or go on."""
        self.stop = YieldingStop(None, self.app.at_rest)
        self._job.check = self.stop.check
        self.run_worker(self._run())

    async def _run(self) -> None:
        try:
            await in_background(self.work)
        except Stopped:
            return
        except DuelboxError as error:
            self.app.warn(error.sentence)
        if not self.whole:
            return
        self._job.done()
        await self.refill()
        if self._job.export is not None:
            await write_table(self.app, self._job.export, self._job.to_json())

    async def on_unmount(self) -> None:
        """End the programs; what they did stays kept until the table was whole."""
        self.stop.stop()
        await asyncio.to_thread(self._job.close)

    def action_copy(self) -> None:
        """Copy the table as text."""
        self.app.copy_to_clipboard("\n".join(self._job.lines()))
        self.notify("Copied.")

    async def action_export(self) -> None:
        """Write the table to a file in the working folder, as JSON."""
        await write_table(self.app, Path(self.file_name), self._job.to_json())
