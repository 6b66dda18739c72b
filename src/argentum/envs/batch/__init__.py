"""The batch environment, which steps many games per call."""

from argentum.envs.batch.batch import Batch, BatchStep
from argentum.envs.batch.workers import WorkerLost

__all__ = ["Batch", "BatchStep", "WorkerLost"]
