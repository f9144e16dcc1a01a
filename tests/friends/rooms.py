"""A room in memory and two sides of a match in it, advanced step by step."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from duelbox.core.code import parse_code
from duelbox.friends.join_code import JoinCode
from duelbox.friends.journal_notes import Note, Paired
from duelbox.friends.ledger import Ledger
from duelbox.friends.messages import Hello
from duelbox.friends.own_hand import OwnHand
from duelbox.friends.pairing import Pairing
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.proposal import Proposal
from duelbox.friends.side import PLAYERS, Gap, RoomMember, WatcherSide
from duelbox.registry import find_game
from duelbox.relay.wire import Entry

WATCH = JoinCode("1", "0123456789abcdefghjkmnpqrs")
"""The key with which any match of a `Pair` can be watched."""


class Chance:
    """Random bytes from a seed, so that a run can be repeated."""

    def __init__(self, seed: object) -> None:
        self._random = random.Random(repr(seed))

    def __call__(self, count: int) -> bytes:
        return self._random.randbytes(count)


def hello_of(code: str, *, name: str = "Ann", rounds: int = 1, lesson: bool = False) -> Hello:
    proposal = Proposal.of(parse_code(code, find_game))
    return Hello(app="1", name=name, game=proposal.code, rules=proposal.rules(), rounds=rounds, lesson=lesson)


@dataclass(frozen=True)
class LikedHand(OwnHand):
    """A hand whose owner orders it freely where chance should decide."""

    liked: tuple[int, ...] = ()

    def shuffled(self, ledger: Ledger) -> tuple[int, ...]:
        return self.liked


@dataclass
class Log:
    """The entries of a room; the same (who, n) put twice is one entry."""

    entries: list[Entry] = field(default_factory=list)
    last: dict[str, int] = field(default_factory=lambda: {"host": 0, "guest": 0})
    time: int = 1_700_000_000
    """The relay's clock."""

    def append(self, who: str, n: int, body: bytes) -> None:
        assert 0 < len(body) <= 4096
        assert n <= self.last[who] + 1
        if n > self.last[who]:
            self.last[who] = n
            self.entries.append(Entry(len(self.entries) + 1, who, n, body, self.time))


class Machine:
    """A machine with one side of a match and its disk."""

    def __init__(self, notes: Sequence[Note], entropy: Chance, clock: Callable[[], float] = lambda: 0) -> None:
        self.disk = list(notes)
        self.clock = clock
        """The clock of the machine."""
        self.entropy = entropy
        self.in_room = True
        self.nonces: dict[tuple[bytes, int], set[bytes]] = {}
        """The frames sealed under each key and number."""
        self.begin()

    def restored(self) -> PlayerSide:
        """The side as the notes on disk restore it; the host's process is the relay of the room."""
        hosts = isinstance(self.disk[0], Paired) and self.disk[0].me == 0
        clock = lambda: self.clock()  # noqa: E731 - tests set another clock later
        return PlayerSide(tuple(self.disk), self.entropy, clock, clock, hosts_room=hosts)

    def reach(self, *, room: bool) -> None:
        """Let the room be there, or not."""
        self.in_room = self.side.in_room = room

    def begin(self) -> None:
        """Start a process from the notes on disk."""
        self.side = self.restored()
        self.side.in_room = self.in_room
        self.side.start()
        self.keep()
        outgoing = self.side.outgoing

        def watched() -> list[tuple[int, bytes]]:
            for n, body in outgoing():
                self.nonces.setdefault((body[:21], n), set()).add(body)
            return outgoing()

        self.side.outgoing = watched

    def keep(self) -> None:
        self.disk += self.side.take_notes()

    def put(self, log: Log) -> None:
        """Put the outgoing entries, after writing the notes to disk."""
        self.keep()
        for n, body in self.side.outgoing():
            log.append(PLAYERS[self.side.me], n, body)

    def exchange(self, log: Log) -> bool:
        """Read new entries and put the outgoing ones; returns whether anything happened."""
        before = self.side.since, len(log.entries)
        for _ in range(2):  # entries that cannot be opened are read again
            with suppress(Gap):
                for entry in log.entries[self.side.since :]:
                    self.side.receive(entry)
        self.put(log)
        return before != (self.side.since, len(log.entries))


