"""A member connected to a room of a relay."""

from __future__ import annotations

import asyncio

from duelbox.relay.limits import Bucket


class ConnectedMember:
    """A connected member: the entries they have been sent, and the news for them."""

    def __init__(self, who: str, bucket: Bucket) -> None:
        self.who = who
        self.bucket = bucket
        self.seq: int | None = None
        """The last entry sent, or None before the member has asked for entries."""
        self.presence: dict[str, bool] = {}
        self.farewell: str | None = None
        """The reason for which the relay ends the connection."""
        self.news = asyncio.Event()

    def dismiss(self, sentence: str) -> None:
        """End the connection for this reason."""
        self.farewell = sentence
        self.news.set()
