"""The match as two friends agree on it is a value, equal on both sides and for a watcher after each message."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from duelbox.core.game import AnyGame
from duelbox.core.match import Player
from duelbox.core.model import Seat
from duelbox.friends import messages as m
from duelbox.friends import proposal
from duelbox.friends.effects import applied
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.ledger import Ledger
from duelbox.friends.side import Side, WatcherSide
from duelbox.registry import find_game
from tests.friends.rooms import WATCH, Pair, hello_of, play_some_move, read
from tests.friends.test_lossy import CODES


@pytest.mark.parametrize("code", CODES)
def test_both_sides_and_a_watcher_agree_after_every_message(code: str) -> None:
    pair, rng, watcher = Pair(code, 7, rounds=2, answer=False), random.Random(7), WatcherSide(WATCH)
    pair.guest.answer_invitation("Bob", "1")
    known: dict[int, Ledger] = {}
    while pair.host.ledger.stage != "over":
        mover = pair.mover()
        if mover is not None:
            play_some_move(mover, rng)
        for machine in pair.machines:
            machine.put(pair.log)
        for side in (pair.host, pair.guest, watcher):
            for entry in pair.log.entries[side.since :]:
                side.receive(entry)
                assert known.setdefault(entry.seq, side.ledger) == side.ledger
    assert pair.host.stopped is pair.guest.stopped is watcher.stopped is None
    assert len(known) == len(pair.log.entries)


def test_a_match_does_not_change_when_the_next_is_made_from_it() -> None:
    hello = hello_of("sequence-duel")
    empty = Ledger("place")
    asked, _ = applied(empty, m.HOST, hello)
    assert empty == Ledger("place")
    assert asked.stage == "asked"
    with pytest.raises(FrozenInstanceError):
        asked.stage = "play"
    with pytest.raises(Cheat):
        applied(asked, m.HOST, hello)
    assert applied(empty, m.HOST, hello) == (asked, ())


@dataclass
class Calls:
    """Counts of the calls of a game's rules."""

    parsed: int = 0
    applied: int = 0

    def take(self) -> tuple[int, int]:
        """The counts since the last call."""
        counts = self.parsed, self.applied
        self.parsed = self.applied = 0
        return counts


def counted(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Let matches elsewhere count how often they call the rules of their game."""
    calls = Calls()

    def counting(game_id: str) -> AnyGame:
        game = find_game(game_id)

        def parse_move(view: object, text: str) -> object:
            calls.parsed += 1
            return game.parse_move(view, text)

        def apply(state: object, seat: Seat, move: object) -> object:
            calls.applied += 1
            return game.apply(state, seat, move)

        return replace(game, parse_move=parse_move, apply=apply)

    monkeypatch.setattr(proposal, "find_game", counting)
    return calls


@pytest.mark.parametrize("code", CODES)
def test_each_side_parses_and_applies_a_move_once_however_many_were_made(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = counted(monkeypatch)
    pair, rng, moves = Pair(code, 2), random.Random(2), 0
    calls.take()
    while (mover := pair.mover()) is not None and moves < 7:
        arranges = mover.round.arranging(mover.seat)
        play_some_move(mover, rng)
        assert calls.take() == (1, 1)  # the player would be told why the move is refused
        pair.settle()
        if pair.mover() is None:  # the end: hidden hands are checked by all moves of the round
            break
        parsed, applied = calls.take()
        assert parsed == (0 if arranges else 2)
        assert applied == 2
        moves += 1
    assert moves > 0


@pytest.mark.parametrize("code", ["number-duel", "number-duel:arrange=chosen,hand=3"])
def test_only_the_last_farewell_plays_a_round_again(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(code, 1)
    pair.play_out(random.Random(1))
    calls, watcher = counted(monkeypatch), WatcherSide(WATCH)
    heard: list[tuple[type[m.Body], tuple[int, int]]] = []

    def apply(who: Player, message: m.Body, time: int) -> None:
        calls.take()
        Side.apply(watcher, who, message, time)
        heard.append((type(message), calls.take()))

    monkeypatch.setattr(watcher, "apply", apply)
    read(watcher, pair.log.entries)
    turns = len(watcher.ledger.round.plies)
    byes = [counts for kind, counts in heard if kind is m.Bye]
    assert byes == [(0, 0), (0, turns)]
    assert max(parsed for kind, (parsed, _) in heard if kind is not m.Join) == 1
    assert max(applied for kind, (_, applied) in heard if kind not in (m.Join, m.Bye)) == 1


def test_a_round_whose_events_do_not_fit_the_hands_is_found_at_the_end() -> None:
    pair = Pair("number-duel", 1)
    pair.play_out(random.Random(1))
    played = pair.host.ledger.round
    assert played.hands.known
    played.verify()
    attack, *later = played.plies
    (struck,) = attack.events
    for events in ((), (struck.changed(defender=struck.defender % 5 + 1),)):
        with pytest.raises(Cheat, match="does not fit what was played"):
            replace(played, plies=(replace(attack, events=events), *later)).verify()
