"""Fixtures for all tests; Hypothesis draws the same examples each time, without deadlines, and saves none."""

import gc
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import none

from duelbox import registry
from tests.full_disk import Holder
from tests.golden.said import Said

settings.register_profile(
    "duelbox",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("duelbox")

# Programs started in the background by a shell ignore these signals, and so would the programs of our tests.
for _name in ("SIGINT", "SIGQUIT", "SIGHUP", "SIGTSTP"):
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL)


# Garbage collection over loaded modules and short-lived apps took a sixth of all time.
gc.set_threshold(100_000, 10, 10)


@given(none())
def _first_draw(_: None) -> None:
    """Let Hypothesis make its own source of chance."""


def pytest_collection() -> None:
    """Draw once before any `gc.freeze`, after which Hypothesis does not see that its source is held."""
    _first_draw()


def pytest_collection_finish() -> None:
    """Take the modules loaded so far out of garbage collection."""
    gc.collect()
    gc.freeze()


_numbers = count()


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder; pytest's own fixture searches the folders of all tests and takes longer than most tests."""
    folder = tmp_path_factory.getbasetemp() / str(next(_numbers))
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def _home_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep tests away from the user's own games and settings."""
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "home"))


@pytest.fixture
def said(request: pytest.FixtureRequest) -> Iterator[Said]:
    """Compares texts with a file beside the tests."""
    kept = Said(request.module.__name__, request.node.name)
    yield kept
    kept.end()


@pytest.fixture
def holder() -> Iterator[Holder]:
    """A disk that can be full for a while."""
    disk = Holder()
    yield disk
    disk.let_go()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Make a folder with a package and its entry points look installed."""

    def install(folder: Path) -> None:
        monkeypatch.syspath_prepend(folder)
        _forget()

    yield install
    monkeypatch.undo()
    _forget()


@pytest.fixture
def uninstalled() -> Callable[[Path], None]:
    """Remove what `installed` added."""

    def uninstall(folder: Path) -> None:
        sys.path.remove(str(folder))
        _forget()

    return uninstall


def _forget() -> None:
    """Forget all guests. Caches are new ones: threads of an app that has ended may still fill the old ones."""
    for name in ("_packages", "_load", "_loaded"):
        setattr(registry, name, cache(getattr(registry, name).__wrapped__))
    for name in [name for name in sys.modules if name.startswith(("duelbox_toy", "duelbox_two", "duelbox_broken"))]:
        del sys.modules[name]
