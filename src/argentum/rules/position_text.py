# mypyc: compile
"""Convert complete positions, including those in mid-turn, to and from one-line texts, like FEN in chess.

A text is one line of fields, `key value; key value; ...`, which are written as in scenarios where possible. A card is
its number with marks: `^` faceup, `~` sideways, `*` under the token, `v` facedown in the discard pile, `!` passed over
(D7), `'` used this turn, `+` discarded this turn, `%` shuffled, so that its marks stay hidden (B8), `@A-BC` not usable
by A until B and C have played (C1), and `:AB` for the seats that have seen it (`:all` for everybody). Inside an
ability, the text describes the table at the start of the turn, and the field `moves` lists the moves since.

The text contains every face: give it only to programs that may know them. `docs/notation.md` lists the fields.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from argentum.rules.boxes import cast_of
from argentum.rules.events import END_REASONS
from argentum.rules.notation import (
    SEAT_LETTERS,
    make_spot,
    move_text,
    parse_move,
    place_of,
    seat_of,
    spot_text,
)
from argentum.rules.position_dict import (
    ALL_MARKS,
    ALL_VIEWERS_WORD,
    VIEWER_LETTERS,
    CardReader,
    PositionError,
    card_text,
    guards_text,
    read_direction,
    read_guards,
    read_seat,
    read_spots,
    read_token,
    token_text,
)
from argentum.rules.residents import has_number
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import ALL_VIEWERS, FIRST_RULINGS, NO_CARD, NO_END_REASON, NO_SEAT, RULINGS, Table
from argentum.rules.views import direction_text, named_spot_texts

PHASES: Final = ("between", "action", "hand", "closing")
HAND_SOURCES: Final = ("", "drawn", "taken", "lifted")
RULINGS_IF_UNSTATED: Final = 2  # the version of the rulings of a text without the field
OLD_END_REASONS: Final = {"villagers": "residents"}  # written before 1.0.0rc1
FLAGS: Final = ("deck_up", "acted", "skipped")


class PositionText(NamedTuple):
    table: Table  # restartable
    moves: list[int]  # made since `table`
    last_round: int
    states_rulings: bool


# Writing.


def write_position(table: Table, moves: Sequence[int], last_round: int) -> str:
    """Return the text of a restartable table and the moves made since."""
    fields = [
        f"boxes {table.cast.code}",
        f"token {token_text(table)}",
        f"round {table.round} of {last_round}",
        *([] if table.rulings == RULINGS_IF_UNSTATED else [f"rulings {table.rulings}"]),
        f"turn {SEAT_LETTERS[table.turn]}",
        *_card_fields(table),
        *_turn_order_fields(table),
        *_turn_fields(table),
    ]
    if table.round_over:
        fields.append(
            f"over {SEAT_LETTERS[table.scored_token_seat]} {' '.join([str(points) for points in table.scores])}"
        )
    if table.shuffle_log:
        fields.append(f"shuffled {len(table.shuffle_log)}")
    shuffles = table.fixed_shuffles[len(table.shuffle_log) :]
    if shuffles:
        fields.append("shuffles " + " / ".join([" ".join([str(number) for number in village]) for village in shuffles]))
    if moves:
        fields.append("moves " + ", ".join([move_text(move) for move in moves]))
    return "; ".join(fields)


def _card_fields(table: Table) -> list[str]:
    seats = range(table.players)
    fields = [_cards_text(SEAT_LETTERS[seat], table, table.villages[seat]) for seat in seats]
    fields += [
        _cards_text(f"private {SEAT_LETTERS[seat]}", table, table.private[seat][::-1])
        for seat in seats
        if table.private[seat]
    ]
    fields.append(_cards_text("deck", table, table.deck[::-1]))
    fields.append(_cards_text("discard", table, table.discard[::-1], pile=True))
    if table.shown:
        fields.append(_cards_text("shown", table, table.shown))
    if table.hand != NO_CARD:
        fields.append(f"hand {_card_text(table, table.hand)} {HAND_SOURCES[table.hand_source]}")
    in_play = {table.hand, *table.deck, *table.discard, *table.shown}
    in_play.update(*table.villages, *table.private)
    out_cards = [card for card in range(len(table.faces)) if card not in in_play and table.viewers_of(card)]
    if out_cards:
        fields.append(_cards_text("out", table, out_cards))
    if table.guards:
        fields.append(f"guards {guards_text(table)}")
    return fields


def _turn_order_fields(table: Table) -> list[str]:
    fields: list[str] = []
    if table.direction < 0:
        fields.append(f"direction {direction_text(table)}")
    if table.caller != NO_SEAT:
        fields.append(f"caller {SEAT_LETTERS[table.caller]}")
    if table.end_reason != NO_END_REASON:
        fields.append(f"reason {END_REASONS[table.end_reason]}")
    if table.turns:
        fields.append(f"turns {table.turns}: {' '.join([str(turn) for turn in table.last_turns])}")
    if table.extra_turns:
        fields.append(f"extra {table.extra_turns}")
    if any(table.totals):
        fields.append(f"totals {' '.join([str(points) for points in table.totals])}")
    if table.seed:
        fields.append(f"seed {table.seed}")
    return fields


def _turn_fields(table: Table) -> list[str]:
    fields: list[str] = []
    if table.first_look_pending:
        fields.append(
            "looking "
            + " ".join([SEAT_LETTERS[seat] for seat in range(table.players) if table.is_first_look_pending(seat)])
        )
        peeked = [spot_text(make_spot(seat, place)) for seat, place in enumerate(table.first_peeks) if place >= 0]
        fields += [f"peeked {' '.join(peeked)}"] if peeked else []
    if table.phase:
        fields.append(f"phase {PHASES[table.phase]}")
    if table.named_places:
        fields.append(f"named {' '.join(named_spot_texts(table))}")
    flags = dict(zip(FLAGS, (table.deck_up, table.ability_used, table.turn_skipped), strict=True))
    return fields + [flag for flag, on in flags.items() if on]


def _cards_text(key: str, table: Table, cards: Sequence[int], pile: bool = False) -> str:
    return " ".join([key, *[_card_text(table, card, pile) for card in cards]])


def _card_text(table: Table, card: int, in_pile: bool = False) -> str:
    text = card_text(table, card, in_pile)
    for mark, bits in (
        ("!", table.passed_over),
        ("'", table.used_cards),
        ("+", table.discarded_this_turn),
        ("%", table.untraceable),
    ):
        text += mark * has_number(bits, card)
    for seat, resting_card, awaited in table.cooldowns:
        if resting_card == card:
            text += f"@{SEAT_LETTERS[seat]}-{_seat_letters(awaited)}"
    seen = table.viewers_of(card)
    if seen and not table.is_faceup(card):
        text += ":" + (ALL_VIEWERS_WORD if seen == ALL_VIEWERS else _seat_letters(seen))
    return text


def _seat_letters(bits: int) -> str:
    return "".join([letter for seat, letter in enumerate(VIEWER_LETTERS) if has_number(bits, seat)])


# Reading.


def read_position_text(text: str) -> PositionText:
    """Parse the text of a position; raise a `PositionError` that begins with the name of the invalid field."""
    fields = _parse_fields(text)
    players = len([key for key in SEAT_LETTERS if key in fields])
    if players < 2 or any([seat not in fields for seat in SEAT_LETTERS[:players]]):
        raise PositionError("A: a position has a field for each seat's village, two to four from A on")
    token, seat, state = read_token("token", fields.get("token", ""), players)
    try:
        cast = cast_of(fields.get("boxes", ""), token)
    except ValueError as error:
        raise PositionError(f"boxes: {error}") from None
    table = Table(cast, players, _read_integer(fields, "seed", 0))
    table.token_seat, table.token_state = seat, state
    numbers = _read_integers("round", fields.get("round", f"1 of {ROUNDS_PER_GAME}").replace(" of ", " "), 2)
    table.round, last_round = numbers
    table.rulings = _read_integer(fields, "rulings", RULINGS_IF_UNSTATED)
    if not FIRST_RULINGS <= table.rulings <= RULINGS:
        raise PositionError(f"rulings: {table.rulings} is not a version from {FIRST_RULINGS} to {RULINGS}")
    table.turn = table.chooser = read_seat("turn", fields.get("turn", ""), players)
    _read_turn_order_fields(table, fields)
    _read_cards(table, fields)
    _read_turn(table, fields)
    moves = [_read_move(word) for word in fields["moves"].split(",")] if "moves" in fields else []
    return PositionText(table, moves, last_round, "rulings" in fields)


def _parse_fields(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in text.split(";"):
        key, _, value = part.strip().partition(" ")
        if key == "private":
            letter, _, value = value.partition(" ")
            key = f"private {letter}"
        if key in fields:
            raise PositionError(f"{key}: the field stands twice")
        if key:
            fields[key] = value.strip()
    known = {*SEAT_LETTERS, *[f"private {seat}" for seat in SEAT_LETTERS], *FIELD_NAMES, *FLAGS}
    for key in fields:
        if key not in known:
            raise PositionError(f"{key}: there is no such field; there are {', '.join(sorted(known))}")
    return fields


FIELD_NAMES: Final = (
    "boxes", "token", "round", "rulings", "turn", "deck", "discard", "shown", "hand", "out", "guards", "direction",
    "caller", "reason", "turns", "extra", "totals", "seed", "looking", "peeked", "phase", "named", "over",
    "shuffled", "shuffles", "moves",
)  # fmt: skip


def _read_integers(key: str, text: str, count: int) -> list[int]:
    words = text.split()
    if len(words) != count or not all([word.removeprefix("-").isdecimal() for word in words]):
        raise PositionError(f"{key}: {text!r} is not {count} whole number{'s' * (count != 1)}")
    return [int(word) for word in words]


def _read_integer(fields: dict[str, str], key: str, default: int) -> int:
    return _read_integers(key, fields[key], 1)[0] if key in fields else default


def _read_move(word: str) -> int:
    move = parse_move(word)
    if move < 0:
        raise PositionError(f"moves: {word.strip()!r} is not a move")
    return move


def _read_turn_order_fields(table: Table, fields: dict[str, str]) -> None:
    players = table.players
    table.direction = read_direction(fields.get("direction", "clockwise"))
    if "caller" in fields:
        table.caller = read_seat("caller", fields["caller"], players)
    if "reason" in fields:
        reason = OLD_END_REASONS.get(fields["reason"], fields["reason"])
        if reason not in END_REASONS:
            raise PositionError(f"reason: {reason!r} is none of {', '.join(END_REASONS)}")
        table.end_reason = END_REASONS.index(reason)
    if "turns" in fields:
        turns, *last = _read_integers("turns", fields["turns"].replace(":", " "), 1 + players)
        table.turns, table.last_turns = turns, last
    table.extra_turns = _read_integer(fields, "extra", 0)
    if "totals" in fields:
        table.totals = _read_integers("totals", fields["totals"], players)
    if "over" in fields:
        seat, _, scores = fields["over"].partition(" ")
        table.round_over, table.scored_token_seat = True, read_seat("over", seat, players)
        table.scores = _read_integers("over", scores, players)
    # The text states only how many shuffles came before. The random stream of the next one depends on that number.
    table.shuffle_log = ((0,),) * _read_integer(fields, "shuffled", 0)
    if "shuffles" in fields:
        villages = fields["shuffles"].split("/")
        table.fixed_shuffles = [
            *table.shuffle_log,
            *[_read_integers("shuffles", village, len(village.split())) for village in villages],
        ]


def _read_cards(table: Table, fields: dict[str, str]) -> None:
    reader = CardReader(table)

    def read_row(key: str, up: bool = False) -> list[int]:
        return reader.read_row(key, fields.get(key, ""), ALL_MARKS, up)

    for seat in range(table.players):
        table.villages[seat] = read_row(SEAT_LETTERS[seat])
    table.private = tuple([tuple(read_row(f"private {SEAT_LETTERS[seat]}")[::-1]) for seat in range(table.players)])
    table.deck = read_row("deck")[::-1]
    table.discard = read_row("discard", up=True)[::-1]
    table.shown = tuple(read_row("shown"))
    if "hand" in fields:
        text, _, source = fields["hand"].partition(" ")
        if not text or source not in HAND_SOURCES[1:]:
            raise PositionError(f"hand: {fields['hand']!r} does not say how the card came there: 7 drawn, 7^ taken")
        (table.hand,) = reader.read_row("hand", text, ALL_MARKS)
        table.hand_source = HAND_SOURCES.index(source)
    read_row("out")
    table.faces = reader.all_numbers()
    read_guards(fields.get("guards", ""), table)


def _read_turn(table: Table, fields: dict[str, str]) -> None:
    for letter in fields.get("looking", "").split():
        table.first_look_pending |= 1 << read_seat("looking", letter, table.players)
    for spot in read_spots("peeked", fields.get("peeked", ""), table):
        seat = seat_of(spot)
        table.first_peeks = (*table.first_peeks[:seat], place_of(spot), *table.first_peeks[seat + 1 :])
    phase = fields.get("phase", PHASES[0])
    if phase not in PHASES:
        raise PositionError(f"phase: {phase!r} is none of {', '.join(PHASES)}")
    table.phase = PHASES.index(phase)
    for spot in read_spots("named", fields.get("named", ""), table):
        table.named_places |= 1 << place_of(spot)
    table.deck_up, table.ability_used, table.turn_skipped = [flag in fields for flag in FLAGS]
    table.window_worth_asking = True  # The text does not state it, and True is always safe.
