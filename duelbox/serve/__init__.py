"""duelbox for visitors: in a browser, or over ssh.

Each visitor has a pseudo-terminal, a process and a folder of their own, so that all that keeps a terminal whole holds
here, too. `nursery` forks the processes, `house` lets visitors in and out, `web` and `ssh` are the two doors.
"""
