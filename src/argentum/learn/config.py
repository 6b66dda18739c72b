"""Training configuration: read from TOML, validated, with error messages for users."""

import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from argentum import bots
from argentum.envs.settings import EnvSettings
from argentum.rules.boxes import PUBLISHED_BOXES
from argentum.rules.standings import ROUND_STD

PRESETS: Final = ("small", "gpu")
EVERY_BOX: Final = "all"  # in `games.decks`: gives each box this weight
REWARD_WIN_PROBABILITY: Final = "win_probability"
REWARD_RANK: Final = "rank"
REWARD_POINTS: Final = "points"
TRAINING_REWARDS: Final = (REWARD_WIN_PROBABILITY, REWARD_RANK, REWARD_POINTS)
POSITIVE_SETTINGS: Final = {  # Other numbers may be 0, which means none, or a default.
    *("decisions", "games.per_half", "games.steps", "games.round_std"),
    *("network.width", "network.layers", "network.heads", "network.critic_layers", "network.critic_width"),
    *("imitation.epochs", "imitation.minibatch", "imitation.learning_rate"),
    *("ppo.epochs", "ppo.minibatch", "ppo.learning_rate", "ppo.clip_range", "ppo.max_grad_norm"),
    *("ppo.confident_fraction", "league.size", "league.interval", "league.active", "league.rotate_every"),
}
# Old names of settings, before version 2 of the checkpoints, and their current names.
RENAMED_SETTINGS: Final = {
    "choices": "decisions",
    "games.games": "games.per_half",
    "games.seats": "games.players",
    "games.boxes": "games.decks",
    "games.spread": "games.round_std",
    "imitation.choices": "imitation.decisions",
    "imitation.games": "imitation.dataset",
    "imitation.passes": "imitation.epochs",
    "imitation.rate": "imitation.learning_rate",
    "ppo.rate": "ppo.learning_rate",
    "ppo.last_rate": "ppo.final_learning_rate",
    "ppo.clip": "ppo.clip_range",
    "ppo.trace": "ppo.gae_lambda",
    "ppo.entropy": "ppo.entropy_coef",
    "ppo.last_entropy": "ppo.final_entropy_coef",
    "ppo.value": "ppo.value_coef",
    "ppo.belief": "ppo.belief_coef",
    "ppo.most_norm": "ppo.max_grad_norm",
    "ppo.decided": "ppo.confident_fraction",
    "ppo.critic_first": "ppo.critic_warmup_updates",
    "ppo.average": "ppo.ema_decay",
    "league.share": "league.fraction",
    "league.every": "league.interval",
    "league.at_once": "league.active",
    "league.first": "league.keep_first",
    "league.hold": "league.rotate_every",
}
REWARD_WIN_PROBABILITY_V1: Final = "chance"


@dataclass(frozen=True)
class GamesConfig:
    """The games of self-play: their number, players, decks, opponents and rewards."""

    per_half: int = 64  # games in each of the two halves
    steps: int = 32  # decisions of each game between two updates
    players: dict[str, float] = field(default_factory=lambda: {"2": 1.0})  # weight of each number of players
    decks: dict[str, float] = field(default_factory=lambda: {"random": 1.0})  # by box, deck code, or `all`
    bots: dict[str, float] = field(default_factory=dict)  # fraction of games against each bot; only `quick` is fast
    reward: str = REWARD_WIN_PROBABILITY
    round_std: float = ROUND_STD  # standard deviation of a round's point difference, for the win probability


@dataclass(frozen=True)
class NetworkConfig:
    """The size of the actor and the critic."""

    width: int = 128
    layers: int = 3
    heads: int = 4
    critic_layers: int = 1
    critic_width: int = 128
    privileged: bool = True  # the critic sees all cards, in training only


@dataclass(frozen=True)
class ImitationConfig:
    """Behavioural cloning of a bot before self-play."""

    bot: str = "steady"
    decisions: int = 0  # minimum number of decisions of the bot; 0 to skip imitation
    dataset: str = ""  # file of recorded games (`argentum.learn.imitation`); empty to play them first
    epochs: int = 2
    minibatch: int = 256
    learning_rate: float = 1e-3


