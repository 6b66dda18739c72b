"""A game as OpenSpiel walks through it: step by step, some by chance and some by the seats.

Chance says who starts, what the first discard is, what each seat sees in its first look, then what the other cards are,
one by one, and how a Thing's shuffle comes out (B8). So every step has its probability, and a tree can be built from
any position. A card that is not dealt yet holds some face of those that are left.
"""

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from argentum.envs.openspiel.text import event_text
from argentum.envs.spaces import row_of
from argentum.observations.actions import ACTION_OF_MOVE, MOVE_OF_ACTION
from argentum.observations.history import action_token, event_token
from argentum.rules.deal import DECK_SIZE, FULL_DECK, DEALT_SETS, VILLAGE_SIZE, Deal, missing_cards
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS, move_text
from argentum.rules.residents import CARDS_IN_DECK
from argentum.rules.table import NO_SEAT

CHANCE: Final = -1
TERMINAL: Final = -4
TOKENS: Final = 64  # of what a seat was told and did that its tensor holds
NO_MOVE: Final = -1
UNKNOWN: Final = 255
DISCARD: Final = DEALT_SETS * VILLAGE_SIZE  # the card that begins the discard pile
Step: TypeAlias = int | tuple[int, int]  # an outcome or an action; or a re-deal, as the seat and the seed

# What chance does.
STARTS: Final = "starts"  # it says who plays first
BEGINS: Final = "begins"  # it deals the first discard of a round
SHOWS: Final = "shows"  # it deals the cards of a first look
FILLS: Final = "fills"  # it deals all that is left
SHUFFLES: Final = "shuffles"  # it says how a village comes out of a shuffle (B8)
NOTHING: Final = ""


