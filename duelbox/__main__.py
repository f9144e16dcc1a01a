"""`python -m duelbox`, and the command that is installed."""

import sys

from duelbox.ui.terminal.supervisor import supervised


def main() -> int:
    """Run a command; the full screen runs under a supervisor, which starts before other modules and stays small."""
    opens_screen = sys.argv[1:2] in ([], ["play"]) and "--plain" not in sys.argv
    return supervised(_run, "duelbox") if opens_screen else _run()


def _run() -> int:
    from duelbox.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
