"""Runs work in a thread that the app does not wait for when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class in_background(Awaitable[T]):  # noqa: N801 - used like a function
    """Awaits the result of work in a thread. Not a coroutine: it may stay unawaited without a warning."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work

    def __await__(self) -> Generator[Any, None, T]:
        return _answered(self._work).__await__()


async def _answered(work: Callable[[], T]) -> T:
    """Return or raise the result of the work; unlike with `asyncio.to_thread`, the app can end meanwhile."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        try:
            tell = partial(answer.set_result, work())
        except BaseException as error:
            tell = partial(answer.set_exception, error)
        with suppress(RuntimeError):  # the loop has closed
            loop.call_soon_threadsafe(lambda: answer.done() or tell())  # done: the waiting task was cancelled

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return await answer
