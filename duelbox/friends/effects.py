"""The effect of each kind of message on a ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from duelbox.core import news
from duelbox.core.match import Match, Player, repeats_draw, round_options
from duelbox.core.model import other
from duelbox.core.offer import Offer
from duelbox.core.record import recorded_round
from duelbox.core.session import By
from duelbox.friends import messages as m
from duelbox.friends.channel import digest
from duelbox.friends.claims import PendingClaim
from duelbox.friends.hidden_hands import Cheat, lock_of, sealed
from duelbox.friends.proposal import distinct_names, seeded, shown_name
from duelbox.friends.remote_round import RemoteRound

if TYPE_CHECKING:
    from duelbox.friends.ledger import Ledger

_SHORT_SEED = 999_999
_BOTH = (m.HOST, m.GUEST)


# -- joining


def _apply_hello(ledger: Ledger, who: Player, hello: m.Hello) -> None:
    ledger.hello = hello
    ledger._enter("asked", m.GUEST)
    shown_name(hello.name)


def _apply_join(ledger: Ledger, who: Player, join: m.Join) -> None:
    assert ledger.hello is not None
    if ledger.read_proposal() is not None:
        raise Cheat("An invitation was taken up that cannot be.")
    ledger.players = distinct_names(shown_name(ledger.hello.name), shown_name(join.name))
    ledger.lesson = ledger.hello.lesson and join.lesson
    ledger.match = Match(rounds=ledger.hello.rounds)
    _begin_round(ledger)


def _apply_refuse(ledger: Ledger, who: Player, refuse: m.Refuse) -> None:
    ledger._enter("refused")
    ledger._tell(news.Declined(refuse.why))


# -- dealing


def _begin_round(ledger: Ledger) -> None:
    assert ledger.proposal is not None
    ledger._seals, ledger._shares, ledger.order, ledger.helped = {}, {}, None, set()
    ledger._moved_on()
    afresh = ledger.proposal.drawn and not repeats_draw(ledger.proposal.game, len(ledger.match.winners))
    if ledger._options is not None and ledger._absent is None and not afresh:
        return _lay(ledger)
    ledger._round = None
    ledger._enter("commit", *_BOTH)
    return None if ledger._absent is None else _cut(ledger, "claim", other(ledger._absent), ledger._absent)


def _apply_commit(ledger: Ledger, who: Player, commit: m.Commit) -> None:
    if commit.sealed in ledger._seals.values():
        raise Cheat("A share of the draw is a copy of the other.")
    ledger._seals[who] = commit.sealed
    if not ledger.waiting:
        ledger._enter("reveal", *_BOTH)
        ledger._due_since, ledger._previous = ledger._time, None


def _apply_reveal(ledger: Ledger, who: Player, reveal: m.Reveal) -> None:
    if sealed(reveal.nonce, reveal.lock) != ledger._seals[who]:
        raise Cheat("The share of the draw is not the one that was sealed before.")
    ledger._shares[who] = reveal
    if not ledger.waiting:
        _decide(ledger, digest("draw", ledger._shares[0].nonce, ledger._shares[1].nonce))


def _decide(ledger: Ledger, drawn: bytes) -> None:
    """Decide what is drawn from bytes that both players' shares make."""
    assert ledger.proposal is not None
    if not ledger.match.winners and not ledger.matches:
        ledger.match = ledger.match.changed(first=drawn[0] % 2)
    options = ledger.proposal.options
    if ledger.proposal.drawn and ledger.proposal.dealing is None:
        options = seeded(options, int.from_bytes(drawn[8:16], "big") % _SHORT_SEED + 1)
    ledger._options = options
    _lay(ledger)


def _lay(ledger: Ledger) -> None:
    proposal, number = ledger.proposal, len(ledger.match.winners)
    assert proposal is not None
    assert ledger._options is not None
    options = ledger._options if proposal.drawn else round_options(proposal.game, ledger._options, number)
    names = ledger.players[ledger.match.player_in(0)], ledger.players[ledger.match.player_in(1)]
    place = f"{ledger._place} {ledger.matches} {number}"
    ledger._round = RemoteRound(proposal.game, options, names, proposal.dealing, place)
    for move in proposal.moves if number == 0 else ():
        ledger.round.played.play(move)
    ledger._moved_on()
    if ledger.round.laid:
        _start_play(ledger)
    else:
        ledger._enter("slots", *_BOTH)


def _start_play(ledger: Ledger) -> None:
    ledger._enter("play")
    ledger._began = ledger._time
    ledger._tell(news.Began())


def _apply_slots(ledger: Ledger, who: Player, slots: m.Slots) -> None:
    if ledger.stage == "play" and not ledger.round.arranging(ledger.seat(who)):
        raise Cheat("A hand was laid where a move belongs.")
    ledger.round.lay(ledger.seat(who), slots.cards, ledger._known(who))
    if ledger.stage == "play":
        _after_move(ledger, who)
    elif not ledger.waiting:
        _start_play(ledger)


