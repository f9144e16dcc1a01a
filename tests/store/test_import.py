"""Import of bad texts: a sentence, never a traceback, and nothing is imported in part."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.core.record import match_of
from duelbox.store.store import EVERYTHING, Store
from tests.core.fuzz import broken
from tests.effort import sampled
from tests.store.play import play_match

pytestmark = pytest.mark.usefixtures("quick")


def test_mutated_records(home: Path) -> None:
    rng, taken, sentences = Random(1), set[str](), list[str]()
    with Store.open(home / "source") as source:
        texts = texts_of(source, 10)
    with Store.open(home / "target") as store:
        for _ in range(sampled(200, 20_000)):
            try:
                match_id = store.import_text(broken(rng.choice(texts), rng))
            except DuelboxError as error:
                sentences.append(error.sentence)
                continue
            taken.add(match_id)
            opened = store.load(match_id)
            assert opened.error is None
            assert opened.record is not None
            assert store.find(match_id).match == match_of(opened.record)
        assert {one.id for one in store.history(limit=EVERYTHING)} == taken, "nothing else was added"
        assert store.notice is None
        assert store.check() == ()
    assert not [one for one in sentences if not one.isprintable() or "rules fail" in one]
    assert len(sentences) > 100
    assert len(taken) > 3


def texts_of(store: Store, count: int) -> list[str]:
    """Records of matches played to the end."""
    rng, found = Random(9), list[str]()
    while len(found) < count:
        saved = play_match(store, rng, lambda *_: None)
        if store.find(saved.id).over:
            found.append(store.export(saved.id))
    return found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not whole JSON"),
        ("{", "not whole JSON"),
        ("[]", "JSON objects"),
        ("null", r"no game 'null'"),
        ('{"duelbox": 1}', "which game"),
        ("[" * 100_000, "nested|not whole JSON"),
        ("circle-duel/4.9", "9"),
        ("chess/e4", "no game 'chess'"),
        ("x" * 5_000_000, "at most"),
        (b"\xff\xfe", "UTF-8"),
        ("circle-duel", "without a single move"),
    ],
)
def test_what_is_no_record_is_refused_with_a_sentence(store: Store, text: str | bytes, said: str) -> None:
    with pytest.raises(DuelboxError, match=said):
        store.import_text(text)
    assert store.count() == 0


def test_a_time_outside_the_calendar_is_refused(store: Store) -> None:
    (text,) = texts_of(store, 1)
    document = json.loads(text)
    for one in document["played"]:
        one["started"], one["ended"] = "9999-12-31T23:59:59-10:00", "9999-12-31T23:59:59-11:00"
    with pytest.raises(DuelboxError, match="calendar"):
        store.import_text(json.dumps(document))


def test_the_same_times_with_other_moves_is_another_match(store: Store) -> None:
    saved = store.import_text("circle-duel/4.5.6")
    text = store.export(saved)
    other = text.replace('"6"', '"7"').replace('"5"', '"6"').replace('"4"', '"5"')
    assert other != text
    assert store.import_text(other) != saved
    assert store.import_text(text) == saved
    assert store.count() == 2
