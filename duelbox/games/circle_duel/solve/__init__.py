"""The exact solver of Number Circle Duel."""

from duelbox.games.circle_duel.solve.essence import essence
from duelbox.games.circle_duel.solve.verdicts import stream
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence)
