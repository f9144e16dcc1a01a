"""The room log of several relays together: a stream of NATS JetStream with a subject for each room.

The server refuses a record if the last one of its subject is not the expected one, publishes each stored record to the
followers of its room, and drops records older than any room.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import wraps
from hashlib import sha256
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error
from nats.js.api import RePublish, StorageType, StreamConfig
from nats.js.errors import APIError, NotFoundError

from duelbox.core.errors import DuelboxError
from duelbox.core.names import printable
from duelbox.relay.limits import HOUR, Limits
from duelbox.relay.room_log import Conflict, RoomLog, RoomRecord, Unavailable

if TYPE_CHECKING:
    from duelbox.relay.rooms import LiveRoom

T = TypeVar("T")
P = ParamSpec("P")
STREAM = "DUELBOX"
PAGE = 64
RETRY_FOR = 12.0
"""Seconds for which a request is repeated: a cluster needs some of them to elect a new leader."""
REQUEST_TIMEOUT = 3.0
RETRY_PAUSE = 0.05
HEARTBEAT, SILENCE = 5.0, 15.0
"""Seconds between two heartbeats of a relay, and without one until its members count as gone."""
CHECK_EVERY = 5.0
"""Seconds after which a room checks that it has missed nothing."""
_KEPT = Limits().life + HOUR
_REPLICAS = 3
_OLDEST = (2, 11)
"""The first version that returns many records for one request."""
_WRONG_LAST_SEQUENCE = 10071
_ROOM = "duelbox.room."
_TOLD = "duelbox.told."
_HERE = "duelbox.here."
_ALIVE = "duelbox.alive"
_LOG = logging.getLogger("duelbox.relay")


def retried(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Repeat the work while the cluster has no leader; raises Unavailable."""

    @wraps(work)
    async def done(*args: P.args, **named: P.kwargs) -> T:
        until = monotonic() + RETRY_FOR
        while True:
            try:
                return await work(*args, **named)
            except (Error, OSError, TimeoutError) as error:  # APIError is an Error
                if monotonic() > until:
                    _LOG.warning("NATS: %s", printable(error) or type(error).__name__)
                    raise Unavailable("The relay's storage does not answer. Try again later.") from error
            await asyncio.sleep(RETRY_PAUSE)

    return done