# -- playing


def _apply_move(ledger: Ledger, who: Player, move: m.Move) -> None:
    ledger.round.move(ledger.seat(who), move.text, move.card)
    if ledger.round.waits is None:
        return _after_move(ledger, who)
    ledger._enter("open", ledger.match.player_in(ledger.round.waits[1]))
    return ledger._moved_on()


def _apply_open(ledger: Ledger, who: Player, opened: m.Open) -> None:
    ledger.round.turn_up(ledger.seat(who), opened.card)
    ledger._enter("play")
    _after_move(ledger, other(who))


def _after_move(ledger: Ledger, by: Player) -> None:
    ledger._moved_on()
    if ledger.round.played.outcome is None:
        ledger._tell(news.Moved(by, ledger.round.played.plies[-1]))
    else:
        _end(ledger, by)


def _end(ledger: Ledger, by: Player, *excused: Player) -> None:
    """End the round. With hidden hands, its last turn becomes news only after the hands have been checked.

    The hand of an excused player is not waited for.
    """
    ledger._ended, ledger._last_by = ledger._time, by
    laid = {who for who in _BOTH if ledger.round.hands is not None and ledger.hands.slots[ledger.seat(who)]}
    ledger._enter("bye", *laid - {*excused})
    ledger._unshown = {*excused} & laid
    _finish(ledger)


def _apply_resign(ledger: Ledger, who: Player, resign: m.Resign) -> None:
    if ledger.why_no_resignation():
        if ledger._late(resign):
            return
        raise Cheat("Somebody resigned where nothing was being played.")
    if ledger.begun:
        _cut(ledger, "resignation", who)
    else:
        _call_off(ledger, who)


def _call_off(ledger: Ledger, who: Player) -> None:
    """Void a match in which nothing was dealt; a finished match before it stays finished."""
    ledger._enter("refused" if ledger._previous is None else "over")
    ledger._moved_on()
    if ledger._previous is not None:
        ledger.match, ledger._recorded = ledger._previous
        ledger._over_at = ledger.count
    ledger._tell(news.CalledOff(who))


def _cut(ledger: Ledger, by: By, who: Player, *excused: Player) -> None:
    if ledger._round is None or not ledger.round.laid:  # nothing was dealt, so the round gets a session that can be cut
        assert ledger.proposal is not None
        names = ledger.players[ledger.match.player_in(0)], ledger.players[ledger.match.player_in(1)]
        ledger._round = RemoteRound(ledger.proposal.game, ledger.proposal.options, names)
        ledger._options, ledger._began = None, ledger._time
    ledger.round.cut(by, ledger.seat(who))
    ledger._moved_on()
    _end(ledger, who, *excused)


def _apply_claim(ledger: Ledger, who: Player, claim: m.Claim) -> None:
    if ledger._late(claim) or ledger.why_no_claim(who, ledger._time):
        return ledger._tell(news.NotCounted(who))
    if ledger.claim is None:
        ledger.claim = PendingClaim(who, ledger._time)
        return ledger._tell(news.Claimed(who))
    if not ledger.claim_counts(who, claim, ledger._time):
        return None
    ledger._absent = other(who) if ledger.silent(other(who)) else None
    if ledger.stage != "bye":
        return _cut(ledger, "claim", who, other(who))
    if not ledger.round.played.cut_short:
        ledger.round.cut("unshown", ledger.seat(who))
    ledger._moved_on()
    ledger.waiting.discard(other(who))
    ledger._unshown.add(other(who))
    return _finish(ledger)


def _apply_bye(ledger: Ledger, who: Player, bye: m.Bye) -> None:
    _check_hand(ledger, who, bye)
    _finish(ledger)


def _check_hand(ledger: Ledger, who: Player, bye: m.Bye) -> None:
    if not ledger.round.chosen:
        if lock_of(bye.secret) != ledger._shares[who].lock:
            raise Cheat("At the end the secret of a hand was not the one that was sealed before.")
        if ledger._shuffled(who, bye.secret) != bye.order:
            raise Cheat("A hand was not in the order that chance gave it.")
    ledger.round.audit(ledger.seat(who), bye.order, bye.secret)


def _finish(ledger: Ledger) -> None:
    """Count the round when nobody is waited for any more, and begin the next."""
    if ledger.waiting:
        return
    assert ledger.proposal is not None
    for who in ledger._unshown:
        ledger.round.forget(ledger.seat(who))
    session = ledger.round.shown
    outcome = session.outcome
    assert outcome is not None
    for ply in session.plies[-2 if session.by == "unshown" else -1 :]:
        ledger._tell(news.Moved(ledger._last_by, ply))
    number = len(ledger.match.winners)
    began, ended = (datetime.fromtimestamp(at, UTC) for at in (ledger._began, ledger._ended))
    told = recorded_round(session, 2 if ledger.match.first else 1, number, began, ended)
    ledger._recorded.append(told.changed(assisted=bool(ledger.helped)))
    ledger._tell(news.RoundOver(session, ledger.match))
    after = ledger.match.with_round(outcome)
    if after.over:
        ledger._enter("over")
        ledger._moved_on()
        ledger._over_at = ledger.count
    else:
        ledger.match = after
        _begin_round(ledger)


