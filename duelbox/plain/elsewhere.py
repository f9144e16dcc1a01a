"""A match with a friend elsewhere, or a watched one, in lines: news are told as they come."""

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
from duelbox.friends.side import ONLY
from duelbox.plain.console import Console
from duelbox.plain.table import Does, LineTable, listed
from duelbox.store.store import Store
from duelbox.table.remote import RemoteTable
from duelbox.table.verbs import VERBS

_PLAYERS = {verb: verb.elsewhere for verb in VERBS.values() if verb.elsewhere}
_WATCHERS = {verb: verb.watching for verb in VERBS.values() if verb.watching}
_PHRASES = "\n".join(f"  say {number}   {phrase}" for number, phrase in enumerate(PHRASES, 1))
_PLAYING = f"""Type your answer to a question, or one of these words at any time:
{listed(_PLAYERS)}
{_PHRASES}"""
_WATCHING = f"""You watch: the moves come by themselves. These words work at any time:
{listed(_WATCHERS)}"""
_HOW_ON = "To go on with it: duelbox join --plain"
_SOON = ("One moment.", "Connecting.")
"""Short states of a connection, which are not told."""
Opens = Callable[[Store], Awaitable[WaitingTable | LiveMatch | WatchedMatch]]
"""Opens a match, or a table at which a friend is waited for."""