class JetStreamRoomLog(RoomLog):
    """A connection to a NATS cluster. Its server drops old records, so `sweep` has nothing to do."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._stream = client.jetstream(timeout=REQUEST_TIMEOUT)
        self._me = token_hex(4)
        self._followers: dict[str, LiveRoom] = {}
        self._subscriptions: dict[str, list[Subscription]] = {}
        self._heard: dict[str, float] = {}  # the last heartbeat of each other relay
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, url: str) -> JetStreamRoomLog:
        """Connect, and create the stream if there is none; raises DuelboxError."""

        client, trouble = Client(), list[Exception]()

        async def grumble(error: Exception) -> None:
            trouble[:] = [error]
            if client.is_connected or client.is_reconnecting:  # otherwise the refusal below says it
                _LOG.warning("NATS: %s", printable(error or type(error).__name__))

        try:
            async with asyncio.timeout(RETRY_FOR):
                await client.connect(
                    url.split(","),
                    error_cb=grumble,
                    connect_timeout=5,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=0.2,  # type: ignore[arg-type]
                    ping_interval=10,
                )
        except (Error, OSError, ValueError) as error:
            raise DuelboxError(f"NATS cannot be reached: {printable([*trouble, error][0]) or 'no answer'}.") from error
        log = cls(client)
        try:
            await log._prepare()
        except BaseException:
            await log.close()
            raise
        return log

    @retried
    async def append(self, room: str, after: int, record: RoomRecord, dies: float | None) -> int:
        """Store a record; once acknowledged, the majority of the cluster has it on disk."""
        headers = {
            "Nats-Expected-Last-Subject-Sequence": str(after),
            # With the time, since a guest may be turned away twice, and a dropped room leaves its number to another.
            "Nats-Msg-Id": f"{room}:{sha256(_written(record)).hexdigest()}",
        }
        try:
            stored = await self._stream.publish(_ROOM + room, _written(record), headers=headers)
        except APIError as error:
            if error.err_code == _WRONG_LAST_SEQUENCE:
                raise Conflict from None
            raise
        if stored.duplicate:
            raise Conflict
        return stored.seq

    @retried
    async def read(self, room: str, after: int) -> list[tuple[int, RoomRecord]]:
        """Read the next records after a place."""
        # The leader knows the last record; any replica may have the others, perhaps late.
        try:
            last = await self._stream.get_last_msg(STREAM, _ROOM + room)
        except NotFoundError:
            return []
        if (last.seq or 0) <= after:
            return []
        found = await self._batch(room, after)
        if not found:
            raise TimeoutError
        return found

    @retried
    async def forget(self, room: str) -> None:
        """Drop a room."""
        await self._stream.purge_stream(STREAM, subject=_ROOM + room)

    async def close(self) -> None:
        """Tell the other relays that this one ends, and disconnect."""
        for task in self._tasks:
            task.cancel()
        with suppress(Error, OSError, TimeoutError):
            await self._client.publish(_ALIVE, json.dumps([self._me, False]).encode())
            await self._client.flush(2)
        with suppress(Error, OSError, TimeoutError):
            await self._client.close()

    @retried
    async def follow(self, room: LiveRoom) -> None:
        """Subscribe to the room's records and to its members at other relays."""
        number = room.number
        self._followers[number] = room
        self._subscriptions[number] = [
            await self._client.subscribe(_TOLD + number, cb=self._on_told),
            await self._client.subscribe(_HERE + number, cb=self._on_here),
        ]
        await self._client.flush(int(REQUEST_TIMEOUT))

    async def leave(self, room: LiveRoom) -> None:
        """Unsubscribe from the room."""
        self._followers.pop(room.number, None)
        for subscription in self._subscriptions.pop(room.number, []):
            with suppress(Error, OSError):
                await subscription.unsubscribe()

    async def announce(self, room: LiveRoom, who: str, *, here: bool) -> None:
        """Tell the other relays that a member came or left, and ask who is there."""
        with suppress(Error, OSError):
            await self._client.publish(_HERE + room.number, json.dumps([self._me, who, here, True]).encode())

    async def _prepare(self) -> None:
        version = self._client.connected_server_version
        if (version.major, version.minor) < _OLDEST:
            raise DuelboxError(f"NATS is version {version.major}.{version.minor} there; a relay needs 2.11 or newer.")
        republish = RePublish(src=f"{_ROOM}*", dest=_TOLD + "{{wildcard(1)}}")
        config = StreamConfig(
            name=STREAM,
            subjects=[f"{_ROOM}*"],
            storage=StorageType.FILE,
            num_replicas=_REPLICAS if len(self._client.servers) >= _REPLICAS else 1,
            max_age=_KEPT,
            duplicate_window=120,
            allow_direct=True,
            republish=republish,
        )
        found = await self._find_or_make(config)
        if not found.allow_direct or not found.republish or found.republish.dest != republish.dest:
            raise DuelboxError(f"The stream {STREAM} in NATS is not as a relay makes it. Delete or rename it.")
        await self._client.subscribe(_ALIVE, cb=self._on_alive)
        self._tasks = [asyncio.create_task(self._beat()), asyncio.create_task(self._look_again())]

    @retried
    async def _find_or_make(self, config: StreamConfig) -> StreamConfig:
        try:
            return (await self._stream.stream_info(STREAM)).config
        except NotFoundError:
            return (await self._stream.add_stream(config)).config

    async def _batch(self, room: str, after: int) -> list[tuple[int, RoomRecord]]:
        inbox = self._client.new_inbox()
        answers = await self._client.subscribe(inbox)
        try:
            request = {"seq": after + 1, "next_by_subj": _ROOM + room, "batch": PAGE}
            await self._client.publish(f"$JS.API.DIRECT.GET.{STREAM}", json.dumps(request).encode(), reply=inbox)
            found: list[tuple[int, RoomRecord]] = []
            while True:
                message = await answers.next_msg(REQUEST_TIMEOUT)
                headers = message.headers or {}
                if "Status" in headers:
                    return found
                found.append((int(headers["Nats-Sequence"]), _read(message.data)))
        finally:
            await answers.unsubscribe()

    async def _on_told(self, message: Msg) -> None:
        headers = message.headers or {}
        if room := self._followers.get(message.subject.removeprefix(_TOLD)):
            room.take_stored(int(headers["Nats-Last-Sequence"]), int(headers["Nats-Sequence"]), _read(message.data))

    async def _on_here(self, message: Msg) -> None:
        relay, who, here, just_now = json.loads(message.data)
        room = self._followers.get(message.subject.removeprefix(_HERE))
        if relay == self._me or room is None:
            return
        self._heard.setdefault(relay, monotonic())
        room.note_elsewhere(relay, who, here=here, just_now=just_now)
        if here and just_now:
            for mine in list(room.connected):
                answer = json.dumps([self._me, mine, True, False]).encode()
                await self._client.publish(message.subject, answer)

    async def _on_alive(self, message: Msg) -> None:
        relay, alive = json.loads(message.data)
        if alive:
            self._heard[relay] = monotonic()
        else:
            self._lose(relay)

    async def _beat(self) -> None:
        """Send heartbeats, and note which other relays no longer send any."""
        while True:
            with suppress(Error, OSError):
                await self._client.publish(_ALIVE, json.dumps([self._me, True]).encode())
            for relay, heard in list(self._heard.items()):
                if monotonic() - heard > SILENCE:
                    self._lose(relay)
            await asyncio.sleep(HEARTBEAT)

    async def _look_again(self) -> None:
        """Let every room read its log from time to time, since published records may be lost."""
        while True:
            rooms = [*self._followers.values()]
            for room in rooms:
                room.refresh_soon()
                await asyncio.sleep(CHECK_EVERY / len(rooms))
            if not rooms:
                await asyncio.sleep(CHECK_EVERY)

    def _lose(self, relay: str) -> None:
        self._heard.pop(relay, None)
        for room in self._followers.values():
            room.lose_relay(relay)


def _written(record: RoomRecord) -> bytes:
    return f"{record.who} {record.n} {record.time!r}\n".encode() + record.body


def _read(data: bytes) -> RoomRecord:
    line, _, body = data.partition(b"\n")
    who, n, time = line.decode("ascii").split(" ")
    return RoomRecord(who, int(n), body, float(time))
