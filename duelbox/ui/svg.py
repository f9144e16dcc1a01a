"""SVG pictures of boards and of the screen, still or animated, and the files they are saved in.

They use fonts of the viewer's machine; none is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from html import escape
from itertools import count
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.strip import Strip

from duelbox.core.errors import DuelboxError
from duelbox.core.model import listed
from duelbox.core.session import Session
from duelbox.registry import talk_of
from duelbox.store.files import open_chosen, shown
from duelbox.themes import COLOURS, PAPER
from duelbox.ui.game_board import Look, board_of
from duelbox.ui.glyphs import ON_PAPER, UNICODE
from duelbox.ui.textual_themes import theme_of
from duelbox.ui.widgets.board import STYLES

CELL, LINE, SIZE = 9.64, 18.6, 16
"""The width of a cell, the height of a line and the font size, chosen so that the signs of boxes meet."""
FONTS = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
_RUN = re.compile(r"[^\s\u2800-\u28ff]+(?: [^\s\u2800-\u28ff]+)*")
"""A run of text drawn in one piece; braille is drawn as dots."""
_BRAILLE = range(0x2800, 0x2900)
_DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""The column and row of each dot of a braille sign, by its bit."""
_DOT = 2.2
"""The width of a dot."""
_QUARTERS = {sign: bits for bits, sign in enumerate(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")}
"""The quarters of a cell that a block sign fills: 1 and 2 above, 4 and 8 below."""
_SEAM = 0.4
"""Touching areas overlap by this much, so that no line shows between them in print."""


def board_svg(session: Session, width: int, height: int, theme: str) -> str:
    """The board as the player to move sees it, at most so many cells wide and high; `theme` may be "paper"."""
    turn, plies, board = session.turn, session.plies, board_of(session.game.INFO.id)
    last, events = (session.log()[-1][1], plies[-1].events) if plies else ("", ())
    glyphs = ON_PAPER if theme == "paper" else UNICODE
    look = Look(seat=turn, names=session.names, last=last, events=events, peek=True, glyphs=glyphs)
    canvas = board.widget().paint(board.scene(session.view(turn), look), width, height, None).canvas
    if (named := {**COLOURS, "paper": PAPER}.get(theme)) is None:
        raise DuelboxError(f"There is no theme {theme[:24]!a}; there are {listed([*COLOURS, 'paper'])}.")
    colours = theme_of(theme, named)
    ink, ground = str(colours.foreground), str(colours.background)
    values = {**colours.variables, "foreground": ink, "warning": str(colours.warning)}
    filled = {name: re.sub(r"\$([\w-]+)", lambda match: values[match[1]], style) for name, style in STYLES.items()}
    styles = {name: Style.parse(style) for name, style in filled.items()}
    strips = [canvas.strip(y, styles.__getitem__) for y in range(height)]
    text = session.named(talk_of(session.game).board(session.view(turn)))
    return drawing(_cropped(strips), ink, ground, session.game.INFO.title, text)


def _cropped(strips: Sequence[Strip]) -> list[Strip]:
    """The lines without the blank margin around them."""
    used = [y for y, strip in enumerate(strips) if strip.text.strip()] or [0]
    strips = strips[used[0] : used[-1] + 1]
    left = min((len(strip.text) - len(strip.text.lstrip()) for strip in strips if strip.text.strip()), default=0)
    right = max(cell_len(strip.text.rstrip()) for strip in strips)
    return [strip.crop(left, right) for strip in strips]


def screen_strips(app: App[Any]) -> list[Strip]:
    """The lines of the whole screen."""
    shown = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(shown, LayoutUpdate)
    return [Strip.join(parts) for parts in shown.strips]


def screen_svg(app: App[Any]) -> str:
    """The whole screen as SVG."""
    colours = app.get_css_variables()
    return drawing(screen_strips(app), colours["foreground"], colours["background"], app.title)


def drawing(strips: Sequence[Strip], ink: str, ground: str, title: str, text: str = "") -> str:
    """Lines of styled text as SVG; `text` describes the picture to screen readers."""
    wide = max(strip.cell_length for strip in strips)
    rows = (row(strip, y, ink, ground) for y, strip in enumerate(strips))
    return framed("".join(rows), wide, len(strips), ink, ground, title, text)


def framed(body: str, columns: int, lines: int, ink: str, ground: str, title: str, text: str = "") -> str:
    """Rows with a margin as a whole SVG of so many cells."""
    head = f"<title>{escape(title)}</title>" + (f"<desc>{escape(text)}</desc>" if text else "")
    width, height = (columns + 2) * CELL, (lines + 1) * LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}">{head}'
        f'<rect width="100%" height="100%" rx="{LINE / 3:.0f}" fill="{ground}"/>'
        f'<g font-family="{FONTS}" font-size="{SIZE}" fill="{ink}" xml:space="preserve" '
        f'transform="translate({CELL} {LINE / 2:.1f})">{body}</g></svg>'
    )


def animated(frames: Sequence[Sequence[Strip]], seconds: Sequence[float], ink: str, ground: str, title: str) -> str:
    """An SVG that repeats its frames; viewers without motion show the last frame.

    A line that several frames share is written once.
    """
    drawn = [[row(strip, y, ink, ground) for y, strip in enumerate(frame)] for frame in frames]
    lines = {line: f"r{number}" for number, line in enumerate(dict.fromkeys(line for frame in drawn for line in frame))}
    style = "".join(_shown(at, seconds) for at in range(len(frames)))
    still = f"#f{len(frames) - 1}{{visibility:visible}}@media(prefers-reduced-motion){{.f{{animation:none!important}}}}"
    defined = "".join(f'<g id="{name}">{line}</g>' for line, name in lines.items())
    shown = "".join(
        f'<g class="f" id="f{at}">{"".join(f"""<use href="#{lines[line]}"/>""" for line in frame)}</g>'
        for at, frame in enumerate(drawn)
    )
    body = f"<style>.f{{visibility:hidden}}{still}{style}</style><defs>{defined}</defs>{shown}"
    wide = max(strip.cell_length for frame in frames for strip in frame)
    return framed(body, wide, max(map(len, frames)), ink, ground, title)


