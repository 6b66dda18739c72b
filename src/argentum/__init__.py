"""Argentum: the Silver card games with enforced rules."""

from argentum.rules.game import Game, IllegalMove
from argentum.rules.move import Move
from argentum.rules.views import Card, View

__all__ = ["Card", "Game", "IllegalMove", "Move", "View"]
