"""`duelbox export`: a saved game as a JSON record, or as position codes."""

from __future__ import annotations

import sys
from argparse import Namespace

from duelbox.commands.history import tell
from duelbox.store.store import Store


def run(args: Namespace) -> int:
    """Print it."""
    with Store.open() as store:
        tell(store)
        text = "\n".join(store.codes(args.id)) if args.code else store.export(args.id)
    sys.stdout.write(f"{text}\n")
    return 0
