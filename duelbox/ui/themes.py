"""The themes: calm ground, and two voices that colour-blind eyes can tell apart."""

from __future__ import annotations

from textual.theme import Theme

SEATS_ON_DARK = {"seat-0": "#56B4E9", "seat-1": "#E69F00"}
SEATS_ON_LIGHT = {"seat-0": "#00659C", "seat-1": "#8F5A00"}
FOREIGN = {**SEATS_ON_DARK, "outline": "#7A8490", "win": "#6FD6B0"}
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
    "raised": ("panel-lighten-1", "panel-darken-1", "surface-active", "block-hover-background"),
    "ground": (
        *("surface-lighten-1", "surface-darken-1", "block-cursor-foreground", "block-cursor-blurred-foreground"),
        *("scrollbar-background", "scrollbar-background-hover", "scrollbar-background-active"),
        *("scrollbar-corner-color", "input-cursor-foreground", "input-selection-foreground"),
    ),
}
"""Which of Textual's names, and ours, take which colour of a theme."""


def _theme(
    name: str,
    *,
    ink: str,
    ground: str,
    raised: str,
    seats: dict[str, str] = SEATS_ON_DARK,
    dark: bool = True,
    **more: str,
) -> Theme:
    """A theme of few colours: two grounds; text in three weights; outlines; and the two players."""
    colours = {"win": ink, "ink": ink, "ground": ground, "raised": raised, **more}
    return Theme(
        name,
        dark=dark,
        background=ground,
        surface=ground,
        panel=raised,
        foreground=ink,
        primary=seats["seat-0"],
        secondary=seats["seat-1"],
        accent=ink,
        warning=ink,
        error=ink,
        success=ink,
        variables={
            **seats,
            **{use: colours[colour] for colour, uses in _USES.items() for use in uses},
            "button-focus-text-style": "bold",
        },
    )


THEMES = {
    "dark": _theme(
        "duelbox-dark",
        ground="#14171C",
        raised="#1C2128",
        ink="#E6E8EB",
        quiet="#9AA3AF",
        dim="#818B99",
        outline="#66707E",
        win="#6FD6B0",
    ),
    "light": _theme(
        "duelbox-light",
        dark=False,
        ground="#FAF8F4",
        raised="#F1EDE6",
        ink="#1E2227",
        quiet="#4F5864",
        dim="#5F6874",
        outline="#7D8590",
        win="#00664A",
        seats=SEATS_ON_LIGHT,
    ),
    "high-contrast": _theme(
        "duelbox-high-contrast",
        ground="#000000",
        raised="#000000",
        ink="#FFFFFF",
        quiet="#FFFFFF",
        dim="#FFFFFF",
        outline="#FFFFFF",
        seats={"seat-0": "#00FFFF", "seat-1": "#FFFF00"},
    ),
    "colour-blind": _theme(
        "duelbox-colour-blind",
        ground="#101318",
        raised="#191D24",
        ink="#F2F2F2",
        quiet="#A7AFBA",
        dim="#848E9C",
        outline="#68717E",
        # Far apart in lightness as well as in hue.
        seats={"seat-0": "#B3DCFF", "seat-1": "#D07C00"},
    ),
    "no-colour": _theme(
        "duelbox-no-colour",
        ground="#101010",
        raised="#1A1A1A",
        ink="#F0F0F0",
        quiet="#A8A8A8",
        dim="#8A8A8A",
        outline="#6E6E6E",
        seats={"seat-0": "#F0F0F0", "seat-1": "#F0F0F0"},
    ),
}
"""Our themes by the names settings and the command line use."""

PAPER = _theme(
    "duelbox-paper",
    ground="#FFFFFF",
    raised="#FFFFFF",
    ink="#000000",
    quiet="#404040",
    dim="#595959",
    outline="#707070",
    seats={"seat-0": "#000000", "seat-1": "#000000"},
    dark=False,
)
"""Black on white, for boards that are printed."""
