# mypyc: compile
"""Convert tables at the start of a turn to and from dictionaries with the same keys as scenarios.

`docs/notation.md` describes the texts of villages, piles and tokens.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from argentum.rules.boxes import ALL_BOXES, TOKEN_NAMES, cast_of
from argentum.rules.deal import missing_cards
from argentum.rules.notation import SEAT_LETTERS, parse_spot, place_of, seat_of
from argentum.rules.residents import RESIDENTS_PER_BOX, copies_of
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import NO_CARD, TOKEN_IDLE, TOKEN_USED, VIEWER_COUNT, Table, seat_bit
from argentum.rules.views import TOKEN_STATES, direction_text, guard_spots, seat_letter

DIRECTIONS: Final = {"clockwise": 1, "counterclockwise": -1}
CARD_MARKS: Final = "^v~*!'+%"
ALL_MARKS: Final = f"{CARD_MARKS}@:"  # also when a card may be used again, and who has seen it
VIEWER_LETTERS: Final = f"{SEAT_LETTERS}w"  # `w` for watchers
ALL_VIEWERS_WORD: Final = "all"


class PositionError(ValueError):
    """An invalid or impossible position. The message begins with the name of the invalid key or field."""


# Writing.


def card_text(table: Table, card: int, in_pile: bool = False) -> str:
    """Return the text of a card: `7`, `7^`, `7~`, `7*`. In a discard pile, facedown cards are marked: `7v`."""
    up = table.is_faceup(card)
    facing = "v" * (not up) if in_pile else "^" * up
    return f"{table.faces[card]}{facing}" + "~" * table.is_sideways(card) + "*" * (card == table.covered_card)


def deck_text(table: Table, deck: Sequence[int]) -> str:
    """Return the text of a deck or private deck, from the top."""
    return " ".join([str(table.faces[card]) for card in reversed(deck)])


def shown_text(table: Table) -> str:
    """Return the text of the cards shown beside the deck, in the order they came (A1)."""
    return " ".join([str(table.faces[card]) for card in table.shown])


def guards_text(table: Table) -> str:
    """Return the text of the guards (A3); `A2>A3` means that the card at A2 guards the one at A3."""
    return " ".join([f"{guard}>{card}" for guard, card in guard_spots(table)])


def hand_text(table: Table) -> str:
    """Return the text of the card in hand, with `^` if everybody sees it; empty if there is none."""
    return "" if table.hand == NO_CARD else card_text(table, table.hand)


def token_text(table: Table) -> str:
    """Return the text of the token, its seat and its state: `dagger B idle`."""
    return f"{table.cast.token} {SEAT_LETTERS[table.token_seat]} {TOKEN_STATES[table.token_state]}"


def position_dict(table: Table) -> dict[str, Any]:
    """Return the position, with every face, as a dictionary with the same keys as a scenario."""
    seats = range(table.players)
    return {
        "villages": {
            SEAT_LETTERS[seat]: " ".join([card_text(table, card) for card in table.villages[seat]]) for seat in seats
        },
        "deck": deck_text(table, table.deck),
        "discard": " ".join([card_text(table, card, in_pile=True) for card in reversed(table.discard)]),
        "shown": shown_text(table),
        "guards": guards_text(table),
        "private": {SEAT_LETTERS[seat]: deck_text(table, table.private[seat]) for seat in seats if table.private[seat]},
        "hand": {} if table.hand == NO_CARD else {SEAT_LETTERS[table.turn]: hand_text(table)},
        "direction": direction_text(table),
        "token": token_text(table),
        "caller": seat_letter(table.caller),
        "deck_up": table.deck_up,
    }


# Reading.


def read_cards(key: str, text: object, marks: str) -> list[tuple[int, str]]:
    """Parse a text of cards into pairs of a number and marks; `marks` contains the allowed ones.

    Raise `PositionError`, with `key` in the message, if the text is invalid.
    """
    return [_parse_card(key, word, marks) for word in _card_words(key, text)]


def _card_words(key: str, text: object) -> list[str]:
    if not isinstance(text, str):
        raise PositionError(f"{key}: {text!r} is not a text of cards such as '3 9^ 2'")
    return text.split()


def _parse_card(key: str, word: str, marks: str) -> tuple[int, str]:
    number = word.rstrip(CARD_MARKS)
    card_marks = word[len(number) :]
    if not (number.isascii() and number.isdigit()) or len(number) > 2 or int(number) >= RESIDENTS_PER_BOX:
        raise PositionError(
            f"{key}: '{word}' is not a card; a card is a number from 0 to {RESIDENTS_PER_BOX - 1}, such as 7 or 7^"
        )
    not_allowed = [mark for mark in card_marks if mark not in marks]
    if not_allowed:
        allowed = f"only the mark{'s' * (len(marks) > 1)} {' '.join(marks)}" if marks else "no mark"
        raise PositionError(f"{key}: '{word}' has the mark {not_allowed[0]}; a card here may have {allowed}")
    if len(set(card_marks)) < len(card_marks):
        raise PositionError(f"{key}: '{word}' has a mark twice")
    return int(number), card_marks


class CardReader:
    """Reads cards onto a table, and assigns indices to them in the order in which they are read."""

    def __init__(self, table: Table) -> None:
        self.table: Final = table
        self.numbers: Final[list[int]] = []

    def read_row(self, key: str, text: object, marks: str, up: bool = False) -> list[int]:
        """Read cards and set their marks on the table; return the cards.

        `marks` contains the allowed ones, `up` is the facing of cards without one. Raise `PositionError` for an invalid
        text, too many copies of a number, or a second card under the token.
        """
        return [self._read_card(key, word, marks, up) for word in _card_words(key, text)]

    def _read_card(self, key: str, word: str, marks: str, up: bool) -> int:
        table, card = self.table, len(self.numbers)
        body, viewers, cooldowns = word, "", [""][1:]
        if marks == ALL_MARKS:
            body, _, viewers = word.partition(":")
            body, *cooldowns = body.split("@")
        number, card_marks = _parse_card(key, body, marks)
        self.numbers.append(number)
        try:
            missing_cards(self.numbers)
        except ValueError as error:
            name = table.cast.residents[number].name
            raise PositionError(f"{key}: {error}: a deck has no more {name}s") from None
        table.set_facing(card, "^" in card_marks or (up and "v" not in card_marks))
        if "*" in card_marks:
            if table.covered_card != NO_CARD:
                raise PositionError(f"{key}: a second card is under the silver token, and there is only one token")
            table.covered_card = card
            table.muted_card = card if table.cast.token_mutes_card else NO_CARD
        table.sideways |= ("~" in card_marks) << card
        table.passed_over |= ("!" in card_marks) << card
        table.used_cards |= ("'" in card_marks) << card
        table.discarded_this_turn |= ("+" in card_marks) << card
        table.untraceable |= ("%" in card_marks) << card
        for viewer in _read_viewers(key, viewers):
            table.reveal_to(viewer, card)
        for cooldown in cooldowns:
            seat, _, awaited = cooldown.partition("-")
            awaited_seats = sum([seat_bit(viewer) for viewer in set(_read_viewers(key, awaited))])
            table.cooldowns = (*table.cooldowns, (read_seat(key, seat, table.players), card, awaited_seats))
        return card

    def all_numbers(self) -> list[int]:
        """Return the number of each card, also of those that were not read."""
        return [*self.numbers, *missing_cards(self.numbers)]


def _read_viewers(key: str, letters: str) -> Sequence[int]:
    if letters == ALL_VIEWERS_WORD:
        return range(VIEWER_COUNT)
    viewers = [VIEWER_LETTERS.find(letter) for letter in letters]
    if -1 in viewers:
        raise PositionError(f"{key}: '{letters}' are no seats")
    return viewers


def read_spots(key: str, text: object, table: Table) -> list[int]:
    """Parse the spots of cards in villages; raise `PositionError` if there is no card at one of them."""
    spots: list[int] = []
    for word in text.split() if isinstance(text, str) else [str(text)]:
        spot = parse_spot(word)
        if spot < 0 or seat_of(spot) >= table.players or place_of(spot) >= len(table.villages[seat_of(spot)]):
            raise PositionError(f"{key}: there is no card at '{word}'")
        spots.append(spot)
    return spots


def read_direction(text: object) -> int:
    if not isinstance(text, str) or text.lower() not in DIRECTIONS:
        raise PositionError(f"direction: {text!r} is neither clockwise nor counterclockwise")
    return DIRECTIONS[text.lower()]


def read_seat(key: str, text: object, players: int) -> int:
    """Return the index of the seat with this letter; raise `PositionError` if there is no such seat."""
    letters = SEAT_LETTERS[:players]
    if not isinstance(text, str) or len(text) != 1 or text.upper() not in letters:
        raise PositionError(f"{key}: {text!r} is not a seat; the seats are {', '.join(letters)}")
    return letters.index(text.upper())


def read_token(key: str, text: object, players: int) -> tuple[str, int, int]:
    """Parse the text of a token into its name, seat and state; raise `PositionError` if it is invalid."""
    words = text.lower().split() if isinstance(text, str) else []
    if len(words) != 3 or words[0] not in TOKEN_NAMES or words[2] not in TOKEN_STATES:
        raise PositionError(f"{key}: {text!r} is not a token; write it like 'dagger B active' (or idle, or used)")
    return words[0], read_seat(key, words[1].upper(), players), TOKEN_STATES.index(words[2])


class _PositionReader:
    """Reads the keys of a position."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        self.source = source
        self.players = self.read_integer("players", 2, 2, 4)

    def read_integer(self, key: str, default: int, lowest: int, highest: int) -> int:
        value = self.source.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
            raise PositionError(f"{key}: {value!r} is not a whole number from {lowest} to {highest}")
        return value

    def read_flag(self, key: str) -> bool:
        value = self.source.get(key, False)
        if not isinstance(value, bool):
            raise PositionError(f"{key}: {value!r} is neither true nor false")
        return value

    def read_seat_values(self, key: str) -> dict[int, Any]:
        """Read a mapping keyed by seat letter; return it keyed by seat index.

        Raise `PositionError` if it is not a mapping, or for an unknown or repeated seat.
        """
        part = self.source.get(key, {})
        if not isinstance(part, Mapping):
            raise PositionError(f"{key}: {part!r} is not a table of seats")
        values: dict[int, Any] = {}
        for letter, value in part.items():
            seat = read_seat(key, letter, self.players)
            if seat in values:
                raise PositionError(f"{key}: seat {SEAT_LETTERS[seat]} is named twice")
            values[seat] = value
        return values


