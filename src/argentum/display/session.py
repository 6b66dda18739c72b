"""A game at a table: what each seat sees of it and was told, what it is asked, and how its answer is taken."""

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
from argentum.words import errors as why


class PlayedMove(NamedTuple):
    """A move: the game after it, whose move it was, the one-card moves that it is made of, and the bot that chose."""

    game: Game
    seat: str
    steps: list[Move]
    bot: str = ""


def play_text(game: Game, seat: str, text: str) -> PlayedMove:
    """A move as a person writes it."""
    new = game.copy()
    try:
        return PlayedMove(new, seat, new.play(text, seat))
    except IllegalMove as error:
        raise Refused(str(error)) from None


def play_bot(game: Game, seat: str, bot: bots.Bot) -> PlayedMove:
    """What a bot does in one move, all cards of it."""
    new = game.copy()
    steps: list[Move] = []
    while _needs_more_cards(new, steps):
        steps += new.play(int(bots.ask(bot, new, seat)), seat)
    return PlayedMove(new, seat, steps, bot.name)


def play_any(game: Game, seat: str) -> PlayedMove:
    """Some legal move, the last of them: what happens if every bot fails, so that the table goes on."""
    new = game.copy()
    steps: list[Move] = []
    while _needs_more_cards(new, steps):
        steps += new.play(int(new.legal(seat)[-1]), seat)
    return PlayedMove(new, seat, steps)


def _needs_more_cards(game: Game, steps: list[Move]) -> bool:
    """Whether a card is still to be named: the first, the second of a first look (G4), more of an exchange (G10)."""
    return not steps or steps[-1].verb == "peek" or (steps[0].verb == "exchange" and game.is_choosing_cards)


HOLDABLE_KINDS = ("took", "ability", "token")  # what shows nobody a card that they have not seen before


@dataclass
class HeldMove:
    """What a seat has chosen, and what it sees and is asked now."""

    move: PlayedMove
    memory: SeatMemory
    number: int  # of the question that it leads to


def reveals_nothing(made: PlayedMove, events: list[Event]) -> bool:
    """Whether a move with these events, as those who only watch would be told them, can still be taken back.

    The same seat must be asked next. A card that was taken is one that everybody has seen (a facedown one is not, C11).
    """
    if not made.game.legal(made.seat):
        return False
    return all([one.kind in HOLDABLE_KINDS and (one.kind != "took" or one.number is not None) for one in events])


def make_held_move(made: PlayedMove, looks: dict[str, float], moment: int, number: int) -> HeldMove:
    """A draft of a move; `looks` are the cards that its seat saw a moment ago."""
    game: Game = made.game
    recall = SeatMemory(made.seat, game, lambda: game.events(None), looks)
    recall.advance(game, moment)
    return HeldMove(made, recall, number)


SPECTATOR: Final = "watch"  # the role of those who only look on; the others are the letters of seats
LOOK_SECONDS: Final = 7.0  # seconds for which a card that was looked at is shown, with memory; of two, each


def seat_of(role: str) -> str:
    """The seat of a role; empty for those who only look on."""
    return "" if role == SPECTATOR else role


@dataclass
class PendingChoice:
    """What a seat is asked: its legal moves, and the number that an answer must name."""

    number: int = 0
    legal: tuple[int, ...] = ()


