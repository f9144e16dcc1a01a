"""The Lab: every setting of a game's house rules, and what best play and fixed players make of each."""

from duelbox.lab.cell import DEALS, LAYERS, LIMIT, Fact, Layer, work_out
from duelbox.lab.knobs import Knob, knobs, setting, spiral

__all__ = ["DEALS", "LAYERS", "LIMIT", "Fact", "Knob", "Layer", "knobs", "setting", "spiral", "work_out"]
