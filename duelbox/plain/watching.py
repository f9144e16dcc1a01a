"""A match of two others at the line mode: what happens is told as it comes, and nothing is asked."""

from __future__ import annotations

from duelbox.core.errors import DuelboxError
from duelbox.core.session import Ply
from duelbox.plain.console import Console
from duelbox.plain.elsewhere import LineElsewhere
from duelbox.sitting.watching import ONLY, Watching

HELP = """You watch: the moves come by themselves. These words work at any time:
  help    this list
  rules   the rules of the game
  board   the position
  moves   what has been played
  quit    leave; the two play on"""
_WORDS = ("rules", "board", "moves", "quit")


class LineWatching(LineElsewhere):
    """One match that two others play, told line by line."""

    _sitting: Watching

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._words = {word: self._words[word] for word in _WORDS} | {"help": lambda: console.say(HELP)}

    def _greet(self) -> None:
        """The first news say what is waited for."""

    def _farewell(self) -> None:
        """Nothing waits for who only watched."""

    @property
    def _listens(self) -> bool:
        return True

    def _take(self, line: str | None) -> None:
        if line is not None or self._console.interactive:  # without a keyboard, one watches to the end
            super()._take(line)

    def _question(self) -> str:
        return ""

    def _do(self, line: str, asked: str) -> None:
        if line.lower() in self._words:
            self._words[line.lower()]()
        elif line:
            raise DuelboxError(f"{ONLY} Type help for what you can do.")

    def _began(self) -> None:
        sitting = self._sitting
        count = (
            f"Round {len(sitting.match.winners) + 1} of {sitting.match.rounds}. " if sitting.match.rounds > 1 else ""
        )
        self.say(f"\n{count}Player 1 and Player 2 play. Type help at any time.\n")
        self._board()

    def _moved(self, by: int, ply: Ply) -> str:
        self._console.say()
        return super()._moved(self._sitting.me, ply)

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
