"""Table settings: deck, token, seats, options; validated changes."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import SystemRandom
from typing import Any, Final

from argentum import bots
from argentum.display.errors import Refused
from argentum.rooms.names import DEFAULT_PLAYER_NAMES, clean_name, unique_name
from argentum.rules.boxes import BOX_BY_NAME, BOX_NAMES, RANDOM_DECK, default_token, resolve_deck_code
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.words import errors as why

TURN_SECONDS = (0, 30, 60, 90)  # seconds for a turn; 0: no clock
DEFAULT_BOT = "novice"
FIRST_KEY_VERSIONS = (0,) * len(SEAT_LETTERS)


@dataclass(frozen=True)
class SeatConfig:
    """One seat of a table before and during a game."""

    name: str
    bot: str = ""  # which bot plays it; empty for a person
    claimed: bool = False  # somebody has sat down by its link


@dataclass(frozen=True)
class Rematch:
    """A rematch: each loser of the last game may replace one number of its deck."""

    base_deck: str  # the last game's deck code
    winner: str
    swaps: dict[str, tuple[int, str]] = field(default_factory=dict)  # by seat: number and box

    @property
    def deck_code(self) -> str:
        """The deck with what was replaced."""
        letters = list(self.base_deck)
        for number, box in self.swaps.values():
            letters[number] = BOX_BY_NAME[box].letter
        return "".join(letters)


LOG_KEYS: Final = {  # the names of plain fields in stored log entries
    "code": "deck_code",
    "token": "token",
    "memory": "memory",
    "seconds": "turn_seconds",
    "listed": "listed",
    "guide": "guided",
    "host": "host",
    "locks": "key_versions",
    "deposed": "deposed",
}


@dataclass(frozen=True)
class Arrangement:
    """The settings of a table."""

    seats: tuple[SeatConfig, ...]
    deck_code: str = "d" * RESIDENTS_PER_BOX
    token: str = ""  # empty: the deck's own (G1)
    memory: bool = False
    turn_seconds: int = 0
    listed: bool = False
    guided: bool = False  # a first game, with a coach
    host: str = SEAT_LETTERS[0]  # whose seat arranges the table
    rematch: Rematch | None = None
    # How often a seat was taken from somebody, also of seats that are gone for now: each time it gets another lock, and
    # so another link. A lock is never used again in the life of a table.
    key_versions: tuple[int, ...] = FIRST_KEY_VERSIONS
    deposed: str = ""  # seats of hosts from whom somebody has taken over; nobody frees them in a running game

    @property
    def token_in_play(self) -> str:
        """The token that will be in play."""
        return self.token or default_token(self.deck_code)

    def to_log(self) -> dict[str, Any]:
        """For the log."""
        form: dict[str, Any] = {key: getattr(self, name) for key, name in LOG_KEYS.items()}
        form["places"] = [[place.name, place.bot, place.claimed] for place in self.seats]
        if not self.deposed:
            del form["deposed"]
        if self.rematch is not None:
            form["rematch"] = {
                "base": self.rematch.base_deck,
                "winner": self.rematch.winner,
                "swaps": self.rematch.swaps,
            }
        return form

    @staticmethod
    def from_log(form: dict[str, Any], locks: tuple[int, ...] = FIRST_KEY_VERSIONS) -> "Arrangement":
        """From the log. Early logs have each seat's lock with its place, and begin anew where a seat was gone.

        `locks` are those until then, so that even there none is used again.
        """
        rest = dict(form)
        rows = rest.pop("places")
        places = tuple([SeatConfig(*row[:3]) for row in rows])
        early = [*[row[3] if len(row) > 3 else 0 for row in rows], *[0] * (len(SEAT_LETTERS) - len(rows))]
        rest["locks"] = tuple(rest.get("locks") or [max(pair) for pair in zip(locks, early, strict=True)])
        again = rest.pop("rematch", None)
        if again is not None:
            swaps = {seat: (number, box) for seat, (number, box) in again["swaps"].items()}
            again = Rematch(again["base"], again["winner"], swaps)
        fields = {LOG_KEYS[key]: value for key, value in rest.items()}
        return Arrangement(places, rematch=again, **fields)

    def to_public(self) -> dict[str, Any]:
        """For everybody at the table; before a rematch, with what the losers replace."""
        form: dict[str, Any] = {
            "boxes": self.deck_code, "token": self.token_in_play, "memory": self.memory, "seconds": self.turn_seconds,
            "listed": self.listed, "host": self.host,
        }  # fmt: skip
        if self.rematch is not None:
            again = self.rematch
            form["rematch"] = {"winner": again.winner, "base": again.base_deck, "swaps": again.swaps}
        return form

    # What the host, or a person about their own seat, may change. Each returns the new arrangement or refuses.

    def with_changes(self, change: dict[str, Any]) -> "Arrangement":
        """With what a host's message asks for."""
        new = self
        known = {
            "boxes": set_deck,
            "token": set_token,
            "seats": set_seat_count,
            "memory": set_memory,
            "seconds": set_turn_seconds,
            "listed": set_listed,
        }
        for key, value in change.items():
            if key in known:
                new = known[key](new, value)
        if "seat" in change or "bot" in change:
            new = new.with_bot(change.get("seat"), change.get("bot"))
        if "number" in change or "box" in change:
            new = new.with_box_for_number(change.get("number"), change.get("box"))
        return new

    def with_box_for_number(self, number: object, box: object) -> "Arrangement":
        """With another box's resident for a number."""
        place = check_number_and_box(number, box)
        return set_deck(self, self.deck_code[:place] + str(box)[0] + self.deck_code[place + 1 :])

    def with_bot(self, letter: object, bot: object) -> "Arrangement":
        """With a bot, or (empty) a person, in a seat."""
        place = self.seat_index(letter)
        if letter == self.host:
            raise Refused(why.HOSTS_SEAT)
        if bot != "" and bot not in bots.names():
            raise Refused(why.NO_SUCH_BOT.format(bot=str(bot)[:20], bots=", ".join(bots.names())))
        return self.with_new_keys([place]).with_seat(place, SeatConfig(self.seats[place].name, str(bot)))

    def with_new_keys(self, places: Iterable[int]) -> "Arrangement":
        """With another lock for those of these seats in which somebody sits, who then has no seat any more."""
        taken = [place for place in places if self.seats[place].claimed]
        return replace(self, key_versions=tuple([lock + (nth in taken) for nth, lock in enumerate(self.key_versions)]))

    def with_name(self, place: int, name: object) -> "Arrangement":
        """With another name for a seat: short, and nobody else's."""
        taken = {other.name.casefold() for nth, other in enumerate(self.seats) if nth != place}
        return self.with_seat(place, replace(self.seats[place], name=unique_name(clean_name(name), taken)))

    def with_claimed(self, place: int) -> "Arrangement":
        """Somebody has sat down."""
        return self.with_seat(place, replace(self.seats[place], claimed=True))

    def hosted(self, letter: str, *, takes_over: bool) -> "Arrangement":
        """With another host, who was asked by the last one or takes over from them."""
        deposed = {*self.deposed, *(self.host if takes_over else "")} - {letter}
        return replace(self, host=letter, deposed="".join(sorted(deposed)))

    def with_swap(self, letter: str, number: object, box: object) -> "Arrangement":
        """In a rematch: a loser replaces a number of the deck by another box's."""
        again = self.rematch
        if again is None:
            raise Refused(why.NO_SWAP_NOW)
        if letter == again.winner:
            raise Refused(why.WINNER_SWAPS)
        others = {seat: swap for seat, swap in again.swaps.items() if seat != letter}
        if number is None:
            return replace(self, rematch=replace(again, swaps=others), deck_code=replace(again, swaps=others).deck_code)
        number = check_number_and_box(number, box)
        if again.base_deck[number] == str(box)[0]:
            raise Refused(why.SAME_BOX_SWAP)
        if number in [taken for taken, _ in others.values()]:
            raise Refused(why.NUMBER_TAKEN.format(number=number))
        again = replace(again, swaps={**others, letter: (number, str(box))})
        return replace(self, rematch=again, deck_code=again.deck_code)

    def seat_index(self, letter: object) -> int:
        """The place of a seat's letter."""
        place = SEAT_LETTERS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
        if not 0 <= place < len(self.seats):
            raise Refused(why.NO_SUCH_SEAT.format(seat=str(letter)[:20]))
        return place

    def person_seat_index(self, letter: str) -> int:
        """The place of a person's seat; the host may have taken it away, or put a bot there."""
        place = self.seat_index(letter)
        if self.seats[place].bot:
            raise Refused(why.BOTS_SEAT.format(seat=letter))
        return place

    def with_seat(self, place: int, new: SeatConfig) -> "Arrangement":
        """With one place changed."""
        return replace(self, seats=(*self.seats[:place], new, *self.seats[place + 1 :]))


