"""Lost, doubled and reordered entries, and killed processes: both sides still end with the same match."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from duelbox.core.errors import DuelboxError
from duelbox.friends import claims
from duelbox.friends.journal_notes import Note
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.side import PLAYERS, Gap
from duelbox.relay.wire import Entry
from tests.effort import sampled
from tests.friends.rooms import Log, Machine, Pair, play_some_move

CODES = (
    "circle-duel:gaps=2",
    "sequence-duel:size=9",
    "number-circle:target=10,shared_total=on,sharing=off,floor=0",
    "digit-chain:zero=no-tens,gaps=60",
    "number-duel:hand=4",
    "number-duel:victors_stay=on",
    "number-duel:arrange=chosen,hand=3",
)
DROP, DOUBLE, LOSS, KILL = 0.20, 0.10, 0.02, 0.01
GONE = 0.03
"""The chance that the host dies and takes the room along, in a match whose room is the host's process."""
PAUSE, ASLEEP = 0.03, 20
"""The chance that a side sleeps until a game can be claimed, and the steps for which it does."""
PATIENCE = 3_000
"""Steps after which a match counts as stuck."""


@dataclass
class Tally:
    """Counts of how the matches ended."""

    kills: int = 0
    rooms_lost: int = 0
    foreseen: int = 0
    """Ends that a guest saw without the room."""
    connections_lost: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Player:
    """A machine with its connection and the entries on their way."""

    def __init__(self, machine: Machine, rng: random.Random) -> None:
        self.machine, self.rng = machine, rng
        self.up: list[tuple[int, bytes]] = []
        self.down: list[Entry] = []
        self.read = 0
        self.unsaved: list[Note] = []

    @property
    def side(self) -> PlayerSide:
        return self.machine.side

    @property
    def name(self) -> str:
        return PLAYERS[self.side.me]

    def connect(self) -> None:
        """Connect anew; entries on their way over the old connection are lost."""
        self.up, self.down, self.read = [], [], self.side.since

    def kill(self) -> None:
        """Die while writing: only the first of the new notes reach the disk."""
        self.machine.disk += self.unsaved[: self.rng.randint(0, len(self.unsaved))]
        self.unsaved = []
        self.machine.begin()
        self.connect()

    def lossy(self, packets: list[tuple[int, bytes]] | list[Entry]) -> Iterator[object]:
        for packet in packets:
            chance = self.rng.random()
            if chance >= DROP:
                yield packet
            if chance >= 1 - DOUBLE:
                yield packet

    def send(self, log: Log) -> None:
        """Send unacknowledged entries again; some arrive, in any order."""
        self.up += self.lossy(self.side.outgoing())
        arriving = [packet for packet in self.up if self.rng.random() < 0.7]
        self.rng.shuffle(arriving)
        for n, body in arriving:
            if n <= log.last[self.name] + 1:
                log.append(self.name, n, body)
        self.up = []

    def receive(self, log: Log) -> bool:
        """Take arriving entries in any order; returns whether this side survived it."""
        self.down += self.lossy(log.entries[self.read :])
        self.read = len(log.entries)
        if self.rng.random() < 0.3:
            self.rng.shuffle(self.down)
        arriving, self.down = self.down, []
        for entry in arriving:
            try:
                self.side.receive(entry)
            except Gap:
                self.connect()
                break
            self.unsaved += self.side.take_notes()
            if self.rng.random() < KILL / 4:
                return False
        else:
            if self.read != self.side.since and not self.down:
                self.connect()
        return True

    def keep(self) -> None:
        self.unsaved += self.side.take_notes()
        self.machine.disk += self.unsaved
        self.unsaved = []

    def act(self, log: Log) -> None:
        """Do what players do, sensible or not."""
        side, chance = self.side, self.rng.random()
        if side.since == len(log.entries):
            side.tick()
        try:
            if side.my_turn and not side.moving and chance < 0.6:
                play_some_move(side, self.rng)
            elif chance < 0.65:
                side.propose(self.rng.choice(("undo", "pause", "draw")))
            elif chance < 0.66:
                side.say(self.rng.randrange(8))
            elif chance < 0.663:
                side.propose("resign")
            elif not side.my_turn and chance > 0.8:
                side.propose("claim")
            elif side.ledger.offers and chance < 0.8:
                side.answer(side.ledger.offers[0].id, yes=self.rng.random() < 0.4)
        except DuelboxError:
            pass


