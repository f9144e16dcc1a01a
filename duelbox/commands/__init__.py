"""The commands, one module each, loaded when it is called: a function takes the arguments and returns the exit status."""
