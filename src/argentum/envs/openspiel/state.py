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
from argentum.envs.rewards import point_differences
from argentum.envs.spaces import game_observation_row
from argentum.observations.actions import ACTION_OF_MOVE, MOVE_OF_ACTION
from argentum.observations.history import action_token, event_token
from argentum.rules.deal import DEALT_SETS, DECK_SIZE, FULL_DECK, VILLAGE_SIZE, Deal, missing_cards
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS, move_text
from argentum.rules.residents import CARDS_IN_DECK
from argentum.rules.table import NO_SEAT

CHANCE_PLAYER: Final = -1
TERMINAL_PLAYER: Final = -4
MAX_TOKENS: Final = 64  # of what a seat was told and did that its tensor holds
NO_MOVE: Final = -1
UNKNOWN_FACE: Final = 255
FIRST_DISCARD_CARD: Final = DEALT_SETS * VILLAGE_SIZE  # the card that begins the discard pile
SpielStep: TypeAlias = int | tuple[int, int]  # an outcome or an action; or a re-deal, as the seat and the seed

# What chance does.
CHANCE_START_SEAT: Final = "starts"  # it says who plays first
CHANCE_DISCARD: Final = "begins"  # it deals the first discard of a round
CHANCE_FIRST_LOOK: Final = "shows"  # it deals the cards of a first look
CHANCE_DEAL: Final = "fills"  # it deals all that is left
CHANCE_SHUFFLE: Final = "shuffles"  # it says how a village comes out of a shuffle (B8)
NO_CHANCE: Final = ""


class SpielHistory:
    """What a seat was told and what it did, in that order: all of it in lines, the last of it also as tokens."""

    def __init__(self) -> None:
        self.lines = ""
        self.tokens: tuple[bytes, ...] = ()
        self.event_count = 0  # events

    def copy(self) -> "SpielHistory":
        """The same memory, to be added to by itself."""
        new = SpielHistory()
        new.lines, new.tokens, new.event_count = self.lines, self.tokens, self.event_count
        return new

    def add_events(self, game: Game, seat: int) -> None:
        """Add what the seat has been told since."""
        events = game.events(SEAT_LETTERS[seat], since=self.event_count)
        if events:
            self.event_count += len(events)
            self.lines += "".join([event_text(event) + "\n" for event in events])
            self.tokens = (*self.tokens, *[event_token(event, seat, game.players) for event in events])[-MAX_TOKENS:]

    def add_move(self, game: Game, seat: int, move: int, action: int) -> None:
        """Add a move of the seat's own, with a digest of the faces that it knew when it chose.

        The digest makes the recall perfect: not every face that a seat sees is told, as on top of a faceup deck (B5).
        """
        table = game.copy_table()
        bit = 1 << seat
        known = bytes(
            [number if seen & bit else UNKNOWN_FACE for number, seen in zip(table.faces, table.seen_by, strict=True)]
        )
        self.lines += f"> {move_text(move)} [{blake2b(known, digest_size=4).hexdigest()}]\n"
        self.tokens = (*self.tokens, action_token(action))[-MAX_TOKENS:]


