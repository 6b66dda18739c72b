"""The batch environment, which steps many games per call."""

from argentum.envs.batch.batch import Batch, BatchStep
from argentum.envs.batch.workers import SettingsBlock
from argentum.processes import WorkerLost

__all__ = ["Batch", "BatchStep", "SettingsBlock", "WorkerLost"]
