"""Somebody connected to a room of a relay."""

from __future__ import annotations

import asyncio

from duelbox.relay.limits import Bucket


class ConnectedMember:
    """Somebody connected to a room: how far they have been told, and what is news to them."""

    def __init__(self, who: str, bucket: Bucket) -> None:
        self.who = who
        self.bucket = bucket
        self.seq: int | None = None
        """The last entry told, or None before they have asked."""
        self.presence: dict[str, bool] = {}
        self.farewell: str | None = None
        """The reason that the relay ends the connection."""
        self.news = asyncio.Event()

    def dismiss(self, sentence: str) -> None:
        """End the connection."""
        self.farewell = sentence
        self.news.set()