class GameSession:
    """A game that is played at a table, in a browser, in a terminal or by a program.

    The table counts its moments: whatever is done there (a move, a new name) makes the next one. A question has the
    number of the moment at which it was first asked.
    """

    def __init__(self, game: Game, moment: int = 0, memory: bool = False, fade: float = LOOK_SECONDS) -> None:
        self.game = game
        self.revision = moment
        self.memory_mode = memory
        self.look_seconds = fade
        self.memories: dict[str, SeatMemory] = {}
        self.pending = {seat: PendingChoice() for seat in game.seats}
        self.held: dict[str, HeldMove] = {}  # choices that can still be taken back, by their seats
        self._held_count = 0  # drafts so far: their questions have numbers below 0
        self._public_events: list[Event] = []  # what everybody was told, as far as it was asked for
        self._texts: dict[str, tuple[int, str]] = {}
        self._number_choices("")

    # What anybody may ask.

    def memory_of(self, role: str) -> SeatMemory:
        """What a role sees now, and was told so far."""
        if role in self.held:
            return self.held[role].memory
        recall = self.memories.get(role)
        if recall is None:
            recall = self.memories[role] = SeatMemory(seat_of(role), self.game, self.public_events)
        recall.advance(self.game, self.revision, self.look_seconds)
        return recall

    def public_events(self) -> list[Event]:
        """What everybody was told so far; made once for all who ask."""
        self._public_events += self.game.events(None, since=len(self._public_events))
        return self._public_events

    def view(self, role: str) -> View:
        """What a role may see now; with memory, without what it should remember by itself."""
        recall = self.memory_of(role)
        if self.memory_mode and role != SPECTATOR and not recall.history.villages_revealed:
            return mask_faded(recall.view, recall.visible_spots(self.look_seconds))
        return recall.view

    def choice_number(self, role: str) -> int | None:
        """The number of what a role is asked now; None for nothing."""
        if role in self.held:
            return self.held[role].number
        question = self.pending.get(role)
        return question.number if question is not None and question.legal else None

    def build_scene(
        self, role: str, seats: Sequence[scene.SeatInfo], max_lines: int, guided: bool = False
    ) -> scene.Scene:
        """The table as it is drawn for a role, with so many lines of the log."""
        view, recall = self.view(role), self.memory_of(role)
        log = recall.log_lines(max_lines, self.memory_mode)
        advice = guide_advice(view) if guided and role != SPECTATOR else None
        names = view.names[: len(self.game.seats)]
        traces = recent_actions(recall.events, names, "".join(self.game.seats), seat_of(role))
        drawn = scene_builder.build_scene(
            view, seats, self.game.scores, log, words.prompt(view), advice, traces, self.memory_mode, recall.scene_cache
        )
        return drawn._replace(can_undo=True) if role in self.held else drawn

    def preview_exchange(self, seat: str, spots: object) -> words.ExchangeWarning:
        """What a seat is told of several cards that it has picked for an exchange, and not sent yet."""
        if not isinstance(spots, list) or len(spots) < 2 or not all([isinstance(spot, str) for spot in spots]):
            raise Refused(why.NEEDS_TWO_CARDS)
        view = self.view(seat)
        offered = {move.spot for move in view.legal if move.verb == "exchange"}
        if len(set(spots)) < len(spots) or not offered.issuperset(spots):
            raise Stale(why.NOT_EXCHANGEABLE)
        return words.exchange_warning(view, spots)

    def cached_text(self, key: str, make: Callable[[], str]) -> str:
        """Something that all readers are told alike at this moment, put into words once."""
        kept = self._texts.get(key)
        if kept is None or kept[0] != self.revision:
            kept = self._texts[key] = (self.revision, make())
        return kept[1]

    # What is done.

    def try_move(self, seat: str, number: object, text: object) -> PlayedMove:
        """A person's move, with the number of the question that it answers; a question is answered once.

        It is only tried out: :meth:`go_on` makes it.
        """
        if not isinstance(text, str) or not isinstance(number, int):
            raise Refused(why.INVALID_MOVE)
        held = self.held.get(seat)
        asked = self.pending[seat].number if held is None else held.number
        if number != asked or isinstance(number, bool):
            raise Stale(why.NOT_ASKED)
        if held is None:
            return play_text(self.game, seat, text)
        made = play_text(held.move.game, seat, text)
        return made._replace(steps=[*held.move.steps, *made.steps])

    def hold_move(self, made: PlayedMove) -> bool:
        """Keep a move that was answered to its seat for now, if it can still be taken back; whether it can."""
        if not reveals_nothing(made, made.game.events(None, len(self.public_events()))):
            return False
        self._held_count += 1
        self.held[made.seat] = make_held_move(made, self.memory_of(made.seat).seen_at, self.revision, -self._held_count)
        return True

    def take_back(self, seat: str) -> None:
        """Take back what a seat has chosen and nobody was told."""
        if self.held.pop(seat, None) is None:
            raise Refused(why.NOTHING_TAKEN_BACK)

    def commit(self, move: PlayedMove, revision: int) -> None:
        """Go on with a move that was made."""
        self.game, self.revision = move.game, revision
        self.held.clear()
        self._number_choices(move.seat)

    def _number_choices(self, mover: str) -> None:
        """Number what each seat is asked now. In the first look nobody waits for others (G4)."""
        for nth, (seat, question) in enumerate(self.pending.items()):
            legal = tuple(self.game.legal_moves_of(nth))
            if legal != question.legal or seat == mover:
                question.legal, question.number = legal, self.revision

    def rename(self, names: list[str], moment: int) -> None:
        """Other names for the seats: what happened is put into words anew, and nothing is seen longer for it."""
        self.revision = moment
        self.game.names[:] = names
        for seat, held in self.held.items():  # what is held back stays so
            held.move.game.names[:] = names
            self.held[seat] = make_held_move(held.move, held.memory.seen_at, moment, held.number)
        looks = {role: old.seen_at for role, old in self.memories.items()}
        self.memories = {
            role: SeatMemory(seat_of(role), self.game, self.public_events, seen) for role, seen in looks.items()
        }


def describe_steps(game: Game, seat: str, steps: Sequence[Move]) -> str:
    """A move in the words of its buttons and cards, one after another."""
    there = game.copy()
    labels: list[str] = []
    for step in steps:
        view = there.view(seat)
        if step in view.legal and step.verb != "done":
            label = words.button_text(step, view)
            labels.append(words.in_sentence(label, view) if labels else label)
        there.play(int(step), seat)
    return ", ".join(labels or [str(steps[0])])