def check_number_and_box(number: object, box: object) -> int:
    """A number of the deck that a box is to supply, if both make sense."""
    if (
        not isinstance(number, int)
        or isinstance(number, bool)
        or not 0 <= number < RESIDENTS_PER_BOX
        or box not in BOX_NAMES
    ):
        raise Refused(why.INVALID_SWAP.format(last=RESIDENTS_PER_BOX - 1, boxes=", ".join(BOX_NAMES)))
    return number


def set_deck(old: Arrangement, boxes: object) -> Arrangement:
    """Another deck: a box, a deck code, or `random`."""
    if old.rematch is not None:
        raise Refused(why.DECK_STAYS)
    if not isinstance(boxes, str) or len(boxes) > 2 * RESIDENTS_PER_BOX:
        raise Refused(why.INVALID_BOXES.format(any_deck=RANDOM_DECK))
    try:
        code = resolve_deck_code(boxes, SystemRandom())
    except ValueError as error:
        raise Refused(str(error)) from None
    return replace(old, deck_code=code)


def set_token(old: Arrangement, token: object) -> Arrangement:
    """Another token, or (empty) the deck's own."""
    if token != "" and token not in BOX_NAMES:
        raise Refused(why.INVALID_TOKEN.format(boxes=", ".join(BOX_NAMES)))
    return replace(old, token=str(token))


