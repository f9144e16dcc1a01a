"""A verb: one thing that can be done at a table, with its key, word, help, refusal and action."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from duelbox.table.state import TableState

Action = Callable[[Any, "TableState"], Awaitable[None] | None]
"""Does something at a table; it takes the table, of the kind that has the verb, and its state."""
Refusal = Callable[[Any, "TableState"], str | None]
"""The sentence that refuses a verb now; empty if no words are needed, None if the verb can be taken."""
A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One thing to do at a table."""

    id: str
    """Its name everywhere, in settings too."""
    act: Action | None = None
    opens: str = ""
    """The place beside the table that it opens, if it has no action; see `Frontend.open`."""
    refusal: Refusal | None = None
    """Gives the sentence that refuses it; None if the table's own `why_not` decides."""
    key: str = ""
    """The built-in key; empty for a verb of the line mode alone."""
    label: str = ""
    """The name in the key bar."""
    title: str = ""
    """The name in the palette, if the label is too short."""
    shown: bool = True
    """It stands in the key bar."""
    display: str = ""
    """The key as it is written, if that is not its name."""
    shared: str = ""
    """The name in settings of a key that two verbs share; only one of them works at a time."""
    twice: Callable[[Any, TableState], str] | None = None
    """The sentence at the first press of a verb that takes two; empty if one is enough."""
    word: str = ""
    """The word for it in lines, if it has help there."""
    help: str = ""
    """Its line of help in lines; empty if it cannot be typed there."""

    def do(self, state: TableState) -> Awaitable[None] | None:
        """Do it, or open its place; an awaitable that is returned must be awaited."""
        if self.act is None:
            return state.frontend.open(self.opens)
        return self.act(state.table, state)

    def refuse(self, state: TableState) -> str | None:
        """The sentence that refuses it now; empty if no words are needed, None if it can be taken."""
        if self.refusal is None:
            return state.table.why_not(self.id)
        return self.refusal(state.table, state)

    def confirm(self, state: TableState) -> str:
        """The sentence that asks for a second press; empty if one is enough."""
        if self.twice is None:
            return ""
        return self.twice(state.table, state)

    @property
    def setting(self) -> str:
        """The name of its key in the settings."""
        return self.shared or self.id

    @property
    def written(self) -> str:
        """Its built-in key as prompts write it."""
        if self.display:
            return self.display
        return self.key.capitalize() if len(self.key) > 1 else self.key


class Verbs(dict[str, Verb]):
    """The verbs of a kind of table by name, in the order of the key bar; a copy begins with those of another kind."""

    def verb(
        self, key: str = "", label: str = "", refusal: Refusal | None = None, *, word: str = "", **more: Any
    ) -> Callable[[A], A]:
        """Make a verb of a function, with the function's name; it takes the place of an older verb of this name."""

        def add(act: A) -> A:
            name = act.__name__
            self[name] = Verb(id=name, act=act, key=key, label=label, refusal=refusal, word=word or name, **more)
            return act

        return add

    def place(
        self, name: str, key: str = "", label: str = "", refusal: Refusal | None = None, *, word: str = "", **more: Any
    ) -> None:
        """Add a verb that opens a place beside the table, of the verb's name unless `opens` gives another."""
        opens = more.pop("opens", name)
        self[name] = Verb(id=name, opens=opens, key=key, label=label, refusal=refusal, word=word or name, **more)


def with_help(verbs: Verbs, help_lines: Mapping[str, str]) -> Verbs:
    """The same verbs with other lines of help; verbs without a line cannot be typed."""
    return Verbs({name: replace(verb, help=help_lines.get(name, "")) for name, verb in verbs.items()})
