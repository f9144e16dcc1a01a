"""The app: themes, settings, the store, and the ways from screen to screen."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.constants import TEXTUAL_ANIMATIONS
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen
from textual.worker import WorkerFailed

from duelbox import __version__, startup
from duelbox.core.errors import DuelboxError
from duelbox.core.match import Match, Player
from duelbox.registry import GuestFault
from duelbox.store.autosave import Saved
from duelbox.store.settings import Config, Settings
from duelbox.store.store import AGAIN, Notices, Store
from duelbox.table.coach import MOVES_KIND
from duelbox.table.local import LocalTable
from duelbox.table.opening import Opening, called, preset_faults, seated
from duelbox.ui import screens
from duelbox.ui.game_board import board_of
from duelbox.ui.glyphs import ASCII, KEYS, UNICODE, Glyphs, PlainSigns
from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.terminal.crash_report import CrashReports
from duelbox.ui.themes import FOREIGN, THEMES
from duelbox.ui.ways import Ways

# How long a move waits for the disk before it is shown all the same.
PATIENCE = 0.5
# Threads give way to the keyboard fifty times as often as usual.
SWITCH = 0.0001
MOTION = ("none", "basic", "full")
# Keys that only point have no place in the palette.
POINTING = frozenset(("up", "down", "left", "right", "tab", "shift+tab", "backspace"))
POINTS = ("move(", "step(")
PALETTE_GONE = 0.1  # a picture is of what lies below the palette


class DuelboxApp(TerminalApp):
    """duelbox on a full screen."""

    TITLE = "duelbox"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", id="app.quit", show=False, priority=True),
        Binding("s", "open('settings')", "Settings", id="app.settings", show=False),
        Binding("question_mark", "help", "Help", id="app.help", show=False, key_display="?"),
    ]

    def __init__(
        self,
        config: Config,
        store: Store,
        sitting: LocalTable | None = None,
        then: Callable[[DuelboxApp], None] | None = None,
    ) -> None:
        # Without ansi_color a NO_COLOR terminal can end up black on black.
        super().__init__(ansi_color=False)
        self.config = config
        self.store = store
        self._news = Notices(store)
        self.crash_reports = CrashReports("duelbox", __version__, store.folders.data)
        self._plain_signs = PlainSigns()
        self._first = sitting
        self._then = then
        self.ways = Ways(self)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.config.settings

    @property
    def glyphs(self) -> Glyphs:
        """The signs to draw with."""
        return ASCII if self.settings.plain else UNICODE

    def get_line_filters(self) -> Sequence[LineFilter]:
        """In plain ASCII, what Textual draws, too."""
        return [*super().get_line_filters(), *([self._plain_signs] if self.settings.plain else [])]

    def get_key_display(self, binding: Binding) -> str:
        """A key as it is written in the line of keys and in the palette."""
        shown = super().get_key_display(binding)
        if self.settings.plain:
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
        self.apply_settings()
        if self._first is None:
            self.ways.open("home")
        else:
            self.ways.open_table(self._first)
        if self._then is not None:
            self._then(self)
        of_play = self._first.notice if self._first else None
        of_presets = preset_faults(self.settings)
        for notice in filter(None, (*self.config.notices, *self.keymap_faults, *of_presets, of_play)):
            self.warn(notice)
        self.tell_news()

    def on_ready(self) -> None:
        """Everything is painted for the first time."""
        startup.arrived()

    def apply_settings(self) -> None:
        """Make the settings true."""
        plain = "no-colour" if os.environ.get("NO_COLOR") else "dark"
        self.theme = THEMES[plain if self.settings.theme == "auto" else self.settings.theme].name
        # The environment may ask for less motion than the settings, never for more.
        self.animation_level = min(self.settings.animation, TEXTUAL_ANIMATIONS, key=MOTION.index)
        keymap: dict[str, str] = {}
        self.keymap_faults: tuple[str, ...] = ()
        if self.settings.keymap:  # else nothing of the table is loaded before the first paint
            from duelbox.ui.keymap import checked_keymap

            keymap, self.keymap_faults = checked_keymap(self.settings.keymap)
        self.set_keymap(keymap)

    def warn(self, sentence: str) -> None:
        """Say what is not as it was asked for."""
        self.notify(sentence, severity="warning", markup=False, timeout=8)

    async def _dispatch_message(self, message: Message) -> None:
        with self.fence():
            await super()._dispatch_message(message)

    def _handle_exception(self, error: Exception) -> None:
        with self.fence():
            cause = error.error if isinstance(error, WorkerFailed) else error
            if isinstance(cause, GuestFault):
                raise cause
            super()._handle_exception(error)

    @contextmanager
    def fence(self) -> Iterator[None]:
        """Tell a fault of a guest's solver or board; everything else goes on."""
        try:
            yield
        except GuestFault as fault:
            self.warn(fault.sentence)

    def note_progress(self, kind: str, key: str, value: Any) -> None:
        """Keep what was learned; what the disk refuses is told, and nothing waits for it."""

        def note() -> None:
            try:
                self.store.progress.add(kind, key, value)
            except DuelboxError as error:
                if kind != MOVES_KIND:  # a count of moves is no loss
                    self.call_from_thread(self.warn, error.sentence)

        self.run_worker(note, thread=True, exit_on_error=False)

    def on_paste(self, event: events.Paste) -> None:
        """A position code, or a move, may be pasted where it can be played."""
        self.ways.paste(event.text)

    def action_puzzle(self) -> None:
        """A puzzle to practise."""
        self.ways.open_puzzles()

    def action_daily(self) -> None:
        """The puzzles of the day."""
        self.ways.open_daily()

    def action_open(self, name: str) -> None:
        """A screen that need be told nothing, by its name."""
        self.ways.open(name)

    # -- saving

    async def game_changed(self, sitting: LocalTable) -> None:
        """Put the change on disk before it is shown."""
        saving = sitting.save()
        if saving is None:
            return
        saved, done = sitting.saved, asyncio.wrap_future(saving)
        done.add_done_callback(lambda _: self.tell_news(saved))  # perhaps long after the move was shown
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(done), PATIENCE)

    def tell_news(self, saved: Saved | None = None) -> None:
        """Say once what there is to say about saving; while the table is covered, it waits."""
        if self.screen_stack and not self._covered:
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
            for screen in self.screen_stack:
                if isinstance(sitting := getattr(screen, "sitting", None), LocalTable):
                    sitting.pace = None

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
            ("Calendar", "The puzzles of the day, and how they went", partial(self.ways.open, "calendar")),
            ("Statistics", "How often each player has won", partial(self.ways.open, "statistics")),
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
            self.ways.open("settings")

    def keys_here(self) -> list[screens.help.Key]:
        """The keys of this screen, then those of the app; of two on one key, that which works now."""
        screen = self.screen
        active = {key: one.binding for key, one in screen.active_bindings.items() if one.enabled}
        label = getattr(screen, "label", lambda action: None)
        bound = {key: active.get(key, found[0]) for key, found in screen._bindings.key_to_bindings.items()}
        known = ((one, key in active) for key, one in {**bound, **active}.items() if one.id and one.description)
        shown = [(one, works) for one, works in known if works or screens.help.can_be_wanted(screen, one.action)]
        named = [(one, label(one.action) or one.description, works) for one, works in shown]
        return [screens.help.Key(self.get_key_display(one), told, works) for one, told, works in named]

    def action_help(self) -> None:
        """The keys of this screen, then the rules of a game."""
        self.ways.open_help()

    def deliver_screenshot(
        self, filename: str | None = None, path: str | None = None, time_format: str | None = None
    ) -> str | None:
        """Keep a picture of the screen, and say where it is."""
        if self._covered:
            return None
        from duelbox.ui.svg import keep_picture, places, screen_svg

        folders = places() if path is None else (Path(path),)
        told = keep_picture(screen_svg(self), folders, f"duelbox-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
        self.notify(told, markup=False, timeout=8)
        return told

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing opens over a covered table."""
        return not self._covered or action == "quit"

    @property
    def _covered(self) -> bool:
        return bool(self.screen_stack) and isinstance(self.screen, screens.curtain.CurtainScreen)


def run_app(
    asked: Opening | None,
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
    config = Config.load(flags={"theme": theme})
    store = Store.open()
    try:
        if go_on is not None:
            sitting: LocalTable | None = LocalTable.resumed(store, store.to_go_on(go_on).id)
        elif asked is None:
            sitting = None
        else:
            match = Match(rounds=rounds, first=first)
            sitting = LocalTable.of(asked, called(seated(asked.game, players)), match, store)
        if sitting is not None:
            board_of(sitting.game.INFO.id)  # refuses here, with a sentence, a guest's that can't be loaded
        app = DuelboxApp(config, store, sitting, then)
        app.run()
        return app.return_code or 0
    finally:
        store.close()
        for sentence in store.lost:
            sys.stderr.write(f"{sentence}\n")
