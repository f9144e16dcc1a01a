"""Settings for every test: Hypothesis draws the same examples each time, takes its time, and keeps nothing."""

import gc
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from duelbox import registry
from tests.busy_database import Holder
from tests.golden.said import Said

settings.register_profile(
    "duelbox",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("duelbox")

# A shell makes what it starts in the background deaf to these, and so is whatever that starts: our programs, too.
for _name in ("SIGINT", "SIGQUIT", "SIGHUP", "SIGTSTP"):
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL)


# Looking for garbage in what is loaded, and in apps as they come and go, took a sixth of all time.
gc.set_threshold(100_000, 10, 10)


def pytest_collection_finish() -> None:
    """What is loaded by now stays."""
    gc.collect()
    gc.freeze()


_numbers = count()


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder; pytest's own takes longer than most tests, as it looks through those of all tests for its number."""
    folder = tmp_path_factory.getbasetemp() / str(next(_numbers))
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def _home_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads or writes the user's own games and settings."""
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "home"))


@pytest.fixture
def said(request: pytest.FixtureRequest) -> Iterator[Said]:
    """Holds a text to the letter, in a file beside the tests."""
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
    """Put a folder with a package and its entry points where Python finds what is installed."""

    def install(folder: Path) -> None:
        monkeypatch.syspath_prepend(folder)
        _forget()

    yield install
    monkeypatch.undo()
    _forget()


@pytest.fixture
def uninstalled() -> Callable[[Path], None]:
    """Take away again what `installed` put there."""

    def uninstall(folder: Path) -> None:
        sys.path.remove(str(folder))
        _forget()

    return uninstall


def _forget() -> None:
    for cached in (registry._packages, registry._load, registry._loaded, registry.why_not, registry.fence_of):
        cached.cache_clear()
    for name in [name for name in sys.modules if name.startswith(("duelbox_toy", "duelbox_two", "duelbox_broken"))]:
        del sys.modules[name]
