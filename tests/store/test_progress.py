"""Progress: added, read, exported, imported, and restored after damage."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from pydantic import JsonValue

from duelbox.cli import main
from duelbox.core.errors import DuelboxError
from duelbox.store.progress import is_progress
from duelbox.store.store import Store
from tests.core.fuzz import broken

pytestmark = pytest.mark.usefixtures("quick")
VALUES: tuple[JsonValue, ...] = (None, True, 3, 1.5, "Zoë 漢 \n", [1, [2]], {"b": 1, "a": {"due": "2024-02-29"}})


@pytest.fixture
def noted(home: Path) -> str:
    """Add some progress to the home; returns its export."""
    with Store.open(home) as store:
        for at, value in enumerate(VALUES):
            store.progress.add("puzzle", f"p{at % 3}", value)
            store.progress.add("rating", "Ann", at)
        return store.progress.export()


def test_the_newest_of_a_key_counts_and_all_is_kept(home: Path, noted: str) -> None:
    with Store.open(home) as store:
        assert tuple(value for _, value in store.progress.all("puzzle")) == VALUES
        assert store.progress.newest("rating")["Ann"] == len(VALUES) - 1
        assert store.progress.all("lesson") == []
        assert store.progress.newest("lesson") == {}
        assert store.check() == ()


def test_it_is_taken_along_and_brought_in_once(
    home: Path, noted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "progress"]) == 0
    exported = capsys.readouterr().out
    assert exported == f"{noted}\n"
    (tmp_path / "progress.json").write_text(exported)
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "other"))
    for count in (2 * len(VALUES), 0):
        assert main(["import", str(tmp_path / "progress.json")]) == 0
        assert capsys.readouterr().out == f"{count} entries of progress were added.\n"
    assert main(["export", "progress"]) == 0
    assert capsys.readouterr().out == exported


def test_a_damaged_mark_is_left_out_and_told(home: Path, noted: str) -> None:
    raw = (home / "history.jsonl").read_text()
    damaged = raw.replace('"1.5"', '"1.6"')
    (home / "history.jsonl").write_text(damaged)
    with Store.open(home) as store:
        assert "cannot be read" in str(store.notice)
        assert "It lacks some progress." in str(store.notice)
        marks = json.loads(store.progress.export())["progress"]
        assert [mark for mark in json.loads(noted)["progress"] if mark in marks] == marks
        assert store.check() == ()
    assert (home / "history.jsonl").read_text() == damaged


def test_mutated_progress_is_a_sentence_or_whole(home: Path, noted: str) -> None:
    rng, taken, sentences = Random(5), 0, list[str]()
    with Store.open(home) as store:
        for _ in range(200):
            text = broken(noted, rng)
            raw = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
            if not is_progress(raw):
                continue
            try:
                taken += store.progress.import_text(raw) > 0
            except DuelboxError as error:
                sentences.append(error.sentence)
        assert store.check() == ()
        assert store.progress.all("puzzle")[0][1] is None
    assert len(sentences) > 50
    assert all(one.isprintable() and len(one) < 400 for one in sentences)
    assert taken > 2
