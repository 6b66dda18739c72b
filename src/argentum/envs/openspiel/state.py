"""A game of `python_silver` that advances by actions of the seats and explicit chance outcomes.

Chance decides the deck if there is a choice, the start seat, the first discard, the cards of each first look, then all
other cards one by one, and the result of a Thing's shuffle (B8). As chance is explicit, every step has a probability
and a game tree can be built from any position. A card that chance has not dealt yet has an arbitrary one of the faces
that remain.
"""

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from argentum.envs.openspiel.text import event_text
from argentum.envs.spaces import game_observation_row
from argentum.observations.actions import ACTION_OF_MOVE, MOVE_OF_ACTION
from argentum.observations.history import action_token, event_token
from argentum.rules.boxes import BOX_BY_LETTER, deck_code, is_random_deck, random_deck_letters
from argentum.rules.deal import DEALT_SETS, DECK_SIZE, FULL_DECK, VILLAGE_SIZE, Deal, missing_cards
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS, move_text
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX
from argentum.rules.standings import point_differences
from argentum.rules.table import NO_SEAT

CHANCE_PLAYER: Final = -1
TERMINAL_PLAYER: Final = -4
MAX_TOKENS: Final = 64  # events and actions in the tensor of a history; text has all of them
NO_MOVE: Final = -1
UNKNOWN_FACE: Final = 255
FIRST_DISCARD_CARD: Final = DEALT_SETS * VILLAGE_SIZE  # the card that begins the discard pile
SpielStep: TypeAlias = int | tuple[int, int]  # an action or a chance outcome; or the seat and the seed of a re-deal

# Between the decks of a list in a parameter of OpenSpiel, which separates parameters by commas.
DECK_SEPARATOR: Final = "/"
# What chance decides now.
CHANCE_DECK: Final = "deck"  # one of the list
CHANCE_BOX: Final = "box"  # of each number of a random deck, from 0 up
CHANCE_START_SEAT: Final = "start seat"
CHANCE_DISCARD: Final = "discard"  # the first discard of a round
CHANCE_FIRST_LOOK: Final = "first look"  # the cards of a first look
CHANCE_DEAL: Final = "deal"  # all remaining cards
CHANCE_SHUFFLE: Final = "shuffle"  # the order of a shuffled village (B8)
NO_CHANCE: Final = ""


class SpielHistory:
    """The events that a seat saw and its own moves, in order: all as text, and the last `MAX_TOKENS` as tokens."""

    def __init__(self) -> None:
        self.lines = ""
        self.tokens: tuple[bytes, ...] = ()
        self.event_count = 0  # events added so far

    def copy(self) -> "SpielHistory":
        copied = SpielHistory()
        copied.lines, copied.tokens, copied.event_count = self.lines, self.tokens, self.event_count
        return copied

    def add_events(self, game: Game, seat: int) -> None:
        """Add the events that a seat saw since the last call."""
        events = game.events(SEAT_LETTERS[seat], since=self.event_count)
        if events:
            self.event_count += len(events)
            self.lines += "".join([event_text(event) + "\n" for event in events])
            self.tokens = (*self.tokens, *[event_token(event, seat, game.players) for event in events])[-MAX_TOKENS:]

    def add_move(self, game: Game, seat: int, move: int, action: int) -> None:
        """Add a move of the seat, with a digest of the faces that it knew when it chose.

        The digest makes recall perfect: some faces that a seat sees are in no event, as on top of a faceup deck (B5).
        """
        table = game.position().table
        known = bytes([number if table.knows(seat, card) else UNKNOWN_FACE for card, number in enumerate(table.faces)])
        self.lines += f"> {move_text(move)} [{blake2b(known, digest_size=4).hexdigest()}]\n"
        self.tokens = (*self.tokens, action_token(action))[-MAX_TOKENS:]


