"""What the reader waits for: another player's move, the first looks, or nothing any more."""

from collections.abc import Sequence

from argentum.rules.events import Event
from argentum.words.decision import BEGIN, Decision, Prompt, last_of
from argentum.words.seating import listed, sentence

# What is chosen for an ability that was just begun, where it is not a card.
CHOOSES = {
    "B8": "a village",
    "B12": "a place",
    "C5": "a place",
    "C7": "a village",
    "C12": "cards",
    "D6": "a village",
}
SILENT = ("B5", "B7", "B10", "C1", "C4", "D10", "D11", "D14")  # these ask nothing themselves


def waiting(now: Decision) -> Prompt:
    """What to say to a reader who has no choice to make in a game that goes on."""
    view = now.view
    if view.looking:
        return others_look(now)
    who = now.seating.name(view.to_move)
    if now.now and now.now[0].kind == "round ended":  # a Regifter or Hunter acts (G15)
        return Prompt(f"{who} decides about {now.resident(0)}.", "Then the round is scored.", 0)
    one = now.asker
    if one is not None and now.now[-1].kind in BEGIN and one.label not in SILENT:
        asks = f"the silver {view.token}" if one.number is None else now.resident(one.number)
        return Prompt(f"{who} chooses {CHOOSES.get(one.label, 'a card')} for {asks}.", last_turns(now), one.number)
    return Prompt(f"{who} is playing.", in_hand(now) or last_turns(now), None)


def others_look(now: Decision) -> Prompt:
    """The first look of others (G4)."""
    names = listed([now.seating.name(seat) for seat in now.view.looking])
    verb = "is" if len(now.view.looking) == 1 else "are"
    starts = sentence(now.seating.does(now.view.turn, "start"))
    return Prompt(f"{names} {verb} looking at two cards.", f"{starts} the round.", None)


def in_hand(now: Decision) -> str:
    """The card that somebody else holds."""
    event = last_of(now.now, "drew", "took")
    if event is None or now.view.hand is None:
        return ""
    card = now.resident(now.view.hand.number, "a facedown card" if event.kind == "took" else "a card")
    return f"{now.seating.name(now.view.holder)} {event.kind} {card}."


def last_turns(now: Decision) -> str:
    """What a call means for the rest of the round (G13)."""
    if not now.view.caller:
        return ""
    return f"{sentence(now.seating.does(now.view.caller, 'have'))} called: these are the last turns."


def game_over(now: Decision, events: Sequence[Event]) -> Prompt:
    """The end of the game, or of the one round of a given position."""
    won = last_of(events, "won")
    points = now.view.scores if won is None else now.view.totals
    title = "The round is over." if won is None else sentence(now.seating.does(won.seat, "win")) + " the game."
    standing = [f"{now.seating.name(seat)} {points[seat]}" for seat in sorted(points, key=lambda seat: points[seat])]
    return Prompt(title, sentence(listed(standing)) + ".", None)
