"""A match as it is being saved: it follows sessions and writes what changed."""

from __future__ import annotations

from concurrent.futures import Future

from duelbox.core.session import Session


class Saved:
    """One match in the store. Made by `Store.begin` and `Store.resume`; nothing is written before the first turn."""

    @property
    def id(self) -> str:
        """What `duelbox export` takes. It changes if the match had to be carried on as a copy (`notice` says so)."""
        raise NotImplementedError

    @property
    def notice(self) -> str | None:
        """One sentence on why this is saved as a copy, if it is."""
        raise NotImplementedError

    def sync(self, session: Session, number: int = 0, *, assisted: bool = False) -> Future[bool]:
        """Save what changed in the session of a round, counted from 0; call it after every play, undo, redo, resign.

        Returns at once. The future is done when the change is on disk (True: safe from a power cut from now on) or
        could not be put there (False: `Store.notice` says why; it is tried again with every later change). It never
        raises. Show a move as played only when the future is done: `await asyncio.wrap_future(future)`, or
        `future.result()` where nothing else runs. `assisted` (hints were asked for) stays on once given.
        """
        raise NotImplementedError

    def close(self) -> None:
        """The match is no longer played here, so that another terminal may go on with it. Returns at once."""
        raise NotImplementedError
