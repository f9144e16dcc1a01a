"""Looking back at a match: which turn of which round one looks at, with whose eyes, and the moves judged by now."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from duelbox.bots import Level, level_of, levels_of
from duelbox.core.match import Match, Player, player_at
from duelbox.core.model import SEATS, Seat, Voice
from duelbox.core.news import PositionChanged
from duelbox.core.record import Record, match_of
from duelbox.core.session import Session, replayed
from duelbox.learn.mistakes import Mistakes, mistakes_in, most_telling
from duelbox.learn.turning_points import NO_REVIEW_YET, JudgedMove, stream, why
from duelbox.solve import analyse, sentences
from duelbox.solve.api import Analysis, Stop
from duelbox.table.base import BaseTable
from duelbox.table.local import LocalTable
from duelbox.table.new_game import NewGame
from duelbox.table.prompts import WORKING, Prompts, Refusals, story
from duelbox.table.state import TableState
from duelbox.table.story import ending, latest, winner_told
from duelbox.table.task import VerbTask, against, level_after, people_in, plays, verb

AUTOPLAY_SECONDS = 1.0
FAR = 10_000
"""More turns than a game can have."""


class ReviewTable(BaseTable):
    """A round of a record as it lay on the table at the turn looked at; nobody moves here."""

    def __init__(self, record: Record, played: tuple[Session, ...], error: str | None) -> None:
        """`played` are the rounds as far as they could be read, and `error` says what could not."""
        self.record, self.played, self.error = record, played, error
        super().__init__(played[0], people_in(played[0]), Match(), played[0].options)
        self._sessions = tuple(session.copy() for session in played)
        """The rounds, each where it is looked at."""
        self.round = 0
        self.hidden = self.game.INFO.hidden
        # Until the match is over, nobody's secrets are told: a round that has ended may tell of the next.
        self.secret = self.hidden and not match_of(record).over
        people = [at for at, one in enumerate(record.players) if one.level is None]
        only: Player = 1 if people == [1] else 0
        self.eyes: Player | None = only if not self.secret and (self.hidden or len(people) == 1) else None
        """The player whose eyes look and whose mistakes are asked for; None for both, with all revealed that may be."""
        going_on = any(session.outcome is None for session in played) and len(people) == len(record.players)
        self.barred = self.secret or going_on
        """People still play it, so nothing is told of what moves are worth."""
        self.judged: list[dict[int, JudgedMove]] = [{} for _ in played]
        """Of each round, its moves that are judged by now, by their turn."""
        self.ends: dict[int, Analysis] = {}
        """The analysis of the last position of each round that breaks off."""
        self.complete = False
        """All that can be judged is."""
        self.go(0, 0)

    # -- who looks, and at what

    @property
    def seat(self) -> Seat | None:
        """The seat, in the round looked at, of the player whose eyes look; None for both."""
        return self._seat_in(self.round)

    def _seat_in(self, count: int) -> Seat | None:
        return next((seat for seat in SEATS if player_at(seat, self.first, count) == self.eyes), None)

    @property
    def first(self) -> Player:
        """The player who began the first round."""
        return 1 if self.record.first == 2 else 0

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seat whose eyes look, if it is one's."""
        return () if self.seat is None else (self.seat,)

    @property
    def voice(self) -> Voice:
        """The players in sentences: the only person of the match is "you"."""
        people = [at for at, one in enumerate(self.record.players) if one.level is None]
        one, two = self.session.names
        mine = [seat for seat in SEATS if self._player_in(seat) in people]
        return Voice((one, two), mine[0] if len(mine) == 1 else None)

    def _player_in(self, seat: Seat) -> Player:
        return player_at(seat, self.first, self.round)

    @property
    def left_seat(self) -> Seat:
        """The seat on the left: that of the only person, or else of the first player."""
        you = self.voice.you
        return you if you is not None else 0 if self._player_in(0) == 0 else 1

    def level_number(self, seat: Seat) -> int:
        """The level of the computer that sat here; 0 where a person did."""
        known = [level.id for level in levels_of(self.game.INFO.id)]
        level = self.record.players[self._player_in(seat)].level
        return known.index(level) + 1 if level in known else 0

    @property
    def my_turn(self) -> bool:
        """Nobody moves here."""
        return False

    @property
    def mover(self) -> Seat | None:
        """The seat to move, also in a game that was cut short."""
        return self.session.state.turn

    @property
    def hands_open(self) -> bool:
        """All is revealed that may be, unless one player's eyes look."""
        return self.seat is None and not self.secret

    def may_know(self, seat: Seat | None) -> bool:
        """The knowledge of this seat may be shown to the eyes that look."""
        return not self.hidden or self.seat in (None, seat)

    @property
    def at(self) -> int:
        """The number of turns taken at the position looked at."""
        return len(self.session.plies)

    @property
    def last(self) -> int:
        """The number of turns of the round."""
        return len(self.played[self.round].plies)

    def log(self) -> tuple[tuple[Seat, str], ...]:
        """All moves of the round, as the eyes that look may know them."""
        played = self.played[self.round]
        return tuple(
            (seat, "•••" if ply.move is not None and ply.move.secret and not self.may_know(seat) else text)
            for ply, (seat, text) in zip(played.plies, played.log(), strict=True)
        )

    # -- going about

    def go(self, at: int, count: int | None = None) -> None:
        """Look at the position after so many turns, of another round if one is named."""
        self.round = max(0, min(len(self.played) - 1, self.round if count is None else count))
        self.session = self._sessions[self.round]
        self.session.go(at)
        self.players = people_in(self.session)
        self.happened.append(PositionChanged())

    def next_eyes(self) -> str:
        """Look as the other player, then with all revealed, then as the first; a sentence says so."""
        order: tuple[Player | None, ...] = (0, 1, None)
        self.eyes = order[(order.index(self.eyes) + 1) % len(order)]
        seat, voice = self.seat, self.voice
        whom, whose = ("both players",) * 2 if seat is None else (voice.whom(seat), voice.whose(seat))
        shown = "All hands are shown" if seat is None else f"As {whom} saw it"
        mistakes = f"the mistakes of {whose}" if seat is None else f"{whose} mistakes"
        return f"{f'{shown}; m' if self.hidden else 'm'} looks at {mistakes}."

    def here(self) -> Session:
        """The round as far as one looks, to be played on."""
        session = self.session
        return replayed(session.game, session.options, session.moves, session.names)

    # -- judging

    def judge(self, stop: Stop) -> Iterator[None]:
        """Judge all rounds, a move at a time; raises Stopped."""
        for count, session in enumerate(self.played):
            for one in stream(session, stop):
                self.judged[count][one.ply] = one
                yield
            if session.state.turn is not None:
                view = session.game.view(session.state, session.state.turn)
                self.ends[count] = analyse(session.game, view, stop)
        self.complete = True

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position, if it is worked out."""
        judged = self.judged[self.round].get(self.at + 1)
        ends = self.at >= len(self.played[self.round].moves)
        return judged.analysis if judged else self.ends.get(self.round) if ends else None

    def games(self) -> list[tuple[Session, list[JudgedMove]]]:
        """The rounds with their moves as they were judged."""
        rounds = zip(self.played, self.judged, strict=True)
        return [(session, [judged[ply] for ply in sorted(judged)]) for session, judged in rounds]

    def mistakes(self) -> Mistakes | None:
        """The mistakes of those who look, the three most telling first; None where there are none."""
        found = mistakes_in([(*game, self._seat_in(count)) for count, game in enumerate(self.games())])
        first = most_telling(found)
        return Mistakes(first, [one for one in found if one not in first]) if found else None


def _on_the_way(review: ReviewTask) -> bool:
    return review.table.mover is not None


def _told(review: ReviewTask) -> bool:
    return not review.table.secret


def _rounds(review: ReviewTask) -> bool:
    return len(review.table.played) > 1


class ReviewTask(VerbTask):
    """A match is looked at again, move by move, with its turning points; one can play on from any point."""

    place = "Review"

    def __init__(self, table: ReviewTable) -> None:
        self.table = table
        self.wanted = False
        """The mistakes are to be shown as soon as all moves are judged."""
        self.moved = False
        """Somebody has gone about."""
        self.playing: asyncio.TimerHandle | None = None
        """It goes on by itself."""
        self._level: Level | None = None

    # -- what is said

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The turn looked at, and what there is to say of it."""
        table, outcome = self.table, state.session.outcome
        when = "before" if table.at < table.last else "after"
        rounds = f"round {table.round + 1} of {len(table.played)} · " if len(table.played) > 1 else ""
        return Prompts(
            *("", ()),
            note=state.session.named(state.said) or self._note(state),
            refusals=refusals,
            aside=f"{rounds}{when} turn {min(table.at + 1, table.last)} of {table.last}",
            labels=plays(self._level),
            tone="help" if state.verdict_on or state.hint_step else "ended" if outcome and not state.said else "",
            story=story(state),
        )

    def _note(self, state: TableState) -> str:
        table, session, voice = self.table, state.session, self.table.voice
        if session.outcome is not None:
            return f"{winner_told(session.outcome.winner, voice)}. {ending(session, voice)}"
        if state.verdict_on or state.hint_step:
            return session.named(self._assessed(state))
        if table.at == table.last and table.error:
            return f"Only this much could be read. {table.error}"
        return latest(session, voice)[1] if session.plies else table.game.aim(state.view())

    def _assessed(self, state: TableState) -> str:
        analysis = self.table.analysis
        if (refused := self._untold(self.table.mover)) is not None:
            return refused
        if analysis is None:
            return self._not_yet()
        if state.hint_step:
            return sentences.hint(analysis, state.hint_step, self._whose(analysis.turn))
        reason = sentences.in_place(sentences.reason(analysis), self._whose(analysis.turn))
        return f"{sentences.outlook(analysis, self.table.voice)} {reason}"

    def _whose(self, seat: Seat) -> str:
        """The name of a player who is not "you"."""
        return "" if seat == self.table.voice.you else self.table.voice.names[seat]

    def _why(self) -> str:
        """The reason that the last move was right or wrong."""
        last, judged = self.table.session.plies[-1], self.table.judged[self.table.round].get(self.table.at)
        if (refused := self._untold(last.seat)) is not None:
            return refused
        if judged is not None:
            return f"Turn {judged.ply}: {why(judged, self._whose(last.seat))}"
        if last.move is None:
            return f"{last.outcome.reason.removesuffix('.')}: v shows what could be played."
        return self._not_yet()

    def _untold(self, seat: Seat | None) -> str | None:
        """The sentence in place of what this one could know, where it may not be told."""
        voice, mover = self.table.voice, seat or 0
        if self.table.barred:
            return NO_REVIEW_YET
        moves = f"{voice.does(mover, 'moves', 'move')} here: Tab shows what {voice.whom(mover)} could know"
        return None if self.table.may_know(seat) else voice.sentence(moves)

    def _not_yet(self) -> str:
        return sentences.TOO_LONG if self.table.complete else WORKING

    def _say(self, state: TableState, sentence: str) -> None:
        """Say something for now, in place of a hint."""
        state.hint_step = 0
        state.say(sentence)

    # -- going about

    def go(self, step: int) -> None:
        """So many turns on, or back; it no longer goes on by itself."""
        self.stop()
        self.moved = True
        self.table.go(self.table.at + step)

    def to_turning_point(self, state: TableState) -> str:
        """Look at the last move that threw something away, and say why; not where somebody has gone about already."""
        table = self.table
        found = [one for one in table.judged[0].values() if one.turning and table.may_know(one.seat)]
        if self.moved or table.barred or not found:
            return ""
        last = max(found, key=lambda one: one.ply)
        self.go(last.ply - 1)
        state.verdict_on = True
        return f"Turn {last.ply}: {why(last, self._whose(last.seat))}"

    def stop(self) -> None:
        """It no longer goes on by itself."""
        if self.playing is not None:
            self.playing.cancel()
            self.playing = None

    @verb("home", "First", shown=False)
    def first(self, state: TableState) -> None:
        """The start of the round."""
        self.go(-FAR)

    @verb("left", "Back", display="←")
    def back_one(self, state: TableState) -> None:
        """A turn back."""
        self.go(-1)

    @verb("right", "Forward", display="→")
    def forward(self, state: TableState) -> None:
        """A turn on."""
        self.go(1)

    @verb("end", "Last", shown=False)
    def last(self, state: TableState) -> None:
        """The end of the round."""
        self.go(FAR)

    @verb("m", "Mistakes", title="Find a better move where the game turned")
    def mistakes(self, state: TableState) -> None:
        """Look for better moves where the game turned."""
        self.stop()
        self.wanted = not self.table.complete
        if self.wanted:
            self._say(state, NO_REVIEW_YET if self.table.barred else WORKING)
        elif self.table.mistakes() is not None:
            state.frontend.open("mistakes")
        else:
            seat, voice = self.table.seat, self.table.voice
            told = "Nobody threw anything" if seat is None else f"{voice.whom(seat)} threw nothing"
            self._say(state, voice.sentence(f"{told} away here"))

    @verb("v", "Verdict", when=_on_the_way)
    def verdict(self, state: TableState) -> None:
        """Show or hide what each move is worth, here and wherever one goes."""
        state.verdict_on = not state.verdict_on
        self._say(state, "")

    @verb("h", "Hint", when=_on_the_way)
    def hint(self, state: TableState) -> None:
        """The next of three hints."""
        state.say("")
        state.hint_step = min(state.hint_step + 1, sentences.HINTS)

    @verb("w", "Why", when=lambda review: review.table.at > 0, title="Why the move was right or wrong")
    def why(self, state: TableState) -> None:
        """The reason that the last move was right or wrong."""
        self._say(state, self._why())

    @verb("space", "Autoplay")
    def autoplay(self, state: TableState) -> None:
        """Go on by itself, until the end or the next step of one's own."""
        if self.playing is not None:
            self.stop()
            return
        if self.table.at == self.table.last:
            self.table.go(0)
        self._play_later(state)

    def _play_later(self, state: TableState) -> None:
        self.playing = asyncio.get_running_loop().call_later(AUTOPLAY_SECONDS, self._play_one, state)

    def _play_one(self, state: TableState) -> None:
        self.go(1)
        if self.table.at < self.table.last:
            self._play_later(state)
        state.heard(*self.table.take_news())

    @verb("up", "Round before", when=_rounds, shown=False)
    def round_before(self, state: TableState) -> None:
        """The round before, from its start."""
        self.stop()
        self.table.go(0, self.table.round - 1)

    @verb("down", "Next round", when=_rounds)
    def next_round(self, state: TableState) -> None:
        """The next round, from its start."""
        self.stop()
        self.table.go(0, self.table.round + 1)

    @verb("tab", "Other eyes", when=_told, title="As one player saw it, as the other, or all revealed")
    def eyes(self, state: TableState) -> None:
        """As one player saw it, as the other, then both with all revealed."""
        self._say(state, self.table.next_eyes())

    @verb("c", "Copy code", when=_told)
    def code(self, state: TableState) -> None:
        """The code of the position looked at."""
        code = self.table.session.code()
        state.frontend.copy(code)
        state.say(f"Copied {code}")

    @verb("x", "Export", when=_told, title="Write the round to a file, as a picture that moves")
    def export(self, state: TableState) -> None:
        """Write the round to a file."""
        self.stop()
        state.frontend.open("export")

    @verb(
        "g",
        "Play on",
        when=lambda review: _told(review) and _on_the_way(review),
        title="Play on from here as a new game",
    )
    def play_on(self, state: TableState) -> None:
        """A new game from here: of the same players, or against the computer of the chosen level."""
        table, here = self.table, self.table.here()
        if self._level is not None and here.turn is not None:
            state.frontend.lay(against(here, here.turn if table.seat is None else table.seat, self._level), "")
            return
        one = player_at(0, table.first, table.round)
        players = table.record.players[one], table.record.players[1 - one]
        state.frontend.lay(LocalTable.of(NewGame(here, fresh=True), players), "")

    @verb(
        *("l", "Level"),
        when=lambda review: _told(review) and _on_the_way(review),
        title="Another level of the computer to play on against",
    )
    def level(self, state: TableState) -> None:
        """The next level of the computer to play on against."""
        record = self.table.record
        known = (level_of(record.game, one.level) for one in record.players if one.level)
        self._level = level_after(record.game, self._level or next(known, None))
        whom = self._level.name if self._level else ""
        self._say(state, f"g plays on from here against {whom}." if whom else "No computer plays this.")

    @verb("escape,q", "Leave", display="esc")
    def leave(self, state: TableState) -> None:
        """Back to where this was opened."""
        state.frontend.open("leave")
