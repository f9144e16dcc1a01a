"""A match of two others in lines, which is only watched."""

from __future__ import annotations

from duelbox.core import news
from duelbox.friends.side import ONLY
from duelbox.plain.console import Console
from duelbox.plain.line_elsewhere import SOON, LineElsewhere
from duelbox.plain.line_table import Does, listed, words_of
from duelbox.table.watched import WatchedTable

_WATCHING = f"""You watch: the moves come by themselves. These words work at any time:
{listed(words_of(WatchedTable.verbs))}"""


class LineWatching(LineElsewhere):
    """A watched match, in lines; a watcher is asked nothing, and may type words at any time."""

    def __init__(self, console: Console, table: WatchedTable) -> None:
        super().__init__(console, table, about=_WATCHING)
        self._watched_table = table
        self.listens = True
        self._was_away = False

    def farewell(self) -> None:
        """Say nothing: the two play on."""

    def go_on(self) -> tuple[str, Does]:
        """No question: the next round is shown when the two begin it."""
        return "", self.refuse

    def refuse(self, line: str) -> None:
        """Say what watchers can do."""
        if line:
            self.say(f"{ONLY} Type help for what you can do.")

    def word(self, text: str) -> Does | None:
        """The action of a word; None if the text is no word."""
        return None if text.startswith("say ") or text == "say" else super().word(text)

    def lines_ended(self) -> None:
        """Leave at the end of the input; a watcher without a keyboard watches to the end."""
        if self._console.interactive:
            super().lines_ended()
        else:
            self.listens = False

    # -- telling

    def tell_presence(self) -> None:
        """Tell who is here, away or thinking, if it has changed; leave when the match is over and both have left."""
        if self.table.over and self._watched_table.left:
            self.say("Both have left.")
            self.quit()
        else:
            super().tell_presence()

    def is_brief(self, presence: str) -> bool:
        """A sentence about a state that passes soon, and is not told."""
        return presence in SOON

    def sentence_of(self, change: news.News) -> str:
        """The sentence about a piece of news, after all else about it is told; empty if there is none."""
        match change:
            case news.Moved(_, ply) if ply.move is not None or ply.by == "resignation":
                return f"\n{self.story(ply)}"
            case news.Answered(offer, True) if offer.kind == "undo":
                self.tell_board()
            case news.Answered():
                return self.table.sentence_of(change)
        return super().sentence_of(change)

    def begin(self) -> None:
        """Introduce a round, and tell its position."""
        self.say_round("Player 1 and Player 2 play.")
        self.tell_board()
