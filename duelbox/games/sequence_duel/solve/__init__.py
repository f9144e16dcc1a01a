"""The exact solver of Sequence Duel."""

from duelbox.games.sequence_duel.solve.reasons import IDEAS
from duelbox.games.sequence_duel.solve.verdicts import essence, partners, refuted, stream, wide, wins
from duelbox.solve.api import Solver

SOLVE = Solver(stream, essence, refuted=refuted, wide=wide, ideas=IDEAS, wins=wins, partners=partners)
