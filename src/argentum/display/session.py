"""One game at a table: views, pending choices, moves, and held moves that can still be taken back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from argentum import bots, words
from argentum.display import scene, scene_builder
from argentum.display.errors import Refused, Stale
from argentum.display.guide import guide_advice
from argentum.display.seat_memory import SeatMemory, mask_faded, recent_actions
from argentum.rules.events import Event
from argentum.rules.game import Game, IllegalMove
from argentum.rules.move import Move
from argentum.rules.views import View
from argentum.words import errors


class PlayedMove(NamedTuple):
    """A complete move: the position after it, its seat, its single-card steps, and the bot that chose it."""

    game: Game
    seat: str
    steps: list[Move]
    bot: str = ""


def play_text(game: Game, seat: str, text: str) -> PlayedMove:
    """Play the text of a move on a copy of the game."""
    new = game.copy()
    try:
        return PlayedMove(new, seat, new.play(text, seat))
    except IllegalMove as error:
        raise Refused(str(error)) from None


def play_bot(game: Game, seat: str, bot: bots.Bot) -> PlayedMove:
    """Let a bot play a complete move on a copy of the game."""
    new = game.copy()
    steps: list[Move] = []
    while _needs_more_cards(new, steps):
        steps += new.play(int(bots.ask(bot, new, seat)), seat)
    return PlayedMove(new, seat, steps, bot.name)


def play_any(game: Game, seat: str) -> PlayedMove:
    """Play the last legal move; used when every bot fails."""
    new = game.copy()
    steps: list[Move] = []
    while _needs_more_cards(new, steps):
        steps += new.play(int(new.legal(seat)[-1]), seat)
    return PlayedMove(new, seat, steps)


def _needs_more_cards(game: Game, steps: list[Move]) -> bool:
    """Whether the move needs another card: the second of a first look (G4), or more of an exchange (G10)."""
    return not steps or steps[-1].verb == "peek" or (steps[0].verb == "exchange" and game.is_choosing_cards)


HOLDABLE_KINDS = ("took", "ability", "token")  # events that reveal no card


@dataclass
class HeldMove:
    """A move that a seat can still take back, and what the seat sees and may do after it."""

    move: PlayedMove
    memory: SeatMemory
    number: int  # of the question that it leads to


def reveals_nothing(played: PlayedMove, events: list[Event]) -> bool:
    """Whether a move with these public events can still be taken back.

    The same seat must choose next, and a taken card must be one that everybody has seen (not facedown, C11).
    """
    if not played.game.legal(played.seat):
        return False
    return all(
        [event.kind in HOLDABLE_KINDS and (event.kind != "took" or event.number is not None) for event in events]
    )


def make_held_move(played: PlayedMove, looks: dict[str, float], revision: int, number: int) -> HeldMove:
    """Hold a move back; `looks` says when its seat last saw which cards."""
    game: Game = played.game
    memory = SeatMemory(played.seat, game, lambda: game.events(None), looks)
    memory.advance(game, revision)
    return HeldMove(played, memory, number)


SPECTATOR: Final = "watch"  # the role of those who only look on; the others are the letters of seats
LOOK_SECONDS: Final = 7.0  # seconds for which a card that was looked at is shown, with memory; of two, each


def seat_of(role: str) -> str:
    """Return the seat of a role, or an empty string for spectators."""
    return "" if role == SPECTATOR else role


@dataclass
class PendingChoice:
    """The legal moves of a seat, and the number by which an answer refers to them."""

    number: int = 0
    legal: tuple[int, ...] = ()


class GameSession:
    """A game that is played at a table, in a browser, in a terminal or by a program.

    Every change (a move, a new name) increases `revision`. A choice has the number of the revision at which it was
    first offered.
    """

    def __init__(self, game: Game, revision: int = 0, memory: bool = False, look_seconds: float = LOOK_SECONDS) -> None:
        self.game = game
        self.revision = revision
        self.memory_mode = memory
        self.look_seconds = look_seconds
        self.memories: dict[str, SeatMemory] = {}
        self.pending = {seat: PendingChoice() for seat in game.seats}
        self.held: dict[str, HeldMove] = {}  # choices that can still be taken back, by their seats
        self._held_count = 0  # drafts so far: their questions have numbers below 0
        self._public_events: list[Event] = []  # filled on demand
        self._texts: dict[str, tuple[int, str]] = {}
        self._number_choices("")

    # What anybody may ask.

    def memory_of(self, role: str) -> SeatMemory:
        """What a role sees now, and was told so far."""
        if role in self.held:
            return self.held[role].memory
        memory = self.memories.get(role)
        if memory is None:
            memory = self.memories[role] = SeatMemory(seat_of(role), self.game, self.public_events)
        memory.advance(self.game, self.revision, self.look_seconds)
        return memory

    def public_events(self) -> list[Event]:
        """What everybody was told so far; made once for all who ask."""
        self._public_events += self.game.events(None, since=len(self._public_events))
        return self._public_events

    def view(self, role: str) -> View:
        """What a role may see now; with memory, without what it should remember by itself."""
        memory = self.memory_of(role)
        if self.memory_mode and role != SPECTATOR and not memory.history.villages_revealed:
            return mask_faded(memory.view, memory.visible_spots(self.look_seconds))
        return memory.view

    def choice_number(self, role: str) -> int | None:
        """The number of what a role is asked now; None for nothing."""
        if role in self.held:
            return self.held[role].number
        choice = self.pending.get(role)
        return choice.number if choice is not None and choice.legal else None

    def build_scene(
        self, role: str, seats: Sequence[scene.SeatInfo], max_lines: int, guided: bool = False
    ) -> scene.Scene:
        """Build the scene for a role."""
        view, memory = self.view(role), self.memory_of(role)
        log = memory.log_lines(max_lines, self.memory_mode)
        advice = guide_advice(view) if guided and role != SPECTATOR else None
        names = view.names[: len(self.game.seats)]
        actions = recent_actions(memory.events, names, "".join(self.game.seats), seat_of(role))
        built = scene_builder.build_scene(
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
        return built._replace(can_undo=True) if role in self.held else built

    def preview_exchange(self, seat: str, spots: object) -> words.ExchangeWarning:
        """The legal moves of a seat, and the number by which an answer refers to them."""
        if not isinstance(spots, list) or len(spots) < 2 or not all([isinstance(spot, str) for spot in spots]):
            raise Refused(errors.NEEDS_TWO_CARDS)
        view = self.view(seat)
        offered = {move.spot for move in view.legal if move.verb == "exchange"}
        if len(set(spots)) < len(spots) or not offered.issuperset(spots):
            raise Stale(errors.NOT_EXCHANGEABLE)
        return words.exchange_warning(view, spots)

    def cached_text(self, key: str, make: Callable[[], str]) -> str:
        """Return a text that is the same for all viewers, rendered once per revision."""
        cached = self._texts.get(key)
        if cached is None or cached[0] != self.revision:
            cached = self._texts[key] = (self.revision, make())
        return cached[1]

    # What is done.

    def try_move(self, seat: str, number: object, text: object) -> PlayedMove:
        """Try a move on a copy of the game; `number` must be that of the pending choice.

        :meth:`commit` applies it.
        """
        if not isinstance(text, str) or not isinstance(number, int):
            raise Refused(errors.INVALID_MOVE)
        held_move = self.held.get(seat)
        asked = self.pending[seat].number if held_move is None else held_move.number
        if number != asked or isinstance(number, bool):
            raise Stale(errors.NOT_ASKED)
        if held_move is None:
            return play_text(self.game, seat, text)
        played = play_text(held_move.move.game, seat, text)
        return played._replace(steps=[*held_move.move.steps, *played.steps])

    def hold_move(self, played: PlayedMove) -> bool:
        """Hold a move back if it can still be taken back; return whether it can."""
        if not reveals_nothing(played, played.game.events(None, len(self.public_events()))):
            return False
        self._held_count += 1
        self.held[played.seat] = make_held_move(
            played, self.memory_of(played.seat).seen_at, self.revision, -self._held_count
        )
        return True

    def take_back(self, seat: str) -> None:
        if self.held.pop(seat, None) is None:
            raise Refused(errors.NOTHING_TAKEN_BACK)

    def commit(self, move: PlayedMove, revision: int) -> None:
        self.game, self.revision = move.game, revision
        self.held.clear()
        self._number_choices(move.seat)

    def _number_choices(self, mover: str) -> None:
        """Number new choices. In the first look nobody waits for others (G4)."""
        for index, (seat, choice) in enumerate(self.pending.items()):
            legal = tuple(self.game.legal_moves_of(index))
            if legal != choice.legal or seat == mover:
                choice.legal, choice.number = legal, self.revision

    def rename(self, names: list[str], revision: int) -> None:
        """Rename the seats and rebuild all texts; looks keep their times."""
        self.revision = revision
        self.game.names[:] = names
        for seat, held_move in self.held.items():  # what is held back stays so
            held_move.move.game.names[:] = names
            self.held[seat] = make_held_move(held_move.move, held_move.memory.seen_at, revision, held_move.number)
        looks = {role: previous.seen_at for role, previous in self.memories.items()}
        self.memories = {
            role: SeatMemory(seat_of(role), self.game, self.public_events, seen) for role, seen in looks.items()
        }


def describe_steps(game: Game, seat: str, steps: Sequence[Move]) -> str:
    """Describe a move with the texts of its buttons, joined by commas."""
    position = game.copy()
    labels: list[str] = []
    for step in steps:
        view = position.view(seat)
        if step in view.legal and step.verb != "done":
            label = words.button_text(step, view)
            labels.append(words.in_sentence(label, view) if labels else label)
        position.play(int(step), seat)
    return ", ".join(labels or [str(steps[0])])
