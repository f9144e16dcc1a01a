"""A home of its own for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbox.store import files
from duelbox.store.store import Store
from tests.store.play import new_game


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home folder of a test; it does not exist yet."""
    return tmp_path / "home"


@pytest.fixture(scope="module")
def quick() -> Iterator[None]:
    """Skip every wait for the disk, for tests that are not about power cuts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "sync", lambda file: None)
        yield


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with Store.open(home) as opened:
        yield opened


@pytest.fixture
def played(home: Path) -> str:
    """Save two matches in the home; returns the id of the finished one."""
    with Store.open(home) as store:
        store.import_text("sequence-duel/1.10.3")
        saved, session = new_game(store)
        session.type("4")
        session.resign()
        saved.sync(session).result()
        return saved.id