class LineElsewhere(LineTable[RemoteTable]):
    """A match elsewhere, in lines."""

    def __init__(self, console: Console, table: RemoteTable, name: str = "") -> None:
        """`name` is the player's name; a watcher has none."""
        super().__init__(console, table, *((_PLAYERS, _PLAYING) if table.people else (_WATCHERS, _WATCHING)))
        self._name = name
        self._plays = table.me is not None
        self.listens = console.interactive or not self._plays  # lines in a pipe wait for their questions
        self._sat_down = False
        self._watched = self._presence = ""
        self._was_away = self._plays
        self.own["watchers"] = self._tell_watchers
        if self._plays:
            self.own["verify"] = lambda: self.say(table.verified)
            self.own["mute"] = lambda: self.say(table.mute())

    async def play(self) -> None:
        """Tell the match and take lines until it is over or the player leaves."""
        hears = asyncio.create_task(self._hear_all())
        try:
            await super().play()
        finally:
            hears.cancel()
            table = self.table
            if self._plays and table.side.stopped is None and not table.over and table.ready:
                self.say(f"The match waits. {_HOW_ON}")
            await table.leave()

    async def _hear_all(self) -> None:
        while True:
            self._inbox.put_nowait(partial(self._hear, await self.table.news.get()))

    def greet(self) -> None:
        """Introduce the match, or the host's proposal."""
        table = self.table
        if table.ready:
            self._began()
        elif table.invitation is not None:
            self.say(table.invited)
        elif self._plays and table.me == 0:
            self.say("Your friend is here, and looks at what you propose.")

    # -- asking

    @property
    def over(self) -> bool:
        """The end of a round is shown."""
        return bool(self.table.shown_end)

    def question(self) -> tuple[str, Does]:
        """The question to ask now, empty for none, and the action that takes its answer."""
        if (invitation := self.table.invitation) is None:
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
        match, over = self.table.match, self.table.over
        if not self._plays:
            return "", self.refuse

        def answer(line: str) -> None:
            if line:
                self.say("Press Enter alone, or type help.")
            elif over:
                self.quit()
            else:
                self.table.propose("next")

        next_round = f"Press Enter for round {len(match.winners) + 2} of {match.rounds}: "
        return "Press Enter to finish, or type rematch: " if over else next_round, answer

    def refuse(self, line: str) -> None:
        """Say that it is not the player's turn."""
        if line and not self._plays:
            self.say(f"{ONLY} Type help for what you can do.")
        elif line:
            ready = self.table.ready
            self.say(f"It is not your turn. {self.table.presence}" if ready else "One moment: nothing has begun yet.")

    def lines_ended(self) -> None:
        """Leave at the end of the input; a watcher without a keyboard watches to the end."""
        if self._plays or self._console.interactive:
            super().lines_ended()
        else:
            self.listens = False

    # -- the words

    def word(self, text: str) -> Does | None:
        """The action of a word, or of `say` with a number; None if the text is no word."""
        first, _, number = text.partition(" ")
        return partial(self._phrase, number) if first == "say" and self._plays else super().word(text)

    def _phrase(self, number: str) -> None:
        if number not in map(str, range(1, len(PHRASES) + 1)):
            raise DuelboxError(f"Type say and a number:\n{_PHRASES}")
        self.table.say(int(number) - 1)

    def _tell_watchers(self) -> None:
        watch = self.table.watch
        sentence = f"{self.table.watched}. To watch, others type: duelbox watch {watch}"
        self.say(sentence if watch else "Nobody can watch this match.")

    # -- telling

    def _hear(self, one: news.News | None) -> None:
        table = self.table
        if one is not None:
            self.state.heard(one)
            return
        if table.over and not self._plays and table.left:
            self.say("Both have left.")
            self.quit()
        elif now := self._new_presence():
            self.say(now)
        if table.watched != self._watched:
            self._watched = table.watched
            self.say(f"{self._watched}.")

    def _new_presence(self) -> str:
        """The sentence about the players' presence, if it has changed."""
        table = self.table
        now: str = table.presence
        away = table.trouble is not None or not table.ready or "away" in now
        soon = now in _SOON or (self._plays and not table.ready)
        if now == self._presence or soon or (not away and not self._was_away):
            return ""
        self._presence, self._was_away = now, away
        return now

    def tell(self, one: news.News) -> None:
        """Tell one piece of news."""
        sentence = self.table.sentence_of(one)
        match one:
            case news.Began() if not self.table.shown_end:
                self._began()
            case news.Moved(_, ply) if ply.move is not None or ply.by == "resignation":  # RoundOver tells other endings
                sentence = ("" if self._plays else "\n") + self.story(ply)
            case news.RoundOver(session, match):
                self.tell_end(session, match, self.table.rounds, counted=match.rounds > 1)
            case news.Declined() | news.Halted():
                self.quit()
            case news.Offered():
                sentence = ""
            case news.Answered(offer, True) if offer.kind == "undo" and not self._plays:
                self.tell_board()
            case news.Answered(offer, True) if offer.kind == "pause" and self._plays:
                sentence = f"{sentence} {_HOW_ON} (type quit to leave)"
        if sentence:
            self.say(sentence)

    def _began(self) -> None:
        table, session, match = self.table, self.state.session, self.table.match
        count = f"Round {len(match.winners) + 1} of {match.rounds}. " if match.rounds > 1 else ""
        who = "Player 1 and Player 2 play."
        if self._plays:
            who = f"Your opponent is {player(other(table.people[0]))}. "
            who += f"{player(0)} {'went' if session.plies else 'will go'} first."
            if not session.plies:
                self.say(self.talk.welcome(session.view(None)))
        self.say(f"\n{count}{who} Type help at any time.\n")
        if session.plies or not self._plays:
            self.tell_board()
        if session.plies and self._plays:
            self.say_as_is(self.story())


async def _friend_at(console: Console, waiting: WaitingTable) -> LiveMatch:
    console.say(f"Code: {waiting.code}\nYour friend types: duelbox join {waiting.code}@{waiting.address}")
    if waiting.watch:
        console.say(f"To watch, others type: duelbox watch {waiting.watch}")
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
    console = Console(sys.stdin, sys.stdout)
    with Store.open() as store:
        opened = await opens(store)
        live = await _friend_at(console, opened) if isinstance(opened, WaitingTable) else opened
        await LineElsewhere(console, RemoteTable(live, store), name).play()
