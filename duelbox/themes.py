"""The colours of all themes. To add a theme, add an entry to COLOURS: settings, command line and screen use it.

A theme has two backgrounds, text in three weights, outlines, a win, and the two players, whom colour-blind eyes can
tell apart. A colour that is left out is that of the ink. This module imports nothing, so that starting stays quick.
"""

from __future__ import annotations

SEATS_ON_DARK = {"seat-0": "#56B4E9", "seat-1": "#E69F00"}

COLOURS: dict[str, dict[str, str]] = {
    "dark": {
        "ground": "#14171C",
        "raised": "#1C2128",
        "ink": "#E6E8EB",
        "quiet": "#9AA3AF",
        "dim": "#818B99",
        "outline": "#66707E",
        "win": "#6FD6B0",
        **SEATS_ON_DARK,
    },
    "light": {
        "ground": "#FAF8F4",
        "raised": "#F1EDE6",
        "ink": "#1E2227",
        "quiet": "#4F5864",
        "dim": "#5F6874",
        "outline": "#7D8590",
        "win": "#00664A",
        "seat-0": "#00659C",
        "seat-1": "#8F5A00",
    },
    "high-contrast": {
        "ground": "#000000",
        "raised": "#000000",
        "ink": "#FFFFFF",
        "seat-0": "#00FFFF",
        "seat-1": "#FFFF00",
    },
    "colour-blind": {
        "ground": "#101318",
        "raised": "#191D24",
        "ink": "#F2F2F2",
        "quiet": "#A7AFBA",
        "dim": "#848E9C",
        "outline": "#68717E",
        # far apart in lightness and in hue
        "seat-0": "#B3DCFF",
        "seat-1": "#D07C00",
    },
    "no-colour": {
        "ground": "#101010",
        "raised": "#1A1A1A",
        "ink": "#F0F0F0",
        "quiet": "#A8A8A8",
        "dim": "#8A8A8A",
        "outline": "#6E6E6E",
        "seat-0": "#F0F0F0",
        "seat-1": "#F0F0F0",
    },
}

PAPER = {
    "ground": "#FFFFFF",
    "raised": "#FFFFFF",
    "ink": "#000000",
    "quiet": "#404040",
    "dim": "#595959",
    "outline": "#707070",
    "seat-0": "#000000",
    "seat-1": "#666666",
}
"""Black on white, for printed boards."""

NAMES = ("auto", *COLOURS)
"""The themes that can be set; `auto` chooses between them."""
