"""A match with a friend elsewhere in lines: news are told as they come."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial

from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.core.model import other, player
from duelbox.friends.live_match import LiveMatch, WatchedMatch
from duelbox.friends.lobby import WaitingTable
from duelbox.friends.messages import PHRASES
from duelbox.plain.console import Console
from duelbox.plain.line_table import Does, LineTable, listed, words_of
from duelbox.store.store import Store
from duelbox.table.remote import RemoteTable
from duelbox.table.watched import WatchedTable, table_of

_PHRASES = "\n".join(f"  say {number}   {phrase}" for number, phrase in enumerate(PHRASES, 1))
_PLAYING = f"""Type your answer to a question, or one of these words at any time:
{listed(words_of(RemoteTable.verbs))}
{_PHRASES}"""
_HOW_ON = "To go on with it: duelbox join --plain"
SOON = ("One moment.", "Connecting.")
"""Short states of a connection, which are not told."""
Opens = Callable[[Store], Awaitable[WaitingTable | LiveMatch | WatchedMatch]]
"""Opens a match, or a table at which a friend is waited for."""


class LineElsewhere(LineTable[RemoteTable]):
    """A match with a friend elsewhere, in lines."""

    def __init__(self, console: Console, table: RemoteTable, name: str = "", about: str = _PLAYING) -> None:
        """`name` is the player's name, and `about` the page of help."""
        super().__init__(console, table, about)
        self._name = name
        self.listens = console.interactive  # lines in a pipe wait for their questions
        self._sat_down = False
        self._watched = ""
        self._presence = ""
        self._was_away = True

    async def play(self) -> None:
        """Tell the match and take lines until it is over or the player leaves."""
        hears = asyncio.create_task(self._hear_all())
        try:
            await super().play()
        finally:
            hears.cancel()
            self.farewell()
            self.table.programs.leave()
            await self.table.leave()

    def farewell(self) -> None:
        """Say how to go on with a match that waits."""
        if self.table.unconfirmed:
            self.say(f"{self.table.unconfirmed} {_HOW_ON}")
        elif self.table.side.stopped is None and self.table.ready and not self.table.over:
            self.say(f"The match waits. {_HOW_ON}")

    async def _hear_all(self) -> None:
        while True:
            self._inbox.put_nowait(partial(self._hear, await self.table.news.get()))

    def greet(self) -> None:
        """Introduce the match, or the host's proposal."""
        table = self.table
        if table.ready:
            self.begin()
        elif table.invitation is not None:
            self.say(table.invited)
        elif table.me == 0:
            self.say("Your friend is here, and looks at what you propose.")

    # -- asking

    @property
    def over(self) -> bool:
        """The end of a round is shown."""
        return bool(self.table.shown_end)

    def question(self) -> tuple[str, Does]:
        """The question to ask now, empty for none, and the action that takes its answer."""
        invitation = self.table.invitation
        if invitation is None:
            return super().question()
        if self._sat_down:
            return "", self.refuse
        lesson = " yes for a lesson," if invitation.lesson else ""
        return f"Type{lesson} Enter to sit down, or no: ", self._sit_down

    def _sit_down(self, line: str) -> None:
        word = line.lower()
        if word in ("no", "n"):
            self.table.decline()
            self.quit()
        elif word in ("", "yes", "y"):
            self._sat_down = True
            self.table.accept(self._name, lesson=bool(word))
        else:
            self.say("Press Enter alone, or type no.")

    def go_on(self) -> tuple[str, Does]:
        """The question at the end of a round, and the action that takes its answer."""
        if self.table.over:
            return "Press Enter to finish, or type rematch: ", self._leave
        match = self.table.match
        return f"Press Enter for round {len(match.winners) + 2} of {match.rounds}: ", self._next_round

    def _leave(self, line: str) -> None:
        """Leave after the last round, by Enter alone."""
        if line:
            self.say("Press Enter alone, or type help.")
        else:
            self.quit()

    def _next_round(self, line: str) -> None:
        """Go to the next round, by Enter alone."""
        if line:
            self.say("Press Enter alone, or type help.")
        else:
            self.table.propose("next")

    def refuse(self, line: str) -> None:
        """Say that it is not the player's turn."""
        if not line:
            return
        if self.table.ready:
            self.say(f"It is not your turn. {self.table.presence}")
        else:
            self.say("One moment: nothing has begun yet.")

    # -- the words

    def word(self, text: str) -> Does | None:
        """The action of a word, or of `say` with a number; None if the text is no word."""
        first, _, number = text.partition(" ")
        return partial(self._phrase, number) if first == "say" else super().word(text)

    def _phrase(self, number: str) -> None:
        if number not in map(str, range(1, len(PHRASES) + 1)):
            raise DuelboxError(f"Type say and a number:\n{_PHRASES}")
        self.table.say(int(number) - 1)

    def open_watchers(self) -> None:
        """Tell how many watch, and how others can."""
        watch = self.table.watch
        sentence = "Nobody can watch this match."
        if watch:
            sentence = f"{self.table.watched}. To watch, others type: duelbox join --watch {watch}"
        self.say(sentence)

    def open_verify(self) -> None:
        """Tell the four words that the friend sees, too."""
        self.say(self.table.verified)

    def open_mute(self) -> None:
        """Hide the phrases of the friend, or show them again."""
        self.say(self.table.mute())

    # -- telling

    def _hear(self, change: news.News | None) -> None:
        if change is not None:
            self.state.heard(change)
            return
        self.tell_presence()
        if self.table.watched != self._watched:
            self._watched = self.table.watched
            self.say(f"{self._watched}.")

    def tell_presence(self) -> None:
        """Tell who is here, away or thinking, if it has changed."""
        now = self._new_presence()
        if now:
            self.say(now)

    def _new_presence(self) -> str:
        """The sentence about the players' presence, if it has changed."""
        table = self.table
        now: str = table.presence
        away = table.trouble is not None or not table.ready or "away" in now
        if now == self._presence or self.is_brief(now) or (not away and not self._was_away):
            return ""
        self._presence = now
        self._was_away = away
        return now

    def is_brief(self, presence: str) -> bool:
        """A sentence about a state that passes soon, and is not told."""
        return presence in SOON or not self.table.ready

    def tell(self, change: news.News) -> None:
        """Tell one piece of news."""
        sentence = self.sentence_of(change)
        if sentence:
            self.say(sentence)

    def sentence_of(self, change: news.News) -> str:
        """The sentence about a piece of news, after all else about it is told; empty if there is none."""
        sentence = self.table.sentence_of(change)
        match change:
            case news.Began() if not self.table.shown_end:
                self.begin()
            case news.Moved(_, ply) if ply.move is not None or ply.by == "resignation":  # RoundOver tells other endings
                return self.story(ply)
            case news.RoundOver(session, match):
                self.tell_end(session, match, self.table.rounds, counted=match.rounds > 1)
                sentence = self.table.unconfirmed
            case news.Declined() | news.Halted():
                self.quit()
            case news.Offered():
                return ""
            case news.Answered(offer, True) if offer.kind == "pause":
                return f"{sentence} {_HOW_ON} (type quit to leave)"
        return sentence

    def begin(self) -> None:
        """Introduce a round: the opponent, who goes first, and what was played before."""
        session = self.state.session
        rival = player(other(self.table.people[0]))
        goes = "went" if session.plies else "will go"
        if not session.plies:
            self.say(self.talk.welcome(session.view(None)))
        self.say_round(f"Your opponent is {rival}. {player(0)} {goes} first.")
        if session.plies:
            self.tell_board()
            self.say_as_is(self.story())

    def say_round(self, who: str) -> None:
        """Say which round begins, and who plays it."""
        match = self.table.match
        count = f"Round {len(match.winners) + 1} of {match.rounds}. " if match.rounds > 1 else ""
        self.say(f"\n{count}{who} Type help at any time.\n")


async def _friend_at(console: Console, waiting: WaitingTable) -> LiveMatch:
    console.say(f"Code: {waiting.code}\nYour friend types: duelbox join {waiting.code}@{waiting.address}")
    if waiting.watch:
        console.say(f"To watch, others type: duelbox join --watch {waiting.watch}")
    console.say("Waiting for your friend. Ctrl+C ends it.")
    console.flush()
    waiting.tell = console.say
    try:
        return await waiting.friend()
    except BaseException:
        await waiting.close()
        raise


async def play_elsewhere(opens: Opens, name: str) -> None:
    """Open a match with a friend elsewhere, and play or watch it in lines; a watcher has no name."""
    from duelbox.plain.line_watching import LineWatching

    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        live = await opens(store)
        if isinstance(live, WaitingTable):
            live = await _friend_at(console, live)
        table = table_of(live, store)
        if isinstance(table, WatchedTable):
            await LineWatching(console, table).play()
        else:
            await LineElsewhere(console, table, name).play()
