"""The effect of each kind of message on a match: pure functions from a ledger to the next."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from duelbox.core import news
from duelbox.core.match import Match, Player, repeats_draw, round_options
from duelbox.core.model import other, with_seat
from duelbox.core.offer import Offer
from duelbox.core.record import PlayerNumber, recorded_round
from duelbox.core.seeds import SHORT_SEED
from duelbox.core.session import By, Session
from duelbox.friends import messages as m
from duelbox.friends.channel import digest
from duelbox.friends.claims import PendingClaim
from duelbox.friends.hidden_hands import Cheat, lock_of, sealed, shuffled
from duelbox.friends.ledger import BOTH, Draw, Ledger, Standing
from duelbox.friends.proposal import Proposal, distinct_names, seeded, shown_name
from duelbox.friends.remote_round import RemoteRound

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
    ledger = _taken(ledger, who, message)
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
    return _begin_round(ledger.changed(terms=terms, standing=Standing(Match(rounds=hello.rounds))))


def _refuse(ledger: Ledger, who: Player, refuse: m.Refuse) -> Ledger:
    return ledger.enter("refused").tell(news.Declined(refuse.why))


# -- dealing


def _begin_round(ledger: Ledger) -> Ledger:
    drawn = ledger.draw.options
    afresh = ledger.proposal.drawn and not repeats_draw(ledger.proposal.game, len(ledger.match.winners))
    ledger = ledger.moved_on().changed(draw=Draw(options=drawn), course=ledger.course.changed(helped=_NOBODY))
    if drawn is not None and ledger.absent is None and not afresh:
        return _lay(ledger)
    ledger = ledger.enter("commit", BOTH).changed(dealt=None)
    if ledger.absent is None:
        return ledger
    return _cut(ledger, "claim", other(ledger.absent), frozenset((ledger.absent,)))


def _commit(ledger: Ledger, who: Player, commit: m.Commit) -> Ledger:
    if commit.sealed in ledger.draw.seals:
        raise Cheat("A share of the draw is a copy of the other.")
    ledger = ledger.changed(draw=ledger.draw.changed(seals=with_seat(ledger.draw.seals, who, commit.sealed)))
    if ledger.waiting:
        return ledger
    clock = ledger.clock.changed(due_since=ledger.clock.now)
    return ledger.enter("reveal", BOTH).changed(clock=clock, previous=None)


def _reveal(ledger: Ledger, who: Player, reveal: m.Reveal) -> Ledger:
    if sealed(reveal.nonce, reveal.lock) != ledger.draw.seals[who]:
        raise Cheat("The share of the draw is not the one that was sealed before.")
    ledger = ledger.changed(draw=ledger.draw.changed(shares=with_seat(ledger.draw.shares, who, reveal)))
    if ledger.waiting:
        return ledger
    return _decide(ledger, digest("draw", ledger.draw.share(0).nonce, ledger.draw.share(1).nonce))


def _decide(ledger: Ledger, drawn: bytes) -> Ledger:
    """Decide what is drawn from bytes that both players' shares make."""
    if not ledger.match.winners and not ledger.matches:
        first = ledger.match.changed(first=drawn[0] % 2)
        ledger = ledger.changed(standing=ledger.standing.changed(match=first))
    options = ledger.proposal.options
    if ledger.proposal.drawn and ledger.proposal.dealing is None:
        options = seeded(options, int.from_bytes(drawn[8:16], "big") % SHORT_SEED + 1)
    return _lay(ledger.changed(draw=ledger.draw.changed(options=options)))


def _lay(ledger: Ledger) -> Ledger:
    proposal, number = ledger.proposal, len(ledger.match.winners)
    options = ledger.draw.options
    assert options is not None
    if not proposal.drawn:
        options = round_options(proposal.game, options, number)
    place = f"{ledger.place} {ledger.matches} {number}"
    dealt = RemoteRound.begin(proposal.game, options, _names(ledger), proposal.dealing, place)
    if number == 0:
        dealt = dealt.after(proposal.moves)
    ledger = ledger.changed(dealt=dealt).moved_on()
    if dealt.laid:
        return _start_play(ledger)
    return ledger.enter("slots", BOTH)


