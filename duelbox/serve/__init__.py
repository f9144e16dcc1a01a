"""duelbox for visitors, in a browser or over ssh.

Each visitor has a pseudo-terminal, a process and a folder of their own, so everything that protects a terminal works
here, too. `access` checks cookies and the password, `prefork` starts the processes, `visitors` lets people in and
out, `web` and `ssh` connect them.
"""
