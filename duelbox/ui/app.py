"""The app: themes, settings, the store, saving, and the command palette."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from threading import RLock
from traceback import walk_stack
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.constants import TEXTUAL_ANIMATIONS
from textual.filter import LineFilter
from textual.geometry import Size
from textual.screen import Screen

from duelbox import __version__, startup
from duelbox.core.errors import DuelboxError
from duelbox.store.files import find_folders
from duelbox.store.terminals import SIGNS, Terminal, known_terminal
from duelbox.ui import screens
from duelbox.ui.glyphs import KEYS, Glyphs, PlainSigns, chosen_glyphs
from duelbox.ui.home_kept import KeptHome, kept_home
from duelbox.ui.terminal.app import TerminalApp
from duelbox.ui.terminal.background import in_background
from duelbox.ui.terminal.crash_report import CrashReports
from duelbox.ui.textual_themes import FOREIGN, THEMES, theme_called

if TYPE_CHECKING:
    from duelbox.registry import GuestFault
    from duelbox.store.autosave import Saved
    from duelbox.store.settings import Config, Settings
    from duelbox.store.store import Notices, Store
    from duelbox.table.local import LocalTable
    from duelbox.ui.navigation import Navigation

SAVING_SECONDS = 0.5
"""Seconds a move waits for the disk before it is shown anyway."""
SWITCH = 0.0001
"""Seconds after which a computing thread lets the keyboard in: fifty times as often as usual."""
MOTION = ("none", "basic", "full")
POINTING = frozenset(("up", "down", "left", "right", "tab", "shift+tab", "backspace"))
POINTS = ("move(", "step(")
"""Keys and actions that only move a cursor; the palette leaves them out."""
CUT = 129
"""The exit status when the terminal was closed."""
PALETTE_GONE = 0.1
"""Seconds until the palette has closed, so that it is not in the screenshot."""


class DuelboxApp(TerminalApp):
    """duelbox on a full screen."""

    TITLE = "duelbox"
    CSS_PATH = "app.tcss"
    keymap_faults: tuple[str, ...] = ()
    preview_size: Size | None = None
    """The size of the position on home when it was drawn last."""
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
        """Without `config` and `store` both are opened at first use; `kept` shows home before that."""
        # Without ansi_color a NO_COLOR terminal can end up black on black.
        super().__init__(ansi_color=False)
        self._known = (config, store) if config and store else None
        self._kept = kept
        self.flags = flags
        """The settings given on the command line; None if home must not be kept."""
        self._loading = RLock()
        self._folders = store.folders if store else find_folders()
        self.crash_reports = CrashReports("duelbox", __version__, self._folders.data)
        self._plain_signs = PlainSigns()
        self.first = table
        """The table to begin with instead of home."""
        self._then = then
        self._guest_fault: GuestFault | None = None
        """The fault of a guest for which its screens are being left."""
        for theme in THEMES.values():
            self.register_theme(theme)
        if kept is not None:
            self.begin_with(theme_called(kept.theme))

    def _load(self) -> tuple[Config, Store]:
        """The settings and the store, opened at first use; other threads wait for it."""
        if self._known is None:
            with self._loading:
                if self._known is None:
                    from duelbox.store.settings import Config
                    from duelbox.store.store import Store

                    self._known = Config.load(flags=self.flags), Store.open()
        return self._known

    def close(self) -> None:
        """Keep home for the next start and close the store; write to stderr what could not be saved."""
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
        """The settings with their file."""
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
        """Opens the other screens."""
        from duelbox.ui.navigation import Navigation

        return Navigation(self)

    @cached_property
    def _news(self) -> Notices:
        from duelbox.store.store import Notices

        return Notices(self.store)

    @property
    def plain(self) -> bool:
        """True if everything is drawn in ASCII."""
        return self._kept.plain if self._kept else self.settings.plain

    @property
    def glyphs(self) -> Glyphs:
        """The signs to draw with."""
        may_choose = self._kept is not None or self.settings.ascii == "auto"
        return chosen_glyphs(plain=self.plain, letters=may_choose and self.cells_are_small)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add a filter that draws Textual's own signs in ASCII, too."""
        return [*super().get_line_filters(), *([self._plain_signs] if self.plain else [])]

    def get_key_display(self, binding: Binding) -> str:
        """A key as the line of keys and the palette write it."""
        shown = super().get_key_display(binding)
        if self.plain:
            return ("/" if KEYS.keys() >= set(shown) else "").join(KEYS.get(char, char) for char in shown)
        return shown.replace("⏎", self.glyphs.enter)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Add the colours that our style sheets need, for Textual's own themes."""
        return {**super().get_theme_variable_defaults(), **FOREIGN}

    def on_mount(self) -> None:
        """Set the theme and open the first screen."""
        sys.setswitchinterval(SWITCH)
        self.note_cells()
        if terminal := known_terminal(self._folders.data):
            self.use_colours(terminal.colours)
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
        """Show warnings about settings, and news about saving."""
        of_play = self.first.notice if self.first else None
        from duelbox.table.presets import preset_faults

        of_presets = preset_faults(self.settings)
        for notice in filter(None, (*self.config.notices, *self.keymap_faults, *of_presets, of_play)):
            self.warn(notice)
        self.tell_news()

    def on_ready(self) -> None:
        """Do the work that waits for the first paint."""
        startup.resume_garbage_collection()
        if self._kept is not None:
            self.run_worker(self._catch_up())
            return
        self.ask_terminal(SIGNS)
        if self.flags is not None and self.first is None:
            self.run_worker(in_background(self.keep_home), exit_on_error=False)

    async def _catch_up(self) -> None:
        """Load settings, store and navigation in the background after a kept home was shown, and update it."""
        await in_background(lambda: (self._load(), import_module("duelbox.ui.home_known"), self.navigation))
        self._kept = None
        self.apply_settings()
        self._tell_all()
        for home in [screen for screen in self.screen_stack if isinstance(screen, screens.home.HomeScreen)]:
            await home.find_anew()
        self.ask_terminal(SIGNS)

    async def take_answers(self, widths: tuple[int, ...], colours: int) -> None:
        """Keep the answers for the next start, and draw with the signs and colours that this terminal has."""
        before = self.plain
        await in_background(lambda: self.config.keep_terminal(Terminal(widths, colours)))
        if self.use_colours(colours):
            self.refresh_css(animate=False)  # so that no widget keeps what it has drawn
            self.draw_anew()
        elif self.plain != before:
            self.draw_anew()

    def keep_home(self) -> None:
        """Keep home for the next start if it was shown; waits for the disk."""
        from duelbox.ui.home_known import keep_home

        if self.flags is None or self.preview_size is None:
            return
        if kept_home(self.store.folders, self.flags, date.today()) is None:
            keep_home(self.store, self.flags, date.today(), *self.preview_size)

    def apply_settings(self) -> None:
        """Apply theme, motion and keys from the settings."""
        self._dress(self.settings.theme, self.settings.animation)
        keymap: dict[str, str] = {}
        if self.settings.keymap:  # the import would delay the first paint
            from duelbox.ui.table_keys import checked_keymap

            keymap, self.keymap_faults = checked_keymap(self.settings.keymap)
        self.set_keymap(keymap)

    def _dress(self, theme: str, animation: str) -> None:
        self.theme = theme_called(theme).name
        # The environment may ask for less motion than the settings, never for more.
        levels: tuple[Any, ...] = animation, TEXTUAL_ANIMATIONS
        self.animation_level = min(levels, key=MOTION.index)

    def warn(self, sentence: str) -> None:
        """Show a warning."""
        self.notify(sentence, severity="warning", markup=False, timeout=8)

    def survives(self, error: BaseException) -> bool:
        """Leave the screens above home if a guest's code has raised the error; other errors end the app."""
        from duelbox.registry import guest_fault

        if self._guest_fault is not None:  # a screen without one of its parts fails again and again until it is left
            return True
        self._guest_fault = guest_fault(error)
        if self._guest_fault is None:
            return False
        self.crash_reports.file(error)
        self.call_later(self._leave_guest)
        return True

    def _leave_guest(self) -> None:
        fault, self._guest_fault = self._guest_fault, None
        if fault is not None:
            self.navigation.leave_guest(fault.sentence)

    def may_interrupt(self, frame: FrameType | None) -> bool:
        """Ctrl+C interrupts the code of a guest, and nothing else."""
        from duelbox.registry import guest_line

        return guest_line(walk_stack(frame)) is not None

    def note_progress(self, kind: str, key: str, value: Any) -> None:
        """Save progress in the background; a failure is shown as a warning."""

        def note() -> None:
            try:
                self.store.progress.add(kind, key, value)
            except DuelboxError as error:
                self.call_from_thread(self.warn, error.sentence)

        self.run_worker(note, thread=True, exit_on_error=False)

    def on_paste(self, event: events.Paste) -> None:
        """Open a pasted code, or type a pasted move."""
        self.navigation.paste(event.text)

    def action_puzzle(self) -> None:
        """Ask for the name of a homework, or open a puzzle to practise."""
        self.navigation.open_set()

    def action_daily(self) -> None:
        """Open the puzzles of the day."""
        self.navigation.open_daily()

    def action_open(self, name: str) -> None:
        """Open a screen without arguments by its name."""
        self.navigation.open(name)

    # -- saving

    async def game_changed(self, table: LocalTable) -> None:
        """Save a change before it is shown."""
        saving = table.save()
        if saving is None:
            return
        saved, done = table.saved, asyncio.wrap_future(saving)
        done.add_done_callback(lambda _: self.tell_news(saved))  # maybe long after the move is shown
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(done), SAVING_SECONDS)

    def tell_news(self, saved: Saved | None = None) -> None:
        """Show new messages about saving; while the table is covered they wait."""
        if self.screen_stack and not self._covered:
            from duelbox.store.store import AGAIN

            for notice in self._news.take(saved):
                self.notify(notice, severity="information" if notice == AGAIN else "warning", markup=False, timeout=8)

    def change_settings(self, **values: Any) -> None:
        """Change settings and their file."""
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
        """All actions that work now, then those without a key."""
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
            ("You", "How far you know each idea, and what you have won", partial(self.navigation.open, "you")),
        ):
            if title not in named:
                yield SystemCommand(title, told, partial(self.call_later, open_one))
        yield SystemCommand("Theme", "Choose the colours of the screen", partial(self.call_later, self._choose_theme))
        picture = partial(self.set_timer, PALETTE_GONE, self.deliver_screenshot)
        yield SystemCommand("Screenshot", "Save a picture of the screen, as SVG", picture)

    def _choose_theme(self) -> None:
        """Open the settings, whose first row is the theme."""
        if isinstance(self.screen, screens.settings.SettingsScreen):
            self.screen.form.at = 0
        else:
            self.navigation.open("settings")

    def keys_here(self) -> list[screens.help.Key]:
        """The keys of this screen, then those of the app; of two actions on one key, the one that works now."""
        screen = self.screen
        active = {key: one.binding for key, one in screen.active_bindings.items() if one.enabled}
        label = getattr(screen, "label", lambda action: None)
        bound = {key: active.get(key, actions[0]) for key, actions in screen._bindings.key_to_bindings.items()}
        keys = [(one, key in active) for key, one in {**bound, **active}.items() if one.id and one.description]
        keys.sort(key=lambda one: one[0].key == "tab")  # Textual puts a Tab of its own first
        shown = [(one, works) for one, works in keys if works or screens.help.is_explained(screen, one.action)]
        named = [(one, label(one.action) or one.description, works) for one, works in shown]
        return [screens.help.Key(self.get_key_display(one), told, works) for one, told, works in named]

    def action_help(self) -> None:
        """Open help: the keys of this screen and the rules of a game."""
        self.navigation.open_help()

    def deliver_screenshot(
        self, filename: str | None = None, path: str | None = None, time_format: str | None = None
    ) -> str | None:
        """Save a picture of the screen and show its path."""
        if self._covered:
            return None
        if not self.screen._compositor.size:  # it has just opened, and is not laid out
            self.call_after_refresh(self.deliver_screenshot, filename, path, time_format)
            return None
        from duelbox.ui.svg import picture_folders, save_picture, screen_svg

        folders = picture_folders() if path is None else (Path(path),)
        sentence = save_picture(screen_svg(self), folders, f"duelbox-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
        self.notify(sentence, markup=False, timeout=8)
        return sentence

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow nothing but quitting while the table is covered."""
        return not self._covered or action == "quit"

    @property
    def _covered(self) -> bool:
        return bool(self.screen_stack) and getattr(self.screen, "COVERS", False)


def run_app(
    opens: Callable[[Store], LocalTable] | None = None,
    *,
    theme: str | None = None,
    then: Callable[[DuelboxApp], None] | None = None,
) -> int:
    """Run the full screen, at a table if one is opened, and return the exit status; `then` opens screens above home."""
    flags = {"theme": theme}
    at_home = opens is None and then is None
    kept = kept_home(find_folders(), flags, date.today()) if at_home else None
    app = DuelboxApp(then=then, kept=kept, flags=flags)
    try:
        if opens is not None:
            from duelbox.ui.game_board import board_of

            app.first = opens(app.store)
            board_of(app.first.game.INFO.id)  # refuse a guest's board that cannot be loaded before the screen opens
        app.run()
        return app.return_code or 0
    finally:
        app.close()
