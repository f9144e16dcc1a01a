"""The themes as Textual takes them."""

from __future__ import annotations

from textual.color import Color
from textual.theme import Theme

from duelbox.themes import COLOURS, SEATS_ON_DARK

_LOW = 0.7
"""How much of a player's colour is left where it is turned low: still three to one against every ground."""
FOREIGN = {**SEATS_ON_DARK, "low-0": "#447FA4", "low-1": "#A7750D", "outline": "#7A8490", "win": "#6FD6B0"}
"""What the style sheets need beside Textual's own names, for themes that are not ours."""

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
"""Which of Textual's names, and ours, take which colour of a theme."""


def _low(colours: dict[str, str], seat: int) -> str:
    """A player's colour turned low; in a theme of few colours, the colour itself."""
    colour = colours[f"seat-{seat}"]
    return Color.parse(colours["ground"]).blend(Color.parse(colour), _LOW).hex if "outline" in colours else colour


def theme_of(name: str, colours: dict[str, str]) -> Theme:
    """A theme of these colours."""
    ink, ground = colours["ink"], colours["ground"]
    return Theme(
        f"duelbox-{name}",
        dark=ground < ink,  # as texts: both begin with #, and are in capitals
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
"""Our themes by the names settings and the command line use."""
