"""A small TerminalApp for tests: `python -m tests.ui.terminal.sample_app`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from duelbox.ui.terminal.supervisor import supervised

SECRET = "hand 7 4 9"


def think_for_ever() -> None:
    while True:
        pass


def work() -> int:
    from textual.app import App, ComposeResult
    from textual.binding import Binding
    from textual.driver import Driver
    from textual.widgets import Button, Input, OptionList, Static

    from duelbox.ui.terminal.app import TerminalApp
    from duelbox.ui.terminal.background import in_background
    from duelbox.ui.terminal.crash_report import CrashReports

    class StandIn(App[int] if "bare" in sys.argv else TerminalApp):
        BINDINGS = [  # noqa: RUF012
            Binding("ctrl+q", "quit", priority=True),
            Binding("f5", "crash", priority=True),
            Binding("f6", "block", priority=True),
            Binding("f7", "think", priority=True),
        ]
        crash_reports = CrashReports("duelbox", "", Path.cwd() / "state")
        heard = 0

        def get_driver_class(self) -> type[Driver]:
            class Slow(super().get_driver_class()):
                def start_application_mode(self) -> None:
                    super().start_application_mode()
                    time.sleep(0.5)

            return Slow if "slow" in sys.argv else super().get_driver_class()

        def compose(self) -> ComposeResult:
            yield Static("nothing yet", id="told")
            yield Input()
            yield Button("press me")
            yield OptionList("one two three", "four five six")

        def on_ready(self) -> None:
            if "asks" in sys.argv:
                self.ask_terminal("◆⠿")

        async def take_answers(self, widths: tuple[int, ...], colours: int) -> None:
            changed = " at last" if self.use_colours(colours) else ""
            self.query_one(OptionList).add_option(f"widths {widths}, {colours} colours{changed}")

        def tell(self, text: str) -> None:
            self.query_one("#told", Static).update(text)

        def on_input_submitted(self, event: Input.Submitted) -> None:
            with Path("typed").open("a") as file:
                file.write(f"{event.value}\n")
            self.tell(f"<{event.value}>")
            event.input.value = ""

        def on_input_changed(self) -> None:
            self.hear()

        def on_mouse_move(self) -> None:
            self.hear()

        def hear(self) -> None:
            """Count an event; slowly, so that events queue up on every machine."""
            self.heard += 1
            time.sleep(0.001)

        def on_button_pressed(self) -> None:
            self.tell("pressed")

        def action_crash(self) -> None:
            hidden: Any = SECRET
            raise ValueError(hidden)

        def action_block(self) -> None:
            Path("blocked").touch()
            time.sleep(1000)

        def action_think(self) -> None:
            self.run_worker(in_background(think_for_ever))
            self.tell("thinking")

    app = StandIn()
    app.run()
    Path("heard").write_text(str(app.heard))
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(supervised(work, "duelbox") if "watched" in sys.argv else work())
