"""The exact solver of Number Duel."""

from duelbox.games.number_duel.solve.verdicts import essence, stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence)