class SpielProgress:
    """State of a game of `python_silver` after `steps`, starting before the first card is dealt."""

    def __init__(self, boxes: str, players: int, rounds: int, steps: Iterable[SpielStep] = ()) -> None:
        self.boxes: Final = boxes
        self.decks: Final = boxes.split(DECK_SEPARATOR)
        self.code = ""  # deck code, when it is decided
        self.random_letters: list[str] = []  # for a random deck: the boxes that each number may come from
        self.players: Final = players
        self.rounds: Final = rounds
        self.steps: list[SpielStep] = []
        self.game: Game | None = None
        self.histories = [SpielHistory() for _ in range(players)]
        self.start_seat = NO_SEAT
        self.has_acted = False  # whether a seat has acted in this round
        self.chance_kind = CHANCE_START_SEAT  # what chance decides now, or NO_CHANCE
        self.pending_move = NO_MOVE  # a move that waits for chance
        self.undealt: list[int] = []  # cards whose faces chance has not decided yet
        self.chance_cards: list[int] = []  # cards that chance deals now; for a shuffle, places in the village
        self.chance_numbers: list[int] = []  # residents' numbers dealt to them so far
        if len(self.decks) > 1:
            self._start_chance(CHANCE_DECK, [])
        else:
            self._set_deck(self.decks[0])
        for step in steps:
            self.step(step)

    def __reduce__(self) -> tuple[object, ...]:
        return SpielProgress, (self.boxes, self.players, self.rounds, self.steps)

    def __deepcopy__(self, memo: object) -> "SpielProgress":
        return self.copy()

    def copy(self) -> "SpielProgress":
        copied = SpielProgress(self.boxes, self.players, self.rounds)
        copied.code, copied.random_letters = self.code, self.random_letters
        copied.steps = self.steps[:]
        copied.game = None if self.game is None else self.game.copy()
        copied.histories = [history.copy() for history in self.histories]
        copied.start_seat, copied.has_acted, copied.chance_kind, copied.pending_move = (
            self.start_seat,
            self.has_acted,
            self.chance_kind,
            self.pending_move,
        )
        copied.undealt, copied.chance_cards, copied.chance_numbers = (
            self.undealt,
            self.chance_cards,
            self.chance_numbers[:],
        )
        return copied

    @property
    def is_deck_drawn(self) -> bool:
        """Whether chance decides the deck."""
        return len(self.decks) > 1 or is_random_deck(self.decks[0])

    # The player to act, and legal actions.

    @property
    def chooser(self) -> int:
        """The seat to move, or `CHANCE_PLAYER` or `TERMINAL_PLAYER`."""
        if self.chance_kind != NO_CHANCE:
            return CHANCE_PLAYER
        game = self._require_game()
        return TERMINAL_PLAYER if game.over else SEAT_LETTERS.index(game.to_move)

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat to move, ascending."""
        game = self._require_game()
        action_of_move = ACTION_OF_MOVE[self.players][self.chooser]
        return sorted([action_of_move[move] for move in game.legal()])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes (residents' numbers, seats, decks or boxes) with their probabilities."""
        equal = {CHANCE_DECK: len(self.decks), CHANCE_START_SEAT: self.players}
        if self.chance_kind == CHANCE_BOX:
            equal[CHANCE_BOX] = len(self.random_letters[len(self.chance_numbers)])
        if self.chance_kind in equal:
            count = equal[self.chance_kind]
            return [(outcome, 1 / count) for outcome in range(count)]
        remaining = self._remaining_numbers()
        total = remaining.total()
        return [(number, remaining[number] / total) for number in sorted(remaining)]

    def chance_text(self, outcome: int) -> str:
        """Return what a chance outcome decides."""
        if self.chance_kind == CHANCE_START_SEAT:
            return f"{SEAT_LETTERS[outcome]} starts"
        if self.chance_kind == CHANCE_DECK:
            return f"deck {self.decks[outcome]}"
        if self.chance_kind == CHANCE_BOX:
            number = len(self.chance_numbers)
            return f"number {number} from {BOX_BY_LETTER[self.random_letters[number][outcome]].name}"
        return f"deal {outcome}"

    def _remaining_numbers(self) -> Counter[int]:
        """Count the residents' numbers that chance can still deal, in the whole deck or in a shuffled village."""
        if self.chance_kind == CHANCE_DISCARD:
            return Counter(FULL_DECK)
        if self.chance_kind == CHANCE_SHUFFLE:
            village = self._shuffled_village()
            return Counter([village[place] for place in self.chance_cards]) - Counter(self.chance_numbers)
        faces = self._require_game().position().table.faces
        return Counter([faces[card] for card in self.undealt]) - Counter(self.chance_numbers)

    def _require_game(self) -> Game:
        assert self.game is not None
        return self.game

    # Applying steps.

    def step(self, step: SpielStep) -> None:
        """Apply an action, a chance outcome or a re-deal."""
        if isinstance(step, tuple):
            self._redeal(*step)
        elif self.chance_kind == CHANCE_DECK:
            self._set_deck(self.decks[step])
        elif self.chance_kind == CHANCE_START_SEAT:
            self.start_seat = step
            self._start_chance(CHANCE_DISCARD, [FIRST_DISCARD_CARD])
        elif self.chance_kind != NO_CHANCE:
            self._apply_chance(step)
        else:
            self._apply_action(step)
        self.steps.append(step)

    def redeal(self, seat: int, seed: int) -> "SpielProgress":
        """Return a copy in which all cards that a seat cannot know are re-dealt (`Game.redeal`)."""
        redealt = self.copy()
        redealt.step((seat, seed))
        return redealt

    def _redeal(self, seat: int, seed: int) -> None:
        game = self._require_game()
        self.histories[seat].add_events(game, seat)
        self.game = game.redeal(SEAT_LETTERS[seat], Random(seed))
        for other in range(self.players):
            if other != seat:  # their earlier events do not fit the re-dealt cards
                self.histories[other] = SpielHistory()

    def _apply_action(self, action: int) -> None:
        game = self._require_game()
        seat = SEAT_LETTERS.index(game.to_move)
        move = MOVE_OF_ACTION[self.players][seat][action]
        game_after = game.copy()
        game_after.play(move)
        self.histories[seat].add_events(game, seat)
        self.histories[seat].add_move(game, seat, move, action)
        self.has_acted = True
        self._resolve_move(move, game_after, False)

    def _resolve_move(self, move: int, game_after: Game, is_shuffle_decided: bool) -> None:
        """Finish a move whose result is `game_after`, or keep it pending if chance must first deal cards for it.

        `is_shuffle_decided` tells whether chance has already decided how the move shuffles a village.
        """
        game = self._require_game()
        table, table_after = game.position().table, game_after.position().table
        self.pending_move = move
        if table.first_look_pending != table_after.first_look_pending and game_after.round == game.round:
            seat = SEAT_LETTERS.index(game.to_move)
            self._start_chance(
                CHANCE_FIRST_LOOK, [card for card in table_after.villages[seat] if table_after.viewers_of(card)]
            )
        elif not is_shuffle_decided and len(game_after.shuffles(game.round)) > len(game.shuffles(game.round)):
            village = game_after.shuffles(game.round)[-1].village
            self._start_chance(
                CHANCE_SHUFFLE, [place for place, card in enumerate(village) if not (card.up or card.covered)]
            )
        elif game_after.round > game.round:
            self._start_chance(CHANCE_DISCARD, [FIRST_DISCARD_CARD])
        else:
            self._set_game(game_after)

    def _set_game(self, game: Game) -> None:
        """Replace the game. After the first look of the last seat, chance deals the other cards (G2, G4)."""
        self.game = game
        self.pending_move = NO_MOVE
        self._start_chance(NO_CHANCE, [])
        if self.undealt and not game.in_first_look:
            table = game.position().table
            all_cards = [*[card for village in table.villages for card in village], *reversed(table.deck)]
            self._start_chance(CHANCE_DEAL, [card for card in all_cards if card in self.undealt])

    def _set_deck(self, deck: str) -> None:
        """Set the deck; a random one is decided by chance, number by number."""
        if is_random_deck(deck):
            self.random_letters = random_deck_letters(deck)
            self._start_chance(CHANCE_BOX, list(range(RESIDENTS_PER_BOX)))
        else:
            self.code = deck_code(deck)
            self._start_chance(CHANCE_START_SEAT, [])

    def _start_chance(self, kind: str, cards: list[int]) -> None:
        """Make chance the next player, until it has dealt all of these cards."""
        self.chance_kind, self.chance_cards, self.chance_numbers = kind, cards, []

    def _apply_chance(self, number: int) -> None:
        """Deal a resident's number to the next card of chance, or a box to the next number of a random deck.

        After the last one, continue the game.
        """
        self.chance_numbers.append(number)
        if len(self.chance_numbers) < len(self.chance_cards):
            return
        if self.chance_kind == CHANCE_BOX:
            choices = zip(self.random_letters, self.chance_numbers, strict=True)
            self._set_deck("".join([letters[box] for letters, box in choices]))
        elif self.chance_kind == CHANCE_DISCARD:
            self.undealt = [card for card in range(CARDS_IN_DECK) if card != FIRST_DISCARD_CARD]
            self.has_acted = False
            self._set_game(self._start_round(number))
        elif self.chance_kind == CHANCE_SHUFFLE:
            village = self._shuffled_village()
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
        """Return a copy of the game with the pending move played."""
        game = self._require_game().copy()
        game.play(self.pending_move)
        return game

    def _shuffled_village(self) -> list[int]:
        """Return the residents' numbers of the village after the pending move shuffles it."""
        return self._game_after_pending().shuffles(self._require_game().round)[-1].numbers

    def _start_round(self, discard: int) -> Game:
        """Return the game at the start of the next round, with this first discard (G3)."""
        if self.game is None:
            remaining, dealt = missing_cards([discard]), self.players * VILLAGE_SIZE
            villages = [remaining[first : first + VILLAGE_SIZE] for first in range(0, dealt, VILLAGE_SIZE)]
            deal = Deal(self.start_seat, villages, discard, remaining[dealt : dealt + DECK_SIZE])
            return Game.new(self.code, self.players, 0, deals=[deal], rounds=self.rounds)
        game = self._game_after_pending()
        faces = game.position().table.faces
        return game.with_faces({faces.index(discard): faces[FIRST_DISCARD_CARD], FIRST_DISCARD_CARD: discard})

    def _assign_faces(self) -> None:
        """Set the faces that chance has dealt; spread the remaining faces over the undealt cards."""
        game = self._require_game()
        remaining = list(self._remaining_numbers().elements())
        undealt = [card for card in self.undealt if card not in self.chance_cards]
        faces = dict(zip([*self.chance_cards, *undealt], [*self.chance_numbers, *remaining], strict=True))
        # After CHANCE_DEAL, the cards left over are those that this number of players does not use (G2).
        self.undealt = undealt if game.in_first_look else []
        self.game = game.with_faces(faces)

    # Information of a seat.

    def observation(self, seat: int) -> NDArray[np.uint8]:
        return game_observation_row(self._require_game(), seat)

    def history(self, seat: int) -> SpielHistory:
        """Return the events and moves of a seat up to now."""
        if self.game is not None:
            self.histories[seat].add_events(self.game, seat)
        return self.histories[seat]

    # Returns.

    def round_returns(self) -> list[list[float]]:
        """Return for each finished round the returns by seat: the other seats' mean points minus its own."""
        scores = [] if self.game is None else self.game.scores
        return [point_differences(list(points.values())) for points in scores]

    @property
    def has_round_just_ended(self) -> bool:
        """Whether no seat has acted since a round ended: the game is over, or the next first look begins."""
        return self.chooser == TERMINAL_PLAYER or (self.chooser != CHANCE_PLAYER and not self.has_acted)
