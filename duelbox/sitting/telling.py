"""What to say of the news of a match elsewhere, in a sentence; nothing of what the board or the result tells."""

from __future__ import annotations

import time
from collections.abc import Callable

from duelbox.core.match import Player
from duelbox.core.talk import full_title
from duelbox.net import news
from duelbox.net.invitation import Proposal, name_of
from duelbox.net.messages import Hello

_DAY = 86_400

_DECLINED = {
    "declined": "Your friend does not sit down.",
    "version": "Your friend's duelbox does not speak with this one: update the older one.",
    "game": "Your friend's duelbox does not have this game.",
    "rules": "The rules of this game differ between the two of you: update the older duelbox.",
}


def invited(hello: Hello, *, watched: bool) -> str:
    """What the host proposes."""
    proposal = Proposal.read(hello.game)
    title = full_title(proposal.game, proposal.options, secret=proposal.game.INFO.hidden)
    rounds = f", {hello.rounds} rounds" if hello.rounds > 1 else ""
    lesson = " as a lesson, with hints and verdicts for both" if hello.lesson else ""
    return f"{name_of(hello.name)} invites you to {title}{rounds}{lesson}.{' Others may watch.' if watched else ''}"


def away_since(name: str, since: float) -> str:
    """Since when somebody has been away: the hour, or the day, too, if that is long ago."""
    clock = "%H:%M" if time.time() - since < _DAY else "%d %b, %H:%M"
    return f"{name} has been away since {time.strftime(clock, time.localtime(since))}."


def to_player(one: news.News, me: Player, friend: str) -> str:
    """What this player hears."""
    match one:
        case news.Declined(why):
            return _DECLINED[why]
        case news.Offered(offer) if offer.by != me:
            return offer.asks(friend)
        case news.Answered(offer, yes):
            return offer.answered(friend if offer.by == me else "You", yes=yes)
        case news.Lapsed(offer):
            return offer.lapsed("Your" if offer.by == me else "Their")
        case news.Missed(by) if by == me:
            return "That does not count: the position had changed, or it was too early by the relay's clock."
        case news.Said(by, text) if by != me:
            return f"{friend}: {text}"
        case news.Stopped(sentence):
            return sentence
    return ""


def to_watcher(one: news.News, name: Callable[[Player], str]) -> str:
    """What those hear who watch."""
    match one:
        case news.Offered(offer):
            return offer.asks(name(offer.by))
        case news.Answered(offer, yes):
            done = "The last move is undone." if offer.kind == "undo" else "Both agreed."
            return done if yes else "The answer was no."
        case news.Said(by, text):
            return f"{name(by)}: {text}"
        case news.Declined():
            return "The guest did not sit down."
        case news.Stopped(sentence):
            return sentence
    return ""
