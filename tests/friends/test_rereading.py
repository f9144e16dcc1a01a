"""A match elsewhere whose journal lost a line goes on: what is lost is read again from the room."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from duelbox.core.code import format_code
from duelbox.core.errors import DuelboxError
from duelbox.friends.journal import MatchJournal, WayBack, journals, read
from duelbox.friends.journal_notes import Epoch, Heard, Note, Paired, Put
from duelbox.friends.rereading import RereadingSide
from duelbox.friends.unfinished import away
from duelbox.registry import games
from duelbox.relay.wire import Ticket
from duelbox.store.store import Store
from tests.effort import sampled
from tests.friends.rooms import Machine, Pair, hello_of

CODES = [format_code(game, game.Options(), ()) for game in games()] + ["number-duel:arrange=chosen"]
PAIRED = Paired(me=0, room="1000", key="ab" * 32, secret="cd" * 32, since=0, sent=0, heard=0)
WAY = WayBack(ticket=Ticket(relay="ws://127.0.0.1:1", room="1000", who="host", key="k"))


def reread(pair: Pair, machine: Machine, lost: int) -> RereadingSide:
    """Restart a machine whose disk lost this note."""
    notes = tuple(machine.disk)
    first = notes[0]
    assert isinstance(first, Paired)
    clock = lambda: pair.log.time  # noqa: E731
    side = RereadingSide(notes[:lost], notes[lost + 1 :], machine.entropy, clock, clock, hosts_room=first.me == 0)
    machine.side = side
    machine.disk = list(notes[:lost])
    side.start()
    assert side.outgoing() == []
    with pytest.raises(DuelboxError, match="read again"):
        side.propose("resign")
    machine.exchange(pair.log)
    assert not side.tick()
    assert side.tick()
    machine.keep()
    return side


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("me", [0, 1])
def test_a_match_that_lost_a_note_goes_on_and_both_agree(code: str, me: int) -> None:
    for seed in range(sampled(6, 200)):
        rng = random.Random(f"{code} {me} {seed}")
        pair = Pair(code, seed)
        pair.play_out(rng, rng.randint(0, 8))
        machine = pair.machines[me]
        before = machine.side.ledger.record()
        lost = rng.randrange(1, len(machine.disk))
        side = reread(pair, machine, lost)
        assert side.stopped is None, machine.side.stopped
        assert side.ledger.record() == before
        pair.settle()
        pair.play_or_resign(rng)
        assert (pair.host.stopped, pair.guest.stopped) == (None, None)
        assert pair.host.ledger.record() == pair.guest.ledger.record()


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


NOTES: list[Note] = [
    Epoch(number=1, salt="00" * 16),
    Put(n=1, text='{"t": "have", "at": 0}'),
    Heard(seq=1, mine=False, text='{"t": "join", "name": "Bob", "at": 0}'),
]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_damaged_line_behind_the_first_note_is_told_and_stays(tmp_path: Path, number: int) -> None:
    with Store.open(tmp_path) as store:
        MatchJournal.begin(store.folders, WAY, [PAIRED, *NOTES]).close()
    (path,) = journals(store.folders)
    content = lines(path)
    content[number] = content[number].replace(b'"t"', b'"T"')
    path.write_bytes(b"".join(content))
    written = read(path)
    assert (len(written.notes), len(written.later), written.damaged) == (number - 1, 4 - number, True)
    with Store.open(tmp_path) as store:
        journal = MatchJournal.open(path)
        assert journal.later is not None
        journal.add([Epoch(number=5, salt="00" * 16)])
        journal.close()
    assert path.read_bytes().startswith(b"".join(content)), "nothing is cut off"
    assert len(read(path).later) == 5 - number


@pytest.mark.parametrize("number", [0, 1])
def test_without_the_first_note_it_is_told_which_match_with_whom_has_ended(tmp_path: Path, number: int) -> None:
    hello = hello_of("circle-duel")
    notes = [PAIRED.changed(hello=hello), Put(n=1, text=hello.model_dump_json()), *NOTES[2:]]
    with Store.open(tmp_path) as store:
        MatchJournal.begin(store.folders, WAY, notes).close()
    (path,) = journals(store.folders)
    content = lines(path)
    content[number] = content[number].replace(b'"', b"'", 1)
    path.write_bytes(b"".join(content))
    with Store.open(tmp_path) as store:
        assert away(store) == ()
        assert "A match elsewhere ended: Number Circle Duel with Bob." in str(store.notice)
        assert journals(store.folders) == []
    (aside,) = tmp_path.glob("elsewhere.*.stopped.jsonl")
    assert aside.read_bytes() == b"".join(content)