class Memory:
    """What a seat was told and what it did, in that order: all of it in lines, the last of it also as tokens."""

    def __init__(self) -> None:
        self.lines = ""
        self.tokens: tuple[bytes, ...] = ()
        self.read = 0  # events

    def copy(self) -> "Memory":
        """The same memory, to be added to by itself."""
        new = Memory()
        new.lines, new.tokens, new.read = self.lines, self.tokens, self.read
        return new

    def listen(self, game: Game, seat: int) -> None:
        """Add what the seat has been told since."""
        events = game.events(SEAT_LETTERS[seat], since=self.read)
        if events:
            self.read += len(events)
            self.lines += "".join([event_text(event) + "\n" for event in events])
            self.tokens = (*self.tokens, *[event_token(event, seat, game.players) for event in events])[-TOKENS:]

    def act(self, game: Game, seat: int, move: int, action: int) -> None:
        """Add a move of the seat's own, with a digest of the faces that it knew when it chose.

        The digest makes the recall perfect: not every face that a seat sees is told, as on top of a faceup deck (B5).
        """
        table = game.copy_table()
        bit = 1 << seat
        known = bytes(
            [number if seen & bit else UNKNOWN for number, seen in zip(table.faces, table.seen_by, strict=True)]
        )
        self.lines += f"> {move_text(move)} [{blake2b(known, digest_size=4).hexdigest()}]\n"
        self.tokens = (*self.tokens, action_token(action))[-TOKENS:]


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
        self.chance = STARTS  # what chance does now
        self.waiting = NO_MOVE  # a move that waits for chance
        self.undealt: list[int] = []  # cards that are not dealt yet
        self.cards: list[int] = []  # those that chance deals now; of a shuffled village, their places
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
        new.start, new.acted, new.chance, new.waiting = self.start, self.acted, self.chance, self.waiting
        new.undealt, new.cards, new.numbers = self.undealt, self.cards, self.numbers[:]
        return new

    # Who is next, and what may happen.

    @property
    def chooser(self) -> int:
        """The seat to move, or :data:`CHANCE`, or :data:`TERMINAL`."""
        if self.chance != NOTHING:
            return CHANCE
        game = self._running()
        return TERMINAL if game.over else game.chooser

    def actions(self) -> list[int]:
        """The legal actions of the seat to move, in order."""
        game = self._running()
        table = ACTION_OF_MOVE[self.players][game.chooser]
        return sorted([table[move] for move in game.legal_moves()])

    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and how likely each is."""
        if self.chance == STARTS:
            return [(seat, 1 / self.players) for seat in range(self.players)]
        left = self._left()
        total = left.total()
        return [(number, left[number] / total) for number in sorted(left)]

    def _left(self) -> Counter[int]:
        """The numbers that chance deals from: of a village that is shuffled, or of all cards that are not dealt yet."""
        if self.chance == BEGINS:
            return Counter(FULL_DECK)
        if self.chance == SHUFFLES:
            village = self._shuffled()
            return Counter([village[place] for place in self.cards]) - Counter(self.numbers)
        faces = self._running().copy_table().faces
        return Counter([faces[card] for card in self.undealt]) - Counter(self.numbers)

    def _running(self) -> Game:
        """The game, which has begun."""
        assert self.game is not None
        return self.game

    # Steps.

    def step(self, step: Step) -> None:
        """Go on by one step."""
        if isinstance(step, tuple):
            self._deal_anew(*step)
        elif self.chance == STARTS:
            self.start = step
            self._wait_for(BEGINS, [DISCARD])
        elif self.chance != NOTHING:
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
        game = self._running()
        self.memories[seat].listen(game, seat)
        self.game = game.redeal(SEAT_LETTERS[seat], Random(seed))
        for other in range(self.players):
            if other != seat:  # what they were told before is known as the one seat knows it
                self.memories[other] = Memory()

    def _act(self, action: int) -> None:
        """The seat to move does something."""
        game = self._running()
        seat = game.chooser
        move = MOVE_OF_ACTION[self.players][seat][action]
        after = game.copy()
        after.play(move)
        self.memories[seat].listen(game, seat)
        self.memories[seat].act(game, seat, move, action)
        self.acted = True
        self._go_on(move, after, False)

    def _go_on(self, move: int, after: Game, shuffled: bool) -> None:
        """Let a move be made that leads to this game; or let it wait for chance, which deals what it needs."""
        game = self._running()
        here, there = game.copy_table(), after.copy_table()
        self.waiting = move
        if here.first_look_pending != there.first_look_pending and after.round == game.round:
            seat = game.chooser
            self._wait_for(SHOWS, [card for card in there.villages[seat] if there.seen_by[card]])
        elif not shuffled and len(after.shuffles(game.round)) > len(game.shuffles(game.round)):
            village = after.shuffles(game.round)[-1].cards.split()
            self._wait_for(SHUFFLES, [place for place, card in enumerate(village) if not {"^", "*"} & set(card)])
        elif after.round > game.round:
            self._wait_for(BEGINS, [DISCARD])
        else:
            self._arrive(after)

    def _arrive(self, game: Game) -> None:
        """The game is here now; when all have looked, chance deals the other cards (G2, G4)."""
        self.game = game
        self.waiting = NO_MOVE
        self._wait_for(NOTHING, [])
        if self.undealt and not game.in_first_look:
            table = game.copy_table()
            rest = [*[card for village in table.villages for card in village], *reversed(table.deck)]
            self._wait_for(FILLS, [card for card in rest if card in self.undealt])

    def _wait_for(self, chance: str, cards: list[int]) -> None:
        """Let chance deal some cards, one after another."""
        self.chance, self.cards, self.numbers = chance, cards, []

    def _deal(self, number: int) -> None:
        """Chance deals a card; with the last of them, the game goes on."""
        self.numbers.append(number)
        if len(self.numbers) < len(self.cards):
            return
        if self.chance == BEGINS:
            self.undealt = [card for card in range(CARDS_IN_DECK) if card != DISCARD]
            self.acted = False
            self._arrive(self._begun(number))
        elif self.chance == SHUFFLES:
            village = self._shuffled()
            for place, one in zip(self.cards, self.numbers, strict=True):
                village[place] = one
            self.game = self._running().with_faces({}, [village])
            self._go_on(self.waiting, self._after(), True)
        elif self.chance == SHOWS:
            self._fill()
            self._arrive(self._after())
        else:
            self._fill()
            self._arrive(self._running())

    def _after(self) -> Game:
        """The game after the move that waits."""
        game = self._running().copy()
        game.play(self.waiting)
        return game

    def _shuffled(self) -> list[int]:
        """How the village that the waiting move shuffles comes out so far: the numbers of all its cards."""
        return self._after().shuffles(self._running().round)[-1].numbers

    def _begun(self, discard: int) -> Game:
        """A game at the start of a round (G3)."""
        if self.game is None:
            left, dealt = missing_cards([discard]), self.players * VILLAGE_SIZE
            villages = [left[first : first + VILLAGE_SIZE] for first in range(0, dealt, VILLAGE_SIZE)]
            deal = Deal(self.start, villages, discard, left[dealt : dealt + DECK_SIZE])
            return Game.new(self.boxes, self.players, 0, deals=[deal], rounds=self.rounds)
        game = self._after()
        faces = game.copy_table().faces
        return game.with_faces({faces.index(discard): faces[DISCARD], DISCARD: discard})

    def _fill(self) -> None:
        """The cards have their faces; those that are left share what is left."""
        game = self._running()
        left = list(self._left().elements())
        undealt = [card for card in self.undealt if card not in self.cards]
        faces = dict(zip([*self.cards, *undealt], [*self.numbers, *left], strict=True))
        # When the last cards are dealt, what nobody plays with is left over (G2).
        self.undealt = undealt if game.in_first_look else []
        self.game = game.with_faces(faces)

    # What a seat may know.

    def seen(self, seat: int) -> NDArray[np.uint8]:
        """The observation of a seat."""
        return row_of(self._running(), seat)

    def memory(self, seat: int) -> Memory:
        """What a seat was told and did, up to now."""
        if self.game is not None:
            self.memories[seat].listen(self.game, seat)
        return self.memories[seat]

    # Points.

    def points(self) -> list[list[float]]:
        """By finished round: how many points less than the others' average each seat has; the sum is 0."""
        scores = [] if self.game is None else self.game.scores
        return [margins(list(points.values())) for points in scores]

    @property
    def fresh(self) -> bool:
        """Whether a round has ended since anybody chose: the game is over, or the next first look begins."""
        return self.chooser == TERMINAL or (self.chooser != CHANCE and not self.acted)


def margins(scores: list[int]) -> list[float]:
    """How many points less than the others' average each seat has."""
    others = len(scores) - 1
    return [(sum(scores) - own) / others - own for own in scores]