class Pair:
    """Two machines in a room that loses nothing."""

    def __init__(
        self, code: str, seed: object = 0, *, rounds: int = 1, lesson: bool = False, answer: bool = True
    ) -> None:
        self.log = Log()
        key = Chance((seed, "key"))(32).hex()
        hello = hello_of(code, rounds=rounds, lesson=lesson)
        self.machines = tuple(
            Machine(
                [
                    Paired(
                        me=me,
                        room="1",
                        key=key,
                        secret=Chance((seed, me))(32).hex(),
                        watch=WATCH.secret,
                        since=0,
                        sent=0,
                        heard=0,
                        hello=None if me else hello,
                    )
                ],
                Chance((seed, me, "epochs")),
                lambda: self.log.time,
            )
            for me in (0, 1)
        )
        self.lesson = lesson
        self.settle()
        if answer:
            self.sit_down()

    def sit_down(self) -> None:
        """Let the guest accept the invitation."""
        self.guest.answer_invitation("Bob", "1", lesson=self.lesson)
        self.settle()

    @property
    def host(self) -> PlayerSide:
        return self.machines[0].side

    @property
    def guest(self) -> PlayerSide:
        return self.machines[1].side

    def settle(self) -> None:
        """Let both sides exchange entries until neither has anything left to say."""
        for machine in self.machines:
            machine.keep()
        while sum(machine.exchange(self.log) for machine in self.machines):
            pass

    def mover(self) -> PlayerSide | None:
        sides = (self.host, self.guest)
        return next((side for side in sides if side.my_turn and not side.stopped), None)

    def watcher(self) -> WatcherSide:
        """A watcher who comes now and has read everything."""
        watcher = WatcherSide(WATCH)
        read(watcher, self.log.entries)
        return watcher

    def play_out(self, rng: random.Random, most: int = 400) -> None:
        """Play random moves until the match is over."""
        for _ in range(most):
            side = self.mover()
            if side is None:
                break
            play_some_move(side, rng)
            self.settle()

    def play_or_resign(self, rng: random.Random) -> None:
        """Play random moves, and after 60 let the host resign what is left."""
        self.play_out(rng, 60)
        while self.host.ledger.stage == "play":
            self.host.propose("resign")
            self.settle()


def read(member: RoomMember, entries: Sequence[Entry]) -> None:
    """Let a member read entries; those that cannot be opened are read again."""
    for entry in entries:
        try:
            member.receive(entry)
        except Gap:
            member.receive(entry)


def play_some_move(side: PlayerSide, rng: random.Random) -> str:
    session = side.session
    moves = session.game.legal_moves(session.view(side.seat))
    text = session.game.format_move(rng.choice(moves))
    side.play(text)
    return text


def meet(
    host_code: JoinCode,
    guest_code: JoinCode,
    hello: Hello,
    seed: object = 0,
    *,
    watch: str = "",
    on_the_way: Callable[[bytes], bytes] = bytes,
) -> tuple[Pairing, Pairing, Log]:
    """Pair two over a room; returns both pairings, finished. `on_the_way` may change the host's confirmation."""
    log = Log()
    pairings = (
        Pairing("host", host_code, hello, Chance((seed, 0)), lambda: 0.0, watch=watch),
        Pairing("guest", guest_code, None, Chance((seed, 1)), lambda: 0.0),
    )
    read = [0, 0]
    for _ in range(6):
        for at, pairing in enumerate(pairings):
            for n, body in pairing.outgoing():
                log.append(PLAYERS[at], n, body)
            for entry in log.entries[read[at] :]:
                read[at] = entry.seq
                pairing.receive(entry)
            for note in pairing.notes[1:]:
                log.append(PLAYERS[at], 2, on_the_way(bytes.fromhex(note.text)))
    return (*pairings, log)
