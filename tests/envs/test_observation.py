"""An observation says what its seat's view says: no more (re-deals), and no less (it is read back)."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from argentum import Game
from argentum.envs import observation as ob
from argentum.envs import spaces
from argentum.envs.actions import ACTIONS, mask
from argentum.rules.boxes import residents
from argentum.rules.positions import read_position
from argentum.rules.residents import BOXES, copies
from argentum.rules.views import TOKEN_STATES, Card, View
from tests.playing import games, seeds

Parts = dict[str, NDArray[np.uint8]]


def observed(game: Game, seat: int) -> Parts:
    return spaces.parts(spaces.row(game, seat))


class Reader:
    """Reads an observation back into what the view of its seat has; it is told the seat, and nothing else."""

    def __init__(self, parts: Parts, seat: int) -> None:
        self.parts = parts
        self.players = self.one("seats") + 2
        self.letters = ["ABCD"[(seat + step) % self.players] for step in range(self.players)]
        rows = np.concatenate([parts["places"], parts["cards"]], axis=1)
        self.cards = [[int(value) for value in row] for row in rows if row[0]]
        assert not rows[len(self.cards) :].any()

    def one(self, name: str) -> int:
        """The place of the 1 in a part that has just one."""
        assert self.parts[name].sum() == 1
        return int(self.parts[name].argmax())

    def value(self, name: str) -> int:
        return int(self.parts[name][0])

    def letter(self, name: str) -> str:
        return self.letters[self.one(name)] if self.parts[name].any() else ""

    def card(self, card: list[int]) -> Card:
        _, _, resident, marks, seen = card
        number = residents()[resident - 1].number if resident else None
        known_by = "".join(sorted([letter for nth, letter in enumerate(self.letters) if seen >> nth & 1]))
        up, sideways, covered, passed = (marks >> nth & 1 == 1 for nth in range(4))
        return Card(number, up, sideways, covered, known_by, passed)

    def pile(self, where: int, size: int) -> tuple[Card, ...]:
        """Cards at a place, one after another; those that are not told are unknown to all."""
        cards = [Card(None, False)] * size
        for card in self.cards:
            if card[0] == where:
                cards[card[1] - 1] = self.card(card)
        return tuple(cards)

    def spots(self, mark: int) -> tuple[str, ...]:
        """Spots of the cards in villages with a mark."""
        marked = [card for card in self.cards if card[3] >> mark & 1]
        return tuple([f"{self.letters[card[0] - ob.IN_VILLAGE]}{card[1]}" for card in marked])

    def points(self, name: str) -> dict[str, int]:
        told = {}
        for letter, (more, less, times) in zip(self.letters, self.parts[name].tolist(), strict=False):
            told[letter] = more + 255 * times if not less else -less - 255 * times
        return dict(sorted(told.items()))

    def view(self) -> dict[str, Any]:
        """The fields of the view."""
        sizes, private = self.parts["village_sizes"], self.parts["private_sizes"]
        hand = [self.card(card) for card in self.cards if card[0] == ob.IN_HAND]
        deck = self.parts["residents"].reshape(3, 14)
        return {
            "seat": self.letters[0],
            "boxes": "".join(["bcd"[box] for box in deck.argmax(axis=0)]),
            "round": self.one("round") + 1,
            "turn": self.letter("turn"),
            "to_move": self.letter("to_move"),
            "villages": {
                letter: self.pile(ob.IN_VILLAGE + nth, int(sizes[nth])) for nth, letter in enumerate(self.letters)
            },
            "private": {
                letter: self.pile(ob.IN_PRIVATE + nth, int(private[nth])) for nth, letter in enumerate(self.letters)
            },
            "deck": self.pile(ob.IN_DECK, self.value("deck_size")),
            "deck_up": self.value("deck_up") == 1,
            "discard": self.pile(ob.IN_PILE, self.value("discard_size")),
            "hand": hand[0] if hand else None,
            "holder": self.letter("holder"),
            "direction": "clockwise" if self.value("clockwise") else "counterclockwise",
            "token": BOXES[self.one("token")],
            "token_seat": self.letter("token_seat"),
            "token_state": TOKEN_STATES[self.one("token_state")],
            "caller": self.letter("caller"),
            "previous": self.letter("previous"),
            "turns": self.value("turns"),
            "extra_turns": self.value("extra_turns"),
            "used": tuple(sorted(self.spots(4))),
            "resting": tuple(sorted(self.spots(5))),
            "named": self.spots(6),
            "looking": tuple(sorted([letter for nth, letter in enumerate(self.letters) if self.parts["looking"][nth]])),
            "totals": self.points("totals"),
            "scores": self.points("scores") if self.value("round_over") else {},
            "round_over": self.value("round_over") == 1,
            "over": self.value("over") == 1,
            "residents": tuple([residents()[box * 14 + number] for number, box in enumerate(deck.argmax(axis=0))]),
        }


def said(view: View) -> dict[str, Any]:
    """A view without what is not in an observation: the names, and the legal moves, which are in the mask."""
    fields = view._asdict()
    del fields["names"], fields["legal"]
    return fields


def check(game: Game) -> None:
    for seat, letter in enumerate(game.seats):
        assert Reader(observed(game, seat), seat).view() == said(game.view(letter))


@settings(max_examples=120)
@given(games())
def test_an_observation_read_back_is_the_view(game: Game) -> None:
    check(game)


def test_an_observation_read_back_is_the_view_all_through_games_of_many_cards() -> None:
    """Moves with equal chances make large villages, of which some cards stand in `cards` only."""
    largest = 0
    for seed in range(3):
        random = Random(seed)
        game = Game.new("".join(random.choices("bcd", k=14)), 2 + seed % 3, seed)
        while not game.over:
            if random.random() < 0.05:
                check(game)
            largest = max(largest, *[len(village) for village in game.table.villages])
            game.play(random.choice(game.choices()))
        check(game)
    assert largest > ob.SPOTS


@settings(max_examples=120)
@given(games(), seeds)
def test_a_redeal_of_what_a_seat_cannot_know_changes_nothing_in_its_observation(game: Game, seed: int) -> None:
    random = Random(seed)
    for seat, letter in enumerate(game.seats):
        redealt = game.redeal(letter, random)
        assert (spaces.row(redealt, seat) == spaces.row(game, seat)).all()
        masks = [bytearray(ACTIONS), bytearray(ACTIONS)]
        mask(game, seat, masks[0])
        mask(redealt, seat, masks[1])
        assert masks[0] == masks[1]


def block(card: Card | None, cast: View, letters: list[str], marks: str = "") -> list[int]:
    """The block of a card, written from the view."""
    values = [0] * ob.BLOCK
    if card is None:
        return values
    values[0] = 1
    if card.number is not None:
        resident = cast.residents[card.number]
        values[1], values[ob.NUMBER] = 1, card.number
        values[ob.RESIDENT + BOXES.index(resident.box) * 14 + card.number] = 1
    flags = [
        card.up,
        card.sideways,
        card.covered,
        card.passed,
        *[word in marks for word in ("used", "resting", "named")],
    ]
    values[ob.MARK : ob.MARK + 7] = [int(flag) for flag in flags]
    values[ob.KNOWN_BY : ob.KNOWN_BY + len(letters)] = [int(letter in card.known_by) for letter in letters]
    return values


@settings(max_examples=100)
@given(games())
def test_blocks_and_counts_say_what_the_view_says(game: Game) -> None:
    for seat, letter in enumerate(game.seats):
        view, parts = game.view(letter), observed(game, seat)
        letters = [game.seats[(seat + step) % game.players] for step in range(game.players)]
        for nth, owner in enumerate(letters):
            for place in range(ob.SPOTS):
                spot = f"{owner}{place + 1}"
                card = view.villages[owner][place] if place < len(view.villages[owner]) else None
                marks = [word for word in ("used", "resting", "named") if spot in getattr(view, word)]
                assert parts["villages"][nth][place].tolist() == block(card, view, letters, " ".join(marks))
        assert not parts["villages"][game.players :].any()
        tops = [view.hand, *padded(view.discard, 4), *padded(view.deck, 1), *padded(view.private[letter], 1)]
        told = [*parts["hand"], *parts["discard"], *parts["deck"], *parts["private"]]
        assert [row.tolist() for row in told] == [block(card, view, letters) for card in tops]
        assert parts["unseen"].tolist() == unseen(view)


def padded(cards: tuple[Card, ...], size: int) -> list[Card | None]:
    return [*cards[:size], *[None] * (size - len(cards[:size]))]


def unseen(view: View) -> list[int]:
    rows = [*view.villages.values(), *view.private.values(), view.deck, view.discard]
    known = [card.number for row in rows for card in row] + [view.hand.number if view.hand else None]
    return [copies(number) - known.count(number) for number in range(14)]


def test_the_parts_fill_the_observation_without_gaps() -> None:
    offset = 0
    for part in ob.PARTS:
        assert part.offset == offset
        offset += part.size
    assert offset == ob.SIZE


def test_an_observation_is_written_at_its_offset_and_nowhere_else() -> None:
    game = Game.new("coin", 4, seed=2)
    buffer = bytearray([9]) * (ob.SIZE + 20)
    ob.encode(game, 3, buffer, 10)
    assert buffer[:10] == buffer[-10:] == bytes([9]) * 10
    assert (np.frombuffer(buffer[10:-10], np.uint8) == spaces.row(game, 3)).all()


@pytest.mark.parametrize(("points", "told"), [(0, [0, 0, 0]), (-3, [0, 3, 0]), (254, [254, 0, 0]), (600, [90, 0, 2])])
def test_points_of_any_size_are_told(points: int, told: list[int]) -> None:
    table = read_position({"boxes": "dagger", "deck": "6 7", "discard": "8", "villages": {"A": "3^ 5", "B": "12"}})
    table.totals = [11, points]
    assert observed(Game.at(table), 0)["totals"].tolist() == [[11, 0, 0], told, [0, 0, 0], [0, 0, 0]]
