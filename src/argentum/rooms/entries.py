"""What the log says of a game: how it began, each move, and each deal and shuffle, so that it can be played again."""

from typing import Any

from argentum.display.replay import film
from argentum.display.session import PlayedMove
from argentum.records.fairness import DealCommitment, make_commitment
from argentum.records.steps import moving_seat, written_moves
from argentum.rooms.log.journal import Entry
from argentum.rules.deal import Deal
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.table import FIRST_RULINGS


def start_body(game: Game, seed: int, opened: DealCommitment | None = None) -> dict[str, Any]:
    """The entry that begins a game, with what all its shuffles follow from."""
    deal = deal_to_json(game.deals[0])
    cast = game.cast
    body = {"boxes": cast.code, "token": cast.token, "rulings": game.rulings, "names": game.names, "seed": seed}
    body["deal"] = deal
    return body if opened is None else {**body, "secret": opened.secret.hex(), "values": dict(opened.values)}


def entries_of_game(game: Game, seed: int) -> list[tuple[str, dict[str, Any]]]:
    """The entries of a game so far, as if it had been played at this table."""
    entries = [("start", start_body(game, seed))]
    scenes = film(game)
    for nth, (_, steps) in enumerate(written_moves(game)):
        made = PlayedMove(scenes[nth + 1], moving_seat(scenes[nth], steps), [Move(step) for step in steps])
        entries.append(("move", body(scenes[nth], made)))
    return entries


def opening(body: dict[str, Any]) -> DealCommitment | None:
    """What the shuffles of a game follow from; early logs do not say it."""
    return make_commitment(bytes.fromhex(body["secret"]), body["values"]) if "secret" in body else None


def restore_game(entries: list[Entry]) -> Game:
    """The game that the first of these entries begins; the others say how it was dealt later on."""
    body = entries[0].body
    dealt, opened, players = deals_from(entries), opening(body), len(body["names"])
    if opened is not None:
        dealt += opened.deals(players)[len(dealt) :]
    rulings = body.get("rulings", FIRST_RULINGS)  # early logs do not say it
    return Game.new(body["boxes"], players, body["seed"], body["token"], body["names"], dealt, rulings=rulings)


def until_game_end(entries: list[Entry], game: int) -> list[Entry]:
    """A table's log until the last move of one of its games, counted from 1; nothing if that has not begun."""
    starts = [*[nth for nth, entry in enumerate(entries) if entry.kind == "start"], len(entries)]
    if not 0 < game < len(starts):
        return []
    last = max([nth for nth in range(starts[game - 1], starts[game]) if entries[nth].kind in ("start", "move")])
    return entries[: last + 1]


def body(old: Game, made: PlayedMove) -> dict[str, Any]:
    """The entry of a move: the one-card moves that it is made of, and what was shuffled and dealt by it."""
    body: dict[str, Any] = {"seat": made.seat, "steps": [str(step) for step in made.steps]}
    if made.bot:
        body["bot"] = made.bot
    shuffles = made.game.shuffles(old.round)[len(old.shuffles(old.round)) :]
    if shuffles:
        body["shuffles"] = [shuffle.numbers for shuffle in shuffles]
    if made.game.rounds_finished > old.rounds_finished and not made.game.over:
        body["deal"] = deal_to_json(made.game.deals[-1])
    return body


def apply(game: Game, body: dict[str, Any]) -> PlayedMove:
    """Make the move that an entry tells of, in the game itself."""
    steps = [step for text in body["steps"] for step in game.play(int(Move.of(text)), body["seat"])]
    return PlayedMove(game, body["seat"], steps, body.get("bot", ""))


def deal_to_json(deal: Deal) -> dict[str, Any]:
    """A deal, for the log. (How its shuffles come out is written with the moves that shuffle.)"""
    return {"start": deal.start, "villages": deal.villages, "discard": deal.discard, "deck": deal.deck}


def deals_from(entries: list[Entry]) -> list[Deal]:
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
