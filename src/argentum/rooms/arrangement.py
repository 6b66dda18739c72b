"""Table settings: deck, token, seats, options; validated changes."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import SystemRandom
from typing import Any

from argentum import bots
from argentum.display.errors import Refused
from argentum.rooms.names import NAMES, clean_name, unused
from argentum.rules.boxes import RANDOM_DECK, resolve_deck_code, default_token
from argentum.rules.game import MIN_PLAYERS, MAX_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import BOXES, RESIDENTS_PER_BOX
from argentum.words import errors as why

CLOCKS = (0, 30, 60, 90)  # seconds for a turn; 0: no clock
DEFAULT_BOT = "novice"
FIRST_LOCKS = (0,) * len(SEAT_LETTERS)


@dataclass(frozen=True)
class Place:
    """One seat of a table before and during a game."""

    name: str
    bot: str = ""  # which bot plays it; empty for a person
    claimed: bool = False  # somebody has sat down by its link


@dataclass(frozen=True)
class Rematch:
    """A rematch: each loser of the last game may replace one number of its deck."""

    base: str  # the last game's deck code
    winner: str
    swaps: dict[str, tuple[int, str]] = field(default_factory=dict)  # by seat: number and box

    @property
    def code(self) -> str:
        """The deck with what was replaced."""
        letters = list(self.base)
        for number, box in self.swaps.values():
            letters[number] = box[0]
        return "".join(letters)


@dataclass(frozen=True)
class Arrangement:
    """The settings of a table."""

    places: tuple[Place, ...]
    code: str = "d" * RESIDENTS_PER_BOX
    token: str = ""  # empty: the deck's own (G1)
    memory: bool = False
    seconds: int = 0
    listed: bool = False
    guide: bool = False  # a first game, with a coach
    host: str = SEAT_LETTERS[0]  # whose seat arranges the table
    rematch: Rematch | None = None
    # How often a seat was taken from somebody, also of seats that are gone for now: each time it gets another lock, and
    # so another link. A lock is never used again in the life of a table.
    locks: tuple[int, ...] = FIRST_LOCKS
    deposed: str = ""  # seats of hosts from whom somebody has taken over; nobody frees them in a running game

    @property
    def chosen_token(self) -> str:
        """The token that will be in play."""
        return self.token or default_token(self.code)

    def as_json(self) -> dict[str, Any]:
        """For the log."""
        form = {key: getattr(self, key) for key in ("code", "token", "memory", "seconds", "listed", "guide", "host")}
        form["places"] = [[place.name, place.bot, place.claimed] for place in self.places]
        form["locks"] = self.locks
        if self.deposed:
            form["deposed"] = self.deposed
        if self.rematch is not None:
            form["rematch"] = {"base": self.rematch.base, "winner": self.rematch.winner, "swaps": self.rematch.swaps}
        return form

    @staticmethod
    def of_json(form: dict[str, Any], locks: tuple[int, ...] = FIRST_LOCKS) -> "Arrangement":
        """From the log. Early logs have each seat's lock with its place, and begin anew where a seat was gone.

        `locks` are those until then, so that even there none is used again.
        """
        rest = dict(form)
        rows = rest.pop("places")
        places = tuple([Place(*row[:3]) for row in rows])
        early = [*[row[3] if len(row) > 3 else 0 for row in rows], *[0] * (len(SEAT_LETTERS) - len(rows))]
        rest["locks"] = tuple(rest.get("locks") or [max(pair) for pair in zip(locks, early, strict=True)])
        again = rest.pop("rematch", None)
        if again is not None:
            swaps = {seat: (number, box) for seat, (number, box) in again["swaps"].items()}
            again = Rematch(again["base"], again["winner"], swaps)
        return Arrangement(places, rematch=again, **rest)

    def as_told(self) -> dict[str, Any]:
        """For everybody at the table; before a rematch, with what the losers replace."""
        form: dict[str, Any] = {
            "boxes": self.code, "token": self.chosen_token, "memory": self.memory, "seconds": self.seconds,
            "listed": self.listed, "host": self.host,
        }  # fmt: skip
        if self.rematch is not None:
            again = self.rematch
            form["rematch"] = {"winner": again.winner, "base": again.base, "swaps": again.swaps}
        return form

    # What the host, or a person about their own seat, may change. Each returns the new arrangement or refuses.

    def changed(self, change: dict[str, Any]) -> "Arrangement":
        """With what a host's message asks for."""
        new = self
        known = {
            "boxes": new_boxes,
            "token": new_token_choice,
            "seats": new_seats,
            "memory": new_memory,
            "seconds": new_seconds,
            "listed": new_listed,
        }
        for key, value in change.items():
            if key in known:
                new = known[key](new, value)
        if "seat" in change or "bot" in change:
            new = new.with_bot(change.get("seat"), change.get("bot"))
        if "number" in change or "box" in change:
            new = new.with_number(change.get("number"), change.get("box"))
        return new

    def with_number(self, number: object, box: object) -> "Arrangement":
        """With another box's resident for a number."""
        place = checked_number(number, box)
        return new_boxes(self, self.code[:place] + str(box)[0] + self.code[place + 1 :])

    def with_bot(self, letter: object, bot: object) -> "Arrangement":
        """With a bot, or (empty) a person, in a seat."""
        place = self.place_number(letter)
        if letter == self.host:
            raise Refused(why.HOSTS_SEAT)
        if bot != "" and bot not in bots.names():
            raise Refused(why.NO_SUCH_BOT.format(bot=str(bot)[:20], bots=", ".join(bots.names())))
        return self.locked_anew([place]).with_place(place, Place(self.places[place].name, str(bot)))

    def locked_anew(self, places: Iterable[int]) -> "Arrangement":
        """With another lock for those of these seats in which somebody sits, who then has no seat any more."""
        taken = [place for place in places if self.places[place].claimed]
        return replace(self, locks=tuple([lock + (nth in taken) for nth, lock in enumerate(self.locks)]))

    def named(self, place: int, name: object) -> "Arrangement":
        """With another name for a seat: short, and nobody else's."""
        taken = {other.name.casefold() for nth, other in enumerate(self.places) if nth != place}
        return self.with_place(place, replace(self.places[place], name=unused(clean_name(name), taken)))

    def claimed(self, place: int) -> "Arrangement":
        """Somebody has sat down."""
        return self.with_place(place, replace(self.places[place], claimed=True))

    def hosted(self, letter: str, *, takes_over: bool) -> "Arrangement":
        """With another host, who was asked by the last one or takes over from them."""
        deposed = {*self.deposed, *(self.host if takes_over else "")} - {letter}
        return replace(self, host=letter, deposed="".join(sorted(deposed)))

    def swapped(self, letter: str, number: object, box: object) -> "Arrangement":
        """In a rematch: a loser replaces a number of the deck by another box's."""
        again = self.rematch
        if again is None:
            raise Refused(why.NO_SWAP_NOW)
        if letter == again.winner:
            raise Refused(why.WINNER_SWAPS)
        others = {seat: swap for seat, swap in again.swaps.items() if seat != letter}
        if number is None:
            return replace(self, rematch=replace(again, swaps=others), code=replace(again, swaps=others).code)
        number = checked_number(number, box)
        if again.base[number] == str(box)[0]:
            raise Refused(why.SAME_BOX_SWAP)
        if number in [taken for taken, _ in others.values()]:
            raise Refused(why.NUMBER_TAKEN.format(number=number))
        again = replace(again, swaps={**others, letter: (number, str(box))})
        return replace(self, rematch=again, code=again.code)

    def place_number(self, letter: object) -> int:
        """The place of a seat's letter."""
        place = SEAT_LETTERS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
        if not 0 <= place < len(self.places):
            raise Refused(why.NO_SUCH_SEAT.format(seat=str(letter)[:20]))
        return place

    def persons_number(self, letter: str) -> int:
        """The place of a person's seat; the host may have taken it away, or put a bot there."""
        place = self.place_number(letter)
        if self.places[place].bot:
            raise Refused(why.BOTS_SEAT.format(seat=letter))
        return place

    def with_place(self, place: int, new: Place) -> "Arrangement":
        """With one place changed."""
        return replace(self, places=(*self.places[:place], new, *self.places[place + 1 :]))


