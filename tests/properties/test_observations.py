from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from argentum import Game
from argentum.envs import spaces
from argentum.observations import float_layout, layout, one_hot
from argentum.observations.float_layout import BLOCK_SIZE, VILLAGE_SLOTS, block_index
from argentum.observations.hidden_state import write_hidden_state
from argentum.observations.view_writer import write_observation
from argentum.rules.asking import STEPS
from argentum.rules.boxes import ALL_BOXES, BOX_BY_NAME, BOX_LETTERS, BOX_NAMES, residents
from argentum.rules.events import END_REASONS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import copies_of
from argentum.rules.views import TOKEN_STATES, Asking, Card, View
from tests.random_games import games, random_move, seeds

ObservationParts = dict[str, NDArray[np.uint8]]
DECKS = [*BOX_NAMES, ""]  # and a mixed one


def observation_parts(game: Game, seat: int) -> ObservationParts:
    return spaces.split_parts(spaces.game_observation_row(game, seat))


def new_game(boxes: str, seed: int, random: Random) -> Game:
    """Return a game with the deck of a box, or with a random mixed deck if `boxes` is empty."""
    code = boxes or "".join(random.choices(BOX_LETTERS, k=14))
    return Game.new(code, 2 + seed % 3, seed, random.choice(["", *BOX_NAMES]))


