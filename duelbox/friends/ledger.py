"""The state of a match elsewhere, as both sides agree on it: they apply the same messages in the same order.

`effects.applied` makes the next state. What one player alone knows is in `own_hand`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from duelbox.core.errors import DuelboxError
from duelbox.core.match import Match, Player
from duelbox.core.model import Seat, other
from duelbox.core.news import Lapsed, News
from duelbox.core.offer import Kind, Offer
from duelbox.core.options import Options
from duelbox.core.record import PROGRAM, PlayerInfo, PlayerNumber, Record, RecordedRound
from duelbox.friends import claims
from duelbox.friends import messages as m
from duelbox.friends.hidden_hands import HiddenHands
from duelbox.friends.proposal import Proposal
from duelbox.friends.remote_round import RemoteRound

BOTH: frozenset[Player] = frozenset((m.HOST, m.GUEST))
_START = bytes(16)
_NO_MATCH = Match()


class _Value:
    """A part of the state: it never changes, and `changed` makes a copy."""

    def changed(self, **fields: Any) -> Self:
        """A copy with these fields changed."""
        return type(self)(**{**vars(self), **fields})


@dataclass(frozen=True)
class Terms(_Value):
    """The terms of the match: what the host proposes, and what the guest took up."""

    hello: m.Hello | None = None
    proposal: Proposal | None = None
    """The game; None until the guest sits down."""
    players: tuple[str, str] = ("", "")
    lesson: bool = False
    """Both players agreed to allow hints and verdicts."""


@dataclass(frozen=True)
class Standing(_Value):
    """A match as it stood at the start of its present round, and its rounds that are over and checked."""

    match: Match = _NO_MATCH
    recorded: tuple[RecordedRound, ...] = ()


@dataclass(frozen=True)
class Draw(_Value):
    """A draw: sealed shares of it, then the open ones. Chance follows from both players' shares."""

    seals: tuple[str | None, str | None] = (None, None)
    shares: tuple[m.Reveal | None, m.Reveal | None] = (None, None)
    options: Options | None = None
    """The house rules with all that was drawn for them; they outlast the round."""

    def share(self, who: Player) -> m.Reveal:
        """The share of a player, which must be open."""
        share = self.shares[who]
        assert share is not None
        return share


@dataclass(frozen=True)
class Course(_Value):
    """The course of a round: its times by the relay's clock, and who did what."""

    began: int = 0
    ended: int = 0
    last_by: Player = 0
    """The player who ended the round."""
    helped: frozenset[Player] = frozenset()
    """Players who asked for help in this round."""
    unshown: frozenset[Player] = frozenset()
    """Players who did not show their hand at the end of the round."""


@dataclass(frozen=True)
class Clock(_Value):
    """Times by the relay's clock."""

    now: int = 0
    """The time of the newest message."""
    due_since: int = 0
    """The time of the last change of the position."""
    heard: tuple[int, int] = (0, 0)
    """The time at which each player was last heard of."""


@dataclass(frozen=True)
class Transcript(_Value):
    """The messages so far, as fingerprints and counts."""

    chains: tuple[bytes, ...] = (_START,)
    """The fingerprint of all messages after each of them."""
    changed_at: int = 0
    """The number of messages at the last change of the position."""
    over_at: int = 0
    """The number of messages at the end of the match."""
    idle: tuple[int, int] = (0, 0)
    """Messages of each player since the position last changed."""
    said: tuple[int, int] = (0, 0)
    """Phrases of each player since then."""
    saw_end: frozenset[Player] = frozenset()
    """Players who have read the end of the match."""

    @property
    def count(self) -> int:
        """The number of messages applied."""
        return len(self.chains) - 1


