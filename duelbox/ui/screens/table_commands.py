"""What the keys of the table do beside moving: hints, undo, the next round, and the ways to other screens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TYPE_CHECKING

from textual.content import Content
from textual.timer import Timer

from duelbox.core.errors import DuelboxError
from duelbox.core.offer import Offer
from duelbox.sitting.rounds import rounds_table
from duelbox.sitting.sitting import Sitting
from duelbox.ui import motion
from duelbox.ui.table_state import ENDS, Ending, TableState

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp
    from duelbox.ui.screens.table import TableScreen

PEEK_SECONDS = 4.0
ASKED = "Your opponent is asked."
SEEN_SECONDS = 0.4
"""So long a question must have been there to be answered."""
END_SECONDS = 0.4
"""So long the end of a game is seen before Enter goes on: pressed twice by mistake, it would take the result away."""


class TableCommands:
    """The actions of a table, each by its id."""

    def __init__(self, screen: TableScreen) -> None:
        self._screen = screen
        self._peek_timer: Timer | None = None
        self._seen: tuple[Offer | None, float] = (None, 0.0)
        """The offer that is to be seen, and since when."""
        self.actions: dict[str, Callable[[], Awaitable[None] | None]] = {
            "play": self._play,
            "look": self._look,
            "pause": self._pause,
            "hint": self._hint,
            "verdict": self._verdict,
            "why": lambda: screen.say(screen.sitting.why),
            "undo": self._undo,
            "redo": lambda: self._lay(screen.sitting.redo()),
            "resign": lambda: self._twice("resign", "Press it again to resign.", screen.sitting.resign),
            "draw": self._draw,
            "claim": lambda: self._twice("claim", "Press it again to claim the game.", screen.sitting.claim),
            "agree": lambda: self._answer(yes=True),
            "decline": lambda: self._answer(yes=False),
            "rematch": self._rematch,
            "review": self._review,
            "rounds": self._rounds,
            "new_game": lambda: screen.app.ways.open_new_game(screen.sitting),
            "level": self._level,
            "more": self._more,
            "harder": lambda: self._lay(screen.sitting.rematch(screen.sitting.next_level)),
            "copy_code": self._copy_code,
            "faster": lambda: self._speed(-1),
            "slower": lambda: self._speed(1),
            "home": lambda: screen.app.ways.go_home(),
            "help": lambda: screen.app.ways.open_help(screen.sitting.game),
        }

    async def do(self, action: str) -> None:
        """Take an action, if it can be taken now."""
        state = self._state
        confirms = "play" if state.awaiting == "again" else state.awaiting
        if state.awaiting in (*ENDS, "again") and action != confirms:
            state.awaiting = ""
        if state.cues.works(action):
            await self._or_say(self.actions[action])

    async def _or_say(self, does: Callable[[], Awaitable[None] | None]) -> None:
        """Do this, or say why it cannot be done."""
        try:
            done = does()
            if done is not None:
                await done
        except DuelboxError as error:
            self._screen.say(error.sentence)

    @property
    def _app(self) -> DuelboxApp:
        return self._screen.app

    @property
    def _state(self) -> TableState:
        return self._screen.state

    @property
    def _sitting(self) -> Sitting:
        return self._screen.state.sitting

    # -- Enter

    async def _play(self) -> None:
        """Play the line; after the game, go on to the next one."""
        if self._state.awaiting == "again":
            self._state.awaiting = ""
            self._screen.say("What you typed was not played: the game is over. Press Enter again to go on.")
        elif self._sitting.session.outcome is not None:
            if monotonic() - self._state.ended >= END_SECONDS:
                await self._rematch()
        elif self._state.awaiting == "pass":
            self._pass_on()
        elif self._state.may_move:
            await self._play_line()

    async def _play_line(self) -> None:
        screen, state = self._screen, self._state
        fault = state.reading.fault
        if fault is None:
            if self._app.settings.confirm and state.awaiting != "play":
                state.awaiting = "play"
                screen.draw_line()
            else:
                await screen.take(state.line)
        elif (further := state.further(screen.board.target)) is not None:
            state.draft(further, pointed=True)
            screen.show_line()
        elif state.line:
            state.refusal = fault
            screen.show_line()
            motion.show_refusal(screen.board, state.board, state.view(), state.look(self._app.glyphs))
        else:
            screen.say(f"{state.board.asks(state.view())}, or choose it with the arrows or the mouse.")

    def _pass_on(self) -> None:
        from duelbox.ui.screens.curtain import CurtainScreen

        turn = self._sitting.session.turn
        assert turn is not None
        self._app.push_screen(CurtainScreen(self._sitting.who(turn).name), lambda _: self._take_over())

    def _take_over(self) -> None:
        self._state.seat_front()
        self._screen.sync()

    # -- looking and asking

    def _look(self) -> None:
        if self._peek_timer is not None:
            self._peek_timer.stop()
        self._state.peek = not self._state.peek
        if self._state.peek:
            self._peek_timer = self._screen.set_timer(PEEK_SECONDS, self.hide)
        self._screen.sync()

    def hide(self) -> None:
        """Hide the numbers again."""
        self._state.peek = False
        self._screen.sync()

    def _pause(self) -> None:
        self._state.paused = not self._state.paused
        self._screen.sync()

    async def _verdict(self) -> None:
        state = self._state
        state.verdict_on, state.given_up = not state.verdict_on, False
        if state.reading.fault is not None and not state.reading.begun:
            state.draft("")  # its refusal would stand before the verdict
        state.say("")
        if state.verdict_on:
            await self._assist()
        await self._screen.sync_soon()

    async def _hint(self) -> None:
        await self._assist()
        self._state.next_hint()
        await self._screen.sync_soon()

    async def _assist(self) -> None:
        if not self._sitting.assisted:
            self._sitting.use_help()
            await self._app.game_changed(self._sitting)

    # -- the match

    async def _undo(self) -> None:
        """Undo; at the very start, go back to the match before."""
        now = self._sitting.undo()
        self._state.paused = self._state.paused or not self._sitting.people  # else they would move on at once
        await self._lay(now, f"The game before. {self._state.keys.get('redo', 'y')} leads back to the new one.")

    async def _lay(self, now: Sitting, said: str = "") -> None:
        """Go on with the same match, or with another, and a word about that; a friend elsewhere is asked first."""
        if now.elsewhere:
            self._screen.say(ASKED)
        elif now is self._sitting:
            await self._screen.changed()
        else:
            self._app.ways.swap_table(now, said)

    async def _twice(self, action: Ending, asks: str, does: Callable[[], None]) -> None:
        """Do what ends the game when its key comes a second time."""
        if self._state.awaiting != action:
            self._screen.say(asks)
            self._state.awaiting = action
        else:
            does()
            await self._screen.changed()

    # -- offers

    async def _draw(self) -> None:
        """Offer a draw: to the other at this screen, to a friend elsewhere, or (it takes the key twice there) to a
        computer, who answers at once."""
        if self._sitting.against_computer and self._sitting.why_not("draw") is None:
            await self._twice("draw", "Press it again to offer a draw.", lambda: self._sitting.offer("draw"))
            if (offer := self._sitting.offered) is not None:
                self._screen.run_worker(self._computer_answers(offer))
            return
        self._sitting.offer("draw")
        if self._sitting.elsewhere:
            self._screen.say(ASKED)
        else:
            self._screen.sync()

    async def _computer_answers(self, offer: Offer) -> None:
        yes = await asyncio.to_thread(self._sitting.answer_for_computer, offer)
        if offer == self._sitting.offered:  # else something was played meanwhile
            await self._or_say(lambda: self._answered(offer, yes=yes))

    def note_offer(self) -> None:
        """Remember since when an offer is to be seen."""
        if self._sitting.offered != self._seen[0]:
            self._seen = self._sitting.offered, monotonic()

    async def _answer(self, *, yes: bool) -> None:
        """Answer the offer that is to be seen, and no other; a finger on its way down means something else."""
        offer, since = self._seen
        if offer is not None and monotonic() - since >= SEEN_SECONDS:
            await self._answered(offer, yes=yes)

    async def _answered(self, offer: Offer, *, yes: bool) -> None:
        stamp = self._sitting.session.stamp
        self._sitting.answer(offer.id, yes=yes)
        if self._sitting.session.stamp != stamp:
            await self._screen.changed()
            return
        self._screen.sync()
        if not self._sitting.elsewhere:
            self._screen.say(offer.answered(self._sitting.players[1 - offer.by].name, yes=yes))

    async def _rematch(self) -> None:
        """The next round, or the same match again; an opponent elsewhere is asked."""
        if self._sitting.score.over:
            await self._lay(self._sitting.rematch())
        else:
            self._sitting.next_round()
            self._state.round_dealt()
            await self._screen.changed()

    def _rounds(self) -> None:
        from duelbox.ui.screens.panel import PanelScreen

        head, *rows = rounds_table(self._sitting.rounds)
        self._app.push_screen(PanelScreen(head, map(Content, rows), closes="t"))

    async def _review(self) -> None:
        """Look at the match again; from there the way leads back here."""
        await self._app.game_changed(self._sitting)  # a game that came as a code, played to its end, is not saved yet
        saved_as = self._sitting.saved_as
        if saved_as is None:
            self._screen.say("There is no move to look at.")
            return
        await self._app.ways.review(await asyncio.to_thread(self._app.store.find, saved_as))

    def _level(self) -> None:
        self._app.ways.open_new_game(self._sitting, row="p2" if self._sitting.people[0] == 0 else "p1")

    def _more(self) -> None:
        if self._state.settled is not None:
            self._app.ways.open_preset(self._sitting.game, self._state.settled[1], self._sitting)

    def _copy_code(self) -> None:
        code = self._sitting.session.public_code()
        self._app.copy_to_clipboard(code)
        self._screen.say(f"Copied {code}")

    def _speed(self, change: int) -> None:
        delay = self._sitting.change_pace(self._app.settings.delay, change)
        self._screen.say(f"The computers wait {delay / 1000:.1f} s.")
