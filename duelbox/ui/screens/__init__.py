"""The screens: `screens.home` loads its module when it is first asked for, so that only what is opened is loaded."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbox.ui.screens import ask_names, calendar, elsewhere_screen, handover, help, history, home, remote_table  # noqa
    from duelbox.ui.screens import course_test, homework  # noqa
    from duelbox.ui.screens import keep_preset, lesson_screen, local_table, mistakes_screen, new_game, panel_screen  # noqa
    from duelbox.ui.screens import proof_screen, puzzle_screen, review_screen, rules_map, settings, table, you  # noqa
else:

    def __getattr__(name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        return import_module(f"{__name__}.{name}")