# -- offers


def _apply_propose(ledger: Ledger, who: Player, offer: m.Propose) -> None:
    new = Offer(ledger.count, who, offer.kind)
    if ledger._late(offer) or ledger.stage in ("hello", "asked", "refused") or ledger._why_not_now(who, new.kind):
        return ledger._tell(news.Lapsed(new))
    same = [one for one in ledger.offers.values() if one.kind == new.kind]
    if any(one.by == who for one in same):
        return None
    if same and new.kind != "undo":  # both players offer the same
        return _take_up(ledger, same[0])
    ledger.offers[new.id] = new
    return ledger._tell(news.Offered(new))


def _apply_reply(ledger: Ledger, who: Player, answer: m.Reply) -> None:
    offer = ledger.offers.get(answer.offer)
    if offer is None or answer.at < offer.id:
        return
    if offer.by == who:
        _lapse(ledger, offer)
    elif answer.yes:
        _take_up(ledger, offer)
    else:
        del ledger.offers[offer.id]
        ledger._tell(news.Answered(offer, yes=False))


def _lapse(ledger: Ledger, offer: Offer) -> None:
    del ledger.offers[offer.id]
    ledger._tell(news.Lapsed(offer))


def _take_up(ledger: Ledger, offer: Offer) -> None:
    del ledger.offers[offer.id]
    if offer.kind == "undo":
        ledger.round.undo(ledger.seat(offer.by))
        ledger._moved_on()
    ledger._tell(news.Answered(offer, yes=True))
    if offer.kind == "draw":
        _cut(ledger, "agreement", offer.by)
    elif offer.kind == "rematch":
        _begin_rematch(ledger)


def _begin_rematch(ledger: Ledger) -> None:
    """Begin another match of the same kind; the other player moves first."""
    ledger._previous = ledger.match, ledger._recorded
    ledger.matches += 1
    ledger.match = Match(rounds=ledger.match.rounds, first=0 if ledger.match.first else 1)
    ledger._options, ledger._recorded, ledger.saw_end = None, [], set()
    _begin_round(ledger)


# -- talk


def _apply_have(ledger: Ledger, who: Player, have: m.Have) -> None:
    """The sender is back or has seen the end, so their earlier offer of a rematch is void."""
    for offer in [one for one in ledger.offers.values() if (one.by, one.kind) == (who, "rematch")]:
        _lapse(ledger, offer)


def _apply_help(ledger: Ledger, who: Player, asked: m.Help) -> None:
    ledger.helped.add(who)


def _apply_say(ledger: Ledger, who: Player, say: m.Say) -> None:
    ledger.said[who] += 1
    if ledger.said[who] <= m.MOST_PHRASES:
        ledger._tell(news.Said(who, m.PHRASES[say.phrase]))


Effect = Callable[["Ledger", Player, Any], None]
_OWED: dict[type[m.Body], tuple[str, Effect, tuple[str, ...]]] = {
    m.Hello: ("A greeting", _apply_hello, ("hello",)),
    m.Join: ("An answer to the invitation", _apply_join, ("asked",)),
    m.Refuse: ("A refusal", _apply_refuse, ("asked",)),
    m.Commit: ("A share of a draw", _apply_commit, ("commit",)),
    m.Reveal: ("A share of a draw", _apply_reveal, ("reveal",)),
    m.Slots: ("A hand", _apply_slots, ("slots", "play")),
    m.Move: ("A move", _apply_move, ("play",)),
    m.Open: ("A card", _apply_open, ("open",)),
    m.Bye: ("A farewell", _apply_bye, ("bye",)),
}
"""The messages that the match waits for: a name, the effect, and the stages in which they belong."""
_FREE: dict[type[m.Body], Effect] = {
    m.Resign: _apply_resign,
    m.Claim: _apply_claim,
    m.Propose: _apply_propose,
    m.Reply: _apply_reply,
    m.Have: _apply_have,
    m.Help: _apply_help,
    m.Say: _apply_say,
}
"""The messages that may come at any time, and their effects."""


def take(ledger: Ledger, who: Player, message: m.Body) -> None:
    """Let a message change the ledger; raises Cheat. A message that came too late has no effect."""
    if (free := _FREE.get(type(message))) is not None:
        return free(ledger, who, message)
    what, effect, stages = _OWED[type(message)]
    if ledger._late(message):
        return ledger._tell(*[news.NotCounted(who)] if isinstance(message, m.Slots | m.Move) else ())
    if ledger.stage not in stages:
        raise Cheat(f"{what} came where none belongs.")
    if not ledger.owes(who):
        raise Cheat(f"{what} came a second time, or out of turn.")
    ledger.waiting.discard(who)
    return effect(ledger, who, message)
