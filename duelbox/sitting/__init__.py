"""A match being played, headless: what is asked to be played, rounds, players, undo, autosave, and going on with it."""
