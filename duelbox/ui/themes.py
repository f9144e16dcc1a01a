"""The themes: calm ground, and two voices that colour-blind eyes can tell apart."""

from __future__ import annotations

from textual.theme import Theme

SEATS_ON_DARK = {"seat-0": "#56B4E9", "seat-1": "#E69F00"}
SEATS_ON_LIGHT = {"seat-0": "#00659C", "seat-1": "#8F5A00"}


def _theme(name: str, *, dark: bool, ground: str, ink: str, quiet: str, faint: str, seats: dict[str, str]) -> Theme:
    return Theme(
        name=name,
        dark=dark,
        background=ground,
        surface=ground,
        panel=ground,
        foreground=ink,
        primary=seats["seat-0"],
        secondary=seats["seat-1"],
        accent=ink,
        warning=ink,
        error=ink,
        success=ink,
        variables={
            **seats,
            "text-muted": quiet,
            "text-disabled": faint,
            "border": faint,
            "border-blurred": faint,
            "footer-background": ground,
            "footer-item-background": ground,
            "footer-key-background": ground,
            "footer-description-background": ground,
            "footer-key-foreground": ink,
            "footer-description-foreground": quiet,
            "block-cursor-foreground": ground,
            "block-cursor-background": ink,
            "block-cursor-blurred-foreground": ink,
            "block-cursor-blurred-background": faint,
            "block-hover-background": faint,
        },
    )


DARK = _theme(
    "duelbox-dark",
    dark=True,
    ground="#14171C",
    ink="#E6E8EB",
    quiet="#9AA3AF",
    faint="#66707E",
    seats=SEATS_ON_DARK,
)
LIGHT = _theme(
    "duelbox-light",
    dark=False,
    ground="#FAF8F4",
    ink="#1E2227",
    quiet="#5B6470",
    faint="#858D98",
    seats=SEATS_ON_LIGHT,
)
HIGH_CONTRAST = _theme(
    "duelbox-high-contrast",
    dark=True,
    ground="#000000",
    ink="#FFFFFF",
    quiet="#FFFFFF",
    faint="#FFFFFF",
    seats={"seat-0": "#00FFFF", "seat-1": "#FFFF00"},
)
NO_COLOUR = _theme(
    "duelbox-no-colour",
    dark=True,
    ground="#101010",
    ink="#F0F0F0",
    quiet="#A8A8A8",
    faint="#707070",
    seats={"seat-0": "#F0F0F0", "seat-1": "#F0F0F0"},
)

COLOUR_BLIND = _theme(
    "duelbox-colour-blind",
    dark=True,
    ground="#101318",
    ink="#F2F2F2",
    quiet="#A7AFBA",
    faint="#717B89",
    # Far apart in lightness as well as in hue.
    seats={"seat-0": "#B3DCFF", "seat-1": "#C77700"},
)

THEMES = {
    "dark": DARK,
    "light": LIGHT,
    "high-contrast": HIGH_CONTRAST,
    "colour-blind": COLOUR_BLIND,
    "no-colour": NO_COLOUR,
}
"""Our themes by the names settings and the command line use."""
