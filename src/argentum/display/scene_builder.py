"""Build a scene from a view (from scene)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from argentum import words
from argentum.display.scene import (
    MOONS,
    NO_TRACES,
    SIDES,
    UNDRAWN,
    Button,
    CardScene,
    Cord,
    Drawn,
    Lesson,
    Portrait,
    Scene,
    Score,
    Seat,
    Trace,
    Village,
    portrait,
)
from argentum.display.seat_memory import initials_of
from argentum.rules.boxes import BOX_BY_LETTER
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import Resident
from argentum.rules.views import Card, View

MOST_CASTS = 1_024  # decks that are played at the same time
LEAST_SET = {"peek": 2, "exchange": 1}


@lru_cache(MOST_CASTS)
def _cast(residents: tuple[Resident, ...]) -> tuple[Portrait, ...]:
    """How the residents of a deck are drawn."""
    return tuple([portrait(resident) for resident in residents])


class _Offer:
    """The legal moves, sorted by how they are made: on a card, on a village, by a button, by choosing cards first."""

    def __init__(self, view: View) -> None:
        self.on_card: dict[str, str] = {}
        self.uses: dict[str, str] = {}
        self.on_village: dict[str, str] = {}
        self.buttons: list[Button] = []
        named: dict[str, list[Move]] = {}
        self.fan = _fan(view)
        self.picked = _picked(view)
        for move in view.legal:
            if move.verb == "ability":
                self.uses[move.spot] = str(move)
            elif move.verb == "give":
                named.setdefault(f"give {{}} {str(move)[-1]}", []).append(move)
            elif len(move.spot) > 1:
                named.setdefault(f"{move.verb} {{}}".strip(), []).append(move)
            elif str(move) not in self.fan:
                self.on_village |= {move.spot: str(move)} if move.spot else {}
                self.buttons.append(Button(words.button_text(move, view), str(move)))
        self._choose_cards(view, named)
        self.picks = frozenset(spot for button in self.buttons for spot in button.spots)
        # A target is asked for, so that cards out of the question step back; an exchange is an offer among others.
        self.asks_card = bool(self.on_card) or any([button.spots and not button.main for button in self.buttons])

    def _choose_cards(self, view: View, named: dict[str, list[Move]]) -> None:
        """One way to name a card, and it is a click on it; several ways, or several cards, and it is a selection."""
        sets = [template for template, moves in named.items() if moves[0].verb in LEAST_SET]
        for template, moves in named.items():
            if template in sets:
                self.buttons.insert(0, _set_button(moves[0].verb, moves, view))
            elif len(named) - len(sets) == 1:
                self.on_card = {move.spot: str(move) for move in moves}
            else:
                spots = tuple(move.spot for move in moves)
                self.buttons.append(Button(words.selection_button_text(moves[0], view), "", template, spots))


def _set_button(verb: str, moves: list[Move], view: View) -> Button:
    """The button for the cards of a first look or an exchange, which are sent together."""
    least = LEAST_SET[verb]
    most = least if verb == "peek" else len(moves)
    spots = tuple(move.spot for move in moves)
    return Button(words.selection_button_text(moves[0], view), "", verb + " {}", spots, least, most, main=True)


def build(
    view: View,
    seats: Sequence[Seat],
    scores: Sequence[dict[str, int]],
    log: Sequence[words.LogEntry],
    prompt: words.Prompt,
    advice: words.Advice | None = None,
    traces: Mapping[str, Trace] = NO_TRACES,
    memory: bool = False,
    drawn: dict[str, Drawn] | None = None,
) -> Scene:
    """The table as a seat sees it; `scores` are those of the rounds that are over.

    `drawn` are the villages' cards as this reader was last shown them in this game: those that are the same are used
    again.
    """
    drawn = {} if drawn is None else drawn
    cast = _cast(view.residents)
    offer = _Offer(view)
    order = _clockwise(view)
    sides = dict(zip(order, SIDES[len(order)], strict=True))
    deck = view.deck[0] if view.deck else None
    return Scene(
        you=view.seat,
        round=view.round,
        moon=MOONS[view.round - 1],
        villages=tuple([_village(view, seats, offer, letter, sides[letter], traces, drawn) for letter in order]),
        deck=None if deck is None else _card(view, deck, "", "deck", offer),
        deck_count=len(view.deck),
        shown=tuple([_card(view, card, "", f"shown-{nth}", offer) for nth, card in enumerate(view.shown, 1)]),
        shower=next((portrait(one) for one in view.residents if one.shows_deck_card), None) if view.shown else None,
        fan=tuple(dict.fromkeys(offer.fan.values())),
        top=_card(view, view.discard[0], "", "pile", offer) if view.discard else None,
        pile=tuple([cast[card.number] if card.up and card.number is not None else None for card in view.discard]),
        hand=None if view.hand is None else _card(view, view.hand, view.holder, "hand", offer),
        holder=view.holder,
        token=view.token,
        token_seat=view.token_seat,
        token_side=sides[view.token_seat],
        token_state=view.token_state,
        token_ready=any([button.move == "token" for button in offer.buttons]),
        direction=view.direction,
        turn_side=sides[view.turn],
        lantern_lit=view.turn == view.seat and bool(view.legal),
        your_move=bool(view.legal),
        bot_plays=bool(view.seat and view.to_move and not view.looking and _by_bot(seats, view.to_move)),
        caller="You" if view.caller and view.caller == view.seat else _name(view, view.caller),
        last_turns=_last_turns(view),
        prompt=prompt,
        buttons=tuple(offer.buttons),
        uses=tuple([Button(words.button_text(move, view), str(move)) for move in view.legal if move.verb == "ability"]),
        before_call=words.call_warning(view, memory) if any([move.verb == "call" for move in view.legal]) else "",
        lesson=_lesson(view, offer, advice),
        scores=tuple([_score(view, seats, scores, letter) for letter in view.totals]),
        cast=cast,
        log=tuple(reversed(log)),
        since=_since([entry.seat for entry in reversed(log)], view.seat),
        initials=initials_of(view.names[: len(order)]),
        names=view.names,
        code=view.boxes + view.token[0],
    )


def _since(seats: Sequence[str], me: str) -> int:
    """Of lines by these seats, newest first, those after the reader's last turn: with what the reader did since then.

    >>> _since(["A", "A", "C", "B", "A", "C"], "A"), _since(["C", "B", "A"], "A"), _since(["A", "A"], "A")
    (4, 2, 0)
    """
    others = next((nth for nth, seat in enumerate(seats) if seat != me), len(seats))
    end = next((nth for nth, seat in enumerate(seats) if nth > others and seat == me), 0)
    return end if me else 0


def _by_bot(seats: Sequence[Seat], letter: str) -> bool:
    """Whether a bot plays a seat, or fills in there."""
    seat = seats[SEAT_LETTERS.index(letter)]
    return bool(seat.bot or seat.stand_in)


def _lesson(view: View, offer: _Offer, advice: words.Advice | None) -> Lesson | None:
    """What the guide says now; None where there is nothing to say."""
    said = words.advice_text(view, advice)
    if advice is None or not said:
        return None
    topic = words.lesson_number(view, advice)
    sets = any([button.most > 1 and button.template.startswith("exchange") for button in offer.buttons])
    pair = " ".join(["exchange", *words.best_known_set(view)]) if sets and words.best_known_set(view) else ""
    return Lesson(topic, words.LESSONS[topic - 1], said, advice.text, sets, pair)


def _name(view: View, seat: str) -> str:
    return view.names[SEAT_LETTERS.index(seat)] if seat else ""


def _clockwise(view: View) -> list[str]:
    """The seats, clockwise from the reader's own."""
    letters = list(view.villages)
    first = letters.index(view.seat) if view.seat else 0
    return letters[first:] + letters[:first]


