"""Settings for every test: Hypothesis draws the same examples each time, takes its time, and keeps nothing."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "duelbox",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("duelbox")
