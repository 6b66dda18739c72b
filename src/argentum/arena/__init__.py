"""The arena: matches between bots on duplicate deals, a ladder, and how strong they are.

A plan (:class:`Match`, :class:`Abilities` or :class:`Strength`) has `jobs`, games to be played as plain values;
:func:`played_once` plays them, by processes or on a cluster; and `text` or `facts` says what came of the results. It
all needs no more than the standard library.

>>> match = Match(["novice", "random"], boxes=["dagger"], players=[2], games=2, seed=1)
>>> [job.seating for job in match.jobs]
[('novice', 'random'), ('random', 'novice')]
>>> results = dict(played_once(match.jobs, processes=1))
>>> match.tables(results)[0].standings[0].wins.mean
1.0
"""

from argentum.arena.ability_values import AbilityValues
from argentum.arena.match import Match
from argentum.arena.runner import run_jobs_cached
from argentum.arena.strength import StrengthReport

__all__ = ["AbilityValues", "Match", "StrengthReport", "run_jobs_cached"]