def checked_number(number: object, box: object) -> int:
    """A number of the deck that a box is to supply, if both make sense."""
    if (
        not isinstance(number, int)
        or isinstance(number, bool)
        or not 0 <= number < RESIDENTS_PER_BOX
        or box not in BOXES
    ):
        raise Refused(why.INVALID_SWAP.format(last=RESIDENTS_PER_BOX - 1, boxes=", ".join(BOXES)))
    return number


def new_boxes(old: Arrangement, boxes: object) -> Arrangement:
    """Another deck: a box, a deck code, or `random`."""
    if old.rematch is not None:
        raise Refused(why.DECK_STAYS)
    if not isinstance(boxes, str) or len(boxes) > 2 * RESIDENTS_PER_BOX:
        raise Refused(why.INVALID_BOXES.format(any_deck=RANDOM_DECK))
    try:
        code = resolve_deck_code(boxes, SystemRandom())
    except ValueError as error:
        raise Refused(str(error)) from None
    return replace(old, code=code)


def new_token_choice(old: Arrangement, token: object) -> Arrangement:
    """Another token, or (empty) the deck's own."""
    if token != "" and token not in BOXES:
        raise Refused(why.INVALID_TOKEN.format(boxes=", ".join(BOXES)))
    return replace(old, token=str(token))


