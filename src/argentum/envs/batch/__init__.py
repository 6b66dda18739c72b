"""Many games per call: the batch engine."""

from argentum.envs.batch.batch import Batch, BatchStep
from argentum.envs.batch.workers import WorkerLost

__all__ = ["Batch", "BatchStep", "WorkerLost"]
