"""Settings for every test: Hypothesis draws the same examples each time, takes its time, and keeps nothing."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "duelbox",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("duelbox")


@pytest.fixture(autouse=True)
def _home_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads or writes the user's own games and settings."""
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "home"))
