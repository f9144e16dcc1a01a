"""The exact solver of Number Circle."""

from duelbox.games.number_circle.solve.reasons import IDEAS
from duelbox.games.number_circle.solve.verdicts import essence, refuted, stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence, refuted=refuted, ideas=IDEAS)
