"""Lessons, puzzles, turning points and mistakes: pure functions for the screen and the line mode."""
