"""Sentences about a friend elsewhere: the invitation and its refusal, and the time that they have been away."""

from __future__ import annotations

import time

from duelbox.friends.live_match import REFUSALS
from duelbox.friends.messages import Hello
from duelbox.friends.proposal import shown_name

DECLINED = REFUSALS | {
    "declined": "Your friend does not sit down.",
    "game": "Your friend's duelbox does not have this game.",
}
"""The sentence about a friend who does not sit down, by the reason."""
NOT_COUNTED = "Your claim does not count: your friend was here again, or it was too early by the relay's clock."
DAY_SECONDS = 86_400
HOUR_MINUTES = 60


def invites(hello: Hello, title: str, *, watched: bool) -> str:
    """The proposal of a host to play the game of this title, in a sentence."""
    host = shown_name(hello.name)
    if hello.program:
        host = f"{host}, a program,"
    sentence = f"{host} invites you to {title}"
    if hello.rounds > 1:
        sentence = f"{sentence}, {hello.rounds} rounds"
    if hello.lesson:
        sentence = f"{sentence} as a lesson, with hints and verdicts for both"
    if watched:
        return f"{sentence}. Others may watch."
    return f"{sentence}."


def clock_of(moment: float) -> str:
    """A moment by the clock; with its day if it is more than a day ago."""
    clock = "%H:%M" if time.time() - moment < DAY_SECONDS else "%d %b, %H:%M"
    return time.strftime(clock, time.localtime(moment))


def away_for(seconds: float) -> str:
    """The time that a friend has been away: "away 2 min"."""
    minutes = int(seconds) // 60
    if minutes == 0:
        return "away"
    return f"away {minutes} min" if minutes < HOUR_MINUTES else f"away {minutes // HOUR_MINUTES} h"
