"""A match that is played elsewhere at the line mode: what happens is told as it comes, and lines are read meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from threading import Thread
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.match import points_text
from duelbox.core.model import SEATS
from duelbox.core.names import printable
from duelbox.core.session import Ply
from duelbox.friends import news
from duelbox.plain.console import Console
from duelbox.plain.lines import Lines
from duelbox.sitting.rounds import rounds_table
from duelbox.sitting.watching import ONLY, Remote

HELP = """You watch: the moves come by themselves. These words work at any time:
  help    this list
  rules   the rules of the game
  board   the position
  moves   what has been played
  quit    leave; the two play on"""


class LineWatching(Lines):
    """One match, told line by line; nothing is asked of who only watches."""

    _sitting: Remote
    _about = HELP

    def __init__(self, console: Console, sitting: Remote) -> None:
        super().__init__(console, sitting)
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._asked = ""
        """The question that stands there, unanswered."""
        self._done = False
        self._last_presence = self._watched = ""
        self._words["moves"] = lambda: self._tell_moves(self.session.turn if sitting.my_turn else None)

    async def play(self) -> None:
        """Tell it until the match is over, or somebody leaves."""
        self._read_lines()
        if self._sitting.ready:
            self._began()
        else:
            self._greet()
        try:
            await self._run()
        finally:
            self._farewell()
            await self._sitting.leave()

    async def _run(self) -> None:
        hears = asyncio.create_task(self._sitting.news.get())
        reads = asyncio.create_task(self._lines.get())
        try:
            while not self._done:
                self._prompt()
                wants = {hears, reads} if self._listens else {hears}
                await asyncio.wait(wants, return_when=asyncio.FIRST_COMPLETED)
                if hears.done():
                    self._hear(hears.result())
                    hears = asyncio.create_task(self._sitting.news.get())
                elif reads.done():
                    self._take(reads.result())
                    reads = asyncio.create_task(self._lines.get())
        finally:
            hears.cancel()
            reads.cancel()

    def _read_lines(self) -> None:
        """Read lines in a thread of its own, so that news can come meanwhile."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            with suppress(RuntimeError):  # the loop has ended first
                for line in self._console.lines():
                    loop.call_soon_threadsafe(self._lines.put_nowait, line)
                loop.call_soon_threadsafe(self._lines.put_nowait, None)

        Thread(target=read, name="lines", daemon=True).start()

    # -- asking

    @property
    def _listens(self) -> bool:
        """Whether a line is taken now."""
        return True

    def _greet(self) -> None:
        """Say what there is before the match begins."""

    def _farewell(self) -> None:
        """Say how it goes on."""

    def _prompt(self) -> None:
        """Ask what there is to ask."""

    def _take(self, line: str | None) -> None:
        asked, self._asked = self._asked, ""
        if line is None:
            self._lines_ended()
            return
        self._console.echo(line)
        try:
            self._do(line, asked)
        except DuelboxError as error:
            self.say(error.sentence)

    def _lines_ended(self) -> None:
        if self._console.interactive:  # without a keyboard, one watches to the end
            self.say()
            self._quit()

    def _do(self, line: str, asked: str) -> None:
        if line.lower() in self._words:
            self._words[line.lower()]()
        elif line:
            raise DuelboxError(f"{ONLY} Type help for what you can do.")

    def _quit(self) -> None:
        self._done = True

    # -- telling

    def say(self, text: str = "") -> None:
        """Tell it, below a question that stands there."""
        if self._asked:
            self._console.say()
            self._asked = ""
        super().say(text)
        self._console.flush()

    def _hear(self, one: news.News | None) -> None:
        told = self._told(one) if one is not None else self._presence()
        if told:
            self.say(told)
        if one is None and self._sitting.watched != self._watched:
            self._watched = self._sitting.watched
            self.say(f"{self._watched}.")

    def _presence(self) -> str:
        """Who is away, if that has changed; when both have left for good, it ends."""
        sitting = self._sitting
        if sitting.over and sitting.left:
            self._done = True
            return "Both have left."
        now = sitting.presence if sitting.trouble or not sitting.ready or "away" in sitting.presence else ""
        if now == self._last_presence:
            return ""
        self._last_presence, before = now, self._last_presence
        return now or ("Both are here." if "away" in before else "")

    def _told(self, one: news.News) -> str:
        match one:
            case news.Began() if not self._sitting.shown_end:
                self._began()
            case news.Moved(_, ply) if ply.move is None:
                return ""  # told with the end of the round
            case news.Moved(by, ply):
                return self._moved(by, ply)
            case news.RoundOver():
                return self._round_over()
            case news.Declined() | news.Stopped():
                self._done = True
            case news.Offered():
                return ""
            case news.Answered(offer, True) if offer.kind == "undo":
                self._board()
        return self._sitting.told(one)

    def _began(self) -> None:
        self.say(f"\n{self._count()}Player 1 and Player 2 play. Type help at any time.\n")
        self._board()

    def _count(self) -> str:
        match = self._sitting.match
        return f"Round {len(match.winners) + 1} of {match.rounds}. " if match.rounds > 1 else ""

    def _moved(self, by: int, ply: Ply) -> str:
        self._console.say()
        return printable(ply.told)

    def _round_over(self) -> str:
        sitting, score = self._sitting, self._sitting.score
        lines = [self._ending(), f"The code of this game: {self.session.code()}"]
        if sitting.match.rounds > 1 and score.over:
            lines += ["", *rounds_table(sitting.rounds), ""]
        points = ", ".join(f"{sitting.players[one].name} has {points_text(score.points(one))}" for one in SEATS)
        lines.append(f"Score: {points}.")
        return "\n".join(lines)


def run(work: Coroutine[Any, Any, None]) -> int:
    """Run a match to its end; the exit status."""
    try:
        asyncio.run(work)
    except KeyboardInterrupt:
        return 130
    return 0
