"""A NATS server for the tests that ask for one, and relays on either kind of log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

import pytest

from duelbox.relay.jetstream import JetStreamRoomLog
from duelbox.relay.limits import Limits
from duelbox.relay.server import Relay, serving
from tests.relay.nats_server import NatsServer, free_ports

Serving = Callable[..., AbstractAsyncContextManager[Relay]]


@pytest.fixture(scope="session")
def nats_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server shared by all tests of a run; their rooms differ."""
    server = NatsServer(tmp_path_factory.mktemp("nats"), *free_ports(1))
    server.start()
    yield server.url
    server.kill()


@asynccontextmanager
async def serving_nats(url: str, limits: Limits | None = None) -> AsyncIterator[Relay]:
    async with serving(log=await JetStreamRoomLog.open(url), limits=limits) as relay:
        yield relay


@pytest.fixture(params=["SQLite", "JetStream"])
def any_relay(request: pytest.FixtureRequest) -> Serving:
    """A relay, once for each kind of log."""
    if request.param == "SQLite":
        return serving
    return partial(serving_nats, request.getfixturevalue("nats_url"))