class ObservationDecoder:
    """Decodes an observation into the fields of its seat's view."""

    def __init__(self, parts: ObservationParts, seat: int) -> None:
        self.parts = parts
        self.players = self.value("seats")
        self.letters = ["ABCD"[(seat + step) % self.players] for step in range(self.players)]
        rows = [dict(zip(layout.TOKEN_COLUMNS, [int(value) for value in row], strict=True)) for row in parts["cards"]]
        self.cards = [row for row in rows if row["where"]]
        assert not parts["cards"][len(self.cards) :].any()

    def value(self, name: str) -> int:
        assert self.parts[name].shape == (1,)
        return int(self.parts[name][0])

    def letter(self, name: str) -> str:
        return ["", *self.letters][self.value(name)]

    def card(self, card: dict[str, int]) -> Card:
        number = residents()[card["resident"] - 1].number if card["resident"] else None
        assert card["number"] == (0 if number is None else number + 1)
        columns = zip(["own", "first", "second", "third"], self.letters, strict=False)
        known_by = "".join(sorted([letter for word, letter in columns if card[f"seen {word}"]]))
        up, sideways, covered, passed = (card[mark] == 1 for mark in ("up", "sideways", "covered", "passed"))
        assert card["muted"] == (card["covered"] if ALL_BOXES[self.value("token") - 1].token_mutes_card else 0)
        return Card(number, up, sideways, covered, known_by, passed)

    def pile(self, where: int, size: int) -> tuple[Card, ...]:
        """Return the `size` cards at a location. Cards that the observation leaves out are unknown to everybody."""
        cards = [Card(None, False)] * size
        for card in self.cards:
            if card["where"] == where:
                cards[card["place"] - 1] = self.card(card)
        return tuple(cards)

    def spot(self, card: dict[str, int]) -> str:
        return f"{self.letters[card['where'] - layout.LOCATION_VILLAGE]}{card['place']}"

    def spots(self, mark: str) -> tuple[str, ...]:
        """Return the spots of cards with a mark."""
        return tuple([self.spot(card) for card in self.cards if card[mark]])

    def guards(self) -> tuple[tuple[str, str], ...]:
        pairs = [(self.spot(card), self.spot(card)[0] + str(card["guards"])) for card in self.cards if card["guards"]]
        assert {guarded for _, guarded in pairs} == set(self.spots("guarded"))
        return tuple(sorted(pairs, key=lambda pair: (pair[0][0], int(pair[0][1:]))))

    def points(self, name: str) -> dict[str, int]:
        points = {}
        for letter, (size, times, below) in zip(self.letters, self.parts[name].tolist(), strict=False):
            points[letter] = (size + 256 * times) * (-1 if below else 1)
        return dict(sorted(points.items()))

    def pick(self, kind: int, village: int, place: int) -> str:
        """Decode a picked move to its text."""
        word = layout.MOVE_KINDS[kind - 1]
        letter = ["", *self.letters][village]
        if word == "village":
            return letter
        if word == "give":
            return f"give {self.letter('asked')}{place} {letter}"
        if kind > 20:
            verb = {"card": "", "discard card": "discard "}.get(word, f"{word} ")
            return f"{verb}{letter}{place}"
        return word.replace(" n", f" {place}") if word.endswith(" n") else word

    def asking(self) -> dict[str, Any] | None:
        """Return the question, with the picks that the observation lists and the count of all picks."""
        if not self.value("asked"):
            return None
        box, number = self.parts["asker"].tolist()
        listed = self.parts["picked"][: min(self.value("picks"), layout.MAX_PICKS)]
        assert not self.parts["picked"][len(listed) :].any()
        return {
            "seat": self.letter("asked"),
            "label": f"G{number - 1}" if box == layout.RULE_ASKER else ALL_BOXES[box - 1].label(number - 1),
            "step": STEPS[self.value("step") - 1],
            "picked": [self.pick(*pick.tolist()) for pick in listed],
            "picks": self.value("picks"),
            "depths": tuple(
                [card["place"] for card in sorted(self.cards, key=lambda card: card["reached"]) if card["reached"]]
            ),
        }

    def view(self) -> dict[str, Any]:
        """Return the fields of the view that the observation determines."""
        sizes, private = self.parts["village_sizes"], self.parts["private_sizes"]
        hand = self.pile(layout.LOCATION_HAND, 1) if self.value("holder") else (None,)
        boxes = [int(box) - 1 for box in self.parts["residents"]]
        scores = self.points("scores") if self.value("round_over") else {}
        return {
            "seat": self.letters[0],
            "boxes": "".join([BOX_LETTERS[box] for box in boxes]),
            "round": self.value("round"),
            "turn": self.letter("turn"),
            "to_move": self.letter("to_move"),
            "asking": self.asking(),
            "villages": {
                letter: self.pile(layout.LOCATION_VILLAGE + index, int(sizes[index]))
                for index, letter in enumerate(self.letters)
            },
            "private": {
                letter: self.pile(layout.LOCATION_PRIVATE + index, int(private[index]))
                for index, letter in enumerate(self.letters)
            },
            "deck": self.pile(layout.LOCATION_DECK, self.value("deck_size")),
            "deck_up": self.value("deck_up") == 1,
            "shown": self.pile(layout.LOCATION_SHOWN, self.value("shown_size")),
            "discard": self.pile(layout.LOCATION_DISCARD, self.value("discard_size")),
            "hand": hand[0],
            "holder": self.letter("holder"),
            "direction": "clockwise" if self.value("clockwise") else "counterclockwise",
            "token": BOX_NAMES[self.value("token") - 1],
            "token_seat": self.letter("token_seat"),
            "token_state": TOKEN_STATES[self.value("token_state")],
            "caller": self.letter("caller"),
            "previous": self.letter("previous"),
            "turns": self.value("turns"),
            "extra_turns": self.value("extra_turns"),
            "used": tuple(sorted(self.spots("used"))),
            "resting": tuple(sorted(self.spots("resting"))),
            "guards": self.guards(),
            "named": self.spots("named"),
            "looking": tuple(
                sorted([letter for index, letter in enumerate(self.letters) if self.parts["looking"][index]])
            ),
            "totals": self.points("totals"),
            "scores": scores,
            "round_over": self.value("round_over") == 1,
            "reason": ["", *END_REASONS][self.value("reason")],
            "token_was": self.letter("token_was"),
            "over": self.value("over") == 1,
            "residents": tuple([residents()[box * 14 + number] for number, box in enumerate(boxes)]),
        }