def set_seat_count(old: Arrangement, seats: object) -> Arrangement:
    """More or fewer seats; new ones are open to people."""
    if not isinstance(seats, int) or isinstance(seats, bool) or not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        raise Refused(why.INVALID_SEAT_COUNT.format(fewest=MIN_PLAYERS, most=MAX_PLAYERS))
    if SEAT_LETTERS.index(old.host) >= seats:
        raise Refused(why.HOST_STAYS)
    places = list(old.seats[:seats])
    while len(places) < seats:
        taken = {place.name.casefold() for place in places}
        places.append(SeatConfig(unique_name(DEFAULT_PLAYER_NAMES[len(places)], taken)))
    new = replace(old.with_new_keys(range(seats, len(old.seats))), seats=tuple(places))
    if old.rematch is None:
        return new
    again = replace(
        old.rematch, swaps={at: swap for at, swap in old.rematch.swaps.items() if at in SEAT_LETTERS[:seats]}
    )
    return replace(new, rematch=again, deck_code=again.deck_code)


def set_memory(old: Arrangement, memory: object) -> Arrangement:
    """With memory, or with open notes."""
    if not isinstance(memory, bool):
        raise Refused(why.INVALID_MEMORY)
    return replace(old, memory=memory)


def set_turn_seconds(old: Arrangement, seconds: object) -> Arrangement:
    """Another time for a turn."""
    if isinstance(seconds, str) and seconds.isdecimal():
        seconds = int(seconds)
    if not isinstance(seconds, int) or isinstance(seconds, bool) or seconds not in TURN_SECONDS:
        raise Refused(why.INVALID_TIME.format(clocks=", ".join(map(str, TURN_SECONDS))))
    return replace(old, turn_seconds=seconds)


def set_listed(old: Arrangement, listed: object) -> Arrangement:
    """Found by anyone, or by invitation."""
    if not isinstance(listed, bool):
        raise Refused(why.INVALID_LISTED)
    return replace(old, listed=listed)


def new_arrangement(name: str = "", code: str = "dagger", opponents: int = 1, bot: str = "") -> Arrangement:
    """A new table: the host, and others who are bots (or, with no bot named, open seats)."""
    host = SeatConfig(clean_name(name) if name.strip() else DEFAULT_PLAYER_NAMES[0], claimed=True)
    taken = {host.name.casefold()}
    others = []
    for nth in range(1, opponents + 1):
        others.append(SeatConfig(unique_name(DEFAULT_PLAYER_NAMES[nth], taken), bot))
        taken.add(others[-1].name.casefold())
    return set_deck(Arrangement((host, *others)), code)