@dataclass(frozen=True)
class PpoConfig:
    """Training on self-play games. Learning rate and entropy coefficient change linearly with the run's progress."""

    epochs: int = 2
    minibatch: int = 512
    learning_rate: float = 3e-4
    final_learning_rate: float = 2e-5
    clip_range: float = 0.2
    gae_lambda: float = 0.95  # without discounting
    entropy_coef: float = 0.01
    final_entropy_coef: float = 0.002
    value_coef: float = 0.5
    belief_coef: float = 0.05
    max_grad_norm: float = 0.5
    confident_fraction: float = 1.0  # trained on, of the decisions with a probability above 0.99
    critic_warmup_updates: int = 2  # first updates, which train the critic only
    ema_decay: float = 0.995  # per step, of the moving average of the weights, which is exported


@dataclass(frozen=True)
class LeagueConfig:
    """Past versions of the network as opponents."""

    fraction: float = 0.25  # of the games
    size: int = 8
    interval: int = 10_000_000  # decisions between two new members
    active: int = 2  # members that are opponents at the same time
    keep_first: bool = False  # always have the first member, the network after imitation, among the active ones
    rotate_every: int = 8  # updates after which the active members are chosen again


@dataclass(frozen=True)
class TrainingConfig:
    name: str = "network"
    seed: int = 1
    device: str = "cpu"
    decisions: int = 1_000_000  # in total; the schedules end there
    processes: int = 0  # 0: one per core, except one core for the network
    compile: bool = False  # use torch.compile, for GPUs: minutes to start, faster updates
    threads: int = 0  # of PyTorch on the CPU; 0: PyTorch's default
    checkpoint_minutes: float = 5.0
    tensorboard: bool = False
    games: GamesConfig = GamesConfig()
    network: NetworkConfig = NetworkConfig()
    imitation: ImitationConfig = ImitationConfig()
    ppo: PpoConfig = PpoConfig()
    league: LeagueConfig = LeagueConfig()


def load_config(file: str, overrides: Sequence[str] = ()) -> TrainingConfig:
    """Read a TOML file, or a preset by name, and apply overrides such as `ppo.learning_rate=1e-4`.

    Raise ValueError for invalid settings, and OSError if the file cannot be read.
    """
    if file in PRESETS:
        text = files("argentum.learn").joinpath("configs", f"{file}.toml").read_text(encoding="utf-8")
    else:
        text = Path(file).read_text(encoding="utf-8")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from None
    return config_from_dict_with_overrides(values, overrides)


def config_from_dict_with_overrides(values: dict[str, Any], overrides: Sequence[str]) -> TrainingConfig:
    for override in overrides:
        _apply_override(values, override)
    return config_from_dict(values)


def _apply_override(values: dict[str, Any], override: str) -> None:
    name, equals, value = override.partition("=")
    if not equals:
        raise ValueError(f"{override!r} changes nothing: write, for example, ppo.learning_rate=1e-4")
    _refuse_renamed(name.strip())
    *sections, last = name.strip().split(".")
    for section in sections:
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            raise ValueError(f"there is no setting '{name}': '{section}' has no settings of its own")
    try:
        values[last] = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        values[last] = value


def _refuse_renamed(name: str) -> None:
    if name in RENAMED_SETTINGS:
        raise ValueError(f"the setting '{name}' is now called '{RENAMED_SETTINGS[name]}'")


