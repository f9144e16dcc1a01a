"""The exact solver of Number Duel."""

from duelbox.games.number_duel.solve.reasons import IDEAS
from duelbox.games.number_duel.solve.verdicts import alike, essence, refuted, stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence, alike, refuted, ideas=IDEAS)
