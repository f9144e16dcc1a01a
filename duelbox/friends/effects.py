"""The effect of each kind of message on a match: pure functions from a ledger to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duelbox.core import news
from duelbox.core.match import Match, Player
from duelbox.core.model import other, with_seat
from duelbox.core.offer import Offer
from duelbox.friends import course
from duelbox.friends import messages as m
from duelbox.friends.channel import digest
from duelbox.friends.claims import PendingClaim
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.ledger import Draw, Ledger, Standing
from duelbox.friends.proposal import Proposal, distinct_names, shown_name

MOST_IDLE = 500
"""Messages of one player in a row that change nothing; more are a flood."""
MOST_MESSAGES = 50_000
"""More messages than a room of any honest relay holds."""
_NOBODY: frozenset[Player] = frozenset()


def applied(ledger: Ledger, who: Player, message: m.Body, time: int = 0) -> tuple[Ledger, tuple[news.News, ...]]:
    """The match after its next message and the relay's time of it, and the news; raises Cheat."""
    ledger = _read(ledger, who, message, time)
    if ledger.claim is not None and ledger.claim.by != who and ledger.stage == "play":
        ledger = ledger.tell(news.NotCounted(ledger.claim.by)).changed(claim=None)
    ledger = _ended_by(_taken(ledger, who, message), who, message)
    if ledger.claim is not None and not ledger.owes(other(ledger.claim.by)):
        ledger = ledger.changed(claim=None)
    return ledger.changed(news=()), ledger.news


def _read(ledger: Ledger, who: Player, message: m.Body, time: int) -> Ledger:
    """Count a message in its place, and its sender as heard of; raises Cheat."""
    read = ledger.transcript
    if read.count >= MOST_MESSAGES:
        raise Cheat("More messages came than a match can take.")
    if message.at > read.count or read.chains[message.at].hex() != message.chain:
        raise Cheat("The two sides have not seen the same messages: their records differ.")
    chain = digest("chain", read.chains[-1].hex(), who, time, m.encode(message).decode())[:16]
    idle = read.idle[who] + 1
    if idle > MOST_IDLE:
        raise Cheat(f"More than {MOST_IDLE} messages came that change nothing.")
    saw_end = read.saw_end
    if ledger.stage == "over" and message.at >= read.over_at:
        saw_end |= {who}
    read = read.changed(chains=(*read.chains, chain), idle=with_seat(read.idle, who, idle), saw_end=saw_end)
    now = max(ledger.clock.now, time)
    clock = ledger.clock.changed(now=now, heard=with_seat(ledger.clock.heard, who, now))
    absent = ledger.absent
    if absent == who:
        absent = None
    return ledger.changed(transcript=read, clock=clock, absent=absent)


def _ended_by(ledger: Ledger, who: Player, message: m.Body) -> Ledger:
    """Note a claim that ends the match; a claim of the other player from before then makes it void."""
    if ledger.stage != "over":
        if ledger.ended_by_claim is None:
            return ledger
        return ledger.changed(ended_by_claim=None, both_claimed=False)
    if not isinstance(message, m.Claim):
        return ledger
    if ledger.just_moved:
        return ledger.changed(ended_by_claim=who)
    before = message.at < ledger.transcript.over_at
    if before and ledger.ended_by_claim == other(who) and not ledger.both_claimed:
        return ledger.changed(both_claimed=True).tell(news.Voided())
    return ledger


# -- joining


def _hello(ledger: Ledger, who: Player, hello: m.Hello) -> Ledger:
    shown_name(hello.name)
    return ledger.enter("asked", frozenset((m.GUEST,))).changed(terms=ledger.terms.changed(hello=hello))


def _join(ledger: Ledger, who: Player, join: m.Join) -> Ledger:
    hello = ledger.terms.hello
    assert hello is not None
    if ledger.why_unplayable() is not None:
        raise Cheat("An invitation was taken up that cannot be.")
    terms = ledger.terms.changed(
        proposal=Proposal.read(hello.game),
        players=distinct_names(shown_name(hello.name), shown_name(join.name)),
        lesson=hello.lesson and join.lesson,
    )
    return course.begin_round(ledger.changed(terms=terms, standing=Standing(Match(rounds=hello.rounds))))


def _refuse(ledger: Ledger, who: Player, refuse: m.Refuse) -> Ledger:
    return ledger.enter("refused").tell(news.Declined(refuse.why))


def _resign(ledger: Ledger, who: Player, resign: m.Resign) -> Ledger:
    if ledger.why_no_resignation():
        if ledger.moved_since(resign.at):
            return ledger
        raise Cheat("Somebody resigned where nothing was being played.")
    if ledger.begun:
        return course.cut(ledger, "resignation", who)
    return _call_off(ledger, who)


def _call_off(ledger: Ledger, who: Player) -> Ledger:
    """Void a match in which nothing was dealt; a finished match before it stays finished."""
    if ledger.previous is None:
        return ledger.enter("refused").moved_on().tell(news.CalledOff(who))
    ledger = ledger.enter("over").moved_on().changed(standing=ledger.previous)
    return course.note_end(ledger).tell(news.CalledOff(who))


def _claim(ledger: Ledger, who: Player, claim: m.Claim) -> Ledger:
    now, rival = ledger.clock.now, other(who)
    if ledger.moved_since(claim.at) or ledger.why_no_claim(who, now):
        return ledger.tell(news.NotCounted(who))
    if ledger.claim is None:
        return ledger.changed(claim=PendingClaim(who, now)).tell(news.Claimed(who))
    if not ledger.claim_counts(who, claim, now):
        return ledger
    absent = None
    if ledger.silent(rival):
        absent = rival
    ledger = ledger.changed(absent=absent)
    if ledger.stage != "bye":
        return course.cut(ledger, "claim", who, frozenset((rival,)))
    return course.give_up_hand(ledger, who)


