from random import Random

from hypothesis import given
from hypothesis import strategies as st

from argentum import Game
from argentum.rules.engine import random_move
from tests.random_games import seeds

# Decks with Bodyguards and a token that covers a card; the other numbers are drawn from all boxes.
protecting_decks = st.lists(st.sampled_from("abcd"), min_size=14, max_size=14).map(
    lambda letters: "".join([*letters[:3], "a", *letters[4:]])
)
ON_CARDS = ("exchange", "and", "peek", "give", "remove", "rotate", "discard")


def protected_spots(game: Game) -> dict[str, str]:
    """Map the spots of protected cards to the letter of the seat that may still touch the card, or to an empty text."""
    position = game.position()
    spots: dict[str, str] = {}
    number_of_bodyguards = 3
    for seat, village in position["villages"].items():
        for index, card in enumerate(village.split(), 1):
            if "*" in card:
                spots[f"{seat}{index}"] = ""
            elif card.startswith(f"{number_of_bodyguards}^"):
                spots[f"{seat}{index}"] = seat
    for guard in position["guards"].split():
        spots.setdefault(guard.partition(">")[2], guard[0])
    return spots


def touched_spot(move: str) -> str:
    """Return the spot of the card that a move touches; empty if there is none.

    `at A3` names a spot for another card, and `ability A2` the card whose ability is used.
    """
    verb, _, rest = move.rpartition(" ")
    return rest.split(" ")[0] if verb in ("", *ON_CARDS) and rest[:1] in "ABCD" and rest[1:].isdigit() else ""


@given(protecting_decks, st.integers(2, 4), seeds, st.sampled_from(["amulet", "bullet"]))
def test_no_legal_move_names_a_card_that_is_protected_from_the_seat(
    deck: str, players: int, seed: int, token: str
) -> None:
    # G23, A3, A14, B14, X11, X14
    game = Game.new(deck, players, seed, token)
    random = Random(seed)
    for _ in range(300):
        if game.over:
            break
        protected = protected_spots(game)
        for seat in game.seats:
            for move in map(str, game.legal(seat)):
                spot = touched_spot(move)
                assert spot not in protected or protected[spot] == seat, (game.text(), move)
        game.play(random_move(game.legal_moves(), random))
