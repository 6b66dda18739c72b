"""What an exchange would come to, as its owner can know it, and what it comes to."""

from collections import Counter
from itertools import combinations
from random import Random

from argentum import Game
from argentum.rules.exchange_preview import DIFFER, MATCH, UNSURE, cast_of_view_fields, known_sets, preview_exchange
from argentum.rules.views import View

# Lycans, a Goth Girl, Zombies, Morticians and Doppelgängers, in all the company that they may have.
DECKS = ("dbbdbbbbbbbbba", "abbbdbbcacabca", "cbdbcddddddddd", "abababababaaaa", "dddbdddddddddd")


def hands(games: range) -> list[Game]:
    """Positions in which whoever is to move may exchange several cards, and knows some."""
    found: list[Game] = []
    for seed in games:
        random = Random(seed)
        game = Game.new(DECKS[seed % len(DECKS)], 2, seed)
        for _ in range(160):
            if game.over:
                break
            legal = game.legal()
            exchanges = [move for move in legal if move.verb == "exchange"]
            if len(exchanges) > 1:
                found.append(game.copy())
            wanted = [move for move in legal if move.verb in ("use", "ability", "draw")]
            game.play(int(random.choice(wanted if wanted and random.random() < 0.7 else legal)))
    return found


def tries(view: View) -> list[tuple[int, ...]]:
    """Some sets of the reader's cards that may be exchanged."""
    places = [int(move.spot[1:]) - 1 for move in view.legal if move.verb == "exchange"]
    return [some for many in (2, 3) for some in combinations(places, many)][:5]


def outcome(game: Game, places: tuple[int, ...]) -> tuple[str, int | None]:
    """Whether an exchange matched, and how many cards its owner has once it is done, unless that ended the round."""
    game = game.copy()
    seat, rounds = game.to_move, game.rounds_finished
    since = len(game.events(seat))
    game.play("exchange " + " ".join([f"{seat}{place + 1}" for place in places]))
    failed = any([event.kind == "failed" for event in game.events(seat, since)])
    while game.to_move == seat and game.view(seat).asking is not None:
        asking = game.view(seat).asking
        if asking is None or (asking.label, asking.step) not in ENDINGS:
            break
        game.play(int(game.legal()[0]))
    over = game.over or game.rounds_finished > rounds
    return (DIFFER if failed else MATCH), None if over else len(game.view(seat).villages[seat])


ENDINGS = {("G10", "spot"), ("G11", "end"), ("G11", "penalty"), ("D4", "end")}


def test_what_is_foretold_happens() -> None:
    met: Counter[str] = Counter()
    for game in hands(range(10)):
        view = game.view(game.to_move)
        for places in tries(view):
            told = preview_exchange(view, places)
            met[told.match_state] += 1
            if told.match_state != UNSURE:
                fits, cards = outcome(game, places)
                assert fits == told.match_state, (game.text(), places)
                assert None in (told.village_size, cards) or told.village_size == cards, (game.text(), places)
                met["stays"] += told.match_state == MATCH and len(told.leaving) < len(places)
    assert min(met[DIFFER], met[MATCH], met[UNSURE], met["stays"]) > 0, met


def test_known_sets_are_sets() -> None:
    for game in hands(range(10, 15)):
        view = game.view(game.to_move)
        cast = cast_of_view_fields(view.residents, view.boxes, view.token)
        village = view.villages[view.seat]
        for places in known_sets(cast, village, [nth for nth, card in enumerate(village) if not card.covered]):
            assert preview_exchange(view, places).match_state == MATCH
