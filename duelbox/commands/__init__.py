"""One module a command, loaded when it is called: `run(args)` does it and returns the exit status."""