def _cards(
    view: View, offer: _Offer, letter: str, traces: Mapping[str, Trace], drawn: dict[str, Drawn]
) -> tuple[CardScene, ...]:
    """The cards of a village, or the same as they were drawn before, if nothing that they show has changed."""
    shows = (
        view.villages[letter],
        view.guards,
        view.names,
        view.token,
        [spot for spot in offer.picked if spot[0] == letter] if offer.picked else (),
        [(spot, move) for spot, move in offer.on_card.items() if spot[0] == letter] if offer.on_card else (),
        [(spot, move) for spot, move in offer.uses.items() if spot[0] == letter] if offer.uses else (),
        [spot for spot in offer.picks if spot[0] == letter] if offer.picks else (),
        offer.asks_card,
        [(spot, trace) for spot, trace in traces.items() if spot[0] == letter] if traces else (),
    )
    old = drawn.get(letter, UNDRAWN)
    if old.shows == shows:
        return old.cards
    alike = not view.guards and old.shows[1:4] == shows[1:4]  # guards, which bind one card to another, names, token
    each: list[tuple[object, ...]] = []
    cards: list[CardScene] = []
    for nth, card in enumerate(view.villages[letter]):
        place = f"{letter}{nth + 1}"
        one = (
            card,
            place in offer.picked,
            offer.on_card.get(place),
            offer.uses.get(place),
            place in offer.picks,
            offer.asks_card,
            traces.get(place),
        )
        same = alike and nth < len(old.each) and old.each[nth] == one
        each.append(one)
        cards.append(old.cards[nth] if same else _card(view, card, letter, place, offer, traces))
    drawn[letter] = Drawn(shows, each, tuple(cards))
    return drawn[letter].cards


