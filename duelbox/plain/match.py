"""A match at the line mode: names, who starts, rounds, and the score."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.bots import find_level
from duelbox.core.errors import BadName, DuelboxError
from duelbox.core.match import Player
from duelbox.core.model import SEATS
from duelbox.core.names import check_name
from duelbox.core.record import Who
from duelbox.core.session import DEFAULT_NAMES
from duelbox.core.talk import full_title
from duelbox.plain.console import Console, InputEnded
from duelbox.plain.table import YES_NO, Left, LineTable
from duelbox.store.store import Notices, Store
from duelbox.table.rounds import rounds_table

INTERRUPTED = 130
STAYS = "duelbox cannot clear this screen. Hands that were shown stay above: please do not scroll up.\n"


class LineMatch:
    """Rounds of one game, by people and computers, told and asked line by line."""

    def __init__(self, console: Console, sitting: Sitting, store: Store, named: Sequence[Who | None]) -> None:
        """`named` are the players whose names need not be asked for."""
        self._console, self._sitting, self._store, self._named = console, sitting, store, named
        self._news = Notices(store)
        self._counted = sitting.match.rounds > 1 and not sitting.open_ended
        self._table = LineTable(console, sitting, self._news)

    def run(self) -> int:
        """Play until the end, or until somebody leaves; the exit status."""
        status = 0
        try:
            self._welcome()
            self._play()
        except (Left, InputEnded):
            pass
        except KeyboardInterrupt:
            self._console.say()
            status = INTERRUPTED
        except Exception:
            self._table.cover()
            raise
        self._leave()
        return status

    # -- before

    def _welcome(self) -> None:
        sitting = self._sitting
        if sitting.notice:
            self._console.say(sitting.notice)
        self._table.tell_news()
        self._table.welcome()
        self._console.say()
        for person in SEATS:
            who = self._named[person] or Who(name=self._name(person))
            sitting.sit_down((sitting.players[0], who) if person else (who, sitting.players[1]))
        for player in sitting.players:
            if player.level is not None:
                level = find_level(sitting.game.INFO.id, player.level)
                self._console.say(f"{player.name} is the computer. {level.line}")
        self._tell_starter()
        title = full_title(sitting.game, sitting.session.options, secret=sitting.game.INFO.hidden)
        self._console.say(f"This is {title}. Type help at any question.\n")
        if sitting.needs_curtain and not self._console.can_clear:
            self._console.say(STAYS)
        if sitting.session.plies:
            self._table.resume()

    def _name(self, person: Player) -> str:
        known = self._sitting.players[0] if person else self._named[1]
        other = known.name if known else None
        refusal = "That comes after the names."
        while True:
            question = f"{DEFAULT_NAMES[person]}, enter your name: "
            try:
                answer = self._table.ask(question, ("undo", "redo", "resign"), refusal)
            except InputEnded:
                if self._console.interactive:  # whoever ends the input there wants to leave
                    raise
                return DEFAULT_NAMES[person]
            if answer is None:
                continue
            try:
                return check_name(answer.strip('"') or DEFAULT_NAMES[person], other)
            except BadName as error:
                self._console.say(error.sentence)

    def _tell_starter(self) -> None:
        session, match = self._sitting.session, self._sitting.match
        count = f"Round {len(match.winners) + 1} of {match.rounds}. " if self._counted else ""
        self._console.say(f"\n{count}{session.names[0]} {'went' if session.plies else 'will go'} first.\n")

    # -- rounds

    def _play(self) -> None:
        while True:
            self._table.play()
            self._console.say(f"The code of this game: {self._sitting.session.code()}")
            self._tell_score()
            again = self._ask_again()
            if again is None:
                continue
            if not again:
                return
            self._sitting.next_round()
            self._table = LineTable(self._console, self._sitting, self._news)
            self._tell_starter()

    def _tell_score(self) -> None:
        players, match = self._sitting.players, self._sitting.score
        if match.over and self._counted:
            self._console.say("\n".join(["", *rounds_table(self._sitting.rounds), ""]))
        score = ", ".join(f"{players[person].name} has {float(match.points(person)):g}" for person in SEATS)
        self._console.say(f"Score: {score}.")
        if match.over and self._counted:
            winner = match.winner
            self._console.say("The match is a draw." if winner is None else f"{players[winner].name} wins the match!")

    def _ask_again(self) -> bool | None:
        """Whether to play another round; None where the end of this one was taken back."""
        match = self._sitting.score
        if self._counted and not match.over and not self._sitting.people:
            return True
        answers, wanted = {"": True}, "Enter alone"
        if match.over:
            question = "Press Enter to finish: "
        elif self._sitting.open_ended:
            question, answers, wanted = "Play again? (yes/no): ", {**YES_NO, "": False}, "yes or no"
        else:
            question = f"Press Enter for round {len(match.winners) + 1} of {match.rounds}: "
        while True:
            answer = self._table.ask(question)
            if self._sitting.session.turn is not None:
                return None
            if answer is not None and answer.lower() in answers:
                return answers[answer.lower()] and not match.over
            if answer is not None:
                self._console.say(f"Type {wanted}, or undo, or quit.")

    # -- after

    def _leave(self) -> None:
        self._store.close()
        session, lost = self._sitting.session, self._store.lost
        if session.outcome is None:
            self._table.cover()
        if session.outcome is not None:
            self._console.say("Goodbye.")
        elif lost:
            self._console.say("The game stops here.")
        elif session.plies or session.can_redo or (self._sitting.match.winners and not self._sitting.open_ended):
            self._console.say("The game stops here. To go on with it: duelbox play --plain --continue")
            self._tell_code()
        else:
            self._console.say("The game stops here. Nothing has been played, so nothing is saved of it.")
            self._tell_code()
        for sentence in lost:
            self._console.say(sentence)

    def _tell_code(self) -> None:
        try:
            self._console.say(f"Its code: {self._sitting.session.public_code()}")
        except DuelboxError as error:
            self._console.say(error.sentence)