def observable_fields(view: View) -> dict[str, Any]:
    """Return the fields of a view in the form of :meth:`ObservationDecoder.view`."""
    fields = view._asdict()
    del fields["names"], fields["legal"], fields["winner"], fields["cast"]
    asking: Asking | None = view.asking
    if asking is not None:
        listed = [str(move) for move in asking.picked]
        fields["asking"] = {**asking._asdict(), "picked": listed[: layout.MAX_PICKS], "picks": len(listed)}
    return fields


def check_decoded(game: Game) -> None:
    for seat, letter in enumerate(game.seats):
        parts, view = observation_parts(game, seat), game.view(letter)
        decoder = ObservationDecoder(parts, seat)
        assert decoder.view() == observable_fields(view)
        legal_spots = {move.spot for move in view.legal if move.spot} if letter == game.to_move else set()
        assert set(decoder.spots("legal")) == legal_spots
        picks = () if view.asking is None else view.asking.picked
        picked = {move.spot: number for number, move in enumerate(picks, 1) if move.spot}
        decoded = {decoder.spot(card): card["picked"] for card in decoder.cards if card["picked"]}
        assert decoded == {spot: number for spot, number in picked.items() if spot in decoded}
        assert len(decoded) == len([spot for spot in picked if has_card(view, spot)])


def has_card(view: View, spot: str) -> bool:
    return int(spot[1:]) <= len(view.villages[spot[0]])


@settings(max_examples=120)
@given(games())
def test_a_decoded_observation_is_the_view(game: Game) -> None:
    check_decoded(game)


@pytest.mark.parametrize("boxes", DECKS)
def test_a_decoded_observation_is_the_view_throughout_games_with_large_villages(boxes: str) -> None:
    largest = 0  # Moves are uniformly random, because that leads to large villages.
    for seed in range(2):
        random = Random(seed)
        game = new_game(boxes, seed, random)
        while not game.over:
            if random.random() < 0.05:
                check_decoded(game)
            largest = max(largest, *[len(village) for village in game.position().table.villages])
            game.play(random.choice([*game.legal()]))
        check_decoded(game)
    assert largest > VILLAGE_SLOTS


@settings(max_examples=120)
@given(games(), seeds)
def test_a_redeal_does_not_change_its_viewers_observation(game: Game, seed: int) -> None:
    random = Random(seed)
    for seat, letter in enumerate(game.seats):
        redealt = game.redeal(letter, random)
        assert (spaces.game_observation_row(redealt, seat) == spaces.game_observation_row(game, seat)).all()


@pytest.mark.parametrize("boxes", DECKS)
def test_a_redeal_does_not_change_observations_throughout_games_of_each_box(boxes: str) -> None:
    for seed in range(2):
        random = Random(seed)
        game = new_game(boxes, seed, random)
        while not game.over:
            if random.random() < 0.1:
                for seat, letter in enumerate(game.seats):
                    redealt = game.redeal(letter, random)
                    assert (spaces.game_observation_row(redealt, seat) == spaces.game_observation_row(game, seat)).all()
            game.play(random_move(game, random))


# Questions and picks.


@pytest.mark.parametrize("boxes", DECKS)
def test_positions_with_the_same_observation_are_the_same_to_the_seat(boxes: str) -> None:
    seen: dict[tuple[int, bytes], View] = {}
    for seed in range(4):
        random = Random(seed)
        game = new_game(boxes, seed, random)
        seen.clear()
        while not game.over:
            seat = SEAT_LETTERS.index(game.to_move)
            view = game.view(game.to_move)
            assert seen.setdefault((seat, spaces.game_observation_row(game, seat).tobytes()), view) == view
            game.play(random_move(game, random))


