"""A match that was played, at a table: the turn that is shown, for whose eyes, and the moves judged so far."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import ClassVar

from duelbox.bots import Level
from duelbox.core.match import Player, player_at
from duelbox.core.model import SEATS, Seat, Voice
from duelbox.core.news import PositionChanged
from duelbox.core.record import Record, match_of
from duelbox.core.session import Session, replayed
from duelbox.learn import turning_points
from duelbox.learn.mistakes import Mistakes, mistakes_in, worst_mistakes
from duelbox.learn.turning_points import NO_REVIEW_YET, JudgedMove
from duelbox.solve import analyse, sentences
from duelbox.solve.api import Analysis, Stop
from duelbox.store.settings import Settings
from duelbox.table.play_on import play_on_label
from duelbox.table.prompts import WORKING, Prompts, Tone, story
from duelbox.table.refusals import Refusals
from duelbox.table.review_verbs import REVIEW_VERBS
from duelbox.table.state import TableState
from duelbox.table.story import ending, latest_line, winner_text
from duelbox.table.verb import Verb
from duelbox.table.watch_only import WatchOnlyTable

AUTOPLAY_SECONDS = 1.0


class ReviewTable(WatchOnlyTable):
    """A match that was played, at one turn of one round, with its turning points; from any turn one can play on."""

    verbs: ClassVar[Mapping[str, Verb]] = REVIEW_VERBS

    def __init__(self, record: Record, played: tuple[Session, ...], error: str | None) -> None:
        """`played` are the rounds as far as they could be read; `error` says what could not."""
        self.record = record
        self.played = played
        self.error = error
        self._whole_match = match_of(record)
        super().__init__(played[0], record.players, self._whole_match, played[0].options)
        self._sessions = tuple(session.copy() for session in played)
        """Copies of the rounds, each at the turn last looked at."""
        self.round = 0
        self.hidden = self.game.INFO.hidden
        # Secrets stay hidden until the match is over: a finished round may reveal the next one.
        self.secret = self.hidden and not self._whole_match.over
        self._persons = self.sitters
        self.sitters = self._first_eyes()
        """The player whose knowledge and mistakes are shown; nobody for both, with all that may be revealed."""
        going_on = any(session.outcome is None for session in played) and len(self._persons) == len(SEATS)
        self.barred = self.secret or going_on
        """People still play this match, so the worth of moves is not shown."""
        self.judged: list[dict[int, JudgedMove]] = [{} for _ in played]
        """For each round, the moves judged so far, by the number of their turn."""
        self.ends: dict[int, Analysis] = {}
        """The analysis of the last position of each unfinished round."""
        self.best_tries: dict[int, str] = {}
        """Sentences on the losses, by rounds, in which nothing was thrown away."""
        self.complete = False
        """All moves are judged."""
        self.wanted = False
        """Mistakes were asked for, and open as soon as all moves are judged."""
        self.moved = False
        """The user has moved about."""
        self.playing: asyncio.TimerHandle | None = None
        """The timer of the next turn, during autoplay."""
        self.level: Level | None = None
        """The level of the computer that `play_on` plays against; None for the same players."""
        self.show(0, 0)
        self.happened.clear()  # the position it opens with is no news, and must not take the place of a first answer

    # -- the players, and the viewer

    def _first_eyes(self) -> tuple[Player, ...]:
        """The player by whose eyes the match is shown first; nobody for both."""
        if self.secret or not (self.hidden or len(self._persons) == 1):
            return ()
        return (1,) if self._persons == (1,) else (0,)

    def _seat_in(self, number: int) -> Seat | None:
        """The seat, in this round, of the player whose mistakes are looked at; None for both."""
        for seat in SEATS:
            if player_at(seat, self.match.first, number) in self.sitters:
                return seat
        return None

    @property
    def voice(self) -> Voice:
        """The players in sentences; the only person of the match is "you"."""
        persons = [seat for seat in SEATS if self.match.player_in(seat) in self._persons]
        return Voice(self.session.names, persons[0] if len(persons) == 1 else None)

    @property
    def mover(self) -> Seat | None:
        """The seat to move, also in a game that was cut short."""
        return self.session.state.turn

    @property
    def runs_on(self) -> bool:
        """False: no round follows by itself."""
        return False

    @property
    def hands_open(self) -> bool:
        """Hidden numbers are shown, as no single player's eyes are used."""
        return self.seat is None and not self.secret

    def hands_lie_open(self, settings: Settings) -> bool:
        """True: a hand that may be shown need not be uncovered."""
        return True

    def may_know(self, seat: Seat | None) -> bool:
        """The knowledge of this seat may be shown."""
        return not self.hidden or self.seat in (None, seat)

    @property
    def at(self) -> int:
        """The number of turns taken before the position shown."""
        return len(self.session.plies)

    @property
    def last(self) -> int:
        """The number of turns of the round."""
        return len(self.played[self.round].plies)

    def log(self) -> tuple[tuple[Seat, str], ...]:
        """All moves of the round, as far as they may be shown."""
        played = self.played[self.round]
        lines = []
        for ply, (seat, text) in zip(played.plies, played.log(), strict=True):
            covered = ply.move is not None and ply.move.secret and not self.may_know(seat)
            lines.append((seat, "•••" if covered else text))
        return tuple(lines)

    # -- moving about

    def show(self, at: int, number: int | None = None) -> None:
        """Show the position after this number of turns, of another round if one is named."""
        if number is not None:
            self.round = max(0, min(len(self.played) - 1, number))
        self.session = self._sessions[self.round]
        self.match = self._whole_match.changed(winners=self._whole_match.winners[: self.round])
        self.session.go(at)
        self.happened.append(PositionChanged())

    def go(self, turns: int) -> None:
        """Go this number of turns on, or back; autoplay stops."""
        self.stop_autoplay()
        self.moved = True
        self.show(self.at + turns)

    def to_turning_point(self, state: TableState) -> str:
        """Go to the last move that threw something away, unless the user has moved about; the sentence about it."""
        slips = [move for move in self.judged[0].values() if move.turning and self.may_know(move.seat)]
        if self.moved or self.barred or not slips:
            return ""
        last = max(slips, key=lambda move: move.ply)
        self.go(last.ply - 1)
        state.verdict_on = True
        return f"Turn {last.ply}: {turning_points.why(last, self._whose(last.seat))}"

    def play_later(self, state: TableState) -> None:
        """Show the next turn after a moment, and so on until the end."""
        self.playing = asyncio.get_running_loop().call_later(AUTOPLAY_SECONDS, self._play_next, state)

    def _play_next(self, state: TableState) -> None:
        self.go(1)
        if self.at < self.last:
            self.play_later(state)
        state.heard(*self.take_news())

    def stop_autoplay(self) -> None:
        """Stop autoplay."""
        if self.playing is not None:
            self.playing.cancel()
            self.playing = None

    def next_eyes(self) -> str:
        """Change the eyes: to one player, the other, then both; returns a sentence about it."""
        order: tuple[tuple[Player, ...], ...] = ((0,), (1,), ())
        self.sitters = order[(order.index(self.sitters) + 1) % len(order)]
        shown = "All hands are shown"
        mistakes = "m looks at the mistakes of both players."
        if self.seat is not None:
            shown = f"As {self.voice.whom(self.seat)} saw it"
            mistakes = f"m looks at {self.voice.whose(self.seat)} mistakes."
        return f"{shown}; {mistakes}" if self.hidden else mistakes

    def game_from_here(self) -> Session:
        """A game that begins with the turns up to the position shown."""
        session = self.session
        return replayed(session.game, session.options, session.moves, session.names)

    # -- judging

    def judge(self, stop: Stop) -> Iterator[None]:
        """Judge the moves of all rounds, pausing after each; raises Stopped."""
        for number, session in enumerate(self.played):
            for move in turning_points.stream(session, stop):
                self.judged[number][move.ply] = move
                yield
            if session.state.turn is not None:
                view = session.game.view(session.state, session.state.turn)
                self.ends[number] = analyse(session.game, view, stop)
            self.best_tries[number] = turning_points.best_try(session, self.games()[number][1], self.voice, stop)
            yield
        self.complete = True

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of the position, if it is known."""
        judged = self.judged[self.round].get(self.at + 1)
        if judged is not None:
            return judged.analysis
        if self.at < len(self.played[self.round].moves):
            return None
        return self.ends.get(self.round)

    def games(self) -> list[tuple[Session, list[JudgedMove]]]:
        """The rounds with their judged moves."""
        rounds = zip(self.played, self.judged, strict=True)
        return [(session, [judged[ply] for ply in sorted(judged)]) for session, judged in rounds]

    def mistakes(self) -> Mistakes | None:
        """The mistakes of the player whose eyes are used, or of both, the three most telling first; None if none."""
        every = mistakes_in([(*game, self._seat_in(number)) for number, game in enumerate(self.games())])
        if not every:
            return None
        first = worst_mistakes(every)
        return Mistakes(first, [mistake for mistake in every if mistake not in first])

    # -- words

    def title(self, settings: Settings) -> str:
        """The purpose of the table."""
        return "Review"

    def why_not_typed(self, state: TableState) -> str:
        """Empty: no words are needed for a character that cannot be typed here."""
        return ""

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The number of the turn shown, and a note about it."""
        when = "before" if self.at < self.last else "after"
        rounds = f"round {self.round + 1} of {len(self.played)} · " if len(self.played) > 1 else ""
        tone: Tone = ""
        if state.verdict_on or state.hint_step:
            tone = "help"
        elif self.session.outcome and not state.said:
            tone = "ended"
        return Prompts(
            prompt="",
            parts=(),
            note=self.session.named(state.said) or self._note(state),
            argued=self._argued(state),
            refusals=refusals,
            aside=f"{rounds}{when} turn {min(self.at + 1, self.last)} of {self.last}",
            labels=play_on_label(self.level),
            tone=tone,
            story=story(state),
        )

    def _note(self, state: TableState) -> str:
        """The sentence about the position shown."""
        session, voice = self.session, self.voice
        if session.outcome is not None:
            return f"{winner_text(session.outcome.winner, voice)}. {ending(session, voice)}"
        if state.verdict_on or state.hint_step:
            return session.named(self._assessed(state))
        if self.at == self.last and self.error:
            return f"Only this much could be read. {self.error}"
        return latest_line(session, voice)[1] if session.plies else self.game.aim(state.view())

    def _assessed(self, state: TableState) -> str:
        """The hint, or the verdict with its reason, as far as it may be told and is known."""
        refused, analysis = self._untold(self.mover), self.analysis
        if refused is not None:
            return refused
        if analysis is None:
            return self._not_yet()
        whose = self._whose(analysis.turn)
        if state.hint_step:
            return sentences.hint(analysis, state.hint_step, whose)
        reason = sentences.in_place(sentences.reason(analysis), whose)
        return f"{sentences.outlook(analysis, self.voice)} {reason}"

    def _argued(self, state: TableState) -> Analysis | None:
        """The analysis of the verdict or the last hint that is shown, if it may be told."""
        analysis = self.analysis
        if analysis is None or not analysis.moves or self._untold(self.mover) is not None:
            return None
        last_hint = state.hint_step and state.hint_step >= len(sentences.hints(analysis))
        return analysis if state.verdict_on or last_hint else None

    def _whose(self, seat: Seat) -> str:
        """The name of a player; empty for "you"."""
        return "" if seat == self.voice.you else self.voice.names[seat]

    def why_of_last(self) -> str:
        """The reason why the last move was right or wrong, in a sentence."""
        last, judged = self.session.plies[-1], self.judged[self.round].get(self.at)
        refused = self._untold(last.seat)
        if refused is not None:
            return refused
        if judged is not None:
            return f"Turn {judged.ply}: {turning_points.why(judged, self._whose(last.seat))}"
        if last.move is None:
            return f"{last.outcome.reason.removesuffix('.')}: v shows what could be played."
        return self._not_yet()

    def why_no_mistakes(self) -> str:
        """The sentence that says why no mistakes open now: not yet, or none were made."""
        if not self.complete:
            return NO_REVIEW_YET if self.barred else WORKING
        nothing = self.voice.sentence("Nobody threw anything away here")
        if self.seat is not None:
            nothing = self.voice.sentence(f"{self.voice.whom(self.seat)} threw nothing away here")
        return f"{nothing} {self.best_tries.get(self.round, '')}".strip()

    def _untold(self, seat: Seat | None) -> str | None:
        """The sentence that refuses what this seat could know, if it may not be shown."""
        if self.barred:
            return NO_REVIEW_YET
        if self.may_know(seat):
            return None
        voice, mover = self.voice, seat or 0
        moves = voice.does(mover, "moves", "move")
        return voice.sentence(f"{moves} here: Tab shows what {voice.whom(mover)} could know")

    def _not_yet(self) -> str:
        return sentences.TOO_LONG if self.complete else WORKING
