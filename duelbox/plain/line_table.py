"""The base of tables in lines: one loop that tells what happens, asks, and takes lines, for all kinds of matches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import Thread
from time import monotonic
from typing import Any, Generic, TypeVar

from duelbox.core.errors import DuelboxError
from duelbox.core.match import Match
from duelbox.core.model import SEATS, Outcome, other, player
from duelbox.core.move_input import MoveInput
from duelbox.core.names import printable
from duelbox.core.news import News
from duelbox.core.offer import Offer
from duelbox.core.session import Ply, Session
from duelbox.core.talk import Answers, winner_sentence
from duelbox.plain.console import Console
from duelbox.plain.rules_page import rules_page
from duelbox.registry import guest_fault, talk_of
from duelbox.solve import can_solve
from duelbox.table.base import BaseTable
from duelbox.table.frontend import Frontend
from duelbox.table.prompts import WORKING, Prompts
from duelbox.table.remarks import last_of_computer
from duelbox.table.rounds import RoundRow, rounds_table
from duelbox.table.state import TableState
from duelbox.table.story import turn_line
from duelbox.table.thinking import Workers
from duelbox.table.verb import Verb

YES_NO = {"y": True, "yes": True, "n": False, "no": False}
KEYS = {"?": "help", "h": "hint", "v": "verdict", "w": "why", "u": "undo", "q": "quit"}
"""Keys of the full screen that work as words, too."""
ANSWER = "Type yes or no."
_HELP = ("hint", "verdict")
_SOON = 1.0
"""Seconds after which a verdict is told as far as it is known."""
_MOMENT = 0.3
"""Seconds that the solver may take before the line mode says that it is at work."""

Does = Callable[..., Awaitable[None] | None]
S = TypeVar("S", bound=BaseTable)


class LineTable(Frontend, Generic[S]):
    """A table in lines; a line is read only while a question waits for an answer."""

    listens = False
    """Lines are read at any time, not only for a question."""
    done = False
    """The player has left the table."""
    _reading = False
    _asked = ""
    """The question that was printed and waits for an answer."""
    _asked_of: int | None = None
    """The offer that a yes or no answers: the first one shown since the last line was typed."""
    _answered: int | None = None
    """The offer that was answered last; the answer may still be on its way to a friend elsewhere."""
    _answers: Answers = ()
    _told: tuple[Session | None, int] = (None, 0)
    """The position whose turn, or whose end, was last told."""
    _hand_open = False
    """The hand of one of two people is visible on the screen."""
    _verdict_asked = 0.0

    def __init__(self, console: Console, table: S, about: str) -> None:
        """`about` is the page of help on the words that can be typed at this table."""
        self._console = console
        self._about = about
        self.table = table
        self.state = TableState(table, MoveInput(), self)
        self.talk = talk_of(table.game)
        self._inbox: asyncio.Queue[Does] = asyncio.Queue()
        """Calls for the loop to make next: take a line, hear news, take in a worker's answer."""
        self._workers = Workers(lambda answer: self._later(partial(answer.take, self.state)), self._in_thread)
        self._words = {verb.word: verb for verb in words_of(table.verbs) if verb.id not in ("agree", "decline")}
        self._cover()

    # -- the loop

    async def play(self) -> None:
        """Tell the match and take lines until it is over or the player leaves."""
        self.greet()
        try:
            while not self.done:
                if self._inbox.empty():
                    self.ask()
                await self._now(await self._inbox.get())
        finally:
            self._workers.stop()

    async def _now(self, do: Does) -> None:
        done = do()
        if done is not None:
            await done

    def _later(self, do: Does) -> None:
        """Let the loop call this; works from any thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._inbox.put_nowait, do)

    def _in_thread(self, work: Callable[[], None]) -> None:
        """Run this in a thread; its exceptions are raised in the loop."""
        self._loop = asyncio.get_running_loop()

        def run() -> None:
            try:
                work()
            except BaseException as error:
                self._later(partial(_fail, guest_fault(error) or error))

        Thread(target=run, name="lines", daemon=True).start()

    def _read(self) -> None:
        self._later(partial(self.take, self._console.read()))

    def greet(self) -> None:
        """Introduce the match before the first question."""

    def quit(self) -> None:
        """Leave the table."""
        self.done = True

    # -- asking

    @property
    def over(self) -> bool:
        """The end of a round is shown."""
        return self.state.session.outcome is not None

    def ask(self) -> None:
        """Print the question, unless it stands there already; or start the worker that the table waits for."""
        state, session = self.state, self.state.session
        question, does = self.question()
        if does == self._answer and self._told != (session, session.stamp):
            self._told = session, session.stamp
            self._answers = ()
            self.tell_turn()
            question, _ = self.question()
        working = state.wants_analysis and does == self._answer
        if working:
            question = WORKING if self._console.interactive else ""
        waits = not question and (self.table.computer_to_move or self.table.runs_on)
        if waits or state.wants_analysis or state.wants_judged:
            self._workers.set_to_work(state, 0)
        if question != self._asked:
            if self._asked:  # another question waits on this line
                self._console.say()
            self._asked = question
            self._console.write(session.named(question))
        offer = self.table.offered
        if self._asked_of is None and self.table.asked and offer is not None:
            self._asked_of = offer.id
        if (self.listens or (question and not working)) and not self._reading:
            self._reading = True
            self._in_thread(self._read)
        self._console.flush()

    def question(self) -> tuple[str, Does]:
        """The question to ask now, empty for none, and the action that takes its answer."""
        if self.table.asked and self.table.offered is not None:
            return self._question_of(self.table.offered)
        if self.over:
            return self.go_on()
        if self.state.may_move:
            return self._question_of_turn(), self._answer
        return "", self.refuse

    def _question_of(self, offer: Offer) -> tuple[str, Does]:
        """The question whether the player agrees to an offer; it is not asked again after the answer."""
        if offer.id == self._answered:
            return "", self.refuse
        answer = "Yes or no: "
        if len(self.table.people) == len(SEATS):
            answer = f"{self.table.called(other(offer.by))}, yes or no: "
        return f"{self.table.asked} {answer}", lambda line: self.say(ANSWER)

    def _question_of_turn(self) -> str:
        """The next question about the move that the player is to make."""
        session = self.state.session
        return self.talk.question(session.view(session.turn), self._answers) or ""

    def go_on(self) -> tuple[str, Does]:
        """The question at the end of a round, and the action that takes its answer."""
        raise NotImplementedError

    def refuse(self, line: str) -> None:
        """Take a line that answers no question."""

    async def take(self, line: str | None) -> None:
        """Take a line, which is a word or the answer to the question; None is the end of the input."""
        asked_of = self._asked_of
        self._asked_of = None
        self._asked = ""
        self._reading = False
        if line is None:
            self.lines_ended()
            return
        self._console.echo(line)
        _, does = self.question()
        word = line.lower()
        if word in KEYS and not self.means_itself(word):
            word = KEYS[word]
        try:
            if asked_of is not None and word in YES_NO:
                self._answered = asked_of
                self.table.answer(asked_of, yes=YES_NO[word])
                await self.state.settle()
            else:
                await self._now(self.word(word) or partial(does, line))
        except DuelboxError as error:
            self.say(error.sentence)

    def lines_ended(self) -> None:
        """Leave at the end of the input."""
        self._console.say()
        self.quit()

    def means_itself(self, key: str) -> bool:
        """This key is a legal move, so it is not taken for a word."""
        session = self.state.session
        return self.state.may_move and key in map(session.game.format_move, session.legal_moves())

    async def _answer(self, line: str) -> None:
        """Take an answer to one of the questions of a turn; the last answer makes the move."""
        if not line:
            if not self._answers:
                self.say("Type a move, or help.")
            self._answers = self._answers[:-1]
            return
        view = self.state.session.view(self.state.session.turn)
        answers = *self._answers, line
        if self.talk.question(view, answers) is not None:
            self._answers = answers
        else:  # after a refusal, the last question is asked again
            await self.state.take(self.talk.line(view, answers))

    # -- the words

    def word(self, text: str) -> Does | None:
        """The action of a word; None if the text is no word."""
        return partial(self._do, self._words[text]) if text in self._words else None

    async def _do(self, verb: Verb) -> None:
        why = self.why_not(verb)
        if why is not None:
            raise DuelboxError(why)
        if verb.id == "verdict":
            self.state.verdict_on = False
            self._verdict_asked = monotonic()
        if verb.id == "code":
            self.say(self.state.session.public_code())
        elif verb.id == "why":
            self._tell_why()
        elif verb.opens:
            await self._now(partial(self.open, verb.opens))
        else:
            await self.state.do(verb.id, sure=True)

    def why_not(self, verb: Verb) -> str | None:
        """The sentence that refuses a word now; None if it is allowed."""
        helps, session = verb.id in _HELP, self.state.session
        why = self.table.verbs["hint" if helps else verb.id].refuse(self.state)
        if why != "":
            return why
        if self.table.asked:
            return ANSWER
        if session.outcome is not None:
            return "The game is over." if helps else f"The game is over. {session.outcome.reason}"
        if helps and not can_solve(session.game.INFO.id):
            return f"Nothing can be worked out in {session.game.INFO.title}."
        does = "Ask" if helps else verb.label
        covered = self.table.needs_handover and self.state.front is None
        return f"{does} at your turn: press Enter first." if covered else f"{does} at your turn."

    def _tell_why(self) -> None:
        session = self.state.session
        computer = session.plies[last_of_computer(session, self.table.people) - 1].seat
        self.say(f"{player(computer)} says: {self.table.why}")

    # -- places

    def open_help(self) -> None:
        """Tell the page of help on the words."""
        self.say_as_is(self._about)

    def open_rules(self) -> None:
        """Tell the rules of the game."""
        self.say_as_is(rules_page(self.table.game.INFO.id).rstrip())

    def open_board(self) -> None:
        """Tell the position."""
        self.tell_board()

    def open_quit(self) -> None:
        """Leave the table."""
        self.quit()

    def open_moves(self) -> None:
        """Tell the moves so far, and those that may be played now."""
        state, session = self.state, self.state.session
        played = ", ".join(f"{player(by)}: {text}" for by, text in session.log()).replace("•••", "(in secret)")
        self.say(f"Played so far: {played}." if played else "Nothing has been played yet.")
        # the legal moves can reveal a secret, so they are told only to the player in front
        if session.turn is not None and (state.viewer == session.turn or not session.game.INFO.hidden):
            self.say(f"{player(session.turn)} may play: {self.talk.choices(session.view(session.turn))}.")

    # -- the frontend of a table

    async def think(self) -> None:
        """Start the solver, and wait a moment for a quick answer."""
        if self.state.wants_analysis:
            self._workers.set_to_work(self.state, 0)
            await self._workers.a_moment(_MOMENT)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Let the loop await this next."""
        self._inbox.put_nowait(lambda: work)

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Tell the news, or the sentence that was asked for."""
        state = self.state
        if any(map(self.table.rings, news)):
            self._console.ring()
        if news and not state.session.cut_short:
            self._cover()
        for change in news:
            self.tell(change)
        if state.said and not news and not state.wants_analysis:
            self.say(state.said)
        state.said = ""
        if self._verdict_due:
            self.say_as_is(f"{prompts.verdict} {prompts.reason}".rstrip())
            state.verdict_on = False
            self._workers.stop()

    @property
    def _verdict_due(self) -> bool:
        """The verdict can be told: it is complete, or was asked for a while ago, or cannot be found."""
        state, analysis = self.state, self.state.analysis
        if not state.verdict_shown:
            return False
        late = monotonic() - self._verdict_asked >= _SOON
        return state.given_up or (analysis is not None and (analysis.complete or late))

    # -- telling

    def say(self, text: str = "") -> None:
        """Print a text with the players' names in it."""
        self.say_as_is(self.state.session.named(text))

    def say_as_is(self, text: str) -> None:
        """Print a text as it is, on a new line if a question stands there."""
        if self._asked:
            self._console.say()
            self._asked = ""
        self._console.say(text)

    def story(self, ply: Ply | None = None) -> str:
        """The sentence of a turn, or of the last one, as on the screen; an attack with its position."""
        session, plies = self.state.session, self.state.session.plies
        ply = ply or plies[-1]
        numbers = [number for number, made in enumerate(plies) if made is ply]
        if not numbers or (session.game.INFO.hidden and ply.move is not None):
            return printable(session.named(ply.sentence))
        return printable(turn_line(session, numbers[0], self.table.voice)[1])

    def tell(self, change: News) -> None:
        """Tell one piece of news."""
        raise NotImplementedError

    def tell_turn(self) -> None:
        """Tell the position to the player who is asked for a move."""
        self.say(self.talk.turn(self.state.session.view(self.state.session.turn)))

    def tell_board(self) -> None:
        """Tell the position, with the hidden numbers of the viewer alone."""
        self.say(f"\n{self.talk.board(self.state.session.view(self.state.viewer))}\n")

    def tell_end(self, session: Session, match: Match, rounds: Sequence[RoundRow], *, counted: bool) -> None:
        """Tell the end of a round and the score; `match` is the match when the round began."""
        outcome, players = session.outcome, self.table.players
        assert outcome is not None
        score = match if match.over else match.with_round(outcome)
        ended = score.over and counted
        lines = [session.named(self._ending(session, outcome)), f"The code of this game: {session.code()}"]
        if ended:
            lines += ["", *rounds_table(rounds), ""]
        points = (f"{players[number].name} has {float(score.points(number)):g}" for number in SEATS)
        lines.append(f"Score: {', '.join(points)}.")
        if ended:
            winner = score.winner
            lines.append("The match is a draw." if winner is None else f"{players[winner].name} wins the match!")
        self.say_as_is("\n".join(lines))

    def _ending(self, session: Session, outcome: Outcome) -> str:
        """The end of a round in words, with a cheer for a winner who sits here."""
        if session.cut_short:
            return f"{outcome.reason}\n{winner_sentence(outcome)}"
        ending = self.talk.ending(session.view(None))
        if not self.talk.cheer or outcome.winner is None or outcome.winner not in self.table.people:
            return ending
        if len(self.table.people) > 1:  # the loser reads it, too
            return f"{player(outcome.winner)}: {self.talk.cheer}\n{ending}"
        return f"{self.talk.cheer}\n{ending}"

    # -- hands

    def _cover(self) -> None:
        """Between two people with secrets, cover the hand on the screen and wait for the next player."""
        if self.table.needs_handover:
            self.state.front = None
            self.state.awaiting = ""
            self._told = None, 0
            self.cover()

    def cover(self) -> None:
        """Clear a visible hand off the screen."""
        if self._hand_open:
            self._console.push_away()
            self._hand_open = False


def words_of(verbs: Mapping[str, Verb]) -> list[Verb]:
    """The verbs among these that can be typed."""
    return [verb for verb in verbs.values() if verb.help]


def listed(words: Iterable[Verb]) -> str:
    """The words with their lines of help, in two columns."""
    verbs = list(words)
    width = max(len(verb.word) for verb in verbs)
    return "\n".join(f"  {verb.word:<{width}} {verb.help}" for verb in verbs)


def _fail(error: BaseException) -> None:
    raise error
