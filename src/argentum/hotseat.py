"""A plain game in the terminal, against players who play at random. All that is shown is made from one seat's view."""

from collections.abc import Callable
from random import Random

from argentum.lookup import look_up
from argentum.rules.game import Game, random_move
from argentum.rules.views import Card, View

HELP = """Type a move as it is listed; several cards go into one (peek A1 A4, exchange A1 A3). Or
  look, pile      the table again, the whole discard pile
  rules NAME      a resident, a ruling or a box
  quit            stop playing"""


def card_text(card: Card, view: View) -> str:
    """A card as it is seen, with its resident's name: [7 Elusive Seer], (7 ...) facedown but known, (?) unknown."""
    name = "" if card.number is None else f" {view.residents[card.number].name}"
    inside = ("?" if card.number is None else str(card.number)) + name
    marks = ("~" if card.sideways else "") + ("*" if card.covered else "")
    return (f"[{inside}]" if card.up else f"({inside})") + marks


def table_text(view: View) -> str:
    """The table as one seat sees it."""
    lines = [
        f"Round {view.round}, {view.direction}. Silver {view.token}: seat {view.token_seat}, {view.token_state}."
        + (f" Seat {view.caller} has called." if view.caller else "")
    ]
    for letter, village in view.villages.items():
        who = f"{letter} {view.names[ord(letter) - ord('A')]}" + (" (you)" if letter == view.seat else "")
        lines.append(
            f"  {who:14} {view.totals[letter]:4d}  {' '.join(card_text(card, view) for card in village) or '(empty)'}"
        )
        if view.private[letter]:
            lines.append(f"  {'':20} private deck {' '.join(card_text(card, view) for card in view.private[letter])}")
    top = card_text(view.discard[0], view) if view.discard else "(empty)"
    deck = f" (top {card_text(view.deck[0], view)})" if view.deck_up and view.deck else ""
    lines.append(f"  Deck: {len(view.deck)}{deck}. Discard pile: {top} on {max(len(view.discard) - 1, 0)} more")
    if view.hand is not None and view.holder == view.seat:
        lines.append(f"  In hand: {card_text(view.hand, view)}  {_ability(view, view.hand)}")
    return "\n".join(lines)


def _ability(view: View, card: Card) -> str:
    return "" if card.number is None else view.residents[card.number].text


class HotSeat:
    """One person at seat A; the others play at random."""

    def __init__(self, game: Game, random: Random, ask: Callable[[str], str], say: Callable[[str], None]) -> None:
        self.game = game
        self.random = random
        self.ask = ask
        self.say = say
        self.told = 0  # events that were said
        self.explained = 0  # rounds

    def run(self) -> None:
        """Play to the end, or until the person stops (EOFError from `ask`, or quit)."""
        self.say(HELP + "\n")
        while not self.game.over:
            if self.game.to_move == "A":
                self._tell()
                self.say("\n" + table_text(self.game.view("A")))
                if not self._choose():
                    return
            else:
                self.game.play(random_move(self.game.choices(), self.random))
        self._tell()
        standing = sorted(zip(self.game.totals.values(), self.game.names, strict=True))
        self.say("\nFinal standing: " + ", ".join(f"{name} {points}" for points, name in standing))

    def _tell(self) -> None:
        """Say what happened since the last time, as far as the person may know it, and how a round was scored."""
        events = self.game.events("A", since=self.told)
        for event in events:
            self.say(f"  {event}")
            if event.kind == "token went":
                self.explained += 1
                for line in self.game.explain(self.explained):
                    self.say(f"    {line}")
        self.told += len(events)

    def _choose(self) -> bool:
        """Ask until a move is made; false if the person stops."""
        moves = f"You may play: {', '.join(str(move) for move in self.game.legal())}"
        self.say(moves)
        while True:
            try:
                answer = self.ask("> ").strip()
            except EOFError:
                return False
            command, _, rest = answer.lower().partition(" ")
            view = self.game.view("A")
            if command in ("quit", "exit"):
                return False
            try:
                if command in ("", "look", "help", "?"):
                    self.say(HELP + "\n" + table_text(view) + "\n" + moves)
                elif command == "pile":
                    self.say("From the top: " + " ".join(card_text(card, view) for card in view.discard))
                elif command == "rules":
                    self.say(look_up(rest))
                else:
                    self.game.play(answer, seat="A")
                    return True
            except ValueError as error:
                self.say(str(error))
