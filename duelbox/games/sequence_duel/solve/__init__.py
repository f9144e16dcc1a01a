"""The exact solver of Sequence Duel."""

from duelbox.games.sequence_duel.solve.reasons import IDEAS
from duelbox.games.sequence_duel.solve.verdicts import essence, stream, wide
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence, wide=wide, ideas=IDEAS)
