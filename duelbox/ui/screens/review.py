"""Review: a finished game again, move by move, from any seat, with its turning points; play on from any point."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer

from duelbox.bots import Level, level_of
from duelbox.core.match import Player, player_at
from duelbox.core.model import SEATS, Seat
from duelbox.core.notation import format_code
from duelbox.core.record import Record, match_of
from duelbox.core.session import Session, replayed
from duelbox.learn.mistakes import Mistakes, mistakes_in, most_telling
from duelbox.learn.turning import NOT_OVER, Judged, stream, why
from duelbox.sitting.opening import Opening
from duelbox.sitting.sitting import Sitting
from duelbox.solve import analyse, sentences
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.ui.cues import WORKING
from duelbox.ui.game_board import Look, drawn, worths
from duelbox.ui.screens.mistakes import MistakesScreen, against, level_after
from duelbox.ui.screens.table_layout import Shown, TableLayout
from duelbox.ui.terminal import in_background
from duelbox.ui.widgets.lines import MoveList, Plate
from duelbox.ui.widgets.plot import Plot, curve_of
from duelbox.ui.workers import BETWEEN

AUTOPLAY_SECONDS = 1.0


class ReviewScreen(TableLayout):
    """One round of a record at a time."""

    SPARE: ClassVar[tuple[str, ...]] = (
        "code",
        "level",
        "next_round",
        "autoplay",
        "eyes",
        "play_on",
        "forward",
        "back_one",
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home", "to(-10000)", "First", id="review.first", show=False),
        Binding("left", "to(-1)", "Back", id="review.back_one", key_display="←"),
        Binding("right", "to(1)", "Forward", id="review.forward", key_display="→"),
        Binding("end", "to(10000)", "Last", id="review.last", show=False),
        Binding("m", "mistakes", "Mistakes", id="review.mistakes", tooltip="Find a better move where the game turned"),
        Binding("v", "verdict", "Verdict", id="review.verdict"),
        Binding("h", "hint", "Hint", id="review.hint"),
        Binding("w", "why", "Why", id="review.why", tooltip="Why the move was right or wrong"),
        Binding("space", "autoplay", "Autoplay", id="review.autoplay"),
        Binding("up", "round(-1)", "Round before", id="review.round_before", show=False),
        Binding("down", "round(1)", "Next round", id="review.next_round"),
        Binding(
            "o", "eyes", "Other eyes", id="review.eyes", tooltip="As one player saw it, as the other, or all revealed"
        ),
        Binding("c", "copy_code", "Copy code", id="review.code"),
        Binding("p", "play_on", "Play on", id="review.play_on", tooltip="Play on from here as a new game"),
        Binding("l", "level", "Level", id="review.level", tooltip="Another level of the computer to play on against"),
        Binding("escape", "leave", "Leave", id="review.leave"),
    ]
    HAS_LINE = False

    class Found(Message):
        """More moves are judged, or all."""

    def __init__(self, record: Record, sessions: tuple[Session, ...], error: str | None) -> None:
        super().__init__(record.game)
        self.record = record
        self.sessions = sessions
        self.error = error
        self.round = 0
        self.at = 0
        # Until the match is over, nobody's secrets are told: a round that has ended may tell of the next.
        self.secret = sessions[0].game.INFO.hidden and not match_of(record).over
        people = [at for at, one in enumerate(record.players) if one.level is None]
        hidden = sessions[0].game.INFO.hidden
        first: Player = 1 if people == [1] else 0
        self.who: Player | None = first if not self.secret and (hidden or len(people) == 1) else None
        """Whose eyes, and whose mistakes; None for both, and everything revealed that may be."""
        going_on = any(session.outcome is None for session in sessions) and len(people) == len(record.players)
        self._barred = self.secret or going_on
        """Whether people still play it, so that nothing is told of what moves are worth."""
        self.judged: list[dict[int, Judged]] = [{} for _ in sessions]
        """Of each round, its moves that are judged by now, by their turn."""
        self._ends: dict[int, Analysis] = {}
        """Where a round breaks off, what could have been played."""
        self._complete = self._wanted = False
        self._verdict_on, self._step, self._said = False, 0, ""
        self._level: Level | None = None
        self._work = Stop()
        self._autoplay: Timer | None = None

    def between(self) -> ComposeResult:
        """The plot."""
        yield Plot()

    def on_mount(self) -> None:
        """From the beginning, while the moves are being judged."""
        if not self._barred:
            self.run_worker(in_background(self._judge))

    def on_unmount(self) -> None:
        """Nobody waits for the rest."""
        self._work.stop()

    def _judge(self) -> None:
        """Judge all rounds, in a thread."""
        told = monotonic()
        with suppress(Stopped):
            for count, session in enumerate(self.sessions):
                for one in stream(session, None, self._work):
                    self.judged[count][one.ply] = one
                    if monotonic() - told >= BETWEEN:
                        self.post_message(self.Found())
                        told = monotonic()
                if session.state.turn is not None:
                    view = session.game.view(session.state, session.state.turn)
                    self._ends[count] = analyse(session.game, view, self._work)
            self._complete = True
            self.post_message(self.Found())

    @on(Found)
    def _found(self) -> None:
        if self.query(Plot):
            self.sync()
            if self._wanted and self._complete:
                self.action_mistakes()

    @property
    def session(self) -> Session:
        """The round looked at."""
        return self.sessions[self.round]

    @property
    def seat(self) -> Seat | None:
        """Where the one sat in this round whose eyes are asked for."""
        return self._seat(self.round)

    def _seat(self, count: int) -> Seat | None:
        first: Player = 1 if self.record.first == 2 else 0
        return next((seat for seat in SEATS if player_at(seat, first, count) == self.who), None)

    def state(self) -> Any:
        """The position looked at."""
        return self.session.plies[self.at - 1].state if self.at else self.session.start

    @property
    def _hidden(self) -> bool:
        return self.session.game.INFO.hidden

    def _may_know(self, seat: Seat | None) -> bool:
        """Whether what this one could know may be told to the eyes that look."""
        return not self._hidden or self.seat in (None, seat)

    def _analysis(self) -> Analysis | None:
        """What could be played in the position, if that is worked out."""
        last = len(self.session.moves)
        judged = self.judged[self.round].get(self.at + 1)
        return judged.analysis if judged else self._ends.get(self.round) if self.at >= last else None

    def sync(self) -> None:
        """Draw the position."""
        session, state, analysis = self.session, self.state(), self._analysis()
        shown = self.game_board.open_up(state) if self._hidden and self.seat is None and not self.secret else state
        view = session.game.view(shown, self.seat)
        log = self._log()
        known = analysis if self._may_know(state.turn) else None
        look = Look(
            seat=self.seat,
            names=session.names,
            last=log[self.at - 1][1] if self.at else "",
            events=session.plies[self.at - 1].events if self.at else (),
            marks=worths(known) if known and self._verdict_on else {},
            shown=drawn(known, self._step) if known else (),
            peek=True,
            glyphs=self.app.glyphs,
        )
        self.board.scene = self.game_board.scene(view, look)
        plot, moves = self.query_one(Plot), len(session.moves)
        judged = list(self.judged[self.round].values())
        plot.glyphs, plot.curve, plot.at = (
            self.app.glyphs,
            curve_of(judged, moves, self._hidden, self.seat),
            min(self.at, moves),
        )
        self._show_round(view, log)
        self.refresh_bindings()

    def _log(self) -> tuple[tuple[Seat, str], ...]:
        """The moves, as the one whose eyes are asked for may know them."""
        return tuple(
            (seat, "•••" if ply.move is not None and ply.move.secret and not self._may_know(seat) else text)
            for ply, (seat, text) in zip(self.session.plies, self.session.log(), strict=True)
        )

    def _show_round(self, view: Any, log: tuple[tuple[Seat, str], ...]) -> None:
        session = self.session
        rounds = f"Round {self.round + 1} of {len(self.sessions)}   " if len(self.sessions) > 1 else ""
        aside = f"{rounds}Move {self.at} of {len(session.plies)}"
        over = self.at == len(session.plies) and session.outcome is not None
        one, two = (
            Plate(
                session.names[seat],
                self.game_board.score(view, seat),
                to_move=not over and view.turn == seat,
                won=over and session.outcome is not None and session.outcome.winner == seat,
            )
            for seat in SEATS
        )
        self.show(Shown(session.game.INFO.title, "Review", aside, (one, two), log, self.at))
        self.show_note(self._note(over), ended=over and not self._said)

    def _note(self, over: bool) -> str:
        session = self.session
        if self._said:
            return session.named(self._said)
        if over and session.outcome is not None:
            winner = session.outcome.winner
            head = "A draw." if winner is None else f"Player {winner + 1} wins."
            return session.named(f"{head} {session.outcome.reason}")
        if self._verdict_on or self._step:
            return session.named(self._assessed())
        if self.at == len(session.plies) and self.error:
            return f"Only this much could be read. {self.error}"
        if not self.at:
            return session.named(session.game.goal(session.game.view(self.state(), self.seat)))
        return session.named(" ".join(event.sentence for event in session.plies[self.at - 1].events))

    def _assessed(self) -> str:
        """The hint asked for, or the verdict."""
        analysis, turn = self._analysis(), self.state().turn
        if self._barred:
            return NOT_OVER
        if not self._may_know(turn):
            return self._others_eyes(turn)
        if analysis is None:
            return sentences.TOO_LONG if self._complete else WORKING
        if self._step:
            return sentences.hint(analysis, self._step)
        return f"{sentences.verdict_sentence(analysis)} {analysis.reason}"

    def _say(self, sentence: str) -> None:
        self._step, self._said = 0, sentence
        self.sync()

    def _others_eyes(self, seat: Seat | None) -> str:
        return f"{self.session.names[seat or 0]} moves here: o shows what {self.session.names[seat or 0]} could know."

    # -- actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works here."""
        if action == "round":
            return len(self.sessions) > 1
        if action in ("play_on", "level", "copy_code", "eyes") and self.secret:
            return False
        if action in ("play_on", "level", "verdict", "hint"):
            return self.state().turn is not None
        return bool(self.at) if action == "why" else True

    def label(self, action: str) -> str | None:
        """Against whom one plays on."""
        return f"Play {self._level.name}" if action == "play_on" and self._level is not None else None

    def action_to(self, step: int) -> None:
        """So many moves on, or back."""
        self._stop()
        self._go(step)

    def _go(self, step: int) -> None:
        self.at = max(0, min(len(self.session.plies), self.at + step))
        self._step, self._said = 0, ""
        self.sync()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel walks."""
        event.stop()
        self.action_to(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel walks."""
        event.stop()
        self.action_to(-1)

    @on(Plot.Went)
    @on(MoveList.Went)
    def _went(self, message: Plot.Went | MoveList.Went) -> None:
        self.action_to(message.ply - self.at)

    # -- the verdict, and the mistakes

    def action_verdict(self) -> None:
        """Show or hide what each move is worth, here and wherever one walks."""
        self._verdict_on, self._step, self._said = not self._verdict_on, 0, ""
        self.sync()

    def action_hint(self) -> None:
        """The next of three hints."""
        self._step, self._said = min(self._step + 1, sentences.HINTS), ""
        self.sync()

    def action_why(self) -> None:
        """Why the move that led here was right or wrong."""
        seat, judged = self.session.plies[self.at - 1].seat, self.judged[self.round].get(self.at)
        if self._barred:
            self._say(NOT_OVER)
        elif not self._may_know(seat):
            self._say(self._others_eyes(seat))
        elif judged is not None:
            self._say(why(judged))
        elif (ply := self.session.plies[self.at - 1]).move is None:
            self._say(f"{ply.outcome.reason.removesuffix('.')}: v shows what could be played.")
        else:
            self._say(sentences.TOO_LONG if self._complete else WORKING)

    def action_mistakes(self) -> None:
        """Look for better moves where the game turned: the three most telling first."""
        self._stop()
        self._wanted = not self._complete
        if self._wanted:
            self._say(NOT_OVER if self._barred else WORKING)
            return
        games = [
            (session, sorted(judged.values(), key=lambda one: one.ply))
            for session, judged in zip(self.sessions, self.judged, strict=True)
        ]
        found = mistakes_in([(*game, self._seat(count)) for count, game in enumerate(games)])
        if not found:
            name = None if self.who is None else self.record.players[self.who].name
            self._say(f"{name} threw nothing away here." if name else "Nobody threw anything away here.")
            return
        first = most_telling(found)
        trial = Mistakes(first, [one for one in found if one not in first])
        self.app.switch_screen(MistakesScreen(trial, games, self._again))

    def _again(self) -> ReviewScreen:
        """The same review, opened anew: nothing of it is left under the mistakes."""
        again = ReviewScreen(self.record, self.sessions, self.error)
        again.who, again.round, again.at = self.who, self.round, self.at
        return again

    def action_autoplay(self) -> None:
        """Go on by itself, until the end or the next step of one's own."""
        if self._autoplay is not None:
            self._stop()
            return
        if self.at == len(self.session.plies):
            self._go(-self.at)
        self._autoplay = self.set_interval(AUTOPLAY_SECONDS, self._next)

    def _next(self) -> None:
        self._go(1)
        if self.at == len(self.session.plies):
            self._stop()

    def _stop(self) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()
            self._autoplay = None

    def action_round(self, step: int) -> None:
        """Another round."""
        self._stop()
        self.round = max(0, min(len(self.sessions) - 1, self.round + step))
        self._go(-self.at)

    def action_eyes(self) -> None:
        """As one player saw it, as the other, then both with all revealed; and so with their mistakes."""
        order: tuple[Player | None, ...] = (0, 1, None)
        self.who = order[(order.index(self.who) + 1) % len(order)]
        names = [one.name for one in self.record.players]
        whose = "both players" if self.who is None else names[self.who]
        shown = "All hands are shown" if self.who is None else f"As {whose} saw it"
        self._say(f"{f'{shown}; m' if self._hidden else 'm'} looks at the mistakes of {whose}.")

    async def action_play_on(self) -> None:
        """A new game from here."""
        session = self.session
        if self._level is not None:
            here = replayed(
                session.game, session.options, [ply.move for ply in session.plies[: self.at]], session.names
            )
            seat = self.state().turn if self.seat is None else self.seat
            self.app.ways.open_table(against(here, seat, self._level, self.app.store))
            return
        first = player_at(0, 1 if self.record.first == 2 else 0, self.round)
        players = (self.record.players[first], self.record.players[1 - first])
        moves = [ply.move for ply in session.plies[: self.at]]
        again = Opening(replayed(session.game, session.options, moves), fresh=True)
        sitting = Sitting.of(again, players, store=self.app.store)
        await self.app.game_changed(sitting)
        self.app.ways.open_table(sitting)

    def action_level(self) -> None:
        """The next level of the computer to play on against."""
        levels = (level_of(self.record.game, one.level) for one in self.record.players if one.level)
        self._level = level_after(self.record.game, self._level or next(levels, None))
        self._say(f"p plays on from here against {self._level.name}." if self._level else "No computer plays this.")

    def action_copy_code(self) -> None:
        """The code of the position looked at."""
        session = self.session
        moves = (ply.move for ply in session.plies[: self.at] if ply.move is not None)
        code = format_code(session.game, session.options, moves)
        self.app.copy_to_clipboard(code)
        self.show_note(f"Copied {code}")

    def action_leave(self) -> None:
        """Back to the list."""
        self.dismiss(None)
