"""The exact solver of Sequence Duel."""

from duelbox.games.sequence_duel.solve.essence import essence
from duelbox.games.sequence_duel.solve.verdicts import stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence)
