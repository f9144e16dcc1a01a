"""The commands, a module each, loaded when called: a function takes the arguments and returns the exit status.

A new command needs its arguments as well, in `duelbox/arguments.py`.
"""
