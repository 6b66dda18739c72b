"""What a turn itself asks: the first look, the main action, the card in hand, the windows, and where a card goes."""

from argentum.rules.residents import MAIN_ACTION
from argentum.words.decision import Decision, Prompt, last_of
from argentum.words.labels import card_at, top_card
from argentum.words.seating import choices, listed, sentence

FIRST_LOOK = Prompt("Look at two of your cards.", "Choose them: you see both, and nobody else does.", None)


def more_cards(now: Decision) -> Prompt:
    """The second card of the first look, or more cards for an exchange (G4, G10)."""
    if now.view.looking:
        return Prompt("Choose the second card to look at.", "You see both at once, and nobody else does.", None)
    spots = now.seating.spots(sorted(now.view.named, key=lambda spot: int(spot[1:])))
    more = ", or name more cards to go with it" if len(now.view.named) == 1 else ", if they match, or name more cards"
    return Prompt(hand_title(now), f"Exchange it for {spots}{more}.", None)


def opening(now: Decision) -> Prompt:
    """The main action (G5)."""
    view = now.view
    actions = {
        "draw": "draw from the deck",
        "draw private": "draw from your own deck",
        "take": f"take {top_card(view)}" if view.discard else "",
        "call": "call for a vote",
    }
    ways = [words for action, words in actions.items() if action in now.plain] + uses(now, True)
    if not view.caller:
        return Prompt("It is your turn.", choices(ways) + also(now), None)
    title = "It is your turn." if view.extra_turns else "This is your last turn."
    called = sentence(now.seating.does(view.caller, "have"))
    return Prompt(title, f"{called} called. {choices(ways)}{also(now)}", None)


def uses(now: Decision, main: bool) -> list[str]:
    """What may be used in this window: what replaces the draw (Zombie, Blob), or the rest."""
    found: list[str] = []
    for move in now.view.legal:
        if move.verb == "ability":
            number = card_at(now.view, move.spot).number
            assert number is not None  # it is faceup
            resident = now.view.residents[number]
            words = f"use your {resident.name}"
            if (resident.window == MAIN_ACTION) == main and words not in found:
                found.append(words)
    if "token" in now.plain and not main:
        found.append(f"use the silver {now.view.token}")
    return found


def also(now: Decision) -> str:
    """What may be used besides, as a sentence of its own."""
    found = uses(now, False)
    return f" You may also {listed(found, ' or ')}." if found else ""


def hand(now: Decision) -> Prompt:
    """A card in hand (G7, G8)."""
    return Prompt(hand_title(now), hand_choices(now) + also(now), None)


def hand_title(now: Decision) -> str:
    """How the card came to the reader's hand."""
    return f"You {'took' if taken(now) else 'drew'} {now.hand}."


def taken(now: Decision) -> bool:
    """Whether the card in hand was taken from the discard pile (G8, C10)."""
    event = last_of(now.now, "drew", "took")
    return event is not None and event.kind == "took"


def hand_choices(now: Decision) -> str:
    """What may be done with the card in hand."""
    exchange = "choose one or more cards to exchange it for"
    if "discard" not in now.plain:
        return sentence(exchange) + "." if taken(now) else f"A Zombie cannot be discarded: {exchange}."
    ways = [exchange] if "exchange" in now.words else []
    ways.append("discard it")
    card = now.view.hand
    if "use" in now.plain and card is not None and card.number is not None:
        stays = now.view.residents[card.number].stays
        ways.append("use it" if stays else "discard it and use its ability")
    return choices(ways)


def closing(now: Decision) -> Prompt:
    """The window after the main action (G24)."""
    return Prompt("Your turn is nearly over.", choices([*uses(now, False), "end your turn"]), None)


def spot_for(now: Decision) -> Prompt:
    """The spot for the new card, among those that the old ones leave (G10, D5)."""
    goes = "The other cards leave, and the row closes up."
    title = f"Choose the spot for {now.hand}."
    showed = last_of(now.now, "showed", "used")
    if now.asker is not None and now.asker.label == "D5" and showed is not None and showed.kind == "used":
        return Prompt(title, f"{goes} It goes in faceup.", now.asker.number)
    return Prompt(title, goes, None)


def end_for(now: Decision) -> Prompt | None:
    """An end of a village for a card in hand or a penalty; None where an ability asks for it."""
    last = now.now[-1].kind
    before = last_of(now.now, "failed", "counted", "ability", "used")
    if last == "added" and before is not None and before.kind == "failed":
        face = "faceup" if now.view.deck_up else "unseen"
        return Prompt(
            "Choose an end of your village for the penalty card.",
            f"Three or more cards were tried, so the deck's top card joins you too, {face}.",
            None,
        )
    if last == "used" or now.view.hand is None:
        return None
    why = {
        "failed": "Your cards do not match: they stay, facedown, and it joins them.",
        "stayed": "The Zombie in your village does not leave, so this one joins it.",
    }
    gained = "It cannot be discarded, and there is nothing to exchange it for."
    return Prompt(f"Choose an end of your village for {now.hand}.", why.get(last, gained), None)
