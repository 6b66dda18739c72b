"""What the log says of a game: how it began, each move, and each deal and shuffle, so that it can be played again."""

from typing import Any

from argentum import bots
from argentum.rules.deal import Deal
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.table import Table
from argentum.web.log import Entry


def start_body(game: Game, seed: int) -> dict[str, Any]:
    """The entry that begins a game."""
    cast = game.table.cast
    deal = deal_form(game.table)
    return {"boxes": cast.code, "token": cast.token, "names": game.names, "seed": seed, "deal": deal}


def started(entries: list[Entry]) -> Game:
    """The game that the first of these entries begins; the others say how it was dealt later on."""
    body = entries[0].body
    return Game.new(body["boxes"], len(body["names"]), body["seed"], body["token"], body["names"], deals(entries))


def move_body(old: Game, new: Game, seat: str, steps: list[Move], bot: str) -> dict[str, Any]:
    """The entry of a move: the one-card moves that it is made of, and what was shuffled and dealt by it."""
    body: dict[str, Any] = {"seat": seat, "steps": [str(step) for step in steps]}
    if bot:
        body["bot"] = bot
    rounds = len(old.finished)
    ended = len(new.finished) > rounds
    table = new.finished[rounds] if ended else new.table
    shuffles = [[card & 15 for card in outcome[1:]] for outcome in table.outcomes[len(old.table.outcomes) :]]
    if shuffles:
        body["shuffles"] = shuffles
    if ended and not new.over:
        body["deal"] = deal_form(new.table)
    return body


def play_text(game: Game, seat: str, text: str) -> list[Move]:
    """Play a written move, and say which one-card moves it was."""
    before = len(game.history())
    game.play(text, seat)
    return [Move(step) for step in game.history()[before:]]


def play_bot(game: Game, seat: str, bot: bots.Bot) -> list[Move]:
    """Let a bot make one move, all cards of it."""
    steps: list[Move] = []
    while not steps or naming(game, seat):
        move = bots.ask(bot, game, seat)
        game.play(int(move), seat)
        steps.append(Move(move))
    return steps


def play_any(game: Game, seat: str) -> list[Move]:
    """Some legal move, the last of them: what happens if every bot fails, so that the table goes on."""
    steps: list[Move] = []
    while not steps or naming(game, seat):
        steps.append(game.legal(seat)[-1])
        game.play(int(steps[-1]), seat)
    return steps


def naming(game: Game, seat: str) -> bool:
    """Whether the cards of a look or an exchange are being named."""
    return any([move.verb == "and" for move in game.legal(seat)])


def deal_form(table: Table) -> dict[str, Any]:
    """A fresh deal, for the log."""
    faces = table.faces
    return {
        "start": table.turn,
        "villages": [[faces[card] for card in village] for village in table.villages],
        "discard": faces[table.pile[0]],
        "deck": [faces[card] for card in reversed(table.deck)],
    }


def deals(entries: list[Entry]) -> list[Deal]:
    """The deals of a game, with the outcomes of shuffles, from the log that begins with its start."""
    dealt: list[Deal] = []
    shuffles: list[list[int]] = []
    for nth, entry in enumerate(entries):
        if nth and entry.kind == "start":
            break
        shuffles += entry.body.get("shuffles", []) if entry.kind == "move" else []
        form = entry.body.get("deal") if entry.kind in ("start", "move") else None
        if form:
            shuffles = []
            dealt.append(Deal(form["start"], form["villages"], form["discard"], form["deck"], shuffles))
    return dealt
