"""Imagined games, as texts: what a seat knows of a game, with the rest dealt at random, and nothing else."""

import json
from typing import Any, Final

from argentum.rules.boxes import cast_of
from argentum.rules.game import Game, Setup
from argentum.rules.table import Table

# What there is to a table. Not its events, and not how past shuffles came out, which is secret.
PLAIN: Final = (
    "seed", "round", "totals", "scores", "over", "faces", "up", "side", "seen", "passed", "villages", "private",
    "deck", "pile", "deck_up", "hand", "held", "named", "token_seat", "token_was", "token_state", "bullet",
    "looking", "turn", "chooser", "direction", "caller", "finished", "last", "extra", "phase", "at_rest", "used",
    "acted", "skipped", "put", "ready",
)  # fmt: skip


def written(dealt: Game) -> str:
    """A game that was dealt anew, as a text; what happened before is not in it."""
    table, cast = dealt.start, dealt.start.cast
    form: dict[str, Any] = {name: getattr(table, name) for name in PLAIN}
    form |= {"boxes": cast.code, "token": cast.token, "names": dealt.names, "one_round": dealt.setup.one_round}
    return json.dumps(form | {"resting": table.resting, "moves": dealt.moves})


def imagined(text: str) -> Game:
    """The game that was written down so."""
    form = json.loads(text)
    names = form["names"]
    table = Table(cast_of(form["boxes"], form["token"]), len(names), form["seed"])
    for name in PLAIN:
        setattr(table, name, form[name])
    table.resting = tuple([(owner, card, awaited) for owner, card, awaited in form["resting"]])
    game = Game(Setup(table, names, one_round=form["one_round"]), table.copy())
    game.start = table
    run = game._running()
    for move in form["moves"]:
        game.options = run.send(move)
        game.moves.append(move)
    return game
