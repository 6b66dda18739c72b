"""Learning environments: PettingZoo (`silver_v1`), Gymnasium (`argentum/Silver-v1`), OpenSpiel and a batch engine.

Importing this package registers the Gymnasium environment if Gymnasium is installed.
"""

from importlib.util import find_spec


def register() -> None:
    """Register `argentum/Silver-v1` with Gymnasium."""
    from gymnasium.envs import registration

    name = "argentum/Silver-v1"
    if name not in registration.registry:
        registration.register(
            name, entry_point="argentum.envs.gym:SilverEnv", vector_entry_point="argentum.envs.vector:SilverVectorEnv"
        )


if find_spec("gymnasium") is not None:
    register()
