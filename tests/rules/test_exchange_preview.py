from collections import Counter
from itertools import combinations
from random import Random

from argentum import Game
from argentum.rules.exchange_preview import known_sets, preview_exchange
from argentum.rules.exchange_result import DIFFER, MATCH, UNSURE
from argentum.rules.known_table import known_table
from argentum.rules.views import View

# Decks with Lycans, a Goth Girl, Zombies, Morticians and Doppelgängers in different combinations.
DECKS = ("dbbdbbbbbbbbba", "abbbdbbcacabca", "cbdbcddddddddd", "abababababaaaa", "dddbdddddddddd")


def exchange_positions(seeds: range) -> list[Game]:
    """Play random games with these seeds; return the positions in which the seat to move may exchange several cards."""
    positions: list[Game] = []
    for seed in seeds:
        random = Random(seed)
        game = Game.new(DECKS[seed % len(DECKS)], 2, seed)
        for _ in range(160):
            if game.over:
                break
            legal = game.legal()
            exchanges = [move for move in legal if move.verb == "exchange"]
            if len(exchanges) > 1:
                positions.append(game.copy())
            preferred = [move for move in legal if move.verb in ("use", "ability", "draw")]
            game.play(int(random.choice(preferred if preferred and random.random() < 0.7 else legal)))
    return positions


def candidate_sets(view: View) -> list[tuple[int, ...]]:
    """Return up to five sets of cards that the viewer may exchange; a set is a tuple of places."""
    places = [int(move.spot[1:]) - 1 for move in view.legal if move.verb == "exchange"]
    return [chosen for size in (2, 3) for chosen in combinations(places, size)][:5]


def play_exchange(game: Game, places: tuple[int, ...]) -> tuple[str, int | None]:
    """Play an exchange on a copy; return MATCH or DIFFER, and the size of the village (None if the round ended)."""
    game = game.copy()
    seat, rounds = game.to_move, game.rounds_finished
    since = len(game.events(seat))
    game.play("exchange " + " ".join([f"{seat}{place + 1}" for place in places]))
    failed = any([event.kind == "failed" for event in game.events(seat, since)])
    while game.to_move == seat and game.view(seat).asking is not None:
        asking = game.view(seat).asking
        if asking is None or (asking.label, asking.step) not in FOLLOW_UP_STEPS:
            break
        game.play(int(game.legal()[0]))
    over = game.over or game.rounds_finished > rounds
    return (DIFFER if failed else MATCH), None if over else len(game.view(seat).villages[seat])


FOLLOW_UP_STEPS = {("G10", "spot"), ("G11", "end"), ("G11", "penalty"), ("D4", "end")}


def test_previews_predict_the_result_of_exchanges() -> None:
    counts: Counter[str] = Counter()
    for game in exchange_positions(range(10)):
        view = game.view(game.to_move)
        for places in candidate_sets(view):
            preview = preview_exchange(view, places)
            counts[preview.match_state] += 1
            if preview.match_state != UNSURE:
                match_state, cards = play_exchange(game, places)
                assert match_state == preview.match_state, (game.text(), places)
                assert None in (preview.village_size, cards) or preview.village_size == cards, (game.text(), places)
                counts["stays"] += preview.match_state == MATCH and len(preview.leaving) < len(places)
    assert min(counts[DIFFER], counts[MATCH], counts[UNSURE], counts["stays"]) > 0, counts


def test_every_known_set_matches() -> None:
    for game in exchange_positions(range(10, 15)):
        view = game.view(game.to_move)
        places_to_choose = [place for place, card in enumerate(view.villages[view.seat]) if not card.covered]
        for places in known_sets(known_table(view), game.seats.index(view.seat), places_to_choose):
            assert preview_exchange(view, places).match_state == MATCH
