"""The exact solver of Number Duel."""

from duelbox.games.number_duel.solve.reasons import IDEAS, refuted
from duelbox.games.number_duel.solve.verdicts import alike, essence, stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence, alike, refuted, ideas=IDEAS)
