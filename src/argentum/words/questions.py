"""What residents and tokens ask, each in a sentence of its own, and which of all questions is asked now."""

from collections.abc import Callable

from argentum.rules.views import View
from argentum.words.decision import Asker, Decision, Prompt, last_of
from argentum.words.labels import burying
from argentum.words.seating import COUNTS, article, choices, listed, sentence
from argentum.words.turns import FIRST_LOOK, also, closing, end_for, hand, more_cards, opening, spot_for

Asked = tuple[str, str]  # title and detail

FALL_BACK = Prompt("It is your choice.", "Choose what comes next.", None)
FLIP = "Faceup turns facedown, and facedown turns faceup for all to see."
# What a resident or token asks when it is begun, by its label.
FIRST: dict[str, Asked] = {
    "B2": ("Choose one of your cards to flip.", FLIP),
    "B6": ("Choose a card of any village to flip.", FLIP),
    "B8": ("Choose a village to shuffle.", "Its facedown cards change places, and nobody knows them afterwards."),
    "B9": ("Choose a faceup card to use.", "You use its draw ability as if you had drawn it."),
    "B11": ("Choose the first of two cards to switch.", "They come from two villages, and keep their faces."),
    "B12": ("Choose a village for the Gremlin.", "It joins that village faceup, at the end you choose."),
    "B14": (
        "Choose one of your cards for the silver bullet.",
        "It counts 0, and nothing can touch it for the rest of the round.",
    ),
    "C3": ("Choose another card to flip.", f"In any village. {FLIP}"),
    "C5": ("Choose another card to flip.", f"In any village. {FLIP}"),
    "C6": ("Choose a faceup card to turn facedown.", "In any village. Then you turn a different card faceup."),
    "C7": ("Choose a village to look at.", "You see all its facedown cards, and nobody else does."),
    "C8": ("Choose a faceup card to discard.", "In any village. It goes to the bottom of the discard pile."),
    "C9": ("Look at up to three facedown cards.", "In any villages. Nobody else sees them."),
    "C11": (
        "Choose a card of any village to replace.",
        "It goes to the bottom of the discard pile, whose topmost card but this Golem takes its spot.",
    ),
    "C14": ("Choose a card of any village to flip.", FLIP),
    "D1": ("Choose a facedown card of another village.", "You look at it, and nobody else does."),
    "D5": ("Choose the first of two cards to discard.", "They need not match. The Approximator takes the spot of one."),
    "D6": ("Choose a village to flip.", "Every card in it turns over."),
    "D7": (
        "Choose a facedown card to look at.",
        "In any village. You go on until one is 4 or lower, and that one turns faceup.",
    ),
    "D8": (
        "Choose a facedown card in another village.",
        "It turns faceup. Then use its draw ability, or switch it for one of yours.",
    ),
    "D9": ("Look at up to two facedown cards.", "In any villages. Nobody else sees them."),
    "D12": (
        "Choose a facedown card to look at.",
        "In any village. Then you switch it for a card of another village, if you can.",
    ),
}


def question(now: Decision) -> Prompt:
    """What the reader, who has a choice to make, is asked."""
    fixed = next((FIXED[word] for word in FIXED if word in now.words), None)
    if fixed is not None:
        return fixed
    for word, ask in BY_WORD.items():
        asked = ask(now) if word in now.words else None
        if asked is not None:
            return asked
    one = now.asker
    if one is None:
        return FALL_BACK
    later = LATER[one.label](now, one) if one.label in LATER else None
    first = later or FIRST.get(one.label)
    return FALL_BACK if first is None else Prompt(*first, one.number)


# Choices that their words give away.

FIXED = {
    "peek": FIRST_LOOK,
    "clockwise": Prompt(
        "Choose which way the cards move.", "One card of each village moves to the next one; you choose each.", 12
    ),
    "give": Prompt("Give one of your cards away, or none.", "It counts in the village that it goes to.", 0),
    "remove": Prompt("Leave one of your cards out, or none.", "It does not count for this round.", 0),
}


def rotate(now: Decision) -> Prompt:
    """A Curator's choice (C2)."""
    discards = "discard" in now.words
    detail = "Or discard one that is sideways." if discards else "A Curator can discard a card that is sideways."
    return Prompt("Choose one of your cards to turn sideways or back.", detail, 2)


def more_looks(now: Decision) -> Prompt | None:
    """A Mortician's choice, or cards to look at after the first (B4, C9, D9)."""
    if burying(now.view):
        names = [now.resident(int(word.split()[1])) for word in sorted(now.plain - {"stop"})]
        detail = f"Your Mortician lets you use the ability of {listed(names, ' or ')}."
        return Prompt("Use a card that you exchanged away, or none.", detail, 4)
    one = now.asker
    if one is None or one.label not in LOOKS:
        return None
    left = LOOKS[one.label] - len([event for event in one.since if event.kind == "looked"])
    return Prompt(f"Look at {'up to ' * (left > 1)}{COUNTS[left]} more, or stop.", FIRST[one.label][1], one.number)


LOOKS = {"C9": 3, "D9": 2}


