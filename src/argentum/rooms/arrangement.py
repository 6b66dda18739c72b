"""The settings of a table (deck, token, seats, options), and validated changes of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import SystemRandom
from typing import Any, Final

from argentum import bots
from argentum.display.errors import Refused
from argentum.rooms.names import DEFAULT_PLAYER_NAMES, clean_name, unique_name
from argentum.rules.boxes import (
    BOX_NAMES,
    DEFAULT_BOX,
    RANDOM_DECK,
    TOKEN_NAMES,
    default_token,
    resident_of,
    resolve_deck_code,
)
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.words import errors

TURN_SECONDS = (0, 30, 60, 90)  # seconds for a turn; 0: no clock
SECONDS_PER_DAY = 86_400
AWAY_MINUTE, AWAY_DAY, AWAY_NEVER = AWAY_CHOICES = ("minute", "day", "never")  # when a bot fills in for somebody
DEFAULT_BOT = "novice"
FIRST_KEY_VERSIONS = (0,) * len(SEAT_LETTERS)


@dataclass(frozen=True)
class SeatConfig:
    """The settings of a seat: its name, its bot, and whether a player has claimed it."""

    name: str
    bot: str = ""  # the bot that plays it; empty for a player's seat
    claimed: bool = False


@dataclass(frozen=True)
class Rematch:
    """The swaps before a rematch, in which each loser of the last game may replace one number of the deck."""

    base_deck: str  # the last game's deck code
    winner: str
    swaps: dict[str, tuple[int, str]] = field(default_factory=dict)  # by seat: number and box

    @property
    def deck_code(self) -> str:
        letters = list(self.base_deck)
        for number, box in self.swaps.values():
            letters[number] = resident_of(box, number).letter
        return "".join(letters)


LOG_KEYS: Final = {  # key in log entries: field of an arrangement
    "code": "deck_code",
    "token": "token",
    "memory": "memory",
    "seconds": "turn_seconds",
    "away": "away",
    "listed": "listed",
    "guide": "guided",
    "host": "host",
    "locks": "key_versions",
    "deposed": "deposed",
}


@dataclass(frozen=True)
class Arrangement:
    """The host's settings of a table."""

    seats: tuple[SeatConfig, ...]
    deck_code: str = "d" * RESIDENTS_PER_BOX
    token: str = ""  # empty for the token that belongs to the deck (G1)
    memory: bool = False
    turn_seconds: int = 0
    away: str = AWAY_MINUTE
    listed: bool = False
    guided: bool = False  # the guide gives advice, as in a first game
    host: str = SEAT_LETTERS[0]  # the seat that may change the settings
    rematch: Rematch | None = None
    # By seat, including removed seats: the version from which the key in the seat's link is derived. It is incremented
    # when a player loses the seat, so that no key of a table is used twice.
    key_versions: tuple[int, ...] = FIRST_KEY_VERSIONS
    deposed: str = ""  # seats of former hosts who were replaced while away; they are not freed in a running game

    @property
    def token_in_play(self) -> str:
        return self.token or default_token(self.deck_code)

    # Cached, because every move asks for these two.

    @cached_property
    def is_slow(self) -> bool:
        """Whether people may take days for a turn."""
        return self.away != AWAY_MINUTE

    @cached_property
    def turn_limit(self) -> int:
        """The seconds after which a bot plays for somebody whose turn it is, connected or not; 0 for no limit."""
        return SECONDS_PER_DAY if self.away == AWAY_DAY else self.turn_seconds

    def to_log(self) -> dict[str, Any]:
        payload: dict[str, Any] = {key: getattr(self, name) for key, name in LOG_KEYS.items()}
        payload["places"] = [[seat.name, seat.bot, seat.claimed] for seat in self.seats]
        if not self.deposed:
            del payload["deposed"]
        if self.rematch is not None:
            payload["rematch"] = {
                "base": self.rematch.base_deck,
                "winner": self.rematch.winner,
                "swaps": self.rematch.swaps,
            }
        return payload

    @staticmethod
    def from_log(payload: dict[str, Any], key_versions: tuple[int, ...] = FIRST_KEY_VERSIONS) -> "Arrangement":
        """Read an arrangement from a log entry.

        Early logs store key versions with the seats, and restart at 0 after a seat was removed. So that no version is
        used twice, `key_versions` (those of the previous arrangement) are lower bounds.
        """
        stored = dict(payload)
        rows = stored.pop("places")
        seat_configs = tuple([SeatConfig(*row[:3]) for row in rows])
        early_versions = [*[row[3] if len(row) > 3 else 0 for row in rows], *[0] * (len(SEAT_LETTERS) - len(rows))]
        stored["locks"] = tuple(
            stored.get("locks") or [max(pair) for pair in zip(key_versions, early_versions, strict=True)]
        )
        rematch = stored.pop("rematch", None)
        if rematch is not None:
            swaps = {seat: (number, box) for seat, (number, box) in rematch["swaps"].items()}
            rematch = Rematch(rematch["base"], rematch["winner"], swaps)
        fields = {LOG_KEYS[key]: value for key, value in stored.items()}
        return Arrangement(seat_configs, rematch=rematch, **fields)

    def to_public(self) -> dict[str, Any]:
        """Return the settings that everybody may see; before a rematch, they include the swaps."""
        payload: dict[str, Any] = {
            "boxes": self.deck_code, "token": self.token_in_play, "memory": self.memory, "seconds": self.turn_seconds,
            "away": self.away, "listed": self.listed, "host": self.host,
        }  # fmt: skip
        if self.rematch is not None:
            rematch = self.rematch
            payload["rematch"] = {"winner": rematch.winner, "base": rematch.base_deck, "swaps": rematch.swaps}
        return payload

    # Changes. Each method returns a new arrangement, or raises `Refused`.

    def with_changes(self, change: dict[str, Any]) -> "Arrangement":
        """Apply the fields of the host's message `arrange`."""
        new = self
        setters = {
            "boxes": set_deck,
            "token": set_token,
            "seats": set_seat_count,
            "memory": set_memory,
            "seconds": set_turn_seconds,
            "away": set_away,
            "listed": set_listed,
        }
        for key, value in change.items():
            if key in setters:
                new = setters[key](new, value)
        both = "away" in change and "seconds" in change
        if both and (new.away != change["away"] or new != set_turn_seconds(new, change["seconds"])):
            raise Refused(errors.CLOCK_AND_DAYS)
        if "seat" in change or "bot" in change:
            new = new.with_bot(change.get("seat"), change.get("bot"))
        if "number" in change or "box" in change:
            new = new.with_box_for_number(change.get("number"), change.get("box"))
        return new

    def with_box_for_number(self, number: object, box: object) -> "Arrangement":
        index = check_number_and_box(number, box)
        return set_deck(self, self.deck_code[:index] + str(box)[0] + self.deck_code[index + 1 :])

    def with_bot(self, letter: object, bot: object) -> "Arrangement":
        """Give a seat to a bot, or open it to players if `bot` is empty."""
        index = self.seat_index(letter)
        if letter == self.host:
            raise Refused(errors.HOSTS_SEAT)
        if bot != "" and bot not in bots.names():
            raise Refused(errors.NO_SUCH_BOT.format(bot=str(bot)[:20], bots=", ".join(bots.names())))
        return self.with_new_keys([index]).with_seat(index, SeatConfig(self.seats[index].name, str(bot)))

    def with_new_keys(self, seat_indexes: Iterable[int]) -> "Arrangement":
        """Increment the key versions of the claimed seats among these, which invalidates their keys."""
        taken = [index for index in seat_indexes if self.seats[index].claimed]
        return replace(
            self, key_versions=tuple([version + (i in taken) for i, version in enumerate(self.key_versions)])
        )

    def with_name(self, index: int, name: object) -> "Arrangement":
        """Rename a seat; the name is cleaned and made unique."""
        taken = {other.name.casefold() for i, other in enumerate(self.seats) if i != index}
        return self.with_seat(index, replace(self.seats[index], name=unique_name(clean_name(name), taken)))

    def with_claimed(self, index: int) -> "Arrangement":
        return self.with_seat(index, replace(self.seats[index], claimed=True))

    def with_host(self, letter: str, *, takes_over: bool) -> "Arrangement":
        """Change the host. With `takes_over`, the previous host is away and did not choose the new one."""
        deposed = {*self.deposed, *(self.host if takes_over else "")} - {letter}
        return replace(self, host=letter, deposed="".join(sorted(deposed)))

    def with_swap(self, letter: str, number: object, box: object) -> "Arrangement":
        """Before a rematch, take the resident of a number from another box; with None, undo the seat's swap."""
        rematch = self.rematch
        if rematch is None:
            raise Refused(errors.NO_SWAP_NOW)
        if letter == rematch.winner:
            raise Refused(errors.WINNER_SWAPS)
        others = {seat: swap for seat, swap in rematch.swaps.items() if seat != letter}
        if number is None:
            return replace(
                self, rematch=replace(rematch, swaps=others), deck_code=replace(rematch, swaps=others).deck_code
            )
        number = check_number_and_box(number, box)
        if rematch.base_deck[number] == str(box)[0]:
            raise Refused(errors.SAME_BOX_SWAP)
        if number in [taken for taken, _ in others.values()]:
            raise Refused(errors.NUMBER_TAKEN.format(number=number))
        rematch = replace(rematch, swaps={**others, letter: (number, str(box))})
        return replace(self, rematch=rematch, deck_code=rematch.deck_code)

    def seat_index(self, letter: object) -> int:
        index = SEAT_LETTERS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
        if not 0 <= index < len(self.seats):
            raise Refused(errors.NO_SUCH_SEAT.format(seat=str(letter)[:20]))
        return index

    def person_seat_index(self, letter: str) -> int:
        """Return the index of a player's seat; raise `Refused` for a bot's."""
        index = self.seat_index(letter)
        if self.seats[index].bot:
            raise Refused(errors.BOTS_SEAT.format(seat=letter))
        return index

    def with_seat(self, index: int, new: SeatConfig) -> "Arrangement":
        return replace(self, seats=(*self.seats[:index], new, *self.seats[index + 1 :]))


