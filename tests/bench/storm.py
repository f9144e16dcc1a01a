"""Storms of keys, clicks, sizes and odd bytes through a pseudo-terminal: `python -m tests.bench.storm`.

Nothing may end the program but its own Quit; at the end it must still answer, quit with status 0, leave the terminal
clean and a history in which every match can be played through. `--events` and `--seed` repeat a storm.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from duelbox.store.store import Store
from tests.ui.terminal.pty import ODD, Ended, Terminal

GAMES = ("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel")
HOME = "home"
"""Other places to begin: such a storm is mostly in lists, forms, lessons and puzzles."""
PLAYERS = ((), (), ("--p2", "bot:1"), ("--p2", "bot:3"), ("--p1", "bot:1", "--p2", "bot:2"))
ROOT = Path(__file__).parents[2]
WIDEST, HIGHEST = 300, 100
LIFETIME = 10_000  # events until the program is restarted with other players
BATCH, BREATH = 20, 200

SPECIAL = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~", "\x1b[3~", "\x1b[Z"]
SPECIAL += ["\x1b[15~", "\x1bOP", "\x1b[1;5C", "\x1b", "\x7f", "\t", " ", "\x1b[97;5u", "\x1b[57352u", "\x1ba"]
TEXT = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!?/[]()<>.,;:'\"#%&*_=~\\éßž数"
CONTROL = [chr(code) for code in range(32) if code not in (0x11, 0x1A, 0x1B)]


class Storm:
    """A storm on one game, or on home."""

    def __init__(self, game: str, seed: int, folder: Path) -> None:
        self.game, self.folder = game, folder
        self.random = Random(f"{game} {seed}")
        self.recent: deque[bytes | tuple[int, int]] = deque(maxlen=60)
        self.starts = 0
        self.small = 59  # columns; another number each time, so that an old notice is not taken for the answer
        self.terminal = self.start()

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def start(self) -> Terminal:
        """Start the program with random players."""
        args = () if self.game == HOME else ("play", self.game, *PLAYERS[self.starts % len(PLAYERS)])
        self.starts += 1
        env = {"DUELBOX_HOME": str(self.home), "HOME": str(self.folder), "PYTHONPATH": str(ROOT)}
        # Ctrl+C would reach the terminal of a suspended program.
        terminal = Terminal.python("-m", "duelbox", *args, env=env, cwd=self.folder, signals=False)
        terminal.until(lambda: "1049" in terminal.screen.modes, "the full screen")
        terminal.settle(0.05)
        return terminal

    def event(self) -> bytes | tuple[int, int]:
        """A random event; two numbers are a new size."""
        rng, screen = self.random, self.terminal.screen
        kind = rng.random()
        x, y = rng.randint(1, screen.width + 1), rng.randint(1, screen.height + 1)
        if kind < 0.38:
            return rng.choice("0123456789+-x" + "\r" * 6).encode()
        if kind < 0.48:
            return rng.choice(TEXT).encode()
        if kind < 0.58:
            return rng.choice(SPECIAL).encode()
        if kind < 0.61:
            return rng.choice(CONTROL).encode()
        if kind < 0.78:
            press = f"\x1b[<{rng.choice((0, 0, 0, 0, 1, 2, 16))};{x};{y}M"
            return (press * rng.choice((1, 1, 2)) + press[:-1] + "m").encode()
        if kind < 0.92:
            return f"\x1b[<{rng.choice((35, 35, 35, 32, 64, 65, 66))};{x};{y}M".encode()
        if kind < 0.95:
            sizes = (rng.randint(1, 40), rng.randint(60, 140), rng.randint(1, WIDEST))
            return rng.choice(sizes), rng.choice((rng.randint(1, 25), rng.randint(1, HIGHEST)))
        if kind < 0.98:
            return rng.choice(list(ODD.values()))
        if kind < 0.99:
            return b"\x1b[200~" + self.noise(300) + b"\x1b[201~"
        return self.noise(12)

    def noise(self, most: int) -> bytes:
        """Random bytes without Ctrl+Q and Ctrl+Z."""
        return self.random.randbytes(self.random.randint(1, most)).translate(None, b"\x11\x1a")

    def blow(self, count: int) -> None:
        """Send so many events. Raises AssertionError if the program does not survive them."""
        for done in range(0, count, BATCH):
            for _ in range(min(BATCH, count - done)):
                event = self.event()
                self.recent.append(event)
                if isinstance(event, tuple):
                    self.terminal.resize(*event)
                else:
                    self.terminal.send(event)
            self.terminal.pump(0)
            if done % BREATH == 0:
                self.rest()
            if self.terminal.process.poll() is not None or done % LIFETIME >= LIFETIME - BATCH:
                self.finish()
                self.terminal = self.start()
        self.finish()

    def rest(self) -> None:
        """Wait until the program has handled all events; now and then stop and continue it."""
        terminal = self.terminal
        if self.random.random() < 0.05 and terminal.process.poll() is None:
            terminal.kill(signal.SIGTSTP)
            terminal.until(lambda: self.resume() or terminal.process.poll() is not None, "a stop")
        self.small = self.small - 1 if self.small > 40 else 59
        terminal.resize(self.small, 13)
        # Escape closes a screen over the notice, Enter passes the handover.
        keys = cycle(("", "", "\x1b", "\r"))
        with suppress(Ended):
            terminal.insist(lambda: (self.resume(), terminal.send(next(keys))), f"{self.small}x13")
        terminal.resize(self.random.randint(60, 140), self.random.randint(20, 50))

    def resume(self) -> bool:
        """Continue the program if it has stopped, as after Suspend in the palette."""
        terminal = self.terminal
        if not self._wake():
            return False

        def goes_on() -> bool:
            self._wake()  # stopped twice, it stops again after SIGCONT
            return not terminal.is_cooked or terminal.process.poll() is not None

        terminal.until(goes_on, "the full screen again")
        return True

    def _wake(self) -> bool:
        if not self.terminal.has_stopped():
            return False
        os.killpg(self.terminal.process.pid, signal.SIGCONT)
        return True

    def finish(self) -> None:
        """Check that the program answers, ends well and leaves nothing broken."""
        self.rest()
        terminal = self.terminal
        if terminal.process.poll() is None:
            terminal.send("\x11")
        status = terminal.wait()
        assert status == 0, f"status {status}"
        assert terminal.left_on == set(), f"left on: {terminal.left_on}"
        terminal.close()

    def check_history(self) -> int:
        """The number of saved matches; each is played through."""
        with Store.open(self.home) as store:
            assert store.kept, "no games are saved"
            assert store.notice is None, store.notice
            assert store.check() == (), store.check()
            return store.count()

    def report(self) -> Iterator[str]:
        """The details of a failure."""
        yield f"{self.game}, start {self.starts}; the last events:"
        yield "  " + " ".join(repr(event) for event in self.recent)
        if (log := self.home / "crash.log").exists():
            yield log.read_text(encoding="utf-8")


def storm(game: str, events: int, seed: int = 1) -> str:
    """Run a storm on one game; return a sentence about it."""
    with TemporaryDirectory() as folder:
        began = time.monotonic()
        weather = Storm(game, seed, Path(folder))
        try:
            weather.blow(events)
            matches = weather.check_history()
        except AssertionError as failure:
            raise AssertionError("\n".join([str(failure), *weather.report()])) from None
        finally:
            weather.terminal.close()
        seconds = time.monotonic() - began
        rate = f"{events / seconds:6.0f} a second"
        return f"{game:14} {events:7} events in {seconds:5.0f} s, {rate}; {weather.starts} starts, {matches} matches"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=(*GAMES, HOME), metavar="GAME")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for game in args.games:
        try:
            print(storm(game, args.events, args.seed), flush=True)
        except AssertionError as failure:
            sys.exit(str(failure))


if __name__ == "__main__":
    main()