def read_position(source: Mapping[str, Any]) -> Table:
    """Return the table that the keys of a scenario describe; raise `PositionError` if it is invalid or impossible."""
    reader = _PositionReader(source)
    players = reader.players
    token_name, token_seat, token_state = "", 0, TOKEN_IDLE
    if "token" in source:
        token_name, token_seat, token_state = read_token("token", source["token"], players)
    if "boxes" not in source:
        raise PositionError("boxes: the key is missing; it names a box or is a deck code of 14 letters")
    try:
        cast = cast_of(str(source["boxes"]), token_name)
    except ValueError as error:
        raise PositionError(f"boxes: {error}") from None
    if source.get("hand"):
        raise PositionError("hand: a position with a card in hand is in mid-turn; give the start of the turn")
    table = Table(cast, players, 0)
    table.token_seat, table.token_state = token_seat, token_state
    table.round = reader.read_integer("round", 1, 1, ROUNDS_PER_GAME)
    table.turn = table.chooser = read_seat("turn", source.get("turn", "A"), players)
    _read_turn_order(reader, table)
    _read_layout(reader, table)
    _check_covered_card(table, "token" in source)
    read_guards(source.get("guards", ""), table)
    _check_round_not_over(table)
    return table


def _read_turn_order(reader: _PositionReader, table: Table) -> None:
    """Read the direction, caller, previous seat, totals, and the flags of the deck and the first look."""
    source, players = reader.source, table.players
    table.direction = read_direction(source.get("direction", "clockwise"))
    if source.get("caller", "") != "":
        table.caller = read_seat("caller", source["caller"], players)
    if "previous" in source:
        previous = read_seat("previous", source["previous"], players)
        if previous == table.turn:
            raise PositionError(
                f"previous: {SEAT_LETTERS[previous]} is to play; name the last other seat that finished a turn"
            )
        table.last_turns[previous] = table.turns = 1
    totals = [0] * players
    for seat, points in reader.read_seat_values("totals").items():
        if not isinstance(points, int) or isinstance(points, bool):
            raise PositionError(f"totals: {points!r} is not a number of points")
        totals[seat] = points
    table.totals = totals
    table.deck_up = reader.read_flag("deck_up")
    table.first_look_pending = (1 << players) - 1 if reader.read_flag("first_look") else 0


