"""The words on a button, and how a screen reader names a card."""

from argentum.rules.move import Move
from argentum.rules.notation import GIVE, SEATS
from argentum.rules.views import Card, View
from argentum.words.seating import counted, seating_of, sentence

ORDINALS = ("", "first", "second", "third")
PLAIN = {
    "call": "Call for a vote",
    "discard": "Discard",
    "at left": "Left end",
    "at right": "Right end",
    "clockwise": "Clockwise",
    "counterclockwise": "Counterclockwise",
    "end": "End your turn",
}
WITH_SPOT = {
    "": "{spot}",
    "peek": "Look at {spot}",
    "exchange": "Exchange {spot}",
    "at": "{spot}",
    "discard": "Discard {spot}",
    "remove": "Leave {spot} out",
}


def label(move: Move, view: View) -> str:
    """What a button for a legal move says: no two of one decision say the same."""
    if move.verb in PLAIN and not move.spot:
        return PLAIN[move.verb]
    seating = seating_of(view)
    if move >= GIVE:
        receiver = seating.name(SEATS[(move - GIVE) >> 8])
        return f"Give {seating.spot(move.spot)} to {receiver}"
    if len(move.spot) == 1:
        return sentence(seating.village(move.spot))
    if move.spot:
        return _with_spot(move, view)
    return _without_spot(move, view)


def _with_spot(move: Move, view: View) -> str:
    """The button of a move that names a card of a village."""
    spot = seating_of(view).spot(move.spot)
    if move.verb == "rotate":
        return f"Turn {spot} {'back' if card_at(view, move.spot).sideways else 'sideways'}"
    if move.verb == "and":
        return f"Look at {spot}" if view.looking else f"And {spot}"
    if move.verb == "ability":
        number = card_at(view, move.spot).number
        assert number is not None  # it is faceup
        twins = [one for one in view.legal if one.verb == "ability" and card_at(view, one.spot).number == number]
        place = f" at spot {move.spot[1:]}" if len(twins) > 1 else ""
        return f"Use your {view.residents[number].name}{place}"
    return sentence(WITH_SPOT[move.verb].format(spot=spot))


def _without_spot(move: Move, view: View) -> str:
    """The button of a move that names no card of a village."""
    verb, _, rest = move.verb.partition(" ")
    if verb == "draw":
        return draw_label(view, bool(rest))
    if verb == "take" and not rest:
        return f"Take {top_card(view)}"
    if verb == "take":
        return f"Take the {ORDINALS[int(rest)]} card"
    if verb == "use" and rest:
        if burying(view):
            return f"Use the {view.residents[int(rest)].name}"
        return f"Use the {ORDINALS[int(rest)]} card"
    if verb == "use":
        return use_label(view)
    if verb == "token":
        return f"Use the silver {view.token}"
    if verb == "done":
        return f"Exchange {counted(len(view.named), 'card')}"
    if verb == "stop":
        return "Use none" if burying(view) else "No more"
    return "Leave nothing out" if any(one.verb == "remove" for one in view.legal) else "Give nothing"


def draw_label(view: View, private: bool) -> str:
    """The button for a draw; it names the card where that is known."""
    deck = view.private[view.seat] if private else view.deck
    place = "your own deck" if private else "the deck"
    if deck[0].number is None or not (private or view.deck_up):
        return f"Draw from {place}"
    return f"Draw the {view.residents[deck[0].number].name} from {place}"


def top_card(view: View) -> str:
    """The top card of the discard pile, which may lie facedown (C11)."""
    top = view.discard[0]
    if not top.up or top.number is None:
        return "the facedown card"
    return f"the {view.residents[top.number].name}"


def use_label(view: View) -> str:
    """The button for an ability: of the card in hand, or of one that a Magician has turned up (D8)."""
    if view.hand is None or view.hand.number is None:
        return "Use its ability"
    resident = view.residents[view.hand.number]
    return f"Use the {resident.name}" if resident.stays else "Discard and use"


def burying(view: View) -> bool:
    """Whether a Mortician asks (B4): a Nosferatu's `use 2` comes without `stop`."""
    verbs = [move.verb for move in view.legal]
    return "stop" in verbs and any(verb.startswith("use ") for verb in verbs)


def card_at(view: View, spot: str) -> Card:
    """The card at a spot, as the reader sees it."""
    return view.villages[spot[0]][int(spot[1:]) - 1]


def card_name(card: Card, view: View, seat: str, place: int) -> str:
    """How a screen reader names the card at a place (from 1) of a village."""
    seating = seating_of(view)
    words = [seating.name(seat), f"spot {place}"]
    face = "" if card.number is None else f"{card.number} {view.residents[card.number].name}"
    if card.up:
        words.append(f"faceup: {face}")
    elif face:
        words += ["facedown", f"you know it: {face}"]
    else:
        words.append("facedown")
        if card.passed:
            words.append("above 4")
    if card.sideways:
        words.append("sideways")
    if card.covered:
        words.append("under the silver bullet")
    return ", ".join(words)
