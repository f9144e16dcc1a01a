"""Records with something wrong."""

from __future__ import annotations

import json
import warnings
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.record import match_of
from duelbox.store.store import EVERYTHING, Store
from tests.store.play import play_match

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2, 99, 100, 1.5, 10**30, float("nan"), float("inf")),
    *("", "4", "resign", "x" * 500, "\x1b[31m", "\u202e", "é", "\ud800", "1e5", "NaN"),
    *("circle-duel", "number-duel", "chess", "play", "resignation"),
    *("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "2020-01-01T00:00:00"),
    *([], [[]], {}, {"a": 1}, ["4"] * 20_000, {"size": 10**6}, [1, 2], ["Ann", "Ben"]),
)


def mutated(text: str, rng: Random) -> str | bytes:
    """The record with something changed, as text or as structure."""
    if rng.random() < 0.6:
        document = json.loads(text)
        for _ in range(rng.choice((1, 1, 2, 5))):
            _change(document, rng)
        return json.dumps(document, ensure_ascii=rng.random() < 0.5)
    raw = bytearray(text.encode())
    for _ in range(rng.choice((1, 1, 2, 10))):
        at = rng.randrange(len(raw))
        kind = rng.randrange(5)
        if kind == 0:
            raw[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del raw[at : at + rng.choice((1, 5, 50))]
        elif kind == 2:
            raw[at:at] = rng.choice((b"{", b"[", b'"', b",", b"\\", b"\0", b"[" * 5000, b"9" * 5000, b"\xff", b"null"))
        elif kind == 3:
            raw[at:at] = raw[rng.randrange(len(raw)) :][: rng.randrange(60)]
        else:
            del raw[max(1, at) :]
        raw = raw or bytearray(b" ")
    return (
        bytes(raw)
        if rng.random() < 0.5
        else raw.decode("utf-8", "surrogateescape" if rng.random() < 0.5 else "replace")
    )


def _change(document: Any, rng: Random) -> None:
    """Replace, take out or double something, anywhere in it."""
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = rng.choice(keys)
        if not isinstance(place[key], dict | list) or not place[key] or rng.random() < 0.2:
            break
        place = place[key]
    kind = rng.randrange(4)
    if kind == 0:
        del place[key]
    elif kind == 1 and isinstance(place, dict):
        place[rng.choice(("x", "winner", "moves", "options", "seed"))] = deepcopy(place[key])
    elif kind == 1:
        place.insert(key, deepcopy(place[rng.randrange(len(place))]))
    else:
        place[key] = deepcopy(rng.choice(ODD))


def texts_of(store: Store, count: int) -> list[str]:
    """Records of matches played to the end."""
    rng = Random(9)
    found: list[str] = []
    while len(found) < count:
        saved = play_match(store, rng, lambda *_: None)
        if store.find(saved.id).over:
            found.append(store.export(saved.id))
    return found


def fuzz(home: Path, count: int, seed: int) -> tuple[set[str], list[str]]:
    """Import so many mutated records: the ids of those that were taken, and why the others were not."""
    rng = Random(seed)
    with Store.open(home / "source") as source:
        texts = texts_of(source, 10)
    taken: set[str] = set()
    sentences: list[str] = []
    with Store.open(home / "target") as store, warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(count):
            try:
                match_id = store.import_text(mutated(rng.choice(texts), rng))
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
    assert not [one for one in sentences if not one or "\n" in one or "rules fail" in one or not one.isprintable()]
    return taken, sentences