def _shown(at: int, seconds: Sequence[float]) -> str:
    """The style that shows a frame during its time."""
    whole = sum(seconds)
    start, end = (100 * sum(seconds[:to]) / whole for to in (at, at + 1))
    return (
        f"#f{at}{{animation:k{at} {whole:g}s step-end infinite}}"
        f"@keyframes k{at}{{0%{{visibility:{'hidden' if at else 'visible'}}}{start:.2f}%{{visibility:visible}}"
        f"{end:.2f}%{{visibility:hidden}}}}"
    )


def row(strip: Strip, y: int, ink: str, ground: str) -> str:
    """One line: backgrounds, then each run of text at its place and stretched to its width in any font."""
    grounds, texts, x = "", "", 0
    for segment in strip.simplify():
        style = segment.style or Style()
        width = cell_len(segment.text)
        fore, back = _colours(style, ink, ground)
        if back != ground:
            grounds += _area(x, y, width, 1, back)
        grounds += "".join(_filled(segment.text, x, y, fore))
        texts += "".join(_runs(segment.text, x, y, _marks(style, fore, ink)))
        texts += _dotted(segment.text, x, y, fore)
        x += width
    return grounds + texts


def _area(x: float, y: float, width: float, height: float, colour: str) -> str:
    """A region of cells in one colour."""
    return (
        f'<rect x="{x * CELL:.1f}" y="{y * LINE:.1f}" width="{width * CELL + _SEAM:.1f}" '
        f'height="{height * LINE + _SEAM:.1f}" fill="{colour}" shape-rendering="crispEdges"/>'
    )


def _filled(text: str, x: int, y: int, colour: str) -> Iterable[str]:
    """Areas under block signs, as the signs of a font leave lines between them."""
    for half in (0, 1):
        quarters = "".join(f"{_QUARTERS.get(sign, 0) >> 2 * half & 3:02b}"[::-1] for sign in text)
        for run in re.finditer("1+", quarters):
            yield _area(x + run.start() / 2, y + half / 2, len(run[0]) / 2, 1 / 2, colour)


def _dotted(text: str, x: int, y: int, colour: str) -> str:
    """The dots of braille signs, as a font may lack them, or have them in another width."""
    path = ""
    for at, sign in enumerate(text):
        if ord(sign) not in _BRAILLE:
            continue
        left = x + cell_len(text[:at])
        for bit, (column, line) in enumerate(_DOTS):
            if ord(sign) - _BRAILLE.start >> bit & 1:
                path += f"M{(left + (column + 0.5) / 2) * CELL:.1f} {(y + (line + 0.5) / 4) * LINE:.1f}h.1"
    if not path:
        return ""
    return f'<path d="{path}" stroke="{colour}" stroke-width="{_DOT}" stroke-linecap="round"/>'


def _runs(text: str, x: int, y: int, marks: str) -> Iterable[str]:
    for run in _RUN.finditer(text):
        at = x + cell_len(text[: run.start()])
        yield (
            f'<text x="{at * CELL:.1f}" y="{(y + 0.79) * LINE:.1f}" textLength="{cell_len(run[0]) * CELL:.1f}" '
            f'lengthAdjust="spacingAndGlyphs"{marks}>{escape(run[0], quote=False)}</text>'
        )


def _marks(style: Style, fore: str, ink: str) -> str:
    marks = f' fill="{fore}"' if fore != ink else ""
    marks += ' font-weight="bold"' if style.bold else ""
    return marks + (' text-decoration="underline"' if style.underline else "")


def _colours(style: Style, ink: str, ground: str) -> tuple[str, str]:
    fore = style.color.get_truecolor().hex if style.color and not style.color.is_default else ink
    back = style.bgcolor.get_truecolor().hex if style.bgcolor and not style.bgcolor.is_default else ground
    return (back, fore) if style.reverse else (fore, back)


def picture_folders() -> tuple[Path, ...]:
    """The folders to try: Downloads, the working directory, and home."""
    folders: list[Path] = []
    with suppress(RuntimeError, OSError):  # no home, or a deleted folder
        folders += [Path.home() / "Downloads"]
    with suppress(OSError):
        folders += [Path.cwd()]
    with suppress(RuntimeError):
        folders += [Path.home()]
    return tuple(folders)


def save_picture(svg: str, folders: tuple[Path, ...], name: str) -> str:
    """Save a picture in the first folder where that works; return a sentence with its path or the reason of failure."""
    why = "There is no folder for the picture."
    for folder in folders:
        try:
            return f"Saved as {shown(_written(svg, folder, name))}"
        except OSError as error:
            why = f"The picture cannot be saved in {shown(folder)}: {error.strerror or error}."
    return why


def _written(svg: str, folder: Path, name: str) -> Path:
    for number in count(1):
        path = folder / f"{name}{f'-{number}' if number > 1 else ''}.svg"
        with suppress(FileExistsError), open_chosen(path, "xb") as file:
            file.write(svg.encode())
            break
    return path
