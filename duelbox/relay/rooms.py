"""The rooms of a relay: their members, their entries, and who is connected."""

from __future__ import annotations

import asyncio
import json
from array import array
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from math import ceil
from secrets import choice, randbelow, token_urlsafe
from time import time

from duelbox.relay.connected_member import ConnectedMember
from duelbox.relay.limits import MINUTE, Bucket, Limits, RecentlyUsed, span
from duelbox.relay.room_log import Conflict, RoomLog, RoomRecord, Unavailable
from duelbox.relay.wire import MAX_BODY, RoomGone, RoomRefused, entry_frame, no_such_room

TAIL = 16  # newest entries that a room keeps in memory; older ones are read from the log
COARSE = 600
"""Seconds by which a room may live longer than the log says, so that not every entry has to update that."""
DIGITS, MOST_DIGITS = 4, 9
WATCHER = "watcher"
ANSWERED = 2
"""Entries of a host who has confirmed that the guest knows the code."""
_WRONG = "That is not the code. Look at it again; your friend still waits."
_ONCE_MORE = "You have connected to this room once more, so this connection ends."


@dataclass(slots=True)
class _Member:
    key: str  # hash of the key in the member's ticket
    since: float  # time of joining
    seqs: array[int] = field(default_factory=lambda: array("I"))  # room numbers of the member's entries 1, 2, 3 …