@dataclass(frozen=True)
class Ledger(_Value):
    """A match between host and guest, as everybody in its room knows it."""

    place: str
    """The name of the room's key, so that no commitment fits another match."""
    stage: str = "hello"
    """The next message: the host's hello; "asked", the guest's answer; commit and reveal, a draw; slots, hidden hands;
    play; open, a struck card; bye, the hands at the end. Or none: "over", or "refused"."""
    waiting: frozenset[Player] = frozenset((m.HOST,))
    """The players whose message the stage waits for; in play, the turn says it."""
    terms: Terms = Terms()
    matches: int = 0
    """The number of matches played in this room before this one."""
    standing: Standing = Standing()
    previous: Standing | None = None
    """The finished match, for as long as its rematch can be called off."""
    draw: Draw = Draw()
    dealt: RemoteRound | None = None
    """The current round, once it is being dealt."""
    course: Course = Course()
    offers: tuple[Offer, ...] = ()
    """The open offers; the id of each is its place in the room."""
    claim: claims.PendingClaim | None = None
    """A claim that will count unless the other player is heard of."""
    ended_by_claim: Player | None = None
    """The player whose claim ended the match, if one did."""
    both_claimed: bool = False
    """Each player claimed the match while they could not reach the other, so it counts for nobody."""
    absent: Player | None = None
    """The player who was away when a game was claimed, and has been silent since: they lose the remaining rounds."""
    clock: Clock = Clock()
    transcript: Transcript = Transcript()
    news: tuple[News, ...] = ()
    """The news of the message that is being applied; empty in between."""

    # -- the round

    @property
    def match(self) -> Match:
        """The match as it stood at the start of this round."""
        return self.standing.match

    @property
    def round(self) -> RemoteRound:
        """The current round, which must have begun."""
        assert self.dealt is not None
        return self.dealt

    @property
    def hands(self) -> HiddenHands:
        """The hands of the current round, which must be hidden."""
        assert self.round.hands is not None
        return self.round.hands

    @property
    def proposal(self) -> Proposal:
        """The game, which must have been agreed on."""
        assert self.terms.proposal is not None
        return self.terms.proposal

    @property
    def count(self) -> int:
        """The number of messages applied."""
        return self.transcript.count

    def seat(self, player: Player) -> Seat:
        """The seat of a player in this round."""
        if self.match.player_in(0) == player:
            return 0
        return 1

    def record(self) -> Record:
        """The record of all rounds that are over and checked."""
        played = self.standing.recorded
        rounds = max(1, len(played))
        if self.stage == "over":
            rounds = self.match.rounds
        first: PlayerNumber = 1
        if self.match.first:
            first = 2
        names = self.terms.players
        level = None
        if self.terms.hello is not None and self.terms.hello.program:
            level = PROGRAM
        players = PlayerInfo(name=names[0], level=level), PlayerInfo(name=names[1])
        return Record(game=self.proposal.game.INFO.id, players=players, rounds=rounds, first=first, played=played)

    def offer(self, number: int) -> Offer | None:
        """The open offer with this id; None if there is none."""
        for offer in self.offers:
            if offer.id == number:
                return offer
        return None

    # -- what the match waits for

    def owes(self, who: Player) -> bool:
        """The match waits for a message of this player."""
        if self.stage == "play":
            return self.round.session.turn == self.seat(who)
        return who in self.waiting

    @property
    def begun(self) -> bool:
        """Something was dealt or played in this match, so it can no longer be called off."""
        if self.stage == "commit":
            return bool(self.match.winners)
        return self.stage in ("reveal", "slots", "play", "open", "bye")

    @property
    def just_moved(self) -> bool:
        """The newest message changed the position."""
        return self.transcript.changed_at == self.count

    def moved_since(self, count: int) -> bool:
        """The position has changed since the first `count` messages."""
        return self.transcript.changed_at > count

    # -- what is refused

    def why_no_offer(self, who: Player, kind: Kind) -> str | None:
        """The sentence that refuses this player's offer; None if it is possible now."""
        if any((offer.by, offer.kind) == (who, kind) for offer in self.offers):
            return "You have offered that already, and there is no answer yet."
        return self.why_not_now(who, kind)

    def why_not_now(self, who: Player, kind: Kind) -> str | None:
        """The sentence that refuses this player's offer, though it is the first; None if it is possible now."""
        if kind == "rematch":
            return None if self.stage == "over" else "The match is not over yet."
        if kind == "pause":
            return "The match is over." if self.stage == "over" else None
        if self.stage != "play":
            return "Nothing is being played just now."
        if kind == "draw":
            return self.round.session.why_no_draw()
        return self.round.why_no_undo(self.seat(who))

    def why_no_resignation(self) -> str | None:
        """The sentence that refuses a resignation; None if resigning, or calling the match off, is possible."""
        if self.stage in ("asked", "commit", "reveal", "slots", "play", "open"):
            return None
        return "Nothing is being played just now."

    def why_no_claim(self, who: Player, now: int) -> str | None:
        """The sentence that refuses this player's claim at this time of the relay; None if it is allowed."""
        if not self.begun:
            return "Nothing is being played just now."
        if self.owes(who) or not self.owes(other(who)):
            return "It is your turn."
        since = self.clock.due_since
        if self.stage == "play":  # programs answer all else by themselves, so chat extends only this deadline
            since = max(since, self.clock.heard[other(who)])
        if now - since < claims.AFTER:
            hours = claims.AFTER // 3600
            return f"You can claim a game once your opponent is silent for {hours} hours."
        return None

    def claim_counts(self, who: Player, claim: m.Claim, now: int) -> bool:
        """This claim ends the round: an earlier one has stood for long enough at this time of the relay."""
        if self.claim is None or self.claim.by != who or self.moved_since(claim.at):
            return False
        return now - self.claim.time >= claims.STANDS

    def silent(self, who: Player) -> bool:
        """This player has sent nothing for as long as a claim takes."""
        return self.clock.now - self.clock.heard[who] >= claims.AFTER

    def why_unplayable(self) -> m.Why | None:
        """The reason why the host's proposal cannot be played here; None if it can."""
        assert self.terms.hello is not None
        return why_unplayable(self.terms.hello)

    # -- changes, for `effects`

    def enter(self, stage: str, waiting: frozenset[Player] = frozenset()) -> Self:
        """The state in another stage, which waits for these players."""
        return self.changed(stage=stage, waiting=waiting)

    def tell(self, *items: News) -> Self:
        """The state with more news."""
        return self.changed(news=(*self.news, *items))

    def moved_on(self) -> Self:
        """The state after a change of the position: offers and claims are void, and counts begin anew."""
        transcript = self.transcript.changed(changed_at=self.count, idle=(0, 0), said=(0, 0))
        clock = self.clock.changed(due_since=self.clock.now)
        lapsed = map(Lapsed, self.offers)
        return self.tell(*lapsed).changed(transcript=transcript, clock=clock, claim=None, offers=())


def why_unplayable(hello: m.Hello) -> m.Why | None:
    """The reason why a proposal cannot be played here; None if it can."""
    if not hello.proto[0] <= m.PROTOCOL_VERSION <= hello.proto[1]:
        return "version"
    try:
        same = Proposal.read(hello.game).rules() == hello.rules
    except DuelboxError:
        return "game"
    return None if same else "rules"
