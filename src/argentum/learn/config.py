"""What a training run is told: a TOML file, checked, with errors for people."""

import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from argentum import bots
from argentum.envs.settings import check_deck

PRESETS: Final = ("small", "gpu")
REWARD_WIN_PROBABILITY: Final = "chance"
REWARD_RANK: Final = "rank"
REWARD_POINTS: Final = "points"
TRAINING_REWARDS: Final = (REWARD_WIN_PROBABILITY, REWARD_RANK, REWARD_POINTS)
# What there must be some of. Other numbers may be 0, which means none, or a default.
POSITIVE_SETTINGS: Final = {
    *("choices", "games.games", "games.steps", "games.spread"),
    *("network.width", "network.layers", "network.heads", "network.critic_layers", "network.critic_width"),
    *("imitation.passes", "imitation.minibatch", "imitation.rate"),
    *("ppo.epochs", "ppo.minibatch", "ppo.rate", "ppo.clip", "ppo.most_norm", "ppo.decided"),
    *("league.size", "league.every", "league.at_once", "league.hold"),
}


@dataclass(frozen=True)
class GamesConfig:
    """The games that are played side by side."""

    games: int = 64  # in each half
    steps: int = 32  # choices of each game between two updates
    seats: dict[str, float] = field(default_factory=lambda: {"2": 1.0})  # shares by the number of seats
    boxes: dict[str, float] = field(default_factory=lambda: {"random": 1.0})  # shares by boxes, or deck codes
    bots: dict[str, float] = field(default_factory=dict)  # shares of games against bots; quick costs nearly nothing
    reward: str = REWARD_WIN_PROBABILITY
    spread: float = 14.0  # of the difference that a round makes between two seats, for the chance to win


@dataclass(frozen=True)
class NetworkConfig:
    """How large the network is."""

    width: int = 128
    layers: int = 3
    heads: int = 4
    critic_layers: int = 1
    critic_width: int = 128
    privileged: bool = True  # the critic sees all cards, in training only


@dataclass(frozen=True)
class ImitationConfig:
    """The start: to do as a bot does."""

    bot: str = "steady"
    choices: int = 0  # that it makes for it, at least; 0 for no such start
    games: str = ""  # a file with games that were made before (`argentum.learn.imitation`); none: make them now
    passes: int = 2  # over the choices
    minibatch: int = 256
    rate: float = 1e-3


@dataclass(frozen=True)
class PpoConfig:
    """How it learns from its own games."""

    epochs: int = 2
    minibatch: int = 512
    rate: float = 3e-4
    last_rate: float = 2e-5
    clip: float = 0.2
    trace: float = 0.95  # the lambda of the generalised advantage; nothing is discounted
    entropy: float = 0.01
    last_entropy: float = 0.002
    value: float = 0.5
    belief: float = 0.05
    most_norm: float = 0.5
    decided: float = 1.0  # of choices that the network was sure of, so many are learned from: they teach little
    critic_first: int = 2  # updates at the beginning that leave the player alone
    average: float = 0.995  # of the network that is exported: how much of it is kept at each step


@dataclass(frozen=True)
class LeagueConfig:
    """Older selves to play against."""

    share: float = 0.25  # of the games
    size: int = 8
    every: int = 10_000_000  # choices, after which the network joins
    at_once: int = 2  # of them that are played against
    first: bool = False  # one of these is always the first: the network as it was after imitation
    hold: int = 8  # updates, after which others are chosen


@dataclass(frozen=True)
class TrainingConfig:
    """A training run."""

    name: str = "network"
    seed: int = 1
    device: str = "cpu"
    choices: int = 1_000_000  # in all; the schedules end there
    processes: int = 0  # 0: one per core, and one core left for the network
    compile: bool = False  # by torch.compile, for a GPU: it takes minutes at the start, and updates are faster then
    threads: int = 0  # of PyTorch on the processor; 0: its own default
    checkpoint_minutes: float = 5.0
    tensorboard: bool = False
    games: GamesConfig = GamesConfig()
    network: NetworkConfig = NetworkConfig()
    imitation: ImitationConfig = ImitationConfig()
    ppo: PpoConfig = PpoConfig()
    league: LeagueConfig = LeagueConfig()


