"""A page of Markdown as a single widget, drawn by Rich.

Textual's own Markdown makes a widget of every paragraph and table cell, and takes a second to lay them out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, ListItem, Markdown, MarkdownElement, TableElement
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme
from textual.app import RenderResult as Shown
from textual.widget import Widget


class _Heading(Heading):
    LEVEL_ALIGN: ClassVar = {}  # align every heading to the left


class _Code(CodeBlock):
    """Code on a background of its own."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Padding(Text(str(self.text).rstrip()), (0, 2), style="markdown.code_block")


class _Item(ListItem):
    """An item of a list with its bullet at the margin."""

    def render_bullet(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The item, its further lines indented."""
        lines = console.render_lines(self.elements, options.update(width=options.max_width - 2))
        for sign, line in zip("•" + " " * len(lines), lines, strict=False):
            yield from (Segment(f"{sign} ", console.get_style("markdown.item.bullet")), *line, Segment("\n"))


class _Table(TableElement):
    """A table without rules; its first column never wraps."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="markdown.table.header")
        for at, cell in enumerate(self.header.row.cells if self.header and self.header.row else ()):
            table.add_column(cell.content, no_wrap=at == 0)
        for row in self.body.rows if self.body else ():
            table.add_row(*(cell.content for cell in row.cells))
        yield table


class _Drawn(Markdown):
    """Markdown with a theme of its own."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
        "list_item_open": _Item,
        "table_open": _Table,
    }

    def __init__(self, text: str, styles: Mapping[str, Style]) -> None:
        super().__init__(text, hyperlinks=False)
        self._theme = Theme(styles)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        with console.use_theme(self._theme):
            yield from list(super().__rich_console__(console, options))


class MarkdownPage(Widget):
    """A page of Markdown as high as its text."""

    DEFAULT_CSS = """
    MarkdownPage { height: auto; }
    MarkdownPage > .page--code { background: $panel; }
    MarkdownPage > .page--quiet { color: $text-muted; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"page--code", "page--quiet"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def tell(self, text: str) -> None:
        """Show another text."""
        self._text = text
        self.refresh(layout=True)

    def render(self) -> Shown:
        """The page in the colours of the theme."""
        ground, quiet = (self.get_component_rich_style(f"page--{name}", partial=True) for name in ("code", "quiet"))
        bold = ("code", "table.header", *(f"h{rank}" for rank in range(1, 7)))
        styles = {
            **dict.fromkeys(("link", "link_url", "hr", "list"), Style()),
            **dict.fromkeys(("item.bullet", "item.number", "block_quote"), quiet),
            **dict.fromkeys(bold, Style(bold=True)),
            "code_block": ground,
        }
        return _Drawn(self._text, {f"markdown.{name}": style for name, style in styles.items()})