def claimed_alone(ledger: Ledger, who: Player, time: int) -> tuple[Ledger, tuple[news.News, ...]]:
    """The match as this player sees it who claims it without the room, and the news; the other side may disagree."""
    rival = other(who)
    now = max(ledger.clock.now, time)
    ledger = ledger.changed(absent=rival, clock=ledger.clock.changed(now=now))
    if ledger.stage == "bye":
        ledger = course.give_up_hand(ledger, who)
    else:
        ledger = course.cut(ledger, "claim", who, frozenset((rival,)))
    return ledger.changed(news=()), ledger.news


# -- offers


def _propose(ledger: Ledger, who: Player, propose: m.Propose) -> Ledger:
    new = Offer(ledger.count, who, propose.kind)
    early = ledger.stage in ("hello", "asked", "refused")
    if ledger.moved_since(propose.at) or early or ledger.why_not_now(who, new.kind):
        return ledger.tell(news.Lapsed(new))
    same = [offer for offer in ledger.offers if offer.kind == new.kind]
    if any(offer.by == who for offer in same):
        return ledger
    if same and new.kind != "undo":  # both players offer the same
        return _take_up(ledger, same[0])
    return ledger.changed(offers=(*ledger.offers, new)).tell(news.Offered(new))


def _reply(ledger: Ledger, who: Player, answer: m.Reply) -> Ledger:
    offer = ledger.offer(answer.offer)
    if offer is None or answer.at < offer.id:
        return ledger
    if offer.by == who:
        return _without(ledger, offer).tell(news.Lapsed(offer))
    if answer.yes:
        return _take_up(ledger, offer)
    return _without(ledger, offer).tell(news.Answered(offer, yes=False))


def _without(ledger: Ledger, offer: Offer) -> Ledger:
    return ledger.changed(offers=tuple(standing for standing in ledger.offers if standing != offer))


def _take_up(ledger: Ledger, offer: Offer) -> Ledger:
    ledger = _without(ledger, offer)
    if offer.kind == "undo":
        ledger = ledger.changed(dealt=ledger.round.undo(ledger.seat(offer.by))).moved_on()
    ledger = ledger.tell(news.Answered(offer, yes=True))
    if offer.kind == "draw":
        return course.cut(ledger, "agreement", offer.by)
    if offer.kind == "rematch":
        return _begin_rematch(ledger)
    return ledger


def _begin_rematch(ledger: Ledger) -> Ledger:
    """Begin another match of the same kind; the other player moves first."""
    match = Match(rounds=ledger.match.rounds, first=other(ledger.match.first))
    ledger = ledger.changed(
        previous=ledger.standing,
        standing=Standing(match),
        matches=ledger.matches + 1,
        draw=Draw(),
        transcript=ledger.transcript.changed(saw_end=_NOBODY),
    )
    return course.begin_round(ledger)


# -- talk


def _have(ledger: Ledger, who: Player, have: m.Have) -> Ledger:
    """The sender is back or has seen the end, so their earlier offer of a rematch is void."""
    for offer in ledger.offers:
        if (offer.by, offer.kind) == (who, "rematch"):
            ledger = _without(ledger, offer).tell(news.Lapsed(offer))
    return ledger


def _help(ledger: Ledger, who: Player, asked: m.Help) -> Ledger:
    return ledger.changed(course=ledger.course.changed(helped=ledger.course.helped | {who}))


def _say(ledger: Ledger, who: Player, say: m.Say) -> Ledger:
    said = ledger.transcript.said[who] + 1
    transcript = ledger.transcript.changed(said=with_seat(ledger.transcript.said, who, said))
    ledger = ledger.changed(transcript=transcript)
    if said > m.MOST_PHRASES:
        return ledger
    return ledger.tell(news.Said(who, m.PHRASES[say.phrase]))


Effect = Callable[[Ledger, Player, Any], Ledger]
_OWED: dict[type[m.Body], tuple[str, Effect, tuple[str, ...]]] = {
    m.Hello: ("A greeting", _hello, ("hello",)),
    m.Join: ("An answer to the invitation", _join, ("asked",)),
    m.Refuse: ("A refusal", _refuse, ("asked",)),
    m.Commit: ("A share of a draw", course.commit, ("commit",)),
    m.Reveal: ("A share of a draw", course.reveal, ("reveal",)),
    m.Slots: ("A hand", course.lay_hand, ("slots", "play")),
    m.Move: ("A move", course.move, ("play",)),
    m.Open: ("A card", course.open_card, ("open",)),
    m.Bye: ("A farewell", course.show_hand, ("bye",)),
}
"""The messages that the match waits for: a name, the effect, and the stages in which they belong."""
_FREE: dict[type[m.Body], Effect] = {
    m.Resign: _resign,
    m.Claim: _claim,
    m.Propose: _propose,
    m.Reply: _reply,
    m.Have: _have,
    m.Help: _help,
    m.Say: _say,
}
"""The messages that may come at any time, and their effects."""


def _taken(ledger: Ledger, who: Player, message: m.Body) -> Ledger:
    """Let a message take effect; raises Cheat. A message that came too late has none."""
    free = _FREE.get(type(message))
    if free is not None:
        return free(ledger, who, message)
    title, effect, stages = _OWED[type(message)]
    if ledger.moved_since(message.at):
        if isinstance(message, m.Slots | m.Move):
            return ledger.tell(news.NotCounted(who))
        return ledger
    if ledger.stage not in stages:
        raise Cheat(f"{title} came where none belongs.")
    if not ledger.owes(who):
        raise Cheat(f"{title} came a second time, or out of turn.")
    return effect(ledger.changed(waiting=ledger.waiting - {who}), who, message)
