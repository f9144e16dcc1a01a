"""duelbox: five small number duels for the terminal, with an exact verdict for every position.

As a library it has the names of `duelbox.library`:

>>> import duelbox
>>> duelbox.Table("circle-duel/4").solve().verdict
'win'
"""

from __future__ import annotations

# Type checkers take it for true; the typing module would add 1.4 MB to the supervisor of the full screen.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from duelbox.library import (
        Analysis,
        DuelboxError,
        Exam,
        MoveError,
        Puzzle,
        Seen,
        Session,
        Solving,
        Stopped,
        Table,
        check_proof,
        daily,
        find_game,
        game_ids,
        lab,
        play,
        puzzles,
    )

__version__ = "1.1.0"

__all__ = [
    "Analysis",
    "DuelboxError",
    "Exam",
    "MoveError",
    "Puzzle",
    "Seen",
    "Session",
    "Solving",
    "Stopped",
    "Table",
    "check_proof",
    "daily",
    "find_game",
    "game_ids",
    "lab",
    "play",
    "puzzles",
]


def __getattr__(name: str) -> object:
    """Load the library when a name of it is first used, as the command line needs none."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from duelbox import library

    return getattr(library, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
