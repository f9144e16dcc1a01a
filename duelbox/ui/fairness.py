"""How fair a set of rules is, worked out in a thread while they are being chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.solve import NoSolver
from duelbox.solve.api import Stop, Stopped

if TYPE_CHECKING:
    from textual.screen import Screen

SECONDS = 20.0
TOO_LONG = "How fair it is takes too long to work out."


class FairnessKnown(Message):
    """How fair these rules are, in a sentence or two."""

    def __init__(self, game: AnyGame, stop: Stop, sentence: str) -> None:
        super().__init__()
        self.game = game
        self.stop_flag = stop
        self.sentence = sentence


class Fairness:
    """Answers for the last rules asked about; older questions are dropped."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._stop: Stop | None = None

    def stop(self) -> None:
        """Nothing is asked any more."""
        if self._stop is not None:
            self._stop.stop()
        self._stop = None

    def is_current(self, message: FairnessKnown) -> bool:
        """Whether this answers the last question."""
        return message.stop_flag is self._stop

    def ask(self, game: AnyGame, options: Options) -> None:
        """How fair are these?"""
        self.stop()
        self._stop = stop = Stop(SECONDS)
        self._screen.run_worker(lambda: self._answer(game, options, stop), thread=True, group="fairness")

    def _answer(self, game: AnyGame, options: Options, stop: Stop) -> None:
        from duelbox.solve.facts import fairness

        told = False
        try:
            for sentence in fairness(game, options, stop):
                self._screen.post_message(FairnessKnown(game, stop, sentence))
                told = True
        except NoSolver as error:
            self._screen.post_message(FairnessKnown(game, stop, error.sentence))
        except Stopped:
            if not (told or stop.asked):
                self._screen.post_message(FairnessKnown(game, stop, TOO_LONG))