def _village(
    view: View,
    seats: Sequence[Seat],
    offer: _Offer,
    letter: str,
    side: str,
    traces: Mapping[str, Trace],
    drawn: dict[str, Drawn],
) -> Village:
    yours = letter == view.seat
    lit = yours and bool(view.legal)
    cards, cords = _cards(view, offer, letter, traces, drawn), _cords(view, letter)
    own_deck = tuple([_card(view, card, letter, f"own-{letter}", offer) for card in view.private[letter]])
    turn = letter == view.turn and not view.looking
    asked = letter in view.looking if view.looking else letter == view.to_move
    called, token = letter == view.caller, letter == view.token_seat
    seat, total = seats[SEAT_LETTERS.index(letter)], view.totals[letter]
    move, picked = offer.on_village.get(letter, ""), letter in offer.picked
    # (By their places: with names, making one costs several times as much.)
    return Village(
        seat, side, yours, lit, cards, cords, own_deck, total, turn, asked, called, token, move, picked
    )  # fmt: skip


def _card(
    view: View, card: Card, seat: str, place: str, offer: _Offer, traces: Mapping[str, Trace] = NO_TRACES
) -> CardScene:
    known = card.number is not None
    in_village = len(place) < 4 and place[0] in SEAT_LETTERS
    in_hand = known and place == "hand"  # whoever knows it sees its face
    move = offer.on_card.get(place, "") if in_village else _pile_move(view, place, offer)
    guard = next((one for one, guarded in view.guards if guarded == place), "") if view.guards else ""
    picked = place in offer.picked
    name = words.card_accessible_name(card, view, seat, int(place[1:])) if in_village else ""
    trace = traces.get(place)
    if trace is not None:
        name += f". {trace.words}"
    covered = view.token if card.covered else ""
    facedown = known and not card.up and not in_hand
    pick, use = place in offer.picks, offer.uses.get(place, "")
    calm = in_village and offer.asks_card and not move and not picked and not pick
    guarding = _face(view, view.villages[guard[0]][int(guard[1:]) - 1]) if guard else None
    return CardScene(
        place,
        _face(view, card),
        card.up or in_hand,
        card.sideways,
        covered,
        facedown,
        name or words.pile_accessible_name(card, view, seat, place),
        move,
        pick,
        use,
        calm,
        _muted(view, card),
        guarding,
        int(guard[1:] or 0),
        picked,
        trace,
    )