def test_an_observation_contains_the_first_pick_of_a_troublemaker() -> None:
    game = Game.at({"boxes": "bullet", "deck": "11 6 7", "discard": "8", "villages": {"A": "3 5 7", "B": "9 4"}})
    after = []
    for spot in ("A1", "A3"):
        after.append(game.copy())
        for move in ("draw", "use", spot):
            after[-1].play(move)
    for seat in (0, 1):
        first, second = (observation_parts(played, seat) for played in after)
        assert first["picked"][0].tolist() == [layout.MOVE_KINDS.index("card") + 1, 1 + seat, 1]
        assert second["picked"][0].tolist() == [layout.MOVE_KINDS.index("card") + 1, 1 + seat, 3]
        assert first["asker"].tolist() == [BOX_NAMES.index("bullet") + 1, 11 + 1]
        assert STEPS[first["step"][0] - 1] == "second"


@settings(max_examples=60)
@given(games(), seeds)
def test_a_seat_with_the_same_events_and_moves_has_the_same_observation(game: Game, seed: int) -> None:
    # The same moves are played in two games with different hidden faces, as long as the seat receives equal events.
    random = Random(seed)
    seat = random.randrange(game.players)
    letter = game.seats[seat]
    other = game.redeal(letter, random)
    for _ in range(40):
        if game.over or [*game.legal()] != [*other.legal()]:
            break
        move = random_move(game, random)
        game.play(move)
        other.play(move)
        if game.events(letter)[-12:] != other.events(letter)[-12:] or game.view(letter) != other.view(letter):
            break
        assert (spaces.game_observation_row(game, seat) == spaces.game_observation_row(other, seat)).all()


# Hidden state, for training only.


@settings(max_examples=60)
@given(games())
def test_the_hidden_state_contains_the_residents_of_all_card_tokens_and_of_the_deck(game: Game) -> None:
    table = game.position().table
    for seat in range(game.players):
        cards, deck = np.frombuffer(write_hidden_state(table, seat), np.uint8).reshape(2, 52).tolist()
        parts = observation_parts(game, seat)
        known = parts["cards"][:, layout.COLUMN_INDEX["resident"]]
        count = int((parts["cards"][:, 0] > 0).sum())
        assert all(true == shown for true, shown in zip(cards, known.tolist(), strict=True) if shown)
        assert 0 not in cards[:count]
        assert not any(cards[count:])
        numbers = [(resident - 1) % 14 for resident in deck if resident]
        assert numbers == [table.faces[card] for card in reversed(table.deck)]
        order = [(seat + step) % game.players for step in range(game.players)]
        village = [table.faces[card] for owner in order for card in table.villages[owner]]
        assert [(resident - 1) % 14 for resident in cards[: len(village)]] == village


# The plain vector.


def card_block(card: Card | None, cast: View, letters: list[str], legal: bool = False, marks: str = "") -> list[float]:
    """Return the expected block for a card in the plain vector, without picks and guards."""
    values = [0.0] * BLOCK_SIZE
    if card is None:
        return values
    values[0] = 1
    if card.number is not None:
        resident = cast.residents[card.number]
        values[1], values[block_index("number")] = 1, card.number / 13
        values[block_index("resident", float_layout.ONE_HOT) + BOX_NAMES.index(resident.box) * 14 + card.number] = 1
    flags = [
        card.up,
        card.sideways,
        card.covered,
        card.covered and BOX_BY_NAME[cast.token].token_mutes_card,
        card.passed,
    ]
    flags += [word in marks for word in ("used", "resting", "named")]
    values[block_index("up") : block_index("seen own")] = [float(flag) for flag in flags]
    seen = [float(letter in card.known_by) for letter in letters]
    first = block_index("seen own")
    values[first : first + len(letters)] = seen
    values[block_index("legal")] = float(legal)
    return values


def vector_parts(game: Game, seat: int) -> dict[str, Any]:
    """Return the parts of a seat's plain vector by name."""
    values = one_hot.encode_one_hot(spaces.game_observation_row(game, seat))
    assert values.dtype == np.float32
    shapes = float_layout.part_shapes()
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    assert ends[-1] == len(values)
    return {
        name: part.reshape(shape)
        for (name, shape), part in zip(shapes.items(), np.split(values, ends[:-1]), strict=True)
    }


