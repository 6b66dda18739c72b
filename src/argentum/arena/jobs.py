"""One game of the arena: its deal and seating, and the result of each seat."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, permutations
from math import ceil
from random import Random
from time import perf_counter
from typing import NamedTuple, TypeAlias

from argentum.arena.players import make_player
from argentum.bots.heuristics.ability_model import ability_started_by
from argentum.rules.boxes import resolve_deck_code
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import TIMING_DRAWN, WINDOW_NONE, Resident, parse_label
from argentum.rules.scoring import LINE_CALL_LOST, LINE_CALL_WON
from argentum.rules.standings import distinct_ranks
from argentum.rules.table import FIRST_RULINGS, RULINGS

Seating: TypeAlias = tuple[str, ...]  # the player of seat A, B, ...


def line_ups(names: Sequence[str], players: int) -> list[Seating]:
    """Return all combinations of `players` bots. Each bot appears at most once if there are enough, else at least once.

    >>> line_ups(["steady", "novice"], 3)
    [('steady', 'steady', 'novice'), ('steady', 'novice', 'novice')]
    >>> line_ups(["random", "novice", "steady"], 2)
    [('random', 'novice'), ('random', 'steady'), ('novice', 'steady')]
    """
    if len(names) >= players:
        return list(combinations(names, players))
    return [line_up for line_up in combinations_with_replacement(names, players) if set(line_up) == set(names)]


def seat_orders(line_up: Seating) -> list[Seating]:
    """Return all distinct seatings of a line-up.

    >>> seat_orders(("steady", "steady", "novice"))
    [('steady', 'steady', 'novice'), ('steady', 'novice', 'steady'), ('novice', 'steady', 'steady')]
    """
    return list(dict.fromkeys(permutations(line_up)))


def deals_needed(names: Sequence[str], players: int, games: int) -> int:
    """Return how many deals give at least `games` games for every line-up.

    >>> deals_needed(["steady", "novice"], 2, 200), deals_needed(["steady", "novice"], 3, 200)
    (100, 67)
    """
    return ceil(games / min(len(seat_orders(line_up)) for line_up in line_ups(names, players)))


AbilityUses: TypeAlias = dict[str, int]  # by the label of the resident or token


class ArenaDeal(NamedTuple):
    """A deal that is played in several seatings. The seed determines the cards and all shuffles."""

    boxes: str  # as requested: a box, a deck code, or `random`
    players: int
    number: int
    code: str
    token: str  # empty for the token of the deck
    seed: int
    rulings: int = FIRST_RULINGS  # missing in files of earlier versions


class Job(NamedTuple):
    """A game to be played, as values that can be sent to other processes."""

    deal: ArenaDeal
    seating: Seating


class SeatResult(NamedTuple):
    """Result of one seat in a game."""

    bot: str
    points: int
    rank: int  # from 1; ties are broken as in the game (G19)
    calls: int
    calls_won: int
    decisions: int
    seconds: float  # spent on decisions
    uses: AbilityUses


PlayedJob: TypeAlias = tuple[Job, tuple[SeatResult, ...]]


def make_deals(
    boxes: str, players: int, count: int, seed: int, required_label: str = "", token: str = ""
) -> list[ArenaDeal]:
    """Generate `count` deals. Each depends only on its index and on the arguments other than `count`.

    If `boxes` is `random`, each deal has its own mix. The resident `required_label`, if given, is in every deck.
    """
    deals: list[ArenaDeal] = []
    for index in range(count):
        random = Random(f"arena {seed} {boxes} {players} {required_label}{token} {index}")
        code = list(resolve_deck_code(boxes, random))
        if required_label:
            letter, number, _ = parse_label(required_label)
            code[number] = letter
        deals.append(ArenaDeal(boxes, players, index, "".join(code), token, random.getrandbits(62), RULINGS))
    return deals


def play_job(job: Job) -> tuple[SeatResult, ...]:
    """Play a game and return the result of each seat. Each bot's seed depends only on the deal and the seat."""
    deal, seating = job
    game = Game.new(deal.code, deal.players, deal.seed, deal.token, rulings=deal.rulings)
    players = [make_player(name, Random(f"{deal.seed} {seat}").getrandbits(62)) for seat, name in enumerate(seating)]
    uses: list[AbilityUses] = [Counter() for _ in seating]
    decisions = [0] * deal.players
    seconds = [0.0] * deal.players
    while not game.over:
        seat = SEAT_LETTERS.index(game.to_move)
        started = perf_counter()
        move = players[seat].decide(game, SEAT_LETTERS[seat])
        seconds[seat] += perf_counter() - started
        decisions[seat] += 1
        label = ability_started_by(game.view(SEAT_LETTERS[seat]), move)
        if label:
            uses[seat][label] += 1
        game.play(move, SEAT_LETTERS[seat])
    for player in players:
        player.close()
    calls, calls_won = [0] * deal.players, [0] * deal.players
    for round_number in range(1, game.rounds_finished + 1):
        count_passive_abilities(game, round_number, uses)
        count_calls(game, round_number, calls, calls_won)
    table = game.position().table
    ranks = distinct_ranks(table.totals, table.token_seat)
    return tuple(
        SeatResult(
            name,
            game.totals[SEAT_LETTERS[seat]],
            ranks[seat],
            calls[seat],
            calls_won[seat],
            decisions[seat],
            seconds[seat],
            dict(sorted(uses[seat].items())),
        )
        for seat, name in enumerate(seating)
    )


def count_calls(game: Game, round_number: int, calls: list[int], calls_won: list[int]) -> None:
    """Add the call of a round to `calls` and, if it was won, to `calls_won`. Both are indexed by seat."""
    for line in game.explain(round_number):
        if line.kind in (LINE_CALL_WON, LINE_CALL_LOST):
            calls[SEAT_LETTERS.index(line.seat)] += 1
            calls_won[SEAT_LETTERS.index(line.seat)] += line.kind == LINE_CALL_WON


def is_passive(resident: Resident) -> bool:
    """Return whether a resident's ability applies without being used, while the card lies in a village."""
    return resident.ability is None and resident.timing != TIMING_DRAWN and resident.window == WINDOW_NONE


def count_passive_abilities(game: Game, round_number: int, uses: list[AbilityUses]) -> None:
    """Add to `uses` each passive ability whose card is faceup, or is a 13, at the end of a round."""
    end = game.round_end_view(round_number)
    for seat, village in enumerate(end.villages.values()):
        for card in village:
            resident = end.residents[card.number or 0]
            if is_passive(resident) and (card.up or resident.number == 13):
                uses[seat][resident.label] += 1
