"""One game of the arena: which deal, who sits where, and how it came out."""

from collections import Counter
from random import Random
from time import perf_counter
from typing import NamedTuple, TypeAlias

from argentum.arena.players import player
from argentum.arena.seating import Seating
from argentum.rules.boxes import deck_code, random_code
from argentum.rules.game import Game
from argentum.rules.notation import ABILITY, GIVE, REMOVE, SEATS, TOKEN, USE
from argentum.rules.residents import ALWAYS_ON, DRAWN, Resident
from argentum.rules.scoring import call_won, reckon
from argentum.rules.table import NO_CARD, NO_SEAT, Table

ANY_DECK = "random"
Uses: TypeAlias = dict[str, int]  # by the label of the resident or token


class Deal(NamedTuple):
    """A deal that is played by several seatings: the cards and all shuffles follow from the seed."""

    boxes: str  # as they were asked for: a box, a deck code, or `random`
    players: int
    nth: int
    code: str
    token: str  # empty for the deck's own
    seed: int


class Job(NamedTuple):
    """A game to be played: plain values, for other processes."""

    deal: Deal
    seating: Seating


class Result(NamedTuple):
    """How one seat did in a game."""

    bot: str
    points: int
    rank: int  # from 1; ties as the game decides them (G19)
    calls: int
    calls_won: int
    choices: int
    seconds: float  # that it thought
    uses: Uses


Played: TypeAlias = tuple[Job, tuple[Result, ...]]


def deals(boxes: str, players: int, number: int, seed: int, keeping: str = "", token: str = "") -> list[Deal]:
    """Deals that follow from a seed, each from its place alone.

    Boxes `random`: a new mix each; `keeping` is the label of a resident that is in each of them.
    """
    if boxes != ANY_DECK:
        deck_code(boxes)
    dealt: list[Deal] = []
    for nth in range(number):
        random = Random(f"arena {seed} {boxes} {players} {keeping}{token} {nth}")
        code = list(random_code(random) if boxes == ANY_DECK else deck_code(boxes))
        if keeping:
            code[int(keeping[1:])] = keeping[0].lower()
        dealt.append(Deal(boxes, players, nth, "".join(code), token, random.getrandbits(62)))
    return dealt


def play(job: Job) -> tuple[Result, ...]:
    """Play a game; what its bots do at random follows from the deal and their seats."""
    deal, seating = job
    game = Game.new(deal.code, deal.players, deal.seed, deal.token)
    players = [player(name, Random(f"{deal.seed} {seat}").getrandbits(62)) for seat, name in enumerate(seating)]
    uses: list[Uses] = [Counter() for _ in seating]
    choices = [0] * deal.players
    seconds = [0.0] * deal.players
    while not game.over:
        seat = game.chooser
        began = perf_counter()
        move = players[seat].decide(game, SEATS[seat])
        seconds[seat] += perf_counter() - began
        choices[seat] += 1
        label = begun_by(game.table, seat, move)
        if label:
            uses[seat][label] += 1
        game.play(move, SEATS[seat])
    for one in players:
        one.close()
    for table in game.finished:
        note_standing(table, uses)
    ranks, calls, won = ranking(game.table), called(game, False), called(game, True)
    return tuple(
        Result(
            name,
            game.table.totals[seat],
            ranks[seat],
            calls[seat],
            won[seat],
            choices[seat],
            seconds[seat],
            dict(sorted(uses[seat].items())),
        )
        for seat, name in enumerate(seating)
    )


def ranking(table: Table) -> list[int]:
    """Each seat's rank at the end of a game: by points, at a tie from the token's seat on (G19)."""
    order = sorted(table.clockwise_from(table.token_seat), key=lambda seat: table.totals[seat])
    return [order.index(seat) + 1 for seat in range(table.players)]


def called(game: Game, won: bool) -> list[int]:
    """How often each seat called, or won its call."""
    counts = [0] * game.players
    for table in game.finished:
        if table.caller != NO_SEAT and (not won or call_won(table, reckon(table, table.token_was, False).sums)):
            counts[table.caller] += 1
    return counts


def begun_by(table: Table, seat: int, move: int) -> str:
    """The label of the ability or token that a move begins; empty for none. (One that is borrowed is not counted.)"""
    residents = table.cast.residents
    if move == TOKEN:
        return f"{table.cast.token[0].upper()}14"
    if move == USE and table.hand != NO_CARD:
        return residents[table.faces[table.hand]].label
    if move & ~255 == ABILITY:
        return residents[table.faces[table.villages[seat][move & 63]]].label
    return residents[0].label if move & ~255 == REMOVE or move >= GIVE else ""


def works_by_itself(resident: Resident) -> bool:
    """Whether a resident's ability is at work without being used, while it lies in a village."""
    return resident.act is None and resident.timing != DRAWN and resident.window == ALWAYS_ON


def note_standing(table: Table, uses: list[Uses]) -> None:
    """Count the residents that work by themselves in the villages at the end of a round: faceup, or 13s."""
    for seat, village in enumerate(table.villages):
        for card in village:
            resident = table.cast.residents[table.faces[card]]
            if works_by_itself(resident) and (table.up[card] or resident.number == 13):
                uses[seat][resident.label] += 1
