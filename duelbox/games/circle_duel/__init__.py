"""Number Circle Duel: its rules, its text for the line mode, and its pages for people."""

from typing import TYPE_CHECKING

from duelbox.core.game import checked
from duelbox.games.circle_duel import rules

GAME = checked(rules)

if TYPE_CHECKING:  # `talk` is loaded when a line mode asks for it; a type checker holds it to its contract here
    from duelbox.core.talk import Talk
    from duelbox.games.circle_duel import talk

    TALK: Talk[rules.View] = talk
