# mypyc: compile, optimize
"""One game at a table: views, pending choices, moves, and held moves, which can be taken back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final, NamedTuple

from argentum import bots, words
from argentum.display import scene, scene_builder
from argentum.display.errors import Refused, Stale
from argentum.display.guide import guide_advice
from argentum.display.seat_memory import SeatMemory, mask_faded_cards, recent_actions
from argentum.rules.errors import IllegalMove
from argentum.rules.events import Event
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View
from argentum.words import errors


class PlayedMove(NamedTuple):
    """A complete move that was played on a copy of the game."""

    game: Game  # after the move
    seat: str
    steps: list[Move]  # the move in steps that name at most one card each
    bot: str = ""  # the bot that chose the move


def play_text(game: Game, seat: str, text: str) -> PlayedMove:
    """Play a move, given in notation, on a copy of the game; raise `Refused` if it is illegal."""
    position = game.copy()
    try:
        return PlayedMove(position, seat, position.play(text, seat))
    except IllegalMove as error:
        raise Refused(errors.illegal_move_text(error)) from None


def play_bot(game: Game, seat: str, bot: bots.Bot, may_call: bool = True) -> PlayedMove:
    """Let a bot play a complete move on a copy of the game; `may_call` as in :func:`argentum.bots.ask`."""
    position = game.copy()
    steps: list[Move] = []
    while _needs_more_cards(position, steps):
        steps += position.play(int(bots.ask(bot, position, seat, may_call)), seat)
    return PlayedMove(position, seat, steps, bot.name)


def play_any_legal_move(game: Game, seat: str, may_call: bool = True) -> PlayedMove:
    """Play any complete legal move on a copy of the game: the fallback when every bot has failed."""
    position = game.copy()
    steps: list[Move] = []
    while _needs_more_cards(position, steps):
        legal = position.legal(seat)
        steps += position.play(int((legal if may_call else bots.without_call(legal))[-1]), seat)
    return PlayedMove(position, seat, steps)


def _needs_more_cards(game: Game, steps: list[Move]) -> bool:
    """Whether the steps are not yet a complete move: the first card of a look (G4), or part of an exchange (G10)."""
    return not steps or steps[-1].verb == "peek" or (steps[0].verb == "exchange" and game.is_choosing_cards)


HOLDABLE_KINDS = ("took", "ability", "token")  # kinds of events that reveal no card


@dataclass
class HeldMove:
    """A move that its seat can still take back, and what the seat sees after it."""

    move: PlayedMove
    memory: SeatMemory
    number: int  # number of the choice that follows


def reveals_nothing(played: PlayedMove, events: list[Event]) -> bool:
    """Whether a move with these public events can be taken back, because nobody learns anything from it.

    The same seat must choose next, and a card that it took must have been faceup (C11).
    """
    if not played.game.legal(played.seat):
        return False
    return all(
        [event.kind in HOLDABLE_KINDS and (event.kind != "took" or event.number is not None) for event in events]
    )


def make_held_move(
    played: PlayedMove, looks: dict[str, float], revision: int, number: int, now: Callable[[], float] = monotonic
) -> HeldMove:
    """Return a held move.

    `looks` maps spots to the times at which the seat saw their cards; `number` identifies the choice that follows.
    """
    game: Game = played.game
    memory = SeatMemory(played.seat, game, lambda: game.events(None), looks, now)
    memory.advance(game, revision)
    return HeldMove(played, memory, number)


SPECTATOR: Final = "watch"  # the role of spectators; every other role is the letter of a seat
RECENT_EVENTS: Final = 12  # last events searched for cards that a role has just looked at
LOOK_SECONDS: Final = 7.0  # how long memory mode shows a card; if several are looked at, the time of each is added


def seat_of(role: str) -> str:
    """Return the seat letter of a role, or an empty string for spectators."""
    return "" if role == SPECTATOR else role


@dataclass
class PendingChoice:
    """The legal moves of a seat, and the number that the answer must repeat."""

    number: int = 0
    legal: tuple[int, ...] = ()


class GameSession:
    """A game at a table, with what each role sees and the pending choice of each seat.

    Every change, such as a move or a new name, increases `revision`. The number of a choice is the revision at which it
    was first offered; after a held move it is negative.
    """

    def __init__(
        self,
        game: Game,
        revision: int = 0,
        memory: bool = False,
        look_seconds: float = LOOK_SECONDS,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.game = game
        self.revision = revision
        self.memory_mode = memory
        self.look_seconds = look_seconds
        self.now = now
        self.memories: dict[str, SeatMemory] = {}  # by role
        self.pending = {seat: PendingChoice() for seat in game.seats}
        self.held: dict[str, HeldMove] = {}  # by seat
        self._held_count = 0  # moves held so far, which gives the choices after them their numbers
        self._public_events: list[Event] = []  # extended on demand
        self._texts: dict[str, tuple[int, str]] = {}  # revision and text by key
        self._number_choices("")

    # Queries.

    def memory_of(self, role: str) -> SeatMemory:
        """Return the current memory of a role. If the role has a held move, this is the memory after the move."""
        if role in self.held:
            return self.held[role].memory
        memory = self.memories.get(role)
        if memory is None:
            memory = self.memories[role] = self._new_memory(role)
        memory.advance(self.game, self.revision, self.look_seconds)
        return memory

    def _new_memory(self, role: str, looks: dict[str, float] | None = None) -> SeatMemory:
        return SeatMemory(seat_of(role), self.game, self.public_events, looks, self.now)

    def public_events(self) -> list[Event]:
        """Return all events as spectators see them. The list is shared and grows."""
        self._public_events += self.game.events(None, since=len(self._public_events))
        return self._public_events

    def view(self, role: str) -> View:
        """Return what a role sees; in memory mode, without cards that the player must remember."""
        memory = self.memory_of(role)
        if self.memory_mode and role != SPECTATOR and not memory.history.villages_revealed:
            return mask_faded_cards(memory.view, memory.visible_spots(self.look_seconds))
        return memory.view

    def choice_number(self, role: str) -> int | None:
        """Return the number of a role's pending choice, or None if it has none."""
        if role in self.held:
            return self.held[role].number
        choice = self.pending.get(role)
        return choice.number if choice is not None and choice.legal else None

    def game_of(self, role: str) -> Game:
        """Return the game in which a role plays next: the one after its held move, if there is one."""
        held_move = self.held.get(role)
        return held_move.move.game if held_move is not None else self.game

    def is_looking(self, role: str) -> bool:
        """Whether memory mode shows a role a card that it has looked at."""
        if not self.memory_mode or role == SPECTATOR:
            return False
        memory = self.memory_of(role)
        events = memory.events[-RECENT_EVENTS:]
        seen = {event.spot for event in events if event.kind == "looked" and event.seat == role}
        return not seen.isdisjoint(memory.visible_spots(self.look_seconds))

    def build_scene(
        self, role: str, seats: Sequence[scene.SeatInfo], max_lines: int, guided: bool = False
    ) -> scene.Scene:
        """Build the scene for a role, with advice for newcomers if it is `guided`."""
        view, memory = self.view(role), self.memory_of(role)
        log = memory.log_lines(max_lines, self.memory_mode)
        advice = guide_advice(view) if guided and role != SPECTATOR else None
        names = view.names[: len(self.game.seats)]
        actions = recent_actions(memory.events, names, "".join(self.game.seats), seat_of(role))
        role_scene = scene_builder.build_scene(
            view,
            seats,
            self.game.scores,
            log,
            words.prompt(view),
            advice,
            actions,
            self.memory_mode,
            memory.scene_cache,
        )
        return role_scene._replace(can_undo=True) if role in self.held else role_scene

    def preview_exchange(self, seat: str, spots: object) -> words.ExchangeWarning:
        """Return the consequences of exchanging `spots` that the seat can know; raise `Refused` if it is illegal."""
        if not isinstance(spots, list) or len(spots) < 2 or not all([isinstance(spot, str) for spot in spots]):
            raise Refused(errors.NEEDS_TWO_CARDS)
        view = self.view(seat)
        legal_spots = {move.spot for move in view.legal if move.verb == "exchange"}
        if len(set(spots)) < len(spots) or not legal_spots.issuperset(spots):
            raise Stale(errors.NOT_EXCHANGEABLE)
        return words.exchange_warning(view, spots)

    def cached_text(self, key: str, render: Callable[[], str]) -> str:
        """Return `render()`, cached by key until the revision changes. The text must be the same for all viewers."""
        cached = self._texts.get(key)
        if cached is None or cached[0] != self.revision:
            cached = self._texts[key] = (self.revision, render())
        return cached[1]

    # Moves and changes.

    def try_move(self, seat: str, number: object, text: object) -> PlayedMove:
        """Play a move on a copy of the game, after the held move if there is one; :meth:`commit` applies it.

        Raise `Stale` if `number` is not that of the pending choice, and `Refused` if the move is illegal.
        """
        if not isinstance(text, str) or not isinstance(number, int):
            raise Refused(errors.INVALID_MOVE)
        held_move = self.held.get(seat)
        expected = self.pending[seat].number if held_move is None else held_move.number
        if number != expected or isinstance(number, bool):
            raise Stale(errors.NOT_ASKED)
        if held_move is None:
            return play_text(self.game, seat, text)
        played = play_text(held_move.move.game, seat, text)
        return played._replace(steps=[*held_move.move.steps, *played.steps])

    def replay_move(self, move: PlayedMove) -> PlayedMove:
        """Play a move that was played on an earlier copy of the game on a copy of the current one."""
        game = self.game.copy()
        for step in move.steps:
            game.play(int(step), move.seat)
        return move._replace(game=game)

    def hold_move(self, played: PlayedMove) -> bool:
        """Hold a move if it reveals nothing; return whether it was held. If not, the caller must commit it."""
        if not reveals_nothing(played, played.game.events(None, len(self.public_events()))):
            return False
        self._held_count += 1
        looks = self.memory_of(played.seat).seen_at
        self.held[played.seat] = make_held_move(played, looks, self.revision, -self._held_count, self.now)
        return True

    def take_back(self, seat: str) -> None:
        """Discard the held move of a seat; raise `Refused` if it has none."""
        if self.held.pop(seat, None) is None:
            raise Refused(errors.NOTHING_TAKEN_BACK)

    def commit(self, move: PlayedMove, revision: int) -> None:
        """Apply a move that was played on a copy of the game. All held moves are dropped."""
        self.game, self.revision = move.game, revision
        self.held.clear()
        self._number_choices(move.seat)

    def _number_choices(self, mover: str) -> None:
        """Give new numbers to the choices of the seat that moved, and to those whose legal moves have changed."""
        for index, (seat, choice) in enumerate(self.pending.items()):
            legal = tuple(self.game.legal(SEAT_LETTERS[index]))
            if legal != choice.legal or seat == mover:
                choice.legal, choice.number = legal, self.revision

    def rename(self, names: list[str], revision: int) -> None:
        """Set the names of the seats. Texts are built again; held moves and the times of looks are kept."""
        self.revision = revision
        self.game.names[:] = names
        for seat, held_move in self.held.items():
            held_move.move.game.names[:] = names
            looks = held_move.memory.seen_at
            self.held[seat] = make_held_move(held_move.move, looks, revision, held_move.number, self.now)
        self.memories = {role: self._new_memory(role, memory.seen_at) for role, memory in self.memories.items()}


def describe_steps(game: Game, seat: str, steps: Sequence[Move]) -> str:
    """Describe the steps of a move by the texts of their buttons, joined by commas."""
    position = game.copy()
    texts: list[str] = []
    for step in steps:
        view = position.view(seat)
        if step in view.legal and step.verb != "done":
            text = words.button_text(step, view)
            texts.append(words.uncapitalize_button_text(text, view) if texts else text)
        position.play(int(step), seat)
    return ", ".join(texts or [str(steps[0])])