@settings(max_examples=60)
@given(games())
def test_card_blocks_and_unseen_counts_match_the_view(game: Game) -> None:
    unmarked = [*range(block_index("picked")), block_index("legal")]
    for seat, letter in enumerate(game.seats):
        view, parts = game.view(letter), vector_parts(game, seat)
        letters = [game.seats[(seat + step) % game.players] for step in range(game.players)]
        named = {move.spot for move in view.legal} if letter == game.to_move else set()
        for index, owner in enumerate(letters):
            for place in range(VILLAGE_SLOTS):
                spot = f"{owner}{place + 1}"
                card = view.villages[owner][place] if place < len(view.villages[owner]) else None
                marks = [word for word in ("used", "resting", "named") if spot in getattr(view, word)]
                expected = card_block(card, view, letters, spot in named, " ".join(marks))
                assert parts["villages"][index][place][unmarked].tolist() == pytest.approx(
                    [expected[column] for column in unmarked]
                )
        assert not parts["villages"][game.players :].any()
        tops = [view.hand, *pad_cards(view.discard, 4), *pad_cards(view.shown, 4), *pad_cards(view.private[letter], 1)]
        piles = np.concatenate([parts[name] for name in ("hand", "discard", "shown", "private")])
        blocks = np.array([card_block(card, view, letters) for card in tops], np.float32)
        assert piles[:, unmarked] == pytest.approx(blocks[:, unmarked])
        if view.deck and (view.deck[0].known_by or view.deck[0].passed):
            assert parts["deck"][0].tolist() == pytest.approx(card_block(view.deck[0], view, letters))
        assert observation_parts(game, seat)["unseen"].tolist() == unseen_counts(view)
        assert parts["unseen"].tolist() == pytest.approx([count / 4 for count in unseen_counts(view)])


def test_encoding_many_rows_at_once_equals_encoding_each() -> None:
    game = Game.new("amulet", 3, seed=4)
    rows = []
    for _ in range(60):
        rows.append(spaces.game_observation_row(game, SEAT_LETTERS.index(game.to_move)))
        game.play(random_move(game, Random(5)))
    together = one_hot.encode_one_hot(np.stack(rows).reshape(6, 10, -1))
    assert together.shape == (6, 10, float_layout.vector_size())
    assert (together.reshape(60, -1) == np.stack([one_hot.encode_one_hot(row) for row in rows])).all()


def pad_cards(cards: tuple[Card, ...], size: int) -> list[Card | None]:
    return [*cards[:size], *[None] * (size - len(cards[:size]))]


def unseen_counts(view: View) -> list[int]:
    rows = [*view.villages.values(), *view.private.values(), view.deck, view.discard, view.shown]
    known = [card.number for row in rows for card in row] + [view.hand.number if view.hand else None]
    return [copies_of(number) - known.count(number) for number in range(14)]


# The layout.


def test_the_parts_fill_the_observation_without_gaps() -> None:
    offset = 0
    for part in layout.LAYOUT_PARTS:
        assert part.offset == offset
        offset += part.size
    assert offset == layout.OBSERVATION_SIZE


@pytest.mark.parametrize(
    ("points", "encoded"), [(0, [0, 0, 0]), (-3, [3, 0, 1]), (255, [255, 0, 0]), (-600, [88, 2, 1])]
)
def test_points_of_any_size_are_encoded(points: int, encoded: list[int]) -> None:
    position = {"boxes": "dagger", "deck": "6 7", "discard": "8", "villages": {"A": "3^ 5", "B": "12"}}
    view = Game.at(position).view("A")._replace(totals={"A": 11, "B": points})
    totals = spaces.split_parts(np.frombuffer(write_observation(view), np.uint8))["totals"]
    assert totals.tolist() == [[11, 0, 0], encoded, [0, 0, 0], [0, 0, 0]]