def without_the_host(pair: Pair, host: Player, guest: Player, rng: random.Random, tally: Tally) -> None:
    """Let the host be away with the room for a while, and the guest do what they can; then the room is back."""
    tally.rooms_lost += 1
    machine = guest.machine
    machine.reach(room=False)
    for _ in range(rng.randrange(1, 2 * ASLEEP)):
        pair.log.time += rng.choice((1, claims.STANDS // 4, claims.AFTER // 3))
        if rng.random() < KILL:
            tally.kills += 1
            guest.kill()
        guest.side.tick()
        guest.act(pair.log)
        guest.keep()
    foreseen = guest.side.foreseen()
    tally.foreseen += foreseen is not None and foreseen.ends_round
    tally.kills += 1
    host.kill()
    machine.reach(room=True)
    guest.connect()


def play(code: str, seed: object, tally: Tally) -> None:
    """Play one match to its end and count it."""
    rng = random.Random(repr(seed))
    pair = Pair(code, seed, rounds=rng.choice((1, 1, 2)))
    players = [Player(machine, random.Random(repr((seed, at)))) for at, machine in enumerate(pair.machines)]
    asleep, sleeper = 0, players[0]
    fate = random.Random(repr((seed, "gone")))
    hosted = fate.random() < 0.5
    for _ in range(PATIENCE):
        pair.log.time += 1 if asleep <= 0 else claims.STANDS // 4
        asleep -= 1
        if rng.random() < PAUSE:
            pair.log.time += claims.AFTER
            asleep, sleeper = ASLEEP, rng.choice(players)
        if hosted and fate.random() < GONE:
            without_the_host(pair, *players, fate, tally)
        for player in players:
            if asleep > 0 and player is sleeper:
                continue
            if rng.random() < LOSS:
                player.connect()
                tally.connections_lost += 1
            alive = player.receive(pair.log)
            if not alive or rng.random() < KILL:
                tally.kills += 1
                player.kill()
                continue
            player.act(pair.log)
            player.keep()
            player.send(pair.log)
        if done(pair):
            break
    judge(pair, code, seed, tally)


def done(pair: Pair) -> bool:
    return all(
        side.stopped
        or (
            side.ledger.stage == "over"
            and len(side.ledger.transcript.saw_end) == 2
            and side.since == len(pair.log.entries)
        )
        for side in (pair.host, pair.guest)
    )


def judge(pair: Pair, code: str, seed: object, tally: Tally) -> None:
    host, guest = pair.host, pair.guest
    where = f"{code} {seed}"
    if host.stopped or guest.stopped:
        tally.faults.append(f"{where} stopped: {host.stopped} / {guest.stopped}")
        return
    if not done(pair):
        tally.faults.append(f"{where} stuck: {host.ledger.stage} {guest.ledger.stage}")
        return
    if host.ledger.transcript.chains != guest.ledger.transcript.chains or host.ledger.record() != guest.ledger.record():
        tally.faults.append(f"{where} diverged")
    if guest.foreseen() or host.foreseen():
        tally.faults.append(f"{where} is over, and more is foreseen")
    tally.ends.update(one.result.by for one in host.ledger.record().played if one.result)
    watcher = pair.watcher()
    if (
        watcher.stopped
        or watcher.ledger.transcript.chains != host.ledger.transcript.chains
        or watcher.ledger.record() != host.ledger.record()
    ):
        tally.faults.append(f"{where} a watcher saw another match: {watcher.stopped}")
    if host.ledger.count != len(pair.log.entries) or host.since != len(pair.log.entries):
        tally.faults.append(f"{where} lost an entry")
    for machine in pair.machines:
        for nonces in machine.nonces.values():
            if len(set(nonces)) > 1:
                tally.faults.append(f"{where} sealed two texts under one nonce")


def test_no_match_is_stuck_or_differs_and_nothing_is_lost() -> None:
    tally = Tally()
    for code in CODES:
        for seed in range(sampled(4, 1_000)):
            play(code, seed, tally)
    assert not tally.faults
    assert tally.kills > 5
    assert tally.connections_lost > 10
    assert tally.rooms_lost > 3
    assert {"play", "resignation", "agreement", "claim"} <= tally.ends.keys()
