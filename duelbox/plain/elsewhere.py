"""A match with a friend elsewhere at the line mode."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Any

from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.model import other, player
from duelbox.core.names import printable
from duelbox.core.session import Ply
from duelbox.core.talk import Answers
from duelbox.friends import news
from duelbox.friends.link import PlayerLink
from duelbox.friends.messages import PHRASES
from duelbox.friends.pairing import Waiting
from duelbox.plain.console import Console
from duelbox.plain.watching import LineWatching, run
from duelbox.sitting.elsewhere import Elsewhere
from duelbox.solve import analyse, sentences
from duelbox.solve.api import Stop, Stopped
from duelbox.store.store import Store

_SECONDS = 30.0
_PHRASES = "\n".join(f"  say {number}   {phrase}" for number, phrase in enumerate(PHRASES, 1))
HELP = f"""Type your answer to a question, or one of these words at any time:
  help    this list
  rules   the rules of the game
  board   the position
  moves   what has been played, and what you may play now
  undo    ask your friend to let your last move be undone
  draw    offer a draw, in games that can end without a winner
  pause   ask your friend to go on another time
  rematch ask your friend for a rematch, when this match is over
  yes, no answer what your friend asks
  hint, verdict   only where you both agreed to a lesson
  resign  resign this game
  claim   claim the game, when your friend has been silent for half a day
  watchers   how many watch, and what others type to do so
  quit    leave; the match waits, and goes on when you are both back
{_PHRASES}"""
_HOW_ON = "To go on with it: duelbox join --plain"


class LineElsewhere(LineWatching):
    """One match with a friend elsewhere, told and asked line by line."""

    _sitting: Elsewhere
    _about = HELP

    def __init__(self, console: Console, sitting: Elsewhere, name: str) -> None:
        """`name` is what whoever sits here is called."""
        super().__init__(console, sitting)
        self._name = name
        self._answers: Answers = ()
        self._answers_to: int | None = None
        """The offer that a yes or no answers: the first to be seen since a line was typed."""
        self._turn_told = -1
        self._sat_down = False
        self._was_away = True
        self._words |= {
            "undo": lambda: self._offer("undo"),
            "draw": lambda: self._offer("draw"),
            "claim": sitting.claim,
            "pause": lambda: self._offer("pause"),
            "rematch": lambda: self._offer("rematch"),
            "watchers": self._watchers,
            "hint": lambda: self._help(verdict_only=False),
            "verdict": lambda: self._help(verdict_only=True),
            "resign": sitting.resign,
        }

    def _greet(self) -> None:
        if self._sitting.invitation is not None:
            self.say(self._sitting.invited)
        elif self._sitting.me == 0:
            self.say("Your friend is here, and looks at what you propose.")

    def _farewell(self) -> None:
        sitting = self._sitting
        if sitting.peer.stopped is None and not sitting.over and sitting.ready:
            self.say(f"The match waits. {_HOW_ON}")

    # -- asking

    @property
    def _listens(self) -> bool:
        """Lines that wait in a pipe are for the questions to come."""
        return bool(self._asked) or self._console.interactive

    def _prompt(self) -> None:
        """Ask what there is to ask, unless it stands there already."""
        question = self._question()
        if question == self._asked:
            return
        if self._asked:  # another question stands there, unanswered
            self._console.say()
        self._asked = question
        if self._answers_to is None and self._sitting.offered is not None:
            self._answers_to = self._sitting.offered.id
        if question:
            self._console.write(self._sitting.session.named(question))

    def _question(self) -> str:
        sitting = self._sitting
        if sitting.invitation is not None:
            if self._sat_down:
                return ""
            lesson = " yes for a lesson," if sitting.invitation.lesson else ""
            return f"Type{lesson} Enter to sit down, or no: "
        if sitting.offered is not None:
            return f"{sitting.asked} Yes or no: "
        if sitting.over and sitting.shown_end:
            return "Press Enter to finish, or type rematch: "
        if sitting.shown_end:
            return f"Press Enter for round {len(sitting.match.winners) + 2} of {sitting.match.rounds}: "
        if not sitting.my_turn:
            return ""
        view = sitting.session.view(sitting.seat)
        if self._turn_told != sitting.session.stamp:
            self._turn_told, self._answers = sitting.session.stamp, ()
            self.say(self._talk.turn(view))
        return self._talk.question(view, self._answers) or ""

    def _lines_ended(self) -> None:
        self.say()
        self._quit()

    def _do(self, line: str, asked: str) -> None:
        word, _, rest = line.lower().partition(" ")
        sitting, answers_to, self._answers_to = self._sitting, self._answers_to, None
        if word in self._words and not rest:
            self._words[word]()
        elif word == "say":
            self._phrase(rest)
        elif sitting.invitation is not None and not self._sat_down:
            self._sit_down(word)
        elif answers_to is not None and word in ("yes", "y", "no", "n"):
            sitting.answer(answers_to, yes=word[0] == "y")
        elif sitting.shown_end and not line:
            self._go_on()
        elif sitting.my_turn and sitting.offered is None:
            self._move(line)
        elif asked:
            self.say("Type yes or no, or help." if sitting.offered else "Press Enter alone, or type help.")
        elif line:
            told = f"It is not your turn. {sitting.presence}" if sitting.ready else "One moment: nothing has begun yet."
            self.say(told)

    def _sit_down(self, word: str) -> None:
        if word in ("no", "n"):
            self._sitting.decline()
            self._done = True
        elif word in ("", "yes", "y"):
            self._sat_down = True
            self._sitting.accept(self._name, lesson=bool(word))
        else:
            self.say("Press Enter alone, or type no.")

    def _move(self, line: str) -> None:
        view = self._sitting.session.view(self._sitting.seat)
        if not line:
            self.say("Type a move, or help." if not self._answers else "")
            self._answers = self._answers[:-1]
            return
        answers = (*self._answers, line)
        if self._talk.question(view, answers) is not None:
            self._answers = answers
            return
        try:
            self._sitting.play(self._talk.line(view, answers))
        except MoveError as error:
            self.say(error.sentence)

    def _go_on(self) -> None:
        if self._sitting.over:
            self._done = True
        else:
            self._sitting.next_round()
            self._began()

    # -- the words

    def _offer(self, kind: Any) -> None:
        self._sitting.offer(kind)
        self.say(f"{player(other(self._sitting.seat))} is asked.")

    def _phrase(self, number: str) -> None:
        if number not in map(str, range(1, len(PHRASES) + 1)):
            raise DuelboxError(f"Type say and a number:\n{_PHRASES}")
        self._sitting.say(int(number) - 1)

    def _help(self, *, verdict_only: bool) -> None:
        sitting = self._sitting
        sitting.use_help()
        if not sitting.my_turn:
            raise DuelboxError("Ask at your turn.")
        try:
            found = analyse(sitting.game, sitting.session.view(sitting.seat), Stop(_SECONDS))
        except Stopped:
            raise DuelboxError(sentences.TOO_LONG) from None
        told = f"{sentences.verdict_sentence(found)} {found.reason}" if verdict_only else sentences.hint(found, 3)
        self.say(told)

    def _watchers(self) -> None:
        sitting = self._sitting
        told = f"{sitting.watched}. To watch, others type: duelbox watch {sitting.watch}"
        self.say(told if sitting.watch else "Nobody can watch this match.")

    # -- telling

    def _presence(self) -> str:
        """Whether the friend is here, if that has changed."""
        now = self._sitting.presence if self._sitting.ready else "One moment."
        quiet = now in ("One moment.", "Connecting.") or (self._sitting.here and not self._was_away)
        if now == self._last_presence or quiet:
            return ""
        self._last_presence, self._was_away = now, not self._sitting.here
        return now

    def _told(self, one: news.News) -> str:
        match one:
            case news.Answered(offer, True) if offer.kind == "undo":
                self._turn_told = -1
            case news.Answered(offer, True) if offer.kind == "pause":
                return f"{self._sitting.told(one)} {_HOW_ON} (type quit to leave)"
        return super()._told(one)

    def _began(self) -> None:
        session = self.session
        self._turn_told = -1
        if not session.plies:
            self.say(self._talk.welcome(session.view(None)))
        opponent = player(other(self._sitting.seat))
        first = f"{player(0)} {'went' if session.plies else 'will go'} first."
        self.say(f"\n{self._count()}Your opponent is {opponent}. {first} Type help at any time.\n")
        if session.plies:
            self._board()
            self.say(printable(session.plies[-1].told))

    def _moved(self, by: int, ply: Ply) -> str:
        if by != self._sitting.me:
            self._console.ring()
        return printable(ply.told)


async def _friend_at(console: Console, waiting: Waiting) -> PlayerLink:
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


def played(opens: Callable[[Store], Awaitable[Waiting | PlayerLink]], name: str) -> int:
    """Open a match with a friend elsewhere, and play it in lines; the exit status."""
    console = Console(sys.stdin, sys.stdout)

    async def match(store: Store) -> None:
        opened = await opens(store)
        link = await _friend_at(console, opened) if isinstance(opened, Waiting) else opened
        await LineElsewhere(console, Elsewhere(link, store), name).play()

    with Store.open() as store:
        return run(match(store))
