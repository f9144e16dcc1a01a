"""Plays matches at random, with undone turns, resignations and hints, and saves them after every change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

from duelbox.core.match import round_options
from duelbox.core.record import PlayerInfo
from duelbox.core.session import Session
from duelbox.registry import find_game, game_ids
from duelbox.store import matches
from duelbox.store.autosave import Saved
from duelbox.store.index import line
from duelbox.store.journal import checksum
from duelbox.store.matches import Kept, NoSuchGame
from duelbox.store.store import Store
from tests.core.fuzz import cut_short

Told = Callable[[Saved, Session, int], None]
PEOPLE = (PlayerInfo(name="Ann"), PlayerInfo(name="Ben"), PlayerInfo(name="Zoë 漢"))
COMPUTERS = (PlayerInfo(name="Computer", level="easy"), PlayerInfo(name="Computer", level="perfect"))
MOST = 12


def play_match(store: Store, rng: Random, told: Told, game_id: str | None = None, rounds: int | None = None) -> Saved:
    """Play a match, perhaps not to its end; `told` is called after every change that the store acknowledged."""
    game = find_game(game_id or rng.choice(game_ids()))
    one, two = rng.sample(PEOPLE, 2)
    players = (one, rng.choice((two, *COMPUTERS)))
    rounds = rounds or rng.choice((1, 1, 2))
    saved = store.begin(game.INFO.id, players, rounds, rng.choice((0, 1)))
    options = game.Options(seed=rng.randrange(1000)) if game.INFO.hidden else game.Options()
    for number in range(rounds):
        session = Session(game, round_options(game, options, number))
        assisted = rng.random() < 0.2
        while session.turn is not None:
            change(session, rng)
            if saved.sync(session, number, assisted=assisted).result():
                told(saved, session, number)
            if len(session.plies) == MOST and rng.random() < 0.2:
                return saved
    saved.close()
    return saved


def change(session: Session, rng: Random) -> None:
    """Change the session at random: mostly by a move, also by undo, redo or resigning."""
    choice = rng.random()
    if choice < 0.15 and session.why_no_undo() is None:
        session.undo()
    elif choice < 0.25 and session.can_redo:
        session.redo()
    elif len(session.plies) > MOST:
        cut_short(session, rng)
    else:
        session.play(rng.choice(session.legal_moves()))


def kept(store: Store, match_id: str) -> tuple[int, Kept]:
    """Read a match and its place in the order of play."""
    kept_line = store._line(match_id)
    return kept_line.place, matches.kept_of(kept_line)


def checksums(store: Store, ids: Sequence[str]) -> dict[str, str | None]:
    """The checksums of these matches as they are saved now; None for missing ones."""
    sums = dict[str, str | None].fromkeys(ids)
    for match_id in ids:
        with suppress(NoSuchGame):
            sums[match_id] = checksum(line("match", *store._line(match_id)))
    return sums


def new_game(store: Store) -> tuple[Saved, Session]:
    game = find_game("circle-duel")
    return store.begin("circle-duel", PEOPLE[:2]), Session(game, game.Options())


def assert_playable(store: Store) -> None:
    """Check that a game can be played, found, left, continued, finished and counted."""
    saved, session = new_game(store)
    for text in ("4", "5"):
        session.type(text)
        assert saved.sync(session).result() is store.kept
    saved.close()
    assert saved.id in [one.id for one in store.unfinished()]
    resumed = store.resume(saved.id)
    resumed.sessions[0].resign()
    resumed.saved.sync(resumed.sessions[0]).result()
    assert store.find(saved.id).result == "lost"
    assert store.statistics()
    store.export(saved.id)


def is_sentence(notice: str | None) -> bool:
    return notice is not None and "\n" not in notice and "Traceback" not in notice and notice.endswith(".")
