"""A match on this machine in lines: it asks for names, passes the screen on, and tells rounds and the score."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from duelbox.bots import find_level
from duelbox.core.errors import DuelboxError, exit_status
from duelbox.core.model import player
from duelbox.core.names import check_name
from duelbox.core.news import Answered, Began, Moved, News, Undone
from duelbox.core.record import PROGRAM, PlayerInfo
from duelbox.core.session import DEFAULT_NAMES, FULL, LOSING, Session
from duelbox.core.talk import full_title
from duelbox.plain.console import Console
from duelbox.plain.line_table import ANSWER, KEYS, YES_NO, Does, LineTable, listed, words_of
from duelbox.store.store import Notices, Store
from duelbox.table.coach import MOVES_KIND
from duelbox.table.local import LocalTable
from duelbox.table.lost_deal import about_deal, draw_decides
from duelbox.table.programs import commands_in, last_words
from duelbox.table.prompts import Prompts
from duelbox.table.verb import Verb

STAYS = "duelbox cannot clear this screen. Hands that were shown stay above: please do not scroll up.\n"
HELP = f"""At a question type your answer, or one of these words:
{listed(words_of(LocalTable.verbs))}
The keys of the full screen do the same: {" ".join(KEYS)}.
You may type a whole move, as its code has it, at any question.
An empty line at a second question goes back to the first.
Where a name is asked for, these words work too: to be called by one, put it in quotes, such as "code"."""
_CHANGES = ("undo", "redo", "draw", "resign")
"""Verbs that are refused while one player has to answer an offer."""
_PAUSE = 100
"""Two computers pause after this many turns, as some duels need not end."""


class LineMatch(LineTable[LocalTable]):
    """A match between people and computers, in lines."""

    def __init__(self, console: Console, table: LocalTable, store: Store, named: Sequence[PlayerInfo | None]) -> None:
        """`named` are the known players; the names of the others are asked for."""
        super().__init__(console, table, HELP)
        self._store = store
        self._notices = Notices(store)
        self._known = [None if who is None else who.name for who in named]
        self._counted = table.match.rounds > 1 and not table.open_ended
        self._deal_told: Session | None = None
        self._trap_told: Session | None = None
        """The game of which it was told if its deal was lost."""

    def to_the_end(self) -> int:
        """Play until the end, or until the player leaves; returns the exit status."""
        status = 0
        try:
            asyncio.run(self.play())
        except KeyboardInterrupt as interrupt:
            self._asked = ""
            self._console.say()
            status = exit_status(interrupt)
        except Exception:
            self.cover()
            raise
        finally:
            self.table.programs.end()
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
            if who.level == PROGRAM:
                self.say_as_is(f"{who.name} is a program.")
            elif who.level is not None:
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
        goes = "went" if session.plies else "will go"
        self.say_as_is(f"\n{count}{session.names[0]} {goes} first.\n")

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
            for said in last_words(table):
                self.say_as_is(said)
        self._tell_notices()  # not beside a move, which may be cleared off the screen at once
        super().ask()

    def question(self) -> tuple[str, Does]:
        """The question to ask now, empty for none, and the action that takes its answer."""
        table, session = self.table, self.state.session
        if None in self._known:
            return f"{DEFAULT_NAMES[self._known.index(None)]}, enter your name: ", self._name
        if self._deal_is_judged:
            return "", self.refuse
        if table.asked or self.over:
            return super().question()
        if session.turn is not None and table.needs_handover and self.state.front is None:
            return f"{player(session.turn)}, press Enter when only you can see the screen: ", self._pass
        if session.full and not table.my_turn:
            return f"{FULL} Type undo, or quit: ", lambda line: self.say("Type undo, quit, or help.")
        if self.state.held:
            return f"{len(session.plies)} turns have been played. Press Enter to go on: ", self._unpause
        return super().question()

    @property
    def _deal_is_judged(self) -> bool:
        """The game is over, and it is being worked out if its deal was lost from the start."""
        return self.state.wants_judged and draw_decides(self.state)

    def _pass(self, line: str) -> None:
        if line:
            self.say("Nothing is played yet: press Enter alone.")
        else:
            self.state.seat_front()
            self._hand_open = True

    def _unpause(self, line: str) -> None:
        self.state.held = bool(line)
        if line:
            self.say("Press Enter alone, or type help.")

    def go_on(self) -> tuple[str, Does]:
        """The question at the end of a round, and the action that takes its answer; computers go on unasked."""
        table, match = self.table, self.table.score
        if table.runs_on and self._counted:
            return "", self.refuse
        if match.over:
            return "Press Enter to finish: ", self._finish
        if self._counted:
            return f"Press Enter for round {len(match.winners) + 1} of {match.rounds}: ", self._next_round
        return "Play again? (yes/no): ", self._play_again

    def _finish(self, line: str) -> None:
        """Leave after the last round, by Enter alone."""
        if line:
            self.say("Type Enter alone, or undo, or quit.")
        else:
            self.quit()

    async def _next_round(self, line: str) -> None:
        """Begin the next round, by Enter alone."""
        if line:
            self.say("Type Enter alone, or undo, or quit.")
        else:
            await self.state.do("rematch")

    async def _play_again(self, line: str) -> None:
        """Begin another round, or leave; Enter alone leaves, too."""
        wants_more = YES_NO.get(line.lower())
        if wants_more:
            await self.state.do("rematch")
        elif wants_more is False or not line:
            self.quit()
        else:
            self.say("Type yes or no, or undo, or quit.")

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
        """Save the match, once the players are known; changes are told only afterwards."""
        saving = None if None in self._known else self.table.save()
        if saving is not None:
            await asyncio.wrap_future(saving)

    def remember(self, kind: str, key: str, value: Mapping[str, Any]) -> None:
        """Save a mistake or a note, if the disk allows; moves are not counted in lines."""
        if kind != MOVES_KIND:
            with suppress(DuelboxError):
                self._store.progress.add(kind, key, dict(value))

    def tell(self, change: News) -> None:
        """Tell one piece of news."""
        table, session = self.table, self.state.session
        match change:
            case Moved(_, ply) if ply.move is not None and table.who(ply.seat).level is None:
                text = self.talk.after(session.view(None), ply.events)
                self.say(f"{text}\n" if text else "")
            case Moved(_, ply) if ply.move is not None:
                self.say_as_is(f"{self.story(ply)}\n")
                self.state.held = not table.people and not self.over and len(session.plies) % _PAUSE == 0
            case Moved(_, ply) if ply.by in LOSING:
                self.say()
            case Undone(plies, again):
                done = "Redone" if again else "Undone"
                self.say(f"{done}: {' '.join(ply.sentence for ply in plies)}\n")
            case Answered(offer, yes):
                self.say_as_is(offer.answered(table.players[1 - offer.by].name, yes=yes))
            case Began():
                self._tell_starter()

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Tell the news; of a judged game that was lost, its deal if that decided it, and the best trap there was."""
        super().show(prompts, news)
        if self.state.best_trap and self._trap_told is not self.state.session:
            self._trap_told = self.state.session
            self.say_as_is(self.state.best_trap)
        if self.state.judged is not None and self._deal_told is not self.state.session:
            self._deal_told = self.state.session
            sentence = about_deal(self.state)
            if sentence:
                self.say_as_is(sentence)

    # -- after

    def _farewell(self) -> None:
        """Say how to go on with the game, and its code."""
        self._store.close()
        lost = self._store.lost
        if self.state.session.outcome is not None:
            self.say("Goodbye.")
        elif lost:
            self.cover()
            self.say("The game stops here.")
        else:
            self.cover()
            self.say(f"The game stops here. {self._how_on()}")
            self._tell_code()
        for sentence in lost:
            self.say_as_is(sentence)

    def _how_on(self) -> str:
        """The command that goes on with the game, or that there is nothing to go on with."""
        table, session = self.table, self.state.session
        try:
            commands_in(table.players)
        except DuelboxError:
            return "Its program is not named in [programs] of the settings: it cannot go on."
        if session.plies or session.can_redo or (table.match.winners and not table.open_ended):
            return "To go on with it: duelbox play --plain --continue"
        return "Nothing has been played, so nothing is saved of it."

    def _tell_code(self) -> None:
        try:
            self.say(f"Its code: {self.state.session.public_code()}")
        except DuelboxError as error:
            self.say(error.sentence)
