"""The app: themes, settings, the store, and the ways from screen to screen."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.constants import TEXTUAL_ANIMATIONS
from textual.filter import LineFilter
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.worker import WorkerFailed

from duelbox import __version__, startup
from duelbox.core.errors import DuelboxError
from duelbox.store.files import find_folders
from duelbox.ui import screens
from duelbox.ui.glyphs import ASCII, KEYS, UNICODE, Glyphs, PlainSigns
from duelbox.ui.home_kept import KeptHome, kept_home
from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.terminal.background import in_background
from duelbox.ui.terminal.crash_report import CrashReports
from duelbox.ui.textual_themes import FOREIGN, THEMES

if TYPE_CHECKING:
    from duelbox.core.match import Player
    from duelbox.store.autosave import Saved
    from duelbox.store.settings import Config, Settings
    from duelbox.store.store import Notices, Store
    from duelbox.table.local import LocalTable
    from duelbox.table.new_game import NewGame
    from duelbox.ui.navigation import Navigation

# How long a move waits for the disk before it is shown all the same.
PATIENCE = 0.5
# Threads give way to the keyboard fifty times as often as usual.
SWITCH = 0.0001
MOTION = ("none", "basic", "full")
# Keys that only point have no place in the palette.
POINTING = frozenset(("up", "down", "left", "right", "tab", "shift+tab", "backspace"))
POINTS = ("move(", "step(")
CUT = 129  # the status of an app whose terminal was taken away
PALETTE_GONE = 0.1  # a picture is of what lies below the palette


class DuelboxApp(TerminalApp):
    """duelbox on a full screen."""

    TITLE = "duelbox"
    CSS_PATH = "app.tcss"
    keymap_faults: tuple[str, ...] = ()
    home_size: Size | None = None
    """The size in which home was drawn last."""
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", id="app.quit", show=False, priority=True),
        Binding("s", "open('settings')", "Settings", id="app.settings", show=False),
        Binding("question_mark", "help", "Help", id="app.help", show=False, key_display="?"),
    ]

    def __init__(
        self,
        config: Config | None = None,
        store: Store | None = None,
        table: LocalTable | None = None,
        then: Callable[[DuelboxApp], None] | None = None,
        kept: KeptHome | None = None,
        flags: Mapping[str, str | None] | None = None,
    ) -> None:
        """The settings and the store may come later, where home was kept."""
        # Without ansi_color a NO_COLOR terminal can end up black on black.
        super().__init__(ansi_color=False)
        self._known = (config, store) if config and store else None
        self._kept = kept
        self.flags = flags
        """The settings that the command line gives; None where home is not kept."""
        self._loading = RLock()
        folders = store.folders if store else find_folders()
        self.crash_reports = CrashReports("duelbox", __version__, folders.data)
        self._plain_signs = PlainSigns()
        self.first = table
        """The table to begin at, instead of home."""
        self._then = then

    def _load(self) -> tuple[Config, Store]:
        """The settings and the store, opened when they are asked for first; another thread waits meanwhile."""
        if self._known is None:
            with self._loading:
                if self._known is None:
                    from duelbox.store.settings import Config
                    from duelbox.store.store import Store

                    self._known = Config.load(flags=self.flags), Store.open()
        return self._known

    def close(self) -> None:
        """Keep home for the next start and let go of the saved games; what is not on disk is told."""
        with self._loading:
            if self._known is not None:
                if self.return_code == CUT and "navigation" in vars(self):
                    self.navigation.note_where(self.screens_at_exit)
                self.store.let_go()
                self.keep_home()
                self.store.close()
                for sentence in self.store.lost:
                    sys.stderr.write(f"{sentence}\n")

    @property
    def config(self) -> Config:
        """The settings, and the file behind them."""
        return self._load()[0]

    @property
    def store(self) -> Store:
        """The saved games."""
        return self._load()[1]

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.config.settings

    @cached_property
    def navigation(self) -> Navigation:
        """The ways from screen to screen."""
        from duelbox.ui.navigation import Navigation

        return Navigation(self)

    @cached_property
    def _news(self) -> Notices:
        from duelbox.store.store import Notices

        return Notices(self.store)

    @property
    def plain(self) -> bool:
        """Everything is drawn with ASCII alone."""
        return self._kept.plain if self._kept else self.settings.plain

    @property
    def glyphs(self) -> Glyphs:
        """The signs to draw with."""
        return ASCII if self.plain else UNICODE

    def get_line_filters(self) -> Sequence[LineFilter]:
        """In plain ASCII, what Textual draws, too."""
        return [*super().get_line_filters(), *([self._plain_signs] if self.plain else [])]

    def get_key_display(self, binding: Binding) -> str:
        """A key as it is written in the line of keys and in the palette."""
        shown = super().get_key_display(binding)
        if self.plain:
            return ("/" if KEYS.keys() >= set(shown) else "").join(KEYS.get(char, char) for char in shown)
        return shown.replace("⏎", self.glyphs.enter)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What our style sheets need, for themes that are not ours."""
        return {**super().get_theme_variable_defaults(), **FOREIGN}

    def on_mount(self) -> None:
        """Dress, and open the first screen."""
        sys.setswitchinterval(SWITCH)
        for theme in THEMES.values():
            self.register_theme(theme)
        if self._kept is not None:
            self._dress(self._kept.theme, self._kept.animation)
            self.push_screen(screens.home.HomeScreen(self._kept))
            return
        self.apply_settings()
        if self.first is None:
            self.push_screen(screens.home.HomeScreen())
        else:
            self.navigation.open_table(self.first)
        if self._then is not None:
            self._then(self)
        self._tell_all()

    def _tell_all(self) -> None:
        """Say what is not as it was asked for, and what there is to say about saving."""
        of_play = self.first.notice if self.first else None
        from duelbox.table.presets import preset_faults

        of_presets = preset_faults(self.settings)
        for notice in filter(None, (*self.config.notices, *self.keymap_faults, *of_presets, of_play)):
            self.warn(notice)
        self.tell_news()

    def on_ready(self) -> None:
        """Everything is painted for the first time."""
        startup.arrived()
        if self._kept is not None:
            self.run_worker(self._catch_up())
        elif self.flags is not None and self.first is None:
            self.run_worker(in_background(self.keep_home), exit_on_error=False)

    async def _catch_up(self) -> None:
        """Load what home was painted without, beside the event loop, and look whether home is right."""
        await in_background(lambda: (self._load(), import_module("duelbox.ui.home_known"), self.navigation))
        self._kept = None
        self.apply_settings()
        self._tell_all()
        for home in [screen for screen in self.screen_stack if isinstance(screen, screens.home.HomeScreen)]:
            await home.find_anew()

    def keep_home(self) -> None:
        """Keep home for the next start, where it was seen; waits for the disk."""
        from duelbox.ui.home_known import keep_home

        if self.flags is None or self.home_size is None:
            return
        if kept_home(self.store.folders, self.flags, date.today()) is None:
            keep_home(self.store, self.flags, date.today(), *self.home_size)

    def apply_settings(self) -> None:
        """Make the settings true."""
        self._dress(self.settings.theme, self.settings.animation)
        keymap: dict[str, str] = {}
        if self.settings.keymap:  # else nothing of the table is loaded before the first paint
            from duelbox.ui.table_keys import checked_keymap

            keymap, self.keymap_faults = checked_keymap(self.settings.keymap)
        self.set_keymap(keymap)

    def _dress(self, theme: str, animation: str) -> None:
        plain = "no-colour" if os.environ.get("NO_COLOR") else "dark"
        self.theme = THEMES[plain if theme == "auto" else theme].name
        # The environment may ask for less motion than the settings, never for more.
        levels: tuple[Any, ...] = animation, TEXTUAL_ANIMATIONS
        self.animation_level = min(levels, key=MOTION.index)

    def warn(self, sentence: str) -> None:
        """Say what is not as it was asked for."""
        self.notify(sentence, severity="warning", markup=False, timeout=8)

    async def _dispatch_message(self, message: Message) -> None:
        with self.fence():
            await super()._dispatch_message(message)

    def _handle_exception(self, error: Exception) -> None:
        with self.fence():
            cause = error.error if isinstance(error, WorkerFailed) else error
            if _is_of_a_guest(cause):
                raise cause
            super()._handle_exception(error)

    @contextmanager
    def fence(self) -> Iterator[None]:
        """Tell a fault of a guest's solver or board; everything else goes on."""
        try:
            yield
        except DuelboxError as fault:
            if not _is_of_a_guest(fault):
                raise
            self.warn(fault.sentence)

    def note_progress(self, kind: str, key: str, value: Any) -> None:
        """Keep what was learned; what the disk refuses is told, and nothing waits for it."""

        def note() -> None:
            try:
                self.store.progress.add(kind, key, value)
            except DuelboxError as error:
                self.call_from_thread(self.warn, error.sentence)

        self.run_worker(note, thread=True, exit_on_error=False)

    def on_paste(self, event: events.Paste) -> None:
        """A position code, or a move, may be pasted where it can be played."""
        self.navigation.paste(event.text)

    def action_puzzle(self) -> None:
        """A puzzle to practise."""
        self.navigation.open_puzzles()

    def action_daily(self) -> None:
        """The puzzles of the day."""
        self.navigation.open_daily()

    def action_open(self, name: str) -> None:
        """A screen that need be told nothing, by its name."""
        self.navigation.open(name)

    # -- saving

    async def game_changed(self, table: LocalTable) -> None:
        """Put the change on disk before it is shown."""
        saving = table.save()
        if saving is None:
            return
        saved, done = table.saved, asyncio.wrap_future(saving)
        done.add_done_callback(lambda _: self.tell_news(saved))  # perhaps long after the move was shown
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(done), PATIENCE)

    def tell_news(self, saved: Saved | None = None) -> None:
        """Say once what there is to say about saving; while the table is covered, it waits."""
        if self.screen_stack and not self._covered:
            from duelbox.store.store import AGAIN

            for notice in self._news.take(saved):
                self.notify(notice, severity="information" if notice == AGAIN else "warning", markup=False, timeout=8)

    def change_settings(self, **values: Any) -> None:
        """Change settings, now and in their file."""
        notice = self.config.change(**values)
        if notice:
            self.warn(notice)
        self.apply_settings()
        if "ascii" in values:
            self.refresh_css(animate=False)
        if "delay" in values:
            from duelbox.table.local import LocalTable

            for screen in self.screen_stack:
                if isinstance(table := getattr(screen, "table", None), LocalTable):
                    table.pace = None

    # -- the palette

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every action that works now, by its name, and what has no key."""
        named: dict[str, SystemCommand] = {}
        for active in screen.active_bindings.values():
            binding, title = active.binding, active.binding.tooltip or active.binding.description
            points = binding.key in POINTING and (not binding.show or binding.action.startswith(POINTS))
            if active.enabled and binding.id and title and not points:
                run = partial(self.call_later, self.run_action, binding.action, active.node)
                named.setdefault(title, SystemCommand(title, f"Key: {self.get_key_display(binding)}", run))
        yield from named.values()
        for title, told, open_one in (
            ("Puzzle", "One right move to find", self.action_puzzle),
            ("The puzzles of the day", "The same for everybody", self.action_daily),
            ("Calendar", "The puzzles of the day, and how they went", partial(self.navigation.open, "calendar")),
            ("Progress", "How far you know each idea", partial(self.navigation.open, "progress")),
            ("Statistics", "How often each player has won", partial(self.navigation.open, "statistics")),
        ):
            if title not in named:
                yield SystemCommand(title, told, partial(self.call_later, open_one))
        yield SystemCommand("Theme", "Choose the colours of the screen", partial(self.call_later, self._choose_theme))
        picture = partial(self.set_timer, PALETTE_GONE, self.deliver_screenshot)
        yield SystemCommand("Screenshot", "Save a picture of the screen, as SVG", picture)

    def _choose_theme(self) -> None:
        """Open the settings, which begin with the themes."""
        if isinstance(self.screen, screens.settings.SettingsScreen):
            self.screen.form.at = 0
        else:
            self.navigation.open("settings")

    def keys_here(self) -> list[screens.help.Key]:
        """The keys of this screen, then those of the app; of two on one key, that which works now."""
        screen = self.screen
        active = {key: one.binding for key, one in screen.active_bindings.items() if one.enabled}
        label = getattr(screen, "label", lambda action: None)
        bound = {key: active.get(key, found[0]) for key, found in screen._bindings.key_to_bindings.items()}
        known = [(one, key in active) for key, one in {**bound, **active}.items() if one.id and one.description]
        known.sort(key=lambda one: one[0].key == "tab")  # Textual has a Tab of its own before all others
        shown = [(one, works) for one, works in known if works or screens.help.can_be_wanted(screen, one.action)]
        named = [(one, label(one.action) or one.description, works) for one, works in shown]
        return [screens.help.Key(self.get_key_display(one), told, works) for one, told, works in named]

    def action_help(self) -> None:
        """The keys of this screen, then the rules of a game."""
        self.navigation.open_help()

    def deliver_screenshot(
        self, filename: str | None = None, path: str | None = None, time_format: str | None = None
    ) -> str | None:
        """Keep a picture of the screen, and say where it is."""
        if self._covered:
            return None
        from duelbox.ui.svg import picture_folders, save_picture, screen_svg

        folders = picture_folders() if path is None else (Path(path),)
        told = save_picture(screen_svg(self), folders, f"duelbox-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
        self.notify(told, markup=False, timeout=8)
        return told

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing opens over a covered table."""
        return not self._covered or action == "quit"

    @property
    def _covered(self) -> bool:
        return bool(self.screen_stack) and getattr(self.screen, "COVERS", False)


