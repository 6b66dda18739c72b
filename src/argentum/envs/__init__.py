"""Learning environments: PettingZoo (`silver_v1`), Gymnasium (`argentum/Silver-v1`), OpenSpiel and a batch engine.

To import this package registers the Gymnasium environment, where Gymnasium is installed.
"""

from importlib import import_module
from importlib.util import find_spec


def register() -> None:
    """Make `argentum/Silver-v1` known to Gymnasium."""
    # By name: the compiled build reads what this package imports, and all that Gymnasium could need is a lot to read.
    registration = import_module("gymnasium.envs.registration")
    name = "argentum/Silver-v1"
    if name not in registration.registry:
        registration.register(
            name, entry_point="argentum.envs.gym:SilverEnv", vector_entry_point="argentum.envs.vector:SilverVectorEnv"
        )


if find_spec("gymnasium") is not None:
    register()