def load_config(file: str, changes: Sequence[str] = ()) -> TrainingConfig:
    """The configuration in a file, or the preset of that name, with changes such as `ppo.rate=1e-4`."""
    if file in PRESETS:
        text = files("argentum.learn").joinpath("configs", f"{file}.toml").read_text(encoding="utf-8")
    else:
        text = Path(file).read_text(encoding="utf-8")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from None
    return config_from_dict_with_overrides(values, changes)


def config_from_dict_with_overrides(values: dict[str, Any], changes: Sequence[str]) -> TrainingConfig:
    """A configuration from plain values, with changes."""
    for change in changes:
        _apply_override(values, change)
    return config_from_dict(values)


def _apply_override(values: dict[str, Any], change: str) -> None:
    """Put one change into what a file says."""
    name, equals, value = change.partition("=")
    if not equals:
        raise ValueError(f"{change!r} changes nothing: write such as ppo.rate=1e-4")
    *path, last = name.strip().split(".")
    for part in path:
        values = values.setdefault(part, {})
        if not isinstance(values, dict):
            raise ValueError(f"there is no setting '{name}': '{part}' has no settings of its own")
    try:
        values[last] = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        values[last] = value


def config_from_dict(values: dict[str, Any]) -> TrainingConfig:
    """A configuration from plain values."""
    config: TrainingConfig = _fill_dataclass(TrainingConfig(), values, "")
    _validate(config)
    return config


def config_to_dict(config: TrainingConfig) -> dict[str, Any]:
    """A configuration as plain values."""
    return asdict(config)


def _fill_dataclass(default: Any, values: dict[str, Any], where: str) -> Any:
    """The default with what is told; what it does not know is an error."""
    known = {one.name: getattr(default, one.name) for one in fields(default)}
    if not isinstance(values, dict):
        raise ValueError(f"'{where[:-1]}' is {values!r}: it has settings of its own: {', '.join(known)}")
    fields_set: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"there is no setting '{where}{name}': there are {', '.join(known)}")
        now = known[name]
        if is_dataclass(now):
            fields_set[name] = _fill_dataclass(now, value, f"{where}{name}.")
        elif isinstance(now, float) and isinstance(value, int) and not isinstance(value, bool):
            fields_set[name] = float(value)
        elif type(value) is type(now):
            fields_set[name] = value
        else:
            raise ValueError(f"'{where}{name}' is {value!r}: it should be like {now!r}")
    return replace(default, **fields_set)


def _validate(config: TrainingConfig) -> None:
    """What cannot be is an error."""
    games, league = config.games, config.league
    _validate_numbers(config, "")
    for boxes in games.boxes:
        for players in games.seats:
            check_deck(boxes, int(players) if players.isdigit() else 0)
    for name, shares in (("seats", games.seats), ("boxes", games.boxes)):
        if not sum(shares.values()):
            raise ValueError(f"'games.{name}' has no shares: give one a number above 0")
    for bot in [*games.bots, *[config.imitation.bot] * bool(config.imitation.choices)]:
        bots.make(bot, config.seed)  # which says what is wrong with a name
    if games.reward not in TRAINING_REWARDS:
        raise ValueError(f"{games.reward!r} is not a reward: choose one of {', '.join(TRAINING_REWARDS)}")
    if not 0 <= league.share + sum(games.bots.values()) <= 1:
        raise ValueError("the shares of games against the league and bots are more than all")
    if league.first and league.at_once < 2:
        raise ValueError("with 'league.first', 'league.at_once' must be 2 or more: the first, and another")
    if config.ppo.decided > 1:
        raise ValueError(f"'ppo.decided' is {config.ppo.decided}: it should be at most 1")
    if config.network.width % config.network.heads or config.network.critic_width % config.network.heads:
        raise ValueError("the widths of the network must be multiples of its heads")


def _validate_numbers(part: Any, where: str) -> None:
    """Refuse what is too small to be learned with, also in tables of shares."""
    fields_set = part if isinstance(part, dict) else {one.name: getattr(part, one.name) for one in fields(part)}
    for name, value in fields_set.items():
        if is_dataclass(value) or isinstance(value, dict):
            _validate_numbers(value, f"{where}{name}.")
        elif isinstance(value, int | float):
            if where + name in POSITIVE_SETTINGS and not value > 0:
                raise ValueError(f"'{where}{name}' is {value}: it should be above 0")
            if not value >= 0:
                raise ValueError(f"'{where}{name}' is {value}: it should not be below 0")
        elif isinstance(part, dict):
            raise ValueError(f"'{where}{name}' is {value!r}: it should be a share, such as 1")