def _names(ledger: Ledger) -> tuple[str, str]:
    """The names by seat."""
    players = ledger.terms.players
    return players[ledger.match.player_in(0)], players[ledger.match.player_in(1)]


def _start_play(ledger: Ledger) -> Ledger:
    course = ledger.course.changed(began=ledger.clock.now)
    return ledger.enter("play").changed(course=course).tell(news.Began())


def _slots(ledger: Ledger, who: Player, slots: m.Slots) -> Ledger:
    seat = ledger.seat(who)
    if ledger.stage == "play" and not ledger.round.arranging(seat):
        raise Cheat("A hand was laid where a move belongs.")
    ledger = ledger.changed(dealt=ledger.round.lay(seat, slots.cards))
    if ledger.stage == "play":
        return _after_move(ledger, who)
    if ledger.waiting:
        return ledger
    return _start_play(ledger)


# -- playing


def _move(ledger: Ledger, who: Player, move: m.Move) -> Ledger:
    ledger = ledger.changed(dealt=ledger.round.move(ledger.seat(who), move.text, move.card))
    waits = ledger.round.waits
    if waits is None:
        return _after_move(ledger, who)
    return ledger.enter("open", frozenset((ledger.match.player_in(waits.seat),))).moved_on()


def _open(ledger: Ledger, who: Player, opened: m.Open) -> Ledger:
    ledger = ledger.changed(dealt=ledger.round.turn_up(ledger.seat(who), opened.card))
    return _after_move(ledger.enter("play"), other(who))


def _after_move(ledger: Ledger, by: Player) -> Ledger:
    ledger = ledger.moved_on()
    if ledger.round.session.outcome is None:
        return ledger.tell(news.Moved(by, ledger.round.plies[-1]))
    return _end(ledger, by)


def _end(ledger: Ledger, by: Player, excused: frozenset[Player] = _NOBODY) -> Ledger:
    """End the round. With hidden hands, its last turn becomes news only after the hands have been checked.

    The hand of an excused player is not waited for.
    """
    hands = ledger.round.hands
    laid = _NOBODY
    if hands is not None:
        laid = frozenset(who for who in BOTH if hands.slots[ledger.seat(who)])
    course = ledger.course.changed(ended=ledger.clock.now, last_by=by, unshown=excused & laid)
    return _finish(ledger.enter("bye", laid - excused).changed(course=course))


def _resign(ledger: Ledger, who: Player, resign: m.Resign) -> Ledger:
    if ledger.why_no_resignation():
        if ledger.moved_since(resign.at):
            return ledger
        raise Cheat("Somebody resigned where nothing was being played.")
    if ledger.begun:
        return _cut(ledger, "resignation", who)
    return _call_off(ledger, who)


def _call_off(ledger: Ledger, who: Player) -> Ledger:
    """Void a match in which nothing was dealt; a finished match before it stays finished."""
    if ledger.previous is None:
        return ledger.enter("refused").moved_on().tell(news.CalledOff(who))
    ledger = ledger.enter("over").moved_on().changed(standing=ledger.previous)
    return _note_end(ledger).tell(news.CalledOff(who))


def _note_end(ledger: Ledger) -> Ledger:
    """Note that the match is over with this message."""
    return ledger.changed(transcript=ledger.transcript.changed(over_at=ledger.count))


def _cut(ledger: Ledger, by: By, who: Player, excused: frozenset[Player] = _NOBODY) -> Ledger:
    dealt = ledger.dealt
    if dealt is None or not dealt.laid:  # nothing was dealt, so the round gets a session that can be cut
        dealt = RemoteRound.begin(ledger.proposal.game, ledger.proposal.options, _names(ledger))
        course = ledger.course.changed(began=ledger.clock.now)
        ledger = ledger.changed(draw=ledger.draw.changed(options=None), course=course)
    ledger = ledger.changed(dealt=dealt.cut(by, ledger.seat(who)))
    return _end(ledger.moved_on(), who, excused)


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
        return _cut(ledger, "claim", who, frozenset((rival,)))
    return _give_up_hand(ledger, who)


