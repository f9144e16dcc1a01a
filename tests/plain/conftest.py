"""Processes that tests of the line mode start, and that end with the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.plain.test_line_elsewhere import Program


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    running: list[Program] = []
    yield running
    for one in running:
        one.kill()