def check_number_and_box(number: object, box: object) -> int:
    """Return the number; raise `Refused` if it is not in a deck or the box does not exist."""
    if (
        not isinstance(number, int)
        or isinstance(number, bool)
        or not 0 <= number < RESIDENTS_PER_BOX
        or not isinstance(box, str)
        or box not in BOX_NAMES
    ):
        raise Refused(errors.INVALID_SWAP.format(last=RESIDENTS_PER_BOX - 1, boxes=", ".join(BOX_NAMES)))
    return number


def set_deck(arrangement: Arrangement, boxes: object) -> Arrangement:
    """Set the deck: a box, a deck code, or `random`."""
    if arrangement.rematch is not None:
        raise Refused(errors.DECK_STAYS)
    if not isinstance(boxes, str) or len(boxes) > 2 * RESIDENTS_PER_BOX:
        raise Refused(errors.INVALID_BOXES.format(any_deck=RANDOM_DECK))
    try:
        code = resolve_deck_code(boxes, SystemRandom())
    except ValueError:
        raise Refused(
            errors.UNKNOWN_DECK.format(
                deck=boxes, boxes=", ".join(BOX_NAMES), length=RESIDENTS_PER_BOX, any_deck=RANDOM_DECK
            )
        ) from None
    return replace(arrangement, deck_code=code)


