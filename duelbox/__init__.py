"""duelbox: five small number duels for the terminal, with an exact verdict for every position."""

__version__ = "1.0.0"