def claimed_alone(ledger: Ledger, who: Player, time: int) -> tuple[Ledger, tuple[news.News, ...]]:
    """The match as this player sees it who claims it without the room, and the news; the other side may disagree."""
    rival = other(who)
    now = max(ledger.clock.now, time)
    ledger = ledger.changed(absent=rival, clock=ledger.clock.changed(now=now))
    gives_up = ledger.stage == "bye"
    claimed = _give_up_hand(ledger, who) if gives_up else _cut(ledger, "claim", who, frozenset((rival,)))
    return claimed.changed(news=()), claimed.news


def _give_up_hand(ledger: Ledger, who: Player) -> Ledger:
    """Give this player a round whose other hand was never shown."""
    dealt, rival = ledger.round, other(who)
    if not dealt.session.cut_short:
        dealt = dealt.cut("unshown", ledger.seat(who))
    ledger = ledger.changed(dealt=dealt).moved_on()
    course = ledger.course.changed(unshown=ledger.course.unshown | {rival})
    return _finish(ledger.changed(waiting=ledger.waiting - {rival}, course=course))


def _bye(ledger: Ledger, who: Player, bye: m.Bye) -> Ledger:
    hands = ledger.hands
    if not ledger.round.chosen:
        if lock_of(bye.secret) != ledger.draw.share(who).lock:
            raise Cheat("At the end the secret of a hand was not the one that was sealed before.")
        if shuffled(hands.cards, bye.secret, ledger.draw.share(other(who)).nonce) != bye.order:
            raise Cheat("A hand was not in the order that chance gave it.")
    return _finish(ledger.changed(dealt=ledger.round.audit(ledger.seat(who), bye.order, bye.secret)))


def _finish(ledger: Ledger) -> Ledger:
    """Count the round when nobody is waited for any more, and begin the next."""
    if ledger.waiting:
        return ledger
    unshown = [ledger.seat(who) for who in ledger.course.unshown]
    dealt = ledger.round.forget(unshown)
    dealt.verify()
    session, match = dealt.shown, ledger.match
    outcome = session.outcome
    assert outcome is not None
    last = session.plies[-1:]
    if session.by == "unshown":
        last = session.plies[-2:]
    ledger = ledger.changed(dealt=dealt, standing=_recorded(ledger, session))
    ledger = ledger.tell(*(news.Moved(ledger.course.last_by, ply) for ply in last), news.RoundOver(session, match))
    after = match.with_round(outcome)
    if after.over:
        return _note_end(ledger.enter("over").moved_on())
    return _begin_round(ledger.changed(standing=ledger.standing.changed(match=after)))


def _recorded(ledger: Ledger, session: Session) -> Standing:
    """The standing with the record of the round that is over."""
    course, match = ledger.course, ledger.match
    first: PlayerNumber = 1
    if match.first:
        first = 2
    began, ended = (datetime.fromtimestamp(at, UTC) for at in (course.began, course.ended))
    new = recorded_round(session, first, len(match.winners), began, ended).changed(assisted=bool(course.helped))
    return ledger.standing.changed(recorded=(*ledger.standing.recorded, new))


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
        return _cut(ledger, "agreement", offer.by)
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
    return _begin_round(ledger)


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
    m.Commit: ("A share of a draw", _commit, ("commit",)),
    m.Reveal: ("A share of a draw", _reveal, ("reveal",)),
    m.Slots: ("A hand", _slots, ("slots", "play")),
    m.Move: ("A move", _move, ("play",)),
    m.Open: ("A card", _open, ("open",)),
    m.Bye: ("A farewell", _bye, ("bye",)),
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