def set_token(arrangement: Arrangement, token: object) -> Arrangement:
    """Set the token to that of a box; an empty string means the token that belongs to the deck."""
    if token != "" and token not in TOKEN_NAMES:
        raise Refused(errors.INVALID_TOKEN.format(boxes=", ".join(TOKEN_NAMES)))
    return replace(arrangement, token=str(token))


def set_seat_count(arrangement: Arrangement, seats: object) -> Arrangement:
    """Add or remove seats; new ones are open to players."""
    if not isinstance(seats, int) or isinstance(seats, bool) or not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        raise Refused(errors.INVALID_SEAT_COUNT.format(fewest=MIN_PLAYERS, most=MAX_PLAYERS))
    if SEAT_LETTERS.index(arrangement.host) >= seats:
        raise Refused(errors.HOST_STAYS)
    seat_configs = list(arrangement.seats[:seats])
    while len(seat_configs) < seats:
        taken = {seat.name.casefold() for seat in seat_configs}
        seat_configs.append(SeatConfig(unique_name(DEFAULT_PLAYER_NAMES[len(seat_configs)], taken)))
    new = replace(arrangement.with_new_keys(range(seats, len(arrangement.seats))), seats=tuple(seat_configs))
    if arrangement.rematch is None:
        return new
    rematch = replace(
        arrangement.rematch,
        swaps={seat: swap for seat, swap in arrangement.rematch.swaps.items() if seat in SEAT_LETTERS[:seats]},
    )
    return replace(new, rematch=rematch, deck_code=rematch.deck_code)


def set_memory(arrangement: Arrangement, memory: object) -> Arrangement:
    if not isinstance(memory, bool):
        raise Refused(errors.INVALID_MEMORY)
    return replace(arrangement, memory=memory)


def set_turn_seconds(arrangement: Arrangement, seconds: object) -> Arrangement:
    """Set the seconds for a turn; with a clock, nobody may take days."""
    if isinstance(seconds, str) and seconds.isdecimal():
        seconds = int(seconds)
    if not isinstance(seconds, int) or isinstance(seconds, bool) or seconds not in TURN_SECONDS:
        raise Refused(errors.INVALID_TIME.format(clocks=", ".join(map(str, TURN_SECONDS))))
    return replace(arrangement, turn_seconds=seconds, away=AWAY_MINUTE if seconds else arrangement.away)


def set_away(arrangement: Arrangement, away: object) -> Arrangement:
    """Set when a bot fills in for somebody who is away. Where people may take days, there is no clock."""
    if not isinstance(away, str) or away not in AWAY_CHOICES:
        raise Refused(errors.INVALID_AWAY.format(choices=", ".join(AWAY_CHOICES)))
    return replace(arrangement, away=away, turn_seconds=arrangement.turn_seconds if away == AWAY_MINUTE else 0)


def set_listed(arrangement: Arrangement, listed: object) -> Arrangement:
    if not isinstance(listed, bool):
        raise Refused(errors.INVALID_LISTED)
    return replace(arrangement, listed=listed)


def new_arrangement(name: str = "", deck_code: str = DEFAULT_BOX, opponents: int = 1, bot: str = "") -> Arrangement:
    """Return the settings of a new table. The opponents' seats are played by `bot`, or open if it is empty."""
    host = SeatConfig(clean_name(name) if name.strip() else DEFAULT_PLAYER_NAMES[0], claimed=True)
    taken = {host.name.casefold()}
    others = []
    for i in range(1, opponents + 1):
        others.append(SeatConfig(unique_name(DEFAULT_PLAYER_NAMES[i], taken), bot))
        taken.add(others[-1].name.casefold())
    return set_deck(Arrangement((host, *others)), deck_code)
