"""`duelbox export`: a saved game as a JSON record, or as position codes; or progress."""

from __future__ import annotations

import sys
from argparse import Namespace

from duelbox.commands.history import tell
from duelbox.store.store import Store

PROGRESS = "progress"
"""Said in place of an id, which never has an o in it."""


def run(args: Namespace) -> int:
    """Print it."""
    with Store.open() as store:
        tell(store)
        if args.id == PROGRESS:
            text = store.progress.export()
        else:
            text = "\n".join(store.codes(args.id)) if args.code else store.export(args.id)
    sys.stdout.write(f"{text}\n")
    return 0