def dig(now: Decision) -> Prompt:
    """A Nosferatu's choice (C10)."""
    verbs = {word.split()[0] for word in now.plain}
    ways = {"take": "take one and exchange it in", "use": "use the draw ability of one, which stays where it lies"}
    detail = choices([words for verb, words in ways.items() if verb in verbs])
    return Prompt("Choose a card from below in the discard pile.", detail + _below(now), 10)


def _below(now: Decision) -> str:
    """The cards below a Nosferatu that was just discarded. (Where it counts from otherwise, X5 says.)"""
    digs = [event for event in now.now if event.kind == "used" and event.number == 10]
    discarded = last_of(now.now, "discarded")
    if len(digs) != 1 or discarded is None or discarded.number != 10 or discarded.to != "pile":
        return ""
    cards = [now.resident(card.number if card.up else None, "a facedown card") for card in now.view.discard[1:4]]
    return f" From the top: {listed(cards)}."


ENDS: dict[str, Asked] = {
    "B10": (
        "Choose an end of your village for the Zombie.",
        "A Zombie never stays on top of the discard pile: this one joins you faceup.",
    ),
    "B12": ("Choose an end for the Gremlin.", "It joins the village faceup, at its owner's left or right."),
    "C5": ("Choose an end of your village for the Apprentice Tanner.", "It joins you faceup."),
}


def end_for_ability(now: Decision) -> Prompt | None:
    """An end for an Apprentice Tanner, a Gremlin, a Zombie on its way, or one that a Count has turned up."""
    one = now.asker
    if one is not None and one.label == "D4":
        village = now.seating.village(now.view.previous)
        return Prompt(f"Choose an end of {village} for the Zombie.", "It goes there facedown.", one.number)
    return Prompt(*ENDS[one.label], one.number) if one is not None and one.label in ENDS else None


# By a word that is among the legal moves; the first that knows an answer counts.
BY_WORD: dict[str, Callable[[Decision], Prompt | None]] = {
    "and": more_cards,
    "done": more_cards,
    "draw": opening,
    "draw private": opening,
    "end": closing,
    "exchange": hand,
    "rotate": rotate,
    "discard": hand,
    "at": spot_for,
    "at left": lambda now: end_for(now) or end_for_ability(now),
    "stop": more_looks,
    "take 1": dig,
    "use 1": dig,
    "use 2": dig,
    "use 3": dig,
}


# What a resident asks after its first question; None where that is still to be answered.


def troublemaker(now: Decision, _: Asker) -> Asked | None:
    """The second card comes from another village than the first; no event tells which that was."""
    if {move.spot[0] for move in now.view.legal} == set(open_villages(now.view)):
        return None
    return "Choose the card to switch it for.", "In another village. Both keep their faces."


def open_villages(view: View) -> list[str]:
    """The villages with cards that the reader may move (G23)."""
    found: list[str] = []
    for seat, village in view.villages.items():
        free = [card for card in village if not card.covered]
        guarded = view.residents[3].label == "D3" and any(card.up and card.number == 3 for card in free)
        if free and (seat == view.seat or not guarded):
            found.append(seat)
    return found


def huntress(_: Decision, one: Asker) -> Asked | None:
    """The first card is facedown now."""
    return ("Choose a different card to turn faceup.", "In any village.") if one.since else None


def village_idiot(now: Decision, _: Asker) -> Asked:
    """Which card of a village moves on."""
    seat = next(move.spot[0] for move in now.view.legal if not move.verb)
    village = now.seating.village(seat)
    return f"Choose the card of {village} that moves on.", "One card of each village does, faces kept." + also(now)


def approximator(now: Decision, _: Asker) -> Asked | None:
    """The second card, where there is one less to choose from."""
    touchable = [card for card in now.view.villages[now.view.seat] if not card.covered]
    if len(now.view.legal) == len(touchable):
        return None
    return "Choose the second card to discard.", FIRST["D5"][1]


def elusive_seer(now: Decision, one: Asker) -> Asked | None:
    """One card after another."""
    event = one.last("looked")
    if event is None or event.number is None:
        return None
    name = now.view.residents[event.number].name
    return f"{sentence(article(name))} {name} is above 4. Look at another card.", FIRST["D7"][1]


def magician(now: Decision, one: Asker) -> Asked | None:
    """The card is faceup: use it or switch it."""
    event = one.last("turned up")
    if event is None:
        return None
    title = f"{sentence(now.seating.spot(event.spot))} is {now.resident(event.number)}."
    switch = "choose one of your cards to switch for it"
    if "use" in now.plain:
        return title, f"Use its ability as if you had drawn it, or {switch}."
    return title, sentence(switch) + "."


def master_thief(now: Decision, one: Asker) -> Asked | None:
    """The card is known to its thief: switch it."""
    event = one.last("looked")
    if event is None:
        return None
    return (
        f"{sentence(now.seating.spot(event.spot))} is {now.resident(event.number)}. Choose a card to switch it for.",
        "In another village. Both keep their faces, and you do not look at the other one.",
    )


LATER: dict[str, Callable[[Decision, Asker], Asked | None]] = {
    "B11": troublemaker,
    "C6": huntress,
    "C12": village_idiot,
    "D5": approximator,
    "D7": elusive_seer,
    "D8": magician,
    "D12": master_thief,
}
