"""The exact solver of Sequence Duel."""

from duelbox.games.sequence_duel.solve.verdicts import essence, stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence)
