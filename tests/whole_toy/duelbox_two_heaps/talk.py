"""Two Heaps in words."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.model import Event, player
from duelbox.core.talk import Answers, Talk
from duelbox_two_heaps.rules import View


def board(view: View) -> str:
    """Both heaps."""
    return f"Heap a: {'o' * view.a or 'empty'}\nHeap b: {'o' * view.b or 'empty'}"


def turn(view: View) -> str:
    """Whose turn it is, and the heaps."""
    assert view.turn is not None
    return f"{player(view.turn)}'s turn.\n{board(view)}"


def question(view: View, answers: Answers) -> str | None:
    """The heap, then how many."""
    return ("Which heap, a or b? ", "How many? ", None)[len(answers)]


def after(view: View, events: Sequence[Event]) -> str:
    """What was taken."""
    return " ".join(event.sentence for event in events)


TALK = Talk(
    welcome=lambda view: "Welcome to Two Heaps!",
    board=board,
    turn=turn,
    question=question,
    line=lambda view, answers: "".join(answers),
    choices=lambda view: f"a1 to a{view.a}, b1 to b{view.b}",
    after=after,
)
