"""The exact solver of Digit Chain Duel."""

from duelbox.games.digit_chain.solve.essence import essence
from duelbox.games.digit_chain.solve.verdicts import stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence)
