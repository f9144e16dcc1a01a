"""The exact solver of Digit Chain Duel."""

from duelbox.games.digit_chain.solve.reasons import IDEAS
from duelbox.games.digit_chain.solve.verdicts import essence, partners, refuted, stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence, refuted=refuted, partners=partners, ideas=IDEAS)
