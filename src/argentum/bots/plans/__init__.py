"""What bots know of each resident and each token: one entry for each, one module for each box."""

from argentum.bots.plan import PLANS
from argentum.bots.plans import amulet, bullet, coin, dagger

__all__ = ["PLANS", "amulet", "bullet", "coin", "dagger"]
