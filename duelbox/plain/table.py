"""One game at the line mode: the questions of each turn, and the words that work at every one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.model import Seat, player
from duelbox.core.session import Ply, Session
from duelbox.core.talk import Answers, verdict
from duelbox.plain.console import Console
from duelbox.plain.talk import rules_text, talk_of

HELP = """At a question type your answer, or one of these words:
  help    this list
  rules   the rules of the game
  board   the position
  moves   what has been played, and what may be played now
  undo    take the last move back
  redo    play it again
  code    the position in one line, to go on from it later
  resign  give this game up
  quit    leave; the code is printed, so that nothing is lost
A move may be typed whole, as its code has it, at any question of a turn;
an empty line at a second question goes back to the first.
Where a name is asked for, these words work too: to be called by one, put it in quotes, such as "code"."""


class Left(Exception):
    """A player leaves."""


class Table:
    """A session with its words, played to the end by two people at one keyboard."""

    def __init__(self, console: Console, session: Session, keep: Callable[[Session], None]) -> None:
        self._console = console
        self._keep = keep
        """Called after every change, before it is told: where the game is saved."""
        self._talk = talk_of(session.game)
        self._facing: Seat | None = None
        """Who sees the screen, in a game with secrets."""
        self._words: dict[str, Callable[[], None]] = {
            "help": lambda: self.say(HELP),
            "rules": lambda: console.say(rules_text(session.game.INFO.id).rstrip()),
            "board": self._board,
            "moves": self._moves,
            "undo": self._undo,
            "redo": self._redo,
            "code": lambda: self.say(self.session.public_code()),
            "resign": self._resign,
            "quit": self._quit,
        }
        self.session = session

    # -- telling and asking

    def say(self, text: str = "") -> None:
        """Tell everybody, with the players' names."""
        self._console.say(self.session.named(text))

    def ask(self, question: str, refused: Sequence[str] = (), why: str = "") -> str | None:
        """The answer; None where it was one of the words, which is done by then (or refused, and why)."""
        answer = self._console.ask(self.session.named(question))
        word = answer.lower()
        if word not in self._words:
            return answer
        try:
            if word in refused:
                raise DuelboxError(why)
            self._words[word]()
        except DuelboxError as error:
            self.say(error.sentence)
        return None

    # -- playing

    def welcome(self) -> None:
        """The first lines."""
        self.say(self._talk.welcome(self._public()))

    def resume(self) -> None:
        """Where a game that has begun stands."""
        self._board()
        if self.session.plies:
            self.say(f"{_told(self.session.plies[-1])}\n")

    def play(self) -> None:
        """Ask for moves until the game is over, and tell how it ended."""
        while self.session.turn is not None:
            self._turn(self.session.turn)
        self.say(self._ending())

    def _turn(self, seat: Seat) -> None:
        if self.session.game.INFO.hidden and not self._hand_over(seat):
            return
        view = self.session.view(seat)
        self.say(self._talk.turn(view))
        answers: Answers = ()
        stamp = self.session.stamp
        while self.session.stamp == stamp:
            question = self._talk.question(view, answers)
            answers = self._enter(view, answers) if question is None else self._answer(question, answers)

    def _answer(self, question: str, answers: Answers) -> Answers:
        answer = self.ask(question)
        if answer is None:
            return answers
        if answer:
            return (*answers, answer)
        if not answers:
            self.say("Type a move, or help.")
        return answers[:-1]

    def _enter(self, view: Any, answers: Answers) -> Answers:
        """Make the move that was answered; where it is refused, the last question is asked again."""
        try:
            events = self.session.play(self.session.parse(self._talk.line(view, answers)))
        except MoveError as error:
            self.say(error.sentence)
            return answers[:-1]
        self._keep(self.session)
        if self.session.game.INFO.hidden:
            self._facing = None
            self._console.push_away()
        told = self._talk.after(self._public(), events)
        self.say(f"{told}\n" if told else "")
        return ()

    def _hand_over(self, seat: Seat) -> bool:
        """Leave the screen to this player alone; False where a word changed whose turn it is."""
        if self._facing is not None:
            self._console.push_away()
        self._facing = None
        stamp = self.session.stamp
        question = f"{player(seat)}, press Enter when only you can see the screen: "
        while (answer := self.ask(question, ("resign",), "Resign at your turn: press Enter first.")) != "":
            if self.session.stamp != stamp:
                return False
            if answer is not None:
                self.say("Nothing is played yet: press Enter alone.")
        self._facing = seat
        return True

    def _ending(self) -> str:
        outcome = self.session.outcome
        assert outcome is not None
        if self.session.resigned:
            return f"{outcome.reason}\n{verdict(outcome)}"
        return self._talk.ending(self._public())

    def _public(self) -> Any:
        return self.session.view(None)

    # -- the words

    def _board(self) -> None:
        self.say(f"\n{self._talk.board(self._public())}\n")

    def _moves(self) -> None:
        session = self.session
        played = ", ".join(f"{player(ply.seat)}: {self._text(ply)}" for ply in session.plies)
        self.say(f"Played so far: {played}." if played else "Nothing has been played yet.")
        # What may be played can tell a secret: only to a player who has the screen.
        if session.turn is not None and (self._facing == session.turn or not session.game.INFO.hidden):
            self.say(f"{player(session.turn)} may play: {self._talk.choices(session.view(session.turn))}.")

    def _text(self, ply: Ply) -> str:
        if ply.move is None:
            return "resigns"
        if ply.move.secret and self.session.outcome is None:
            return "(in secret)"
        return self.session.game.format_move(ply.move)

    def _undo(self) -> None:
        last = self.session.plies[-1:]
        self.session.undo()
        self._keep(self.session)
        self.say(f"Taken back: {_told(last[0])}\n")

    def _redo(self) -> None:
        self.session.redo()
        self._keep(self.session)
        self.say(f"Played again: {_told(self.session.plies[-1])}\n")

    def _resign(self) -> None:
        self.session.resign()
        self._keep(self.session)
        self.say()

    def _quit(self) -> None:
        raise Left


def _told(ply: Ply) -> str:
    """What a turn was, in sentences; passes are among them."""
    return " ".join(event.sentence for event in ply.events) or f"{player(ply.seat)} resigns."
