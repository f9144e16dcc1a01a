"""The exact solver of Digit Chain Duel."""

from duelbox.games.digit_chain.solve.reasons import IDEAS
from duelbox.games.digit_chain.solve.verdicts import essence, partners, stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence, partners=partners, ideas=IDEAS)