def upgrade_settings_v1(values: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a checkpoint of version 1 under their current names."""
    upgraded: dict[str, Any] = {}
    for name, value in values.items():
        if name in ("games", "network", "imitation", "ppo", "league"):
            upgraded[name] = {
                RENAMED_SETTINGS.get(f"{name}.{key}", f"{name}.{key}").partition(".")[2]: setting
                for key, setting in value.items()
            }
        else:
            upgraded[RENAMED_SETTINGS.get(name, name)] = value
    if upgraded.get("games", {}).get("reward") == REWARD_WIN_PROBABILITY_V1:
        upgraded["games"]["reward"] = REWARD_WIN_PROBABILITY
    return upgraded


def config_from_dict(values: dict[str, Any]) -> TrainingConfig:
    config: TrainingConfig = _fill_dataclass(TrainingConfig(), values, "")
    _validate(config)
    return replace(config, games=replace(config.games, decks=_expand_decks(config.games.decks)))


def _expand_decks(weights: dict[str, float]) -> dict[str, float]:
    """Return the weights of decks by box or deck code, with each box for `all`."""
    expanded: dict[str, float] = {}
    for deck, weight in weights.items():
        expanded |= dict.fromkeys([box.name for box in PUBLISHED_BOXES] if deck == EVERY_BOX else [deck], weight)
    return expanded


def config_to_dict(config: TrainingConfig) -> dict[str, Any]:
    return asdict(config)


def _fill_dataclass(default: Any, values: dict[str, Any], prefix: str) -> Any:
    """Return a copy of a dataclass with these values; raise ValueError for an unknown name or a wrong type."""
    known = {setting.name: getattr(default, setting.name) for setting in fields(default)}
    if not isinstance(values, dict):
        raise ValueError(f"'{prefix[:-1]}' is {values!r}: it has settings of its own: {', '.join(known)}")
    fields_set: dict[str, Any] = {}
    for name, value in values.items():
        _refuse_renamed(prefix + name)
        if name not in known:
            raise ValueError(f"there is no setting '{prefix}{name}': there are {', '.join(known)}")
        current = known[name]
        if is_dataclass(current):
            fields_set[name] = _fill_dataclass(current, value, f"{prefix}{name}.")
        elif isinstance(current, float) and isinstance(value, int) and not isinstance(value, bool):
            fields_set[name] = float(value)
        elif type(value) is type(current):
            fields_set[name] = value
        else:
            raise ValueError(f"'{prefix}{name}' is {value!r}: it should be a value such as {current!r}")
    return replace(default, **fields_set)


def _validate(config: TrainingConfig) -> None:
    games, league = config.games, config.league
    _validate_numbers(config, "")
    for deck in _expand_decks(games.decks):
        for players in games.players:
            EnvSettings(boxes=deck, players=int(players) if players.isdigit() else 0)
    for name, weights in (("players", games.players), ("decks", games.decks)):
        if not sum(weights.values()):
            raise ValueError(f"'games.{name}' has no weights: give one a number above 0")
    for bot in [*games.bots, *[config.imitation.bot] * bool(config.imitation.decisions)]:
        bots.make(bot, config.seed)  # raises ValueError for an unknown name
    if games.reward == REWARD_WIN_PROBABILITY_V1:
        raise ValueError(f"the reward '{REWARD_WIN_PROBABILITY_V1}' is now called '{REWARD_WIN_PROBABILITY}'")
    if games.reward not in TRAINING_REWARDS:
        raise ValueError(f"{games.reward!r} is not a reward: choose one of {', '.join(TRAINING_REWARDS)}")
    if not 0 <= league.fraction + sum(games.bots.values()) <= 1:
        raise ValueError("the fractions of games against the league and bots add up to more than 1")
    if league.keep_first and league.active < 2:
        raise ValueError("with 'league.keep_first', 'league.active' must be 2 or more: the first, and another")
    if config.ppo.confident_fraction > 1:
        raise ValueError(f"'ppo.confident_fraction' is {config.ppo.confident_fraction}: it should be at most 1")
    if config.network.width % config.network.heads or config.network.critic_width % config.network.heads:
        raise ValueError("the widths of the network must be multiples of its heads")


def _validate_numbers(section: Any, prefix: str) -> None:
    """Raise ValueError for negative numbers, for 0 in `POSITIVE_SETTINGS`, and for weights that are not numbers."""
    is_table = isinstance(section, dict)
    values = section if is_table else {setting.name: getattr(section, setting.name) for setting in fields(section)}
    for name, value in values.items():
        if is_dataclass(value) or isinstance(value, dict):
            _validate_numbers(value, f"{prefix}{name}.")
        elif isinstance(value, int | float):
            if prefix + name in POSITIVE_SETTINGS and not value > 0:
                raise ValueError(f"'{prefix}{name}' is {value}: it should be above 0")
            if not value >= 0:
                raise ValueError(f"'{prefix}{name}' is {value}: it should not be below 0")
        elif is_table:
            raise ValueError(f"'{prefix}{name}' is {value!r}: it should be a weight, such as 1")
