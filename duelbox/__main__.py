"""`python -m duelbox`, and the command that is installed."""

import sys

from duelbox.ui.terminal.supervisor import supervised


def main() -> int:
    """Run a command; the supervisor of the full screen begins before anything is loaded, which keeps it small."""
    opens_screen = sys.argv[1:2] in ([], ["play"]) and "--plain" not in sys.argv
    return supervised(_run, "duelbox") if opens_screen else _run()


def _run() -> int:
    from duelbox.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
