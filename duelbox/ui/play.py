"""What is on the table: a match, its present game, and who sits where. No Textual in here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from duelbox.core.chance import freshly
from duelbox.core.game import AnyGame, Preset, preset_of
from duelbox.core.match import Match, Player, round_options
from duelbox.core.model import SEATS, Seat
from duelbox.core.options import Options
from duelbox.core.record import Who
from duelbox.core.session import Session

PACES = (0, 200, 400, 800, 1500, 3000)
"""How long computers may be made to wait, in milliseconds."""


def now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


@dataclass
class Play:
    """One match being played."""

    game: AnyGame
    options: Options
    """Of the first round; later rounds draw afresh."""
    players: tuple[Who, Who]
    match: Match = field(default_factory=Match)
    fresh: bool = True
    """Whether later rounds draw a deal of their own, or one that follows from the seed that was asked for."""
    previous: Play | None = None
    """The game that lay here before, so that starting anew can be taken back."""
    following: Play | None = None
    """The game that was taken back so."""
    saved: Any = None
    """Where the store keeps it."""
    pace: int | None = None
    """How long the computers wait at this table, in milliseconds, where that was changed here."""
    notice: str = ""
    """What there is to say about how it was kept, once."""

    def __post_init__(self) -> None:
        """Deal the round."""
        self.session = self._deal()

    def _deal(self) -> Session:
        self.started = now()
        self.assisted = False
        number = len(self.match.winners)
        options = self.options
        if number:
            # A seed that follows from the last one would give away the next secret deal.
            options = freshly(self.game, options) if self.fresh else round_options(options, number)
        return Session(self.game, options, (self.who(0).name, self.who(1).name))

    def take(self, session: Session) -> None:
        """Go on with this session (a game read from a code or a record)."""
        self.session = session

    # -- who is who

    def who(self, seat: Seat) -> Who:
        """Who sits in a seat in the round on the table."""
        return self.players[self.match.player_in(seat)]

    def is_computer(self, seat: Seat) -> bool:
        """Whether the computer plays this seat."""
        return self.who(seat).level is not None

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people sit in."""
        return tuple(seat for seat in SEATS if not self.is_computer(seat))

    @property
    def computer_to_move(self) -> bool:
        """Whether the computer is to move, and may."""
        return not self.session.full and self.session.turn is not None and self.is_computer(self.session.turn)

    @property
    def viewer(self) -> Seat | None:
        """Whose eyes the table is drawn for: the only person's, or, between two, the one to move."""
        if len(self.people) == 1:
            return self.people[0]
        return self.session.turn if self.people else None

    @property
    def needs_curtain(self) -> bool:
        """Whether two people share a screen that must hide something from each."""
        return self.game.INFO.hidden and len(self.people) == 2

    @property
    def preset(self) -> Preset[Any] | None:
        """The preset these options are, if any (whatever the seed)."""
        return preset_of(self.game, self.options)

    # -- rounds

    @property
    def score(self) -> Match:
        """The match with this round counted in, if it is over."""
        outcome = self.session.outcome
        return self.match if outcome is None or self.match.over else self.match.with_round(outcome)

    def next_round(self) -> None:
        """Deal the next round; the starter changes."""
        self.match = self.score
        self.session = self._deal()

    def rematch(self) -> Play:
        """The same again as a new match; the starter changes."""
        first: Player = 0 if self.match.first else 1
        fresh = Match(rounds=self.match.rounds, first=first)
        return Play(self.game, freshly(self.game, self.options), self.players, fresh, previous=self, pace=self.pace)

    # -- speed

    def waits(self, setting: int) -> int:
        """How long the computers wait: as it is set, or as it was changed at this table."""
        return setting if self.pace is None else self.pace

    def change_pace(self, setting: int, change: int) -> int:
        """The computers wait longer (1) or less (-1) at this table; how long now."""
        here = min(range(len(PACES)), key=lambda at: abs(PACES[at] - self.waits(setting)))
        self.pace = PACES[max(0, min(len(PACES) - 1, here + change))]
        return self.pace

    # -- undo

    @property
    def under_way(self) -> bool:
        """Whether it is more than a table just laid: something was played, or another game lay here before."""
        return bool(self.session.plies or self.match.winners or self.previous)

    @property
    def may_go_back(self) -> bool:
        """Whether the game before can be had back: there is one, and nobody chose anything since."""
        chosen = any(ply.seat in (self.people or SEATS) for ply in self.session.plies)
        return self.previous is not None and not chosen and not self.match.winners

    def go_back(self) -> Play | None:
        """The game before, if it can be had back; it now has this one after it."""
        if not self.may_go_back or self.previous is None:
            return None
        self.previous.following = self
        return self.previous

    def undo(self) -> None:
        """Take back: against the computer, to your own last choice; raises CannotUndo."""
        self.session.undo(self.people or SEATS)

    def redo(self) -> None:
        """Play again what was taken back, as far as `undo` went."""
        self.session.redo(self.people or SEATS)

    def why_no_undo(self) -> str | None:
        """Why nothing can be taken back, if so."""
        return self.session.why_no_undo(self.people or SEATS)
