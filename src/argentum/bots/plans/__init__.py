"""What each resident's ability, and each token, is good for: a few lines a resident, one module a box."""

from argentum.bots.plans import bullet, coin, dagger

__all__ = ["bullet", "coin", "dagger"]
