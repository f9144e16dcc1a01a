"""Opens screens; each screen is imported only when it is opened first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame, Preset
from duelbox.core.model import SEATS
from duelbox.core.options import Options
from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids, why_unplayable
from duelbox.solve import solver_of
from duelbox.store.store import Store
from duelbox.store.summary import Summary
from duelbox.table.local import LocalTable, new_table
from duelbox.table.new_game import choices_with, last_choices, last_options, last_players, read_new_game
from duelbox.table.players import as_teams, lacks_name, names_with
from duelbox.ui import screens

if TYPE_CHECKING:
    from duelbox.friends.live_match import LiveMatch, WatchedMatch
    from duelbox.friends.lobby import WaitingTable
    from duelbox.learn.lessons import Step
    from duelbox.learn.puzzle_results import PuzzleResult
    from duelbox.learn.puzzles import Puzzle
    from duelbox.store.autosave import Saved
    from duelbox.store.settings import First
    from duelbox.table.remote import RemoteTable
    from duelbox.ui.app import DuelboxApp

LEFT = "start", "table"
"""The mark of progress that keeps the match that was open when the terminal was closed."""
POSTED = "duelbox play "
"""A pasted command line begins with this, followed by a code."""
_OPENED: dict[str, Callable[[], type[Screen[None]]]] = {
    "calendar": lambda: screens.calendar.CalendarScreen,
    "elsewhere": lambda: screens.elsewhere_screen.ElsewhereScreen,
    "history": lambda: screens.history.HistoryScreen,
    "home": lambda: screens.home.HomeScreen,
    "settings": lambda: screens.settings.SettingsScreen,
    "you": lambda: screens.you.YouScreen,
}
"""The screens that keys of other screens open by name."""


class Navigation:
    """Opens screens above the present one or in its place."""

    def __init__(self, app: DuelboxApp) -> None:
        self._app = app
        self._left: LocalTable | None = None
        """The table that was left last, with the state that is not saved."""
        self._offered: list[str] = []
        """The codes of practice puzzles opened since the start; a skipped puzzle leaves no attempt."""
        self._rest_told = ""
        """The sentence on resting mistakes that was said last; asked for again, they come now."""

    def open(self, name: str, *, instead: bool = False) -> None:
        """Open a screen by its name in `_OPENED`, unless it is on top already."""
        screen = _OPENED[name]()
        if not isinstance(self._app.screen, screen):
            (self._app.switch_screen if instead else self._app.push_screen)(screen())

    def go_home(self) -> None:
        """Close all screens above home."""
        self._left = next((one for one in map(_table_at, reversed(self._app.screen_stack)) if one), None)
        if not any(isinstance(screen, screens.home.HomeScreen) for screen in self._app.screen_stack):
            self._app.switch_screen(screens.home.HomeScreen())
        while not isinstance(self._app.screen, screens.home.HomeScreen):
            self._app.pop_screen()

    def leave_guest(self, sentence: str) -> None:
        """Go home after a fault of a guest, to a new home if the old one has failed, too; say the sentence."""
        homes = [screen for screen in self._app.screen_stack if isinstance(screen, screens.home.HomeScreen)]
        self.go_home()
        self._left = None  # its state may be halfway through a move
        parts = [part for home in homes for part in home.walk_children(with_self=True)]
        if not all(part.is_running for part in parts):
            if homes[0].known is None:  # a new home would fail, too
                self._app.exit(return_code=1, message=sentence)
                return
            self._app.switch_screen(screens.home.HomeScreen())
        self._app.warn(sentence)

    def note_where(self, left: Sequence[Screen[Any]]) -> None:
        """Save which table was open when the terminal was closed; waits for the disk."""
        tables = [table for table in map(_table_at, left) if table is not None]
        if tables and tables[-1].saved_as is not None:
            with suppress(DuelboxError):
                self._app.store.progress.add(*LEFT, tables[-1].saved_as)

    def come_back(self) -> None:
        """Open the table again that was open when the terminal was closed, once."""
        store = self._app.store
        with suppress(DuelboxError):
            match_id = store.progress.newest(LEFT[0]).get(LEFT[1])
            if isinstance(match_id, str) and match_id:
                store.progress.add(*LEFT, "")
                self._app.run_worker(self.resume(store.find(match_id)), exit_on_error=False)

    def open_table(self, table: LocalTable, said: str = "") -> None:
        """Open a table, with a sentence about it; two people who begin are called teams, if the settings say so."""
        if self._app.settings.large == "teams" and not table.session.plies and table.saved is None:
            table.sit_down(as_teams(table.players))
        self._push_table(lambda: screens.local_table.LocalScreen(table, said), table.saved)

    def open_friend(self, table: RemoteTable) -> None:
        """Open the table of a match elsewhere."""
        self._push_table(lambda: screens.remote_table.RemoteScreen(table))

    def _push_table(self, screen: Callable[[], Screen[None]], saved: Saved | None = None) -> None:
        try:
            self._app.push_screen(screen())
        except UnknownGame as error:  # a guest's board or words cannot be loaded
            self._app.warn(error.sentence)
        else:
            self._app.tell_news(saved)

    def swap_table(self, table: LocalTable, said: str = "") -> None:
        """Open another table in place of this one, with a sentence about it; ask two unnamed people for names first."""
        if screens.ask_names.names_missing(table):
            self._app.push_screen(screens.ask_names.AskNamesScreen(table, lambda: self._swap(table, said)))
        else:
            self._swap(table, said)

    def _swap(self, table: LocalTable, said: str) -> None:
        self._app.pop_screen()
        self.open_table(table, said)

    def start(
        self,
        game_id: str,
        players: tuple[str, str] | None = None,
        first: First | None = None,
        *,
        warned: bool = False,
        rules: str = "",
    ) -> None:
        """Play a game by the rules chosen last, with these two players or those of last time; `first` begins.

        `warned` asks before a move gives the game away, whatever the settings say. `rules` is a code with other rules.
        """
        game, settings = find_game(game_id), self._app.settings
        last = choices_with(settings, game, players, first, rules)
        options, seated = last_options(game, last), last_players(game, last, settings.names)
        table = new_table(self._app.store, game, options, seated, last)
        table.warned = warned
        self.open_table(table)

    def open_preset(self, game: AnyGame, preset: Preset[Any], before: LocalTable | None = None) -> None:
        """Play a preset, with the players at this table or those of last time, and keep it as the rules chosen last."""
        settings, game_id = self._app.settings, game.INFO.id
        last = last_choices(settings, game).changed(options=preset.options.texts())
        if not last.chosen:
            last = last.changed(first=f"player-{preset.seat}")
        players = before.players if before else last_players(game, last, settings.names)
        self._app.change_settings(last={**settings.last, game_id: last})
        table = new_table(self._app.store, game, preset.options, players, last, before)
        (self.swap_table if before else self.open_table)(table)

    def host(self, game: AnyGame, options: Options, rounds: int, name: str, *, lesson: bool, watch: bool) -> None:
        """Open a table for a friend elsewhere and wait for them. Raises DuelboxError."""
        from duelbox.friends.lobby import host
        from duelbox.friends.missing_library import check_friends_available

        check_friends_available()
        proposed, relay = Session(game, options.rules_only()), self._app.settings.relay

        def wait(name: str) -> None:
            self.meet(name, lambda store: host(store, proposed, name, rounds, lesson=lesson, relay=relay, watch=watch))

        self.with_name(name, wait)

    def with_name(self, name: str, then: Callable[[str], None]) -> None:
        """Go on under this name, which a friend elsewhere reads; ask for a name first, once, if the player has none."""
        if lacks_name(self._app.store, name):
            self._app.push_screen(screens.ask_names.AskNameScreen(name, then))
        else:
            then(name)

    def meet(self, name: str, opens: Callable[[Store], Awaitable[WaitingTable | LiveMatch | WatchedMatch]]) -> None:
        """Open the screen that waits for a friend elsewhere, and keep a new name in the settings."""
        names = names_with(name, self._app.settings.names)
        if names != self._app.settings.names:
            self._app.change_settings(names=names)
        self._app.push_screen(screens.elsewhere_screen.MeetScreen(name, opens))

    def open_new_game(self, table: LocalTable | None = None, game_id: str | None = None, row: str = "game") -> None:
        """Open the form of a new game; `row` is its chosen row."""
        wanted = game_id or (table.game.INFO.id if table else self._app.settings.game)
        playable = game_ids()[0] if why_unplayable(wanted) else wanted
        self._app.push_screen(screens.new_game.NewGameScreen(playable, table, row))

    def open_lab(self, game: AnyGame, options: Options, then: Callable[[Options, bool], object]) -> None:
        """A map of house rules; `then` takes those under its cursor, and whether to play them."""
        try:
            solver_of(game.INFO.id)
            self._app.push_screen(screens.rules_map.RulesMapScreen(game, options, then))
        except DuelboxError as error:
            self._app.warn(error.sentence)

    async def resume(self, summary: Summary) -> None:
        """Continue an unfinished match. Raises DuelboxError."""
        asking, left = self._app.screen, self._left
        if left and left.saved and left.saved.id == summary.id and not summary.open_elsewhere:
            self.open_table(left)
            return
        try:
            table = await asyncio.to_thread(LocalTable.resumed, self._app.store, summary.id)
        except DuelboxError as error:
            if why_unplayable(summary.game) or not find_game(summary.game).INFO.hidden:
                raise
            await self.review(summary)  # from no seat, so that hidden numbers stay hidden
            self._app.warn(error.sentence)
            return
        if not self._is_on_top(asking):
            if table.saved is not None:
                table.saved.close()
            return
        if table.notice:
            self._app.warn(table.notice)
        self.open_table(table)

    async def review(self, summary: Summary) -> None:
        """Open a game in review. Raises DuelboxError."""
        from duelbox.table.review_table import ReviewTable

        asking = self._app.screen
        opened = await asyncio.to_thread(self._app.store.load, summary.id)
        if not self._is_on_top(asking):
            return
        if opened.record is not None and opened.sessions:
            table = ReviewTable(opened.record, opened.sessions, opened.error)
            self._app.push_screen(screens.review_screen.ReviewScreen(table))
        else:
            self._app.warn(opened.error or "There is nothing to see in it.")

    def _is_on_top(self, screen: Screen[Any]) -> bool:
        """True if a screen that waited for the disk is still on top."""
        return self._app.screen_stack[-1:] == [screen]

    def open_puzzles(
        self, puzzles: Sequence[Puzzle] = (), day: date | None = None, done: Sequence[PuzzleResult | None] = ()
    ) -> None:
        """Open these puzzles, or one near the player's strength that was neither tried nor skipped yet."""
        from duelbox.learn.practice import next_puzzle
        from duelbox.learn.puzzle_results import PUZZLES

        if not puzzles:
            tried = self._app.store.progress.all(PUZZLES)
            puzzles = [next_puzzle([*tried, *((code, None) for code in self._offered)])]
        self._offered.append(puzzles[0].code)
        self._app.push_screen(screens.puzzle_screen.PuzzleScreen(puzzles, day, done))

    def open_set(self, name: str = "") -> None:
        """Open the form that takes the name of a homework."""
        self._app.push_screen(screens.homework.SetScreen(name))

    def open_puzzles_of(self, game_id: str, idea: str) -> None:
        """Open ten puzzles of an idea, untried ones first; of the whole game if no puzzle has the idea."""
        from duelbox.learn.practice import of_idea
        from duelbox.learn.puzzle_results import worked_on
        from duelbox.ui.home_known import tried_by

        tried = worked_on(tried_by(self._app.store))
        puzzles = sorted(of_idea(game_id, idea), key=lambda one: (one.code in tried, one.grade))
        if puzzles:
            self.open_puzzles(puzzles[:10])
        else:
            self._app.warn(f"{find_game(game_id).INFO.title} has no puzzles yet.")

    def open_daily(self, day: date | None = None) -> None:
        """Open the unsolved puzzles of a day, today by default.

        If all are done, open all of them again for a given day, or the calendar for today.
        """
        from duelbox.learn.daily import daily, to_do
        from duelbox.ui.home_known import tried_by

        at = day or date.today()
        try:
            left, done = to_do(at, tried_by(self._app.store))
        except DuelboxError as error:
            self._app.warn(error.sentence)
            return
        if left:
            self.open_puzzles(left, at, done)
        elif day:
            self.open_puzzles(daily(at), at)
        else:
            self.open("calendar")

    def open_help(self, game: AnyGame | None = None) -> None:
        """Open help: the rules of the game on the screen, or as played last, and the keys of the screen."""
        from duelbox.ui.game_board import board_of

        screen = next((one for one in reversed(self._app.screen_stack) if _game_at(one)), None)
        table, game_here = getattr(screen, "table", None), _game_at(screen)
        shown_game = game or game_here or find_game(game_ids()[0])
        options = getattr(table or screen, "options", None) if shown_game is game_here else None
        options = options or last_options(shown_game, last_choices(self._app.settings, shown_game))
        names: tuple[str, ...] = ("begins", "comes second")
        if table:
            names = tuple("You" if seat == table.voice.you else table.who(seat).name for seat in SEATS)
        signs_here = (*board_of(shown_game.INFO.id).signs, *getattr(screen, "SIGNS", ()))
        signs = screens.help.signs_of(signs_here, self._app.glyphs, names)
        self._app.push_screen(screens.help.HelpScreen(shown_game, options, signs, self._app.keys_here()))

    def open_lesson(self, game_id: str, number: int | None = None, preset: str | None = None) -> None:
        """Open a lesson of a preset's course: by default the one where the course was left.

        After a lost game it is the lesson on its mistake, with the position that was lost as its first step.
        """
        from duelbox.learn.course_test import has_test_left
        from duelbox.learn.lessons import LESSONS, course_of

        try:
            marks, name = self._app.store.progress.newest(LESSONS), self._app.settings.names[0]
            own = None
            if number is None:
                number, own = self._lesson_after_loss(game_id)
            course = course_of(game_id, marks, number, name, own, preset)
            to_test = number is None and course.all_done(marks) and has_test_left(game_id, course.preset, marks)
        except DuelboxError as error:
            self._app.warn(error.sentence)
        else:
            if to_test:
                self.open_test(game_id, course.preset)
                return
            self._app.push_screen(screens.lesson_screen.LessonScreen(course))

    def open_test(self, game_id: str, preset: str) -> None:
        """Open the test that ends the course of a preset."""
        from duelbox.learn.course_test import course_test, key_of_test
        from duelbox.learn.lessons import LESSONS

        try:
            marks = self._app.store.progress.newest(LESSONS)
            test = course_test(game_id, preset, marks, self._app.settings.names[0])
        except DuelboxError as error:
            self._app.warn(error.sentence)
        else:
            self._app.push_screen(screens.course_test.CourseTestScreen(test, key_of_test(game_id, preset), marks))

    def _lesson_after_loss(self, game_id: str) -> tuple[int | None, Step | None]:
        """The index of the lesson on the mistake of the last game, and its position; None and None without a loss."""
        from duelbox.learn.ideas import MISTAKES, lost_lately, own_step
        from duelbox.learn.lessons import readable
        from duelbox.ui.home_rows import played_here

        played = played_here(self._app.store.latest_played(), game_id, self._app.settings)
        if not played or played[0].points > 0:
            return None, None
        for code, missed in lost_lately(self._app.store.progress.all(MISTAKES), game_id)[:1]:
            for number, lesson in enumerate(readable(game_id)):
                if lesson.idea == missed.idea:
                    return number, own_step(code, missed)
        return None, None

    async def open_mistakes(self, told: str = "") -> None:
        """Open the mistakes that come back today, of the game that has most of them.

        `told` is the sentence on resting mistakes that the screen shows: whoever has read it may have them now.
        """
        from duelbox.learn.ideas import resting, returning
        from duelbox.ui.home_known import coming_ideas

        asking, store = self._app.screen, self._app.store
        coming = await asyncio.to_thread(coming_ideas, store)
        today = date.today()
        rest = resting(coming, today)
        until = today
        if rest and rest in (told, self._rest_told):
            until = date.max  # asked for again: have them now
        self._rest_told = ""
        due = await asyncio.to_thread(lambda: next(returning(coming, until), None))
        if due is None:
            sentence = "No mistakes yet: they are kept as you play."
            if rest:
                self._rest_told = rest
                sentence = f"{rest} Press m again to play now."
            asking.show(sentence) if isinstance(asking, screens.home.HomeScreen) else self._app.warn(sentence)
        elif self._is_on_top(asking):
            trial, kept = due
            self._app.push_screen(screens.mistakes_screen.MistakesScreen(trial, kept=kept))

    def open_code(self, text: str, previous: LocalTable | None = None, leave: Screen[Any] | None = None) -> None:
        """Open the position of a code with the players of last time. Raises DuelboxError.

        `leave` is a screen to close when the table opens.
        """
        new_game = read_new_game(text)
        last = last_choices(self._app.settings, new_game.game)
        unfinished = LocalTable.continued_by_post(self._app.store, new_game)
        players = last_players(new_game.game, last, self._app.settings.names)
        table = unfinished or LocalTable(new_game, players, store=self._app.store, previous=previous)
        if leave is not None and self._app.screen is leave:
            self._app.pop_screen()
        if previous is None:
            self.open_table(table)
        elif unfinished:
            self._swap(table, "")
        else:
            self.swap_table(table)

    def paste(self, text: str) -> None:
        """Open a pasted code; at a table, type any other pasted text into the move line."""
        screen, pasted = self._app.screen, text.strip().removeprefix(POSTED).strip()
        try:
            if isinstance(screen, screens.table.TableScreen):
                screen.paste(pasted)
            elif isinstance(screen, screens.new_game.NewGameScreen) and set(":/") & set(pasted):
                before = screen.before
                self.open_code(pasted, leave=screen, previous=before)
            elif isinstance(screen, screens.home.HomeScreen):
                from duelbox.ui.pasted import open_pasted

                open_pasted(self._app, pasted)
        except DuelboxError as error:
            self._app.warn(error.sentence)


def _game_at(screen: Screen[Any] | None) -> AnyGame | None:
    """The game of a screen, if it has one."""
    game: AnyGame | None = getattr(getattr(screen, "table", screen), "game", None)
    return game


def _table_at(screen: Screen[Any]) -> LocalTable | None:
    table = getattr(screen, "table", None)
    return table if isinstance(table, LocalTable) else None