def new_seats(old: Arrangement, seats: object) -> Arrangement:
    """More or fewer seats; new ones are open to people."""
    if not isinstance(seats, int) or isinstance(seats, bool) or not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        raise Refused(why.INVALID_SEAT_COUNT.format(fewest=MIN_PLAYERS, most=MAX_PLAYERS))
    if SEAT_LETTERS.index(old.host) >= seats:
        raise Refused(why.HOST_STAYS)
    places = list(old.places[:seats])
    while len(places) < seats:
        taken = {place.name.casefold() for place in places}
        places.append(Place(unused(NAMES[len(places)], taken)))
    new = replace(old.locked_anew(range(seats, len(old.places))), places=tuple(places))
    if old.rematch is None:
        return new
    again = replace(
        old.rematch, swaps={at: swap for at, swap in old.rematch.swaps.items() if at in SEAT_LETTERS[:seats]}
    )
    return replace(new, rematch=again, code=again.code)


def new_memory(old: Arrangement, memory: object) -> Arrangement:
    """With memory, or with open notes."""
    if not isinstance(memory, bool):
        raise Refused(why.INVALID_MEMORY)
    return replace(old, memory=memory)


def new_seconds(old: Arrangement, seconds: object) -> Arrangement:
    """Another time for a turn."""
    if isinstance(seconds, str) and seconds.isdecimal():
        seconds = int(seconds)
    if not isinstance(seconds, int) or isinstance(seconds, bool) or seconds not in CLOCKS:
        raise Refused(why.INVALID_TIME.format(clocks=", ".join(map(str, CLOCKS))))
    return replace(old, seconds=seconds)


def new_listed(old: Arrangement, listed: object) -> Arrangement:
    """Found by anyone, or by invitation."""
    if not isinstance(listed, bool):
        raise Refused(why.INVALID_LISTED)
    return replace(old, listed=listed)


def first_arrangement(name: str = "", code: str = "dagger", opponents: int = 1, bot: str = "") -> Arrangement:
    """A new table: the host, and others who are bots (or, with no bot named, open seats)."""
    host = Place(clean_name(name) if name.strip() else NAMES[0], claimed=True)
    taken = {host.name.casefold()}
    others = []
    for nth in range(1, opponents + 1):
        others.append(Place(unused(NAMES[nth], taken), bot))
        taken.add(others[-1].name.casefold())
    return new_boxes(Arrangement((host, *others)), code)
