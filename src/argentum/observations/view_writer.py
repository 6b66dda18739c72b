# mypyc: compile
"""The definition of an observation: what is written at each place of the layout, as a function of a view.

>>> from argentum import Game
>>> row = write_observation(Game.new("dagger", 2, seed=1).view("A"))
>>> len(row) == layout.OBSERVATION_SIZE
True
"""

from collections.abc import Iterable
from typing import Final

from argentum.observations import layout
from argentum.observations.actions import ACTION_OF_MOVE, CARDLESS_ACTIONS
from argentum.rules.asking import STEPS
from argentum.rules.boxes import BOX_LETTERS
from argentum.rules.events import END_REASONS
from argentum.rules.move import Move
from argentum.rules.notation import (
    GIVE,
    PICK_CARD,
    SEAT_LETTERS,
    names_card,
    names_village,
    parse_spot,
    place_of,
    receiver_of,
    seat_of,
    spot_of,
    spot_text,
    village_of,
)
from argentum.rules.residents import RESIDENTS_PER_BOX, copies_of
from argentum.rules.views import TOKEN_STATES, Asking, Card, View


def write_observation(view: View) -> bytes:
    """Return the observation of the view's seat."""
    return ViewObservationWriter(view).to_bytes()


class ViewObservationWriter:
    """Writes the observation of one view."""

    def __init__(self, view: View) -> None:
        self.view: Final = view
        self.players: Final = len(view.villages)
        self.seat: Final = SEAT_LETTERS.index(view.seat)
        self.order: Final = [SEAT_LETTERS[(self.seat + step) % self.players] for step in range(self.players)]
        self.is_chooser: Final = view.to_move == view.seat
        self.unseen: Final = [copies_of(number) for number in range(RESIDENTS_PER_BOX)]

    def to_bytes(self) -> bytes:
        cards = self.card_tokens()  # before the other parts, because it counts down `unseen`
        row = bytearray(
            [
                *self.state_bytes(),
                *self.size_bytes(),
                *self.point_bytes(self.view.totals),
                *self.point_bytes(self.view.scores),
            ]
        )
        row += bytes(self.unseen)
        row += b"".join(cards)
        return bytes(row) + bytes(layout.OBSERVATION_SIZE - len(row))

    def relative_seat(self, letter: str) -> int:
        """Return the number of a seat, counted clockwise from the observer, which is 1; 0 for an empty text."""
        return self.order.index(letter) + 1 if letter else 0

    # The table.

    def state_bytes(self) -> list[int]:
        """Encode the observation parts `seats` to `extra_turns`, in the order of the layout."""
        view = self.view
        return [
            self.players,
            *[BOX_LETTERS.index(letter) + 1 for letter in view.boxes],
            layout.box_code(view.token),
            TOKEN_STATES.index(view.token_state),
            *[self.relative_seat(letter) for letter in (view.token_seat, view.token_was)],
            view.round,
            *[self.relative_seat(letter) for letter in (view.turn, view.to_move)],
            *self.question_bytes(view.asking),
            *self.legal_flags(),
            *[self.relative_seat(letter) for letter in (view.holder, view.caller, view.previous)],
            *self.pad_seats([int(letter in view.looking) for letter in self.order]),
            int(view.direction == "clockwise"),
            int(view.deck_up),
            int(view.round_over),
            int(view.over),
            END_REASONS.index(view.reason) + 1 if view.reason else 0,
            view.turns,
            view.extra_turns,
        ]

    def question_bytes(self, asking: Asking | None) -> list[int]:
        """Encode the observation parts `asked` to `picked`, in the order of the layout."""
        if asking is None:
            return [0] * (1 + 2 + 1 + 1 + 3 * layout.MAX_PICKS)
        picks = [value for move in asking.picked[: layout.MAX_PICKS] for value in self.pick_bytes(move)]
        return [
            self.relative_seat(asking.seat),
            *layout.ASKER_BYTES[asking.label],
            *(STEPS.index(asking.step) + 1, len(asking.picked)),
            *picks,
            *[0] * (3 * layout.MAX_PICKS - len(picks)),
        ]

    def pick_bytes(self, move: Move) -> tuple[int, int, int]:
        """Return the kind of a picked move, the village, and the place or number; 0 for what it does not name."""
        kind = layout.move_kind(move)
        if names_card(move):
            seat = receiver_of(move) if move >= GIVE else seat_of(move)
            return kind + 1, self.relative_seat(SEAT_LETTERS[seat]), place_of(move) + 1
        if names_village(move):
            return kind + 1, self.relative_seat(SEAT_LETTERS[village_of(move)]), 0
        return kind + 1, 0, layout.move_number(move)

    def legal_flags(self) -> list[int]:
        """Return the part `may`: flags of legal actions without a card, then of legal kinds of moves with one."""
        flags = [0] * (CARDLESS_ACTIONS + layout.CARD_KIND_COUNT)
        if self.is_chooser:
            actions = ACTION_OF_MOVE[self.players][self.seat]
            first = CARDLESS_ACTIONS + layout.CARD_KIND_COUNT - len(layout.MOVE_KINDS)
            for move in self.view.legal:
                flags[actions[move] if move < PICK_CARD else first + layout.move_kind(move)] = 1
        return flags

    def size_bytes(self) -> list[int]:
        """Encode the observation parts `village_sizes` to `shown_size`, in the order of the layout."""
        view = self.view
        villages = [len(view.villages[letter]) for letter in self.order]
        private = [len(view.private[letter]) for letter in self.order]
        return [*self.pad_seats(villages), *self.pad_seats(private), len(view.deck), len(view.discard), len(view.shown)]

    def point_bytes(self, points: dict[str, int]) -> list[int]:
        """Return the points of each seat from the observer on, each as low byte, high byte and sign."""
        values: list[int] = []
        for letter in self.order if points else ():
            size = abs(points[letter])
            values += [size & 255, size >> 8, int(points[letter] < 0)]
        return [*values, *[0] * (3 * len(SEAT_LETTERS) - len(values))]

    @staticmethod
    def pad_seats(values: list[int]) -> list[int]:
        """Append 0 for each seat that is not in the game."""
        return [*values, *[0] * (len(SEAT_LETTERS) - len(values))]

    # Cards.

    def card_tokens(self) -> list[bytes]:
        """Return the tokens of all cards that an observation lists."""
        view = self.view
        marks = self.village_marks()
        tokens: list[bytes] = []
        for index, letter in enumerate(self.order):
            for place, card in enumerate(view.villages[letter], start=1):
                tokens.append(
                    self.card_token(card, layout.LOCATION_VILLAGE + index, place, marks.get(f"{letter}{place}", {}))
                )
        if view.hand is not None:
            tokens.append(self.card_token(view.hand, layout.LOCATION_HAND, 1))
        depths = view.asking.depths if view.asking is not None else ()
        reached = {depth: {"reached": index} for index, depth in enumerate(depths, start=1)}
        tokens += self.pile_tokens(view.discard, layout.LOCATION_DISCARD, reached)
        for depth, card in enumerate(view.deck, start=1):
            if card.known_by or card.passed:
                tokens.append(self.card_token(card, layout.LOCATION_DECK, depth))
        tokens += self.pile_tokens(view.shown, layout.LOCATION_SHOWN)
        for index, letter in enumerate(self.order):
            tokens += self.pile_tokens(view.private[letter], layout.LOCATION_PRIVATE + index)
        return tokens

    def pile_tokens(
        self, cards: Iterable[Card], location: int, marks: dict[int, dict[str, int]] | None = None
    ) -> list[bytes]:
        """Return the tokens of the cards of a pile. `marks` has the values of further columns by place."""
        return [
            self.card_token(card, location, place, (marks or {}).get(place, {}))
            for place, card in enumerate(cards, start=1)
        ]

    def village_marks(self) -> dict[str, dict[str, int]]:
        """Map spots to those columns of their card tokens that depend on the view, not only on the card."""
        view = self.view
        marks: dict[str, dict[str, int]] = {}
        for name, spots in (("used", view.used), ("resting", view.resting), ("named", view.named)):
            for spot in spots:
                marks.setdefault(spot, {})[name] = 1
        if view.asking is not None:
            for index, move in enumerate(view.asking.picked, start=1):
                if names_card(move):
                    marks.setdefault(spot_text(spot_of(move)), {})["picked"] = index
        for guard, guarded in view.guards:
            marks.setdefault(guard, {})["guards"] = place_of(parse_spot(guarded)) + 1
            marks.setdefault(guarded, {})["guarded"] = 1
        if self.is_chooser:
            for move in view.legal:
                if names_card(move):
                    marks.setdefault(spot_text(spot_of(move)), {})["legal"] = 1
        return marks

    def card_token(self, card: Card, location: int, place: int, marks: dict[str, int] | None = None) -> bytes:
        """Return the token of a card; subtract it from `unseen` if its number is known. `marks` are further columns."""
        row = bytearray(layout.TOKEN_SIZE)
        row[0], row[1] = location, place
        flags = {"up": card.up, "sideways": card.sideways, "covered": card.covered, "passed": card.passed}
        flags["muted"] = card.covered and self.view.cast.token_mutes_card
        for name, flag in flags.items():
            row[layout.COLUMN_INDEX[name]] = int(flag)
        for index, letter in enumerate(self.order):
            row[layout.COLUMN_INDEX["seen own"] + index] = int(letter in card.known_by)
        if card.number is not None:
            box = BOX_LETTERS.index(self.view.boxes[card.number])
            row[layout.COLUMN_INDEX["resident"]] = box * RESIDENTS_PER_BOX + card.number + 1
            row[layout.COLUMN_INDEX["number"]] = card.number + 1
            self.unseen[card.number] -= 1
        for name, value in (marks or {}).items():
            row[layout.COLUMN_INDEX[name]] = value
        return bytes(row)
