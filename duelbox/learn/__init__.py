"""What a game that is over can teach: pure functions, for the screen and for lines of text."""
