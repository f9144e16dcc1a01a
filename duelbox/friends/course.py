"""The course of a round: the effects of the messages that deal it, play it and end it."""

from __future__ import annotations

from datetime import UTC, datetime

from duelbox.core import news
from duelbox.core.match import Player, repeats_draw, round_options
from duelbox.core.model import other, with_seat
from duelbox.core.record import PlayerNumber, recorded_round
from duelbox.core.seeds import SHORT_SEED
from duelbox.core.session import By, Session
from duelbox.friends import messages as m
from duelbox.friends.channel import digest
from duelbox.friends.hidden_hands import Cheat, lock_of, sealed, shuffled
from duelbox.friends.ledger import BOTH, Draw, Ledger, Standing
from duelbox.friends.proposal import seeded
from duelbox.friends.remote_round import RemoteRound

_NOBODY: frozenset[Player] = frozenset()


# -- dealing


def begin_round(ledger: Ledger) -> Ledger:
    """Begin the next round: draw first what is drawn afresh, or lay what is known."""
    drawn = ledger.draw.options
    afresh = ledger.proposal.drawn and not repeats_draw(ledger.proposal.game, len(ledger.match.winners))
    ledger = ledger.moved_on().changed(draw=Draw(options=drawn), course=ledger.course.changed(helped=_NOBODY))
    if drawn is not None and ledger.absent is None and not afresh:
        return _lay(ledger)
    ledger = ledger.enter("commit", BOTH).changed(dealt=None)
    if ledger.absent is None:
        return ledger
    return cut(ledger, "claim", other(ledger.absent), frozenset((ledger.absent,)))


def commit(ledger: Ledger, who: Player, commit: m.Commit) -> Ledger:
    """Take a sealed share of the draw; raises Cheat."""
    if commit.sealed in ledger.draw.seals:
        raise Cheat("A share of the draw is a copy of the other.")
    ledger = ledger.changed(draw=ledger.draw.changed(seals=with_seat(ledger.draw.seals, who, commit.sealed)))
    if ledger.waiting:
        return ledger
    clock = ledger.clock.changed(due_since=ledger.clock.now)
    return ledger.enter("reveal", BOTH).changed(clock=clock, previous=None)


def reveal(ledger: Ledger, who: Player, reveal: m.Reveal) -> Ledger:
    """Take an open share of the draw; both together decide it. Raises Cheat."""
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


def lay_hand(ledger: Ledger, who: Player, slots: m.Slots) -> Ledger:
    """Take a hand that is laid face down; raises Cheat."""
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


def move(ledger: Ledger, who: Player, move: m.Move) -> Ledger:
    """Take a move; raises Cheat."""
    ledger = ledger.changed(dealt=ledger.round.move(ledger.seat(who), move.text, move.card))
    waits = ledger.round.waits
    if waits is None:
        return _after_move(ledger, who)
    return ledger.enter("open", frozenset((ledger.match.player_in(waits.seat),))).moved_on()


def open_card(ledger: Ledger, who: Player, opened: m.Open) -> Ledger:
    """Take the card that a move struck; raises Cheat."""
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


# -- the end


def cut(ledger: Ledger, by: By, who: Player, excused: frozenset[Player] = _NOBODY) -> Ledger:
    """End the round without a move; the hand of an excused player is not waited for."""
    dealt = ledger.dealt
    if dealt is None or not dealt.laid:  # nothing was dealt, so the round gets a session that can be cut
        dealt = RemoteRound.begin(ledger.proposal.game, ledger.proposal.options, _names(ledger))
        course = ledger.course.changed(began=ledger.clock.now)
        ledger = ledger.changed(draw=ledger.draw.changed(options=None), course=course)
    ledger = ledger.changed(dealt=dealt.cut(by, ledger.seat(who)))
    return _end(ledger.moved_on(), who, excused)


def give_up_hand(ledger: Ledger, who: Player) -> Ledger:
    """Give this player a round whose other hand was never shown."""
    dealt, rival = ledger.round, other(who)
    if not dealt.session.cut_short:
        dealt = dealt.cut("unshown", ledger.seat(who))
    ledger = ledger.changed(dealt=dealt).moved_on()
    course = ledger.course.changed(unshown=ledger.course.unshown | {rival})
    return _finish(ledger.changed(waiting=ledger.waiting - {rival}, course=course))


def show_hand(ledger: Ledger, who: Player, bye: m.Bye) -> Ledger:
    """Take a whole hand at the end, and check it; raises Cheat."""
    hands = ledger.hands
    if not ledger.round.chosen:
        if lock_of(bye.secret) != ledger.draw.share(who).lock:
            raise Cheat("The secret of a hand is not the one that was sealed.")
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
        return note_end(ledger.enter("over").moved_on())
    return begin_round(ledger.changed(standing=ledger.standing.changed(match=after)))


def _recorded(ledger: Ledger, session: Session) -> Standing:
    """The standing with the record of the round that is over."""
    course, match = ledger.course, ledger.match
    first: PlayerNumber = 1
    if match.first:
        first = 2
    began, ended = (datetime.fromtimestamp(at, UTC) for at in (course.began, course.ended))
    new = recorded_round(session, first, len(match.winners), began, ended).changed(assisted=bool(course.helped))
    return ledger.standing.changed(recorded=(*ledger.standing.recorded, new))


def note_end(ledger: Ledger) -> Ledger:
    """Note that the match is over with this message."""
    return ledger.changed(transcript=ledger.transcript.changed(over_at=ledger.count))
