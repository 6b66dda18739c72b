"""A plain sentence for each event, with all players in the third person, for records and agents."""

from collections.abc import Sequence

from argentum.rules.events import Event
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import Resident
from argentum.rules.turns import TURN_CAP
from argentum.words.english import capitalize_first, ordinal_word

SENTENCE_TEMPLATES = {
    "dealt": "Round {round} is dealt; {who} starts.",
    "looked": "{who} looks at {spot}{known}.",
    "turn": "It is {whose} turn.",
    "drew": "{who} draws {card}{source}.",
    "took": "{who} takes {card} from the discard pile{down}.",
    "called": "{who} calls for a vote.",
    "discarded": "{who} discards {card}{goes}.",
    "used": "{who} uses the ability of {card}{there}.",
    "showed": "{who} shows {spot}{known}.",
    "failed": "The cards do not match and turn facedown.",
    "placed": "{card} goes to {spot}.",
    "added": "{card} is added at {spot}.",
    "stayed": "{card} at {spot} does not leave.",
    "left": "{spot}{known} goes{goes}.",
    "turned up": "{who} turns {spot} faceup{known}.",
    "turned down": "{who} turns {spot} facedown{known}.",
    "switched": "{who} switches {spot} and {to}.",
    "shifted": "{spot}{known} moves to {to}.",
    "rotated": "{who} turns {spot} {lies}.",
    "ability": "{who} uses {card} at {spot}.",
    "token": "{who} uses the silver {token}.",
    "covered": "{who} puts the silver {token} on {spot}.",
    "reversed": "Play now goes {lies}.",
    "skipped": "{who} plays again: the other player's turn is skipped.",
    "deck turned": "The deck is turned over and lies {lies}.",
    "kept": "{card} goes on top of {whose} private deck.",
    "counted": "{card} is turned onto the discard pile.",
    "shuffled": "{who} shuffles the facedown cards of {village} village.",
    "extra turn": "{who} takes another turn.",
    "round ended": "The round is over: {reason}.",
    "revealed": "{spot} is revealed{known}.",
    "gave": "{who} gives {spot}{known} away, to {to}.",
    "removed": "{who} leaves out {spot}{known}.",
    "scored": "{who} scores {points}.",
    "token went": "The silver {token} goes to {who}, {lies}.",
    "won": "{who} wins the game.",
    "displayed": "{card} is shown beside the deck{position}.",
    "guarded": "{who} lets {spot} guard {to}.",
    "guard ended": "A card of {whose} village is no longer guarded.",
}
DESTINATION_CLAUSES = {
    "discard": " to the discard pile",
    "deck bottom": " to the bottom of the deck",
    "discard bottom": " to the bottom of the discard pile",
    "out": " out of the round",
}
DRAW_SOURCE_CLAUSES = {"private": " from the private deck", "shown": ", shown beside the deck"}


def event_sentence(event: Event, names: Sequence[str], residents: Sequence[Resident]) -> str:
    player = names[SEAT_LETTERS.index(event.seat)]
    card = "a card" if event.number is None else f"{event.number} {residents[event.number].name}"
    deck_card = f"the deck's {'top' if event.depth == 1 else ordinal_word(event.depth or 1)} card"
    return capitalize_first(
        SENTENCE_TEMPLATES[event.kind].format(
            who=player,
            whose=f"{player}'s",
            spot=deck_card if event.source == "deck" and not event.spot else event.spot,
            card=card,
            known="" if event.number is None else f" ({card})",
            there=f" at {event.spot}" * bool(event.spot),
            to=event.to,
            goes=""
            if event.kind == "discarded" and event.goes == "discard"
            else DESTINATION_CLAUSES.get(event.goes, ""),
            source=DRAW_SOURCE_CLAUSES.get(event.source, ""),
            down=f", {event.depth} down" * (event.depth is not None),
            position=f", {ordinal_word(event.depth)} in the row" if event.depth else "",
            village=f"{names[SEAT_LETTERS.index(event.village)]}'s" if event.village else "",
            lies=event.lies,
            token=event.token,
            round=event.round,
            points=event.points,
            reason=end_reason_clause(event.reason, residents),
        )
    )


def end_reason_clause(reason: str, residents: Sequence[Resident]) -> str:
    """Return a clause for the reason why a round ended; empty if `reason` is empty."""
    return END_REASON_CLAUSES[reason].format(cap=TURN_CAP, enders=round_ending_residents(residents)) if reason else ""


def round_ending_residents(residents: Sequence[Resident]) -> str:
    """Return a phrase for those residents that end a round when all are faceup: "both Villagers" (A0)."""
    return " and ".join([f"both {resident.name}s" for resident in residents if resident.ends_round])


END_REASON_CLAUSES = {
    "call": "it is the caller's turn again",
    "deck": "the deck is empty",
    "turn cap": "{cap} turns have been played",
    "residents": "{enders} lie faceup",
}
