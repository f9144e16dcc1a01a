"""An app that leaves the terminal as it found it, whatever ends it."""

from __future__ import annotations

from textual.app import App

__all__ = ["SturdyApp"]


class SturdyApp(App[int]):
    """A Textual app hardened against signals, crashes and odd input."""
