"""A game as OpenSpiel walks through it: step by step, some by chance and some by the seats.

Chance says who starts, what the first discard is, what each seat sees in its first look, then what the other cards are,
one by one, and how a Thing's shuffle comes out (B8). So every step has its probability, and a tree can be built from
any position. A card that is not dealt yet holds some face of those that are left.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from random import Random
from typing import Final, TypeAlias

from argentum.envs.actions import ACTION_TABLE, MOVE_TABLE
from argentum.envs.observation import SIZE, encode
from argentum.envs.spiel_words import OWN_MOVE, Row, told_row
from argentum.rules.boxes import cast_of
from argentum.rules.deal import FULL_DECK, SETS, VILLAGE_SIZE, deal_next, lay_out
from argentum.rules.game import Game, Setup
from argentum.rules.notation import SEATS, text
from argentum.rules.residents import CARDS
from argentum.rules.table import COVERED, NO_SEAT, UP, Table

CHANCE: Final = -1
TERMINAL: Final = -4
ROWS: Final = 64  # of what a seat was told that its tensor holds
NO_MOVE: Final = -1
UNKNOWN: Final = 255
DISCARD: Final = SETS * VILLAGE_SIZE  # the card that begins the discard pile
Step: TypeAlias = int | tuple[int, int]  # an outcome or an action; or a re-deal, as the seat and the seed


class Memory:
    """What a seat was told and what it did, in that order."""

    def __init__(self) -> None:
        self.lines = ""
        self.rows: tuple[Row, ...] = ()  # the last of it, as numbers
        self.read = 0  # events

    def copy(self) -> "Memory":
        """The same memory, to be added to by itself."""
        new = Memory()
        new.lines, new.rows, new.read = self.lines, self.rows, self.read
        return new

    def listen(self, game: Game, seat: int) -> None:
        """Add what the seat has been told since."""
        events = game.events(SEATS[seat], since=self.read)
        if events:
            self.read += len(events)
            self.lines += "".join([event.text + "\n" for event in events])
            self.rows = (*self.rows, *[told_row(event, seat, game.players) for event in events])[-ROWS:]

    def act(self, game: Game, seat: int, move: int, action: int) -> None:
        """Add a move of the seat's own, with a digest of the faces that it knew when it chose.

        The digest makes the recall perfect: not every face that a seat sees is told, as on top of a faceup deck (B5).
        """
        table = game.table
        bit = 1 << seat
        known = bytes([number if seen & bit else UNKNOWN for number, seen in zip(table.faces, table.seen, strict=True)])
        self.lines += f"> {text(move)} [{blake2b(known, digest_size=4).hexdigest()}]\n"
        self.rows = (*self.rows, (OWN_MOVE, 1, 0, 0, 0, action + 1))[-ROWS:]


class Course:
    """A game of one to four rounds, from before the first card is dealt."""

    def __init__(self, boxes: str, players: int, rounds: int, steps: Iterable[Step] = ()) -> None:
        self.boxes: Final = boxes
        self.players: Final = players
        self.rounds: Final = rounds
        self.steps: list[Step] = []
        self.game: Game | None = None
        self.memories = [Memory() for _ in range(players)]
        self.start = NO_SEAT  # who plays first
        self.acted = False  # somebody has, in this round
        self.waiting = NO_MOVE  # a move that waits for chance
        self.undealt: list[int] = []  # cards that are not dealt yet
        self.cards: list[int] = []  # those that chance deals now
        self.numbers: list[int] = []  # and what it has dealt of them
        for step in steps:
            self.step(step)

    def __reduce__(self) -> tuple[object, ...]:
        return Course, (self.boxes, self.players, self.rounds, self.steps)

    def __deepcopy__(self, memo: object) -> "Course":
        return self.copy()

    def copy(self) -> "Course":
        """The same course, to be continued by itself."""
        new = Course(self.boxes, self.players, self.rounds)
        new.steps = self.steps[:]
        new.game = None if self.game is None else self.game.copy()
        new.memories = [memory.copy() for memory in self.memories]
        new.start, new.acted, new.waiting = self.start, self.acted, self.waiting
        new.undealt, new.cards, new.numbers = self.undealt, self.cards, self.numbers[:]
        return new

    # Who is next, and what may happen.

    @property
    def chooser(self) -> int:
        """The seat to move, or :data:`CHANCE`, or :data:`TERMINAL`."""
        game = self.game
        if game is None or self.cards:
            return CHANCE
        return TERMINAL if game.over else game.chooser

    def actions(self) -> list[int]:
        """The legal actions of the seat to move, in order."""
        assert self.game is not None
        table = ACTION_TABLE[self.players][self.game.chooser]
        return sorted([table[move] for move in self.game.choices()])

    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and how likely each is."""
        if self.start == NO_SEAT:
            return [(seat, 1 / self.players) for seat in range(self.players)]
        left = self._left()
        total = left.total()
        return [(number, left[number] / total) for number in sorted(left)]

    def _left(self) -> Counter[int]:
        """The numbers that chance deals from: of a village that is shuffled, or of all cards that are not dealt yet."""
        if self.game is None or self.game.over:
            return Counter(FULL_DECK)
        cards = self.undealt or self.cards
        return Counter([self.game.table.faces[card] for card in cards]) - Counter(self.numbers)

    # Steps.

    def step(self, step: Step) -> None:
        """Go on by one step."""
        if isinstance(step, tuple):
            self._deal_anew(*step)
        elif self.chooser == CHANCE:
            self._deal(step)
        else:
            self._act(step)
        self.steps.append(step)

    def redeal(self, seat: int, seed: int) -> "Course":
        """A course in which all that a seat cannot know is dealt anew (`Game.redeal`)."""
        new = self.copy()
        new.step((seat, seed))
        return new

    def _deal_anew(self, seat: int, seed: int) -> None:
        assert self.game is not None
        self.memories[seat].listen(self.game, seat)
        self.game = self.game.redeal(SEATS[seat], Random(seed))
        for other in range(self.players):
            if other != seat:  # what they were told before is known as the one seat knows it
                self.memories[other] = Memory()

    def _deal(self, outcome: int) -> None:
        """Chance says who starts, or deals a card; with the last of them, the game goes on."""
        if self.start == NO_SEAT:
            self.start = outcome
            self.cards = [DISCARD]
            return
        self.numbers.append(outcome)
        if len(self.numbers) < len(self.cards):
            return
        if self.game is None or self.game.over:
            self.game = self._begun(outcome)
            self.undealt = [card for card in range(CARDS) if card != DISCARD]
            self.acted = False
        elif self.undealt:
            self._fill()
        else:
            self._shuffle()
        self.cards, self.numbers = [], []
        if self.waiting != NO_MOVE:
            self.game.play(self.waiting)
            self.waiting = NO_MOVE
        self._go_on()

    def _go_on(self) -> None:
        """The other cards are dealt when all have looked; after a round, the next one's first discard (G2, G4)."""
        game = self.game
        assert game is not None
        table = game.table
        if game.over and len(game.finished) < self.rounds:
            self.cards = [DISCARD]
        elif self.undealt and not table.looking:
            rest = [*[card for village in table.villages for card in village], *reversed(table.deck)]
            self.cards = [card for card in rest if card in self.undealt]

    def _begun(self, discard: int) -> Game:
        """A game at the start of a round (G3)."""
        if self.game is None:
            table = Table(cast_of(self.boxes), self.players, 0)
            lay_out(table, self.start, FULL_DECK[:])
            table.token_seat = self.start
            setup = Setup(table, list(SEATS[: self.players]), (), True)
        else:
            table = deal_next(self.game.table, None)
            setup = Setup(table, self.game.names, (), True, self.game.past, self.game.finished)
        other = table.faces.index(discard)
        table.faces[DISCARD], table.faces[other] = discard, table.faces[DISCARD]
        return Game(setup, table).from_start()

    def _fill(self) -> None:
        """The cards have their faces; those that are left share what is left."""
        assert self.game is not None
        left = list(self._left().elements())
        undealt = [card for card in self.undealt if card not in self.cards]
        faces = dict(zip([*self.cards, *undealt], [*self.numbers, *left], strict=True))
        # When the last cards are dealt, what nobody plays with is left over (G2).
        self.undealt = undealt if self.game.table.looking else []
        self.game = changed(self.game, faces, self.game.table.given)

    def _shuffle(self) -> None:
        """The village that is shuffled is to come out so (B8)."""
        assert self.game is not None
        faces = dict(zip(self.cards, self.numbers, strict=True))
        after = self.game.copy()
        after.play(self.waiting)
        *earlier, village = after.table.outcomes
        given = [[card & 15 for card in outcome[1:]] for outcome in earlier]
        given.append([faces.get(card >> 7, card & 15) for card in village[1:]])
        self.game = changed(self.game, {}, given)

    def _act(self, action: int) -> None:
        """The seat to move does something; if that shows cards of a first look, or shuffles, chance is next."""
        game = self.game
        assert game is not None
        seat = game.chooser
        move = MOVE_TABLE[self.players][seat][action]
        after = game.copy()
        after.play(move)
        self.memories[seat].listen(game, seat)
        self.memories[seat].act(game, seat, move, action)
        self.acted = True
        if game.table.looking != after.table.looking:
            self.waiting = move
            self.cards = [card for card in after.table.villages[seat] if after.table.seen[card]]
        elif len(after.table.outcomes) > len(game.table.outcomes):
            self.waiting = move
            self.cards = [card >> 7 for card in after.table.outcomes[-1][1:] if not card & (UP | COVERED)]
        else:
            self.game = after
            self._go_on()

    # What a seat may know.

    def seen(self, seat: int) -> bytes:
        """The observation of a seat, and its legal moves."""
        assert self.game is not None
        buffer = bytearray(SIZE)
        encode(self.game, seat, buffer)
        return bytes(buffer) + repr(self.game.choices_of(seat)).encode()

    def memory(self, seat: int) -> Memory:
        """What a seat was told and did, up to now."""
        if self.game is not None:
            self.memories[seat].listen(self.game, seat)
        return self.memories[seat]

    # Points.

    def points(self) -> list[list[float]]:
        """By finished round: how many points less than the others' average each seat has; the sum is 0."""
        finished = () if self.game is None else self.game.finished
        return [margins(table.scores) for table in finished]

    @property
    def fresh(self) -> bool:
        """Whether a round has ended since anybody chose: the game is over, or the next first look begins."""
        return self.chooser == TERMINAL or (self.chooser != CHANCE and not self.acted)


def margins(scores: list[int]) -> list[float]:
    """How many points less than the others' average each seat has."""
    others = len(scores) - 1
    return [(sum(scores) - own) / others - own for own in scores]


def changed(game: Game, faces: dict[int, int], given: Sequence[Sequence[int]]) -> Game:
    """The same game with these faces, in which shuffles come out as given."""
    new = game.copy()
    start = game.start.copy()
    start.events = game.start.events[:]
    new.start = start
    _change(start, faces, given)
    new = new.copy()  # where the table is not at rest, the moves since that one are made again
    _change(new.table, faces, given)
    return new


def _change(table: Table, faces: dict[int, int], given: Sequence[Sequence[int]]) -> None:
    for card, number in faces.items():
        table.faces[card] = number
    table.given = given
