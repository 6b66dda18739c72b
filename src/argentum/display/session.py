"""A game at a table: what each seat sees of it and was told, what it is asked, and how its answer is taken."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from argentum import bots, words
from argentum.display import scene, scene_builder
from argentum.display.errors import Refused, Stale
from argentum.display.guide import advise
from argentum.display.seat_memory import Recall, masked, traces_of
from argentum.rules.events import Event
from argentum.rules.game import Game, IllegalMove
from argentum.rules.move import Move
from argentum.rules.views import View
from argentum.words import errors as why


class Made(NamedTuple):
    """A move: the game after it, whose move it was, the one-card moves that it is made of, and the bot that chose."""

    game: Game
    seat: str
    steps: list[Move]
    bot: str = ""


def persons_move(game: Game, seat: str, text: str) -> Made:
    """A move as a person writes it."""
    new = game.copy()
    try:
        return Made(new, seat, new.play(text, seat))
    except IllegalMove as error:
        raise Refused(str(error)) from None


def bots_move(game: Game, seat: str, bot: bots.Bot) -> Made:
    """What a bot does in one move, all cards of it."""
    new = game.copy()
    steps: list[Move] = []
    while _unfinished(new, steps):
        steps += new.play(int(bots.ask(bot, new, seat)), seat)
    return Made(new, seat, steps, bot.name)


def any_move(game: Game, seat: str) -> Made:
    """Some legal move, the last of them: what happens if every bot fails, so that the table goes on."""
    new = game.copy()
    steps: list[Move] = []
    while _unfinished(new, steps):
        steps += new.play(int(new.legal(seat)[-1]), seat)
    return Made(new, seat, steps)


def _unfinished(game: Game, steps: list[Move]) -> bool:
    """Whether a card is still to be named: the first, the second of a first look (G4), more of an exchange (G10)."""
    return not steps or steps[-1].verb == "peek" or (steps[0].verb == "exchange" and game.is_choosing_cards)


QUIET = ("took", "ability", "token")  # what shows nobody a card that they have not seen before


@dataclass
class Draft:
    """What a seat has chosen, and what it sees and is asked now."""

    made: Made
    recall: Recall
    number: int  # of the question that it leads to


def is_quiet(made: Made, events: list[Event]) -> bool:
    """Whether a move with these events, as those who only watch would be told them, can still be taken back.

    The same seat must be asked next. A card that was taken is one that everybody has seen (a facedown one is not, C11).
    """
    if not made.game.legal(made.seat):
        return False
    return all([one.kind in QUIET and (one.kind != "took" or one.number is not None) for one in events])


def drafted(made: Made, looks: dict[str, float], moment: int, number: int) -> Draft:
    """A draft of a move; `looks` are the cards that its seat saw a moment ago."""
    game: Game = made.game
    recall = Recall(made.seat, game, lambda: game.events(None), looks)
    recall.catch_up(game, moment)
    return Draft(made, recall, number)


WATCH: Final = "watch"  # the role of those who only look on; the others are the letters of seats
FADE: Final = 7.0  # seconds for which a card that was looked at is shown, with memory; of two, each


def letter_of(role: str) -> str:
    """The seat of a role; empty for those who only look on."""
    return "" if role == WATCH else role


@dataclass
class Question:
    """What a seat is asked: its legal moves, and the number that an answer must name."""

    number: int = 0
    legal: tuple[int, ...] = ()


class Sitting:
    """A game that is played at a table, in a browser, in a terminal or by a program.

    The table counts its moments: whatever is done there (a move, a new name) makes the next one. A question has the
    number of the moment at which it was first asked.
    """

    def __init__(self, game: Game, moment: int = 0, memory: bool = False, fade: float = FADE) -> None:
        self.game = game
        self.moment = moment
        self.memory = memory
        self.fade = fade
        self.recalls: dict[str, Recall] = {}
        self.questions = {seat: Question() for seat in game.seats}
        self.drafts: dict[str, Draft] = {}  # choices that can still be taken back, by their seats
        self._drafted = 0  # drafts so far: their questions have numbers below 0
        self._heard: list[Event] = []  # what everybody was told, as far as it was asked for
        self._said: dict[str, tuple[int, str]] = {}
        self._ask("")

    # What anybody may ask.

    def recall(self, role: str) -> Recall:
        """What a role sees now, and was told so far."""
        if role in self.drafts:
            return self.drafts[role].recall
        recall = self.recalls.get(role)
        if recall is None:
            recall = self.recalls[role] = Recall(letter_of(role), self.game, self.public)
        recall.catch_up(self.game, self.moment, self.fade)
        return recall

    def public(self) -> list[Event]:
        """What everybody was told so far; made once for all who ask."""
        self._heard += self.game.events(None, since=len(self._heard))
        return self._heard

    def view(self, role: str) -> View:
        """What a role may see now; with memory, without what it should remember by itself."""
        recall = self.recall(role)
        if self.memory and role != WATCH and not recall.telling.revealed:
            return masked(recall.view, recall.fresh(self.fade))
        return recall.view

    def choice(self, role: str) -> int | None:
        """The number of what a role is asked now; None for nothing."""
        if role in self.drafts:
            return self.drafts[role].number
        question = self.questions.get(role)
        return question.number if question is not None and question.legal else None

    def scene(self, role: str, seats: Sequence[scene.Seat], lines: int, coached: bool = False) -> scene.Scene:
        """The table as it is drawn for a role, with so many lines of the log."""
        view, recall = self.view(role), self.recall(role)
        log = recall.entries(lines, self.memory)
        advice = advise(view) if coached and role != WATCH else None
        names = view.names[: len(self.game.seats)]
        traces = traces_of(recall.events, names, "".join(self.game.seats), letter_of(role))
        drawn = scene_builder.build(
            view, seats, self.game.scores, log, words.prompt(view), advice, traces, self.memory, recall.drawn
        )
        return drawn._replace(can_take_back=True) if role in self.drafts else drawn

    def of_picks(self, seat: str, spots: object) -> words.ExchangeWarning:
        """What a seat is told of several cards that it has picked for an exchange, and not sent yet."""
        if not isinstance(spots, list) or len(spots) < 2 or not all([isinstance(spot, str) for spot in spots]):
            raise Refused(why.NEEDS_TWO_CARDS)
        view = self.view(seat)
        offered = {move.spot for move in view.legal if move.verb == "exchange"}
        if len(set(spots)) < len(spots) or not offered.issuperset(spots):
            raise Stale(why.NOT_EXCHANGEABLE)
        return words.exchange_warning(view, spots)

    def said(self, what: str, words_: Callable[[], str]) -> str:
        """Something that all readers are told alike at this moment, put into words once."""
        kept = self._said.get(what)
        if kept is None or kept[0] != self.moment:
            kept = self._said[what] = (self.moment, words_())
        return kept[1]

    # What is done.

    def answer(self, seat: str, number: object, text: object) -> Made:
        """A person's move, with the number of the question that it answers; a question is answered once.

        It is only tried out: :meth:`go_on` makes it.
        """
        if not isinstance(text, str) or not isinstance(number, int):
            raise Refused(why.INVALID_MOVE)
        held = self.drafts.get(seat)
        asked = self.questions[seat].number if held is None else held.number
        if number != asked or isinstance(number, bool):
            raise Stale(why.NOT_ASKED)
        if held is None:
            return persons_move(self.game, seat, text)
        made = persons_move(held.made.game, seat, text)
        return made._replace(steps=[*held.made.steps, *made.steps])

    def hold(self, made: Made) -> bool:
        """Keep a move that was answered to its seat for now, if it can still be taken back; whether it can."""
        if not is_quiet(made, made.game.events(None, len(self.public()))):
            return False
        self._drafted += 1
        self.drafts[made.seat] = drafted(made, self.recall(made.seat).looks, self.moment, -self._drafted)
        return True

    def take_back(self, seat: str) -> None:
        """Take back what a seat has chosen and nobody was told."""
        if self.drafts.pop(seat, None) is None:
            raise Refused(why.NOTHING_TAKEN_BACK)

    def go_on(self, made: Made, moment: int) -> None:
        """Go on with a move that was made."""
        self.game, self.moment = made.game, moment
        self.drafts.clear()
        self._ask(made.seat)

    def _ask(self, mover: str) -> None:
        """Number what each seat is asked now. In the first look nobody waits for others (G4)."""
        for nth, (seat, question) in enumerate(self.questions.items()):
            legal = tuple(self.game.legal_moves_of(nth))
            if legal != question.legal or seat == mover:
                question.legal, question.number = legal, self.moment

    def rename(self, names: list[str], moment: int) -> None:
        """Other names for the seats: what happened is put into words anew, and nothing is seen longer for it."""
        self.moment = moment
        self.game.names[:] = names
        for seat, held in self.drafts.items():  # what is held back stays so
            held.made.game.names[:] = names
            self.drafts[seat] = drafted(held.made, held.recall.looks, moment, held.number)
        looks = {role: old.looks for role, old in self.recalls.items()}
        self.recalls = {role: Recall(letter_of(role), self.game, self.public, seen) for role, seen in looks.items()}


def labelled(game: Game, seat: str, steps: Sequence[Move]) -> str:
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
