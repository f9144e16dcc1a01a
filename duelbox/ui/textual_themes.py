"""The themes of duelbox/themes.py as Textual themes. A new theme is added there, not here."""

from __future__ import annotations

import os

from textual.color import Color
from textual.theme import Theme

from duelbox.themes import COLOURS, SEATS_ON_DARK

_LOW = 0.7
"""The share of a player's colour in its faint version; its contrast stays at least 3 to 1."""
FOREIGN = {**SEATS_ON_DARK, "low-0": "#447FA4", "low-1": "#A7750D", "outline": "#7A8490", "win": "#6FD6B0"}
"""Colours that our style sheets need, for Textual's own themes."""

_USES = {
    "ink": (
        *("text", "text-primary", "text-secondary", "text-accent", "text-success", "text-warning", "text-error"),
        *("block-cursor-background", "input-cursor-background", "button-foreground"),
    ),
    "quiet": ("text-muted", "block-cursor-blurred-background", "input-selection-background"),
    "dim": ("text-disabled",),
    "outline": ("outline", "border", "border-blurred", "scrollbar", "scrollbar-hover", "scrollbar-active"),
    "win": ("win",),
    "seat-0": ("seat-0",),
    "seat-1": ("seat-1",),
    "raised": ("panel-lighten-1", "panel-darken-1", "surface-active", "block-hover-background"),
    "ground": (
        *("surface-lighten-1", "surface-darken-1", "block-cursor-foreground", "block-cursor-blurred-foreground"),
        *("scrollbar-background", "scrollbar-background-hover", "scrollbar-background-active"),
        *("scrollbar-corner-color", "input-cursor-foreground", "input-selection-foreground"),
    ),
}
"""The names of Textual and of our style sheets that each colour of a theme is used for."""


def _low(colours: dict[str, str], seat: int) -> str:
    """The faint version of a player's colour; in a theme of few colours, the colour itself."""
    colour = colours[f"seat-{seat}"]
    return Color.parse(colours["ground"]).blend(Color.parse(colour), _LOW).hex if "outline" in colours else colour


def theme_of(name: str, colours: dict[str, str]) -> Theme:
    """A Textual theme of these colours."""
    ink, ground = colours["ink"], colours["ground"]
    return Theme(
        f"duelbox-{name}",
        dark=ground < ink,  # comparing "#RRGGBB" texts in capitals
        background=ground,
        surface=ground,
        panel=colours["raised"],
        foreground=ink,
        primary=colours["seat-0"],
        secondary=colours["seat-1"],
        accent=ink,
        warning=ink,
        error=ink,
        success=ink,
        variables={
            **{use: colours.get(colour, ink) for colour, uses in _USES.items() for use in uses},
            **{f"low-{seat}": _low(colours, seat) for seat in (0, 1)},
            "button-focus-text-style": "bold",
        },
    )


THEMES = {name: theme_of(name, colours) for name, colours in COLOURS.items()}
"""Textual themes by their names in the settings."""


def theme_called(name: str) -> Theme:
    """The theme of this name in the settings; "auto" is one without colours if the environment asks for none."""
    if name != "auto":
        return THEMES[name]
    return THEMES["no-colour" if os.environ.get("NO_COLOR") else "dark"]
