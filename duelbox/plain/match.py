"""A match at the line mode: names, who starts, rounds, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from duelbox.bots import find_level
from duelbox.core.errors import BadName, DuelboxError
from duelbox.core.match import MAX_ROUNDS, Match, Player
from duelbox.core.model import SEATS
from duelbox.core.names import check_name
from duelbox.core.record import Who
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.core.talk import full_title
from duelbox.plain.console import Console, InputEnded
from duelbox.plain.table import Left, Table
from duelbox.sitting.opening import Opening

INTERRUPTED = 130

_WAITING = {"": True}
_YES_NO = {"y": True, "yes": True, "n": False, "no": False, "": False}


Players = tuple[Who, Who]


class Keep(Protocol):
    """Where a match is saved."""

    def __call__(self, match: Match, session: Session, players: Players, assisted: bool) -> None:
        """Save a session that has changed; the match is as it was when the round began."""

    def news(self) -> Sequence[str]:
        """What there is to say about saving, each sentence once."""

    def close(self) -> Sequence[str]:
        """Save what is left; a sentence for every match that can't be saved."""


class LineMatch:
    """Rounds of one game, by people and computers; `rounds` None means as long as they like."""

    def __init__(
        self,
        console: Console,
        opening: Opening,
        players: Sequence[Who | None],
        rounds: int | None,
        first: Player,
        keep: Keep,
        gone_on: tuple[Match, Session] | None = None,
    ) -> None:
        """`gone_on` is a match to go on with, and its round so far."""
        self._console = console
        self._keep = keep
        self._opening = opening
        self._given = players
        self._players: list[Who] = [
            player or Who(name=name) for player, name in zip(players, DEFAULT_NAMES, strict=True)
        ]
        self._open_ended = rounds is None
        self._counted = rounds is not None and rounds > 1
        self._match = gone_on[0] if gone_on else Match(rounds=rounds or MAX_ROUNDS, first=first)
        self._table = self._lay(gone_on[1] if gone_on else opening.session(0))

    def _lay(self, session: Session) -> Table:
        # As long as they like is no match: every round of it is kept as a game of its own.
        alone = Match(first=self._match.player_in(0)) if self._open_ended else None
        levels = ((seat, self._players[self._match.player_in(seat)].level) for seat in SEATS)
        computers = {seat: level for seat, level in levels if level is not None}

        def keep(changed: Session, assisted: bool) -> None:
            self._keep(alone or self._match, changed, (self._players[0], self._players[1]), assisted)

        return Table(self._console, session, computers, keep, self._keep.news)

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
        self._leave()
        return status

    # -- before

    def _welcome(self) -> None:
        session = self._table.session
        self._table.tell_news()
        self._table.welcome()
        self._console.say()
        for person in SEATS:
            self._players[person] = self._given[person] or Who(name=self._name(person))
        for player in self._players:
            if player.level is not None:
                level = find_level(session.game.INFO.id, player.level)
                self._console.say(f"{player.name} is the computer. {level.line}")
        self._sit_down()
        title = full_title(session.game, session.options, secret=session.game.INFO.hidden)
        self._console.say(f"This is {title}. Type help at any question.\n")
        if session.plies:
            self._table.resume()

    def _name(self, person: Player) -> str:
        sitting = self._players[0] if person else self._given[1]
        rival = sitting.name if sitting else None
        refusal = "That comes after the names."
        while True:
            try:
                answer = self._table.ask(
                    f"{DEFAULT_NAMES[person]}, enter your name: ", ("undo", "redo", "resign"), refusal
                )
            except InputEnded:
                return DEFAULT_NAMES[person]
            if answer is None:
                continue
            try:
                return check_name(answer.strip('"') or DEFAULT_NAMES[person], rival)
            except BadName as error:
                self._console.say(error.sentence)

    def _sit_down(self) -> None:
        session, match = self._table.session, self._match
        session.names = (self._players[match.player_in(0)].name, self._players[match.player_in(1)].name)
        count = f"Round {len(match.winners) + 1} of {match.rounds}. " if self._counted else ""
        self._console.say(f"\n{count}{session.names[0]} {'went' if session.plies else 'will go'} first.\n")

    # -- rounds

    def _play(self) -> None:
        while True:
            self._table.play()
            outcome = self._table.session.outcome
            assert outcome is not None
            match = self._match.with_round(outcome)
            self._console.say(f"The code of this game: {self._table.session.code()}")
            self._tell_score(match)
            again = self._ask_again(match)
            if again is None:
                continue
            self._match = match
            if not again:
                return
            self._table = self._lay(self._opening.session(len(match.winners)))
            self._sit_down()

    def _tell_score(self, match: Match) -> None:
        score = ", ".join(f"{self._players[person].name} has {_points(match.points(person))}" for person in SEATS)
        self._console.say(f"Score: {score}.")
        if match.over and self._counted:
            winner = match.winner
            self._console.say(
                "The match is a draw." if winner is None else f"{self._players[winner].name} wins the match!"
            )

    def _ask_again(self, match: Match) -> bool | None:
        """Whether to play another round; None where the end of this one was taken back."""
        question, answers = self._question(match)
        while True:
            answer = self._table.ask(question)
            if self._table.session.turn is not None:
                return None
            if answer is not None and answer.lower() in answers:
                return answers[answer.lower()] and not match.over
            if answer is not None:
                self._console.say(f"Type {'Enter alone' if answers is _WAITING else 'yes or no'}, or undo, or quit.")

    def _question(self, match: Match) -> tuple[str, dict[str, bool]]:
        if match.over:
            return "Press Enter to finish: ", _WAITING
        if self._open_ended:
            return "Play again? (yes/no): ", _YES_NO
        return f"Press Enter for round {len(match.winners) + 1} of {match.rounds}: ", _WAITING

    # -- after

    def _leave(self) -> None:
        session, lost = self._table.session, self._keep.close()
        if session.outcome is not None:
            self._console.say("Goodbye.")
        elif lost:
            self._console.say("The game stops here.")
        elif not (session.plies or session.can_redo or (self._match.winners and not self._open_ended)):
            self._console.say("The game stops here. Nothing has been played, so nothing is kept of it.")
            self._tell_code()
        else:
            self._console.say("The game stops here. To go on with it: duelbox play --plain --continue")
            self._tell_code()
        for sentence in lost:
            self._console.say(sentence)

    def _tell_code(self) -> None:
        try:
            self._console.say(f"Its code: {self._table.session.public_code()}")
        except DuelboxError as error:
            self._console.say(error.sentence)


def _points(points: Fraction) -> str:
    """Points in plain figures: 1, 0.5, 1.5."""
    return f"{float(points):g}"
