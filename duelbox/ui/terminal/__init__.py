"""Keeps the terminal usable whatever happens to the app; knows Textual, but nothing of duelbox.

`supervisor.supervised(work, program)` does the work in a child process and restores the terminal if the child dies;
`app.TerminalApp` is a Textual app hardened against signals, crashes, odd input and Textual's own faults;
`crash_report.CrashReports` writes its reports; `background.in_background` runs work in threads that never delay
quitting.
"""
