"""Convert games and moves to log entries, and restore them from entries."""

from typing import Any

from argentum.display.replay import game_positions
from argentum.display.session import PlayedMove
from argentum.records.fairness import DealCommitment, make_commitment
from argentum.records.steps import moving_seat, written_moves
from argentum.rooms.log.journal import Entry
from argentum.rules.boxes import check_foreign_box, describe_foreign_boxes
from argentum.rules.deal import Deal
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.table import FIRST_RULINGS


def start_body(game: Game, seed: int, commitment: DealCommitment | None = None) -> dict[str, Any]:
    """Return the body of a `start` entry, which determines all shuffles of the game."""
    deal = deal_to_json(game.deals[0])
    cast = game.cast
    body = {"boxes": cast.code, "token": cast.token, "rulings": game.rulings, "names": game.names, "seed": seed}
    if describe_foreign_boxes(cast):
        body["foreign_boxes"] = describe_foreign_boxes(cast)
    body["deal"] = deal
    return (
        body if commitment is None else {**body, "secret": commitment.secret.hex(), "values": dict(commitment.values)}
    )


def entries_of_game(game: Game, seed: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the log entries of a game so far, as pairs of kind and body."""
    entries = [("start", start_body(game, seed))]
    positions = game_positions(game)
    for index, (_, move_steps) in enumerate(written_moves(game)):
        move = PlayedMove(
            positions[index + 1], moving_seat(positions[index], move_steps), [Move(step) for step in move_steps]
        )
        entries.append(("move", move_body(positions[index], move)))
    return entries


def read_commitment(body: dict[str, Any]) -> DealCommitment | None:
    """Return the shuffle commitment in the body of a `start` entry, or None in early logs, which have none."""
    return make_commitment(bytes.fromhex(body["secret"]), body["values"]) if "secret" in body else None


def restore_game(entries: list[Entry]) -> Game:
    """Create the game that the first of these entries, a `start` entry, began; no move is played.

    Later entries are read only for the deals of later rounds and the results of shuffles.
    """
    body = entries[0].body
    for description in body.get("foreign_boxes", ()):
        check_foreign_box(description)
    deals, commitment, players = read_deals(entries), read_commitment(body), len(body["names"])
    if commitment is not None:
        deals += commitment.deals(players)[len(deals) :]
    rulings = body.get("rulings", FIRST_RULINGS)  # early logs lack the field
    return Game.new(body["boxes"], players, body["seed"], body["token"], body["names"], deals, rulings=rulings)


def entries_until_game_end(entries: list[Entry], game: int) -> list[Entry]:
    """Return the entries up to the last move of game number `game`, counted from 1; empty if it has not started."""
    starts = [*[index for index, entry in enumerate(entries) if entry.kind == "start"], len(entries)]
    if not 0 < game < len(starts):
        return []
    last = max([index for index in range(starts[game - 1], starts[game]) if entries[index].kind in ("start", "move")])
    return entries[: last + 1]


def move_body(before: Game, move: PlayedMove) -> dict[str, Any]:
    """Return the body of a move's log entry: its steps, and any shuffles or deal it caused."""
    body: dict[str, Any] = {"seat": move.seat, "steps": [str(step) for step in move.steps]}
    if move.bot:
        body["bot"] = move.bot
    shuffles = move.game.shuffles(before.round)[len(before.shuffles(before.round)) :]
    if shuffles:
        body["shuffles"] = [shuffle.numbers for shuffle in shuffles]
    if move.game.rounds_finished > before.rounds_finished and not move.game.over:
        body["deal"] = deal_to_json(move.game.deals[-1])
    return body


def apply_move(game: Game, body: dict[str, Any]) -> PlayedMove:
    """Play the move in the body of a log entry on `game` itself, not on a copy."""
    steps = [step for text in body["steps"] for step in game.play(int(Move.of(text)), body["seat"])]
    return PlayedMove(game, body["seat"], steps, body.get("bot", ""))


def deal_to_json(deal: Deal) -> dict[str, Any]:
    """Return a deal as JSON, without the results of later shuffles, which are in the entries of moves."""
    return {"start": deal.start, "villages": deal.villages, "discard": deal.discard, "deck": deal.deck}


def read_deals(entries: list[Entry]) -> list[Deal]:
    """Return the deals of the first game in the entries, with the results of its shuffles."""
    deals: list[Deal] = []
    shuffles: list[list[int]] = []
    for index, entry in enumerate(entries):
        if index and entry.kind == "start":
            break
        shuffles += entry.body.get("shuffles", []) if entry.kind == "move" else []
        deal_fields = entry.body.get("deal") if entry.kind in ("start", "move") else None
        if deal_fields:
            shuffles = []
            deals.append(
                Deal(
                    deal_fields["start"], deal_fields["villages"], deal_fields["discard"], deal_fields["deck"], shuffles
                )
            )
    return deals
