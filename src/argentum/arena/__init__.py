"""Matches between bots on duplicate deals, ratings, and a report of their strength.

A plan (:class:`Match`, :class:`AbilityValues` or :class:`StrengthReport`) has `jobs`, the games to play.
:func:`run_jobs_cached` plays them in processes or on a cluster. The methods `text` and `to_json` of the plan evaluate
the results. The package needs only the standard library.

>>> match = Match(["novice", "random"], boxes=["dagger"], players=[2], games=2, seed=1)
>>> [job.seating for job in match.jobs]
[('novice', 'random'), ('random', 'novice')]
>>> results = dict(run_jobs_cached(match.jobs, processes=1))
>>> match.results(results)[0].standings[0].wins.mean
1.0
"""

from argentum.arena.ability_values import AbilityValues
from argentum.arena.match import Match
from argentum.arena.runner import run_jobs_cached
from argentum.arena.strength import StrengthReport

__all__ = ["AbilityValues", "Match", "StrengthReport", "run_jobs_cached"]
