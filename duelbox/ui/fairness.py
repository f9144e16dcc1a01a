"""How fair a set of rules is, worked out in a thread while they are being chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.solve import NoSolver
from duelbox.solve.api import Stop, Stopped
from duelbox.ui.terminal import in_background

if TYPE_CHECKING:
    from textual.screen import Screen

SECONDS = 20.0
TOO_LONG = "How fair it is takes too long to work out."
FAIRER = "new.fairer"
"""The action that sets rules which leave more to decide."""


@dataclass(eq=False)
class FairnessKnown(Message):
    """How fair these rules are, in a sentence or two."""

    asked: Stop
    """The flag of the question."""
    sentence: str


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
        return message.asked is self._stop

    def ask(self, game: AnyGame, options: Options) -> None:
        """How fair are these?"""
        self.stop()
        self._stop = stop = Stop(SECONDS)
        offer = self._offer()
        self._screen.run_worker(in_background(lambda: self._answer(game, options, stop, offer)))

    def _offer(self) -> str:
        """What to do about rules that leave little to decide, where there are others; empty otherwise."""
        app = self._screen.app
        bindings = (active.binding for active in self._screen.active_bindings.values() if active.enabled)
        keys = [app.get_key_display(binding) for binding in bindings if binding.id == FAIRER]
        return f" For rules that leave more to decide, press {keys[0]}." if keys else ""

    def _answer(self, game: AnyGame, options: Options, stop: Stop, offer: str) -> None:
        from duelbox.solve.fact_cards import card_of, fairness

        said = False
        try:
            kept = card_of(game, options)
            for card in [kept] if kept else fairness(game, options, stop):
                self._say(stop, card.sentence + (offer if card.decides_little else ""))
                said = True
        except NoSolver as error:
            self._say(stop, error.sentence)
        except Stopped:
            if not (said or stop.asked):
                self._say(stop, TOO_LONG)

    def _say(self, stop: Stop, sentence: str) -> None:
        self._screen.post_message(FairnessKnown(stop, sentence))
