# mypyc: compile
"""Texts of buttons, and accessible names of cards and piles."""

from argentum.rules.move import Move
from argentum.rules.notation import GIVE
from argentum.rules.views import Card, View, card_at
from argentum.words.english import capitalize_first, count_noun, ordinal_word
from argentum.words.player_names import player_names
from argentum.words.residents import texts_of

PLAIN_BUTTONS = {
    "call": "Call for a vote",
    "discard": "Discard",
    "at left": "Left end",
    "at right": "Right end",
    "clockwise": "Clockwise",
    "counterclockwise": "Counterclockwise",
    "end": "End your turn",
}
SPOT_BUTTONS = {
    "peek": "Look at {spot}",
    "exchange": "Exchange {spot}",
    "at": "{spot}",
    "discard": "Discard {spot}",
    "remove": "Leave {spot} out",
}
# Buttons that confirm selected cards.
SELECTION_BUTTONS = {
    "peek": "Look at two cards",
    "exchange": "Exchange",
    "rotate": "Turn sideways or back",
    "discard": "Discard it",
    "remove": "Leave it out",
}


def button_text(move: Move, view: View) -> str:
    """Return the text of a legal move's button, which is unique within a decision."""
    if move.verb in PLAIN_BUTTONS and not move.spot:
        return PLAIN_BUTTONS[move.verb]
    names = player_names(view)
    if move >= GIVE:
        return f"Give {names.spot_phrase(move.spot)} to {_receiver_name(move, view)}"
    if move.spot:
        return _spot_button(move, view)
    if move.seat:
        return capitalize_first(names.village_phrase(move.seat))
    return _spotless_button(move, view)


def uncapitalize_button_text(words: str, view: View) -> str:
    """Return a button text for use within a sentence: the first letter is lowered unless it starts a player's name.

    A name at the start is always possessive: "Bo's spot 3", "Bo's village".
    """
    player_list = player_names(view).names.values()
    return words if words.startswith(tuple([f"{name}'s " for name in player_list])) else words[:1].lower() + words[1:]


def selection_button_text(move: Move, view: View) -> str:
    """Return the text of the button that confirms the selected cards."""
    if move >= GIVE:
        return f"Give to {_receiver_name(move, view)}"
    if not move.verb:
        return capitalize_first(_pick_template(view).format(spot="it"))
    return SELECTION_BUTTONS[move.verb]


def _receiver_name(move: Move, view: View) -> str:
    return player_names(view).name(move.seat)


def _pick_template(view: View) -> str:
    return "{spot}" if view.asking is None else texts_of(view.asking.label).pick_button


def _spot_button(move: Move, view: View) -> str:
    spot = player_names(view).spot_phrase(move.spot)
    if move.verb == "rotate":
        return f"Turn {spot} {'back' if card_at(view, move.spot).sideways else 'sideways'}"
    if move.verb == "and":
        return f"Look at {spot}" if view.looking else f"And {spot}"
    if move.verb == "ability":
        number = card_at(view, move.spot).number
        assert number is not None  # The card is faceup.
        same_name = [
            other for other in view.legal if other.verb == "ability" and card_at(view, other.spot).number == number
        ]
        place = f" at spot {move.spot[1:]}" if len(same_name) > 1 else ""
        return f"Use your {view.residents[number].name}{place}"
    return capitalize_first((SPOT_BUTTONS[move.verb] if move.verb else _pick_template(view)).format(spot=spot))


def _spotless_button(move: Move, view: View) -> str:
    if move.number is not None:
        return _pile_button_text(move.verb, move.number, view)
    if move.verb in ("draw", "draw private"):
        return draw_button_text(view, move.verb == "draw private")
    if move.verb == "take":
        return f"Take {pile_top_phrase(view)}"
    if move.verb == "use":
        return use_button_text(view)
    if move.verb == "token":
        return f"Use the silver {view.token}"
    if move.verb == "done":
        return f"Exchange {count_noun(len(view.named), 'card')}"
    declined = "" if view.asking is None else texts_of(view.asking.label).decline_button
    return declined or ("No more" if move.verb == "stop" else "None")


