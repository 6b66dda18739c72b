"""Protected cards in random games, each judged by what everybody sees (G23, A3, A14, B14, D3, X11, X14).

From every seat, the card under the token is protected. From other seats than the owner, faceup Bodyguards and the cards
that they guard are. A seat may not touch what is protected from it, with these limits:

- What a move names is touched, except the place of `at A3` and the user of `ability A2`.
- A village where a seat may touch nothing cannot be chosen, except to add a card to it.
- All cards are revealed at the end of a round.
"""

import re
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game, View
from argentum.rules.boxes import BOX_LETTERS
from argentum.rules.notation import CALL, DRAW, USE
from argentum.rules.table import Table
from tests.random_games import deck_codes, seeds

BODYGUARD, SENTINEL = "A3", "D3"
BODYGUARD_NUMBER = 3
ADD_A_CARD = ("B12", "C0", "D4")  # the Gremlin, the Regifter and the Zombie


def codes_with_three_of(box: str) -> st.SearchStrategy[str]:
    """Draw deck codes of mixed boxes in which the 3 is from one box: the Bodyguard or the Sentinel."""
    return deck_codes.map(lambda code: code[:3] + box + code[4:])


def new_games(codes: st.SearchStrategy[str]) -> st.SearchStrategy[Game]:
    return st.builds(Game.new, codes, st.integers(2, 4), seeds, st.sampled_from(["amulet", "bullet"]))


def guarded_game(seed: int) -> Game:
    """Return a game in which each village has a Bodyguard, the card it guards and at most one more card."""
    random = Random(seed)
    boxes = "".join(random.choices(BOX_LETTERS, k=14))
    letters = "ABCD"[: random.randint(2, 4)]
    cards = [number for number in range(14) if number != BODYGUARD_NUMBER for _ in range(2 if number in (0, 13) else 4)]
    random.shuffle(cards)
    villages = {letter: f"{BODYGUARD_NUMBER}^ {cards.pop()}" for letter in letters}
    for letter in random.sample(letters, random.randint(0, len(letters))):
        villages[letter] += f" {cards.pop()}"
    is_used = random.random() < 0.5
    villages["A"] += "*" * is_used
    return Game.at(
        {
            "boxes": boxes[:BODYGUARD_NUMBER] + "a" + boxes[BODYGUARD_NUMBER + 1 :],
            "players": len(letters),
            "round": 2,
            "token": f"{random.choice(['amulet', 'bullet'])} A {'used' if is_used else 'active'}",
            "villages": villages,
            "guards": " ".join(f"{letter}1>{letter}2" for letter in letters),
            "discard": str(cards.pop()),
            "deck": " ".join(map(str, cards)),
        }
    )


def choose_move(game: Game, random: Random) -> int:
    """Return a random legal move: no call if possible, and draws and uses more often, for more abilities."""
    moves = [move for move in [*game.legal()] if move != CALL] or [*game.legal()]
    preferred = [move for move in moves if move in (DRAW, USE)]
    return random.choice(preferred if preferred and random.random() < 0.5 else moves)


def faceup_spots(view: View, label: str) -> list[str]:
    """Return the spots of the faceup cards of a resident."""
    return [
        f"{seat}{place}"
        for seat, village in view.villages.items()
        for place, card in enumerate(village, 1)
        if card.up and card.number is not None and view.residents[card.number].label == label
    ]


def covered_spots(view: View) -> list[str]:
    return [
        f"{seat}{place}"
        for seat, village in view.villages.items()
        for place, card in enumerate(village, 1)
        if card.covered
    ]


def protected_spots(view: View, seat: str) -> set[str]:
    """Return the spots of the cards that a seat may not touch."""
    guarding = [*faceup_spots(view, BODYGUARD), *[guarded for _, guarded in view.guards]]
    return {*covered_spots(view), *[spot for spot in guarding if spot[0] != seat]}


def touched_spots(move: str) -> list[str]:
    """Return the spots of the cards that a move touches."""
    return [] if move.startswith(("at ", "ability ")) else re.findall(r"\b[A-D]\d+", move)


def check_choices(view: View, moves: list[str], protected: set[str]) -> None:
    """Assert that no legal move names a protected card, or a village that has no others."""
    assert view.asking is not None
    spots = [spot for move in moves for spot in touched_spots(move)]
    assert protected.isdisjoint(spots), (view.asking, moves)
    if view.asking.label not in ADD_A_CARD:
        for letter, village in view.villages.items():
            is_touchable = any(f"{letter}{place}" not in protected for place in range(1, len(village) + 1))
            assert is_touchable or letter not in moves, (view.asking, moves)


def states(table: Table, cards: list[int]) -> list[object]:
    """Return of each card the village, the facing and who has seen it."""
    return [
        (table.owner(card), table.is_faceup(card), table.is_sideways(card), table.viewers_of(card)) for card in cards
    ]


def is_same_play(before: View, after: View) -> bool:
    """Whether no reveal lies between two views."""
    return (before.round, before.reason) == (after.round, after.reason)


@settings(max_examples=400)
@given(st.one_of(st.builds(guarded_game, seeds), new_games(codes_with_three_of("a"))), seeds)
def test_no_seat_names_or_touches_a_card_that_is_protected_from_it(game: Game, seed: int) -> None:
    random = Random(seed)
    view = game.view()
    for _ in range(50):
        if game.over:
            break
        protected = protected_spots(view, view.to_move)
        if protected:
            check_choices(view, [str(move) for move in game.legal()], protected)
            table = game.position().table
            cards = [table.villages["ABCD".index(spot[0])][int(spot[1:]) - 1] for spot in protected]
        game.play(choose_move(game, random))
        before, view = view, game.view()
        if protected and is_same_play(before, view):
            assert states(game.position().table, cards) == states(table, cards), (before.asking, game.text())


@settings(max_examples=30)
@given(new_games(codes_with_three_of("d")), seeds)
def test_no_seat_takes_cards_from_a_village_with_a_sentinel_or_adds_any(game: Game, seed: int) -> None:
    random = Random(seed)
    for _ in range(100):
        if game.over:
            break
        before, table = game.view(), game.position().table
        muted = covered_spots(before) if before.token == "bullet" else []
        closed = {spot[0] for spot in faceup_spots(before, SENTINEL) if spot not in muted} - {before.to_move}
        game.play(choose_move(game, random))
        after = game.position().table
        if is_same_play(before, game.view()):
            for seat in sorted(closed):
                villages = [sorted(each.villages["ABCD".index(seat)]) for each in (table, after)]
                assert villages[0] == villages[1], (before.asking, game.text())
