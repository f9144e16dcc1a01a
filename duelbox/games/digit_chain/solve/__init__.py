"""The exact solver of Digit Chain Duel."""

from duelbox.games.digit_chain.solve.reasons import IDEAS
from duelbox.games.digit_chain.solve.verdicts import essence, stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence, ideas=IDEAS)
