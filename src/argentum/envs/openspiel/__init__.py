"""OpenSpiel games: importing this package registers `python_silver` and `python_silver_mini`."""

from argentum.envs.openspiel import mini as mini
from argentum.envs.openspiel import silver as silver