class SpielProgress:
    """A game of one to four rounds, from before the first card is dealt."""

    def __init__(self, boxes: str, players: int, rounds: int, steps: Iterable[SpielStep] = ()) -> None:
        self.boxes: Final = boxes
        self.players: Final = players
        self.rounds: Final = rounds
        self.steps: list[SpielStep] = []
        self.game: Game | None = None
        self.memories = [SpielHistory() for _ in range(players)]
        self.start_seat = NO_SEAT  # who plays first
        self.acted = False  # somebody has, in this round
        self.chance_kind = CHANCE_START_SEAT  # what chance does now
        self.pending_move = NO_MOVE  # a move that waits for chance
        self.undealt: list[int] = []  # cards that are not dealt yet
        self.chance_cards: list[int] = []  # those that chance deals now; of a shuffled village, their places
        self.chance_numbers: list[int] = []  # and what it has dealt of them
        for step in steps:
            self.step(step)

    def __reduce__(self) -> tuple[object, ...]:
        return SpielProgress, (self.boxes, self.players, self.rounds, self.steps)

    def __deepcopy__(self, memo: object) -> "SpielProgress":
        return self.copy()

    def copy(self) -> "SpielProgress":
        """The same course, to be continued by itself."""
        new = SpielProgress(self.boxes, self.players, self.rounds)
        new.steps = self.steps[:]
        new.game = None if self.game is None else self.game.copy()
        new.memories = [memory.copy() for memory in self.memories]
        new.start_seat, new.acted, new.chance_kind, new.pending_move = (
            self.start_seat,
            self.acted,
            self.chance_kind,
            self.pending_move,
        )
        new.undealt, new.chance_cards, new.chance_numbers = self.undealt, self.chance_cards, self.chance_numbers[:]
        return new

    # Who is next, and what may happen.

    @property
    def chooser(self) -> int:
        """The seat to move, or :data:`CHANCE`, or :data:`TERMINAL`."""
        if self.chance_kind != NO_CHANCE:
            return CHANCE_PLAYER
        game = self._require_game()
        return TERMINAL_PLAYER if game.over else game.chooser

    def legal_actions(self) -> list[int]:
        """The legal actions of the seat to move, in order."""
        game = self._require_game()
        table = ACTION_OF_MOVE[self.players][game.chooser]
        return sorted([table[move] for move in game.legal_moves()])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and how likely each is."""
        if self.chance_kind == CHANCE_START_SEAT:
            return [(seat, 1 / self.players) for seat in range(self.players)]
        left = self._remaining_numbers()
        total = left.total()
        return [(number, left[number] / total) for number in sorted(left)]

    def _remaining_numbers(self) -> Counter[int]:
        """The numbers that chance deals from: of a village that is shuffled, or of all cards that are not dealt yet."""
        if self.chance_kind == CHANCE_DISCARD:
            return Counter(FULL_DECK)
        if self.chance_kind == CHANCE_SHUFFLE:
            village = self._shuffled()
            return Counter([village[place] for place in self.chance_cards]) - Counter(self.chance_numbers)
        faces = self._require_game().copy_table().faces
        return Counter([faces[card] for card in self.undealt]) - Counter(self.chance_numbers)

    def _require_game(self) -> Game:
        """The game, which has begun."""
        assert self.game is not None
        return self.game

    # Steps.

    def step(self, step: SpielStep) -> None:
        """Go on by one step."""
        if isinstance(step, tuple):
            self._redeal(*step)
        elif self.chance_kind == CHANCE_START_SEAT:
            self.start_seat = step
            self._start_chance(CHANCE_DISCARD, [FIRST_DISCARD_CARD])
        elif self.chance_kind != NO_CHANCE:
            self._deal(step)
        else:
            self._act(step)
        self.steps.append(step)

    def redeal(self, seat: int, seed: int) -> "SpielProgress":
        """A course in which all that a seat cannot know is dealt anew (`Game.redeal`)."""
        new = self.copy()
        new.step((seat, seed))
        return new

    def _redeal(self, seat: int, seed: int) -> None:
        game = self._require_game()
        self.memories[seat].add_events(game, seat)
        self.game = game.redeal(SEAT_LETTERS[seat], Random(seed))
        for other in range(self.players):
            if other != seat:  # what they were told before is known as the one seat knows it
                self.memories[other] = SpielHistory()

    def _act(self, action: int) -> None:
        """The seat to move does something."""
        game = self._require_game()
        seat = game.chooser
        move = MOVE_OF_ACTION[self.players][seat][action]
        after = game.copy()
        after.play(move)
        self.memories[seat].add_events(game, seat)
        self.memories[seat].add_move(game, seat, move, action)
        self.acted = True
        self._resolve_move(move, after, False)

    def _resolve_move(self, move: int, after: Game, shuffled: bool) -> None:
        """Let a move be made that leads to this game; or let it wait for chance, which deals what it needs."""
        game = self._require_game()
        here, there = game.copy_table(), after.copy_table()
        self.pending_move = move
        if here.first_look_pending != there.first_look_pending and after.round == game.round:
            seat = game.chooser
            self._start_chance(CHANCE_FIRST_LOOK, [card for card in there.villages[seat] if there.seen_by[card]])
        elif not shuffled and len(after.shuffles(game.round)) > len(game.shuffles(game.round)):
            village = after.shuffles(game.round)[-1].cards.split()
            self._start_chance(
                CHANCE_SHUFFLE, [place for place, card in enumerate(village) if not {"^", "*"} & set(card)]
            )
        elif after.round > game.round:
            self._start_chance(CHANCE_DISCARD, [FIRST_DISCARD_CARD])
        else:
            self._set_game(after)

    def _set_game(self, game: Game) -> None:
        """The game is here now; when all have looked, chance deals the other cards (G2, G4)."""
        self.game = game
        self.pending_move = NO_MOVE
        self._start_chance(NO_CHANCE, [])
        if self.undealt and not game.in_first_look:
            table = game.copy_table()
            rest = [*[card for village in table.villages for card in village], *reversed(table.deck)]
            self._start_chance(CHANCE_DEAL, [card for card in rest if card in self.undealt])

    def _start_chance(self, chance: str, cards: list[int]) -> None:
        """Let chance deal some cards, one after another."""
        self.chance_kind, self.chance_cards, self.chance_numbers = chance, cards, []

    def _deal(self, number: int) -> None:
        """Chance deals a card; with the last of them, the game goes on."""
        self.chance_numbers.append(number)
        if len(self.chance_numbers) < len(self.chance_cards):
            return
        if self.chance_kind == CHANCE_DISCARD:
            self.undealt = [card for card in range(CARDS_IN_DECK) if card != FIRST_DISCARD_CARD]
            self.acted = False
            self._set_game(self._start_round(number))
        elif self.chance_kind == CHANCE_SHUFFLE:
            village = self._shuffled()
            for place, resident_number in zip(self.chance_cards, self.chance_numbers, strict=True):
                village[place] = resident_number
            self.game = self._require_game().with_faces({}, [village])
            self._resolve_move(self.pending_move, self._game_after_pending(), True)
        elif self.chance_kind == CHANCE_FIRST_LOOK:
            self._assign_faces()
            self._set_game(self._game_after_pending())
        else:
            self._assign_faces()
            self._set_game(self._require_game())

    def _game_after_pending(self) -> Game:
        """The game after the move that waits."""
        game = self._require_game().copy()
        game.play(self.pending_move)
        return game

    def _shuffled(self) -> list[int]:
        """How the village that the waiting move shuffles comes out so far: the numbers of all its cards."""
        return self._game_after_pending().shuffles(self._require_game().round)[-1].numbers

    def _start_round(self, discard: int) -> Game:
        """A game at the start of a round (G3)."""
        if self.game is None:
            left, dealt = missing_cards([discard]), self.players * VILLAGE_SIZE
            villages = [left[first : first + VILLAGE_SIZE] for first in range(0, dealt, VILLAGE_SIZE)]
            deal = Deal(self.start_seat, villages, discard, left[dealt : dealt + DECK_SIZE])
            return Game.new(self.boxes, self.players, 0, deals=[deal], rounds=self.rounds)
        game = self._game_after_pending()
        faces = game.copy_table().faces
        return game.with_faces({faces.index(discard): faces[FIRST_DISCARD_CARD], FIRST_DISCARD_CARD: discard})

    def _assign_faces(self) -> None:
        """The cards have their faces; those that are left share what is left."""
        game = self._require_game()
        left = list(self._remaining_numbers().elements())
        undealt = [card for card in self.undealt if card not in self.chance_cards]
        faces = dict(zip([*self.chance_cards, *undealt], [*self.chance_numbers, *left], strict=True))
        # When the last cards are dealt, what nobody plays with is left over (G2).
        self.undealt = undealt if game.in_first_look else []
        self.game = game.with_faces(faces)

    # What a seat may know.

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """The observation of a seat."""
        return game_observation_row(self._require_game(), seat)

    def history(self, seat: int) -> SpielHistory:
        """What a seat was told and did, up to now."""
        if self.game is not None:
            self.memories[seat].add_events(self.game, seat)
        return self.memories[seat]

    # Points.

    def points(self) -> list[list[float]]:
        """By finished round: how many points less than the others' average each seat has; the sum is 0."""
        scores = [] if self.game is None else self.game.scores
        return [point_differences(list(points.values())) for points in scores]

    @property
    def round_just_ended(self) -> bool:
        """Whether a round has ended since anybody chose: the game is over, or the next first look begins."""
        return self.chooser == TERMINAL_PLAYER or (self.chooser != CHANCE_PLAYER and not self.acted)