def _is_of_a_guest(error: BaseException) -> bool:
    """A fault of a guest's solver or board; nothing is loaded to know it of other errors."""
    if not isinstance(error, DuelboxError):
        return False
    from duelbox.registry import GuestFault

    return isinstance(error, GuestFault)


def run_app(
    asked: NewGame | None,
    players: tuple[str | None, str | None] = (None, None),
    *,
    rounds: int = 1,
    first: Player = 0,
    go_on: str | None = None,
    theme: str | None = None,
    then: Callable[[DuelboxApp], None] | None = None,
) -> int:
    """Open the full screen, at the table where a game is asked for; the exit status.

    `go_on` is the id of a saved match to go on with, or empty for the latest unfinished one; `then` opens what lies
    above home.
    """
    flags = {"theme": theme}
    at_home = asked is None and go_on is None and then is None
    kept = kept_home(find_folders(), flags, date.today()) if at_home else None
    app = DuelboxApp(then=then, kept=kept, flags=flags)
    try:
        if go_on is not None or asked is not None:
            from duelbox.core.match import Match
            from duelbox.table.local import LocalTable
            from duelbox.ui.game_board import board_of

            app.first = LocalTable.opened(app.store, go_on, asked, players, Match(rounds=rounds, first=first))
            board_of(app.first.game.INFO.id)  # refuses here, with a sentence, a guest's that can't be loaded
        app.run()
        return app.return_code or 0
    finally:
        app.close()
