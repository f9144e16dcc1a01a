"""Hidden hands: no second terminal, copy or older file shows a number before it is turned over."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.registry import find_game
from duelbox.store.autosave import Saved
from duelbox.store.store import Store

pytestmark = pytest.mark.usefixtures("quick")


def strike(store: Store) -> tuple[Saved, Session]:
    """A number duel with one strike in it."""
    game = find_game("number-duel")
    saved, session = (
        store.begin("number-duel", (PlayerInfo(name="Ann"), PlayerInfo(name="Ben"))),
        Session(game, game.Options(seed=4)),
    )
    session.play(session.legal_moves()[0])
    assert saved.sync(session).result() is store.kept
    return saved, session


def test_a_game_with_secrets_that_is_open_elsewhere_is_not_played_on(home: Path) -> None:
    with Store.open(home) as one, Store.open(home) as two:
        saved, _ = strike(one)
        with pytest.raises(DuelboxError, match="open in another terminal"):
            two.resume(saved.id)
        assert two.load(saved.id).sessions[0].plies, "it can be looked at from nobody's seat"
        saved.close()
        one.count()  # waits for the close
        resumed = two.resume(saved.id)
        with pytest.raises(DuelboxError, match="open in another terminal"):
            one.resume(saved.id)
        resumed.sessions[0].resign()
        assert resumed.saved.sync(resumed.sessions[0]).result()
        assert one.resume(saved.id).saved.notice, "where all is known, a copy does no harm"


def test_where_it_can_not_be_kept_it_is_not_played_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy would show here what is turned over there."""
    with Store.open(home) as store:
        saved, _ = strike(store)
        ours = store.import_text("circle-duel/4")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Store.open(home) as store:
        assert not store.kept
        assert store.resume(ours).sessions
        with pytest.raises(DuelboxError, match="cannot be saved now"):
            store.resume(saved.id)
        begun, _ = strike(store)
        assert store.resume(begun.id).sessions, "unless it was begun there"


def test_an_older_file_in_place_of_the_history_is_told(home: Path) -> None:
    with Store.open(home) as store:
        saved, session = strike(store)
        saved.close()
        store.count()  # waits for the close
        shutil.copy(home / "history.jsonl", home / "older")
        session.play(session.legal_moves()[0])
        assert saved.sync(session).result()
    shutil.copy(home / "older", home / "history.jsonl")
    with Store.open(home) as store:
        assert "It lacks 1 game." in str(store.notice)
        assert len(store.load(saved.id).sessions[0].plies) == len(session.plies) - 1


def test_what_came_in_with_its_hands_open_says_so_to_both(home: Path) -> None:
    with Store.open(home) as store:
        for code, said in (("number-duel/3x2", "tells its hidden numbers"), ("circle-duel/4", "None")):
            match_id = store.import_text(code)
            assert store.find(match_id).imported
            for _ in range(2):
                resumed = store.resume(match_id)
                assert said in str(resumed.saved.notice)
                resumed.sessions[0].play(resumed.sessions[0].legal_moves()[0])
                assert resumed.saved.sync(resumed.sessions[0]).result()
                resumed.saved.close()
