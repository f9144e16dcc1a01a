"""Looking at a match again, as a task at a table."""

from __future__ import annotations

import asyncio

from duelbox.bots import Level, level_of
from duelbox.core.model import Seat
from duelbox.learn.turning_points import NO_REVIEW_YET, why
from duelbox.solve import sentences
from duelbox.table.local import LocalTable
from duelbox.table.new_game import NewGame
from duelbox.table.prompts import WORKING, Prompts, Refusals, story
from duelbox.table.review_table import ReviewTable
from duelbox.table.state import TableState
from duelbox.table.story import ending, latest_line, winner_text
from duelbox.table.task import VerbTask, game_against, level_after, play_on_label, verb

AUTOPLAY_SECONDS = 1.0
FAR = 10_000
"""More turns than a game can have."""


def _at_a_move(review: ReviewTask) -> bool:
    """A move was or could be made at the position shown."""
    return review.table.mover is not None


def _may_copy(review: ReviewTask) -> bool:
    """The position shown holds no secrets."""
    return not review.table.secret


def _has_rounds(review: ReviewTask) -> bool:
    return len(review.table.played) > 1


class ReviewTask(VerbTask):
    """Looking at a match again, turn by turn, with its turning points; from any turn one can play on."""

    place = "Review"

    def __init__(self, table: ReviewTable) -> None:
        self.table = table
        self.wanted = False
        """Mistakes were asked for, and open as soon as all moves are judged."""
        self.moved = False
        """The user has moved about."""
        self.playing: asyncio.TimerHandle | None = None
        """The timer of the next turn, during autoplay."""
        self._level: Level | None = None

    # -- prompts

    def prompts(self, state: TableState, refusals: Refusals) -> Prompts:
        """The number of the turn shown, and a note about it."""
        table, outcome = self.table, state.session.outcome
        when = "before" if table.at < table.last else "after"
        rounds = f"round {table.round + 1} of {len(table.played)} · " if len(table.played) > 1 else ""
        return Prompts(
            prompt="",
            parts=(),
            note=state.session.named(state.said) or self._note(state),
            refusals=refusals,
            aside=f"{rounds}{when} turn {min(table.at + 1, table.last)} of {table.last}",
            labels=play_on_label(self._level),
            tone="help" if state.verdict_on or state.hint_step else "ended" if outcome and not state.said else "",
            story=story(state),
        )

    def _note(self, state: TableState) -> str:
        table, session, voice = self.table, state.session, self.table.voice
        if session.outcome is not None:
            return f"{winner_text(session.outcome.winner, voice)}. {ending(session, voice)}"
        if state.verdict_on or state.hint_step:
            return session.named(self._assessed(state))
        if table.at == table.last and table.error:
            return f"Only this much could be read. {table.error}"
        return latest_line(session, voice)[1] if session.plies else table.game.aim(state.view())

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
        """The name of a player; empty for "you"."""
        return "" if seat == self.table.voice.you else self.table.voice.names[seat]

    def _why(self) -> str:
        """Says why the last move was right or wrong."""
        last, judged = self.table.session.plies[-1], self.table.judged[self.table.round].get(self.table.at)
        if (refused := self._untold(last.seat)) is not None:
            return refused
        if judged is not None:
            return f"Turn {judged.ply}: {why(judged, self._whose(last.seat))}"
        if last.move is None:
            return f"{last.outcome.reason.removesuffix('.')}: v shows what could be played."
        return self._not_yet()

    def _untold(self, seat: Seat | None) -> str | None:
        """The sentence that refuses what this seat could know, if it may not be shown."""
        voice, mover = self.table.voice, seat or 0
        if self.table.barred:
            return NO_REVIEW_YET
        moves = f"{voice.does(mover, 'moves', 'move')} here: Tab shows what {voice.whom(mover)} could know"
        return None if self.table.may_know(seat) else voice.sentence(moves)

    def _not_yet(self) -> str:
        return sentences.TOO_LONG if self.table.complete else WORKING

    def _say(self, state: TableState, sentence: str) -> None:
        """Say something in place of a hint."""
        state.hint_step = 0
        state.say(sentence)

    # -- moving about

    def go(self, step: int) -> None:
        """Go this number of turns on, or back; autoplay stops."""
        self.stop()
        self.moved = True
        self.table.go(self.table.at + step)

    def to_turning_point(self, state: TableState) -> str:
        """Go to the last move that threw something away, unless the user has moved about; the sentence about it."""
        table = self.table
        found = [one for one in table.judged[0].values() if one.turning and table.may_know(one.seat)]
        if self.moved or table.barred or not found:
            return ""
        last = max(found, key=lambda one: one.ply)
        self.go(last.ply - 1)
        state.verdict_on = True
        return f"Turn {last.ply}: {why(last, self._whose(last.seat))}"

    def stop(self) -> None:
        """Stop autoplay."""
        if self.playing is not None:
            self.playing.cancel()
            self.playing = None

    @verb("home", "First", shown=False)
    def first(self, state: TableState) -> None:
        """Go to the start of the round."""
        self.go(-FAR)

    @verb("left", "Back", display="←")
    def back_one(self, state: TableState) -> None:
        """Go a turn back."""
        self.go(-1)

    @verb("right", "Forward", display="→")
    def forward(self, state: TableState) -> None:
        """Go a turn on."""
        self.go(1)

    @verb("end", "Last", shown=False)
    def last(self, state: TableState) -> None:
        """Go to the end of the round."""
        self.go(FAR)

    @verb("m", "Mistakes", title="Find a better move where the game turned")
    def mistakes(self, state: TableState) -> None:
        """Open the mistakes, or say that there are none."""
        self.stop()
        self.wanted = not self.table.complete
        if self.wanted:
            self._say(state, NO_REVIEW_YET if self.table.barred else WORKING)
        elif self.table.mistakes() is not None:
            state.frontend.open("mistakes")
        else:
            seat, voice = self.table.seat, self.table.voice
            blameless = "Nobody threw anything" if seat is None else f"{voice.whom(seat)} threw nothing"
            self._say(state, voice.sentence(f"{blameless} away here"))

    @verb("v", "Verdict", when=_at_a_move)
    def verdict(self, state: TableState) -> None:
        """Show or hide the worth of each move, at all turns."""
        state.verdict_on = not state.verdict_on
        self._say(state, "")

    @verb("h", "Hint", when=_at_a_move)
    def hint(self, state: TableState) -> None:
        """Give the next of three hints."""
        state.say("")
        state.hint_step = min(state.hint_step + 1, sentences.HINTS)

    @verb("w", "Why", when=lambda review: review.table.at > 0, title="Why the move was right or wrong")
    def why(self, state: TableState) -> None:
        """Say why the last move was right or wrong."""
        self._say(state, self._why())

    @verb("space", "Autoplay")
    def autoplay(self, state: TableState) -> None:
        """Show turn after turn until the end, or until the user moves about."""
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

    @verb("up", "Round before", when=_has_rounds, shown=False)
    def round_before(self, state: TableState) -> None:
        """Go to the start of the round before."""
        self.stop()
        self.table.go(0, self.table.round - 1)

    @verb("down", "Next round", when=_has_rounds)
    def next_round(self, state: TableState) -> None:
        """Go to the start of the next round."""
        self.stop()
        self.table.go(0, self.table.round + 1)

    @verb("tab", "Other eyes", when=_may_copy, title="As one player saw it, as the other, or all revealed")
    def eyes(self, state: TableState) -> None:
        """Show the match as one player saw it, as the other did, or all revealed."""
        self._say(state, self.table.next_eyes())

    @verb("c", "Copy code", when=_may_copy)
    def code(self, state: TableState) -> None:
        """Copy the code of the position shown."""
        code = self.table.session.code()
        state.frontend.copy(code)
        state.say(f"Copied {code}")

    @verb("x", "Export", when=_may_copy, title="Write the round to a file, as a picture that moves")
    def export(self, state: TableState) -> None:
        """Write the round to a file as a moving picture."""
        self.stop()
        state.frontend.open("export")

    @verb(
        "g",
        "Play on",
        when=lambda review: _may_copy(review) and _at_a_move(review),
        title="Play on from here as a new game",
    )
    def play_on(self, state: TableState) -> None:
        """Begin a new game from here: with the same players, or against the chosen level of the computer."""
        table, game = self.table, self.table.game_from_here()
        if self._level is not None and game.turn is not None:
            state.frontend.lay(game_against(game, game.turn if table.seat is None else table.seat, self._level), "")
            return
        one = table.match.player_in(0)
        players = table.record.players[one], table.record.players[1 - one]
        state.frontend.lay(LocalTable(NewGame(game, fresh=True), players), "")

    @verb(
        "l",
        "Level",
        when=lambda review: _may_copy(review) and _at_a_move(review),
        title="Another level of the computer to play on against",
    )
    def level(self, state: TableState) -> None:
        """Choose the next level of the computer to play on against."""
        record = self.table.record
        known = (level_of(record.game, one.level) for one in record.players if one.level)
        self._level = level_after(record.game, self._level or next(known, None))
        whom = self._level.name if self._level else ""
        self._say(state, f"g plays on from here against {whom}." if whom else "No computer plays this.")

    @verb("escape,q", "Leave", display="esc")
    def leave(self, state: TableState) -> None:
        """Return to the place that opened the review."""
        state.frontend.open("leave")