def _picked(view: View) -> frozenset[str]:
    """The spots and villages that were chosen so far in answer to what is asked."""
    return frozenset([move.spot for move in view.asking.picked if move.spot]) if view.asking else frozenset()


def _cords(view: View, letter: str) -> tuple[Cord, ...]:
    """The ties of a village's guards, the shortest on top."""
    if not view.guards:
        return ()
    ties = [(int(guard[1:]), int(guarded[1:])) for guard, guarded in view.guards if guard[0] == letter]
    ties.sort(key=lambda tie: abs(tie[1] - tie[0]))
    return tuple([Cord(guard, guarded, nth) for nth, (guard, guarded) in enumerate(ties, 1)])


def _fan(view: View) -> dict[str, CardScene]:
    """The cards to choose from, by the moves that choose them.

    They are those of the deck that were looked at (A4), or those of the discard pile that may be taken (A10, C10);
    none where the view does not tell which they are.
    """
    fan: dict[str, CardScene] = {}
    depths = view.asking.depths if view.asking else ()
    for nth, ways in _counted(view).items():
        verb, move = next(iter(ways.items()))
        card = words.pile_card(verb, nth, view)
        if card is None or (verb == "use" and not depths):  # a Mortician's `use 6` names a number (B4)
            return {}
        keeping = verb == "keep"
        face = _face(view, card) if keeping or card.up else None
        name = words.button_text(Move.of(move), view)
        place = f"{'deck' if keeping else 'pile'}-{nth}"
        use = ways.get("use", "") if verb != "use" else ""
        one = CardScene(place, face, face is not None, False, "", False, name, move, use=use)
        fan |= dict.fromkeys(ways.values(), one)
    return fan


def _counted(view: View) -> dict[int, dict[str, str]]:
    """The moves `keep 2`, `take 2` and `use 2` by their numbers and verbs."""
    ways: dict[int, dict[str, str]] = {}
    for move in view.legal:
        verb, _, nth = move.verb.partition(" ")
        if verb in ("keep", "take", "use") and nth:
            ways.setdefault(int(nth), {})[verb] = str(move)
    return ways


def _face(view: View, card: Card) -> Portrait | None:
    """The face of a card, if the reader knows it."""
    return None if card.number is None else portrait(view.residents[card.number])


def _pile_move(view: View, place: str, offer: _Offer) -> str:
    """What a click on a pile plays: it draws from it, if that is legal."""
    shown = f"draw {place[6:]}" if place.startswith("shown") else ""
    move = shown or {"deck": "draw", "pile": "take", f"own-{view.seat}": "draw private"}.get(place, "")
    return move if any([button.move == move for button in offer.buttons]) else ""


def open_card(view: View, card: Card, seat: str, place: int) -> CardScene:
    """A card of a village that lies open to everybody, when a round is over."""
    spot = f"{seat}{place}"
    name = words.card_accessible_name(card, view, seat, place)
    covered = view.token if card.covered else ""
    return CardScene(spot, _face(view, card), True, card.sideways, covered, False, name, muted=_muted(view, card))


def _muted(view: View, card: Card) -> bool:
    """Whether the token on a card takes its ability and its points."""
    return card.covered and BOX_BY_LETTER[view.token[0]].token_mutes_card


def _last_turns(view: View) -> tuple[tuple[str, bool], ...]:
    """Who still has a turn after a call, in order of play."""
    if not view.caller or view.reason:  # a round that is over may still ask (C0, B0)
        return ()
    letters = list(view.villages)
    step = 1 if view.direction == "clockwise" else -1
    turns = []
    seat = letters.index(view.turn)
    while letters[seat] != view.caller:
        turns.append((view.names[seat], letters[seat] == view.seat))
        seat = (seat + step) % len(letters)
    return tuple(turns)


def _score(view: View, seats: Sequence[Seat], scores: Sequence[dict[str, int]], letter: str) -> Score:
    rounds = [points[letter] for points in scores]
    return Score(
        seats[SEAT_LETTERS.index(letter)],
        letter == view.seat,
        (*rounds, *[None] * (4 - len(rounds))),
        view.totals[letter],
    )