class LiveRoom:
    """A room in memory, made from the records in its log; it knows only what is on disk."""

    def __init__(self, number: str, log: RoomLog, limits: Limits) -> None:
        self.number = number
        self.connected: dict[str, ConnectedMember] = {}
        self._log, self._limits = log, limits
        self._members: dict[str, _Member] = {}
        self.left: set[str] = set()  # players who never come back
        self._elsewhere: dict[str, str] = {}  # members connected at other relays, and at which
        self._places = array("Q")  # places of entries 1, 2, 3 …
        self._place = 0
        self._size = 0
        self._tail: deque[tuple[int, str]] = deque(maxlen=TAIL)
        self._opened = 0.0
        self._touched = 0.0
        self._kept_until = 0.0
        self._joins = RecentlyUsed(lambda: Bucket(limits.joins_a_room / MINUTE, limits.joins_a_room), 100)
        self._lock, self._following = asyncio.Lock(), asyncio.Lock()
        self._followed = False  # the log reports records of other relays
        self._stale = True
        self._refreshing: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        """The number of entries."""
        return len(self._places)

    @property
    def exists(self) -> bool:
        """Somebody has opened the room."""
        return bool(self._members)

    @property
    def ended(self) -> bool:
        """A player has left for good, and nobody is connected."""
        return bool(self.left) and not self.connected

    @property
    def paired(self) -> bool:
        """The guest's place is taken."""
        return "guest" in self._members and self._members["guest"].key != ""

    def why_over(self, now: float) -> str | None:
        """The sentence that says why the room is over; None while it goes on."""
        if self.left >= {"host", "guest"}:
            return f"Both players of room {self.number} have left, so it has closed."
        if not self.paired and now > self._opened + self._limits.unpaired:
            return f"Nobody joined room {self.number} within {span(self._limits.unpaired)}, so it has closed."
        if now > self._touched + self._limits.idle:
            return f"Nothing happened in room {self.number} for {span(self._limits.idle)}, so it has closed."
        if now > self._opened + self._limits.life:
            return f"Room {self.number} is {span(self._limits.life)} old, so it has closed."
        return None

    async def refresh(self) -> None:
        """Read all new records from the log."""
        async with self._lock:
            await self._read_on()

    async def join(self, who: str, watch: str = "", address: str = "") -> str:
        """Let a player join; returns their key. Raises Conflict if a host opens a room that exists.

        A host brings `watch`, the key of all watchers; a guest has an `address`.
        """
        key = token_urlsafe(16)
        if who != "host" and not self._joins.of(address).take():
            raise RoomRefused(f"Too many came to room {self.number} from your address. Wait a minute.")
        keys = {"key": _hash(key), **({WATCHER: _hash(watch)} if watch else {})}
        async with self._lock:
            # The record in the way may be this very one: stored, but its answer was lost.
            while who not in self._members or self._members[who].key != keys["key"]:
                self._check_free(who)
                with suppress(Conflict):
                    await self._append(RoomRecord(who, 0, json.dumps(keys).encode(), time()))
        return key

    async def turn_away(self, who: str) -> None:
        """Free the guest's place at once, as the host asks, because the guest did not know the code."""
        if who != "host":
            raise RoomRefused("Only the host turns a guest away.")
        async with self._lock:
            while self.paired and len(self._members["host"].seqs) < ANSWERED:
                with suppress(Conflict):
                    await self._append(RoomRecord("guest", 0, json.dumps({"key": ""}).encode(), time()))

    async def leave(self, who: str) -> None:
        """Note that a player never comes back; ignored for a guest who has not proven the code."""
        async with self._lock:
            while who in self._members and who not in self.left and len(self._members["host"].seqs) >= ANSWERED:
                with suppress(Conflict):
                    await self._append(RoomRecord(who, 0, json.dumps({"left": True}).encode(), time()))

    def admit(self, who: str, key: str) -> str:
        """The name of this member in the room; watchers get a free place. Raises RoomRefused if the key is wrong."""
        member = self._members.get(who)
        if who == WATCHER and member is None:
            raise RoomRefused(f"Nobody can watch in room {self.number}: its host has not asked for that.")
        if member is None or not compare_digest(member.key, _hash(key)):
            raise RoomRefused(f"This is not a key to room {self.number}.")
        return self._place_to_watch() if who == WATCHER else who

    def _place_to_watch(self) -> str:
        """A random free place, since another relay may give one away at the same time."""
        places = {f"{WATCHER}-{number}" for number in range(1, self._limits.watchers + 1)}
        free = places.difference(self.connected, self._elsewhere)
        if not free:
            raise RoomRefused(f"Room {self.number} has {self._limits.watchers} watchers; it takes no more.")
        return choice(sorted(free))

    async def put(self, who: str, n: int, body: bytes) -> int:
        """Store a member's entry unless it is there already; returns its number. Raises RoomRefused or Unavailable."""
        if len(body) > MAX_BODY:
            raise RoomRefused(f"An entry has at most {MAX_BODY} bytes; this one has {len(body)}.")
        if who.startswith(WATCHER):
            raise RoomRefused("Watchers only watch; they cannot put anything into the room.")
        async with self._lock:
            while True:
                if self._stale:
                    await self._read_on()
                seqs = self._members[who].seqs
                if 1 <= n <= len(seqs):
                    return seqs[n - 1]
                if n != len(seqs) + 1:
                    raise RoomRefused(f"The next entry of {who} is number {len(seqs) + 1}, not {n}.")
                if self.seq >= self._limits.entries:
                    raise RoomRefused(f"Room {self.number} is full: it holds {self._limits.entries:,} entries.")
                if self._size + len(body) > self._limits.size:
                    raise RoomRefused(f"Room {self.number} is full: it holds {self._limits.size:,} bytes.")
                with suppress(Conflict):
                    await self._append(RoomRecord(who, n, body, time()))

    async def after(self, seq: int) -> list[tuple[int, str]]:
        """The frames of the next entries after this one, with their numbers."""
        if self._tail and self._tail[0][0] <= seq + 1:
            return [(number, sent) for number, sent in self._tail if number > seq]
        records = await self._log.read(self.number, self._places[seq - 1] if seq else 0)
        if not records:  # another relay has closed the room
            raise Unavailable(f"Room {self.number} cannot be read. Try again later.")
        numbered = [one.entry(at) for at, one in enumerate((record for _, record in records if record.n), seq + 1)]
        # The log may be ahead of this relay; later entries follow when it has seen them.
        return [(entry.seq, entry_frame(entry)) for entry in numbered if entry.seq <= self.seq]

    async def connect(self, member: ConnectedMember) -> None:
        """Connect a member; their older connection ends."""
        if older := self.connected.get(member.who):
            older.dismiss(_ONCE_MORE)
        elif self._elsewhere.pop(member.who, None) is None:
            self._tell_presence(member.who, here=True)
        member.presence = {who: True for who in [*self.connected, *self._elsewhere] if who != member.who}
        self.connected[member.who] = member
        member.news.set()
        async with self._following:
            if not self._followed:  # the first member did this already, unless it failed
                await self._log.follow(self)
                self._followed = True
                await self.refresh()
        await self._log.announce(self, member.who, here=True)

    async def disconnect(self, member: ConnectedMember) -> None:
        """Disconnect a member."""
        if self.connected.get(member.who) is member:
            del self.connected[member.who]
            self._tell_presence(member.who, here=False)
            await self._log.announce(self, member.who, here=False)
        if not self.connected:
            self._elsewhere.clear()
            async with self._following:
                if not self.connected:
                    self._followed = False
                    await self._log.leave(self)

    def take_stored(self, after: int, place: int, record: RoomRecord) -> None:
        """Take a stored record that another relay reports, unless earlier ones are missing."""
        if after == self._place:
            self._take(place, record)
        elif place > self._place:
            self.refresh_soon()

    def note_elsewhere(self, relay: str, who: str, *, here: bool, just_now: bool) -> None:
        """Note that a member has connected at another relay, or disconnected there."""
        if here:
            if who in self.connected:
                if just_now:
                    self.connected.pop(who).dismiss(_ONCE_MORE)
                    self._elsewhere[who] = relay
                return
            if who not in self._elsewhere:
                self._tell_presence(who, here=True)
            self._elsewhere[who] = relay
        elif self._elsewhere.get(who) == relay:
            del self._elsewhere[who]
            self._tell_presence(who, here=False)
        self.refresh_soon()

    def lose_relay(self, relay: str) -> None:
        """Note that another relay is gone, with all members connected to it."""
        for who in [who for who, where in self._elsewhere.items() if where == relay]:
            self.note_elsewhere(relay, who, here=False, just_now=True)

    def refresh_soon(self) -> None:
        """Read the log again in the background."""
        if self._refreshing is None:
            self._refreshing = asyncio.create_task(self._refresh())

    async def _refresh(self) -> None:
        try:
            await self.refresh()
        except Unavailable:
            self._stale = True
        finally:
            self._refreshing = None

    async def _append(self, record: RoomRecord) -> None:
        """Store a record; on a Conflict, raises it after reading what other relays have stored before."""
        after = self._place
        dies = self._dies(record)
        late = dies > self._kept_until + COARSE or dies < self._kept_until
        try:
            place = await self._log.append(self.number, after, record, dies if late else None)
        except Conflict:
            if self._place == after:  # otherwise they were reported
                await self._read_on()
            if self._place == after:  # then the room is gone
                raise Unavailable(f"Room {self.number} cannot be written. Try again later.") from None
            raise
        except Unavailable:
            self._stale = True
            raise
        if late:
            self._kept_until = dies
        self._take(place, record)

    async def _read_on(self) -> None:
        while records := await self._log.read(self.number, self._place):
            for place, record in records:
                self._take(place, record)
        self._stale = False

    def _take(self, place: int, record: RoomRecord) -> None:
        """Apply a stored record to the room, and wake the connected members."""
        if place <= self._place:  # known already
            return
        self._place, self._touched = place, record.time
        if record.n == 0:
            self._opened = self._opened or record.time
            keys = json.loads(record.body)
            if "left" in keys:
                self.left.add(record.who)
                return
            if older := self.connected.pop(record.who, None):
                older.dismiss("You did not prove the code, and somebody else has come." if keys["key"] else _WRONG)
            self._elsewhere.pop(record.who, None)
            # A new ticket counts as an absent member, whom the host hears of.
            self._tell_presence(record.who, here=False)
            self._members[record.who] = _Member(keys["key"], record.time)
            if WATCHER in keys:
                self._members[WATCHER] = _Member(keys[WATCHER], record.time)
            return
        self._size += len(record.body)
        self._places.append(place)
        self._members[record.who].seqs.append(self.seq)
        self._tail.append((self.seq, entry_frame(record.entry(self.seq))))
        for member in self.connected.values():
            member.news.set()

    def _check_free(self, who: str) -> None:
        """Raise Conflict if a host opens a room that exists, RoomRefused while a guest may still prove the code."""
        if self.exists == (who == "host"):
            raise Conflict if self.exists else no_such_room(self.number)
        if who == "guest" and len(self._members["host"].seqs) >= ANSWERED:
            raise RoomRefused(f"Room {self.number} has both its players. Ask for a new code.")
        left = self._limits.proof - (time() - self._members["guest"].since) if self.paired else 0
        if left > 0:
            raise RoomRefused(f"Room {self.number} has somebody else at its door. Try again in {span(ceil(left))}.")

    def _dies(self, record: RoomRecord) -> float:
        opened = self._opened or record.time
        if self.paired or record.who == "guest":
            return min(record.time + self._limits.idle, opened + self._limits.life)
        return opened + self._limits.unpaired

    def _tell_presence(self, who: str, *, here: bool) -> None:
        for member in self.connected.values():
            member.presence[who] = here
            member.news.set()


