"""Hypothesis plays whole games: it must not mind how long that takes on a busy machine."""

from hypothesis import HealthCheck, settings

settings.register_profile("games", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("games")
