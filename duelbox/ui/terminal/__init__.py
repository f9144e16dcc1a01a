"""A terminal kept whole, whatever happens to the app in it; this package knows Textual and nothing of duelbox.

`supervisor.supervised(work, program)` does the work in a child, and restores the terminal if that dies;
`app.TerminalApp` is a Textual app hardened against signals, crashes, odd input and Textual's own faults;
`crash_report.CrashReports` says where its reports go; `background.in_background` computes without keeping anybody from
quitting.
"""
