from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.elsewhere import Stores, two_stores


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    with two_stores(tmp_path) as both:
        yield both
