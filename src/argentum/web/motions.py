"""Which cards move on the page when something happens."""

from argentum.rules.events import Event

PILES = {"discard": "pile", "discard bottom": "pile", "deck bottom": "deck"}  # the places of piles on the page


def motions_of(event: Event) -> list[tuple[str, str]]:
    """Where the card of an event went, as places of the page.

    >>> motions_of(Event("drew", "A", source="deck"))
    [('deck', 'hand')]
    """
    match event.kind:
        case "drew":
            return [(_drawn_from(event), "hand")]
        case "took":
            return [("pile", "hand")]
        case "discarded" | "left" if event.goes in PILES:
            return [(event.spot or "hand", PILES[event.goes])]
        case "placed" | "added":
            return [("hand", event.spot)]
        case "switched":
            return [(event.spot, event.to), (event.to, event.spot)]
        case "shifted" | "gave":
            return [(event.spot, event.to)]
        case "kept":
            return [("deck", f"own-{event.seat}")]
        case "counted":
            return [("deck", "pile")]
        case "displayed":
            return [("deck", f"shown-{event.depth}")]
    return []


def _drawn_from(event: Event) -> str:
    return {"private": f"own-{event.seat}", "shown": f"shown-{event.depth}"}.get(event.source, "deck")