def _read_layout(reader: _PositionReader, table: Table) -> None:
    """Read the villages, decks and piles, and which facedown cards of villages each seat has seen."""
    source, cards = reader.source, CardReader(table)
    for seat, text in reader.read_seat_values("villages").items():
        table.villages[seat] = cards.read_row(f"villages.{SEAT_LETTERS[seat]}", text, "^~*")
    for seat, text in reader.read_seat_values("private").items():
        for card in reversed(cards.read_row(f"private.{SEAT_LETTERS[seat]}", text, "")):
            table.put_on_private(seat, card)
    table.deck = cards.read_row("deck", source.get("deck", ""), "")[::-1]
    table.discard = cards.read_row("discard", source.get("discard", ""), "v", up=True)[::-1]
    table.shown = tuple(cards.read_row("shown", source.get("shown", ""), "", up=True))
    shown = sum([copies_of(resident.number) for resident in table.cast.residents if resident.shows_deck_card]) or 4
    if len(table.shown) > shown:
        raise PositionError(
            f"shown: {len(table.shown)} cards are shown beside the deck, and there are at most {shown} (A1)"
        )
    table.faces = cards.all_numbers()
    table.reveal_deck_top()
    for seat, text in reader.read_seat_values("seen").items():
        for spot in read_spots(f"seen.{SEAT_LETTERS[seat]}", text, table):
            table.reveal_to(seat, table.card_at(spot))


