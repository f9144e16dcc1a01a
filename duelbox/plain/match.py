"""A match on this machine in lines: it asks for names, passes the screen on, and tells rounds and the score."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from duelbox.bots import find_level
from duelbox.core.errors import DuelboxError
from duelbox.core.model import player
from duelbox.core.names import check_name
from duelbox.core.news import Answered, Began, Moved, News, Undone
from duelbox.core.record import PlayerInfo
from duelbox.core.session import DEFAULT_NAMES, FULL
from duelbox.core.talk import full_title
from duelbox.learn.ideas import MISTAKES
from duelbox.plain.console import Console
from duelbox.plain.table import ANSWER, KEYS, YES_NO, Does, LineTable, listed
from duelbox.store.store import Notices, Store
from duelbox.table.local import LocalTable
from duelbox.table.verbs import VERBS, Verb

INTERRUPTED = 130
STAYS = "duelbox cannot clear this screen. Hands that were shown stay above: please do not scroll up.\n"
WORDS = {verb: verb.in_lines for verb in VERBS.values() if verb.in_lines}
HELP = f"""At a question type your answer, or one of these words:
{listed(WORDS)}
The keys of the full screen do the same: {" ".join(KEYS)}.
A move may be typed whole, as its code has it, at any question of a turn;
an empty line at a second question goes back to the first.
Where a name is asked for, these words work too: to be called by one, put it in quotes, such as "code"."""
_CHANGES = ("undo", "redo", "draw", "resign")
"""Verbs that are refused while one player has to answer an offer."""
_PAUSE = 100
"""Two computers pause after this many turns, as some duels need not end."""


class LineMatch(LineTable[LocalTable]):
    """A match between people and computers, in lines."""

    def __init__(self, console: Console, table: LocalTable, store: Store, named: Sequence[PlayerInfo | None]) -> None:
        """`named` are the known players; the names of the others are asked for."""
        super().__init__(console, table, WORDS, HELP)
        self._store, self._notices = store, Notices(store)
        self._known = [None if who is None else who.name for who in named]
        self._counted = table.match.rounds > 1 and not table.open_ended

    def to_the_end(self) -> int:
        """Play until the end, or until the player leaves; returns the exit status."""
        status = 0
        try:
            asyncio.run(self.play())
        except KeyboardInterrupt:
            self._asked = ""
            self._console.say()
            status = INTERRUPTED
        except Exception:
            self.cover()
            raise
        self._farewell()
        return status

    # -- before

    def greet(self) -> None:
        """Introduce the game, and the players if they are known."""
        if self.table.notice:
            self.say_as_is(self.table.notice)
        self._tell_notices()
        self.say(f"{self.talk.welcome(self.state.session.view(None))}\n")
        if None not in self._known:
            self._begin()

    def _begin(self) -> None:
        """Introduce the players and the position."""
        table, session = self.table, self.state.session
        for who in table.players:
            if who.level is not None:
                self.say_as_is(f"{who.name} is the computer. {find_level(table.game.INFO.id, who.level).line}")
        self._tell_starter()
        title = full_title(table.game, session.options)
        self.say_as_is(f"This is {title}. Type help at any question.\n")
        if table.needs_handover and not self._console.can_clear:
            self.say(STAYS)
        if session.plies:
            self.tell_board()
            self.say_as_is(f"{self.story()}\n")

    def _tell_starter(self) -> None:
        session, match = self.state.session, self.table.match
        count = f"Round {len(match.winners) + 1} of {match.rounds}. " if self._counted else ""
        self.say_as_is(f"\n{count}{session.names[0]} {'went' if session.plies else 'will go'} first.\n")

    def _name(self, answer: str) -> None:
        """Take a name for the player who is asked."""
        person = self._known.index(None)
        self._call(check_name(answer.strip('"') or DEFAULT_NAMES[person], self._known[1 - person]))

    def _call(self, name: str) -> None:
        person = self._known.index(None)
        self._known[person] = name
        one, two = (PlayerInfo(name=name) if at == person else who for at, who in enumerate(self.table.players))
        self.table.sit_down((one, two))
        if None not in self._known:
            self._begin()

    # -- asking

    def ask(self) -> None:
        """Tell the end of a round and notices about saving, then ask."""
        table, session = self.table, self.state.session
        at = session, session.stamp
        if None not in self._known and self.over and self._told != at:
            self._told = at
            self.tell_end(session, table.match, table.rounds, counted=self._counted)
        self._tell_notices()  # not beside a move, which may be cleared off the screen at once
        super().ask()

    def question(self) -> tuple[str, Does]:
        """The question to ask now, empty for none, and the action that takes its answer."""
        state, table, session = self.state, self.table, self.state.session
        if None in self._known:
            return f"{DEFAULT_NAMES[self._known.index(None)]}, enter your name: ", self._name
        if table.asked or self.over:
            return super().question()
        if table.needs_handover and state.front is None and (turn := session.turn) is not None:
            return f"{player(turn)}, press Enter when only you can see the screen: ", self._pass
        if session.full and not table.my_turn:
            return f"{FULL} Type undo, or quit: ", lambda line: self.say("Type undo, quit, or help.")
        if state.paused:
            return f"{len(session.plies)} turns have been played. Press Enter to go on: ", self._unpause
        return super().question()

    def _pass(self, line: str) -> None:
        if line:
            self.say("Nothing is played yet: press Enter alone.")
        else:
            self.state.seat_front()
            self._hand_open = True

    def _unpause(self, line: str) -> None:
        self.state.paused = bool(line)
        if line:
            self.say("Press Enter alone, or type help.")

    def go_on(self) -> tuple[str, Does]:
        """The question at the end of a round, and the action that takes its answer; computers go on unasked."""
        table, match = self.table, self.table.score
        if table.runs_on and self._counted:
            return "", self.refuse
        answers, wanted, question = {"": True}, "Enter alone", "Press Enter to finish: "
        if not match.over and not self._counted:
            answers, wanted, question = {**YES_NO, "": False}, "yes or no", "Play again? (yes/no): "
        elif not match.over:
            question = f"Press Enter for round {len(match.winners) + 1} of {match.rounds}: "

        async def answer(line: str) -> None:
            if (goes_on := answers.get(line.lower())) is None:
                self.say(f"Type {wanted}, or undo, or quit.")
            elif goes_on and not match.over:
                await self.state.do("rematch")
            else:
                self.quit()

        return question, answer

    def means_itself(self, key: str) -> bool:
        """This key is a name or a legal move, so it is not taken for a word."""
        return (None in self._known and key.isalpha()) or super().means_itself(key)

    def why_not(self, verb: Verb) -> str | None:
        """The sentence that refuses a word now; None if it is allowed."""
        if verb.id in _CHANGES and None in self._known:
            return "That comes after the names."
        if verb.id in _CHANGES and self.table.asked:
            return ANSWER
        return super().why_not(verb)

    def lines_ended(self) -> None:
        """Leave at the end of the input; in a pipe, players without a name keep the default ones."""
        if None in self._known and not self._console.interactive:
            self._console.say()
            self._call(DEFAULT_NAMES[self._known.index(None)])
        else:
            super().lines_ended()

    # -- telling

    def _tell_notices(self) -> None:
        """Tell notices about saving."""
        for sentence in self._notices.take(self.table.saved):
            self.say_as_is(sentence)

    async def keep(self) -> None:
        """Save the match, once the players are known."""
        if None not in self._known:
            await super().keep()

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        """Save a mistake, if the disk allows; moves are not counted in lines."""
        if kind == MISTAKES:
            with suppress(DuelboxError):
                self._store.progress.add(kind, key, dict(value))

    def tell(self, one: News) -> None:
        """Tell one piece of news."""
        table, session = self.table, self.state.session
        match one:
            case Moved(_, ply) if ply.move is not None and table.who(ply.seat).level is None:
                text = self.talk.after(session.view(None), ply.events)
                self.say(f"{text}\n" if text else "")
            case Moved(_, ply) if ply.move is not None:
                self.say_as_is(f"{self.story(ply)}\n")
                self.state.paused = not table.people and not self.over and len(session.plies) % _PAUSE == 0
            case Moved(_, ply) if ply.by == "resignation":
                self.say()
            case Undone(plies, again):
                self.say(f"{'Redone' if again else 'Undone'}: {' '.join(ply.sentence for ply in plies)}\n")
            case Answered(offer, yes):
                self.say_as_is(offer.answered(table.players[1 - offer.by].name, yes=yes))
            case Began():
                self._tell_starter()

    # -- after

    def _farewell(self) -> None:
        """Say how to go on with the game, and its code."""
        self._store.close()
        session, lost = self.state.session, self._store.lost
        going_on = session.plies or session.can_redo or (self.table.match.winners and not self.table.open_ended)
        if session.outcome is not None:
            self.say("Goodbye.")
        else:
            self.cover()
            saved = "To go on with it: duelbox play --plain --continue"
            nothing = "Nothing has been played, so nothing is saved of it."
            self.say(f"The game stops here.{'' if lost else f' {saved if going_on else nothing}'}")
            if not lost:
                self._tell_code()
        for sentence in lost:
            self.say_as_is(sentence)

    def _tell_code(self) -> None:
        try:
            self.say(f"Its code: {self.state.session.public_code()}")
        except DuelboxError as error:
            self.say(error.sentence)
