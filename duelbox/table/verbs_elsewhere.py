"""The verbs of a match elsewhere, with their help in lines: for those who play, and for those who watch."""

from __future__ import annotations

from dataclasses import replace

from duelbox.table.refusals import why_no_draw_elsewhere
from duelbox.table.verb import with_help
from duelbox.table.verbs import VERBS

_HELP = {
    "rules": "the rules of the game",
    "board": "the position",
    "moves": "what has been played, and what you may play now",
    "hint": "only where you both agreed to a lesson",
    "verdict": "only where you both agreed to a lesson",
    "undo": "ask your friend to let your last move be undone",
    "rematch": "ask your friend for a rematch, when this match is over",
    "agree": "agree to what your friend asks",
    "decline": "decline it",
    "draw": "offer a draw, in games that can end without a winner",
    "later": "ask your friend to go on another time",
    "resign": "resign this game",
    "claim": "claim the game, when your friend has been silent for half a day",
    "help": "this list",
    "watchers": "how many watch, and what others type to do so",
    "verify": "four words; your friend sees the same, if nobody sits between you",
    "mute": "show no more phrases of your friend, or show them again",
    "quit": "leave; the match waits, and goes on when you are both back",
}
"""The lines of help for the verbs that can be typed in a match with a friend."""
VERBS_ELSEWHERE = with_help(VERBS, _HELP)
"""The verbs of a match with a friend, who may be offered a draw, or be left, at any time."""
VERBS_ELSEWHERE["draw"] = replace(VERBS_ELSEWHERE["draw"], refusal=why_no_draw_elsewhere)
VERBS_ELSEWHERE["resign"] = replace(VERBS_ELSEWHERE["resign"], refusal=None)

VERBS_OF_WATCHERS = with_help(
    VERBS,
    {
        "rules": "the rules of the game",
        "board": "the position",
        "moves": "what has been played",
        "help": "this list",
        "quit": "leave; the two play on",
    },
)
"""The verbs of those who watch a match."""

for _verbs in (VERBS_ELSEWHERE, VERBS_OF_WATCHERS):
    del _verbs["prove"]  # a friend elsewhere would be proved to lose; k claims the game there