def _check_covered_card(table: Table, stated: bool) -> None:
    """Reject a card under the token unless the village's owner has used a covering token (B14, A14).

    If the position does not state the token's seat and state, set them accordingly.
    """
    if table.covered_card == NO_CARD:
        return
    owner, token = table.owner(table.covered_card), table.cast.token
    if not table.cast.token_covers_card:
        covering = " or ".join([box.name for box in ALL_BOXES if box.has_token and box.token_covers_card])
        raise PositionError(
            f"villages.{SEAT_LETTERS[owner]}: only a silver {covering} lies on a card, and the token is the {token}"
        )
    if not stated:
        table.token_seat, table.token_state = owner, TOKEN_USED
    elif (table.token_seat, table.token_state) != (owner, TOKEN_USED):
        raise PositionError(
            f"token: a card of {SEAT_LETTERS[owner]} is under the token, so that must be"
            f" '{token} {SEAT_LETTERS[owner]} used'"
        )


def read_guards(text: object, table: Table) -> None:
    """Read the guards, pairs of a guarding and a guarded card (A3)."""
    if not isinstance(text, str):
        raise PositionError(f"guards: {text!r} is not a text of guards such as 'A2>A3 B1>B4'")
    for word in text.split():
        parts = word.split(">")
        if len(parts) != 2 or not all(parts):
            raise PositionError(
                f"guards: '{word}' is not a guard; write the guard and the card that it guards: 'A2>A3'"
            )
        guard, card = [table.card_at(spot) for spot in read_spots("guards", " ".join(parts), table)]
        owner = table.owner(guard)
        if not table.is_active(guard, table.cast.protects):
            raise PositionError(f"guards: the card at {parts[0].upper()} is not a faceup guard at work")
        if guard in [other for _, other, _ in table.guards]:
            raise PositionError(f"guards: {parts[0].upper()} stands twice, and a guard guards one card")
        if guard == card or table.owner(card) != owner:
            raise PositionError(f"guards: '{word}': a guard guards another card of its own village")
        table.guards = (*table.guards, (owner, guard, card))


def _check_round_not_over(table: Table) -> None:
    """Reject positions in which all cards that end the round lie faceup in villages (A0)."""
    ending_seats = [
        SEAT_LETTERS[seat]
        for seat in range(table.players)
        for _ in range(table.count_active(seat, table.cast.ends_round))
    ]
    if ending_seats and len(ending_seats) >= table.cast.ending_card_count:
        names = [resident.name for resident in table.cast.residents if resident.ends_round]
        raise PositionError(
            f"villages.{ending_seats[-1]}: both {' and '.join(names)}s lie faceup in villages,"
            " so the round would be over (A0)"
        )
