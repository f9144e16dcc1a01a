"""One game at the line mode: the questions of each turn, and the words that work at every one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from duelbox.bots import choose, told_why
from duelbox.core.chance import chance
from duelbox.core.errors import DuelboxError, MoveError
from duelbox.core.game import AnyGame
from duelbox.core.model import SEATS, Seat, player
from duelbox.core.offer import Offer
from duelbox.core.session import FULL, Ply
from duelbox.core.talk import Answers
from duelbox.plain.console import Console
from duelbox.plain.lines import Lines
from duelbox.solve import analyse, can_solve, sentences, stream
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.store.store import Notices

HELP = """At a question type your answer, or one of these words:
  help    this list
  rules   the rules of the game
  board   the position
  moves   what has been played, and what may be played now
  undo    undo your last move
  redo    redo it
  hint    where to look; then which idea; then the move
  verdict who wins with best play, and why
  why     why the computer made its last move
  code    the position in one line, to go on from it later
  draw    offer a draw, in games that can end without a winner
  resign  resign this game
  quit    leave; the game is saved, and its code is printed
The keys of the full screen do the same: ? h v w u q.
A move may be typed whole, as its code has it, at any question of a turn;
an empty line at a second question goes back to the first.
Where a name is asked for, these words work too: to be called by one, put it in quotes, such as "code"."""
YES_NO = {"y": True, "yes": True, "n": False, "no": False}
KEYS = {"?": "help", "h": "hint", "v": "verdict", "w": "why", "u": "undo", "q": "quit"}
"""Keys of the full screen that people type here as well."""


_PAUSE = 100
"""Two computers stop after so many turns: some duels need not end."""

_SOON, _SECONDS = 1.0, 30.0
"""What takes longer to work out is not worth waiting for."""


class Left(Exception):
    """A player leaves."""


class LineTable(Lines):
    """A round with its words, played to the end by people at one keyboard, or computers."""

    _about = HELP

    def __init__(self, console: Console, sitting: Sitting, news: Notices) -> None:
        super().__init__(console, sitting)
        self._news = news
        self._facing: Seat | None = sitting.people[0] if len(sitting.people) == 1 else None
        """Who sees the screen, in a game with secrets."""
        self._hinted = (-1, 0)
        """The stamp of the position that hints were given for, and how many."""
        self._reasons: dict[int, tuple[Ply, str]] = {}
        """Why the computers made their moves, by the number of the move."""
        self._words |= {
            "moves": self._moves,
            "undo": self._undo,
            "redo": self._redo,
            "hint": self._hint,
            "verdict": self._verdict,
            "why": lambda: self.say(self._reason()),
            "code": lambda: self.say(self.session.public_code()),
            "draw": self._draw,
            "resign": self._resign,
        }

    # -- telling and asking

    def tell_news(self) -> None:
        """Say what there is to say about saving."""
        for sentence in self._news.take(self._sitting.saved):
            self._console.say(sentence)

    def ask(self, question: str, refused: Sequence[str] = (), why: str = "") -> str | None:
        """The answer; None where it was one of the words, which is done by then (or refused, and why)."""
        self.tell_news()  # not with the move itself: what stands there may be pushed away at once
        answer = self._console.ask(self.session.named(question))
        word = answer.lower()
        if word in KEYS and not self._means_itself(word, naming="undo" in refused):
            word = KEYS[word]
        if word not in self._words:
            return answer
        try:
            if word in refused:
                raise DuelboxError(why)
            self._words[word]()
        except DuelboxError as error:
            self.say(error.sentence)
        return None

    def _means_itself(self, key: str, *, naming: bool) -> bool:
        """Whether this key is an answer here: a name, or a move of a game that has such moves."""
        return (naming and key.isalpha()) or key in map(self.session.game.format_move, self.session.legal_moves())

    # -- playing

    def welcome(self) -> None:
        """The first lines."""
        self.say(self._talk.welcome(self._public()))

    def resume(self) -> None:
        """Where a game that has begun stands."""
        self._board()
        if self.session.plies:
            self.say(f"{self.session.plies[-1].told}\n")

    def play(self) -> None:
        """Ask for moves until the game is over, and tell how it ended."""
        while self.session.turn is not None:
            if self.session.turn in self._sitting.people:
                self._turn(self.session.turn)
            else:
                self._compute(self.session.turn)
        self.say(self._ending())

    def _turn(self, seat: Seat) -> None:
        if self._sitting.needs_curtain and not self._hand_over(seat):
            return
        view = self.session.view(seat)
        self.say(self._talk.turn(view))
        answers: Answers = ()
        stamp = self.session.stamp
        while self.session.stamp == stamp:
            question = self._talk.question(view, answers)
            if question is None:
                answers = self._enter(view, answers)
            elif answer := self.ask(question):
                answers = (*answers, answer)
            elif answer is not None:
                if not answers:
                    self.say("Type a move, or help.")
                answers = answers[:-1]

    def _enter(self, view: Any, answers: Answers) -> Answers:
        """Make the move that was answered; where it is refused, the last question is asked again."""
        try:
            self._sitting.play(self._talk.line(view, answers))
        except MoveError as error:
            self.say(error.sentence)
            return answers[:-1]
        self._save()
        self.cover()
        told = self._talk.after(self._public(), self.session.plies[-1].events)
        self.say(f"{told}\n" if told else "")
        return ()

    def _compute(self, seat: Seat) -> None:
        session, stamp = self.session, self.session.stamp
        if session.full:
            while session.stamp == stamp:
                if self.ask(f"{FULL} Type undo, or quit: ") is not None:
                    self.say("Type undo, quit, or help.")
            return
        count = len(session.plies)
        if not self._sitting.people and count and count % _PAUSE == 0:
            question = f"{count} turns have been played. Press Enter to go on: "
            if not self._entered(question, "Press Enter alone, or type help."):
                return
        level = self._sitting.who(seat).level
        assert level is not None
        choice = choose(session.game, session.view(seat), level, chance())
        self._sitting.play(choice.move)
        self._save()
        ply = session.plies[-1]
        assert ply.move is not None
        self._reasons[len(session.plies)] = ply, f"{player(seat)} says: {told_why(ply.move, choice.why)}"
        self.say(f"{ply.told}\n")

    def cover(self) -> None:
        """Take the hand away that lies open before one of two people, if one does."""
        if self._sitting.needs_curtain and self._facing is not None:
            self._console.push_away()
            self._facing = None

    def _entered(self, question: str, otherwise: str, refused: Sequence[str] = (), why: str = "") -> bool:
        """Wait for Enter alone; False where a word changed the game."""
        stamp = self.session.stamp
        while (answer := self.ask(question, refused, why)) != "":
            if self.session.stamp != stamp:
                return False
            if answer is not None:
                self.say(otherwise)
        return True

    def _hand_over(self, seat: Seat) -> bool:
        """Leave the screen to this player alone; False where a word changed whose turn it is."""
        self.cover()
        question = f"{player(seat)}, press Enter when only you can see the screen: "
        otherwise, why = "Nothing is played yet: press Enter alone.", "Resign at your turn: press Enter first."
        if self._entered(question, otherwise, ("resign",), why):
            self._facing = seat
        return self._facing == seat

    # -- the words

    def _moves(self) -> None:
        # What may be played can tell a secret: only to a player who has the screen.
        turn = self.session.turn
        self._tell_moves(turn if self._facing == turn or not self.session.game.INFO.hidden else None)

    def _analysed(self, how: Callable[..., Analysis]) -> Analysis:
        """What can be worked out for the player to move; asking marks the game as assisted."""
        session = self.session
        if session.turn is None:
            raise DuelboxError("The game is over.")
        if not can_solve(session.game.INFO.id):
            raise DuelboxError(f"Nothing can be worked out in {session.game.INFO.title}.")
        if self._sitting.needs_curtain and self._facing is None:
            raise DuelboxError("Ask at your turn: press Enter first.")
        self._sitting.assisted = True
        self._save()
        try:
            return how(session.game, session.view(session.turn), Stop(_SECONDS))
        except Stopped:
            raise DuelboxError(sentences.TOO_LONG) from None

    def _verdict(self) -> None:
        found = self._analysed(_soon)
        self.say(f"{sentences.verdict_sentence(found)} {found.reason}")

    def _hint(self) -> None:
        found = self._analysed(analyse)
        stamp, given = self._hinted
        step = min(given + 1, sentences.HINTS) if stamp == self.session.stamp else 1
        self._hinted = self.session.stamp, step
        self.say(sentences.hint(found, step))

    def _save(self) -> None:
        if done := self._sitting.save():
            done.result()

    def _reason(self) -> str:
        if len(self._sitting.people) == len(SEATS):
            return "No computer is playing."
        for number, ply in reversed([*enumerate(self.session.plies, 1)]):
            if ply.seat not in self._sitting.people:
                known, why = self._reasons.get(number, (None, ""))
                return why if known is ply else "That move was made before this sitting, and its reason is forgotten."
        return "The computer has made no move yet."

    def _undo(self) -> None:
        before = self.session.plies
        self._sitting.undo()
        self._changed("Undone", before[len(self.session.plies) :])

    def _redo(self) -> None:
        before = self.session.plies
        self._sitting.redo()
        self._changed("Redone", self.session.plies[len(before) :])

    def _changed(self, what: str, plies: Sequence[Ply]) -> None:
        self._save()
        self.say(f"{what}: {' '.join(ply.told for ply in plies)}\n")

    def _resign(self) -> None:
        self._sitting.resign()
        self._save()
        self.say()

    def _draw(self) -> None:
        """Offer a draw: the other at this screen answers, or the computer."""
        sitting = self._sitting
        sitting.offer("draw")
        offer = sitting.offered
        assert offer is not None
        yes = sitting.answer_for_computer(offer) if sitting.against_computer else self._agrees(offer)
        sitting.answer(offer.id, yes=yes)
        self._save()
        self.say(offer.answered(sitting.players[1 - offer.by].name, yes=yes))

    def _agrees(self, offer: Offer) -> bool:
        rival, asks = self._sitting.players[1 - offer.by].name, self._sitting.asked
        while (answer := self._console.ask(f"{asks} {rival}, yes or no: ").lower()) not in YES_NO:
            self.say("Type yes or no.")
        return YES_NO[answer]

    def _quit(self) -> None:
        raise Left


def _soon(game: AnyGame, view: Any, stop: Stop) -> Analysis:
    """The verdict, and what more can be said at once, such as the number of turns."""
    began, answers = monotonic(), stream(game, view, stop)
    found = next(answers)
    while monotonic() - began < _SOON and not found.complete:
        found = next(answers)
    return found
