# mypyc: compile
"""Play positions out: to the end of the round or the game, by a bot for all seats."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from argentum.bots.bot import Bot
from argentum.bots.search.playout_policy import PlayoutPolicy, policy_for
from argentum.rules.engine import Engine
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.position import Position
from argentum.rules.table import Table
from argentum.rules.views import make_view

ROUND: Final = "round"
GAME: Final = "game"


def play_out(
    position: Position,
    moves: Sequence[int] = (),
    bot: str | Bot = "quick",
    until: str = ROUND,
    random: Random | None = None,
) -> Table:
    """Play moves from a position, let a bot choose for all seats until the end, and return the last table.

    `until` is `round`, or `game` to play all following rounds too. The bots `quick` and `random` take microseconds per
    move, because they need no view. The generator `random` chooses random moves, and seeds a bot given by name. Raise
    ValueError if the position has unknown faces, or there is no such bot.
    """
    if until not in (ROUND, GAME):
        raise ValueError(f"until is {ROUND!r} or {GAME!r}, not {until!r}")
    engine = position.engine(position.last_round if until == GAME else 0)
    random = Random() if random is None else random
    for move in moves:
        engine.step(move)
    if bot == "random":
        engine.rollout(random)
        return engine.table
    choose = move_chooser(position, bot, random)
    while not engine.over:
        engine.step(choose(engine))
    return engine.table


def move_chooser(position: Position, bot: str | Bot, random: Random) -> Callable[[Engine], int]:
    """Return a function that chooses moves as a bot does, given as an object or by its name."""
    if bot == "quick":
        policy = policy_for(position.table.cast)
        return lambda engine: policy.choose_for_seat(engine.table, engine.chooser, engine.legal_moves())
    if isinstance(bot, str):
        # Imported here because bots that search import this module.
        from argentum.bots import make

        bot = make(bot, random.getrandbits(62))
    names = list(SEAT_LETTERS[: position.table.players])
    chosen_bot = bot

    def choose(engine: Engine) -> int:
        seat = engine.chooser
        return int(chosen_bot.choose(make_view(engine.table, names, seat, seat, engine.legal_moves(), False)))

    return choose


def finish_round(engine: Engine, policy: PlayoutPolicy) -> None:
    """Let the playout policy choose for all seats until the end of the round."""
    table = engine.table
    while not table.round_over:
        options = engine.options
        if options:
            engine.play(policy.choose(table, options))
        else:
            engine.advance()
