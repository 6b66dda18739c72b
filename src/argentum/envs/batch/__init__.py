"""Many games per call: the batch engine."""

from argentum.envs.batch.batch import Batch, Step
from argentum.envs.batch.workers import WorkerLost

__all__ = ["Batch", "Step", "WorkerLost"]
