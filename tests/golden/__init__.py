"""What is held as it is: playthroughs, built by `python -m tests.golden.make` and read like code when they change."""