def _pile_button_text(verb: str, place: int, view: View) -> str:
    """Return the button text of a move that names a shown card, or a card of the deck or discard pile, by position."""
    numbers = [move.number for move in view.legal if move.verb == verb]
    cards = {number: pile_card(verb, number, view) for number in numbers if number is not None}
    card = cards.get(place)
    if card is None:
        return f"{PILE_VERBS[verb]} the {ordinal_word(place)} card"
    name = _pile_card_name(card, view)
    same_name = [legal for legal, other in cards.items() if other is not None and _pile_card_name(other, view) == name]
    if verb == "draw":
        rank = f"{ordinal_word(same_name.index(place) + 1)} " if len(same_name) > 1 else ""
        return f"Draw the {rank}shown {name}"
    suffix = f", {ordinal_word(place)} from the top" if len(same_name) > 1 else ""
    return f"{PILE_VERBS[verb]} {'a' if card.number is None else 'the'} {name}{suffix}"


PILE_VERBS = {"draw": "Draw", "keep": "Draw", "take": "Take", "use": "Use"}


def pile_card(verb: str, place: int, view: View) -> Card | None:
    """Return the card of a move such as `keep 2`; None if the reader does not know it."""
    if verb == "draw":
        return view.shown[place - 1]
    if verb == "keep":
        card = view.deck[place - 1]
        return card if card.number is not None else None
    depths = () if view.asking is None else view.asking.depths
    return view.discard[depths[place - 1] - 1] if depths else Card(place, True)  # `use 6` names a number (B4)


def _pile_card_name(card: Card, view: View) -> str:
    return "facedown card" if card.number is None else view.residents[card.number].name


def draw_button_text(view: View, private: bool) -> str:
    """Return the button text of a draw, with the name of the card if the reader knows it."""
    deck = view.private[view.seat] if private else view.deck
    place = "your own deck" if private else "the deck"
    if deck[0].number is None or not (private or view.deck_up):
        return f"Draw from {place}"
    return f"Draw the {view.residents[deck[0].number].name} from {place}"


def pile_top_phrase(view: View) -> str:
    """Return a phrase for the top card of the discard pile, which may be facedown (C11)."""
    top = view.discard[0]
    if not top.up or top.number is None:
        return "the facedown card"
    return f"the {view.residents[top.number].name}"


def use_button_text(view: View) -> str:
    """Return the text of the button that uses the card in hand or, if there is none, the card picked before."""
    if view.hand is None or view.hand.number is None:
        return "Use its ability"
    resident = view.residents[view.hand.number]
    return f"Use the {resident.name}" if resident.joins_village else "Discard and use"


def card_accessible_name(card: Card, view: View, seat: str, place: int) -> str:
    """Return the accessible name of the card at a place (from 1) in a village."""
    names = player_names(view)
    words = [names.name(seat), f"spot {place}"]
    face = "" if card.number is None else f"{card.number} {view.residents[card.number].name}"
    if card.up:
        words.append(f"faceup: {face}")
    elif face:
        words += ["facedown", f"you know it: {face}" if names.reader else face]
    else:
        words.append("facedown")
        if card.passed:
            words.append("above 4")
    if card.sideways:
        words.append("sideways")
    if card.covered:
        words.append(f"under the silver {view.token}")
    spot = f"{seat}{place}"
    words += [f"guarded by spot {guard[1:]}" for guard, guarded in view.guards if guarded == spot]
    words += [f"guards spot {guarded[1:]}" for guard, guarded in view.guards if guard == spot]
    words += ["chosen"] if view.asking and spot in [move.spot for move in view.asking.picked] else []
    return ", ".join(words)


def looked_at_caption(spot: str, index: int, total: int, view: View) -> str:
    """Return the caption of a card that the reader looks at: "Your third card, 1 of 2"."""
    owned_card = f"{player_names(view).possessive(spot[0])} {ordinal_word(int(spot[1:]))} card"
    return capitalize_first(owned_card if total == 1 else f"{owned_card}, {index} of {total}")


def pile_accessible_name(card: Card, view: View, seat: str, place: str) -> str:
    """Return the accessible name of the top of a pile, a shown card or the card in hand.

    `place` is `deck`, `pile`, `hand`, `shown-2`, or anything else for the private deck of a seat.
    """
    names = player_names(view)
    face = "" if card.number is None else f": {card.number} {view.residents[card.number].name}"
    if place == "hand":
        return f"in {names.possessive(seat)} hand{face or ', a facedown card'}"
    if place == "deck":
        return f"deck, {count_noun(len(view.deck), 'card')}{face}"
    if place == "pile":
        return f"discard pile, top card{face or ' facedown'}"
    if place.startswith("shown"):
        return f"shown beside the deck{face}"
    return f"{names.possessive(seat)} own deck, {count_noun(len(view.private[seat]), 'card')}{face}"