class Rooms:
    """All rooms of a relay; in memory are those with connected members, or with some until a moment ago."""

    def __init__(self, log: RoomLog, limits: Limits) -> None:
        self.live: dict[str, LiveRoom] = {}
        self._log, self._limits = log, limits
        self._misses = RecentlyUsed(lambda: Bucket(limits.misses_an_address / MINUTE, limits.misses_an_address))
        self._opened: RecentlyUsed[list[str]] = RecentlyUsed(list)  # by address; never on disk: nobody reads who plays
        self._waiting: RecentlyUsed[list[str]] = RecentlyUsed(list)  # those of them that may still wait for a guest

    async def open(self, address: str | None, watch: str = "") -> tuple[LiveRoom, str]:
        """Open a room; returns it with its host's key. `watch` is the key of watchers.

        `address` is None for the relay's own process, which has no limits.
        """
        if address is not None:
            await self._check_opener(address)
        for digits in range(DIGITS, MOST_DIGITS + 1):
            for _ in range(3):
                room = self._room(str(10 ** (digits - 1) + randbelow(9 * 10 ** (digits - 1))))
                try:
                    key = await room.join("host", watch)
                except Conflict:
                    await self._drop_if_over(room)
                    continue
                if address is not None:
                    self._opened.of(address).append(room.number)
                    self._waiting.of(address).append(room.number)
                return room, key
        raise Unavailable("The relay has no room left. Try again later.")

    async def enter(self, number: str, address: str) -> tuple[LiveRoom, str]:
        """Take the guest's place in a room; returns the room and the guest's key."""
        if self._misses.of(address).wait() > 0:  # even a success would tell which numbers are in use
            raise self._too_many_misses()
        with self._counting_misses(address):
            room = await self.find(number)
            return room, await room.join("guest", address=address)

    async def back(self, number: str, who: str, key: str, address: str) -> tuple[LiveRoom, str]:
        """Admit a member by their key; returns the room and the member's name in it."""
        with self._counting_misses(address):
            room = await self.find(number)
            return room, room.admit(who, key)

    async def find(self, number: str) -> LiveRoom:
        """The room with this number; raises RoomRefused."""
        if not (number.isascii() and number.isdigit() and DIGITS <= len(number) <= MOST_DIGITS):
            raise RoomRefused("The number of a room is four digits or a few more.")
        room = self._room(number)
        await room.refresh()
        if self.live.setdefault(number, room) is not room:  # another task loaded this room while we waited
            return await self.find(number)
        if not room.exists:
            raise no_such_room(number)
        if why := room.why_over(time()):
            await self._drop_if_over(room)
            raise RoomGone(f"{why} Ask for a new code.")
        return room

    async def sweep(self) -> None:
        """Close the rooms that are over, and unload those without connections."""
        now = time()
        for room in list(self.live.values()):
            if room.exists and (why := room.why_over(now)):
                for member in room.connected.values():
                    member.dismiss(why)
                await self._drop_if_over(room)
            elif not room.connected:
                self.live.pop(room.number, None)
        await self._log.sweep(now - COARSE)

    def _room(self, number: str) -> LiveRoom:
        return self.live.setdefault(number, LiveRoom(number, self._log, self._limits))

    async def _drop_if_over(self, room: LiveRoom) -> None:
        await room.refresh()
        if room.exists and room.why_over(time()):
            await self._log.forget(room.number)
            self.live.pop(room.number, None)

    async def _check_opener(self, address: str) -> None:
        """Raise RoomRefused if this address may not open a room now."""
        if not self._limits.open_to_all:
            raise RoomRefused("This relay is that of one host, who alone opens rooms here.")
        limits = self._limits
        for numbers, most, what in (
            (self._opened.of(address), limits.rooms_an_address, "are open already. Finish a match first."),
            (self._waiting.of(address), limits.waiting_an_address, "wait for a guest already. Let them come first."),
        ):
            if len(numbers) >= most:
                numbers[:] = [one for one in numbers if await self._is_open(one, waiting="guest" in what)]
            if len(numbers) >= most and (ended := next((one for one in numbers if self._room(one).ended), None)):
                numbers.remove(ended)
                await self._log.forget(ended)
                self.live.pop(ended)
            if len(numbers) >= most:
                raise RoomRefused(f"From your address, {most} rooms {what}")

    async def _is_open(self, number: str, *, waiting: bool) -> bool:
        with suppress(RoomGone):
            return not ((await self.find(number)).paired and waiting)
        return False

    @contextmanager
    def _counting_misses(self, address: str) -> Iterator[None]:
        """Count a refusal as a miss; after too many, raise the same refusal whatever happened."""
        try:
            yield
        except RoomRefused:
            if not self._misses.of(address).take():
                raise self._too_many_misses() from None
            raise

    def _too_many_misses(self) -> RoomRefused:
        many = f"{self._limits.misses_an_address} wrong codes"
        return RoomRefused(f"From your address, {many} came within a minute. Wait a minute.")


def _hash(key: str) -> str:
    return sha256(key.encode()).hexdigest()
