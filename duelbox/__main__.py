"""`python -m duelbox`."""

import sys

from duelbox.cli import main

if __name__ == "__main__":
    sys.exit(main())
